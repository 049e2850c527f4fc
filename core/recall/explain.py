"""Explain in words why a memory matches.

The parts of the score give numbers, these sentences the reasons. Ranking needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .candidates import keywords, match

TELLING = 0.05  # share of the score, 0-1, from which on a part gets a sentence
LENT = ("near", "together", "before")  # parts that the session adds
IMPORTANT = 0.7  # importance, 0-1, from which on a memory is called important

UNASKED: Mapping[str, str] = {
    "pinned": "it is pinned",
    "working": "it is the session's working memory",
    "rival": "it contradicts one that is injected",
    "open": "it is open",
    "preference": "it is what you prefer",
    "profile": "it is part of your profile",
    "told": "the session received it before",
    "task": "it fits the subagent's task",
    "fix": "it says what made such a command work",
    "role": "agents of this role learned it",
}
"""Sentences for parts that need no question."""

PARTS: Mapping[str, str] = {
    "when": "it is from the time that you ask about",
    "speaker": "the agent that you name learned it",
    "files": "one of its files is in your hands",
    "recency": "it is recent",
    "meaning": "its meaning is near",
}
"""Sentences for parts of a score."""


def account(
    question: str,
    own: Mapping[str, Sequence[str]],
    image: Mapping[str, Any],
    parts: Mapping[str, float],
    score: float,
) -> tuple[str, ...]:
    """Return sentences without a full stop, the weightiest first.

    `own` are the project's aliases. `image` needs the columns of `keywords.match`, the importance
    and the opinions.
    """
    if unasked := tuple(says for name, says in UNASKED.items() if name in parts):
        return unasked
    terms = keywords(question, own)
    has = [term.text for term in match([t._replace(synonyms=()) for t in terms], image).terms]
    text = []
    if has:
        words = f"{len(has)} of the {len(terms)} words" if len(terms) > 1 else "the word"
        text.append(f"has {words} of your question: {', '.join(has)}")
    enough = max(TELLING * score, 1e-9)
    if sum(parts.get(name, 0.0) for name in LENT) >= enough:
        text.append("its session matches")
    text += [says for name, says in PARTS.items() if parts.get(name, 0.0) >= enough]
    if parts.get("importance", 0.0) > 0 and image["importance"] >= IMPORTANT:
        text.append("it is important")
    helpful, unhelpful = image.get("helpful") or 0, image.get("unhelpful") or 0
    if helpful != unhelpful:
        text.append(f"you called it {'helpful' if helpful > unhelpful else 'not helpful'}")
    return tuple(text)
