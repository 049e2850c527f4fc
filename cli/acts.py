"""Common parts of commands that change memories: the memories, the editor, the report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..core.context import shows
from ..core.query.language import parse
from ..core.values import Memory
from ..db.errors import Ambiguous, BadInput, NotFound
from .options import (
    CATEGORY,
    DEADLINE,
    IMPORTANCE,
    PRIVACY,
    SCOPE,
    TYPE,
    Door,
    agreeable,
    all_of,
    has_written,
)
from .output import Ink, acted, memory_count, memory_row, narrate, one_line, say, table

if TYPE_CHECKING:
    from ..core.answers import StoreResult
    from ..core.compat import MemoryCoordinator


several = all_of(
    click.argument(
        "words",
        metavar="ID…|WORDS",
        nargs=-1,
        required=True,
    ),
    click.option("--all", "every", is_flag=True, help="All memories that match the query."),
)
"""IDs or words, and `--all` for every memory that the words match; see `act_on`."""

editing = all_of(
    click.option("--content", help="The new text."),
    click.option("--title", help="The new title."),
    TYPE,
    CATEGORY,
    SCOPE,
    PRIVACY,
    IMPORTANCE,
    click.option(
        "--confidence", type=click.FloatRange(0, 1), metavar="0-1", help="Confidence from 0 to 1."
    ),
    click.option(
        "--tag", "tags", multiple=True, metavar="TAG", help="Replace the tags. Repeatable."
    ),
    click.option(
        "--file", "files", multiple=True, metavar="PATH", help="Replace the files. Repeatable."
    ),
    click.option("--due", metavar="WHEN", help="Due date: 2026-03-01, 3d, or none."),
    click.option("--expires", metavar="WHEN", help="Expiry date, or none."),
    click.option(
        "--detail",
        "details",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set a field of its type, such as priority=4. Repeatable.",
    ),
    agreeable,
)
"""An option for each field of a memory that the user may change; see `changes`."""


def changes(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that options of `editing` change. Raises click.UsageError for no time."""
    values = {name: value for name, value in wanted.items() if value not in (None, ())}
    for name in ("due", "expires"):
        if name in values:
            text = values[name].strip()
            values[name] = None if text.lower() == "none" else DEADLINE.convert(text, None, None)
    if "details" in values:
        values["details"] = dict(map(_detail, values["details"]))
    return values


def _detail(text: str) -> tuple[str, Any]:
    """Return the name and the value of `name=value`; the value is JSON, or else a text."""
    name, sign, value = text.partition("=")
    if not (name.strip() and sign):
        raise BadInput(f"--detail {text!r} has no value.", hint="Write NAME=VALUE: priority=4.")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def readable_memory(core: MemoryCoordinator, memory_id: str | None) -> Memory | None:
    """Return the memory that a text became or was; None without one, or if it is withheld."""
    if memory_id is None or not shows(core.context, memory_id):
        return None
    return core.show(memory_id)


def ids_of(memories: Sequence[Memory]) -> list[str]:
    return [memory.id for memory in memories]


def report(door: Door, done: str, memories: Sequence[Memory]) -> None:
    """Print the result of an act: a line for each memory, or an object; and the undo hint."""
    if not door.prints_json(*memories):
        acted(done, memories)
        takes_back(memory_count(len(memories)))


def count_pins(words: str) -> None:
    """Say how many pins a start injects, in the words of `pin_words`."""
    if words:
        limits = "`memdeck config` sets recall.max_pinned and recall.max_budget_tokens."
        narrate(Ink(f"  {words}. {limits}", "dim"))


def became(result: StoreResult, memory: Memory | None, done: str, *, quiet: bool) -> int:
    """Print the result of a text, which was `done` unless a check dropped it; return 1 then."""
    if result.outcome == "refused":
        narrate(Ink("memdeck: ", "bad"), f"Not {done}: {result.reason}")
        return 1
    if memory and not quiet:
        acted("known" if result.outcome == "duplicate" else done, [memory])
    return 0


def report_line(door: Door, value: Any, text: str) -> None:
    """Print the result of another act: a line, or an object; and the undo hint."""
    if not door.prints_json(value):
        say(text)
        takes_back()


def act_on(
    door: Door,
    core: MemoryCoordinator,
    words: Sequence[str],
    every: bool,
    done: str,
    act: Callable[[list[str]], Sequence[Memory]],
    within: str = "",
) -> None:
    """Carry out an act on the memories that options of `several` mean, and report it as `done`."""
    if every:
        act_on_all(door, core, all_meant(core, words, within=within), done, act)
    else:
        report(door, done, act(ids_of(memories_of(core, words, within=within))))


def act_on_all(
    door: Door,
    core: MemoryCoordinator,
    nums: Sequence[int],
    done: str,
    act: Callable[[list[str]], object],
) -> None:
    """Carry out an act on all of these and report it, part by part: one act, and one undo.

    The memories are never in memory all at once. ctrl-c ends it between two parts. Raises the
    error that ended it early.
    """
    from ..core.services.bulk import parts_of
    from .output import counted

    with counted(done) as progress:
        written = core.services.bulk.carry_out(nums, lambda _: True, act, progress)
    for part in parts_of([target.num for target in written.targets]):
        memories = core.context.memories(part)
        if not door.prints_json(*memories):
            acted(done, memories)
    if written.left:
        narrate(f"  Stopped with {written.left:,} left.")
    if written.error is not None:
        raise written.error
    if not door.as_json:
        takes_back(memory_count(len(written.targets)))


