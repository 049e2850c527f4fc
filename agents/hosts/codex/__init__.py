"""Codex.

files        where it looks for hooks
headless     it asked one question without a person
host         all there is about it, as one value
install      what we write into its file of hooks, and the trust that a person must give it
transcript   its file of a session
trust        whether Codex runs our hooks: what its `config.toml` says of them
wire         Codex's dialect: its payload in, an event out; what we recall in, its reply out
"""
