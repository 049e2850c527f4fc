"""How a session becomes captures.

transcript   from the file of any host to turns; turns: what those are
echo         what in a prompt is not the user's to keep; private turns
utterances   the sentences, and in whose words they are
wishes       what the user asks to be kept, or puts off
work         pieces of work: lists of tasks, errors with their resolution, circumstances
shape        does a sentence stand alone, and how does it become a capture?
capture      all of it: what one reading of a session gives
uses         which of the memories that a session was told it used
"""
