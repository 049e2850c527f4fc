"""The explicit words of users and agents, one data file a language.

english, german, spanish   .toml: what they say, not what it weighs
phrases                    those of wishes; corrections: how one corrects or revokes
"""
