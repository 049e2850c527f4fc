"""A memory as a text file for `$EDITOR`, and back.

    ---
    title: Retry budget
    type: semantic
    importance: 7
    tags: queue, retry
    ---
    The text itself, as long as it likes.

What comes back is checked here as far as a file can be wrong; the core checks the values.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from textual.app import App, SuspendNotSupported

from ..core.errors import BadInput
from ..core.values import Memory
from .fields import FIELDS, fields_of

FENCE = "---"
NEW = {"title": "", "type": "", "category": "", "scope": "", "importance": "", "tags": "",
       "files": "", "due": "", "expires": ""}  # fmt: skip
_SAFE = re.compile(r"[^A-Za-z0-9-]+")


def to_text(memory: Memory | None) -> str:
    """The memory as front matter and text; an empty form for None."""
    values: Mapping[str, str] = fields_of(memory) if memory is not None else NEW
    head = [f"{name}: {value}".rstrip() for name, value in values.items() if name != "content"]
    body = memory.content if memory is not None else ""
    return "\n".join([FENCE, *head, FENCE, body.rstrip("\n"), ""])


def from_text(text: str) -> dict[str, str]:
    """The fields that a file holds, as text. Raises BadInput, naming the line that is no field."""
    lines = text.replace("\r\n", "\n").lstrip("\ufeff").split("\n")
    if not lines or lines[0].strip() != FENCE:
        raise BadInput(f"Line 1 is not `{FENCE}`.", hint="The fields stand between two such lines.")
    ends = [row for row, line in enumerate(lines[1:], 1) if line.strip() == FENCE]
    if not ends:
        raise BadInput(f"The fields have no end: a second `{FENCE}` is missing.")
    values: dict[str, str] = {}
    for number, line in enumerate(lines[1 : ends[0]], 2):
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or name not in FIELDS:
            known = ", ".join(field for field in FIELDS if field != "content")
            raise BadInput(f"Line {number} is no field: {line.strip()}", hint=f"Fields: {known}.")
        values[name] = value.strip()
    values["content"] = "\n".join(lines[ends[0] + 1 :]).strip("\n")
    return values


def edit_text(app: App[Any], text: str, name: str) -> str | None:
    """`text` as the person left it in their editor; None where no editor can be had.

    The file is private, named after the memory, and gone afterwards.
    """
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="memdeck-") as folder:  # made with mode 0700
        path = os.path.join(folder, f"{_SAFE.sub('-', name).strip('-')[:40] or 'memory'}.md")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            with app.suspend():
                done = subprocess.call([*command, path])
        except (SuspendNotSupported, OSError):
            return None
        if done != 0:
            return text
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
