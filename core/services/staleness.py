"""What is to be verified, and what a person answers: still true, or the file is there now."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...db import ageing
from ...db.images import headline_of
from ..errors import Refused

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory
    from .evidence import Evidence
    from .writer import Writer


class Staleness:
    """Answers to evidence. Each is one entry of the trail, and one undo."""

    def __init__(self, context: Context, writer: Writer) -> None:
        self._context = context
        self._writer = writer

    def flagged(self) -> list[Memory]:
        """The project's memories that are to be verified, what was found last first."""
        found = ageing.flagged(*self._context.here)
        return self._context.memories([num for num, _ in found])

    def hindrance(self) -> str:
        """Why nothing new can be marked, in words; "" when git answers or need not be asked.

        Asks git, for as long as `lifecycle.git_seconds` allows.
        """
        if not self._context.policy.lifecycle.staleness:
            return ""
        return _told(self.evidence.hindrance())

    def met(self) -> str:
        """What hindered the last upkeep, or its preview, in words; "" when nothing did."""
        return _told(self.evidence.met)

    @cached_property
    def evidence(self) -> Evidence:
        """What upkeep looks at, too."""
        from .evidence import Evidence

        return Evidence(self._context)

    def moves(self, memory: str) -> list[tuple[str, str]]:
        """Of the files that a flagged memory names: where each was, and where it is now."""
        found = ageing.of_memory(self._context.store.connection, memory)
        return [(old, new) for old, new in json.loads(found["moves"])] if found else []

    def confirm(self, refs: str | Sequence[str]) -> list[Memory]:
        """Say that memories are still true: a person stands for them until new evidence comes.

        Raises NotFound, Ambiguous, and Refused for what nothing speaks against.
        """

        def change_one(image: Image, change: Change) -> Image:
            self._must_be_flagged(image)
            self._writer.vouch(image, change)
            return {**image, "updated_at": self._context.now_ms()}

        return self._writer.change_all("confirm", refs, change_one, "still true")

    def follow(self, refs: str | Sequence[str]) -> list[Memory]:
        """Let memories name the files where they are now, in their text too.

        Raises NotFound, Ambiguous, and Refused for those whose files did not move.
        """

        def change_one(image: Image, change: Change) -> Image:
            self._must_be_flagged(image)
            moves = self.moves(image["id"])
            if not moves:
                raise Refused(
                    f"No file of “{headline_of(image)}” has moved.",
                    hint="`memdeck edit` says what is so now; `memdeck forget` retires it.",
                )
            fields = {
                "content": _renamed(image["content"], moves),
                "title": _renamed(image["title"], moves),
                "files": [_renamed(path, moves) for path in image["files"]],
            }
            self._writer.vouch(image, change)
            return self._writer.edited(change, image, fields)

        return self._writer.change_all("edit", refs, change_one, "its files have moved")

    def _must_be_flagged(self, image: Image) -> None:
        self._writer.must_live(image)
        if self._context.actor != "person":
            raise Refused("Only a person says that a memory is still true.")
        if ageing.of_memory(self._context.store.connection, image["id"]) is None:
            raise Refused(f"Nothing speaks against “{headline_of(image)}”.")


def _told(why: str) -> str:
    return f"No memory is marked to be verified: {why.rstrip('.')}." if why else ""


def _renamed(text: str, moves: Sequence[tuple[str, str]]) -> str:
    """`text` with each path as it is now. One that is a part of a longer path stays."""
    for old, new in moves:
        parts = re.split(rf"(?<![\w.@+-]){re.escape(old)}(?![\w/-])", text)
        text = new.join(parts)
    return text
