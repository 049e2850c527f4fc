"""How a prompt becomes the text handed to the agent.

pipeline   the order of the steps: a prompt, a start, a tool, a subagent, a compaction
start      what a session is told without a question
keywords   the words of a prompt worth looking for, what a memory has of them, and times they name
expansion  other words for the same thing, and which word a mistyped one was meant to be
candidates what may answer, from words to memories, step by step
ranking    which answer comes first, part by part
rerankers  who may have the last word on the order; strategies by name
selection  who may be shown, how many, and conflicts kept together
budget     how many tokens each tier may use
frame      the injected text: entries in each host's form, never over budget
receipt    what a session was told, to tell nothing twice
explain    why a memory answers, in words
"""
