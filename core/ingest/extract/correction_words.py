"""How people and agents begin to correct, by kind, in every language that has a file.

A cue alone corrects nothing: what it corrects must be found beside it (`corrections`). Patterns
look at a sentence with code and quotations masked. The words are data (`core/language/`, under
`corrects`; "~" stands for a space); how they stand in a sentence is said here once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...judgement.replacement import affirmed_in, denied_in
from ...text.sentences import masked_quotes
from .phrases import languages

if TYPE_CHECKING:
    from .utterances import Spoken

_GAP = r"[\s,.!:;…—–-]*"


def _any(name: str) -> str:
    """The words of that name, of all languages, as one alternative."""
    told = [one["corrects"].get(name, ()) for one in languages() if "corrects" in one]
    words = [word for each in told for word in ([each] if isinstance(each, str) else each)]
    return "(?:" + "|".join(words).replace("~", r"\s") + ")"


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FILLER = _rx(rf"^(?:{_any('filler')}\b{_GAP})+(?=\S)")
"""Stands before a cue and means nothing."""

DENIES = _rx(rf"^{_any('denies')}{_GAP}{_any('please')}?[.!]*")
"""What the other one said is not so."""

TAKES_BACK = _rx(rf"^{_any('takes_back')}\b{_GAP}")
"""The speaker takes their own word back."""

REVOKES_BEFORE = _rx(
    rf"^(?:(?:(?:{_any('following')}\s)?{_any('over')}|{_any('revoked')})\s*(?::|\s[–—-]+\s)"
    rf"|{_any('revokes')}\b)[\s,]*"
)
"""Stands before a statement that holds no longer, which is said again."""

REVOKES_AFTER = _rx(rf"[\s,;:—–-]+(?:{_any('it')}\s)?{_any('over')}[\s.!]*$")
"""The same behind it."""

CHANGES = _rx(rf"^(?:{_any('from_now_on')}|{_any('changes')})\b[\s,:—–-]*")
"""Another thing holds now."""

CHANGES_AT_END = _rx(rf"[\s,;—–-]*\b(?:{_any('from_now_on')}|{_any('changes_at_end')})[\s.!,;]*$")
"""The same at the end of a sentence, with courtesies."""

IS_CHANGE = _rx(rf"\b(?:{_any('from_now_on')}|{_any('is_change')})\b")
"""Says anywhere in a sentence that things changed."""

DOUBTS = _rx(rf"\?\s*$|\b{_any('doubts')}\b|^{_any('supposes')}\b|{_any('mocks')}|🙄|🙃|😏")
"""A question, a guess, a case that is only supposed, or the very opposite of what is meant."""

BUT = _rx(rf"\b{_any('but')}\b")
"""What follows is granted."""

MOST_CUES = 4
"""At the beginning of one sentence: "Wait, no, wrong: actually …"."""


@dataclass(frozen=True, slots=True)
class Cue:
    """The cues of one sentence."""

    spoken: Spoken
    kinds: frozenset[str]  # denies, withdraws, changes
    rest: str  # what is said beside them


def cue_of(one: Spoken) -> Cue | None:
    """How a sentence begins to correct; None where it does not."""
    text, is_person = one.sentence.text, one.utterance.is_person
    masked = masked_quotes(text)
    if one.sentence.kind not in ("text", "item") or DOUBTS.search(masked):
        return None
    kinds: set[str] = set()
    at = 0
    ways = {"withdraws": TAKES_BACK}
    if is_person:
        ways |= {"denies": DENIES, "changes": CHANGES}
    for _ in range(MOST_CUES):
        if skipped := FILLER.match(masked[at:]):
            at += skipped.end()
        found = ((kind, way.match(masked[at:])) for kind, way in ways.items())
        kind, begun = next(((kind, match) for kind, match in found if match), ("", None))
        if begun is None:
            break
        kinds.add(kind)
        at += begun.end()
    if is_person and IS_CHANGE.search(masked):
        kinds.add("changes")
    return Cue(one, frozenset(kinds), text[at:].strip()) if kinds else None


def has_content(text: str) -> bool:
    """Whether anything is said but courtesies."""
    bare = CHANGES_AT_END.sub("", text)
    return bool(affirmed_in(bare).tokens or denied_in(bare).tokens)
