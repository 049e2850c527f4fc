"""Remove secrets before anything is compared, logged or written.

The tables are `rules.tsv`, one rule a line, `sentences.toml` and `words.toml`.
"""
