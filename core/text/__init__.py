"""What a text is made of: words, sentences, times, tokens, and what two texts have in common."""
