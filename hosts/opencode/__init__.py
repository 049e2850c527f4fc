"""OpenCode.

exports      A session of OpenCode as JSON text: `opencode export`, run once
files        where it looks for hooks
headless     it asked one question without a person
host         all of it: its plugin of ours is one file, made from our template
transcript   its file of a session
wire         OpenCode's dialect: what our plugin hands over in, an event out; what we recall in
"""
