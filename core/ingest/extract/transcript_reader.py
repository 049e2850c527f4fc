"""What all hosts' readers share: the walk over a session, and fields that may hold anything."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from typing import Any

from .echo import is_trace
from .turns import Turn, clip


@dataclass(frozen=True, slots=True)
class Reading:
    """The turns of one reading, and where the next one starts."""

    turns: tuple[Turn, ...]
    offset: int  # bytes; after a newline, or the size of a file that is read whole
    line_no: int  # lines before `offset`; messages, in a file that is read whole
    seen_uuids: frozenset[str]  # given on to the next reading, it repeats nothing
    bad_lines: int = 0  # lines that were no JSON object, or too long
    has_more: bool = False  # the reading was full; read again from `offset`
    skipped: str = ""  # why nothing of the file was read


class SessionReader(ABC):
    """The entries of one session, read in order; `turns` is what they tell, each thing once.

    A host's own says in `take` where an entry stands, and then what it tells. `head` is the first
    object of the file. Subagents' entries are read where `sidechains` asks for them.
    """

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        self.head = head
        self.seen = set(seen)
        self.sidechains = sidechains
        self.turns: list[Turn] = []
        self.is_skipped = False
        self._agent: str | None = None
        self._place: dict[str, Any] = {}

    def read(self, entries: Iterable[tuple[int, Any]]) -> tuple[Turn, ...]:
        """The turns of these entries, each with its number in the file."""
        for number, entry in entries:
            if not self.is_skipped:
                self.take(mapping_of(entry), number)
        return tuple(self.turns)

    @abstractmethod
    def take(self, entry: dict[str, Any], number: int) -> None:
        """Read one entry."""

    def belongs_to(self, name: str, *, is_subagent: bool) -> None:
        """The whole file is one agent's, whose name a subagent's turns bear."""
        self.is_skipped = is_subagent and not self.sidechains
        self._agent = (name or "sidechain") if self.sidechains else None

    def stand(
        self, number: int, name: str, at: datetime | None, agent: str = "", message: str = ""
    ) -> None:
        """Where the turns stand that follow: in the entry of this name."""
        self._place = {
            "line": number,
            "uuid": name or f"line-{number}",
            "at": at,
            "agent_id": agent or self._agent,
            "message_id": message,
        }

    @property
    def name(self) -> str:
        """The name of the entry that is being read."""
        return str(self._place["uuid"])

    def is_new(self, mark: str) -> bool:
        """Whether this is met for the first time; it then counts as known."""
        is_new = mark not in self.seen
        self.seen.add(mark)
        return is_new

    def tell(self, kind: str, text: str = "", **more: Any) -> None:
        """One more turn."""
        self.turns.append(Turn(kind, clip(text), **(self._place | more)))

    def say(self, who: str, text: str, mark: str = "", **more: Any) -> bool:
        """Words, unless the host put them in itself, or they were told before under their `mark`;
        whether they are told."""
        if not text.strip() or (who != "assistant" and is_trace(text)):
            return False
        if mark and not self.is_new(mark):
            return False
        self.tell(who, text, **more)
        return True

    def call(
        self,
        name: str,
        calls: Iterable[tuple[str, dict[str, Any]]],
        first: int = 0,
        **more: Any,
    ) -> bool:
        """The calls, of (tool, input), that one call amounts to; whether it is new. `first` is the
        part of the first."""
        if name and not self.is_new(f"call:{name}"):
            return False
        for part, (tool, given) in enumerate(calls, first):
            self.tell("tool_call", tool=tool, tool_input=given, call_id=name, part=part, **more)
        return True

    def result(
        self, name: str, text: str, *, is_error: bool = False, code: Any = None, **more: Any
    ) -> bool:
        """What a call came to, once; an exit code other than 0 is an error. Whether it is new."""
        if name and not self.is_new(f"result:{name}"):
            return False
        if isinstance(code, int) and code != 0:
            is_error, text = True, f"Exit code {code}\n{text}"
        self.tell("tool_result", text, is_error=is_error, call_id=name, **more)
        return True


def text_of(value: Any) -> str:
    """`value` if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def mapping_of(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """`value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def arguments_of(value: Any) -> dict[str, Any]:
    """An object, which may be told as JSON text; an empty one for anything else."""
    try:
        return mapping_of(json.loads(value) if isinstance(value, str) else value)
    except (ValueError, RecursionError):
        return {}


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """The blocks of a message; a text alone is one block.

    A block that is no object keeps its place, so that `part` names the same block always.
    """
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [mapping_of(block) for block in list_of(content)]


def words_of(content: Any) -> str:
    """The text blocks of a message, one below the other."""
    texts = (
        text_of(block.get("text"))
        for block in blocks_of(content)
        if text_of(block.get("type")).lower() == "text"
    )
    return "\n".join(text for text in texts if text)


def moment_of(value: Any) -> datetime | None:
    """The moment that an ISO text names, UTC unless it says otherwise; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def moment_of_ms(value: Any) -> datetime | None:
    """The moment that a number of milliseconds since 1970 names; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def clipped(given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` with its long texts cut, those inside lists of objects too."""
    return {name: _clipped(value) for name, value in given.items()}


def digest_of(text: str) -> str:
    """A short name of a text, to know it again."""
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return clip(value)
    if isinstance(value, list):
        return [clipped(item) if isinstance(item, dict) else item for item in value]
    return value
