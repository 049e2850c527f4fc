"""Find explicit wishes of the user: to remember, to follow from now on, to do later.

They need no score. The words of each language are data (`core/language`).
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
from ..judgement.salience import signs_of
from ..language.phrases import (
    BEGINS,
    PARTED,
    Phrases,
    before_bare,
    is_reported,
    phrases,
    prefaced,
    says,
    withdraws,
)
from ..recall.selection import UNTRUSTED
from ..text.sentences import Sentence, masked_quotes, sentences
from ..text.times import dated, due_date, holds_until
from ..text.words import has_words
from .echo import without_echo
from .shape import (
    FROM_NOW_ON,
    INTENTION,
    MAX_JOINED,
    REMEMBER,
    Rule,
    capture,
    finished,
    is_order,
    named,
    points,
    standing,
    steps_in,
    without_filler,
)
from .turns import Session, Turn
from .utterances import (
    LONG,
    borrowed_in,
    is_others,
    is_printed,
    printed_blocks,
    without_quotations,
)

PRIORITIES: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (priority, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for priority, words in (
        (1, r"no (?:rush|hurry)|not urgent|whenever (?:you|we|there)|lowest priority|p4"),
        (5, r"urgent(?:ly)?|asap|critical|blocker|blocking|immediately|top priority|p0"),
        (2, r"some ?day|one day|eventually|at some point|low priority|nice to have|p3"),
        (4, r"important|high priority|soon|p1"),
    )
)
"""Priority 1 (least) to 5 by the user's words; the first row that fits, else 3."""

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
    text: str
    due: datetime | None
    details: Mapping[str, Any]  # the fields of the prospective table


def planned_in(text: str, masked: str, item: Phrases, said_at: datetime | None) -> Intention | None:
    """Return the task that a sentence puts off, by the words of one language; None without one."""
    if item.from_now_on.search(masked):
        return None
    if match := item.label.match(masked):
        return intention(text[slice(*match.span("said"))], said_at)
    if match := item.reminder.match(masked):
        return intention(text[slice(*match.span("said"))], said_at, "reminder", whole=text)
    if item.chat.search(masked) or not has_words(text, 4):
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
    """Return the task of `text`, said at `said_at`, with the urgency that its sentence gives.

    It waits for a named day (time), else for a place in the work ("when you touch billing.py",
    context), else for an event ("once the release is out", event).
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


MAX_OF_A_PROMPT = {False: 60, True: 12}
"""Captures of one prompt in the user's own words (False), and in words of uncertain origin."""

MOST_ANNOUNCING = 12  # words of a line that announces a list
MOST_OF_A_PREFACE = 40  # characters

BORROWED = "quoted"
"""Prefix of the rule of a capture of uncertain origin, which waits for the user."""

EVERYWHERE = "everywhere"
"""The tag of wishes for all projects: memdeck suggests that, and never does it."""

_ORDERS = frozenset(("orders",))
_RULES = _ORDERS | {"modal", "universal"}
_FOR_NOW = frozenset(("orders", "requests"))
_SHORT_CODE = re.compile(
    r"^(?P<lead>\S{1,40}\s.{0,400}[^\s.!?`])[ \t]*\n(?P<fence>`{3,}|~{3,})\w*\n"
    r"(?P<code>(?:[^`\n]{1,200}\n){1,3})(?P=fence)[ \t]*$",
    re.MULTILINE,
)
"""A few lines of code that end the sentence above them."""
_SHORTCUT = re.compile(
    r"\s*[/#!@](?:remember|memori[sz]e|memory|note)\b[:：,]?\s+(?=\S+\s\S)", re.I
)
"""Typed as a command of some program: "/remember the build needs JDK 21". """
_PROGRAMS_NOTE = re.compile(r"note(?:\[\w+\])?:\s")
"""A remark of pip, rustc and others, if a line beside it is a program's."""


@dataclass(frozen=True, slots=True)
class _Wish:
    said: str  # "" if it only announces the next text, or points at the one before
    rule: Rule
    is_open: bool = False  # behind a colon: it includes the rest of its line
    is_back: bool = False  # it means the text before
    is_whole: bool = False  # it means the sentence itself
    is_everywhere: bool = False
    is_borrowed: bool = False


