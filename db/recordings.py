"""What agents recorded themselves. Table `recording`; times are milliseconds since 1970."""

from collections.abc import Sequence

from peewee import SQL, fn

from .connection import Database
from .queries import Query, listing, value
from .rows import StoredRecording
from .tables import MemoryRow, RecordingRow
from .trust import recorded_sources


class SessionRecording(StoredRecording):
    """A recording beside the memory that it made, or found."""

    content: str
    files: list[str]
    status: str
    memory_session: str | None
    retired_at: int | None


@value(int)
def count(session: str) -> Query:
    """How many a session recorded."""
    return RecordingRow.select(fn.count(SQL("*"))).where(RecordingRow.session == session)


@listing(SessionRecording)
def of_session(session: str, project: str) -> Query:
    """What a session recorded, oldest first; those whose memory is gone are left out."""
    return (
        RecordingRow.select(
            RecordingRow,
            MemoryRow.content,
            MemoryRow.status,
            MemoryRow.session.alias("memory_session"),
            MemoryRow.retired_at,
        )
        .join(MemoryRow, on=MemoryRow.id == RecordingRow.memory)
        .where(RecordingRow.session == session, MemoryRow.project.in_((project, "")))
        .order_by(RecordingRow.at, RecordingRow.id)
    )


@listing(StoredRecording)
def of_memory(memory: str) -> Query:
    """How often a memory was recorded by agents, oldest first."""
    recorded = RecordingRow.select().where(RecordingRow.memory == memory)
    return recorded.order_by(RecordingRow.at, RecordingRow.id)


def sources(database: Database, ids: Sequence[str]) -> dict[str, str]:
    """By memory that an agent recorded and nobody else said: the best evidence that there is."""
    return recorded_sources(database.connection(), ids)
