"""Which files were changed in a session, and how."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .subjects import relative
from .turns import Call

EDITING = ("Edit", "MultiEdit", "Write", "NotebookEdit")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file."""

    position: int  # of the call among the turns
    path: str  # relative to the project where possible
    is_new: bool  # the file was written whole


def edits_in(calls: Iterable[Call], root: str | None) -> tuple[Edit, ...]:
    """The changes that `calls` made and that did not fail."""
    found = []
    for call in calls:
        path = call.argument("file_path", "notebook_path", "path")
        if call.tool not in EDITING or not path or (call.result and call.result.is_error):
            continue
        found.append(Edit(call.position, relative(path, root), call.tool == "Write"))
    return tuple(found)


def edits_between(edits: Sequence[Edit], first: int, last: int) -> Sequence[Edit]:
    """The changes after position `first` and before `last`; `edits` are in order."""
    start = bisect_right(edits, first, key=lambda edit: edit.position)
    return edits[start : bisect_left(edits, last, key=lambda edit: edit.position)]
