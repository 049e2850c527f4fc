"""Items, the pieces of context that stores hold, and the backends that keep them."""

from __future__ import annotations

import json
import operator
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from threading import RLock, Timer
from typing import TYPE_CHECKING, Any, Protocol, cast
from uuid import uuid4

from ..db.errors import Ambiguous, BadInput, NotFound, StoreDamaged
from ..db.home import replace_file
from .extensions import extension
from .ingest.drafts import MOST_WRITTEN, captured_content
from .recall.budget import SCOPE_SHARES
from .services.working_memory import TASK_DAYS
from .values import STEP

if TYPE_CHECKING:
    from ..db.items import ItemTable
    from .compat import MemoryCoordinator
    from .values import Memory

Filters = Mapping[str, Any]
"""By field a value, a list of which any counts, or `OPERATORS` with values that all hold."""

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}

CATEGORY_BY_KIND = {
    "decision": "decision",
    "convention": "pattern",
    "failure": "error",
    "preference": "preference",
    "pattern": "pattern",
}
"""Categories of the memories that hold such items; others get one by their words."""

SAVE_S = 0.5  # seconds for which changes of a file are collected


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One piece of context."""

    context_item_id: str
    kind: str  # reasoning, tool_output, decision, convention, failure, preference, pattern or other
    source: str  # task/ID, task/ID/STAGE, project/ID or global
    timestamp: str  # ISO 8601; without a zone it is local time
    tags: list[str] = field(default_factory=list)
    importance: float | None = None  # 0-1
    token_cost: int | None = None  # estimated tokens
    payload: Mapping[str, Any] = field(default_factory=dict)  # values that JSON has

    @property
    def text(self) -> str:
        """Return the payload's text, under any name, else the whole payload as JSON."""
        for name in ("text", self.kind, "lesson", "output"):
            if isinstance(value := self.payload.get(name), str) and value.strip():
                return value
        return json.dumps(dict(self.payload), ensure_ascii=False)


class MemoryBackend(Protocol):
    """A store of items. Methods raise subclasses of ManagerError."""

    def add(self, item: ContextItem) -> None:
        """Keep an item, in place of the one with its id."""

    def query(
        self, filters: Filters, limit: int = 100, order_by: str = "timestamp"
    ) -> list[ContextItem]:
        """Return at most `limit` items that pass all `filters`, the highest of a field first.

        A `-` before the field turns the order round.
        """
        ...

    def get(self, item_id: str) -> ContextItem | None:
        """Return the item with this id, or None."""

    def delete(self, item_id: str) -> bool:
        """Delete an item; return False if there is none."""
        ...

    def list_all(self) -> list[ContextItem]: ...
    def clear(self) -> None: ...
    def count(self) -> int: ...


FIELDS = tuple(ContextItem.__dataclass_fields__)


def select(
    items: Iterable[ContextItem], filters: Filters, limit: int = 100, order_by: str = "timestamp"
) -> list[ContextItem]:
    """Return the result of `MemoryBackend.query` on these items. Raises BadInput."""
    name = order_by.removeprefix("-")
    for unknown in {*filters, name} - {*FIELDS}:
        raise BadInput(f"Items have no field {unknown!r}.", hint=f"Use: {', '.join(FIELDS)}.")
    passing = [item for item in items if all(_passes(item, *pair) for pair in filters.items())]
    passing.sort(
        key=lambda item: ((value := getattr(item, name)) is not None, value),
        reverse=name == order_by,
    )
    return passing[:limit]


def _passes(item: ContextItem, name: str, wanted: Any) -> bool:
    value = getattr(item, name)
    if isinstance(wanted, Mapping):
        for sign, limit in wanted.items():
            if sign not in OPERATORS:
                raise BadInput(
                    f"{name}: there is no operator {sign!r}.", hint=f"Use: {', '.join(OPERATORS)}."
                )
            is_ordered = sign in ("$eq", "$ne") or None not in (value, limit)
            if not is_ordered or not OPERATORS[sign](value, limit):
                return False
        return True
    if isinstance(wanted, list):
        return isinstance(value, list) and any(part in value for part in wanted)
    return bool(value == wanted)


# --- backends that keep items alone


class _Listed(ABC):
    """A backend whose queries follow from the list of all its items."""

    @abstractmethod
    def list_all(self) -> list[ContextItem]: ...

    def query(
        self, filters: Filters, limit: int = 100, order_by: str = "timestamp"
    ) -> list[ContextItem]:
        return select(self.list_all(), filters, limit, order_by)

    def get(self, item_id: str) -> ContextItem | None:
        return next((item for item in self.list_all() if item.context_item_id == item_id), None)

    def count(self) -> int:
        return len(self.list_all())


