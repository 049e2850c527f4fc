"""The Inbox: what was captured waits here, one by one, for a person's verdict.

view     what stands where, which keys work, and what is read when
model    what is asked of the core, and what is known of the candidates
acts     the verdicts, and how each is written
panes    the list; the candidate, what is near to it, and what speaks for it
account  the words of these panes
text     its keys and its words
"""
