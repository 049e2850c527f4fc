"""Which memories the words or ids on a command line mean.

An id, or the beginning of one, always means that memory. Anything else is a search:
exactly one memory that has all the words is meant; several are listed, and nothing is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.errors import Ambiguous, BadInput, NotFound
from ..core.query.language import parse
from ..core.values import Memory
from .output import Ink, narrate, one_line, table
from .rows import memory_row

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

SHOWN = 8
"""Candidates listed when words mean several memories."""


def meant(
    core: MemoryCoordinator, words: Sequence[str], *, every: bool = False, within: str = ""
) -> list[Memory]:
    """The memories that ids or search words mean, without repeats, in the order given.

    With `every`, the words are a query and all its memories are meant. `within` is a query
    that search words are narrowed by. Raises NotFound, Ambiguous, and BadInput for all projects.
    """
    if every:
        return core.context.memories(all_meant(core, words, within=within))
    if (by_id := _by_ids(core, words)) is not None:
        return by_id
    return [_only_one(core, words, within)]


def all_meant(core: MemoryCoordinator, words: Sequence[str], *, within: str = "") -> list[int]:
    """The row numbers of all that a query matches, as many as there may be.

    `within` narrows it. Raises NotFound, and BadInput for all projects and what is no query.
    """
    from ..core.query.plan import EVERY_PROJECT, project_asked

    _must_be_understood(words)
    if project_asked(" ".join(words)) == EVERY_PROJECT:
        raise BadInput(
            "All projects at once are only read; nothing was changed.",
            hint="--project names the one to act in.",
        )
    nums = list(core.services.search.nums(" ".join([*words, within]).strip()))
    if core.context.viewer is not None:  # an agent means what it may see
        nums = [memory.num for memory in core.context.memories(nums)]
    if not nums:
        raise NotFound(f"No memory matches {_quoted(words)}.")
    return nums


def _must_be_understood(words: Sequence[str]) -> None:
    """Raise BadInput for a query of which something was left out: it would mean too many."""
    for hint in parse(" ".join(words)).hints:
        if hint.is_left_out:
            nearest = f" Did you mean {hint.nearest}?" if hint.nearest else ""
            raise BadInput(f"{hint.message}{nearest}", hint="Nothing was changed.")


def _by_ids(core: MemoryCoordinator, words: Sequence[str]) -> list[Memory] | None:
    """The memories with these ids; None when no word is one, so that they are search words."""
    found: dict[str, Memory] = {}
    missing: list[str] = []
    for word in words:
        try:
            memory = core.resolve(word)
        except NotFound:
            missing.append(word)
        else:
            found[memory.id] = memory
    if not missing:
        return list(found.values())
    if found and all(_looks_like_id(word) for word in words):
        raise NotFound(f"No memory has the id {one_line(missing[0])}; nothing was changed.")
    return None


def _looks_like_id(word: str) -> bool:
    return re.fullmatch(r"[0-9a-zA-Z]{4,}", word) is not None and any(c.isdigit() for c in word)


def _only_one(core: MemoryCoordinator, words: Sequence[str], within: str) -> Memory:
    query = " ".join(words)
    hits = [hit.memory for hit in core.search(f"{query} {within}".strip(), limit=50)]
    whole = [memory for memory in hits if _has_all(memory, query)]
    candidates = whole or hits
    if not whole:
        _must_be_understood(words)
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise NotFound(f"No memory matches {_quoted(words)}.")
    narrate(f"{_quoted(words)} could mean:")
    list_candidates(core, candidates[:SHOWN])
    if len(candidates) > SHOWN:
        narrate(Ink(f"  … and {len(candidates) - SHOWN} more", "dim"))
    raise Ambiguous(
        f"{_quoted(words)} means {len(candidates)} memories; nothing was changed.",
        hint="Give the id of one, or more words.",
    )


def _has_all(memory: Memory, query: str) -> bool:
    """Whether every word of `query` occurs in the memory, in whatever case."""
    text = " ".join((memory.title, memory.content, *memory.tags, *memory.files)).casefold()
    return all(word in text for word in re.findall(r"\w+", query.casefold()))


def list_candidates(core: MemoryCoordinator, memories: Sequence[Memory]) -> None:
    """The memories that words could mean, on standard error."""
    now = core.now()
    table([memory_row(memory, now) for memory in memories], indent="  ", line=narrate)


def _quoted(words: Sequence[str]) -> str:
    return f"“{one_line(' '.join(words))}”"
