"""How people and agents begin to correct or to revoke, in every language that has a file.

A cue alone corrects nothing: what it corrects must be found beside it (`corrections`). Who revokes
says the earlier statement again ("this no longer holds: …", "… is obsolete"), so that what ends
need not be guessed. The words are data (`core/language/`, under `corrects`; "~" is a space).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...judgement.replacement import affirmed_in, denied_in, leaves
from ...text.content import content_of
from ...text.sameness import says_the_same
from ...text.sentences import masked_quotes, sentences
from .echo import without_echo
from .phrases import languages
from .utterances import Spoken

MOST_CUES = 4  # at the beginning of one sentence: "Wait, no, wrong: actually …"
LEAST = 4  # words of a statement that is named to be revoked: fewer name nothing
LOOKS_AT = 8_000  # characters of a prompt
SHARED = 2  # telling words that two sentences about the same thing have in common

_GAP = r"[\s,.!:;…—–-]*"
_QUOTES = " \t\"'`“”„‚‘’«»"


def _rx(pattern: str) -> re.Pattern[str]:
    """A pattern in which `<name>` stands for the words of that name, of all languages."""

    def words(name: re.Match[str]) -> str:
        told = [one["corrects"].get(name[1], ()) for one in languages() if "corrects" in one]
        listed = [word for each in told for word in ([each] if isinstance(each, str) else each)]
        return "(?:" + "|".join(listed).replace("~", r"\s") + ")"

    return re.compile(re.sub(r"(?<!P)<(\w+)>", words, pattern), re.IGNORECASE)


_FILLER = _rx(rf"^(?:<filler>\b{_GAP})+(?=\S)")
_DENIES = _rx(rf"^<denies>{_GAP}<please>?[.!]*")
_TAKES_BACK = _rx(rf"^<takes_back>\b{_GAP}")
_CHANGES = _rx(r"^(?:<from_now_on>|<changes>)\b[\s,:—–-]*")
_IS_CHANGE = _rx(r"\b(?:<from_now_on>|<is_change>)\b")
_REVOKES_BEFORE = _rx(
    r"^(?:(?:(?:<following>\s)?<over>|<revoked>)\s*(?::|\s[–—-]+\s)|<revokes>\b)[\s,]*"
)
_REVOKES_AFTER = _rx(r"[\s,;:—–-]+(?:<it>\s)?<over>[\s.!]*$")
CHANGES_AT_END = _rx(r"[\s,;—–-]*\b(?:<from_now_on>|<changes_at_end>)[\s.!,;]*$")
"""Another thing holds now, or courtesies, at the end of a sentence."""

SETS = _rx(r"^<sets>\s+(?=\S)")
"""Puts a value in the place of another without saying of what: "make it 14"."""

DOUBTS = _rx(r"\?\s*$|\b<doubts>\b|^<supposes>\b|<mocks>|🙄|🙃|😏")
"""A question, a guess, a case that is only supposed, or the very opposite of what is meant."""

BUT = _rx(r"\b<but>\b")  # what follows is granted
POINTS = _rx(r"^<points>\b")  # begins with what only the sentence before it names

_FRAME = re.compile(
    r"^(?:from (?:now|today) on|remember(?: that)?|always|ab (?:jetzt|sofort)|von nun an|merke dir"
    r"|immer|a partir de ahora|recuerda(?: que)?|siempre)\b[\s,:—–-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cue:
    """The cues of one sentence."""

    spoken: Spoken
    kinds: frozenset[str]  # denies, withdraws, changes, sets
    rest: str  # what is said beside them


def cue_of(one: Spoken) -> Cue | None:
    """How a sentence begins to correct; None where it does not."""
    text, said = one.sentence.text, one.utterance
    masked = masked_quotes(text)
    if one.sentence.kind not in ("text", "item") or DOUBTS.search(masked):
        return None
    kinds: set[str] = set()
    ways = {"withdraws": _TAKES_BACK}
    if said.is_person:
        ways |= {"denies": _DENIES, "changes": _CHANGES}
    at = 0
    for _ in range(MOST_CUES):
        at += filler_before(masked[at:])
        begun = {kind: found for kind, way in ways.items() if (found := way.match(masked[at:]))}
        if not begun:
            break
        kind, found = next(iter(begun.items()))
        kinds.add(kind)
        at += found.end()
    rest = text[at:].strip()
    if said.is_person:
        is_first_after_refusal = said.after_refusal and said.place == 0
        if _IS_CHANGE.search(masked) or leaves(masked) or is_first_after_refusal:
            kinds.add("changes")
        if SETS.match(rest) or _is_only_a_value(one):
            kinds.add("sets")
    return Cue(one, frozenset(kinds), rest) if kinds else None


def denies(prompt: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = next(iter(sentences(without_echo(prompt[:LOOKS_AT]))), None)
    masked = masked_quotes(first.text) if first else ""
    return _DENIES.match(masked[filler_before(masked) :]) is not None


def filler_before(masked: str) -> int:
    """Where what stands before a cue and means nothing ends."""
    found = _FILLER.match(masked)
    return found.end() if found else 0


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
    bare = CHANGES_AT_END.sub("", text)
    return bool(affirmed_in(bare).tokens or denied_in(bare).tokens)


def revoked_in(text: str) -> str:
    """The statement that a sentence says to hold no longer; "" where it says no such thing.

    A question, a guess and what is only supposed revoke nothing.
    """
    masked = masked_quotes(text)
    start = filler_before(masked)
    if before := _REVOKES_BEFORE.match(masked[start:]):
        lead, rest = text[: start + before.end()], text[start + before.end() :]
    elif after := _REVOKES_AFTER.search(masked):
        lead, rest = text[after.start() :], text[start : after.start()]
    else:
        return ""
    rest = rest.strip(_QUOTES)
    is_doubted = DOUBTS.search(lead) or text.rstrip(_QUOTES).endswith("?")
    return "" if is_doubted or len(rest.split()) < LEAST else rest


def is_of_the_same(text: str, statement: str) -> bool:
    """Whether a sentence that follows a statement speaks of what that spoke of."""
    said, other = content_of(text), content_of(statement)
    return len((said.telling | said.marks) & (other.telling | other.marks)) >= SHARED


def is_revoked(statement: str, memory: str) -> bool:
    """Whether a memory's text is the statement that is said to hold no longer."""
    return says_the_same(_FRAME.sub("", statement), _FRAME.sub("", memory))
