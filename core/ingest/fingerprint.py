"""The name of a text's content: equal for texts that differ only in case and spacing."""

from __future__ import annotations

SEEDS = (0xDEADBEEF, 0x41C6CE57)
"""Where the two hashes begin."""

_MASK = 0xFFFF_FFFF


def normalised(text: str) -> str:
    """`text` in lower case, each run of white space as one blank, none at the ends."""
    return " ".join(text.lower().split())


def fingerprint(text: str) -> str:
    """16 hexadecimal digits: djb2 over the normalised text, once from each of two seeds.

    djb2 is `hash * 33 ^ code`, over code points and within 32 bits: Bernstein's later form. In
    the earlier one, `hash * 33 + code`, the seeds only shift the result, so that texts of equal
    length which collide from one seed collide from the other too, and the second hash is worth
    nothing. Not a cryptographic hash: it finds repetitions, it does not resist an attacker.
    """
    first, second = SEEDS
    for code in map(ord, normalised(text)):
        first = (first * 33 ^ code) & _MASK
        second = (second * 33 ^ code) & _MASK
    return f"{first:08x}{second:08x}"
