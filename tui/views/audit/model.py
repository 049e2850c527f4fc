"""What the journal asks the core, in a lane: pages of entries, one entry in full, its memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ....core.answers import Entry
from ....core.errors import ManagerError
from ....core.values import ms_of
from ...widgets.before_after import Account, account_of
from .filter import parse_filter

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator


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
    return ", ".join([*titles, *core.services.chronicle.names([session]).values()])


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
