"""Tidy: what is known already, one proposal at a time, one key each.

text   its keys and its words
model  what there is to tidy, what was skipped, and how far one is
acts   what a person says to a proposal, and how it is written
view   the proposals at the left, the memories that one is about at the right
"""