def explicit_in(turn: Turn, message: str, session: Session) -> list[Capture]:
    """Return the captures of one prompt, or of the reason of a refused call, in order.

    "Remember: A. B." keeps both, up to a question or an order; "Remember:" keeps the list below.
    A wish that cannot be kept, or that the prompt withdraws, is a capture with its reason.
    """
    text = without_quotations(_SHORT_CODE.sub(_inline, without_echo(message)))
    if shortcut := _SHORTCUT.match(text):
        text = f"remember: {text[shortcut.end() :]}"
    listed = sentences(text, is_typed=True)
    borrowed = borrowed_in(message, text, listed)
    printed = printed_blocks(listed)
    captures = list[Capture]()
    lead: tuple[Sentence, _Wish] | None = None
    last = 0  # where the captures of the last wish begin
    past = 0

    def keep(words: str, wish: _Wish, before: str, index: int) -> None:
        made = _capture_of(words, wish, before, index, turn, session)
        captures.append(made if not wish.is_borrowed else of_others(made))

    for at, sentence in enumerate(listed):
        if lead and _ends_list(sentence, lead[0], is_first=len(captures) == last):
            if len(captures) == last:
                keep(lead[0].text, replace(lead[1], is_back=True), "", lead[0].index)
            lead = None
        words = without_filler(sentence.text)
        if at < past or sentence.kind in ("heading", "cell") or is_printed(words):
            continue
        begun = printed.get(sentence.block, at)
        if at > begun or (at < begun and _PROGRAMS_NOTE.match(sentence.text)):
            continue
        if withdraws(words):
            captures[last:] = [replace(item, filtered=TAKEN_BACK) for item in captures[last:]]
            continue
        before = listed[at - 1].text if at else ""
        # a line above a list announces it whether it ends with a colon or not
        below = listed[at + 1] if at + 1 < len(listed) else sentence
        is_above = below.kind == "item" and sentence.kind == "text" and sentence.line != below.line
        is_above = is_above or (below.line == sentence.line and is_others(below.text))
        is_announcing = is_above and len(words.split()) <= MOST_ANNOUNCING
        announced = f"{words.rstrip(' .:：。')}:" if is_announcing else words
        is_paste = borrowed[at] and len(message) > LONG
        for phrase in phrases():
            if not (sentence.is_question or is_others(words)) and (
                planned := _planned(words, phrase, turn, sentence.index, session)
            ):
                captures += map(of_others, planned) if borrowed[at] and not lead else planned
                break
            order, _, text = words.partition(": ")
            if text and not lead and phrase.material.match(order):  # it is to be worked on
                if wish := _wish_in(without_filler(text), phrase, sentence):
                    keep(wish.said, wish, "", sentence.index)
                    captures[-1] = replace(captures[-1], filtered=MATERIAL)
                break
            wish = lead[1] if lead else _wish_in(announced, phrase, sentence, is_paste)
            if wish is None:
                continue
            if lead is None:
                wish = replace(wish, is_borrowed=wish.is_borrowed or borrowed[at])
                last = len(captures)
            earlier = _before(listed, at, past) if wish.is_back else ""
            is_after = below is not sentence and not is_order(without_filler(below.text))
            if wish.is_back and not earlier and is_after:
                lead = sentence, replace(wish, is_back=False)  # it points at the next text
            elif wish.is_back:
                keep(earlier or words, replace(wish, is_back=not earlier), "", sentence.index)
            elif lead is None and not wish.said:
                lead = sentence, wish
            else:
                whole = words if lead else wish.said
                if lead or wish.is_open:
                    rest = list(_rest(listed, at, whole, is_listed=lead is not None))
                    whole = " ".join((finished(whole), *rest)) if rest else whole
                    past = at + 1 + len(rest)
                keep(whole, wish, before, sentence.index)
            past = max(past, at + 1)
            break
        else:
            behind = without_filler(words.partition(": ")[2])
            if not (lead or is_paste or sentence.is_question or is_others(words)) and any(
                prefaced(masked_quotes(announced), phrase) or phrase.wish.match(behind)
                for phrase in phrases()
            ):
                keep(words, _Wish(words, REMEMBER), "", sentence.index)  # a candidate weighs more
                captures[-1] = replace(captures[-1], filtered=UNSURE, importance=0.5)
    if lead and len(captures) == last:
        keep(lead[0].text, replace(lead[1], is_back=True), "", lead[0].index)
    return _limited(captures)


ALONE = "It cannot be understood without what came before."
NAMES_NOTHING = "It names nothing to remember in its own prompt."
UNSURE = "It may ask to remember something: the words in front leave that open."
TAKEN_BACK = "The same prompt takes it back."
TAKEN_BACK_NEXT = "The next prompt takes it back."
MATERIAL = "It stands in a text that the agent was to work on."


