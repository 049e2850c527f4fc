"""The explicit words of users and agents, one data file a language.

*.toml                     what users say, one language each; others: the verb alone
phrases                    those of wishes, and how users and agents correct or revoke
"""
