"""The query language: one for the app and the command line.

filters    filters as programs write them: fields with a value, a list of values
keys       the keys of the query language, what each accepts, and how a broken one is explained
language   the query language, one for the app and the command line
plan       from a parsed query to what the store is asked
"""
