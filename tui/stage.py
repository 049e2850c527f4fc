"""The strip of screens, the screen that is shown, and the last line.

A screen keeps its state by staying mounted. It is imported and mounted on its first visit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Footer, Static

from .acts import APP_ACTS, VIEW_ACTS
from .text import cut
from .view import Place, View


@dataclass(frozen=True, slots=True)
class ScreenKind:
    """A screen of the app: its id, its name in the strip, its key, and its class."""

    name: str
    label: str
    key: str
    module: str
    view: str

    @property
    def view_class(self) -> type[View]:
        """The class of its view, imported on the first visit."""
        view: type[View] = getattr(import_module(f"memdeck.tui.{self.module}"), self.view)
        return view


SCREENS = (
    ScreenKind("memories", "Memories", "1", "screens.memories", "MemoriesView"),
    ScreenKind("review", "Review", "2", "screens.review", "ReviewView"),
    ScreenKind("prompts", "Prompts", "3", "screens.prompts", "PromptsView"),
    ScreenKind("history", "History", "4", "screens.history", "HistoryView"),
    ScreenKind("setup", "Setup", "5", "screens.setup", "SetupView"),
)
"""The five screens in the order of the strip."""

VIEWS: Mapping[str, ScreenKind] = {kind.name: kind for kind in SCREENS}


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of the header, and what is switched differently from usual."""

    project: str = ""
    memories: int | None = None
    review: int = 0  # candidates and conflicts that wait for a verdict
    setup: int = 0  # problems that Setup lists
    switched: tuple[str, ...] = ()  # "incognito: project"


NAMED_FROM = 60  # columns from which the strip shows all names
COUNT_CELLS = {"Review": 4, "Setup": 3}  # cells reserved for a count, so that no name moves


class Header(Widget):
    """One line: the project, its counts, and the views."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """A part of the header was clicked; `act` says which."""

        def __init__(self, act: str) -> None:
            super().__init__()
            self.act = act

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.counts = Counts()
        self.current = ""
        self.seen = ""  # another project whose memories are listed, or `all projects`

    def look_at(self, whose: str) -> None:
        """Show whose memories are listed: `all projects`, another project's name, or ""."""
        if whose != self.seen:
            self.seen = whose
            self.refresh()

    def show_counts(self, counts: Counts) -> None:
        """Show these numbers."""
        if counts != self.counts:
            self.counts = counts
            self.refresh()

    def at(self, view: str) -> None:
        """Show which view is open."""
        self.current = view
        self.refresh()

    def render(self) -> Content:
        """Return the strip at the left and the project at the right, as far as it fits."""
        room = self.size.width
        strip = self._strip(is_named=room >= NAMED_FROM - 2)
        project = self._project(room - strip.cell_length - 2)
        gap = room - strip.cell_length - project.cell_length
        return strip + Content(" " * max(gap, 0)) + project

    def _strip(self, *, is_named: bool) -> Content:
        numbers = {"Review": self.counts.review, "Setup": self.counts.setup}
        parts = []
        for kind in SCREENS:
            is_here = kind.name == self.current
            label = f"{kind.key} {kind.label}" if is_named or is_here else kind.key
            style = "bold $block-cursor-foreground on $block-cursor-background"
            part = Content.styled(label, style if is_here else "$text-muted")
            if is_named and kind.label in numbers:
                cells = COUNT_CELLS[kind.label]
                number = short_number(numbers[kind.label]) if numbers[kind.label] else ""
                part += Content.styled(f" {number}".ljust(cells), "bold $text-warning")
            parts.append(part.stylize(Style.from_meta({"memdeck_act": f"view:{kind.name}"})))
        return Content("  ").join(parts)

    def _project(self, room: int) -> Content:
        counts = self.counts
        parts = [_part(words, "bold $text-warning", "view:setup") for words in counts.switched]
        if self.seen:
            parts.append(_part(self.seen, "bold $text-warning", "project"))
        parts.append(_part(cut(counts.project, 24), "bold $foreground", "project"))
        if counts.memories is not None and not self.seen:
            parts.append(Content.styled(f"{counts.memories:,} memories", "$text-muted"))
        while parts and (line := Content("  ").join(parts)).cell_length > room:
            parts.pop()
        return line if parts else Content("")

    def on_click(self, event: Any) -> None:
        act = event.style.meta.get("memdeck_act")
        if act:
            event.stop()
            self.post_message(self.Clicked(act))


