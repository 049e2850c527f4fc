"""The explicit words of a person, one data file a language.

english, german, spanish   .toml: what they say, not what it weighs (see `phrases`)
"""
