"""The command line. Standard output is data, standard error is narration.

main        the entry point: hooks past click, errors to exit codes
root        the command tree, loaded command by command, and `memdeck` without a command
commands/   a module a subject
options     common options: store, project, kinds of values, text and JSON Lines from pipes
output      JSON lines, aligned plain text, control characters made visible
encoder     values of the core as JSON: declared fields, and a table of exceptions
acts        common parts of acts: the memories, the question, the report
"""
