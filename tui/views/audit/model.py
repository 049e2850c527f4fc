"""What the journal's filter asks for, and what Audit asks the core, in a lane."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from textual.suggester import Suggester

from ....core.answers import Entry
from ....core.errors import ManagerError
from ....core.text.moments import moment
from ....core.values import ACTORS, ms_of
from ...widgets.before_after import Account, account_of

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator


KEYS = ("action", "actor", "session", "memory", "since", "until")

ACTIONS = (
    *(
        "add",
        "edit",
        "promote",
        "pin",
        "unpin",
        "keep",
        "forget",
        "restore",
        "link",
        "merge",
        "conflict",
    ),
    *("supersede", "resolve", "expire", "evict", "compact", "clear", "session", "finalize"),
    *("accept", "reject", "snooze", "reinforce", "quarantine", "task", "complete", "use"),
    *(
        "checkpoint",
        "fork",
        "incognito",
        "auto",
        "alias",
        "budget",
        "config",
        "import",
        "redact",
        "undo",
        "purge",
    ),
)
"""Words the journal uses for what was done, for completion and for words without a key."""

MOST_WORDS = 64
"""Words without a key that are looked for, as in a query."""

SPANS = ("1h", "today", "7d", "30d")
"""What the time key offers, one after the other."""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """The arguments of an audit query; None means "any"."""

    action: str | None = None
    actor: str | None = None
    session: str | None = None
    memory: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: tuple[str, ...] = ()  # each stands in what the entry says
    hints: tuple[str, ...] = field(default=())

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return replace(self, hints=()) == AuditFilter()


def parse_filter(text: str, now: datetime) -> AuditFilter:
    """The filter that `text` asks for; later tokens win over earlier ones of the same key."""
    values: dict[str, str | datetime] = {}
    hints: list[str] = []
    words: list[str] = []
    for token in text.split():
        key, colon, value = token.partition(":")
        if not colon:
            key, value = _key_of(token), token
        key = key.lower()
        if not colon and not key:
            words.append(token)
            continue
        if key not in KEYS:
            hints.append(_unknown(key))
        elif not value:
            hints.append(f"{key}: wants a value")
        elif key in {"since", "until"}:
            named = _moment(value, now)
            if named is None:
                hints.append(f"{key}: wants 7d, 12h, today, monday or 2026-01-31")
            else:
                values[key] = named
        elif key == "actor" and value.lower() not in ACTORS:
            hints.append(f"actor: is {', '.join(ACTORS[:-1])} or {ACTORS[-1]}")
        else:
            values[key] = value.lower() if key in {"actor", "action"} else value
    wanted = tuple(dict.fromkeys(words))
    if len(wanted) > MOST_WORDS:
        hints.append(f"Only the first {MOST_WORDS} words are looked for")
    return AuditFilter(**values, words=wanted[:MOST_WORDS], hints=tuple(hints))  # type: ignore[arg-type]  # keys are checked


def _key_of(word: str) -> str:
    """The key that a bare word belongs to, or "" when none does."""
    word = word.lower()
    if word in ACTORS:
        return "actor"
    if word in ACTIONS:
        return "action"
    return "since" if word in {"today", "yesterday"} else ""


def _unknown(word: str) -> str:
    near = difflib.get_close_matches(word, KEYS, 1)
    if near:
        return f"{word}: unknown; did you mean {near[0]}?"
    return f"{word}: unknown; filter by {', '.join(KEYS)}"


def _moment(value: str, now: datetime) -> datetime | None:
    """The moment that `value` names, seen from `now`; None for a value that names none."""
    try:
        return moment(value, now=now)
    except ValueError:
        return None


def toggled(text: str, key: str, value: str) -> str:
    """`text` with `key:value`; without it when it is there already."""
    token = f"{key}:{value}"
    kept = [other for other in text.split() if not other.lower().startswith(f"{key}:")]
    return " ".join(kept if token in text.split() else [*kept, token])


def next_span(text: str) -> str:
    """`text` with the next of the usual spans of time, after the last one without any."""
    current = next((token[6:] for token in text.split() if token.startswith("since:")), None)
    if current is None:
        return toggled(text, "since", SPANS[0])
    later = SPANS[SPANS.index(current) + 1 :] if current in SPANS else SPANS
    return toggled(text, "since", later[0] if later else current)


def completion(text: str) -> str | None:
    """`text` with its last word completed, or None when there is nothing to add."""
    head, space, word = text.rpartition(" ")
    if not word:
        return None
    key, colon, _ = word.partition(":")
    if not colon:
        options = [f"{name}:" for name in KEYS]
    else:
        values = {"action": ACTIONS, "actor": ACTORS, "since": (*SPANS, "yesterday")}.get(key, ())
        options = [f"{key}:{option}" for option in values]
    found = next((option for option in options if option.startswith(word) and option != word), None)
    return None if found is None else head + space + found


class FilterSuggester(Suggester):
    """Shows the end of the word that is being typed; the right arrow takes it."""

    async def get_suggestion(self, value: str) -> str | None:
        """The value with its last word completed."""
        return completion(value)


@dataclass(frozen=True, slots=True)
class Page:
    """Entries, newest first."""

    entries: list[Entry]
    is_complete: bool  # nothing older fits
    hints: tuple[str, ...]  # what could not be understood in the filter
    now: datetime
    fitting: int = 0  # entries that fit, read or not
    total: int = 0  # entries there are
    about: str = ""  # the memory and the session that the filter names, in words


def read_page(core: MemoryCoordinator, text: str, before: int | None, limit: int) -> Page:
    """The newest `limit` entries that fit the filter, older than entry `before`.

    A memory that nobody knows finds nothing, and a hint says so.
    """
    now = core.now()
    wanted = parse_filter(text, now)
    what: dict[str, Any] = {
        "memory": wanted.memory,
        "session": wanted.session and _session_called(core, wanted.session),
        "action": wanted.action,
        "actor": wanted.actor,
        "since": wanted.since,
        "until": wanted.until,
        "words": wanted.words,
    }
    total = core.audit_count()
    try:
        entries = core.audit(**what, before=before, limit=limit)
        fitting = total if wanted.is_everything else core.audit_count(**what)
    except ManagerError as error:
        return Page([], True, (str(error), *wanted.hints), now, 0, total)
    is_complete = len(entries) < limit
    about = _about(core, wanted.memory, what["session"])
    return Page(entries, is_complete, wanted.hints, now, fitting, total, about)


def _about(core: MemoryCoordinator, memory: str | None, session: str | None) -> str:
    """What a filter names by an id, in words."""
    titles = [title for _, title in titles_of(core, [memory] if memory else [])]
    return ", ".join([*titles, *core.services.sessions.names([session]).values()])


def _session_called(core: MemoryCoordinator, word: str) -> str:
    """The id of the session that a filter names by the beginning of its goal or of its id."""
    try:
        return core.session_named(word).id
    except ManagerError:
        return word


def count_newer(core: MemoryCoordinator, text: str, than: int, limit: int) -> int:
    """How many entries that fit the filter came after entry `than`; counts up to `limit`."""
    if core.last_seq() <= than:
        return 0
    return sum(entry.seq > than for entry in read_page(core, text, None, limit).entries)


def read_account(core: MemoryCoordinator, entry: Entry) -> tuple[Account, int]:
    """The entry in full, and the time in milliseconds.

    Where the journal cannot tell its rows any more, the account says why.
    """
    now_ms = ms_of(core.now())
    try:
        differences = core.differences(entry.seq)
        return account_of(entry, differences, lambda ids: dict(titles_of(core, ids))), now_ms
    except ManagerError as error:
        return Account(entry, (), problem=str(error)), now_ms


def titles_of(core: MemoryCoordinator, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Ids with titles of the memories that are still there, in the order given."""
    found = []
    for memory in ids:
        try:
            found.append((memory, core.resolve(memory).title))
        except ManagerError:
            continue
    return found
