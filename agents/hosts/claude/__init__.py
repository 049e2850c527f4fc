"""Claude Code.

headless     it asked one question without a person
host         all there is about it, as one value
install      its settings files: where they stand, and what else in them bears on our hooks
transcript   its file of a session
wire         Claude Code's dialect: its payload in, an event out; what we recall in, its reply out
"""
