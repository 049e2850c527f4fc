"""Values made of what the store returns. Standard library only: recall reads through here."""

from __future__ import annotations

from collections.abc import Mapping

from ..db.images import headline
from .values import UTC, Memory, Origin, at, datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EPOCH = datetime.fromtimestamp(0, UTC)


def memory_from_image(image: Mapping[str, Any]) -> Memory:
    """The memory of a stored image: milliseconds become moments, lists become tuples.

    What the store does not keep in the row (uses, conflicts, the short id) may be missing.
    """
    memory_id = image["id"]
    return Memory(
        id=memory_id,
        num=image["num"],
        short_id=image.get("short_id") or memory_id[:7],
        key=image.get("key"),
        type=image["type"],
        category=image["category"],
        scope=image["scope"],
        project=image["project"],
        status=image["status"],
        title=headline(image["title"], image["content"]),
        content=image["content"],
        importance=image["importance"],
        confidence=image["confidence"],
        privacy=image["privacy"],
        tags=tuple(image.get("tags") or ()),
        files=tuple(image.get("files") or ()),
        origin=Origin(
            session=image.get("session"),
            agent=image.get("agent"),
            agent_id=image.get("agent_id"),
            role=image.get("role"),
            transcript=image.get("transcript"),
            line=image.get("line"),
            ref=image.get("ref"),
        ),
        tokens=image["tokens"],
        created_at=at(image["created_at"]) or _EPOCH,
        updated_at=at(image["updated_at"]) or _EPOCH,
        due=at(image.get("due")),
        expires=at(image.get("expires")),
        retired_at=at(image.get("retired_at")),
        retired_as=image.get("retired_as"),
        details=_own(image.get("details") or {}),
        accesses=image.get("accesses") or 0,
        last_access=at(image.get("last_access")),
        helpful=image.get("helpful") or 0,
        unhelpful=image.get("unhelpful") or 0,
        in_conflict=bool(image.get("in_conflict")),
        both_hold=tuple(image.get("both_hold") or ()),
        revision=image.get("revision") or 0,
        evidence=image.get("evidence") or "",
        provenance=image.get("provenance") or "",
        degree=image.get("degree") or "",
        used=image.get("used") or 0,
        worth=image.get("worth"),
        tier=image.get("tier") or "hot",
        stale=image.get("stale") or "",
    )


def _own(details: Mapping[str, Any]) -> dict[str, Any]:
    """A type's own fields for one caller, who may change them: images are shared (`db.kept`)."""
    return {
        name: list(value) if type(value) is list else dict(value) if type(value) is dict else value
        for name, value in details.items()
    }
