"""What a person says in so many words is to be kept: remembered, held to from now on, put off.

This needs no judgement. The words of each language are data (`core/language`), what they weigh
stands here once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...answers import Capture
from ...judgement.signs import signs_of
from ...language.phrases import Phrases, phrases
from ...text.sentences import Sentence, masked_quotes, sentences
from ...text.times import holds_until
from ..kinds import memory_type
from .echo import without_echo
from .intentions import planned_in
from .labels import named
from .rules import FROM_NOW_ON, INTENTION, REMEMBER, Rule
from .shape import capture, steps_in
from .turns import Session, Turn
from .utterances import is_others, printed_blocks
from .wording import MAX_JOINED, finished, standing, without_filler

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


def explicit_in(turn: Turn, said: str, session: Session) -> list[Capture]:
    """The captures of one prompt, or of the words with which a call was refused, in order.

    "Remember: A. B." keeps both, up to a question or an order; "Remember:" keeps the list below.
    """
    found: list[Capture] = []
    listed = sentences(_QUOTED_LINE.sub("", without_echo(said)))
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
        for one in phrases():
            if planned := _planned(text, one, turn, sentence.index, session):
                found += planned
                break
            asked = _Asked(text, lead[1], is_open=True) if lead else _asked(text, one)
            if asked is None:
                continue
            if not asked.said:
                lead = sentence, asked.rule
                break
            whole = asked.said
            if asked.is_open:
                rest = list(_rest(listed, at, whole, is_listed=lead is not None))
                whole = " ".join((finished(whole), *rest)) if rest else whole
                past = at + 1 + len(rest)
            found += _kept(whole, asked, before, sentence.index, turn, session)
            break
    return found[:MAX_OF_A_PROMPT]


def expiring(made: Capture, turn: Turn) -> Capture:
    """`made` with the end of the time to which its own words limit it, told behind them."""
    limit = holds_until(made.content, turn.at)
    if limit is None or made.type == "prospective":
        return made
    words, end = limit
    day = f"{end:%Y-%m-%d}"
    told = made.content if day in words else f"{made.content.rstrip(' .')} (until {day})."
    return replace(made, content=told, expires=end)


def _planned(text: str, one: Phrases, turn: Turn, index: int, session: Session) -> list[Capture]:
    """What a sentence puts off in one language's words."""
    planned = planned_in(text, masked_quotes(text), one, turn.at)
    whole = standing(planned.text, "") if planned else ""
    if planned is None or not whole:
        return []
    told = planned.details
    made = capture(INTENTION, whole, turn, index, session, details=told, is_person=True)
    return [replace(made, due=planned.due)]


def _asked(text: str, one: Phrases) -> _Asked | None:
    """What a sentence asks to keep in one language's words; None where it asks for nothing."""
    masked = masked_quotes(text)
    is_lead = masked.endswith((":", "："))
    whole = masked + _WHAT_FOLLOWS if is_lead else masked
    if found := next((f for p in one.remember if (f := p.match(whole))), None):
        start, end = found.span("said")
        if is_lead:
            return _Asked("", REMEMBER) if start > len(masked) else None
        is_open = text[:start].rstrip().endswith((":", "："))
        return _Asked(without_filler(text[start:end]), REMEMBER, is_open, is_whole=start == 0)
    found = one.from_now_on.search(masked) or _ruling(one.in_future.search(masked), masked)
    if found is None or text.endswith(("...", "…")):
        return None
    opened = masked[found.end() :].lstrip()[:1] in (":", "：") and found.start() == 0
    if is_lead:
        return _Asked("", FROM_NOW_ON) if opened and found.end() + 2 > len(masked) else None
    return _Asked(text, FROM_NOW_ON, opened)


def _ruling(found: re.Match[str] | None, masked: str) -> re.Match[str] | None:
    """`found`, "in future" and the like, where the sentence lays something down.

    Of eight real sentences with these words two did: others told what might be wanted one day.
    """
    signs = signs_of(masked)
    is_rule = found and (found.start() == 0 or signs & _RULES) and "hedges" not in signs
    return found if is_rule and len(masked) <= MAX_JOINED else None


def _rest(listed: Sequence[Sentence], at: int, told: str, *, is_listed: bool) -> Iterator[str]:
    """The sentences that follow on the line of the one at `at` and belong to it."""
    length = len(told)
    for one in listed[at + 1 :]:
        length += len(one.text) + 1
        if one.line != listed[at].line or one.is_question or length > MAX_JOINED:
            return
        if is_others(one.text) or (not is_listed and _FOR_NOW & signs_of(one.text)):
            return
        yield finished(one.text)


def _kept(
    said: str, asked: _Asked, before: str, index: int, turn: Turn, session: Session
) -> Iterator[Capture]:
    if asked.is_whole and _ORDERS & signs_of(before):
        said = f"{finished(without_filler(before))} {said}"  # that is meant, too
    if whole := standing(said, before):
        rule = asked.rule
        if rule is REMEMBER or not _RULES & signs_of(said):  # a fact is no preference
            holds = memory_type(whole) == "semantic" and not steps_in(whole)  # else its words tell
            rule = replace(
                rule,
                category=named(said, is_person=True).category,
                type="semantic" if holds else None,
            )
        yield expiring(capture(rule, whole, turn, index, session, is_person=True), turn)
