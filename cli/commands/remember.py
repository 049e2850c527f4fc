"""A text remembered at once, or many: `--batch` takes an object a line, and answers each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any

import click

from ...core.answers import StoreResult
from ...core.errors import BadInput, ManagerError, StoreUnusable
from ...core.extensions import names
from ...core.text.times import moment
from ...core.values import CATEGORIES, SCOPES, TYPES, Memory, importance_from_10
from ..acts import became, released_at, shown
from ..encoder import encode
from ..options import (
    CATEGORY,
    DEADLINE,
    FUTURE,
    IMPORTANCE,
    PRIVACY,
    SCOPE,
    TYPE,
    BadLine,
    Door,
    agreeable,
    command,
    json_lines,
    open_input,
    text_argument,
)
from ..output import Ink, count, emit, hush, memory_count, narrate, one_line

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


@command(
    'memdeck remember "No migrations on Fridays" --category warning --pin',
    "memdeck remember --batch notes.jsonl",
)
@click.argument("text", nargs=-1)
@TYPE
@CATEGORY
@SCOPE
@PRIVACY
@click.option(
    "--release-after", type=FUTURE, metavar="WHEN", help="When what is not public becomes so: 7d."
)
@click.option("--importance", type=IMPORTANCE, help="From 1 to 10.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; repeatable.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="A file it is about; repeatable."
)
@click.option("--title", help="A title; the first words otherwise.")
@click.option("--pin", is_flag=True, help="Pin it: given with every prompt.")
@click.option("--due", type=DEADLINE, metavar="WHEN", help="When to act on it: 2026-03-01, 3d.")
@click.option(
    "--when-file", metavar="PATH", help="A task, told when an agent opens or edits this file."
)
@click.option(
    "--when-event", metavar="WORDS", help="A task, told with the prompt that says this happened."
)
@click.option("--expires", type=DEADLINE, metavar="WHEN", help="When it leaves recall.")
@click.option("--key", help="Your own id for it; of a known one the text is replaced.")
@click.option(
    "--batch", metavar="FILE|-", help="A JSON object a line in, a result a line out, once durable."
)
@agreeable
def remember(
    door: Door,
    text: tuple[str, ...],
    batch: str | None,
    yes: bool,
    when_file: str | None,
    when_event: str | None,
    release_after: datetime | None,
    **wanted: Any,
) -> int:
    """Remember a text.

    Kept at once, secrets taken out first. `-` reads the text from a pipe.
    """
    if when_file is not None or when_event is not None:
        wanted["details"] = _trigger(when_file, when_event, wanted["type"])
        wanted["type"] = "prospective"
        if when_file is not None:
            wanted["files"] = (*wanted["files"], wanted["details"]["trigger_condition"])
    if release_after is not None:
        if wanted["privacy"] in (None, "public"):
            raise click.UsageError("--release-after goes with --privacy private or agent-only.")
        wanted["details"] = {**wanted.get("details", {}), **released_at(release_after)}
    if batch is not None:
        if text:
            raise click.UsageError("--batch brings its own texts; leave TEXT out.")
        with open_input(batch) as stream, door.memory(yes=yes, asks=False) as core:
            _keep_for_caller(core, wanted["privacy"])
            return remember_batch(core, stream, wanted)
    content = text_argument(text, "TEXT")
    with door.memory(yes=yes) as core:
        _keep_for_caller(core, wanted["privacy"])
        result = core.remember(content, **wanted)
        memory = shown(core, result.memory_id)
        opposed = _opposed_to(memory, core) if result.stored and memory else []
        is_over = bool(memory and memory.expires and memory.expires <= core.now())
    door.prints_json(result, memory=memory)
    code = _tell(result, memory, quiet=door.as_json)
    request = wanted["privacy"]
    if request is not None and memory is not None and memory.privacy != request:
        narrate(Ink(f"  It was known and stays {memory.privacy}.", "warn"))
        narrate(Ink(f"  `memdeck edit {memory.short_id} --privacy {request}` changes it.", "dim"))
    if is_over and wanted["expires"] is not None:
        narrate(Ink("  It ends at once: --expires names a time that is over.", "warn"))
    for other in opposed:
        narrate(Ink(f"  It contradicts {other.short_id}: {one_line(other.title)}", "warn"))
    if opposed:
        narrate(Ink("  `memdeck review` shows both; they wait for your verdict.", "dim"))
    return code


def _keep_for_caller(core: MemoryCoordinator, privacy: str | None) -> None:
    """What an agent keeps private in its own shell is for its session."""
    if privacy == "private" and core.context.viewer is not None:
        core.context.session = core.context.viewer.session


def _trigger(path: str | None, event: str | None, type: str | None) -> dict[str, str]:
    """What a task waits for. Raises UsageError for what no task can wait for."""
    if path is not None and event is not None:
        raise click.UsageError("A task waits for --when-file or for --when-event, not for both.")
    if type not in (None, "prospective"):
        raise click.UsageError(f"Only a task waits: leave --type {type} out.")
    if path is not None:
        from ...core.projects import whereabouts

        path = os.path.normpath(os.path.expanduser(path)).replace("\\", "/")
        if os.path.isabs(path):
            path = os.path.realpath(path).removeprefix(f"{whereabouts(os.path.dirname(path))[0]}/")
        return {"trigger_type": "context", "trigger_condition": path}
    from ...core.recall.keywords import keywords

    if not keywords(event or ""):
        raise click.UsageError("--when-event needs words that a prompt can say.")
    return {"trigger_type": "event", "trigger_condition": event or ""}


def _opposed_to(memory: Memory, core: MemoryCoordinator) -> list[Memory]:
    """Return the other sides of the conflicts that name the memory."""
    return [
        conflict.second if conflict.first.id == memory.id else conflict.first
        for conflict in core.conflicts()
        if memory.id in (conflict.first.id, conflict.second.id)
    ]


def _tell(result: StoreResult, memory: Memory | None, *, quiet: bool) -> int:
    """Say what became of a text; 1 when it was refused."""
    if became(result, memory, "remembered", quiet=quiet):
        return 1
    if result.reason != "remembered":
        narrate(f"  {result.reason}")
    if result.removed:
        narrate(Ink(f"  Taken out before storing: {', '.join(result.removed)}.", "warn"))
    return 0


IMPORTED = ("confidence", "status", "session", "agent", "created_at", "privacy")
"""Fields that only the import format has."""
_CHOICES = {"type": TYPES, "category": CATEGORIES, "scope": SCOPES}
_SEVERAL = {"tag": "tags", "file": "files"}


def remember_batch(core: MemoryCoordinator, stream: IO[bytes], defaults: Mapping[str, Any]) -> int:
    """Remember each line; `defaults` are the options of the command. 1 when a line failed.

    A line has the fields of `remember` (`text` or `content`, and type, category, scope, importance,
    tags, files, title, pin, due, expires, key, details) or of the import format, which adds
    `IMPORTED`. Importance is 0-1, or 2-10 as `--importance` has it. A line that cannot be used is
    answered with the reason, and the next one is read.
    """
    done = existing = failed = 0
    for number, line in json_lines(stream):
        try:
            result = _remember_line(core, line, defaults)
        except StoreUnusable:
            raise  # every further line would fail alike
        except (ManagerError, BadLine) as error:
            result = {"ok": False, "error": str(error)}
        failed += not result["ok"]
        existing += result.get("outcome") == "duplicate"
        done += result["ok"] and result["outcome"] != "duplicate"
        try:
            emit({"ok": result.pop("ok"), "line": number, **result}, flush=True)
        except BrokenPipeError:  # nobody reads what became of them: the rest stays unsaid, undone
            hush()
            return 1
    already = f"{existing:,} known already, " if existing else ""
    narrate(f"{memory_count(done)} remembered, {already}{count(failed, 'line')} refused.")
    return 1 if failed else 0


def _remember_line(
    core: MemoryCoordinator, line: dict[str, Any] | BadLine, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """What became of one line. Raises BadLine, or ManagerError when the core says no."""
    if isinstance(line, BadLine):
        raise line
    values = {_SEVERAL.get(name, name): value for name, value in line.items() if value is not None}
    content = values.pop("content", None) or values.pop("text", None)
    values.pop("text", None)
    if not isinstance(content, str) or not content.strip():
        raise BadLine("`content` is missing or not a text")
    if isinstance(values.get("details"), dict):
        values["details"] = {**defaults.get("details", {}), **values["details"]}
    if any(name in values for name in IMPORTED):
        return _import_line(core, {"content": content, **_as_imported(defaults), **values})
    checked = _checked(values)
    result = core.remember(content, **{**defaults, **checked})
    if result.outcome == "refused":
        raise BadInput(result.reason)
    return {"ok": True, **encode(result), "key": checked.get("key")}


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `remember`, each of its kind. Raises BadLine."""
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name == "key" and isinstance(value, int) and not isinstance(value, bool):
            checked[name] = str(value)
        elif name in ("title", "key"):
            checked[name] = _text(name, value)
        elif name == "details":
            if not isinstance(value, dict):
                raise BadLine("`details` is not an object")
            checked[name] = value
        elif name in _CHOICES:
            checked[name] = _text(name, value)
            is_brought = name == "type" and value not in TYPES and value in names("type")
            if value not in _CHOICES[name] and not is_brought:
                raise BadLine(f"`{name}` is none of {', '.join(_CHOICES[name])}")
        elif name in ("tags", "files"):
            checked[name] = _texts(name, value)
        elif name == "pin":
            if not isinstance(value, bool):
                raise BadLine("`pin` is neither true nor false")
            checked[name] = value
        elif name in ("due", "expires"):
            checked[name] = _moment(name, value)
        elif name == "importance":
            checked[name] = _importance(value)
        # other fields are left for later versions, as an import leaves them
    return checked


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadLine(f"`{name}` is not a text")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise BadLine(f"`{name}` is not a list of texts")
    return tuple(values)


