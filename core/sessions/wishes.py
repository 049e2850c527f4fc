"""What the user asks to be kept: remembered, followed from now on, or put off.

This needs no score. The words of each language are data (`core/language`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..answers import Capture
from ..ingest.conflicts import MOMENTARY
from ..ingest.kinds import memory_type
from ..judgement.signs import signs_of
from ..language.phrases import Phrases, phrases
from ..text.sentences import Sentence, masked_quotes, sentences
from ..text.times import dated, due_date, holds_until
from .echo import without_echo
from .shape import (
    FROM_NOW_ON,
    INTENTION,
    MAX_JOINED,
    REMEMBER,
    Rule,
    capture,
    finished,
    named,
    standing,
    steps_in,
    without_filler,
)
from .turns import Session, Turn
from .utterances import is_others, printed_blocks

PRIORITIES: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (priority, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for priority, words in (
        (1, r"no (?:rush|hurry)|not urgent|whenever (?:you|we|there)|lowest priority|p4"),
        (5, r"urgent(?:ly)?|asap|critical|blocker|blocking|immediately|top priority|p0"),
        (2, r"some ?day|one day|eventually|at some point|low priority|nice to have|p3"),
        (4, r"important|high priority|soon|p1"),
    )
)
"""Priority 1 (least) to 5 by a person's words; the first row that fits, else 3."""

