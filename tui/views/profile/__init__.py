"""Profile: who the person is to agents, section by section, and what it rests on.

view    what stands where, which keys work, and what asks the person something
text    its keys and its words
"""
