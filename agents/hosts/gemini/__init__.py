"""Gemini CLI.

install   Gemini CLI's settings files: where they stand, and what else in them bears on our hooks
wire      Gemini CLI's dialect: its payload in, an event out; what we recall in, its reply out
"""
