"""The query language.

language  keys, values and the parser, one for the app and the command line
plan      from a parsed query, or a program's filters, to the request for the store
"""