def takes_back(what: str = "") -> None:
    """Print that the last act can be undone; or that nothing changed."""
    if not has_written():
        narrate(Ink("  It was so already. Nothing was changed.", "dim"))
        return
    narrate(Ink(f"  {what}{'; undo' if what else 'Undo'} with `memdeck undo`.", "dim"))


SHOWN = 8  # candidates listed when words mean several memories


def memories_of(
    core: MemoryCoordinator, words: Sequence[str], *, every: bool = False, within: str = ""
) -> list[Memory]:
    """Return the memories that ids or search words mean, without repeats, in the order given.

    An id, or the beginning of one, always means that memory. Of words exactly one memory that has
    them all is meant; several are listed, and nothing is done. With `every`, the words are a query
    and all its memories are meant. `within` is a query that search words are narrowed by. Raises
    NotFound, Ambiguous, and BadInput for all projects.
    """
    if every:
        return core.context.memories(all_meant(core, words, within=within))
    if (by_id := _by_ids(core, words)) is not None:
        return by_id
    return [_only_one(core, words, within)]


def all_meant(core: MemoryCoordinator, words: Sequence[str], *, within: str = "") -> list[int]:
    """Return the row numbers of all that a query matches, as many as there may be.

    `within` narrows it. Raises NotFound, and BadInput for all projects and for no query.
    """
    from ..core.query.language import EVERY_PROJECT, project_asked

    _must_be_understood(words)
    if project_asked(" ".join(words)) == EVERY_PROJECT:
        hint = "--project names the one to act in."
        raise BadInput("All projects at once can only be read. Nothing was changed.", hint=hint)
    nums = list(core.services.search.nums(" ".join([*words, within]).strip()))
    if core.context.viewer is not None:  # an agent means what it may see
        nums = [memory.num for memory in core.context.memories(nums)]
    if not nums:
        raise NotFound(f"No memory matches {_quoted(words)}.")
    return nums


def _must_be_understood(words: Sequence[str]) -> None:
    """Raise BadInput for a query with ignored parts: it would match too many."""
    for hint in parse(" ".join(words)).hints:
        if hint.is_left_out:
            nearest = f" Did you mean {hint.nearest}?" if hint.nearest else ""
            raise BadInput(f"{hint.message}{nearest}", hint="Nothing was changed.")


def _by_ids(core: MemoryCoordinator, words: Sequence[str]) -> list[Memory] | None:
    """The memories with these ids; None when no word is one, so that they are search words."""
    memories: dict[str, Memory] = {}
    missing: list[str] = []
    for word in words:
        try:
            memory = core.resolve(word)
        except NotFound:
            missing.append(word)
        else:
            memories[memory.id] = memory
    if not missing:
        return list(memories.values())
    if memories and all(
        re.fullmatch(r"[0-9a-zA-Z]{4,}", word) and any(map(str.isdigit, word)) for word in words
    ):
        raise NotFound(f"No memory has the id {one_line(missing[0])}; nothing was changed.")
    return None


def _only_one(core: MemoryCoordinator, words: Sequence[str], within: str) -> Memory:
    request = parse(" ".join(words))
    hits = [hit.memory for hit in core.search(f"{request.text} {within}".strip(), limit=50)]
    whole = [memory for memory in hits if _has_all(memory, words)]
    if not whole:  # filters may be among them
        _must_be_understood(words)
        whole = [memory for memory in hits if _has_all(memory, (*request.words, *request.phrases))]
    if len(whole) == 1:
        return whole[0]
    candidates = whole or hits
    if not candidates:
        raise NotFound(f"No memory matches {_quoted(words)}.")
    narrate(f"{_quoted(words)} could mean:")
    list_candidates(core, candidates[:SHOWN])
    if len(candidates) > SHOWN:
        narrate(Ink(f"  … and {len(candidates) - SHOWN} more", "dim"))
    if not whole:
        hint = "Give the id of one, or fewer words."
        raise NotFound(f"No memory has all of {_quoted(words)}; nothing was changed.", hint=hint)
    raise Ambiguous(
        f"{_quoted(words)} means {len(candidates)} memories; nothing was changed.",
        hint="Give the id of one, or more words.",
    )


def _has_all(memory: Memory, words: Sequence[str]) -> bool:
    """Return True if each of `words` occurs in the memory, in any case."""
    text = " ".join((memory.title, memory.content, *memory.tags, *memory.files)).casefold()
    return all(word in text for details in words for word in re.findall(r"\w+", details.casefold()))


def list_candidates(core: MemoryCoordinator, memories: Sequence[Memory]) -> None:
    """Print the memories that words could mean on standard error."""
    now = core.now()
    table([memory_row(memory, now) for memory in memories], indent="  ", line=narrate)


def _quoted(words: Sequence[str]) -> str:
    return f"“{one_line(' '.join(words))}”"
