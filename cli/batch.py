"""`remember --batch`: one object a line in, one result a line out, printed once it is durable.

A line has the fields of `remember` (`text` or `content`, and type, category, scope,
importance, tags, files, title, pin, due, expires, key, details) or of the import format, which
adds confidence, status, session, agent, created_at and privacy. Importance is 0-1, or 2-10 as
`--importance` has it. A line that cannot be used is answered with the reason, and the next one
is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any

from ..core.errors import BadInput, ManagerError, StoreUnusable
from ..core.extensions import names
from ..core.text.moments import moment
from ..core.values import CATEGORIES, SCOPES, TYPES, importance_from_10
from . import stdin
from .encoder import encode
from .output import count, emit, hush, memory_count, narrate

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

IMPORTED = ("confidence", "status", "session", "agent", "created_at", "privacy")
"""Fields that only the import format has."""
_CHOICES = {"type": TYPES, "category": CATEGORIES, "scope": SCOPES}
_SEVERAL = {"tag": "tags", "file": "files"}


def remember_batch(core: MemoryCoordinator, stream: IO[bytes], defaults: Mapping[str, Any]) -> int:
    """Remember each line; `defaults` are the options of the command. 1 when a line failed."""
    done = known = failed = 0
    for number, line in stdin.objects(stream):
        try:
            result = _remember_line(core, line, defaults)
        except StoreUnusable:
            raise  # every further line would fail alike
        except (ManagerError, stdin.BadLine) as error:
            result = {"ok": False, "error": str(error)}
        failed += not result["ok"]
        known += result.get("outcome") == "duplicate"
        done += result["ok"] and result["outcome"] != "duplicate"
        try:
            emit({"ok": result.pop("ok"), "line": number, **result}, flush=True)
        except BrokenPipeError:  # nobody reads what became of them: the rest stays unsaid, undone
            hush()
            return 1
    already = f"{known:,} known already, " if known else ""
    narrate(f"{memory_count(done)} remembered, {already}{count(failed, 'line')} refused.")
    return 1 if failed else 0


def _remember_line(
    core: MemoryCoordinator, line: dict[str, Any] | stdin.BadLine, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """What became of one line. Raises BadLine, or ManagerError when the core says no."""
    if isinstance(line, stdin.BadLine):
        raise line
    given = {_SEVERAL.get(name, name): value for name, value in line.items() if value is not None}
    content = given.pop("content", None) or given.pop("text", None)
    given.pop("text", None)
    if not isinstance(content, str) or not content.strip():
        raise stdin.BadLine("`content` is missing or not a text")
    if isinstance(given.get("details"), dict):
        given["details"] = {**defaults.get("details", {}), **given["details"]}
    if any(name in given for name in IMPORTED):
        return _import_line(core, {"content": content, **_as_imported(defaults), **given})
    checked = _checked(given)
    result = core.remember(content, **{**defaults, **checked})
    if result.outcome == "refused":
        raise BadInput(result.reason)
    return {"ok": True, **encode(result), "key": checked.get("key")}


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `remember`, each of its kind. Raises BadLine."""
    checked: dict[str, Any] = {}
    for name, value in given.items():
        if name == "key" and isinstance(value, int) and not isinstance(value, bool):
            checked[name] = str(value)
        elif name in ("title", "key"):
            checked[name] = _text(name, value)
        elif name == "details":
            if not isinstance(value, dict):
                raise stdin.BadLine("`details` is not an object")
            checked[name] = value
        elif name in _CHOICES:
            checked[name] = _text(name, value)
            is_brought = name == "type" and value not in TYPES and value in names("type")
            if value not in _CHOICES[name] and not is_brought:
                raise stdin.BadLine(f"`{name}` is none of {', '.join(_CHOICES[name])}")
        elif name in ("tags", "files"):
            checked[name] = _texts(name, value)
        elif name == "pin":
            if not isinstance(value, bool):
                raise stdin.BadLine("`pin` is neither true nor false")
            checked[name] = value
        elif name in ("due", "expires"):
            checked[name] = _moment(name, value)
        elif name == "importance":
            checked[name] = _importance(value)
        # other fields are left for later versions, as an import leaves them
    return checked


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise stdin.BadLine(f"`{name}` is not a text")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise stdin.BadLine(f"`{name}` is not a list of texts")
    return tuple(values)


def _moment(name: str, value: Any) -> datetime:
    try:
        return moment(_text(name, value), ahead=True)
    except ValueError as error:
        raise stdin.BadLine(f"`{name}`: {error}") from error


def _importance(value: Any) -> float:
    """0-1 as it is; whole numbers from 2 to 10 on the scale 1-10. Raises BadLine."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise stdin.BadLine("`importance` is not a number")
    if 0 <= value <= 1:
        return float(value)
    if isinstance(value, int) and 2 <= value <= 10:
        return importance_from_10(value)
    raise stdin.BadLine("`importance` is neither from 0 to 1 nor a whole number from 2 to 10")


def _as_imported(defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the command as the import format has them; what was not given is left out."""
    given = {name: value for name, value in defaults.items() if value not in (None, (), False)}
    if given.pop("pin", False):
        given["status"] = "pinned"
    for name in ("due", "expires"):
        if name in given:
            given[name] = given[name].isoformat()
    return {name: list(one) if isinstance(one, tuple) else one for name, one in given.items()}


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
