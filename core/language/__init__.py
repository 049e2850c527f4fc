"""The explicit words of users and agents, one data file a language.

*.toml                     the words of users, one language each; others: the verb alone
phrases                    the patterns of wishes, corrections and revocations
"""
