"""Profile: who the person is to agents, section by section, and what it rests on.

view    what stands where, and which keys work
acts    editing, adding, moving, clearing: what asks the person something
text    its keys and its words
"""
