"""What a model proposed of a session, held against the session: what stands in no turn is dropped.

Nothing is believed. Each quote must stand in the turn it names, in the words of somebody who may
say so; each number and name of the memory must stand in its quotes; files must exist. What fails
is dropped with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2s
from typing import Any, NamedTuple

from ..answers import Capture, Salience
from ..judgement.salience import Utterance, salience
from ..language.corrections import denies
from ..text.times import ISO_DAY, due_date
from ..values import CATEGORIES
from .condensed import Said
from .echo import without_echo
from .shape import Rule, capture, relative
from .transcript import list_of, mapping_of, text_of
from .turns import Session

MOST_A_SESSION = 12
"""Memories a session may give; a colleague who notes more notes everything."""

LONGEST = 300
"""Characters of a memory."""

LEAST_QUOTED = 8
"""Letters and digits that the quotes of a memory hold together; a wide one counts twice."""

MOST_LOOKED_AT = 60
"""Proposals of an answer; one that offers more is noise."""


class Kind(NamedTuple):
    """What a model may call a memory, and what that makes of it."""

    category: str
    type: str
    nature: str
    importance: float  # 0-1
    needs_person: bool = False  # only a person can lay this down


KINDS: Mapping[str, Kind] = {
    "rule": Kind("decision", "semantic", "principle", 0.8, needs_person=True),
    "preference": Kind("preference", "semantic", "principle", 0.75, needs_person=True),
    "decision": Kind("decision", "semantic", "fact", 0.7),
    "fact": Kind("discovery", "semantic", "domain_knowledge", 0.6),
    "cause": Kind("discovery", "semantic", "fact", 0.65),
    "fix": Kind("error", "semantic", "fact", 0.65),
    "trap": Kind("warning", "semantic", "fact", 0.65),
    "procedure": Kind("pattern", "procedural", "pattern", 0.65),
    "intention": Kind("decision", "prospective", "fact", 0.65, needs_person=True),
}

REASONS: Mapping[str, str] = {
    "form": "it has no text",
    "too long": f"it has more than {LONGEST} characters",
    "kind": "it is of no kind that was asked for",
    "only of this session": "it says itself that it holds for this session only",
    "no quote": "it quotes nothing",
    "quote": "a quote of it does not stand in the turn that it names",
    "speaker": "nobody who may say so is quoted for it",
    "number": "a number in it stands in none of its quotes",
    "name": "a name, path or flag in it stands in none of its quotes",
    "file": "a file of it is not in the project",
    "repeated": "the same answer says it before",
    "too many": f"a session gives {MOST_A_SESSION} memories at most",
}
"""Why a proposal is dropped, in words; the gates of the store have their own reasons."""

_FANCY = str.maketrans("“”„«»‘’‚–—−\u00a0", '"""""\'\'\'--- ')
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_TICKED = re.compile(r"`([^`\n]{1,120})`")
_NAMED = re.compile(
    r"(?<![\w/.-])(?:"
    r"--?[A-Za-z][\w-]*"  # a flag
    r"|[~./]*[\w-]+(?:/[\w.*@-]+)+/?"  # a path
    r"|[\w-]+(?:\.[A-Za-z]\w*)+"  # a file, a dotted name
    r"|[A-Za-z]\w*_\w+"  # snake_case
    r"|[A-Za-z][a-z]+[A-Z]\w*"  # camelCase
    r"|[A-Z]{2,}\d*[a-z]\w*"  # SQLite
    r")(?![\w/])"
)
_EVERYDAY = frozenset(("and/or", "yes/no", "n/a", "i/o", "e.g", "i.e"))
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that stand in a turn."""

    said: Said
    words: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A proposal whose quotes hold."""

    capture: Capture
    quotes: tuple[Quote, ...]
    replaces: str  # the id that it names, "" for none

    @property
    def lines(self) -> tuple[int, ...]:
        """Where its quotes stand in the file."""
        return tuple(dict.fromkeys(quote.said.turn.line for quote in self.quotes))


@dataclass(frozen=True, slots=True)
class Dropped:
    """A proposal that failed."""

    text: str  # as proposed, cut; not redacted
    reason: str  # one of REASONS, or a gate of the store


