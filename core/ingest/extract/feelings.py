"""How a person took it: -2 (angry) to +2 (delighted) by the words they used (000-10)."""

from __future__ import annotations

from ...text.sentences import masked_quotes
from .echo import without_echo
from .rules import rx

LOOKS_AT = 600  # characters; who is pleased or angry says so at once

FEELINGS = (
    (
        -2,
        rx(
            r"\b(?:(?:third|fourth|\d+th)\ time|i\ (?:really\ )?hate|how\ often\ (?:do|must)\ i"
            r"|furious|unacceptable|terrible|awful|horrible|wtf)\b"
        ),
    ),
    (
        2,
        rx(
            r"\b(?:exactly\ (?:what|how|as)\ (?:i|we)|awesome|amazing|excellent|perfect|well\ done"
            r"|great\ (?:job|work)|saved\ my\ day)\b"
        ),
    ),
    (
        -1,
        rx(
            r"\b(?:stop\ \w+ing|annoying|frustrating|ugh|still\ (?:broken|wrong|fails|failing"
            r"|not\ working)|that(?:'s|\ is)\ (?:wrong|bad)|not\ (?:good|great|happy|what\ i)"
            r"|i\ told\ you|why\ did\ you)\b"
        ),
    ),
    (
        1,
        rx(
            r"\b(?:great|nice|good\ (?:job|catch|point|idea)|cool|thanks|thank\ you|looks\ good"
            r"|lgtm|(?:that|it)\ works|works\ now)\b"
        ),
    ),
)
"""Strong words first, the worse before the better: who is angry may still say thanks."""

_DENIED = rx(r"\b(?:not|isn't|n't)\ (?:\w+\ ){0,2}$")


def valence_of(text: str) -> int:
    """-2 to +2; 0 where the words tell no feeling.

    What is quoted was felt by somebody else, and "not perfect" is no praise.
    """
    masked = masked_quotes(without_echo(text[: 8 * LOOKS_AT])[:LOOKS_AT])
    for valence, words in FEELINGS:
        found = words.search(masked)
        if found and not (valence > 0 and _DENIED.search(masked[: found.start()])):
            return valence
    return 0
