"""One call about a whole session: the prompt of a model, and the valid part of its answer.

The session is some thirty times smaller than its file: pastes, turns that are incognito or
private, the turns of subagents and the output of tools are left out. No proposal is believed. Each
quote must occur in its turn, in the words of an allowed speaker; each number and name of the
memory must occur in its quotes. Other proposals are dropped with a reason, and so are files that
do not exist.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2s
from itertools import groupby
from operator import itemgetter
from string import Template
from typing import Any, NamedTuple

from ..answers import Capture
from ..judgement.salience import Utterance, salience
from ..language.phrases import denies
from ..sessions.echo import is_trace, markers, without_echo
from ..sessions.shape import Rule, capture, relative
from ..sessions.transcript import list_of, mapping_of, text_of
from ..sessions.turns import Session, Turn, clip
from ..sessions.utterances import own_of, words_in_result
from ..text.sameness import content_of
from ..text.sentences import sentences
from ..text.times import ISO_DAY, due_date
from ..values import CATEGORIES
from .client import estimated_tokens, schema_of

MOST_A_SESSION = 12  # memories that a session may give
LONGEST = 300  # characters of a memory
LEAST_QUOTED = 8  # letters and digits in all quotes of a memory; a wide one counts twice

ANSWER_TOKENS = 1_500  # the expected length of an answer
MAX_PROPOSALS = 60  # of an answer that are checked

MAX_LENGTHS: Mapping[str, int] = {"person": 4_000, "agent": 3_000, "error": 300, "call": 200}
"""Characters of one turn, by speaker."""

MAX_SESSION = 160_000
"""Characters of a condensed session, some 40,000 tokens; the median has 24,000."""

_ARGUMENTS = (
    *("command", "file_path", "path", "notebook_path", "pattern", "query", "url"),
    *("description", "subject", "prompt", "skill", "name"),
)


class Kind(NamedTuple):
    category: str
    type: str
    nature: str
    importance: float  # 0-1
    needs_user: bool = False  # only the user can state this


KINDS: Mapping[str, Kind] = {
    "rule": Kind("decision", "semantic", "principle", 0.8, needs_user=True),
    "preference": Kind("preference", "semantic", "principle", 0.75, needs_user=True),
    "decision": Kind("decision", "semantic", "fact", 0.7),
    "fact": Kind("discovery", "semantic", "domain_knowledge", 0.6),
    "cause": Kind("discovery", "semantic", "fact", 0.65),
    "fix": Kind("error", "semantic", "fact", 0.65),
    "trap": Kind("warning", "semantic", "fact", 0.65),
    "procedure": Kind("pattern", "procedural", "pattern", 0.65),
    "intention": Kind("decision", "prospective", "fact", 0.65, needs_user=True),
}

REASONS: Mapping[str, str] = {
    "form": "it has no text",
    "too long": f"it has more than {LONGEST} characters",
    "kind": "it is of no kind that was asked for",
    "only of this session": "it says itself that it holds for this session only",
    "no quote": "it quotes nothing",
    "quote": "a quote of it does not stand in the turn that it names",
    "speaker": "nobody who may say so is quoted for it",
    "unrelated": "its quotes have none of its words",
    "number": "a number in it is in none of its quotes",
    "name": "a name, path or flag in it is in none of its quotes",
    "file": "a memory names this file, which is not in the project: the reference is left out",
    "repeated": "the same answer says it before",
    "too many": f"a session gives {MOST_A_SESSION} memories at most",
}
"""The reasons to drop a proposal, in words; the checks have their own reasons."""

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


# --- the request

with open(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "extractor.txt"), encoding="utf-8"
) as _file:
    SYSTEM = Template(_file.read().strip()).substitute(
        most=MOST_A_SESSION, longest=LONGEST, kinds=", ".join(KINDS)
    )
"""The instructions for the model."""

_TEXT, _MAYBE = {"type": "string"}, {"type": ["string", "null"]}
_EVIDENCE = schema_of(turn={"type": "integer"}, quote=_TEXT)
_MEMORY = schema_of(
    text=_TEXT,
    kind={**_TEXT, "enum": list(KINDS)},
    category=_TEXT,
    files={"type": "array", "items": _TEXT},
    scope={**_TEXT, "enum": ["project", "session"]},
    due=_MAYBE,
    evidence={"type": "array", "items": _EVIDENCE},
    why_in_a_month=_TEXT,
    replaces=_MAYBE,
)
SCHEMA: Mapping[str, object] = schema_of(
    memories={"type": "array", "items": _MEMORY}, retract={"type": "array", "items": _TEXT}
)
"""The answer's JSON Schema."""