@dataclass(frozen=True, slots=True)
class Checked:
    """What of an answer holds."""

    verified: tuple[Verified, ...]
    dropped: tuple[Dropped, ...]
    retract: tuple[str, ...]  # ids of known memories that no longer hold


def check(
    answer: Mapping[str, Any],
    message: Sequence[Said],
    session: Session,
    *,
    known: Sequence[str] = (),
    exists: Callable[[str], bool] | None = None,
    room: int = MOST_A_SESSION,
) -> Checked:
    """What of a model's answer holds against the turns that it was shown.

    `known` are the ids it was shown, `exists` says whether a path below the project's root is
    there (None: there is no folder to look in), `room` how many memories the session may still
    give.
    """
    against = _Grounds(message, session, known, exists)
    verified: list[Verified] = []
    dropped: list[Dropped] = []
    for proposal in list_of(answer.get("memories"))[:MOST_LOOKED_AT]:
        values = mapping_of(proposal)
        text = _words(values.get("text"))
        matches = _verified(values, text, against)
        if isinstance(matches, Verified):
            if any(_says_the_same(text, item.capture.content) for item in verified):
                matches = "repeated"
            elif len(verified) >= room:
                matches = "too many"
            else:
                verified.append(matches)
                continue
        dropped.append(Dropped(text[:LONGEST], matches))
    gone = map(_words, list_of(answer.get("retract")))
    retract = tuple(dict.fromkeys(item for item in gone if item in known))
    return Checked(tuple(verified), tuple(dropped), retract)


class _Grounds(NamedTuple):
    """What a proposal is held against; see `check`."""

    said: Sequence[Said]
    place: Session
    known: Sequence[str]
    exists: Callable[[str], bool] | None


def _verified(values: Mapping[str, Any], text: str, against: _Grounds) -> Verified | str:
    """The proposal as a capture, or why it is dropped."""
    if not text:
        return "form"
    if len(text) > LONGEST:
        return "too long"
    name = _words(values.get("kind")).lower()
    if name not in KINDS:
        return "kind"
    if _words(values.get("scope")).lower() in ("session", "task"):
        return "only of this session"
    quotes = _quotes(values.get("evidence"), {quote.n: quote for quote in against.said})
    if isinstance(quotes, str):
        return quotes
    carrying = [quote for quote in quotes if quote.said.who == "person"]
    if not carrying and not KINDS[name].needs_person:
        carrying = [quote for quote in quotes if quote.said.who == "agent"]
    if not carrying:
        return "speaker"
    quoted = " ".join(flat(quote.words) for quote in quotes)
    due = _due(values.get("due"), carrying)
    if not numbers_in(text, due) <= numbers_in(quoted):
        return "number"
    if not all(stands_in(quoted, quote) for quote in names_in(text)):
        return "name"
    listed = filter(None, map(_words, list_of(values.get("files"))[:8]))
    paths = tuple(dict.fromkeys(relative(quote, against.place.root) for quote in listed))
    if against.exists is not None and not all(map(against.exists, paths)):
        return "file"
    category = _words(values.get("category"))
    if category not in CATEGORIES or category in ("file_change", "task_progress"):
        category = KINDS[name].category
    made = replace(_capture(text, name, category, carrying, paths, against), due=due)
    replaces = _words(values.get("replaces"))
    return Verified(made, quotes, replaces if replaces in against.known else "")


def _quotes(values: Any, turns: Mapping[int, Said]) -> tuple[Quote, ...] | str:
    """The quotes, each as its turn has it; why not, when one of them stands nowhere."""
    quotes: list[Quote] = []
    for item in list_of(values)[:10]:
        named = mapping_of(item)
        number, words = named.get("turn"), _words(named.get("quote"))
        text = turns.get(number) if isinstance(number, int) else None
        if not words or text is None or flat(words) not in flat(text.text):
            return "quote"
        quotes.append(Quote(text, words))
    letters = (c for quote in quotes for c in quote.words if c.isalnum())
    if sum(2 if ord(c) > 0x2E7F else 1 for c in letters) < LEAST_QUOTED:
        return "no quote"
    return tuple(quotes)


