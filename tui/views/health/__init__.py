"""How the store fares, whether it pays, and what leaves it if nobody does anything.

view    what stands where, and which keys work
model   what is asked of the core, and when again
panes   what leaves, one a line; gauges and value as text
text    its keys and its words
"""
