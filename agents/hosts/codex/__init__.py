"""Codex.

headless     it asked one question without a person
host         all there is about it, as one value
install      Codex's file of hooks: where it stands, and the trust that a person must give it
transcript   its file of a session
trust        whether Codex runs our hooks: what its `config.toml` says of them
wire         Codex's dialect: its payload in, an event out; what we recall in, its reply out
"""
