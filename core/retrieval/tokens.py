"""How long a text is: in estimated tokens, and in the units hosts count."""

TOKENS_PER_WORD = 1.3


def estimate_tokens(text: str) -> int:
    """The estimated tokens of `text`: int(words x 1.3), words being parted by white space (000-41).

    0 for an empty text. It counts a long unbroken run as one word; that is why every host's
    output has a limit in characters as well.
    """
    return of_words(count_words(text))


def of_words(words: int) -> int:
    """The estimated tokens of so many words."""
    return int(words * TOKENS_PER_WORD)


def count_words(text: str) -> int:
    """The words of `text`, parted by white space."""
    return len(text.split())


def utf16_units(text: str) -> int:
    """The length of `text` as JavaScript counts it: characters beyond the BMP count twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def utf8_bytes(text: str) -> int:
    """The length of `text` in UTF-8; a lone surrogate counts as the mark that replaces it."""
    return len(text.encode("utf-8", "replace"))
