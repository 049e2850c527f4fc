"""GitHub Copilot CLI.

files        where it looks for hooks
host         all of it: our file of hooks among those that it reads
transcript   its log of a session
wire         its dialect: its payload in, an event out; what we recall in, its reply out
"""
