"""Gemini CLI.

headless     it asked one question without a person
host         all there is about it, as one value
install      Gemini CLI's settings files: where they stand, and what else in them bears on our hooks
transcript   its file of a session
wire         Gemini CLI's dialect: its payload in, an event out; what we recall in, its reply out
"""