_FOLLOW_UP = re.compile(r"\bfollow[\s-]?up\b", re.IGNORECASE)
_COMMITMENT = re.compile(
    r"^(?:(?:later|tomorrow|next \w+|(?:after|once|when) [^,]{2,60}),? )?(?:i|we)"
    r"(?:'ll| will| promised)\b",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(
    r"(?:by|on|before|until|in|at|next|tomorrow|tonight|the end|end|\d)\b", re.IGNORECASE
)
_FIRST = 60  # characters in which an occasion begins a sentence


@dataclass(frozen=True, slots=True)
class Intention:
    """A put-off task."""

    text: str
    due: datetime | None
    details: Mapping[str, Any]  # the fields of the prospective table


def planned_in(text: str, masked: str, item: Phrases, said_at: datetime | None) -> Intention | None:
    """What a sentence puts off in the words of one language, None where it puts off nothing."""
    if match := item.label.match(masked):
        return intention(text[slice(*match.span("said"))], said_at)
    if match := item.reminder.match(masked):
        return intention(text[slice(*match.span("said"))], said_at, "reminder", whole=text)
    if item.chat.search(masked) or len(text.split()) < 4:
        return None
    if item.put_off.match(masked):
        return intention(text, said_at)
    english = item.in_english(masked)
    starts = due_date(english[:_FIRST], said_at) or item.occasion.match(masked)
    is_first = item.occasion.match(masked) or _DAY_FIRST.match(english)  # and not the subject
    if not item.we_must.match(masked) and not (starts and is_first and item.must.search(masked)):
        return None
    occasion = (
        item.occasion.search(masked) or item.event.search(masked) or item.trigger.search(masked)
    )
    return intention(text, said_at) if occasion or due_date(english, said_at) else None


def intention(
    text: str, said_at: datetime | None, kind: str = "todo", *, whole: str = ""
) -> Intention:
    """What `text` puts off, said at `said_at` in a sentence that may say how urgent it is.

    It waits for a day that is named (time), else for a place in the work ("when you touch
    billing.py", context), else for something to happen ("once the release is out", event).
    """
    english, urgency = phrases()[0], whole or text
    if match := english.reminder.match(text):
        kind, text = "reminder", text[slice(*match.span("said"))]
    elif kind == "todo" and _FOLLOW_UP.search(text):
        kind = "followup"
    elif kind == "todo" and _COMMITMENT.match(text):
        kind = "commitment"
    due = due_date(text, said_at)
    report = dated(text, due)
    for other in phrases()[1:] if due is None else ():
        if due := due_date(other.in_english(text), said_at):
            report = f"{text.rstrip(' .!')} ({due:%Y-%m-%d})"
            break
    position, event = english.trigger.search(text), english.event.search(text)
    occasion = (position or event or [""])[0] if due is None else f"by {due:%Y-%m-%d}"
    details = {
        "intention_type": kind,
        "trigger_type": "time" if due else "event" if event and not position else "context",
        "trigger_condition": occasion.rstrip(" .!"),
        "priority": next((urgent for urgent, words in PRIORITIES if words.search(urgency)), 3),
        "status": "pending",
    }
    return Intention(report, due, details)


MAX_OF_A_PROMPT = 12  # a pasted rule book must not fill the inbox

_ORDERS = frozenset(("orders",))
_RULES = _ORDERS | {"modal", "universal"}
_FOR_NOW = frozenset(("orders", "requests"))
_WHAT_FOLLOWS = " \u00b7 \u00b7 \u00b7"  # stands for words that are yet to come
_PROGRAMS_NOTE = re.compile(r"note(?:\[\w+\])?:\s")
"""How pip, rustc and others begin a remark, too; theirs where a line beside it is a program's."""
_QUOTED_LINE = re.compile(r"^(?:[ \t]*(?:>|&gt;)| {4}(?! *[-*\d])|\t(?! *[-*\d])).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a sentence asks to keep."""

    said: str  # "" where it only announces what follows: "Remember:"
    rule: Rule
    is_open: bool = False  # behind a colon: what follows on its line is meant, too
    is_whole: bool = False  # the sentence that asks is itself what to keep


def explicit_in(turn: Turn, message: str, session: Session) -> list[Capture]:
    """The captures of one prompt, or of the words with which a call was refused, in order.

    "Remember: A. B." keeps both, up to a question or an order; "Remember:" keeps the list below.
    """
    captures: list[Capture] = []
    listed = sentences(_QUOTED_LINE.sub("", without_echo(message)))
    printed = printed_blocks(listed)
    lead: tuple[Sentence, Rule] | None = None
    past = 0
    for at, sentence in enumerate(listed):
        if lead and sentence.kind != "item" and sentence.block != lead[0].block:
            lead = None  # it stands neither in the list nor on the lines that were announced
        text = without_filler(sentence.text)
        if at < past or sentence.is_question or sentence.kind == "heading" or is_others(text):
            continue
        begun = printed.get(sentence.block, at)
        if at > begun or (at < begun and _PROGRAMS_NOTE.match(sentence.text)):
            continue
        before = listed[at - 1].text if at else ""
        for phrase in phrases():
            if planned := _planned(text, phrase, turn, sentence.index, session):
                captures += planned
                break
            request = _Asked(text, lead[1], is_open=True) if lead else _asked(text, phrase)
            if request is None:
                continue
            if not request.said:
                lead = sentence, request.rule
                break
            whole = request.said
            if request.is_open:
                rest = list(_rest(listed, at, whole, is_listed=lead is not None))
                whole = " ".join((finished(whole), *rest)) if rest else whole
                past = at + 1 + len(rest)
            captures += _kept(whole, request, before, sentence.index, turn, session)
            break
    return captures[:MAX_OF_A_PROMPT]


def expiring(made: Capture, turn: Turn) -> Capture:
    """`made` with the end of the time to which its own words limit it, told behind them."""
    limit = holds_until(made.content, turn.at)
    if limit is None or made.type == "prospective":
        return made
    words, end = limit
    day = f"{end:%Y-%m-%d}"
    content = made.content if day in words else f"{made.content.rstrip(' .')} (until {day})."
    return replace(made, content=content, expires=end)


def _planned(text: str, item: Phrases, turn: Turn, index: int, session: Session) -> list[Capture]:
    """What a sentence puts off in one language's words."""
    planned = planned_in(text, masked_quotes(text), item, turn.at)
    whole = standing(planned.text, "") if planned else ""
    if planned is None or not whole:
        return []
    details = planned.details
    made = capture(INTENTION, whole, turn, index, session, details=details, is_person=True)
    return [replace(made, due=planned.due)]


def _asked(text: str, item: Phrases) -> _Asked | None:
    """What a sentence asks to keep in one language's words; None where it asks for nothing."""
    masked = masked_quotes(text)
    is_lead = masked.endswith((":", "："))
    whole = masked + _WHAT_FOLLOWS if is_lead else masked
    if match := next((f for p in item.remember if (f := p.match(whole))), None):
        start, end = match.span("said")
        if is_lead:
            return _Asked("", REMEMBER) if start > len(masked) else None
        is_open = text[:start].rstrip().endswith((":", "："))
        return _Asked(without_filler(text[start:end]), REMEMBER, is_open, is_whole=start == 0)
    match = item.from_now_on.search(masked) or _ruling(item.in_future.search(masked), masked)
    if match is None or text.endswith(("...", "…")):
        return None
    opened = masked[match.end() :].lstrip()[:1] in (":", "：") and match.start() == 0
    if is_lead:
        return _Asked("", FROM_NOW_ON) if opened and match.end() + 2 > len(masked) else None
    return _Asked(text, FROM_NOW_ON, opened)


def _ruling(matches: re.Match[str] | None, masked: str) -> re.Match[str] | None:
    """`matches`, "in future" and the like, where the sentence lays something down.

    Of eight real sentences with these words two did: others told what might be wanted one day.
    """
    signs = signs_of(masked)
    is_rule = matches and (matches.start() == 0 or signs & _RULES) and "hedges" not in signs
    return matches if is_rule and len(masked) <= MAX_JOINED else None


def _rest(listed: Sequence[Sentence], at: int, details: str, *, is_listed: bool) -> Iterator[str]:
    """The sentences that follow on the line of the one at `at` and belong to it."""
    length = len(details)
    for item in listed[at + 1 :]:
        length += len(item.text) + 1
        if item.line != listed[at].line or item.is_question or length > MAX_JOINED:
            return
        if is_others(item.text) or (not is_listed and _FOR_NOW & signs_of(item.text)):
            return
        yield finished(item.text)


def _kept(
    text: str, request: _Asked, before: str, index: int, turn: Turn, session: Session
) -> Iterator[Capture]:
    if request.is_whole and _ORDERS & signs_of(before):
        text = f"{finished(without_filler(before))} {text}"  # that is meant, too
    if whole := standing(text, before):
        rule = request.rule
        if rule is REMEMBER or not _RULES & signs_of(text):  # a fact is no preference
            holds = memory_type(whole) == "semantic" and not steps_in(whole)  # else its words tell
            category = named(text, is_person=True).category
            if category in MOMENTARY:  # what is to be kept tells of no moment
                category = rule.category
            rule = replace(rule, category=category, type="semantic" if holds else None)
        yield expiring(capture(rule, whole, turn, index, session, is_person=True), turn)
