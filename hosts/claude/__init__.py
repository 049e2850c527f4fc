"""Claude Code.

files        where it looks for hooks
headless     it asked one question without a person
host         all of it: what we write into its settings, and what else in them bears on our hooks
transcript   its file of a session
wire         Claude Code's dialect: its payload in, an event out; what we recall in, its reply out
"""
