"""Claude Code.

install   Claude Code's settings files: where they stand, and what else in them bears on our hooks
wire      Claude Code's dialect: its payload in, an event out; what we recall in, its reply out
"""