def _limited(captures: list[Capture]) -> list[Capture]:
    """Return at most so many of a prompt; the first one beyond gives their number."""
    limited, counts = list[Capture](), {True: 0, False: 0}
    for item in captures:
        is_borrowed = item.rule.startswith(BORROWED)
        counts[is_borrowed] += 1
        over = counts[is_borrowed] - MAX_OF_A_PROMPT[is_borrowed]
        if over == 1:
            item = replace(item, filtered="This prompt holds more of them than memdeck keeps.")
        if over <= 1:
            limited.append(item)
    return limited


def of_others(made: Capture) -> Capture:
    """Return the capture as a candidate at most, since its author is unknown."""
    tags = tuple(tag for tag in made.tags if tag != "instruction")
    rule = f"{BORROWED}.{made.rule.partition('.')[2]}"
    salience = made.salience and replace(made.salience, is_established=False)
    importance = min(made.importance, 0.5)
    return replace(
        made, rule=rule, tags=(*tags, UNTRUSTED), importance=importance, salience=salience
    )


def _ends_list(sentence: Sentence, lead: Sentence, *, is_first: bool) -> bool:
    """Return True if a sentence is neither in the list nor on the announced lines."""
    if sentence.kind == "item":
        return False
    words = without_filler(sentence.text)
    is_request = "requests" in signs_of(sentence.text) or _thanks(words)
    is_order_for_now = is_order(words) and not (is_first and sentence.block == lead.block)
    most = lead.block + is_first  # the first of them may be below an empty line
    return sentence.block > most or is_request or is_order_for_now


def _inline(match: re.Match[str]) -> str:
    lines = match["code"].strip("\n").split("\n")
    return f"{match['lead']} " + ", ".join(f"`{line.strip()}`" for line in lines)


def _thanks(words: str) -> bool:
    return any(phrase.thanks.match(words.rstrip(" .!")) for phrase in phrases())


def expiring(made: Capture, turn: Turn) -> Capture:
    """Return `made` with the end of the time that its own words set, dated behind them."""
    texts = [made.content, *(phrase.in_english(made.content) for phrase in phrases())]
    limit = next(filter(None, (holds_until(text, turn.at) for text in texts)), None)
    if limit is None or made.type == "prospective":
        return made
    words, end = limit
    day = f"{end:%Y-%m-%d}"
    content = made.content if day in words else f"{made.content.rstrip(' .')} (until {day})."
    return replace(made, content=content, expires=end)


def _planned(text: str, item: Phrases, turn: Turn, index: int, session: Session) -> list[Capture]:
    """Return the captures of a task that a sentence puts off, by one language's words."""
    planned = planned_in(text, masked_quotes(text), item, turn.at)
    whole = standing(planned.text, "") if planned else ""
    if planned is None or not whole:
        return []
    details = planned.details
    made = capture(INTENTION, whole, turn, index, session, details=details, is_person=True)
    return [replace(made, due=planned.due)]


