"""What a text is made of: the one place for each question about words.

words       tokens, stems, stop words, everyday words
content     the words of a text, and how much each tells
sameness    do two texts say the same, or one thing and its opposite?
differing   by which words do they differ?
sentences   a text cut into sentences, in any script, Markdown's marks taken off
times       days that words name: by when, until when; `calendar` has the words
"""
