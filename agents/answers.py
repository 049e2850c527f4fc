"""What is told at a moment, and its account. Light: a start told from its block needs no more."""

from __future__ import annotations

from ..hosts import wire
from . import spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..db.home import Home
    from ..hosts.wire import Event

BETWEEN = "\n\n"
"""What stands between the texts of several moments."""


class Answer:
    """The text for the model, and its account."""

    __slots__ = ("receipt", "text")

    def __init__(self, text: str, receipt: dict[str, Any] | None) -> None:
        self.text = text
        self.receipt = receipt  # None when there was nothing to choose from


def joined(answers: Sequence[Answer]) -> str:
    """The texts of several moments as one."""
    return BETWEEN.join(one.text for one in answers if one.text)


def keep_receipt(home: Home, event: Event, receipt: Mapping[str, Any], text: str = "") -> None:
    """Note in the spool what was injected: ids, numbers and the `text`; no word of any prompt.

    The text is made of memories, which hold no secrets. The drain finds the prompt in the host's
    transcript, and redacts it there.
    """
    items = [{**item, "title": ""} for item in receipt["items"]]
    about, after = receipt["about"], receipt["about"]["next"]
    if after:
        about = {**about, "next": {**after, "title": ""}}
    noted = {**receipt, "items": items, "about": about}
    if text:
        noted["text"] = text
    if event.kind == wire.PROMPT and event.transcript:
        noted["transcript"] = event.transcript
    record = spool.new_record(spool.RECEIPT, event.host, event.session, event.cwd)
    spool.append(home, {**record, "receipt": noted})