def _moment(name: str, value: Any) -> datetime:
    try:
        return moment(_text(name, value), ahead=True)
    except ValueError as error:
        raise BadLine(f"`{name}`: {error}") from error


def _importance(value: Any) -> float:
    """0-1 as it is; whole numbers from 2 to 10 on the scale 1-10. Raises BadLine."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadLine("`importance` is not a number")
    if 0 <= value <= 1:
        return float(value)
    if isinstance(value, int) and 2 <= value <= 10:
        return importance_from_10(value)
    raise BadLine("`importance` is neither from 0 to 1 nor a whole number from 2 to 10")


def _as_imported(defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the command as the import format has them; what was not given is left out."""
    values = {name: value for name, value in defaults.items() if value not in (None, (), False)}
    if values.pop("pin", False):
        values["status"] = "pinned"
    for name in ("due", "expires"):
        if name in values:
            values[name] = values[name].isoformat()
    return {name: list(item) if isinstance(item, tuple) else item for name, item in values.items()}


def _import_line(core: MemoryCoordinator, line: dict[str, Any]) -> dict[str, Any]:
    """Take a line in the import format in, and say which memory it is now."""
    if "importance" in line:
        line["importance"] = _importance(line["importance"])
    report = core.import_memories([line])
    if report.refused:
        raise BadInput(report.refused[0][1])
    return {
        "ok": True,
        "stored": bool(report.added),
        "id": report.ids[0],
        "outcome": "stored" if report.added else "duplicate",
        "key": line.get("key"),
    }
