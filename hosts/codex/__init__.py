"""Codex.

files        where it looks for hooks
headless     it asked one question without a person
host         all of it: what we write into its file of hooks, and the trust that this needs
transcript   its file of a session
trust        whether Codex runs our hooks: what its `config.toml` says of them
wire         Codex's dialect: its payload in, an event out; what we recall in, its reply out
"""
