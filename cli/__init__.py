"""The door for people and scripts. Standard output is data, standard error is narration.

main        the entry point: hooks past click, errors to exit codes
root        the command tree, loaded command by command, and what `memdeck` alone does
commands/   a module a subject
options     what commands take: store, project, kinds of values, text and JSON Lines from pipes
output      JSON lines, aligned plain text, control characters made visible
encoder     values of the core as JSON: declared fields, and a table of what differs
acts        what acts share: whom they mean, the question, the report
"""
