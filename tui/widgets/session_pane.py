"""The pane in which one session is read; a fork in it can be clicked as a memory can."""

from __future__ import annotations

from textual import events
from textual.message import Message

from .text_pane import TextPane


class SessionPane(TextPane):
    """One session in full."""

    HELP = """\
## Session
What it was asked and told, what it learned and left open, what it spent, and where it went on.
`j` and `k` scroll.
"""

    class SessionClicked(Message):
        """Another session was clicked. `session` is its id."""

        def __init__(self, session: str) -> None:
            super().__init__()
            self.session = session

    def on_click(self, event: events.Click) -> None:
        """Memories are the pane's own; Textual calls that handler as well."""
        session = event.style.meta.get("memdeck_session")
        if session:
            event.stop()
            self.post_message(self.SessionClicked(session))
