"""How a prompt becomes the text handed to the agent.

pipeline   the order of the steps, and nothing else
reader     what recall asks of the store
keywords   the words of a prompt worth looking for
vocabulary words that say little
aliases    other words for the same thing
relevance  how much of the prompt a memory speaks of, and whether that is enough
ranking    which answer comes first, part by part
selection  who may be shown, how many, and conflicts kept together
budget     how many tokens each tier may use
sheet      filling the tiers, entry by entry, never over budget
formats    the same entries for each host, fenced and escaped
tokens     how long a text is
"""
