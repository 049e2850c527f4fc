"""Recall: what an agent would be told with a prompt, and Receipts: what agents were told.

view      what stands where, which keys work, and which of the two is shown
trial     the prompt that is tried out, and with what it is asked
receipts  what was told, one by one
model     what is asked of the core: an answer to one question or to two
panes     the memories of an answer, its budget, its text, and the place where there is none
acts      what a person changes here
text      the keys and the words
"""
