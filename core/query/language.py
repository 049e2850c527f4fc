"""Parse the query language, the same in the app and on the command line.

    retry budget "exact words" -draft type:semantic -tag:old importance:>=7 created:<2w

Words are alternatives, best match first. Phrases must match. `-` excludes a word, but options of
programs (`-f`, `--no-verify`) are text. Several values of one
key are alternatives, different keys must all match. `parse` never raises: invalid parts become
hints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from ...db.index import has_token
from ...db.memories import Condition, Request
from .. import values
from ..text.times import WEEKDAYS
from ..text.times import moment as named_moment

STATES = tuple(  # values of `is:`
    "conflict pinned stale expiring retired candidate live verify told untold offered me".split()
)

SORTS = ("created", "updated", "importance", "title", "used", "relevance")
REVERSIBLE = ("created", "updated", "importance", "title", "used")
"""Values of `sort:`. A leading `-` reverses the order, except for relevance."""

QUERY_OPERATORS = (">=", "<=", ">", "<", "=")


class Key(NamedTuple):
    """One key: the kind of its values, and its help."""

    kind: str  # choice, text, importance, time, age, moment or sort
    help: str
    choices: tuple[str, ...] = ()


KEYS: Mapping[str, Key] = {
    "type": Key("choice", "kind of memory", values.TYPES),
    "status": Key("choice", "how far it got", values.STATUSES),
    "category": Key("choice", "what it is about", values.CATEGORIES),
    "scope": Key("choice", "where it holds", values.SCOPES),
    "tier": Key("choice", "cold is injected only on a clear match", values.TIERS),
    "is": Key("choice", "a state it is in", STATES),
    "tag": Key("text", "has this tag"),
    "file": Key("text", "names a file with this in its path"),
    "session": Key("text", "learned in this session"),
    "agent": Key("text", "learned by this agent"),
    "source": Key("text", "taken from an agent's memory or rules, as in claude or agents-rules"),
    "project": Key("text", "belongs to this project, * is all of them"),
    "importance": Key("importance", "1 to 10, as in >=7, <3 or =5"),
    "created": Key("age", "age or day, as in <7d, today or 2026-01-31"),
    "updated": Key("age", "last change, as in <7d or 2026-01-31"),
    "before": Key("time", "made before this day or age, as in 2026-01-31 or 7d"),
    "after": Key("time", "made on this day, within this age, or later"),
    "at": Key("moment", "as it was then, as in monday, 7d, 2026-01-31 or #42 (an entry)"),
    "sort": Key("sort", "order, and a leading - reverses it", SORTS),
}
"""Every key, in the order of help and completion."""

_AGE = r"([0-9]{1,6})([hdw])"
_HOURS = {"h": 1, "d": 24, "w": 168}
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}[0-9:.+Z-]*"

Window = tuple[datetime | None, datetime | None]
"""A range of time: from (included) to (not included). None is open."""


class Broken(Exception):
    """An invalid value, and the nearest valid one."""

    def __init__(self, message: str, nearest: str | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest


def accept(key: str, text: str) -> tuple[str, str]:
    """Return (operator, value) of `key:text`, normalised. Raises Broken."""
    about, low, operator = KEYS[key], text.lower(), ""
    if not text:
        raise Broken(f"{key}: needs a value ({about.help}).")
    if about.kind in ("choice", "sort"):
        name = low.removeprefix("-") if key == "sort" else low
        if name not in about.choices and not (key == "type" and _is_brought(low)):
            raise Broken(f"{key}: knows no “{low}”.", nearest(name, about.choices, 50.0))
        if name != low and name not in REVERSIBLE:
            raise Broken(f"sort:{name} cannot be turned around.", name)
        return "=", low
    if about.kind == "text":
        return "=", text
    if about.kind == "moment":
        try:
            when_of(text, datetime.now(UTC))
        except ValueError as error:
            raise Broken(f"at: {error}", "monday") from None
        return "=", low
    if about.kind != "time":
        text = text.replace("≥", ">=", 1).replace("≤", "<=", 1)
        operator = next((sign for sign in QUERY_OPERATORS if text.startswith(sign)), "")
        text = text[len(operator) :]
    if about.kind == "importance":
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise Broken("importance: takes a whole number from 1 to 10, as in >=7.", ">=7")
        if not 1 <= int(text) <= 10:
            valid = min(max(int(text), 1), 10)
            raise Broken("importance: goes from 1 to 10.", f"{operator}{valid}")
        return operator or "=", str(int(text))
    if re.fullmatch(_AGE, text.lower()) or text.lower() in _NAMED_DAYS:
        return operator or "=", text.lower()
    with suppress(ValueError, OverflowError):  # no such day
        if re.fullmatch(f"{_DAY}|{_MOMENT}", text.upper()):
            _stretch(text.upper(), datetime(2000, 1, 1, tzinfo=UTC))
            return operator or "=", text.upper()
    kinds = "an age such as 7d, 2w or 3h, or a day such as today, monday or 2026-01-31"
    raise Broken(f"{key}: takes {kinds}.", "<7d" if about.kind == "age" else "7d")


def _is_brought(kind: str) -> bool:
    """Return True if another package brings this type of memory."""
    from ..extensions import names  # slower, only for foreign ones

    return kind in names("type")


def nearest(text: str, choices: Sequence[str], least: float = 60.0) -> str | None:
    """Return the choice that begins with `text`, else the most similar, or None.

    Similarity is 0 to 100, at least `least`.
    """
    if len(text) > 1:
        for choice in choices:
            if choice.startswith(text):
                return choice
    from rapidfuzz import fuzz, process  # only a broken query pays for it

    best = process.extractOne(text[:40], choices, scorer=fuzz.ratio, score_cutoff=least)
    return str(best[0]) if best else None


def when_of(text: str, now: datetime) -> datetime | int:
    """Return the time of `at:`, or the number of an entry. Raises ValueError."""
    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return named_moment(text, now=now)


def _stretch(text: str, now: datetime) -> tuple[datetime, datetime]:
    """Return the start and end of a day or a minute; of an age, the same moment twice."""
    zone = now.tzinfo or UTC
    if age := re.fullmatch(_AGE, text):
        back = timedelta(hours=int(age[1]) * _HOURS[age[2]])
        floor = datetime(1, 1, 2, tzinfo=zone)
        moment = now - back if now - floor > back else floor
        return moment, moment
    if text in _NAMED_DAYS:  # kept as a name, so that a saved view moves with the days
        text = f"{named_moment(text, now=now).astimezone():%Y-%m-%d}"
    if re.fullmatch(_DAY, text):
        day = datetime.fromisoformat(text)
        return day.astimezone(), (day + timedelta(days=1)).astimezone()
    moment = datetime.fromisoformat(text).astimezone()  # without a zone it is local
    return moment, moment + timedelta(minutes=1)


_NAMED_DAYS = ("today", "yesterday", *WEEKDAYS)
"""Days in words; a weekday is the last one, today's included."""

