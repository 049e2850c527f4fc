"""How a person took it: -2 to +2 by the words they used, and whether they refused it."""

from __future__ import annotations

from ...text.sentences import masked_quotes, sentences
from .echo import without_echo
from .phrases import GAP, correcting
from .rules import rx

LOOKS_AT = 600  # characters; who is pleased or angry says so at once
READS = 8_000  # characters of a prompt; notices may stand before what was said

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

DENIES = correcting(rf"^<denies>{GAP}<please>?[.!]*")
"""What the other one said is not so."""

_FILLER = correcting(rf"^(?:<filler>\b{GAP})+(?=\S)")
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


def denies(prompt: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = next(iter(sentences(without_echo(prompt[:READS]))), None)
    masked = masked_quotes(first.text) if first else ""
    return DENIES.match(masked[filler_before(masked) :]) is not None


def filler_before(masked: str) -> int:
    """Where what stands before a cue and means nothing ends."""
    found = _FILLER.match(masked)
    return found.end() if found else 0
