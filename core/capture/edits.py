"""Which files were changed in a session, how, and where a name is defined."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .subjects import relative
from .turns import Call

_EDITING = ("Edit", "MultiEdit", "Write", "NotebookEdit")
DEFINITION = re.compile(
    r"\b(?:def|class|function|func|fn|const|let|var|type|interface|struct|enum|trait|module)\s+"
    r"(?:\([^)]{0,80}\)\s*)?([A-Za-z_]\w{2,})"
)
_MAX_SNIPPET = 70  # characters of code that fit into a sentence


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file."""

    position: int  # of the call among the turns
    path: str  # relative to the project where possible
    before: str
    after: str
    is_new: bool  # the file was written whole

    def as_words(self) -> str:
        """`old` became `new`, where one line each says it; else an empty text."""
        pair = _changed_line(self.before, self.after)
        return f"`{pair[0]}` became `{pair[1]}`" if pair else ""

    def swap(self) -> tuple[str, str] | None:
        """The one line that changed, before and after, if it is short."""
        return _changed_line(self.before, self.after)


def edits_in(calls: Iterable[Call], root: str | None) -> tuple[Edit, ...]:
    """The changes that `calls` made and that did not fail."""
    found = []
    for call in calls:
        path = call.argument("file_path", "notebook_path", "path")
        if call.tool not in _EDITING or not path or (call.result and call.result.is_error):
            continue
        changes = call.turn.tool_input.get("edits")
        parts = changes if isinstance(changes, list) else [call.turn.tool_input]
        for part in parts:
            if not isinstance(part, dict):
                continue
            before, after = part.get("old_string"), part.get("new_string", part.get("content"))
            found.append(
                Edit(
                    call.position,
                    relative(path, root),
                    before if isinstance(before, str) else "",
                    after if isinstance(after, str) else "",
                    call.tool == "Write",
                )
            )
    return tuple(found)


def edits_between(edits: Sequence[Edit], first: int, last: int) -> Sequence[Edit]:
    """The changes after position `first` and before `last`; `edits` are in order."""
    start = bisect_right(edits, first, key=lambda edit: edit.position)
    return edits[start : bisect_left(edits, last, key=lambda edit: edit.position)]


def definitions(calls: Iterable[Call], root: str | None) -> dict[str, str]:
    """The file that defines a name, for names that just one file was seen to define."""
    homes: dict[str, set[str]] = {}
    for call in calls:
        path = call.argument("file_path")
        if not path:
            continue
        seen = [call.argument("content"), call.argument("old_string"), call.argument("new_string")]
        if call.tool == "Read" and call.result:
            seen.append(call.result.text)
        for text in seen:
            for name in DEFINITION.findall(text):
                homes.setdefault(name, set()).add(relative(path, root))
    return {name: next(iter(paths)) for name, paths in homes.items() if len(paths) == 1}


def _changed_line(before: str, after: str) -> tuple[str, str] | None:
    old = [line.strip() for line in before.splitlines() if line.strip()]
    new = [line.strip() for line in after.splitlines() if line.strip()]
    gone = [line for line in old if line not in new]
    come = [line for line in new if line not in old]
    if len(gone) != 1 or len(come) != 1:
        return None
    pair = gone[0], come[0]
    if any(len(code) > _MAX_SNIPPET or "`" in code for code in pair):
        return None
    return pair
