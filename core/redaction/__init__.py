"""Secrets leave here, before anything is compared, logged or written.

redact    texts and records without secrets
rules     reads the tables, and what no table holds: named values, random strings, addresses
shapes    what a value looks like, and the checks on a match
rules.tsv one rule a line; sentences.toml: credentials that a sentence names, a table a language;
words.toml: the words that tell a secret's name from any other
"""
