"""The prompt that is tried out, and the line beneath that says with what it is asked."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import TextArea

from ..text import showable

LONGEST_PROMPT = 20_000  # characters; recall reads no more of one
PLACEHOLDER = "Type or paste a prompt, as you would to an agent."


class PromptArea(TextArea):
    """Text to write; `enter` goes on to what it gets, a paste keeps its lines."""

    HELP = """\
## Prompt
Type or paste what you would ask an agent: the answer follows as you type. `enter` goes to it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "leave", "To the answer", id="prompt.leave"),
        Binding("escape", "leave", "To the answer", show=False, id="prompt.escape"),
    ]

    class Left(Message):
        """The person is done with the prompt."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            placeholder=PLACEHOLDER,
            highlight_cursor_line=False,
        )
        self.cursor_blink = False

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":  # a line feed only comes by pasting
            event.stop()
            event.prevent_default()
            self.action_leave()

    async def _on_paste(self, event: events.Paste) -> None:
        room = LONGEST_PROMPT - len(self.text)
        # terminals send the ends of pasted lines as they send the key
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        clean = showable(text[: max(room, 0)])
        if clean != event.text:
            event.stop()
            event.prevent_default()
            await super()._on_paste(events.Paste(clean))

    def on_blur(self) -> None:
        """Where it has one line, how a prompt begins says more than how it ends."""
        self.scroll_home(animate=False)

    def on_focus(self) -> None:
        """Where one goes on writing."""
        self.scroll_cursor_visible()

    def action_leave(self) -> None:
        """On to the answer."""
        self.post_message(self.Left())

    def take(self, prompt: str) -> None:
        """Put this prompt there, with the cursor at its end."""
        self.text = showable(prompt[:LONGEST_PROMPT])
        self.move_cursor(self.document.end)
        if not self.has_focus:
            self.call_after_refresh(self.scroll_home, animate=False)


OFFERED_BY = "f"


class SettingsLine(Widget):
    """One line: the choices with the key that offers them, and at the right what came of it."""

    ALLOW_SELECT = False

    class Chosen(Message):
        """A choice was clicked: the next one of its kind."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[tuple[str, str, str, str]] = []  # kind, name, value, short value
        self.outcome: tuple[Content, ...] = ()  # the first that fits is shown
        self.instead: Content | None = None  # fills the line

    def say(self, choices: list[tuple[str, str, str, str]], *outcome: Content) -> None:
        """The choices, and what came of them: the longest wording that fits."""
        self.choices, self.outcome, self.instead = choices, outcome, None
        self.refresh()

    def say_instead(self, content: Content) -> None:
        """Something else."""
        self.instead = content
        self.refresh()

    def render(self) -> Content:
        room = self.size.width - 2
        if self.instead is not None:
            return self.instead.truncate(max(room, 0), ellipsis=True)
        without = (Content(""),)
        tries = [(form, self.outcome or without) for form in ("long", "short")]
        # the keys say more than the outcome, which stands in the panes too
        tries += [("short", without), ("bare", self.outcome), ("bare", without)]
        for form, outcomes in tries:
            left = self._left(form)
            for right in outcomes:
                gap = room - left.cell_length - right.cell_length
                if gap >= (2 if right.cell_length else 0):
                    return left + Content(" " * gap) + right
        return self._left("bare").truncate(max(room, 0), ellipsis=True)

    def _left(self, form: str) -> Content:
        parts = []
        for place, (kind, name, value, short) in enumerate(self.choices):
            pieces: list[tuple[str, str]] = []
            if form != "bare" and not place:
                pieces.append((f"{OFFERED_BY} ", "bold $footer-key-foreground"))
            if form == "long" and name:
                pieces.append((f"{name} ", "$text-muted"))
            pieces.append((value if form == "long" else short, "$foreground"))
            goes = Style.from_meta({"memdeck_choice": kind})
            parts.append(Content.assemble(*pieces).stylize(goes))
        return Content("  " if form == "long" else " · " if form == "bare" else " ").join(parts)

    def on_click(self, event: Any) -> None:
        kind = event.style.meta.get("memdeck_choice")
        if kind:
            event.stop()
            self.post_message(self.Chosen(kind))