@dataclass(frozen=True, slots=True)
class NumberedTurn:
    n: int  # from 1; its name in an answer
    who: str  # a key of MAX_LENGTHS
    text: str  # redacted
    source: Turn


@dataclass(frozen=True, slots=True)
class Request:
    memories: tuple[tuple[str, str], ...]  # id and text
    turns: tuple[NumberedTurn, ...]

    @property
    def json(self) -> dict[str, Any]:
        """Return its content. Quoted text is in JSON strings, so it cannot pose as the frame."""
        return {
            "system": SYSTEM,
            "known": [{"id": name, "text": text} for name, text in self.memories],
            "turns": [{"n": turn.n, "who": turn.who, "text": turn.text} for turn in self.turns],
        }

    @property
    def text(self) -> str:
        return json.dumps(self.json, ensure_ascii=False, indent=1)

    @property
    def tokens(self) -> int:
        return estimated_tokens(self.text) + ANSWER_TOKENS


def condensed(
    turns: Iterable[Turn], redact: Callable[[str], str], *, since_line: int = 0
) -> tuple[NumberedTurn, ...]:
    """Return the turns after `since_line` that a model may read, numbered.

    A session longer than MAX_SESSION loses its calls, then the length of its answers, then its
    oldest turns.
    """
    listed = list(turns)
    visible = [
        NumberedTurn(0, who, clip(text, MAX_LENGTHS[who], " … "), turn)
        for turn, marker in zip(listed, markers(listed, ""), strict=True)
        if not marker and not turn.agent_id and turn.line > since_line
        for who, text in (_condensed_turn(turn, redact),)
        if text
    ]
    if _length(visible) > MAX_SESSION:
        visible = [turn for turn in visible if turn.who != "call"]
    if _length(visible) > MAX_SESSION:
        visible = [
            replace(turn, text=clip(turn.text, 600, " … ")) if turn.who == "agent" else turn
            for turn in visible
        ]
    start, length = 0, _length(visible)
    while length > MAX_SESSION:
        length -= len(visible[start].text)
        start += 1
    return tuple(replace(turn, n=n) for n, turn in enumerate(visible[start:], start=1))


def _length(turns: Iterable[NumberedTurn]) -> int:
    return sum(len(turn.text) for turn in turns)


def _condensed_turn(turn: Turn, redact: Callable[[str], str]) -> tuple[str, str]:
    """Return speaker and text; ("", "") if no model needs the turn."""
    if turn.is_prompt and not is_trace(turn.text):
        return "person", _without_pastes(turn.text, redact(without_echo(turn.text)))
    if turn.kind == "assistant":
        return "agent", redact(without_echo(turn.text)).strip()
    if turn.kind == "tool_call":
        values = (turn.tool_input.get(name) for name in _ARGUMENTS)
        text = next((value for value in values if isinstance(value, str) and value.strip()), "")
        # redacted before it is cut to its final length, which could hide a secret
        return "call", _on_one_line(f"{turn.tool}: {redact(without_echo(text[:4_000]))}")
    if turn.kind == "tool_result":
        if message := words_in_result(turn):
            return "person", redact(without_echo(message)).strip()
        if turn.is_error:
            return "error", _on_one_line(redact(turn.text))
    return "", ""


