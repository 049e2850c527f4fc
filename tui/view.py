"""What every screen shares, the stage that shows one of them, and what screens tell each other.

A screen has a filter, panes, zoom, stepping out, copy and export. It keeps its state by staying
mounted: it is imported and mounted on its first visit.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Footer, Static
from textual.worker import Worker

from ..core.errors import BadInput, ManagerError
from ..core.values import Memory, importance_10
from .acts import APP_ACTS, VIEW_ACTS, Act, bindings
from .dialogs.questions import Ask, Choice, Menu
from .machine import copy, open_at
from .settings import Settings
from .text import counted, cut
from .typeahead import answered, asks, may_ask
from .widgets.filter_line import FilterLine
from .widgets.virtual_list import KeyClicked

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp
    from .widgets.virtual_list import Marks


@dataclass
class MemoriesChanged(Message, bubble=False):
    """Memories were written. `ids` names them when it was this app; None means somebody else."""

    ids: tuple[str, ...] | None = None
    goes_to: str | None = None  # the id of a new memory, which the user wants to see
    undid: int | None = None  # the entry that was undone or redone: it is scrolled into view

    @property
    def is_ours(self) -> bool:
        """Whether this app made the change."""
        return self.ids is not None


@dataclass
class ProjectChanged(Message, bubble=False):
    """The app looks at another project now: everything shown is to be read again."""


@dataclass
class CountsChanged(Message, bubble=False):
    """The counts in the header moved."""


@dataclass
class Configured(Message, bubble=False):
    """Settings were changed; the app goes by them from now on."""

    settings: Settings


@dataclass
class OpenMemory(Message):
    """A view asks for a memory to be opened in Memories. `memory` is its id."""

    memory: str


@dataclass
class OpenReceipts(Message):
    """A view asks where a memory was injected. `memory` is its id."""

    memory: str


@dataclass
class AgentsChanged(Message, bubble=False):
    """Agents were connected, left or mended: how they stand is to be looked at again."""


NO_TRANSCRIPT = "Its transcript is not known, or not there any more."
PROMPTS, HISTORY = "prompts", "history"
"""The screens to which links of a document lead."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place one can come back to."""

    view: str
    query: str | None = None
    memory: str | None = None  # id
    session: str | None = None  # id
    receipt: str | None = None  # id
    entry: str | None = None  # number
    is_remembered: bool = False  # from an earlier run: no word is lost when it is gone


@runtime_checkable
class Guard(Protocol):
    """A dialog that may hold something unsaved."""

    def guard_leaving(self) -> bool:
        """Ask about it, if there is anything; whether it was asked."""


