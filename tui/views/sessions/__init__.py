"""Sessions: what each was asked, told, learned, spent and left open.

view    what stands where, and which keys work
model   what is asked of the core, and the rows that come of it
panes   the list, and one session in full
text    its keys and its words
"""