@dataclass
class InMemoryBackend(_Listed):
    """Items for as long as the process lives."""

    items: dict[str, ContextItem] = field(default_factory=dict)

    def add(self, item: ContextItem) -> None:
        self.items[item.context_item_id] = item

    def delete(self, item_id: str) -> bool:
        return self.items.pop(item_id, None) is not None

    def list_all(self) -> list[ContextItem]:
        return list(self.items.values())

    def clear(self) -> None:
        self.items.clear()


class JsonFileBackend(InMemoryBackend):
    """Items in one JSON file, 0600, which has one writer.

    It is read at the first use. Changes are written together within half a second, by `flush`, and
    before the interpreter ends. Raises StoreDamaged for a file that holds no items.
    """

    def __init__(self, file_path: str | os.PathLike[str]) -> None:
        self.file_path = os.path.abspath(file_path)
        self._lock = RLock()
        self._timer: Timer | None = None

    @cached_property
    def items(self) -> dict[str, ContextItem]:  # type: ignore[override]
        try:
            with open(self.file_path, encoding="utf-8") as file:
                items = [ContextItem(**fields) for fields in json.load(file)]
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError) as error:
            raise StoreDamaged(f"{self.file_path} holds no items: {error}.") from error
        return {item.context_item_id: item for item in items}

    def add(self, item: ContextItem) -> None:
        with self._lock:
            super().add(item)
            self._save_soon()

    def delete(self, item_id: str) -> bool:
        with self._lock:
            self._save_soon()
            return super().delete(item_id)

    def clear(self) -> None:
        with self._lock:
            super().clear()
            self._save_soon()

    def _save_soon(self) -> None:
        if self._timer is None:
            self._timer = Timer(SAVE_S, self.flush)  # no daemon: the interpreter waits for it
            self._timer.start()

    def flush(self) -> None:
        """Write changes."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
                text = json.dumps([asdict(item) for item in self.items.values()])
                replace_file(self.file_path, text.encode(), 0o600)


class _TableBackend(_Listed):
    """Items in a database."""

    _table: ItemTable

    def add(self, item: ContextItem) -> None:
        self._table.put(item.context_item_id, json.dumps(asdict(item)))

    def get(self, item_id: str) -> ContextItem | None:
        return next((ContextItem(**json.loads(text)) for text in self._table.texts(item_id)), None)

    def delete(self, item_id: str) -> bool:
        return self._table.delete(item_id) > 0

    def list_all(self) -> list[ContextItem]:
        return [ContextItem(**json.loads(text)) for text in self._table.texts()]

    def clear(self) -> None:
        self._table.delete()

    def close(self) -> None:
        """Close this thread's connection."""
        self._table.close()


class SqliteBackend(_TableBackend):
    """Items in a SQLite file of their own."""

    def __init__(self, db_path: str | os.PathLike[str]) -> None:
        from ..db.items import sqlite_items

        self._table = sqlite_items(os.fspath(db_path))


class PostgresBackend(_TableBackend):
    """Items in a PostgreSQL database: `postgresql://user@host/name`, or `key=value` pairs."""

    def __init__(self, url: str) -> None:
        from ..db.items import postgres_items

        self._table = postgres_items(url)


BACKENDS: Mapping[str, Callable[[str], MemoryBackend]] = {
    "memory": lambda _: InMemoryBackend(),
    "json": JsonFileBackend,
    "sqlite": SqliteBackend,
    "postgresql": lambda rest: PostgresBackend(f"postgresql:{rest}"),
}


def open_backend(location: str) -> MemoryBackend:
    """Return the backend at `memory:`, `json:PATH`, `sqlite:PATH` or `postgresql://…`.

    Another name before the colon is a store that an installed package brings, which is given the
    rest. Raises BadInput, StoreUnusable.
    """
    name, _, rest = location.partition(":")
    make = BACKENDS.get(name) or extension("store", name)
    return cast(MemoryBackend, make(rest))


# --- the core as a backend


