"""Texts that only fill a store: no two of them share a word, so none is judged against the others.

What is written is held against its neighbours, thirty pairs for a text of everyday words: a store
of hundreds takes seconds. Where the sameness of texts is not the subject, these do.
"""

_SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


def filler(number: int, words: int = 8) -> str:
    """The filler of that number: the same in each run, and no word of it in another one."""
    return " ".join(_word(number * words + place) for place in range(words))


def _word(number: int) -> str:
    """The word of that number, of three syllables: 343,000 differ, and neighbours are not alike."""
    number, parts = number * 104_729 % len(_SYLLABLES) ** 3, []
    for _ in range(3):
        number, place = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[place])
    return "".join(parts) + "x"
