"""Codex.

install   Codex's file of hooks: where it stands, and the trust that a person must give it
trust     whether Codex runs our hooks: what its `config.toml` says of them
wire      Codex's dialect: its payload in, an event out; what we recall in, its reply out
"""
