"""What a text is made of: the one place for each question about words.

sentences   a text cut into sentences, in any script, Markdown's marks taken off
"""