MAX_TERMS = 64  # maximum number of words, phrases, exclusions and filters, each

# Patterns are compiled when a query needs them: a command without one does not wait for them.
_TOKEN = r"""(?xs) (?P<minus>-?)
        (?: (?P<key>[^\W\d_][\w-]*):(?!//|[:\\]) )?
        (?: "(?P<quoted>(?:[^"\\]|\\.)*)(?P<end>"?) | (?P<bare>\S*) )"""
_FLAG = (
    r"-.*|[!-~]{1,2}|\S*=.*|\d.*|[A-Za-z]\d.*|D\w+\..*|W(?:all|extra|error|no-.*)|Xm[nsx]\d.*"
    r"|[xc]v?z?v?f|avz|vvv|aux|la[hrt]+|race|jar"
)
"""Behind a minus: an option of a program, which is plain text."""
_PROGRAM = (
    r"(?i)\b(?:git|docker|podman|tar|rsync|grep|rg|find|ls|ps|rm|cp|mv|du|df|ssh|scp|curl|wget|chmod|chown|kubectl"
    r"|helm|npm|pnpm|yarn|bun|pip|uv|cargo|go|make|gcc|java|node|python3?|psql|mysql|redis-cli|sed|awk|xargs|sort)\b"
)
_CLUSTER = r"(?i)[b-df-hj-np-tv-z]{3,4}"
"""Behind a minus and a program's name: its options, as in `git clean -fdx`."""
_ESCAPED = r'\\(["\\])'
_NEEDS_QUOTES = r'\s|^[":\\]|^//|^$'


