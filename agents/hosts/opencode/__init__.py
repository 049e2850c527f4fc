"""OpenCode.

exports   A session of OpenCode as JSON text: `opencode export`, run once
install   OpenCode's plugin of ours: one file, made from our template, and taken away whole
wire      OpenCode's dialect: what our plugin hands over in, an event out; what we recall in
"""
