"""The Deck: where one finds, reads and acts.

view    what stands where, and which keys work
finder  from the query to rows on the screen, and the news
reader  the memory under the cursor
acts    what a person does to memories
looks   how the list looks and is arranged
text    its words
"""
