"""Agents: who is connected, and how each stands.

view    what stands where, and which keys work
model   how each agent stands, read every few seconds
text    its keys and its words
"""