def short_number(number: int) -> str:
    """Return a number in at most three cells: `999`, `12k`."""
    return str(number) if number < 1000 else f"{min(number // 1000, 99)}k"


def _part(text: str, style: str, act: str) -> Content:
    """A piece of the header that can be clicked."""
    return Content.styled(text, style).stylize(Style.from_meta({"memdeck_act": act}))


class BottomLine(Horizontal):
    """The last line: what is marked, and Textual's footer with the keys that work now."""

    def compose(self) -> ComposeResult:
        yield Static("", id="marked", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def say(self, text: str) -> None:
        """Show what is marked."""
        self.query_one("#marked", Static).update(text)


class Stage(Vertical):
    """Header, screens of which one is shown, last line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.header = Header(id="header")  # also for what arrives while the app ends
        self._blurred: Widget | None = None  # what had the focus when there was room

    def compose(self) -> ComposeResult:
        yield self.header
        yield ContentSwitcher(id="views")
        yield BottomLine(id="keys")

    @property
    def keys(self) -> BottomLine:
        return self.query_one(BottomLine)

    @property
    def switcher(self) -> ContentSwitcher:
        return self.query_one("#views", ContentSwitcher)

    @property
    def current(self) -> str:
        """The id of the screen that is shown; "" before the first."""
        return self.switcher.current or ""

    def view(self, name: str) -> View | None:
        """Return the screen of that id if it was opened before."""
        return next((view for view in self.mounted_views if view.id == name), None)

    @property
    def shown(self) -> View | None:
        """The screen that is shown; None before the first."""
        return self.view(self.current)

    @property
    def mounted_views(self) -> list[View]:
        """Every screen that was opened."""
        return [view for view in self.switcher.children if isinstance(view, View)]

    async def go(self, name: str) -> View:
        """Show a screen, mounting it on the first visit, and focus it."""
        view = self.view(name)
        if view is None:
            view = VIEWS[name].view_class(id=name)
            await self.switcher.add_content(view, id=name)
        self.switcher.current = name
        self.header.at(name)
        self.keys.say("")
        view.focus_main()
        return view

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Focus the screen again when what had the focus has no room any more."""
        if not self.display:
            self._blurred = event.widget
        self._keep_focus()

    def on_show(self) -> None:
        """Focus again what had the focus before the terminal became too small."""
        blurred, self._blurred = self._blurred, None
        if blurred is not None and self.shown in blurred.ancestors_with_self:
            self.screen.set_focus(blurred)
        self._keep_focus()

    def _keep_focus(self) -> None:
        if self.is_attached and self.is_on_screen and self.app.app_focus:
            view = self.shown
            if view is not None and self.screen.focused is None:
                view.focus_main()


class TooSmall(Static):
    """The text in a terminal that is too small to work in."""

    def __init__(self) -> None:
        super().__init__("memdeck needs 40×10", id="too-small", markup=False)


class Navigation:
    """Opens places: a screen, a query in it, a memory."""

    def __init__(self, app: App[None]) -> None:
        self._app = app

    @property
    def stage(self) -> Stage:
        """The stage, also while a dialog is open."""
        return self._app.screen_stack[0].query_one(Stage)

    @property
    def has_stage(self) -> bool:
        """Return True until the app takes its screen down."""
        return bool(self._app.screen_stack and self._app.screen_stack[0].query(Stage))

    async def open(self, position: Place) -> None:
        """Open a place: its screen, its query, its memory."""
        (await self.stage.go(position.view)).open_place(position)


def act_ids() -> set[str]:
    """Return the ids of the acts of all screens, which a keymap may name."""
    own = (act for kind in VIEWS.values() for act in kind.view_class.ACTS)
    return {act.id for act in (*APP_ACTS, *VIEW_ACTS, *own)}
