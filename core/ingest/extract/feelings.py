"""How a person felt about it, -2 to +2, by the words they used (000-10)."""

from __future__ import annotations

import re

from ...text.sentences import masked_quotes
from .echo import without_echo
from .rules import rx

LOOKS_AT = 600  # characters; who is pleased or angry says so at once

FEELINGS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (valence, rx(words))
    for valence, words in (
        (
            -2,
            r"\b(?:third|fourth|fifth|hundredth|\d+th)\ time\b|\bi\ (?:really\ )?hate\b|"
            r"\b(?:furious|unacceptable|disaster|catastrophe|nightmare|outrageous)\b|"
            r"\bhow\ (?:many\ times|often)\ (?:do|must|have|should)\ i\b|"
            r"\b(?:sick\ of|fed\ up|wtf)\b|"
            r"\b(?:you\ )?(?:keep|kept)\ (?:breaking|ignoring|doing|deleting|making)\b|"
            r"\b(?:terrible|awful|horrible|useless)\b|"
            r"\bi\ (?:already\ )?told\ you\b.{0,40}\b(?:twice|before|already|times)\b",
        ),
        (
            2,
            r"\bexactly\ (?:what|how|as)\ (?:i|we)\b|\b(?:love|loving)\ (?:it|this|that)\b|"
            r"\b(?:amazing|awesome|brilliant|fantastic|excellent|outstanding|wonderful)\b|"
            r"\b(?:perfect|great\ (?:job|work)|well\ done|you\ (?:saved|made)\ my\ day)\b",
        ),
        (
            -1,
            r"\b(?:please\ )?stop\ \w+ing\b|\bannoy(?:ing|ed|s)\b|\bfrustrat(?:ing|ed)\b|"
            r"\bdisappoint(?:ing|ed)\b|\b(?:second\ time|yet\ again|broke(?:n)?\ (?:it\ )?again|"
            r"again\ wrong|wrong\ again|still\ (?:broken|wrong|fails|failing|not\ working))\b|"
            r"\bi\ (?:don't|do\ not)\ like\b|\bthat(?:'s|\ is)\ (?:wrong|bad)\b|"
            r"\bthat(?:'s|\ is)\ not\ (?:right|what\ i)\b|"
            r"\bnot\ (?:good|great|happy|helpful|what\ i\ (?:asked|wanted|meant))\b|"
            r"\bi\ (?:already\ )?(?:told|asked)\ you\b|\bugh\b|\bwhy\ did\ you\b",
        ),
        (
            1,
            r"\b(?:great|nice|good\ (?:job|work|catch|point|idea)|cool|thanks|thank\ you|thx|"
            r"lovely|neat|helpful|happy\ with|looks\ good|lgtm|(?:that|it)\ works|works\ now)\b",
        ),
    )
)
"""Strong words first, the worse before the better: who is angry may still say thanks."""

_DENIED = rx(r"\b(?:not|isn't|wasn't|hardly|far\ from|n't)\ (?:\w+\ ){0,2}$")


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
