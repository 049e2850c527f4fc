"""The journal: who changed what, and the way back.

view    what stands where, and which keys work
model   what the filter line means, and what is asked of the core
past    the whole Deck as it was, on top of it
text    its keys and its words
"""
