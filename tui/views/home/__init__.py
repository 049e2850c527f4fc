"""Home: what one's agents know, and what waits for oneself.

text   its lines, keys and words
view   the lines at the left, what was learned and used at the right
"""
