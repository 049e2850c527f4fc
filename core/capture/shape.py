"""A found sentence put into the form of a capture: title, files, tags and the type's own fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..answers import Capture
from ..values import Origin
from .rules import Rule
from .standalone import finished
from .subjects import files_in, tags_in, unique, with_short_paths
from .turns import Turn

MAX_CONTENT = 500  # characters (requirements, "Limits on content")
MAX_TITLE = 80  # characters

_CLAUSE_END = re.compile(r"(?<=[\w`)\"”])(?:[;:—–]\s|\.\s|,?\s(?:because|since|so that)\s|\s\()")
_ORDER = re.compile(
    r"\b(?:before|after|first|then|whenever|every time|each time|when|prior to)\b", re.IGNORECASE
)
_COMMAND = re.compile(r"`([a-z./][^`\n]*)`")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ROLES = {
    "explore": "researcher",
    "plan": "reasoner",
    "general-purpose": "general",
}


@dataclass(frozen=True, slots=True)
class Session:
    """Whose words are read, and where the project lies."""

    session: str
    agent: str
    transcript: str
    root: str | None


def capture(
    rule: Rule,
    text: str,
    turn: Turn,
    index: int | str,
    session: Session,
    *,
    details: Mapping[str, Any] | None = None,
    files: Iterable[str] = (),
    tags: Iterable[str] = (),
    title: str = "",
    kind: str | None = None,
    is_person: bool = False,
) -> Capture:
    """A capture of `text`, which `turn` said.

    `index` tells it from the turn's other captures, whatever else was read before: the same
    place always has the same `origin.ref`.
    """
    content = shortened(finished(with_short_paths(text, session.root)), MAX_CONTENT)
    type_ = kind or rule.type or ("procedural" if steps_in(content) else "semantic")
    heading = title or title_of(content)
    origin = Origin(
        session=session.session,
        agent=session.agent,
        agent_id=turn.agent_id,
        role="general" if turn.agent_id else None,
        transcript=session.transcript,
        line=turn.line,
        ref=reference(session, turn.uuid, f"{turn.part}-{index}" if turn.part else str(index)),
    )
    return Capture(
        content=content,
        title=heading,
        category="pattern" if type_ == "procedural" and not kind else rule.category,
        type=type_,
        importance=rule.importance,
        confidence=rule.confidence,
        tags=unique([*rule.tags, *tags, *tags_in(content)])[:8],
        files=unique([*files, *files_in(content, session.root)])[:8],
        rule=f"{'person' if is_person else 'agent'}.{rule.name}",
        origin=origin,
        said_at=turn.at,
        details=dict(details)
        if details is not None
        else details_for(type_, rule, heading, content),
    )


def reference(session: Session, place: str, index: str) -> str:
    """The stable name of a place: the same one is never captured twice.

    A fork repeats earlier lines under their old uuid, so that one needs no session beside it.
    """
    if not _UUID.fullmatch(place):
        place = f"{session.session}:{place}"
    return f"{session.agent}:{place}:{index}"


def role_of(agent_type: str) -> str:
    """The role (003-06) of a subagent of this type."""
    return _ROLES.get(agent_type.lower(), "executor" if agent_type else "general")


def details_for(type_: str, rule: Rule, title: str, content: str) -> dict[str, Any]:
    """The fields of the type's own table (000-10 to 000-13) that the words themselves give."""
    if type_ == "procedural":
        return {
            "procedure_name": title,
            "category": "workflow",
            "steps": list(steps_in(content)),
            "prerequisites": [],
            "success_conditions": [],
            "failure_patterns": [],
        }
    if type_ == "episodic":
        return {"event_type": rule.nature or "agent_response"}
    return {"concept": title, "category": rule.nature or "fact"}


def steps_in(content: str) -> tuple[str, ...]:
    """The commands in `content`, if it says in which order or when to run them."""
    if not _ORDER.search(content):
        return ()
    return tuple(c for c in _COMMAND.findall(content) if " " in c or c.startswith("./"))


def title_of(content: str) -> str:
    """The first clause of `content`, at most `MAX_TITLE` characters."""
    for end in _CLAUSE_END.finditer(content):
        if 24 <= end.start() <= MAX_TITLE:
            return content[: end.start()].rstrip(" .,;:")
    if len(content) <= MAX_TITLE + 1:
        return content.rstrip(".")
    return shortened(content, MAX_TITLE)


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, cut between words and marked with "…"."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit // 2)
    return (cut[:space] if space > 0 else cut).rstrip(" ,;:.(") + "…"