class CoreBackend(_Listed):
    """A project's memories as items: those of `source`, or all that are seen from here.

    `source` is `task/ID`, `project/ID` or `global`. An added item is remembered, a deleted one
    can be restored. Raises the errors of the coordinator's acts.
    """

    def __init__(self, core: MemoryCoordinator, source: str = "") -> None:
        self._core, self._source = core, source
        if source:
            self._must_be_here(source)

    def _must_be_here(self, source: str) -> str:
        """Return the scope of a source. Raises BadInput for another project's."""
        scope, _, name = source.partition("/")
        own = (self._core.context.project_id, self._core.project.name)
        if scope not in SCOPE_SHARES or (scope != "global" and not name):
            raise BadInput(
                f"{source!r} is no source of an item.", hint="Use: task/ID, project/ID, global."
            )
        if scope == "project" and name.split("/")[0] not in own:
            raise BadInput(f"{source!r} is another project's: projects never share memories.")
        return scope

    def add(self, item: ContextItem) -> None:
        scope = self._must_be_here(item.source)
        about = {name: getattr(item, name) for name in FIELDS if name not in _OF_A_MEMORY}
        details: dict[str, Any] = {"item": about}
        fields: dict[str, Any] = {"importance": item.importance, "tags": item.tags}
        fields |= {"key": item.context_item_id, "scope": scope, "details": details}
        text = captured_content(item.text, MOST_WRITTEN)
        if memory := self._memory(item.context_item_id):
            named = {name: fields[name] for name in ("tags", "details")}
            named |= {"importance": item.importance} if item.importance is not None else {}
            self._core.edit(memory.id, content=text, **named)
            return
        if scope != "task":
            self._core.remember(text, category=CATEGORY_BY_KIND.get(item.kind), **fields)
            return
        task = item.source.split("/")[1]
        until = self._core.now() + timedelta(days=TASK_DAYS)
        step = f"{task}#step-{uuid4().hex[:8]}"  # cleared with its task, and beside other steps
        details |= {"todo_id": step, "context_type": "state", "scope": "task"}
        details |= {"expires_at": int(until.timestamp() * 1000)}
        fields |= {"type": "working", "session": self._session_of(task), "expires": until}
        report = self._core.import_memories([{**fields, "content": text}])
        if report.refused:
            raise BadInput(report.refused[0][1])

    def get(self, item_id: str) -> ContextItem | None:
        memory = self._memory(item_id)
        return self._item_of(memory) if memory else None

    def delete(self, item_id: str) -> bool:
        memory = self._memory(item_id)
        return memory is not None and self._core.delete_memory(memory.id)

    def _memory(self, item_id: str) -> Memory | None:
        try:
            memory = self._core.show(item_id)
        except (NotFound, Ambiguous):
            return None
        is_it = memory.is_live and item_id in (memory.key, memory.id)
        return memory if is_it and self._holds(self._item_of(memory)) else None

    def _holds(self, item: ContextItem) -> bool:
        return f"{item.source}/".startswith(self._source and f"{self._source}/")

    def list_all(self) -> list[ContextItem]:
        scope = self._source.partition("/")[0]
        memories = self._core.list(f"scope:{scope}" if scope else "")
        return [*filter(self._holds, map(self._item_of, memories))]

    def clear(self) -> None:
        scope, _, task = self._source.partition("/")
        if scope == "task":
            self._core.clear_working_memory(self._session_of(task), task)
        elif items := self.list_all():
            self._core.forget([item.context_item_id for item in items], "the store was cleared")

    def connection(self) -> AbstractContextManager[Any]:
        """Return a context with the connection that all queries of this thread use."""
        return nullcontext(self._core.context.database.connection())

    def _session_of(self, task: str) -> str:
        return self._core.context.session or f"task-{task}"

    def _item_of(self, memory: Memory) -> ContextItem:
        about = memory.details.get("item")
        if isinstance(about, Mapping):
            is_given = about.get("importance") is not None
            fields = {**about, "importance": memory.importance if is_given else None}
            item = ContextItem(memory.key or memory.id, tags=[*memory.tags], **fields)
            if captured_content(item.text, MOST_WRITTEN) == memory.content:
                return item
            return replace(item, payload={item.kind: memory.content})  # it was edited
        todo = str(memory.details.get("todo_id") or memory.origin.session)
        task, step, _ = f"task/{todo}".partition("#step-")
        kind = next((tag for tag in memory.tags if tag in CATEGORY_BY_KIND), memory.category)
        if step and memory.tags[:1] == (STEP,):
            _, kind, stage = memory.tags
            task = f"{task}/{stage}"
        names = {"global": "global", "project": f"project/{self._core.project.name}"}
        return ContextItem(
            memory.key or memory.id,
            kind,
            names.get(memory.scope, task),
            memory.timestamp.isoformat(),
            [*memory.tags],
            memory.importance,
            memory.tokens,
            {kind: memory.content},
        )


_OF_A_MEMORY = ("context_item_id", "tags")
"""Fields of an item that the memory has itself; the others are in its details."""
