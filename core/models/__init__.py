"""Models of the user's own, and what they are asked.

client     one question to a program or a server, bounded in time, size and cost
reviewers  votes on a capture, and the rule that counts them
extractor  one call about a whole session, and the check of its answer
"""