class Listing(Protocol):
    """A list with a cursor."""

    begins_anew: bool

    @property
    def keys(self) -> Sequence[int]: ...
    @property
    def marks(self) -> Marks: ...
    @property
    def current_key(self) -> int | None: ...
    @property
    def cursor_y(self) -> int: ...
    @property
    def has_focus(self) -> bool: ...
    def action_move(self, steps: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Exported:
    """One thing to copy or to write to a file, in the form that the user chooses."""

    title: str
    text: str
    value: Any  # what JSON says: a dataclass or a mapping
    facts: tuple[str, ...] = ()

    def as_text(self) -> str:
        return self.text or self.title

    def as_markdown(self) -> str:
        facts = f"\n\n*{' · '.join(self.facts)}*" if self.facts else ""
        return f"## {self.title}\n\n{self.text}{facts}\n"

    def as_json(self) -> str:
        value = asdict(self.value) if is_dataclass(self.value) else dict(self.value)  # type: ignore[arg-type]
        return json.dumps(value, default=str, ensure_ascii=False)


def exported_memory(memory: Memory) -> Exported:
    """Return a memory with what its Markdown says beside the text."""
    facts = (
        memory.type,
        memory.category,
        f"importance {importance_10(memory.importance)}/10",
        *(f"#{tag}" for tag in memory.tags),
        *(f"`{path}`" for path in memory.files),
    )
    return Exported(memory.title, memory.content, memory, facts)


FORMS: Mapping[str, tuple[str, str, Callable[[Exported], str]]] = {
    "text": ("t", "txt", Exported.as_text),
    "Markdown": ("m", "md", Exported.as_markdown),
    "JSON Lines": ("j", "jsonl", Exported.as_json),
}
"""Key in the menu, ending of a file, and how a thing is written, by form."""

Export = Callable[["MemoryCoordinator"], Iterable[Exported]]


def write_file(items: Iterable[Exported], write: Callable[[Exported], str], path: str) -> int:
    """Write things to a new file, one after the other; return how many. Raises BadInput."""
    count = 0
    try:
        with open(path, "x", encoding="utf-8") as file:
            for item in items:
                file.write(write(item).rstrip("\n") + "\n")
                count += 1
    except FileExistsError:
        raise BadInput(f"{path} exists already.", hint="Choose another name.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}.", hint="") from None
    return count


class View(Widget):
    """One view. It says what it shows and which acts work; this says what all views share."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(VIEW_ACTS)]
    ACTS: ClassVar[Sequence[Act]] = ()

    box: FilterLine  # where one narrows the list

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._parts: dict[str, Widget] = {}
        self._beside: Sequence[Widget] = ()

    def _stand_beside(self, title: str, *panes: Widget) -> None:
        """What most views are: a list, with its name in a frame, and at its right these panes."""
        listing = cast(Widget, self._narrowed())
        self.list_pane = Horizontal(listing, id=f"{self.id}-list-pane", classes="pane list-pane")
        self.list_pane.border_title = title
        self._beside = panes
        for pane in panes:
            pane.add_class("beside")

    def compose(self) -> ComposeResult:
        yield self.box
        yield Horizontal(self.list_pane, *self._beside, id=f"{self.id}-panes", classes="panes")

    def on_mount(self) -> None:
        """Read the result of another query from its first row on."""
        self.box.ask_anew = self._begin_anew

    def _begin_anew(self) -> None:
        self._narrowed().begins_anew = True

    def _part(self, selector: str) -> Widget:
        """Return a part of this view; after the first time also while the app ends.

        Parts go before the view does, and an answer may still come for them.
        """
        if selector not in self._parts:
            self._parts[selector] = self.query_one(selector)
        return self._parts[selector]

    @property
    def app(self) -> MemoryApp:  # type: ignore[override]  # it is never set
        """The app."""
        return cast("MemoryApp", super().app)

    def run_worker(self, work: Any, *args: Any, **more: Any) -> Worker[Any]:
        """Begin work in this screen's name; core errors become notices."""
        return super().run_worker(self.app.guarded(work), *args, **more)

    @property
    def is_current(self) -> bool:
        """Whether this is the view that one looks at."""
        return self.app.view == self.id

    def begin(
        self, job: Callable[[], Coroutine[Any, Any, None]], group: str, *, exclusive: bool = True
    ) -> Worker[None]:
        """Start a job in this view's name; an exclusive one ends what its group is about."""
        worker: Worker[None] = self.run_worker(job, group=group, exclusive=exclusive)
        return worker

    @may_ask
    async def _let_keys_wait_for(self, reading: Worker[None]) -> bool:
        """What is typed at once is for what is on its way."""
        return await answered(reading)

    # -- where one is

    def focus_main(self) -> None:
        """Put the focus where one works in this view: at once, for keys may be waiting already."""
        self.screen.set_focus(cast(Widget, self._narrowed()))

    def place(self) -> Place:
        """Where one is, to come back to."""
        return Place(self.id or "")

    def open_place(self, position: Place) -> None:
        """Come back to a place of this view."""

    def carried_over(self) -> Mapping[str, object]:
        """What of this view the next run begins with, by its name in `Remembered`."""
        return {}

    def panes(self) -> list[tuple[Widget, Widget]]:
        """Return the panes with what has the focus in each, for `h` and `l`."""
        beside = [(pane, pane) for pane in self._beside if pane.display]
        return [(self.list_pane, cast(Widget, self._narrowed())), *beside]

    def _narrowed(self) -> Listing:
        """The list that `/` narrows, through which `n` and `N` go."""
        listing: Listing = self.list  # type: ignore[attr-defined]  # what most views call it
        return listing

    def list_in_use(self) -> Listing | None:
        """The list whose cursor no notice may cover; None while one reads."""
        listing = self._narrowed()
        return listing if listing.has_focus else None

    def keep_focus(self) -> None:
        """After a change of size: what had the focus may have no room any more.

        The line that `/` has just opened has none yet, and what is typed goes there. Where the view
        itself has no room nothing has the focus: no key may act on what nobody sees.
        """
        focused = self.screen.focused
        is_lost = focused is None or not _has_room(focused)
        if self.is_current and is_lost and _has_room(self) and not self.is_typed_in():
            self.focus_main()

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action == "filter":
            return not self.is_typed_in()
        if action == "match":
            return bool(self.box.text and self._narrowed().keys) or None
        return self.can(action, *map(str, parameters))

    def can(self, action: str, *parameters: str) -> bool | None:
        """Whether an act of this view can be done now, as `check_action` says it."""
        named = f"{action}('{parameters[0]}')" if parameters else action
        return not self.why_not(named) or None

    def is_typed_in(self) -> bool:
        """Whether letters are typed here now, so that they are no keys."""
        return self.box.is_typed_in

    def why_not(self, action: str) -> str:  # noqa: ARG002
        """Why a dimmed key cannot act now, as a sentence; "" when it can, or nobody says."""
        return ""

    # -- going about

    def action_filter(self) -> None:
        """Into the filter, at once."""
        self.box.open()

    def action_match(self, step: int) -> None:
        """To the next that was found, or the one before."""
        self._narrowed().action_move(step)

    def action_pane(self, step: int) -> None:
        """Into the pane to the left or to the right; one that has no place of its own takes one."""
        panes = [pane for pane in self.panes() if pane[0].is_on_screen]
        panes.sort(key=lambda pane: (pane[0].region.x, pane[0].region.y))
        stops = [stop for _, stop in panes]
        at = next((position for position, stop in enumerate(stops) if stop.has_focus), None)
        goal = -1 if at is None else at + step
        if 0 <= goal < len(stops):
            self.screen.set_focus(stops[goal])
            if stops[goal] is cast(Widget, self._narrowed()):
                self.remove_class("-reading")
        elif step > 0:
            self._into_pane()
        else:
            self._to_list()

    def _into_pane(self) -> None:
        """From the list to what lies to its right, where that has no place beside it."""
        if self._beside and self._narrowed().has_focus:
            self._read_in(self._beside[0])

    def _to_list(self) -> None:
        """Return to the list from a pane that is shown in its place."""
        if self.has_class("-reading") or not cast(Widget, self._narrowed()).is_on_screen:
            self.out_of_pane()

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        is_zoomed = self.has_class("-zoomed")
        for pane in self.query(".pane"):
            pane.set_class(not is_zoomed and pane.has_focus_within, "-zoom")
        self.set_class(not is_zoomed and bool(self.query(".-zoom")), "-zoomed")

    def action_step_out(self) -> None:
        """One step out, never out of the view."""
        if self.out_of_marks():
            return
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif not self.out_of_pane():
            if self.box.text:
                self.box.clear()
            else:
                self.out_of_mode()

    def out_of_marks(self) -> bool:
        """Unmark what is marked; whether anything was."""
        return False

    def _read_in(self, pane: Widget) -> None:
        """Into a pane, which takes the place of the list where it has none beside it."""
        self.add_class("-reading")
        self.screen.set_focus(pane)

    def out_of_pane(self) -> bool:
        """Back to where one begins; whether one was elsewhere."""
        is_elsewhere = self.has_class("-reading") or not self._narrowed().has_focus
        if is_elsewhere:
            self.remove_class("-reading")
            self.focus_main()
        return is_elsewhere

    def out_of_mode(self) -> None:
        """Back to what the view shows at first: the last step out."""

    # -- copy and export

    def exported(self, *, is_all: bool) -> Export:
        """Return what reads the lit or marked things, or all that are listed. Runs in a lane."""
        raise NotImplementedError

    def copied_besides(self) -> Mapping[str, str]:
        """Return what else can be copied of the lit row, by its name; the first letter takes it."""
        return {}

    @property
    def listed_count(self) -> int:
        """How many things an export of everything writes."""
        return len(self._narrowed().keys)

    @asks
    async def action_copy(self) -> bool:
        """Copy what is lit or marked, or write all that is listed to a file."""
        total, besides = self.listed_count, self.copied_besides()
        if not (total or besides):
            self.app.notices.refuse("Nothing is listed that could be copied.")
            return False
        choices = [
            Choice(f"copy:{name}", f"copy {name}", "", key) for name, (key, *_) in FORMS.items()
        ]
        choices += [Choice(f"also:{name}", f"copy {name}", "", name[0]) for name in besides]
        listed = counted(total, "listed row")
        choices += [
            Choice(f"file:{name}", f"{listed} as {name}", "to a file", key.upper())
            for name, (key, *_) in (FORMS.items() if total else ())
        ]
        chosen = await self.app.ask(Menu("Copy or export", choices))
        if chosen is None:
            return True
        to, _, name = chosen.partition(":")
        if to == "also":
            await self._copy(besides[name])
            return True
        _, suffix, write = FORMS[name]
        read = self.exported(is_all=to == "file")
        if to == "copy":
            text = await self.app.slow.run(lambda core: "\n".join(map(write, read(core))))
            await self._copy(text)
            return True
        default = f"{self.id}.{suffix}"
        path = await self.app.ask(Ask("Export", "Where to write the file.", default, default))
        if path and path.strip():
            target = os.path.abspath(os.path.expanduser(path.strip()))
            count = await self.app.slow.run(lambda core: write_file(read(core), write, target))
            self.app.notify(f"Wrote {counted(count, 'row')} to {target}.", markup=False)
        return True

    async def _copy(self, text: str) -> None:
        says = await asyncio.to_thread(copy, self.screen.app, text)
        self.app.notify(says, markup=False)

    @may_ask
    async def open_transcript(self, session: str | None) -> bool:
        """Open the transcript of a session in the user's editor, at the line learned from last."""
        detail = None
        with suppress(ManagerError):  # a session that was not recorded
            if session:
                detail = await self.app.pages.run(
                    lambda core: core.services.sessions.detail(session)
                )
        if detail is None or not detail.transcript or not os.path.isfile(detail.transcript):
            self.app.notices.refuse(NO_TRANSCRIPT)
            return False
        self.open_file(detail.transcript, detail.line or 1)
        return True

    def open_file(self, path: str, line: int | None) -> None:
        """Open a file at its line in the user's editor; without an editor copy where it is."""
        if not open_at(self.screen.app, path, line):
            where = copy(self.screen.app, f"{path}:{line}" if line else path)
            self.app.notify(f"No editor could be opened. The path: {where}", markup=False)

    # -- the mouse

    @on(KeyClicked)
    def _key_clicked(self, event: KeyClicked) -> None:
        event.stop()
        self._press(event.key)

    async def on_click(self, event: events.Click) -> None:
        """Press a key that a text names, or open what it links to."""
        meta = event.style.meta
        if key := meta.get("memdeck_key"):
            event.stop()
            self._press(key)
        elif link := meta.get("memdeck_link"):
            event.stop()
            self.follow_link(link)

    def follow_link(self, link: str) -> None:
        """Open what a row of a document leads to: `memory:ID`, `session:ID`, `entry:SEQ`."""
        kind, _, name = link.partition(":")
        places = {
            "memory": Place("memories", memory=name),
            "session": Place(PROMPTS, session=name),
            "receipt": Place(PROMPTS, receipt=name),
            "entry": Place(HISTORY, entry=name),
        }
        if kind in places:
            self.app.call_later(self.app.navigation.open, places[kind])

    def _press(self, key: str) -> None:
        # by the app itself: a key that a view sends stops at that view on its way up
        self.app.call_later(self.app.simulate_key, key)

    @asks
    async def offer(self, title: str, acts: Sequence[Act]) -> None:
        """A menu of these acts, for the mouse; the one that is chosen is carried out."""
        letters = menu_letters(acts)
        about = {act.id: about_rows(self, act) for act in acts}
        choices = [Choice(act.id, act.label, key=letters[act.id]) for act in acts]
        chosen = await self.app.ask(Menu(title, choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act, about[act.id])


def about_rows(view: View, act: Act) -> frozenset[int]:
    """The keys of the rows that an act of a view is about: the marked ones, else the row under the
    cursor; none where it is about no row.

    While one chooses an act in a dialog, others may take its row away.
    """
    if not act.of_row:
        return frozenset()
    rows = view._narrowed()
    here = () if rows.current_key is None else (rows.current_key,)
    return frozenset(rows.marks.keys or here)


def why_not(active: ActiveBinding) -> str:
    """Return why a dimmed key cannot act now, as a sentence; "" if it can."""
    view = active.node
    if active.enabled or not isinstance(view, View):
        return ""
    if active.binding.action.startswith("match"):
        return "" if view.box.text else "Nothing is looked for: / does that."
    return view.why_not(active.binding.action)


def _has_room(widget: Widget) -> bool:
    """Asked of the styles: what is on the screen is as old as the last layout."""
    return all(node.display for node in widget.ancestors_with_self)


def menu_letters(acts: Sequence[Act]) -> dict[str, str]:
    """The letter that takes each act in a menu, by its id: its own, else the first free one of the
    last word of its label.
    """
    visible = {act.id: act.key_display or act.key for act in acts}
    letters = {name: key for name, key in visible.items() if len(key) == 1}
    for act in acts:
        free = (
            part for part in act.label.lower().split()[-1] if part.isalpha() and part not in "jk"
        )
        if act.id not in letters:
            letters[act.id] = next((part for part in free if part not in letters.values()), "")
    return letters


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
    def current_view(self) -> View | None:
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
        if blurred is not None and self.current_view in blurred.ancestors_with_self:
            self.screen.set_focus(blurred)
        self._keep_focus()

    def _keep_focus(self) -> None:
        if self.is_attached and self.is_on_screen and self.app.app_focus:
            view = self.current_view
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
