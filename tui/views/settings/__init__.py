"""Every setting with its value, where that comes from, and what it does.

view    what stands where, and which keys work
acts    what a person changes
model   what is asked of the core; keys as settings
text    its keys and its words
"""
