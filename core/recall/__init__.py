"""How a prompt becomes the text handed to the agent.

pipeline   the order of the steps, and nothing else
unasked    what is told without a question: at a start, after a compaction
keywords   the words of a prompt worth looking for
vocabulary words that say little
aliases    other words for the same thing: a project's own, and everyday ones (everyday)
expansion  further words, where the plain ones find little
candidates what may answer, from words to memories, phase by phase
spelling   mistyped words, and which word was meant
company    what stood around a memory in its session
times      when a question is about
relevance  how much of the prompt a memory speaks of, and whether that is enough
kindred    how far its words go with those of the prompt that it lacks
ranking    which answer comes first, part by part
scoring    each gathered memory with its score and the parts of it
rerankers  who may have the last word on the order; strategies by name
selection  who may be shown, how many, and conflicts kept together
budget     how many tokens each tier may use
occasions  what belongs to each moment: a prompt, a start, a tool, a subagent, a compaction
request    the lines that ask an agent to record, at a start
account    why a memory answers, in words
builder      filling the tiers, entry by entry, never over budget
formats    the same entries for each host, fenced and escaped
tokens     how long a text is
"""
