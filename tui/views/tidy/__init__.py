"""Tidy: what is known already, one proposal at a time, one key each.

text   its keys and its words
model  what there is to tidy, what a person says to it, and how that is written
view   the proposals at the left, the memories that one is about at the right
"""
