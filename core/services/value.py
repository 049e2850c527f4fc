"""Does it pay? What agents were told, what came of it and what it cost, by week and host (000-56).

From receipts and transcripts alone. *Used*: an agent's answer repeated what its session was told,
as the storage pipeline found it (`core/ingest/pipeline.py`); the same memory in one session counts
once. *Avoided*: `core/services/error_watch.py`. What is not known is None, and said to be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from ...db import value
from ...db.connection import mapped_errors
from ...db.images import headline
from ...frozen import dataclass
from ..clock import to_ms
from ..context import shows
from ..values import at, moment_at

if TYPE_CHECKING:
    from ..context import Context

WEEKS = 8
"""Weeks that are told of unless others are asked for, this one included."""

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """What one host was told in a span of time, and what came of it. All numbers are counts."""

    host: str  # "" for all of them
    week: date | None = None  # its Monday, local time; None for all of them
    prompts: int = 0  # that were told something, starts and files among them
    items: int = 0  # memories told, each as often as it was
    tokens: int = 0
    memories: int = 0  # the same, each once a session
    used: int | None = 0  # of these, repeated in an answer; None: not known
    valued: int | None = 0  # of these, used or called helpful; None: not known
    helpful: int = 0  # items that were marked so
    unhelpful: int = 0
    avoided: int | None = 0  # known errors whose command ran without them; None: not known
    came_again: int | None = 0  # known errors that came again though their lesson was told
    cost_usd: float | None = None  # of the tokens; None: no price is set

    @property
    def share(self) -> float | None:
        """Of the memories told, how many were used or called helpful, 0-1; None: not known."""
        return None if self.valued is None or not self.memories else self.valued / self.memories


@dataclass(frozen=True, slots=True)
class Spent:
    """What models of the person's took in a week, in the whole store."""

    week: date
    what: str  # review, extractor
    calls: int
    tokens: int | None  # None: not noted for reviews
    cost_usd: float  # as hosts reported it, or prices in the settings say


@dataclass(frozen=True, slots=True)
class Avoided:
    """A known error that a session did not meet again."""

    memory: str  # id of the lesson
    title: str
    session: str
    host: str
    at: datetime

    @property
    def words(self) -> str:
        """What happened, as a sentence."""
        return (
            f"{self.host} was told “{self.title}” and did what it says: the command worked, and the"
            " error did not come in that session."
        )


@dataclass(frozen=True, slots=True)
class Day:
    """Tokens told on one day to one host."""

    day: date
    host: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Value:
    """What was told, and what came of it."""

    since: datetime
    kept_since: datetime | None  # the oldest receipt there is; older ones are no longer kept
    known_since: datetime | None  # before it nothing tells what was used; None: always known
    total: Told
    hosts: tuple[Told, ...]  # the one with most tokens first
    weeks: tuple[Told, ...]  # by week and host, the newest first
    days: tuple[Day, ...]  # the oldest first
    spent: tuple[Spent, ...]  # the newest first
    avoided: tuple[Avoided, ...]  # the newest first
    unpriced: tuple[str, ...]  # hosts without a price


@dataclass(frozen=True, slots=True)
class ValueBook:
    """Reads what was told in a project, and what came of it. Writes nothing."""

    _context: Context

    @mapped_errors()
    def value(self, since: datetime | None = None) -> Value:
        """What was told since then, by week and host; without it, in the last eight weeks.

        Weeks begin on Mondays, in local time; the first and the last may be parts of one.
        """
        start = since or _weeks_ago(self._context.now_ms(), WEEKS - 1)
        since_ms = to_ms(start) or 0
        prices = self._context.habits.prices
        story = _Story(self._context, since_ms)
        weeks = [
            story.told(host, week, prices)
            for week, host in sorted(story.spans, key=lambda span: (-span[0].toordinal(), span[1]))
        ]
        hosts = [_sum(host, [one for one in weeks if one.host == host]) for host in story.hosts]
        return Value(
            since=start,
            kept_since=at(value.oldest(*self._context.here)),
            known_since=at(story.known_since),
            total=_sum("", weeks),
            hosts=tuple(sorted(hosts, key=lambda one: (-one.tokens, one.host))),
            weeks=tuple(weeks),
            days=tuple(Day(*span, tokens) for span, tokens in sorted(story.days.items())),
            spent=self._spent(since_ms),
            avoided=tuple(one for one in story.avoided() if shows(self._context, one.memory)),
            unpriced=tuple(host for host in story.hosts if host not in prices),
        )

    def _spent(self, since_ms: int) -> tuple[Spent, ...]:
        database = self._context.database
        found = [
            *((ms, "review", 0, usd) for ms, usd in value.reviews(database, since_ms)),
            *((ms, "extractor", n, usd) for ms, usd, n in value.extractions(database, since_ms)),
        ]
        calls, tokens = Counter[tuple[date, str]](), Counter[tuple[date, str]]()
        dollars: dict[tuple[date, str], float] = defaultdict(float)
        for ms, what, number, usd in found:
            span = (_monday_of(ms), what)
            calls[span] += 1
            tokens[span] += number
            dollars[span] += usd
        newest = sorted(calls, key=lambda span: (-span[0].toordinal(), span[1]))
        return tuple(
            Spent(
                *span, calls[span], tokens[span] if span[1] == "extractor" else None, dollars[span]
            )
            for span in newest
        )