def _capture(
    text: str,
    name: str,
    category: str,
    carrying: Sequence[Quote],
    paths: Sequence[str],
    against: _Grounds,
) -> Capture:
    kind, first = KINDS[name], carrying[0].said
    is_person = first.who == "person"
    sure = is_person or any(_is_accepted(item.said, against.said) for item in carrying)
    made = capture(
        Rule(name, category, kind.type, kind.importance, 0.9, kind.nature),
        text,
        first.turn,
        f"m{blake2s(text.lower().encode('utf-8', 'replace'), digest_size=5).hexdigest()}",
        against.place,
        files=paths,
        kind=kind.type,
        is_person=is_person,
    )
    judged = _judged(carrying, is_person=is_person, is_established=sure)
    return replace(made, rule=f"model.{name}", salience=judged)


def _judged(carrying: Sequence[Quote], *, is_person: bool, is_established: bool) -> Salience:
    """The fitted score of the words quoted; whether they establish it, their speaker decides."""
    words = carrying[0].words
    judged = salience(Utterance(words, is_person, of=1, turn_length=len(carrying[0].said.text)))
    reasons = tuple(
        (f"{_WHO[item.said.who]}, line {item.said.turn.line}: “{_cut(item.words)}”", 0.0)
        for item in carrying[:3]
    )
    return replace(
        judged,
        score=round(judged.score, 3),
        worth_a_look=round(judged.worth_a_look, 3),
        worth_keeping=round(judged.worth_keeping, 3),
        is_candidate=True,
        is_established=is_established,
        reasons=reasons,
    )


_WHO = {"person": "the person", "agent": "the agent"}


def _is_accepted(claim: Said, text: Sequence[Said]) -> bool:
    """Whether the person went on after an agent's claim and did not deny it."""
    later = [item for item in text if item.n > claim.n and item.who == "person"]
    return bool(later) and not denies(without_echo(later[0].text))


def _due(values: Any, carrying: Sequence[Quote]) -> datetime | None:
    """The day that is named, where the quoted words name the same."""
    day = ISO_DAY.search(_words(values))
    if day is None:
        return None
    for item in carrying:
        matches = due_date(item.words, item.said.turn.at)
        if matches is not None and matches.date().isoformat() == day[1]:
            return matches
    return None


def numbers_in(text: str, due: datetime | None = None) -> set[str]:
    """The numbers in a text, without what parts their thousands; a due day needs no witness."""
    plain = text.replace(due.date().isoformat(), " ") if due is not None else text
    return {matches[0].replace(",", "") for matches in _NUMBER.finditer(plain)}


def names_in(text: str) -> set[str]:
    """What a text names as one names things in code: commands, paths, flags, identifiers."""
    ticked = {matches[1].strip() for matches in _TICKED.finditer(text)} - {""}
    return ticked | {matches[0].rstrip(".") for matches in _NAMED.finditer(_TICKED.sub(" ", text))}


def stands_in(quoted: str, name: str) -> bool:
    """Whether a name is among quoted words; "client/server" may be two of them."""
    words = flat(name)
    pair = words.split("/")
    is_plain = len(pair) == 2 and all(part.isalpha() for part in pair)
    return words in quoted or words in _EVERYDAY or (is_plain and all(p in quoted for p in pair))


def flat(text: str) -> str:
    """`text` as it is compared: one kind of quotation marks and spaces, no case, no emphasis."""
    plain = text.translate(_FANCY).replace("`", "").replace("**", "").lower()
    return _words(plain)


def _says_the_same(first: str, other: str) -> bool:
    """Whether two proposals have the same words, small ones and their order aside.

    What is reworded more freely meets the store's own gate for duplicates.
    """
    words, others = (
        {word for word in _WORD.findall(flat(each)) if len(word) > 3 or not word.isalpha()}
        for each in (first, other)
    )
    return words == others


def _words(value: Any) -> str:
    return " ".join(text_of(value).split())


def _cut(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:119]}…"
