"""The door for people and scripts. Standard output is data, standard error is narration.

main        the entry point: hooks past click, errors to exit codes
root        the command tree, loaded command by command, and what `memdeck` alone does
commands/   a module a command, named as the command
options     what every command takes; what shells complete
choices     the kinds of values that options have
output      JSON lines, aligned plain text, control characters made visible
encoder     values of the core as JSON: declared fields, and a table of what differs
acts        what acts share: whom they mean, the question, the report
rows, card  a memory on one line, with its glyph, and whole
grounds     what speaks for a memory and against it: points, reviews, weight
advice      what would find something where nothing was found
stdin       lines and text from files and pipes, bounded, never waiting for a terminal
editor      a memory's page (`core/page.py`) in `$EDITOR`, and back
progress    what a long act shows meanwhile
"""