class Hint(NamedTuple):
    """An ignored or changed part of a query."""

    start: int  # where in the text it begins
    end: int  # and ends
    message: str
    nearest: str | None = None  # the probable correction
    is_left_out: bool = True  # whether the query means more for it


class Filter(NamedTuple):
    """One valid `key:value`."""

    key: str  # one of KEYS, except sort
    value: str  # in its one spelling
    negated: bool = False
    op: str = "="  # one of >= <= > < =

    def __str__(self) -> str:
        operator = "" if self.op == "=" else self.op
        if self.key == "importance" and self.op == "=":
            operator = "="
        return f"{'-' if self.negated else ''}{self.key}:{operator}{_quoted(self.value)}"

    def window(self, now: datetime) -> Window:
        """Return the range of a filter by time at `now`.

        An age counts back from `now`: `created:<7d` is the last seven days, `created:>7d` all
        before. A day begins at midnight where the user is. `after:` a day includes it, `before:`
        does not.
        """
        since, until = _stretch(self.value, now)
        operator = self.op
        if re.fullmatch(_AGE, self.value):  # a smaller age is a later time
            operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}[operator]
            until = since
        if self.key == "before" or operator == "<":
            return None, since
        if self.key == "after" or operator == ">=":
            return since, None
        if operator == ">":
            return until, None
        return (None if operator == "<=" else since), until


@dataclass(eq=False, repr=False)
class Query:
    """A parsed query. Two are equal if they mean the same."""

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()  # words, or phrases, that must not be there
    filters: tuple[Filter, ...] = ()
    sort: str | None = None
    hints: tuple[Hint, ...] = ()
    text: str = ""  # as it was typed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Query) and self._meant == other._meant

    def __hash__(self) -> int:
        return hash(self._meant)

    @property
    def _meant(self) -> tuple[object, ...]:
        return (self.words, self.phrases, self.excluded, self.filters, self.sort)

    def __str__(self) -> str:
        """Return the normalised text, which parses to an equal query."""
        parts = [*self.words, *(f'"{_escaped(phrase)}"' for phrase in self.phrases)]
        parts += (f"-{_excluded(text)}" for text in self.excluded)
        parts += map(str, self.filters)
        if self.sort:
            parts.append(f"sort:{self.sort}")
        return " ".join(parts)

    @property
    def at(self) -> str | None:
        """Return the value of `at:`, as written."""
        return next((item.value for item in reversed(self.of("at"))), None)

    @property
    def is_empty(self) -> bool:
        """Return True if it matches everything."""
        return not (self.words or self.phrases or self.excluded or self.filters)

    def of(self, key: str) -> tuple[Filter, ...]:
        return tuple(item for item in self.filters if item.key == key)

    def has(self, key: str, value: str) -> bool:
        """Return True if `key:value` applies; of `sort`, if it is the order."""
        wanted = _understood(key, value)
        return wanted == self.sort or wanted in self.filters

    def with_filter(self, key: str, value: str) -> Query:
        """Return the query with this filter at its end, without its opposite.

        `sort` replaces the order. Raises ValueError for an invalid key or value.
        """
        wanted = _understood(key, value)
        if isinstance(wanted, str):
            return parse(str(replace(self, sort=wanted)))
        opposite = wanted._replace(negated=True)
        others = (item for item in self.filters if item not in (wanted, opposite))
        return parse(str(replace(self, filters=(*others, wanted))))