def _without_pastes(prompt: str, text: str) -> str:
    """Return the redacted `text` of a prompt with the length of each paste in its place."""
    listed = sentences(text)
    own = own_of(prompt, text, listed)
    if not any(own):
        return ""
    parts: list[str] = []
    for is_own, run in groupby(zip(listed, own, strict=True), key=itemgetter(1)):
        together = [sentence for sentence, _ in run]
        if not is_own:
            parts.append(f"[pasted: {sum(len(item.text) for item in together):,} characters]")
            continue
        for (_, kind), block in groupby(together, key=lambda item: (item.block, item.kind)):
            line = " ".join(item.text for item in block)
            parts.append(f"- {line}" if kind == "item" else line)
    return "\n".join(parts).strip()


# --- the answer


@dataclass(frozen=True, slots=True)
class Quote:
    turn: NumberedTurn
    words: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A proposal whose quotes hold."""

    capture: Capture
    quotes: tuple[Quote, ...]
    replaces: str  # id of a memory, "" for none
    missing: tuple[str, ...] = ()  # files that it names and that are not there

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(quote.turn.source.line for quote in self.quotes))


@dataclass(frozen=True, slots=True)
class Dropped:
    text: str  # as proposed, cut; not redacted
    reason: str  # a key of REASONS


@dataclass(frozen=True, slots=True)
class Checked:
    """The valid part of an answer."""

    verified: tuple[Verified, ...]
    dropped: tuple[Dropped, ...]
    retract: tuple[str, ...]  # ids of memories that no longer hold


def check(
    answer: Mapping[str, Any],
    request: Request,
    session: Session,
    *,
    exists: Callable[[str], bool] | None = None,
    room: int = MOST_A_SESSION,
) -> Checked:
    """Return the valid part of a model's answer: at most `room` memories.

    `exists` tests a path below the project's root; None without a folder.
    """
    ids = [name for name, _ in request.memories]
    verified: list[Verified] = []
    dropped: list[Dropped] = []
    for proposal in list_of(answer.get("memories"))[:MAX_PROPOSALS]:
        values = mapping_of(proposal)
        text = _on_one_line(values.get("text"))
        result = _verified(values, text, request, session, exists)
        if isinstance(result, Verified):
            if any(_has_same_words(text, item.capture.content) for item in verified):
                result = "repeated"
            elif len(verified) >= room:
                result = "too many"
            else:
                verified.append(result)
                dropped += [Dropped(path[:LONGEST], "file") for path in result.missing]
                continue
        dropped.append(Dropped(text[:LONGEST], result))
    retracted = map(_on_one_line, list_of(answer.get("retract")))
    retract = tuple(dict.fromkeys(name for name in retracted if name in ids))
    return Checked(tuple(verified), tuple(dropped), retract)


def _verified(
    values: Mapping[str, Any],
    text: str,
    request: Request,
    session: Session,
    exists: Callable[[str], bool] | None,
) -> Verified | str:
    """Return the proposal as a capture, or the reason to drop it."""
    name = _on_one_line(values.get("kind")).lower()
    if not text:
        return "form"
    if len(text) > LONGEST:
        return "too long"
    if name not in KINDS:
        return "kind"
    if _on_one_line(values.get("scope")).lower() in ("session", "task"):
        return "only of this session"
    kind = KINDS[name]
    turns = {turn.n: turn for turn in request.turns}
    quotes: list[Quote] = []
    for item in map(mapping_of, list_of(values.get("evidence"))[:10]):
        number, words = item.get("turn"), _on_one_line(item.get("quote"))
        turn = turns.get(number) if isinstance(number, int) else None
        if not words or turn is None or _plain(words) not in _plain(turn.text):
            return "quote"
        quotes.append(Quote(turn, words))
    letters = (c for quote in quotes for c in quote.words if c.isalnum())
    if sum(2 if ord(c) > 0x2E7F else 1 for c in letters) < LEAST_QUOTED:
        return "no quote"
    carrying = [quote for quote in quotes if quote.turn.who == "person"]
    agents = [quote for quote in quotes if quote.turn.who == "agent" and not kind.needs_user]
    # a question of the user beside the agent's answer does not make that the user's
    if _shared(text, agents) > _shared(text, carrying) or not carrying:
        carrying = agents
    if not carrying:
        return "speaker"
    if not _shared(text, quotes):
        return "unrelated"
    quoted = " ".join(_plain(quote.words) for quote in quotes)
    due, day = None, ISO_DAY.search(_on_one_line(values.get("due")))
    for quote in carrying if day else ():  # only if a quote names the same
        moment = due_date(quote.words, quote.turn.source.at)
        if day and moment is not None and moment.date().isoformat() == day[1]:
            due = moment
            break
    # the day on which it is due needs no quote
    undated = text.replace(due.date().isoformat(), " ") if due is not None else text
    if not _numbers_in(undated) <= _numbers_in(quoted):
        return "number"
    names = {match[1].strip() for match in _TICKED.finditer(text)} - {""}
    names |= {match[0].rstrip(".") for match in _NAMED.finditer(_TICKED.sub(" ", text))}
    for words in map(_plain, names):
        pair = words.split("/")  # "client/server" may be two words
        is_pair = len(pair) == 2 and all(p.isalpha() and p in quoted for p in pair)
        if not (words in quoted or words in _EVERYDAY or is_pair):
            return "name"
    listed = filter(None, map(_on_one_line, list_of(values.get("files"))[:8]))
    files = tuple(dict.fromkeys(relative(path, session.root) for path in listed))
    missing = tuple(path for path in files if exists is not None and not exists(path))
    files = tuple(path for path in files if path not in missing)
    category = _on_one_line(values.get("category"))
    if category not in CATEGORIES or category in ("file_change", "task_progress"):
        category = kind.category
    first = carrying[0]
    is_person = first.turn.who == "person"
    draft = capture(
        Rule(name, category, kind.type, kind.importance, 0.9, kind.nature),
        text,
        first.turn.source,
        f"m{blake2s(text.lower().encode('utf-8', 'replace'), digest_size=5).hexdigest()}",
        session,
        files=files,
        kind=kind.type,
        is_person=is_person,
    )
    score = salience(Utterance(first.words, is_person, of=1, turn_length=len(first.turn.text)))
    speakers = {"person": "the user", "agent": "the agent"}
    score = replace(
        score,
        is_captured=True,
        is_established=is_person
        or any(_is_accepted(quote.turn, request.turns) for quote in carrying),
        reasons=tuple(
            (
                f"{speakers[quote.turn.who]}, line {quote.turn.source.line}:"
                f" “{quote.words if len(quote.words) <= 120 else f'{quote.words[:119]}…'}”",
                0.0,
            )
            for quote in carrying[:3]
        ),
    )
    replaces = _on_one_line(values.get("replaces"))
    return Verified(
        replace(draft, due=due, rule=f"model.{name}", salience=score),
        tuple(quotes),
        replaces if replaces in dict(request.memories) else "",
        missing,
    )


def _shared(text: str, quotes: Iterable[Quote]) -> int:
    """Return how many words of a text are in the quotes."""
    words = content_of(" ".join(_plain(quote.words) for quote in quotes)).weights.keys()
    return len(content_of(text).weights.keys() & words)


def _is_accepted(claim: NumberedTurn, turns: Sequence[NumberedTurn]) -> bool:
    """Return True if the user went on after an agent's claim and did not deny it."""
    later = [turn for turn in turns if turn.n > claim.n and turn.who == "person"]
    return bool(later) and not denies(without_echo(later[0].text))


def _numbers_in(text: str) -> set[str]:
    return {match[0].replace(",", "") for match in _NUMBER.finditer(text)}


def _plain(text: str) -> str:
    """Return a text for comparison: one kind of quotation mark, lower case, no emphasis."""
    return _on_one_line(text.translate(_FANCY).replace("`", "").replace("**", "").lower())


def _has_same_words(text: str, other: str) -> bool:
    """Return True if two proposals have the same words, in any order, short ones aside."""
    words, others = (
        {word for word in re.findall(r"\w+", _plain(each)) if len(word) > 3 or not word.isalpha()}
        for each in (text, other)
    )
    return words == others


def _on_one_line(value: Any) -> str:
    return " ".join(text_of(value).split())
