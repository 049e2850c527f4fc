"""The door for people and scripts. Standard output is data, standard error is narration.

main        the entry point: hooks past click, errors to exit codes
root        the command tree, loaded command by command, and what `memdeck` alone does
options     what every command takes, and the values of options (moments, importance)
output      JSON lines, aligned plain text, control characters made visible
rows, card  a memory on one line, with its glyph, and whole
grounds     what speaks for a memory and against it: points, reviews, weight
fields      memories and their kin as JSON objects
targets     the memories that words or ids on the command line mean
stdin       lines and text from files and pipes, bounded, never waiting for a terminal
acting      what acts share: whom they mean, the question, the report
editor      a memory as a page in `$EDITOR`, and back

finding     search, list, show
recalling   recall, receipts
inbox       candidates: accept, edit, reject, snooze, merge; what was refused
conflicts   two that cannot both hold: list, show, resolve, mark
teaching    what verdicts taught this project, and starting anew
sessions    conversations: list, show, fork, incognito
extracting  extract: a model of the person's own reads a session
joining     merge, promote
memory      the slash commands: status, list, search, budget, alias, auto, config
slashing    what those commands call: the person's words in, plain text out
curating    remember, edit, pin, unpin, link, forget, restore, undo, redo
batch       remember --batch: a line in, a line out, durable before it is printed
trail       audit, verify, rebuild
store       status, stats, doctor
moving      import, export
agents      install, uninstall, hook, drain
learning    learn: what an agent records as it goes
demo        a throwaway store to look around in
completion  completion scripts for shells
"""
