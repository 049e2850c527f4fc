"""Words, sentences, times and tokens of a text, and the comparison of two texts."""
