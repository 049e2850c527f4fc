"""Keys by what is printed on them."""

from __future__ import annotations

_NAMES = {
    "slash": "/", "question_mark": "?", "colon": ":", "asterisk": "*", "apostrophe": "'",
    "left_square_bracket": "[", "right_square_bracket": "]", "minus": "-", "plus": "+",
    "greater_than_sign": ">", "less_than_sign": "<", "comma": ",",
}  # fmt: skip


def printed(key: str) -> str:
    """A key by what is printed on it: `slash` is `/`; others stay as they are."""
    return _NAMES.get(key, key)