def _wish_in(text: str, item: Phrases, sentence: Sentence, is_paste: bool = False) -> _Wish | None:
    """Return the wish of a sentence by one language's words; None without one."""
    masked, is_question = masked_quotes(text), sentence.is_question
    wide = item.everywhere.search(masked) is not None
    match = item.wish.match(masked)
    has_words = match is not None and re.search(r"\w", match["said"]) is not None
    is_itself = match and has_words and (match["colon"] or sentence.index == 0)
    bare = None if is_paste else before_bare(masked, item)
    is_back = item.this.match(masked) or (bare is not None and BEGINS.fullmatch(bare))
    if is_back and not is_itself and not masked.endswith((":", "：")):
        return _Wish("", REMEMBER, is_back=True, is_everywhere=wide)
    if match and (match["said"].strip() or match["colon"]) and (match["ask"] or not is_question):
        content = text[match.start("said") :].strip(" ?？" if is_question else " ")
        return _Wish(without_filler(content), REMEMBER, bool(match["colon"]), is_everywhere=wide)
    if is_question:
        match = item.from_now_on.search(masked)
        is_asked = match and "requests" in signs_of(text)
        return _Wish(text, FROM_NOW_ON, is_everywhere=wide) if is_asked else None
    if not is_paste and (behind := prefaced(masked, item)) and behind[1]:
        content, is_open = text[behind[0].start("said") :], not behind[0]["that"]
        return _Wish(content, REMEMBER, is_open, is_everywhere=wide)
    if match := item.rules.match(masked):
        content = text[match.start("said") :]
        return _Wish(without_filler(content), REMEMBER, is_open=True, is_everywhere=wide)
    match = item.important.match(masked)
    if match and ("universal" in signs_of(match["said"]) or says("governs", match["said"])):
        return _Wish(text[match.start("said") :], REMEMBER, is_everywhere=wide)
    if match := item.behind.match(masked) or PARTED.match(bare or ""):
        content = text[slice(*match.span("said"))]
        if item.preface.match(content) and len(content) <= MOST_OF_A_PREFACE:
            return _Wish("", REMEMBER, is_back=True, is_everywhere=wide)
        return _Wish(content, REMEMBER, is_whole=True, is_everywhere=wide)
    match = item.from_now_on.search(masked)
    if match is None and (match := item.in_future.search(masked)):
        # of eight real sentences with these words two set a rule; others named possible wishes
        signs = signs_of(masked)
        is_rule = (match.start() == 0 or signs & _RULES) and "hedges" not in signs
        match = match if is_rule and len(masked) <= MAX_JOINED else None
    if match is None or text.endswith(("...", "…")):
        return None
    opened = masked[match.end() :].lstrip()[:1] in (":", "：") and match.start() == 0
    rest = masked[match.end() :].strip(" ,.:：")
    is_lead = not rest or (masked.endswith((":", "：")) and len(rest.split()) <= 2)
    if is_lead and not masked[: match.start()].strip():
        return _Wish("", FROM_NOW_ON, is_everywhere=wide)  # the next text is the rule
    if masked.endswith((":", "：")):
        return None
    is_borrowed = is_reported(masked[: match.start()], item)
    return _Wish(text, FROM_NOW_ON, opened, is_everywhere=wide, is_borrowed=is_borrowed)


def _rest(listed: Sequence[Sentence], at: int, details: str, *, is_listed: bool) -> Iterator[str]:
    """Yield the sentences that follow on the line of the one at `at` and belong to it."""
    length = len(details)
    for item in listed[at + 1 :]:
        length += len(item.text) + 1
        if item.line != listed[at].line or item.is_question or length > MAX_JOINED:
            return
        if is_others(item.text) or _thanks(item.text) or withdraws(without_filler(item.text)):
            return
        if not is_listed and _FOR_NOW & signs_of(item.text):
            return
        yield finished(item.text)


def _before(listed: Sequence[Sentence], at: int, past: int) -> str:
    """Return the target of "remember this": sentences before it on its line, else that before."""
    near = listed[past:at]
    line = listed[at].line
    while near and near[-1].line != line and line > listed[at].line - 2:
        line -= 1
    latest_first = list[str]()
    for item in reversed(near):
        words = without_filler(item.text)
        is_for_now = item.is_question or "requests" in signs_of(item.text) or is_printed(words)
        if item.line != line or is_for_now or len(" ".join(latest_first)) + len(words) > MAX_JOINED:
            break
        latest_first.append(words)
    *rest, first = latest_first or [""]
    return " ".join((finished(first), *map(finished, reversed(rest)))) if first else ""


def _capture_of(
    text: str, wish: _Wish, before: str, index: int, turn: Turn, session: Session
) -> Capture:
    """Return the capture of a wish, with the reason if it cannot be kept."""
    if wish.is_whole and _ORDERS & signs_of(before):
        text = f"{finished(without_filler(before))} {text}"  # that is meant, too
    is_statement = not points(text) and len(text.split()) > 1  # "use pnpm", "port 9443"
    whole = "" if wish.is_back else standing(text, before) or (text if is_statement else "")
    why = "" if whole else NAMES_NOTHING if wish.is_back else ALONE
    rule, text = wish.rule, whole or text
    if rule is REMEMBER or not _RULES & signs_of(text):  # a fact is no preference
        holds = memory_type(text) == "semantic" and not steps_in(text)  # else its words decide
        category = named(text, is_person=True).category
        if category in MOMENTARY:  # a wish is not about a moment
            category = rule.category
        rule = replace(rule, category=category, type="semantic" if holds else None)
    tags = (*rule.tags, EVERYWHERE) if wish.is_everywhere else rule.tags
    made = capture(replace(rule, tags=tags), text, turn, index, session, is_person=True)
    return replace(expiring(made, turn), filtered=why)