class _Token(NamedTuple):
    """One run of a query's text, and its meaning."""

    start: int
    end: int
    part: str = ""  # the field of a query that it belongs to; "" if it is ignored
    value: Any = ""
    hint: Hint | None = None


def parse(text: str) -> Query:
    """Return the parsed query. Never raises. Ignored parts are in `hints`."""
    parts: dict[str, dict[Any, None]] = {
        name: {} for name in ("words", "phrases", "excluded", "filters")
    }
    sort: str | None = None
    hints = []
    for match in re.finditer(_TOKEN, text):
        token = _token(match)
        if token.hint:
            hints.append(token.hint)
        if token.part == "sort":
            sort = token.value
        elif token.part and token.value:
            part = parts[token.part]
            if token.value not in part and len(part) >= MAX_TERMS:
                message = f"Only the first {MAX_TERMS} are used."
                hints.append(Hint(token.start, token.end, message))
            else:
                part[token.value] = None
    listed = {name: tuple(part) for name, part in parts.items()}
    return Query(**listed, sort=sort, hints=tuple(hints), text=text)


def _token(match: re.Match[str]) -> _Token:
    """Return the meaning of one run of text."""
    raw, minus, (start, end) = match[0], bool(match["minus"]), match.span()
    is_quoted, key = match["quoted"] is not None, match["key"]
    value = (
        " ".join(re.sub(_ESCAPED, r"\1", match["quoted"]).split()) if is_quoted else match["bare"]
    )
    plain = "phrases" if is_quoted else "words"
    if key is None:
        if minus and not is_quoted and _is_option(value, match.string[:start]):
            value, minus = raw, False
        token = _Token(start, end, "excluded" if minus else plain, value)
    elif key.lower() in KEYS:
        token = _keyed(start, end, key.lower(), value, minus)
    elif not value:  # TypeError: and the like
        token = _Token(start, end, "excluded" if minus else "words", key)
    elif near := nearest(key.lower(), list(KEYS)):  # a slip
        better = f"{'-' if minus else ''}{near}:{_quoted(value)}"
        hint = Hint(start, end, f"No key is called “{key}”.", better)
        token = _Token(start, end, hint=hint)
    else:
        message = f"No key is called “{key}”. It is searched as text."
        hint = Hint(start, end, message, is_left_out=False)
        words = value if is_quoted else raw.removeprefix("-")
        token = _Token(start, end, "excluded" if minus else plain, words, hint)
    if is_quoted and not match["end"] and not token.hint:
        message = "This quotation has no end."
        hint = Hint(start, end, message, f'{raw}"', is_left_out=False)
        return token._replace(hint=hint)
    return token


def _is_option(text: str, before: str) -> bool:
    """Return True if `text` behind a minus is an option of a program."""
    is_cluster = re.fullmatch(_CLUSTER, text) and re.search(_PROGRAM, before)
    return bool(re.fullmatch(_FLAG, text) or is_cluster)


def _keyed(start: int, end: int, key: str, value: str, minus: bool) -> _Token:
    """Return the meaning of `key:value` with a known key."""
    try:
        operator, value = accept(key, value)
        if key == "sort" and minus:
            raise Broken("An order cannot be excluded.", f"-{value}".removeprefix("--"))
        if key == "at" and minus:
            raise Broken("A time cannot be excluded.", value)
    except Broken as broken:
        sign = "-" if minus and key != "sort" else ""
        text = None if broken.nearest is None else f"{sign}{key}:{broken.nearest}"
        return _Token(start, end, hint=Hint(start, end, str(broken), text))
    if key == "sort":
        return _Token(start, end, "sort", value)
    return _Token(start, end, "filters", Filter(key, value, minus, operator))


def _understood(key: str, value: str) -> Filter | str:
    """Return the filter of a program; of `sort`, the value. Raises ValueError."""
    try:
        operator, spelling = accept(key, " ".join(value.split()))
    except (Broken, KeyError) as error:
        raise ValueError(f"{key}:{value} is no filter") from error
    return spelling if key == "sort" else Filter(key, spelling, False, operator)


