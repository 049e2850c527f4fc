"""How a person took it: -2 to +2 by the words they used (000-10), and whether they refused it."""

from __future__ import annotations

from ...text.sentences import masked_quotes, sentences
from . import correction_words
from .echo import without_echo
from .rules import rx

LOOKS_AT = 600  # characters; who is pleased or angry says so at once

FEELINGS = tuple(
    (valence, rx(words))
    for valence, words in (
        (
            -2,
            r"\b(?:(?:third|fourth|\d+th)\ time|i\ (?:really\ )?hate|how\ often\ (?:do|must)\ i|"
            r"furious|unacceptable|terrible|awful|horrible|wtf)\b",
        ),
        (
            2,
            r"\b(?:exactly\ (?:what|how|as)\ (?:i|we)|awesome|amazing|excellent|perfect|well\ done|"
            r"great\ (?:job|work)|saved\ my\ day)\b",
        ),
        (
            -1,
            r"\b(?:stop\ \w+ing|annoying|frustrating|ugh|still\ (?:broken|wrong|fails|failing|not\ "
            r"working)|that(?:'s|\ is)\ (?:wrong|bad)|not\ (?:good|great|happy|what\ i)|"
            r"i\ told\ you|why\ did\ you)\b",
        ),
        (
            1,
            r"\b(?:great|nice|good\ (?:job|catch|point|idea)|cool|thanks|thank\ you|looks\ good|"
            r"lgtm|(?:that|it)\ works|works\ now)\b",
        ),
    )
)
"""Strong words first, the worse before the better: who is angry may still say thanks."""

_DENIED = rx(r"\b(?:not|isn't|n't)\ (?:\w+\ ){0,2}$")


def valence_of(text: str) -> int:
    """-2 (angry) to +2 (delighted); 0 where the words tell no feeling.

    What is quoted was felt by somebody else, and "not perfect" is no praise.
    """
    masked = masked_quotes(without_echo(text[: 8 * LOOKS_AT])[:LOOKS_AT])
    for valence, words in FEELINGS:
        found = words.search(masked)
        if found and not (valence > 0 and _DENIED.search(masked[: found.start()])):
            return valence
    return 0


_LOOKS_AT = 8000  # characters of a prompt


def denies(text: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = next(iter(sentences(without_echo(text[:_LOOKS_AT]))), None)
    if first is None:
        return False
    masked = masked_quotes(first.text)
    skipped = correction_words.FILLER.match(masked)
    return correction_words.DENIES.match(masked[skipped.end() if skipped else 0 :]) is not None