class _Story:
    """Receipts and what came of them, counted by week and host."""

    def __init__(self, context: Context, since: int) -> None:
        database, project = context.here
        self._database = database
        self.known_since = value.known_since(database)
        self.days: Counter[tuple[date, str]] = Counter()
        self._prompts: Counter[tuple[date, str]] = Counter()
        self._tokens: Counter[tuple[date, str]] = Counter()
        self._items: Counter[tuple[date, str]] = Counter()
        self._opinions: Counter[tuple[date, str, int]] = Counter()
        self._span_of: dict[str, tuple[date, str]] = {}  # by receipt
        self._hosts: dict[str, str] = {}  # by session
        sessions: dict[str, str] = {}  # by receipt
        self._unknown: set[tuple[date, str]] = set()
        for receipt, ms, host, session, tokens in value.receipts(database, project, since):
            span = self._span_of[receipt] = (_monday_of(ms), host)
            sessions[receipt] = session or receipt
            self._hosts.setdefault(session or receipt, host)
            self._prompts[span] += 1
            self._tokens[span] += tokens
            self.days[_day_of(ms), host] += tokens
            if self.known_since is not None and ms < self.known_since:
                self._unknown.add(span)
        self._first: dict[tuple[str, str], tuple[date, str]] = {}  # session, memory
        marked: set[tuple[str, str]] = set()
        items = value.items(database, project, since)
        place = {receipt: number for number, receipt in enumerate(self._span_of)}
        for receipt, memory, helpful in sorted(items, key=lambda one: place.get(one[0], -1)):
            span_of = self._span_of.get(receipt)
            if span_of is None:
                continue
            pair = (sessions[receipt], memory)
            self._items[span_of] += 1
            self._first.setdefault(pair, span_of)
            if helpful is not None:
                self._opinions[(*span_of, helpful)] += 1
            if helpful:
                marked.add(pair)
        self._used = {pair for pair in value.uses(database, project, since) if pair in self._first}
        self._valued = self._used | marked
        self._watched = value.watched(database, project, since)

    @property
    def spans(self) -> set[tuple[date, str]]:
        """The weeks and hosts in which anything was told, or came of it."""
        fared = {self._span(row["session"], row["passed_at"] or row["failed_at"] or 0)
                 for row in self._watched}  # fmt: skip
        return set(self._prompts) | fared

    @property
    def hosts(self) -> list[str]:
        return sorted({host for _, host in self.spans})

    def _span(self, session: str, ms: int) -> tuple[date, str]:
        return _monday_of(ms), self._hosts.get(session, "")

    def told(self, host: str, week: date, prices: Mapping[str, float]) -> Told:
        """What one host was told in one week."""
        span = (week, host)
        is_known = span not in self._unknown
        price = prices.get(host)
        passed = {
            (row["session"], row["signature"])
            for row in self._watched
            if _is_avoided(row) and self._span(row["session"], row["passed_at"] or 0) == span
        }
        failed = {
            (row["session"], row["signature"])
            for row in self._watched
            if row["failed_at"] and self._span(row["session"], row["failed_at"]) == span
        }
        return Told(
            host=host,
            week=week,
            prompts=self._prompts[span],
            items=self._items[span],
            tokens=self._tokens[span],
            memories=sum(one == span for one in self._first.values()),
            used=self._in_span(self._used, span) if is_known else None,
            valued=self._in_span(self._valued, span) if is_known else None,
            helpful=self._opinions[(*span, 1)],
            unhelpful=self._opinions[(*span, 0)],
            avoided=len(passed) if is_known else None,
            came_again=len(failed) if is_known else None,
            cost_usd=None if price is None else self._tokens[span] * price / MILLION,
        )

    def _in_span(self, pairs: Iterable[tuple[str, str]], span: tuple[date, str]) -> int:
        return sum(self._first[pair] == span for pair in pairs)

    def avoided(self) -> tuple[Avoided, ...]:
        """Each known error that did not come again, once a session, the newest first."""
        rows = {
            (row["session"], row["signature"]): row for row in self._watched if _is_avoided(row)
        }
        ids = list({row["memory"] for row in rows.values()})
        titles = {
            memory: headline(title, text)
            for memory, title, text in value.titles(self._database, ids)
        }
        found = []
        for row in rows.values():
            moment = moment_at(row["passed_at"] or 0)
            title = titles.get(row["memory"], "a memory that was purged")
            host = self._hosts.get(row["session"], "")
            found.append(Avoided(row["memory"], title, row["session"], host, moment))
        return tuple(sorted(found, key=lambda one: (one.at, one.memory), reverse=True))


def _is_avoided(row: value.WatchedError) -> bool:
    """Whether the command ran without its error, and this never came in the session."""
    return row["passed_at"] is not None and row["failed_at"] is None


def _sum(host: str, parts: Iterable[Told]) -> Told:
    """Several weeks or hosts as one; what is not known of a part is not known of the whole."""
    several = list(parts)

    def total(name: str) -> int | None:
        numbers = [getattr(one, name) for one in several]
        return None if None in numbers else sum(numbers)

    def known(name: str) -> int:
        return total(name) or 0

    costs = [one.cost_usd for one in several if one.tokens]
    is_priced = bool(costs) and None not in costs
    return Told(
        host=host,
        prompts=known("prompts"),
        items=known("items"),
        tokens=known("tokens"),
        memories=known("memories"),
        used=total("used"),
        valued=total("valued"),
        helpful=known("helpful"),
        unhelpful=known("unhelpful"),
        avoided=total("avoided"),
        came_again=total("came_again"),
        cost_usd=sum(cost for cost in costs if cost is not None) if is_priced else None,
    )


def _day_of(ms: int) -> date:
    return moment_at(ms).astimezone().date()


def _monday_of(ms: int) -> date:
    day = _day_of(ms)
    return day - timedelta(days=day.weekday())


def _weeks_ago(now_ms: int, weeks: int) -> datetime:
    """The beginning of the week so many weeks ago, local time, whatever the clocks did since."""
    return datetime.combine(_monday_of(now_ms) - timedelta(weeks=weeks), time()).astimezone()
