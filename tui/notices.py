"""Notices: what an act did, what went wrong, why a key does nothing; and the page of all."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.markup import escape
from textual.widgets import Static

from ..core.errors import ManagerError, StoreUnusable
from .acts import UNDO
from .dialogs.questions import Dialog
from .text import plain
from .widgets.text_pane import scroll_keys

if TYPE_CHECKING:
    from textual.notifications import Notification

    from .acts import Act
    from .app import MemoryApp

NOTICE_SECONDS = 8.0
REFUSAL_SECONDS = 3.0  # how long it is said why a key does nothing
NOTICE_LINES = 9  # lines at the bottom that notices may take
MOST_KEPT = 50  # notices that can be read again


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, its time in seconds since 1970, and the traceback of its error, if any."""

    at: float
    title: str
    text: str
    cause: str = ""


class Notices:
    """The notices of the app: one at a time, and never over the cursor.

    A notice that arrives before the last one can have been read is shown beside it.
    """

    READ_SECONDS = 2.0  # in which nobody has read one yet

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self._last_trouble = ""
        self._said_at = 0.0
        self._warning = ("", 0.0)  # what a warning says, and when that was said
        self._refusal = ("", 0.0)  # why a key did nothing, and when that was said
        self._causes: dict[str, str] = {}  # tracebacks by the title of the notice
        self.said: deque[Notice] = deque(maxlen=MOST_KEPT)  # of this run, newest last

    def toast(self, sentence: str, *, undo: bool = False, is_beside: bool = False) -> None:
        """Show the notice of an act in place of older ones: their "Undo" would undo this act.

        `sentence` is markup: memory text in it comes from `quoted`. `is_beside`: what else came of
        the act was said before, and stays.
        """
        if not is_beside:
            # in line with the notices to come
            self._app.call_later(self._app.clear_notifications)
        if undo:
            sentence += f" {self.link(UNDO)}"
        self._app.notify(sentence, timeout=NOTICE_SECONDS)

    def link(self, act: Act) -> str:
        """Markup that offers `act`, and names the key that has it here."""
        return f"[@click={act.id}]{act.label} ({escape(act.key_in(self._app.keymap))})[/]"

    def report(self, error: ManagerError) -> None:
        """The one place where a core error becomes a notice."""
        text = f"{error} {error.hint}".strip()
        if isinstance(error, StoreUnusable) and text == self._last_trouble:
            return  # several lanes stumble over the same thing
        message, when = self._warning
        if str(error).rstrip(".") in message and time.monotonic() - when < NOTICE_SECONDS:
            return  # it is in that notice
        self._last_trouble = text
        self._causes[str(error)] = "".join(traceback.format_exception(error)).rstrip()
        self._app.notify(
            f"{escape(error.hint)} [@click=app.messages]Details (f2)[/]".strip(),
            title=escape(str(error)),
            severity="error" if isinstance(error, StoreUnusable) else "warning",
            timeout=NOTICE_SECONDS,
        )

    def warn(self, title: str, problems: Sequence[str]) -> None:
        """What was found wrong and is to be known, in one notice."""
        self._warning = "\n".join(problems), time.monotonic()
        self._app.notify(
            self._warning[0],
            title=title,
            severity="warning",
            markup=False,
            timeout=NOTICE_SECONDS,
        )

    def refuse(self, reason: str) -> None:
        """Why a dimmed key does nothing; once, however often it is pressed."""
        now = time.monotonic()
        if reason and (reason != self._refusal[0] or now - self._refusal[1] > REFUSAL_SECONDS):
            self._refusal = reason, now
            self._app.notify(reason, timeout=REFUSAL_SECONDS, markup=False)

    def log_notice(self, notification: Notification) -> None:
        """One comes: it is kept, to be read again, and the one before goes if it was read."""
        title = notification.title
        words = notification.message
        text = Content.from_markup(words).plain if notification.markup else words
        text = text.removesuffix("Details (f2)").strip()
        self.said.append(Notice(time.time(), title, text, self._causes.pop(title, "")))
        self.clear_what_was_read()
        self._said_at = time.monotonic()
        if self._app.navigation.has_stage:
            self.keep_off_the_cursor()

    def clear_what_was_read(self) -> None:
        """Before another notice, or a dialog, which none of them may cover."""
        if time.monotonic() - self._said_at > self.READ_SECONDS:
            self._app.clear_notifications()

    def keep_off_the_cursor(self) -> None:
        """Notices stand at the bottom, or at the top while the cursor is down there."""
        view = self._app.stage.shown
        listing = None if view is None else view.list_in_use()
        row = None if listing is None else listing.cursor_y
        is_low = row is not None and row > self._app.size.height - NOTICE_LINES
        self._app.screen_stack[0].set_class(is_low, "-notices-above")


class MessagesText(VerticalScroll, can_focus=True):
    """The text, to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
    ]


class MessagesScreen(Dialog[None]):
    """Answers nothing."""

    HELP = "Everything that was said since the app was opened. `esc` goes back."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "leave", "Back", id="messages.leave"),
        Binding("question_mark", "app.help", "Help", key_display="?", id="messages.help"),
    ]

    def __init__(self, said: Iterable[Notice]) -> None:
        super().__init__()
        self._said = tuple(said)

    def compose(self) -> ComposeResult:
        with Vertical(id="reading"):
            yield Static("Messages", classes="dialog-title", markup=False)
            with MessagesText():
                yield Static(Content("\n").join(list(_lines(self._said))), markup=False)
            yield Static(plain("j k scroll  esc back", "$text-muted"), markup=False)

    def on_mount(self) -> None:
        """Keys scroll."""
        self.query_one(MessagesText).focus()


def _lines(notices: tuple[Notice, ...]) -> Iterator[Content]:
    if not notices:
        yield plain("Nothing was said yet.", "$text-muted")
    for item in reversed(notices):
        moment = f"{datetime.fromtimestamp(item.at).astimezone():%H:%M:%S}  "
        yield Content.assemble((moment, "$text-muted"), plain(item.title or item.text, "bold"))
        if item.title and item.text:
            yield plain(f"          {item.text}")
        for line in item.cause.splitlines():
            yield plain(f"          {line}", "$text-muted")
        yield Content("")
