"""The workbench for conflicts: two memories beside each other, and a letter for each verdict.

view   what stands where, which keys work, and what is read when
model  what is asked of the core, and which conflicts there are
acts   the verdicts, and how each is written
panes  the list, the two memories, and the words above them
text   its keys and its words
"""
