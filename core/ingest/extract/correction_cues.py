"""How a sentence begins to correct, and what is left of it without these words."""

from __future__ import annotations

from dataclasses import dataclass

from ...judgement.replacement import affirmed_in, denied_in, leaves
from ...text.sentences import masked_quotes
from . import correction_words as known
from .utterances import Spoken

MOST_CUES = 4
"""At the beginning of one sentence: "Wait, no, wrong: actually …"."""


@dataclass(frozen=True, slots=True)
class Cue:
    """The cues of one sentence."""

    spoken: Spoken
    kinds: frozenset[str]  # denies, withdraws, changes, sets
    rest: str  # what is said beside them


def cue_of(one: Spoken) -> Cue | None:
    """How a sentence begins to correct; None where it does not."""
    text, is_person = one.sentence.text, one.utterance.is_person
    masked = masked_quotes(text)
    if one.sentence.kind not in ("text", "item") or known.DOUBTS.search(masked):
        return None
    kinds: set[str] = set()
    at = 0
    ways = {"withdraws": known.TAKES_BACK}
    if is_person:
        ways |= {"denies": known.DENIES, "changes": known.CHANGES}
    for _ in range(MOST_CUES):
        if skipped := known.FILLER.match(masked[at:]):
            at += skipped.end()
        found = ((kind, way.match(masked[at:])) for kind, way in ways.items())
        kind, begun = next(((kind, match) for kind, match in found if match), ("", None))
        if begun is None:
            break
        kinds.add(kind)
        at += begun.end()
    rest = text[at:].strip()
    if is_person:
        if known.IS_CHANGE.search(masked) or leaves(masked):
            kinds.add("changes")
        if one.utterance.after_refusal and one.utterance.place == 0:
            kinds.add("changes")
        if known.SETS.match(rest) or _is_only_a_value(one):
            kinds.add("sets")
    return Cue(one, frozenset(kinds), rest) if kinds else None


def _is_only_a_value(one: Spoken) -> bool:
    """Whether a prompt is a number and no more, and answers no question."""
    said = one.utterance
    return (
        said.of == 1
        and len(tokens := affirmed_in(one.sentence.text).tokens) == 1
        and tokens[0].quantity is not None
        and not said.other.rstrip().endswith("?")
    )


def has_content(text: str) -> bool:
    """Whether anything is said but courtesies."""
    bare = known.CHANGES_AT_END.sub("", text)
    return bool(affirmed_in(bare).tokens or denied_in(bare).tokens)
