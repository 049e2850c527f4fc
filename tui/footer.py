"""The last line: what is marked, and the keys that work now. Nothing it shows is dead.

It belongs to what stands on top: while a dialog does, its keys stand here, and no others.

It reads the bindings in force, so it cannot disagree with them. A key that cannot act at the
moment is dimmed and says why in its tooltip.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.binding import ActiveBinding
from textual.content import Content
from textual.keys import key_to_character
from textual.message import Message
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from .acts import FOOTER_ORDER
from .glyphs import Glyphs
from .text import width
from .view import View

_UNNAMED = {"slash": "/", "minus": "-", "plus": "+"}  # Textual knows their names one way only
HELP = ".help"  # how the act's id ends: always shown, at the right end
BACK = "app.back"  # before it, once there is a way back; more of the way where keys leave room
MOST_STEPS = 3  # steps of the way that are named
GAP = "  "
ON_ONE = ("memory.open", "list.mark", "memory.edit")  # acts on the row under the cursor alone


class Keys(Widget):
    """One line of keys."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="keys")
        self._glyphs = glyphs
        self.notice = ""  # "3 marked: 1 pinned"
        self.way: Sequence[str] = ()  # the names of the views one came through, newest last

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)
        self.watch(self.screen, "stack_updates", self._stack_changed, init=False)

    @property
    def _top(self) -> Screen[Any]:
        """What stands on top, and so has the keys."""
        return self.app.screen

    def _stack_changed(self) -> None:
        """A dialog came or went; one that came gets a line of its own, as this one is dimmed."""
        top = self._top
        if self.is_attached and top is not self.screen:
            top.bindings_updated_signal.subscribe(self, self._bindings_changed)
            if top.is_attached and not top.query(Keys):
                top.mount(Keys(self._glyphs))
        self.refresh()

    def _bindings_changed(self, screen: Screen[Any]) -> None:
        if self.is_attached and screen is self._top:
            self.refresh()

    def say(self, notice: str) -> None:
        """What stands before the keys."""
        if notice != self.notice:
            self.notice = notice
            self.refresh()

    def come_from(self, views: Sequence[str]) -> None:
        """The way back: the names of the views one came through, newest last."""
        if views != self.way:
            self.way = views
            self.refresh()

    def _way_back(self, room: int) -> Content:
        """`⌫ Home › Inbox`: the key, and where it leads last named; at least that one step."""
        key = next(
            (
                key
                for key, active in self._top.active_bindings.items()
                if active.binding.id == BACK and not self._is_typed(key)
            ),
            None,
        )
        if not self.way or key is None or self._top is not self.screen:
            return Content("")
        ways = []
        for count in range(1, min(MOST_STEPS, len(self.way)) + 1):
            more = "… " if count < len(self.way) else ""
            says = f"{more}{f' {self._glyphs.step} '.join(self.way[-count:])}"
            ways.append(self._part(key, self._top.active_bindings[key], says) + Content(GAP))
        return max([way for way in ways if way.cell_length <= room] or ways[:1], key=len)

    def shown(self) -> list[tuple[str, ActiveBinding]]:
        """The keys to show with their bindings, each act once, the most needed first."""
        seen: set[str] = set()
        found: list[tuple[str, ActiveBinding]] = []
        for key, active in self._top.active_bindings.items():
            binding = active.binding
            if not binding.show or binding.action in seen or self._is_typed(key):
                continue
            seen.add(binding.action)
            found.append((key, active))
        return sorted(found, key=lambda pair: _rank(pair[1]))

    def _is_typed(self, key: str) -> bool:
        """Whether the key would only be typed into the field that has the focus."""
        focused = self._top.focused
        letter = key_to_character(key) or _UNNAMED.get(key)
        return focused is not None and focused.check_consume_key(key, letter)

    def render(self) -> Content:
        """As many keys as fit, in order; help and the last step back always."""
        room = self.size.width
        says = self.notice if self._top is self.screen else ""
        parts = [Content.styled(says, "bold $text-accent")] if says else []
        keys = self.shown()
        if says:  # first what acts on all that is marked
            keys.sort(key=lambda pair: pair[1].binding.id in ON_ONE)
        last = [self._part(key, active) for key, active in keys if _is_help(active)]
        used = sum(part.cell_length + len(GAP) for part in (*parts, *last))
        used += self._way_back(0).cell_length if last else 0
        for key, active in keys:
            if _is_help(active):
                continue
            part = self._part(key, active)
            if used + part.cell_length > room:
                break
            used += part.cell_length + len(GAP)
            parts.append(part)
        line = Content(GAP).join(parts)
        if last:
            gap = room - line.cell_length - last[0].cell_length
            way = self._way_back(gap - 1)
            line = line + Content(" " * max(gap - way.cell_length, 1)) + way + last[0]
        return line

    def _part(self, key: str, active: ActiveBinding, says: str = "") -> Content:
        """`p Pin`: the key, what is said of it, else its label, and what a click does."""
        binding = active.binding
        name = printed_key(self.app.get_key_display(binding))
        label = says or binding.description
        if not active.enabled:
            text = Content.styled(f"{name} {label}", "$text-disabled")
        else:
            text = Content.assemble(
                (name, "bold $footer-key-foreground"),
                (f" {label}", "$footer-description-foreground"),
            )
        assert width(text.plain) > 0
        return text.stylize(Style.from_meta({"memdeck_key": key, "tooltip": self._why(active)}))

    def _why(self, active: ActiveBinding) -> str:
        return why_not(active) or active.tooltip or active.binding.tooltip

    def on_mouse_move(self, event: Any) -> None:
        tooltip = event.style.meta.get("tooltip", "")
        self.tooltip = Content(tooltip) if tooltip else None

    def on_click(self, event: Any) -> None:
        key = event.style.meta.get("memdeck_key")
        if key:
            event.stop()
            self.post_message(self.Pressed(key))


def printed_key(name: str) -> str:
    """A key by what is printed on it: `f2` is F2, `space` ␣; others stay as they are."""
    if name == "space":
        return "␣"
    return name.upper() if name[:1] == "f" and name[1:].isdigit() else name


def why_not(active: ActiveBinding) -> str:
    """Why a dimmed key cannot act now, as a sentence; "" when it can, or nobody says."""
    view = active.node
    if active.enabled or not isinstance(view, View):
        return ""
    if active.binding.action.startswith("match"):  # what every view can do
        return "" if view.box.text else "Nothing is looked for: / does that."
    return view.why_not(active.binding.action)


def _is_help(active: ActiveBinding) -> bool:
    return (active.binding.id or "").endswith(HELP)


def _rank(active: ActiveBinding) -> int:
    act, view = active.binding.id or "", active.node
    is_first = isinstance(view, View) and act in view.FOOTER_FIRST
    return FOOTER_ORDER.index("" if is_first or act not in FOOTER_ORDER else act)
