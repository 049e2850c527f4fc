"""A found sentence put into the form of a capture: title, files, tags and the type's own fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2s
from typing import Any

from ...answers import Capture
from ...values import Origin
from ..kinds import memory_type_with_doubt
from .rules import Rule
from .subjects import files_in, tags_in, unique, with_short_paths
from .turns import Session, Turn, reference
from .wording import finished

MAX_CONTENT = 500  # characters (requirements, "Limits on content")
MAX_TITLE = 80  # characters

_CLAUSE_END = re.compile(r"(?<=[\w`)\"”])(?:[;:—–]\s|\.\s|,?\s(?:because|since|so that)\s|\s\()")
_ORDER = re.compile(
    r"\b(?:before|after|first|then|whenever|every time|each time|when|prior to)\b", re.IGNORECASE
)
_COMMAND = re.compile(r"`([a-z./][^`\n]*)`")
_NUMBERED = re.compile(r"^\s*(?:step )?\d{1,2}[.):]\s+(\S.*)$", re.MULTILINE | re.IGNORECASE)
_NEEDS = re.compile(r"\b(?:you need|requires?|needs?|make sure)\b[^.;:\n]{3,120}", re.IGNORECASE)
_EVENTS = ("decision", "error")


def capture(
    rule: Rule,
    text: str,
    turn: Turn,
    index: int | str,
    session: Session,
    *,
    details: Mapping[str, Any] | None = None,
    files: Iterable[str] = (),
    title: str = "",
    kind: str | None = None,
    is_person: bool = False,
) -> Capture:
    """A capture of `text`, which `turn` said.

    `index` tells it from the turn's other captures, whatever else was read before: the same
    place always has the same `origin.ref`.
    """
    content = shortened(finished(with_short_paths(text, session.root)), MAX_CONTENT)
    type_, is_unsure = kind or rule.type or "", False
    if not type_:
        likely, is_tied = memory_type_with_doubt(content, rule.category)
        type_ = "episodic" if likely == "episodic" and not is_tied else "semantic"
        type_ = "procedural" if steps_in(content) else type_
        is_unsure = is_tied or (type_ == "semantic" and likely != type_)
    origin = Origin(
        session=session.session,
        agent=session.agent,
        agent_id=turn.agent_id,
        role=session.role or ("general" if turn.agent_id else None),
        transcript=session.transcript,
        line=turn.line,
        ref=reference(session, turn.uuid, f"{turn.part}-{index}" if turn.part else str(index)),
    )
    made = Capture(
        content=content,
        title=title or title_of(content),
        category="pattern" if type_ == "procedural" and not kind else rule.category,
        type=type_,
        importance=rule.importance,
        confidence=rule.confidence,
        tags=unique([*rule.tags, *tags_in(content)])[:8],
        files=unique([*files, *files_in(content, session.root)])[:8],
        rule=f"{'person' if is_person else 'agent'}.{rule.name}",
        origin=origin,
        said_at=turn.at,
        is_type_unsure=is_unsure,
    )
    told = _details(type_, rule, made, is_person)
    return replace(made, details={**told, **(details or {})})


def digest(text: str, size: int) -> str:
    """A name for `text`, of `size` bytes in hexadecimal digits."""
    return blake2s(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def _details(type_: str, rule: Rule, made: Capture, is_person: bool) -> dict[str, Any]:
    """The fields of the type's own table that its words do not tell (`ingest.details`)."""
    if type_ == "procedural":
        return {"procedure_name": made.title}
    if type_ == "semantic":
        return {"category": rule.nature or "fact"}
    if type_ == "episodic":
        moment = {"timestamp": round(made.said_at.timestamp() * 1000)} if made.said_at else {}
        happened = [one for one in (rule.nature, rule.category) if one in _EVENTS]
        speaker = "user_query" if is_person else "agent_response"
        return {"event_type": (*happened, speaker)[0], **moment}
    return {"intention_type": "todo", "priority": 3, "status": "pending"}


def prerequisites_in(content: str) -> tuple[str, ...]:
    """What `content` says is needed for it, at most three clauses."""
    return unique(found[0].strip(" ,;:.") for found in _NEEDS.finditer(content))[:3]


def steps_in(content: str) -> tuple[str, ...]:
    """The numbered lines of `content`; else its commands, if it says when to run them."""
    numbered = tuple(line.strip() for line in _NUMBERED.findall(content))
    if len(numbered) > 1:
        return numbered
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