def _quoted(value: str) -> str:
    """Return `value` after a colon, in quotes if needed."""
    return f'"{_escaped(value)}"' if re.search(_NEEDS_QUOTES, value) else value


def _excluded(text: str) -> str:
    """Return `text` after a minus, in quotes if it looks like a key or an option."""
    is_plain = not (":" in text or re.search(_NEEDS_QUOTES, text) or re.fullmatch(_FLAG, text))
    return text if is_plain else f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


EVERY_PROJECT = "*"  # value of `project:` for all projects
RELEVANCE = ("relevance",)  # orders of the index, not of a column


def asked_of(
    query: Query,
    *,
    words: Sequence[str],
    project: str,
    projects: Mapping[str, str],
    now: datetime,
    prefix_last: bool = False,
) -> Request:
    """Return the request for the store. `projects` maps names and ids of projects to ids.

    `project:*` searches every project. `words` are those for the index: the query's own, or the
    rest of a question.
    """
    position: str | None = project
    retired: bool | None = False
    groups: dict[tuple[str, bool], list[Condition]] = {}
    bounds: list[tuple[Condition, ...]] = []
    texts = (*words, *query.phrases)
    if texts and not any(map(has_token, texts)):  # an emoji, a percent sign
        bounds.append(tuple(Condition("text", text.lower()) for text in texts))
    signs = [text for text in query.excluded if not has_token(text)]
    bounds += ((Condition("text", text.lower(), "=", True),) for text in signs)
    for item in query.filters:
        if item.key == "project" and item.value == EVERY_PROJECT:
            position = project if item.negated else None
        elif item.key == "project" and not item.negated:
            position = projects.get(item.value, f"unknown-{item.value}")
        elif item.key == "project":
            bounds.append((Condition("project", projects.get(item.value, ""), "=", True),))
        elif item.key == "is" and item.value in ("retired", "live"):
            retired = (item.value == "retired") != item.negated
        elif item.key == "at":  # says of which store it is asked
            continue
        elif KEYS[item.key].kind in ("time", "age", "importance"):
            bounds += _bounds(item, now)
        else:
            condition = Condition(item.key, item.value, "=", item.negated)
            if item.negated:
                bounds.append((condition,))
            else:
                groups.setdefault((item.key, item.negated), []).append(condition)
    return Request(
        project=position,
        words=tuple(words),
        phrases=query.phrases,
        excluded=query.excluded,
        conditions=(*(tuple(group) for group in groups.values()), *bounds),
        prefix_last=prefix_last,
        retired=retired,
        now=values.to_ms(now) or 0,
    )


def project_asked(text: str) -> str | None:
    """Return the project that a query names; None without one."""
    named = [item.value for item in parse(text).of("project") if not item.negated]
    return named[-1] if named else None


def _bounds(item: Filter, now: datetime) -> list[tuple[Condition, ...]]:
    """Return the comparisons of a filter by importance or time."""
    if item.key == "importance":
        middle = values.importance_from_10(int(item.value))
        low, high = middle - values.HALF_STEP, middle + values.HALF_STEP
        comparisons = {
            ">=": [(">=", low)],
            ">": [(">=", high)],
            "<": [("<", low)],
            "<=": [("<", high)],
            "=": [(">=", low), ("<", high)],
        }[item.op]
        field = "importance"
    else:
        since, until = item.window(now)
        comparisons = [(">=", float(values.to_ms(since) or 0))] if since else []
        comparisons += [("<", float(values.to_ms(until) or 0))] if until else []
        field = "updated" if item.key == "updated" else "created"
    if item.negated and len(comparisons) == 2:
        (_, low), (_, high) = comparisons
        return [(Condition(field, low, "<"), Condition(field, high, ">="))]
    return [(Condition(field, value, op, item.negated),) for op, value in comparisons]
