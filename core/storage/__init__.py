"""How a capture becomes a memory, or does not.

pipeline     the gates in order, and nothing else
triviality   is there anything here worth keeping?
redaction    secrets leave before anything is compared, logged or written; rules in redaction_*
kinds        which of the five types, which of the nine categories
fingerprint  do we know this very text already?
"""
