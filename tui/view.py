"""The base of every screen: acts and their keys, the stage that shows one screen, copy and export.

An act is a key with a name and a sentence of help: footer, help, palette and keys all read it from
here. A screen has a filter, panes and stepping out. It keeps its state by staying mounted: it is
imported and mounted on its first visit.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.keys import format_key
from textual.message import Message
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Footer, Static
from textual.worker import Worker

from ..core.config.settings import AppPolicy, files_of, load_policy, problems_in
from ..core.projects import identify, program_outside
from ..core.values import Memory, importance_10
from ..db.errors import BadInput, ManagerError
from ..db.home import replace_file
from .dialogs import Ask, Choice, Menu
from .lanes import answered, asks, may_ask
from .text import counted, cut, width
from .widgets import FilterLine, MarksChanged, Moved, TextPane, VirtualList

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from ..core.services.preferences import Switches, SwitchName
    from .app import MemoryApp

LARGEST_FILE = 256 * 1024  # bytes; ours has less than one KB


def read_settings(home: str, project: str | None) -> tuple[AppPolicy, list[str]]:
    """Return the user's `[app]`, and invalid parts of the settings that count here."""
    root = ""
    if project is None or os.path.isdir(project):
        with suppress(FileNotFoundError):  # the folder we are in may be gone
            root = identify(project or os.curdir).root
    files = files_of(os.path.join(home, "config.toml"), root)
    problems = [str(problem) for problem in problems_in(files)]
    with suppress(BadInput):
        return load_policy(files[:1]).app, problems
    return AppPolicy(), problems


class Carried:
    """State that one run keeps for the next, in `app.json` of the home.

    `seen`: by project, the newest entry of History that was seen. `is_welcomed`: the first step of
    Setup was taken or skipped. `is_connected`: an agent was connected at Setup's last check.
    """

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, "app.json")
        self.seen: dict[str, int] = {}
        self.is_welcomed, self.is_connected = False, True
        with suppress(OSError, ValueError, AttributeError):
            with open(self._path, encoding="utf-8") as file:
                values: dict[str, Any] = json.loads(file.read(LARGEST_FILE))
            self.is_welcomed = values.get("is_welcomed") is True
            self.is_connected = values.get("is_connected") is not False
            entries = values.get("seen", {}).items()
            self.seen = {name: seq for name, seq in entries if type(seq) is int}

    def save(self) -> None:
        """Write it, 0600, whole or not at all."""
        values = {"seen": self.seen, "is_welcomed": self.is_welcomed,
                  "is_connected": self.is_connected}  # fmt: skip
        if os.path.isdir(os.path.dirname(self._path)) and not os.path.islink(self._path):
            with suppress(OSError):
                replace_file(self._path, json.dumps(values).encode(), 0o600)


NO_KEY = "none-"  # prefix of a key's name that only a keymap replaces


@dataclass(frozen=True, slots=True)
class Act:
    """An act of the user, and its key."""

    id: str  # never changes: the user's keymap names it
    key: str  # "": only the palette and the `:` line have it
    label: str  # at most two words, for the footer
    action: str
    help: str  # a sentence
    show: bool = True
    key_display: str | None = None
    priority: bool = False
    of_row: bool = True  # of the row under the cursor, or of those that are marked

    def key_in(self, keymap: Mapping[str, str]) -> str:
        """Return the first of its keys in words; `keymap` has the user's own, by ids of acts."""
        if own := keymap.get(self.id):
            return format_key(own.partition(",")[0].strip())
        return self.key_display or format_key(self.key.partition(",")[0])

    def bindings(self) -> list[Binding]:
        """Return Textual's bindings, one for each key: only the first has `key_display`.

        An act without a key gets one that no terminal sends, so that a keymap can give it one.
        """
        return [
            Binding(
                key,
                self.action,
                self.label,
                show=self.show and bool(self.key),
                key_display=None if position else self.key_display,
                priority=self.priority,
                tooltip=self.help,
                id=self.id,
            )
            for position, key in enumerate((self.key or f"{NO_KEY}{self.id}").split(","))
        ]


def of_no_row(*acts: Act) -> tuple[Act, ...]:
    """Return these acts as acts that are about no row of the list."""
    return tuple(replace(act, of_row=False) for act in acts)


FILTER_ACT = Act(
    "list.filter", "slash", "Filter", "filter", "Narrows the list by words.", key_display="/",
    of_row=False,
)  # fmt: skip
"""The act of `/` in every view; two of them have it under an older id."""

COPY_ACT = Act("memory.copy", "y", "Copy", "copy",
    "Copies what is lit or marked, or exports what is listed to a file.", show=False,
    of_row=False)  # fmt: skip
TRANSCRIPT_ACT = Act("memory.transcript", "o", "Transcript", "transcript",
    "Opens the transcript in your editor, at the line it comes from.", show=False)  # fmt: skip
"""Acts of several screens."""

UNDO = Act(
    "app.undo", "u", "Undo", "app.undo", "Undoes the newest act. Asks if it was done elsewhere.",
    of_row=False,
)  # fmt: skip
"""Screens list it after their own verdicts, so that the footer shows it there."""

REDO = Act("app.redo", "ctrl+r", "Redo", "redo", "Does again what was just undone.", show=False)

APP_ACTS = of_no_row(
    UNDO,
    REDO,
    Act("app.help", "question_mark,f1", "Help", "help", "Every key that works here.",
        key_display="?"),
    Act("app.palette", "colon,ctrl+p", "Palette", "command_palette",
        "Find acts, screens, memories and settings by some of their letters.",
        show=False, key_display=":"),
    Act("app.quit", "q", "Quit", "leave", "Leaves memdeck.", show=False),
    Act("app.quit_now", "ctrl+q", "Quit", "leave", "Leaves memdeck, from anywhere.",
        show=False, priority=True),
)  # fmt: skip
"""Acts of every view."""

VIEW_ACTS = of_no_row(
    Act("pane.left", "h", "Left", "pane(-1)", "The pane to the left.", show=False),
    Act("pane.right", "l", "Right", "pane(1)", "The pane to the right.", show=False),
)  # fmt: skip
"""Acts that every view implements in its own way."""

SETUP_ACTS = of_no_row(
    Act("switch.auto", "", "Record sessions", "app.setup('auto_memory')",
        "Captures memories from sessions: one session, this project, everywhere."),
    Act("switch.incognito", "", "Incognito", "app.setup('incognito')",
        "Captures nothing for a while: one session, this project, everywhere."),
    Act("setup.extractor", "", "Model", "app.setup('extractor')",
        "Chooses the model of yours that reads each session once, or none."),
)  # fmt: skip
"""Acts of every view, by name."""


def bindings(acts: Iterable[Act]) -> list[BindingType]:
    """Textual's bindings for these acts."""
    return [binding for act in acts for binding in act.bindings()]


@dataclass
class MemoriesChanged(Message, bubble=False):
    """Memories were written. `ids` names them if it was this app; None means another program."""

    ids: tuple[str, ...] | None = None
    goes_to: str | None = None  # the id of a new memory, which the user wants to see
    undid: int | None = None  # the entry that was undone or redone: it is scrolled into view


@dataclass
class ProjectChanged(Message, bubble=False):
    """The app looks at another project now: everything shown is to be read again."""


@dataclass
class CountsChanged(Message, bubble=False):
    """The counts in the header moved."""


@dataclass
class Configured(Message, bubble=False):
    """Settings were changed; the app applies them."""

    settings: AppPolicy


@dataclass
class AgentsChanged(Message, bubble=False):
    """Agents were connected, disconnected or fixed: their states must be read again."""


NO_TRANSCRIPT = "Its transcript is not known, or not there any more."


@dataclass(frozen=True, slots=True)
class Place:
    """A target to open: a screen, and something in it."""

    view: str
    query: str | None = None
    memory: str | None = None  # id
    session: str | None = None  # id
    receipt: str | None = None  # id
    entry: str | None = None  # number


@dataclass(frozen=True, slots=True)
class Exported:
    """One thing to copy or to write to a file, in the form that the user chooses."""

    title: str
    text: str
    value: Any  # for JSON: a dataclass or a mapping
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
    """Return a memory with the facts that its Markdown has beside the text."""
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
"""Key in the menu, ending of a file, and the writer, by form."""

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
    """The base of the views, which add their content and their acts."""

    ACTS: ClassVar[Sequence[Act]] = ()
    no_row: ClassVar[str] = "No row is chosen."  # why no act on a row can be done in an empty list
    has_foot: ClassVar[bool] = False  # lines at the bottom that no notice covers

    def __init_subclass__(cls) -> None:
        """Bind the keys of the screen's acts; with `h` and `l`, and escape, which steps out."""
        made = bindings((*cls.ACTS, *VIEW_ACTS))
        cls.BINDINGS = [*made, Binding("escape", "step_out", "Back", show=False, id="step_out")]
        super().__init_subclass__()

    box: FilterLine  # narrows the list
    list: VirtualList[Any]

    def lay_out(self, title: str, *panes: TextPane) -> None:
        """Lay out a list with its name in a frame, and at its right these panes."""
        self.list_pane = Horizontal(self.list, id=f"{self.id}-list-pane", classes="pane list-pane")
        self.list_pane.border_title = title
        self.beside: Sequence[TextPane] = panes
        for pane in panes:
            pane.add_class("beside")

    def compose(self) -> ComposeResult:
        yield self.box
        yield Horizontal(self.list_pane, *self.beside, id=f"{self.id}-panes", classes="panes")

    def on_mount(self) -> None:
        """Read the result of another query from its first row on."""
        self.box.new_query_hook = lambda: setattr(self.list, "is_new_query", True)

    @property
    def app(self) -> MemoryApp:  # type: ignore[override]  # it is never set
        return cast("MemoryApp", super().app)

    def run_worker(self, work: Any, *args: Any, **more: Any) -> Worker[Any]:
        """Begin work in this screen's name; core errors become notices."""
        return super().run_worker(self.app.guarded(work), *args, **more)

    @property
    def is_current(self) -> bool:
        return self.app.view == self.id

    def begin(
        self,
        job: Callable[[], Coroutine[Any, Any, None]],
        group: str,
        *,
        after: float = 0.0,
        exclusive: bool = True,
    ) -> Worker[None]:
        """Start a job in this view's name after so many seconds; an exclusive one ends what its
        group is about."""

        async def begun() -> None:
            if after:
                await asyncio.sleep(after)
            await job()

        return self.run_worker(begun, group=group, exclusive=exclusive)

    @may_ask
    async def let_keys_wait_for(self, reading: Worker[None]) -> bool:
        """Hold keys until this reading has ended; return False if it failed."""
        return await answered(reading)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self.moved()

    def moved(self) -> None:
        """Update for another row under the cursor."""
        self.follow()

    def follow(self) -> None:
        """Show the row under the cursor."""

    def say_row(self) -> None:
        """Show the number of the row in the frame of the list, and how many are marked."""
        total, marked = self.listed_count, len(self.list.marks)
        row = f"{self.list.cursor + 1:,} of {total:,}" if total else ""
        self.list_pane.border_subtitle = f"{marked:,} marked · {row}" if marked else row

    # -- where one is

    def focus_main(self) -> None:
        """Focus the main widget of this view: at once, since keys may be waiting already."""
        self.screen.set_focus(self.list)

    def open_place(self, position: Place) -> None:
        """Open something of this view."""

    def stops(self) -> Sequence[Widget]:
        """Return the widgets that can have the focus, for `h` and `l`, from left to right."""
        return (self.list, *self.beside)

    def keep_focus(self) -> None:
        """Move the focus after a change of size if its widget has no room any more.

        The line that `/` has just opened has none yet, and keeps the focus. If the view itself has
        no room nothing has the focus: no key may act on something invisible.
        """
        focused = self.screen.focused
        is_lost = focused is None or not _has_room(focused)
        if self.is_current and is_lost and _has_room(self) and not self.is_typed_in():
            self.focus_main()

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if an act works now; None shows its key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action == "filter" and self.is_typed_in():
            return False
        return self.can(f"{action}('{parameters[0]}')" if parameters else action)

    def can(self, action: str) -> bool | None:
        """Return True if an act of this view works now, as for `check_action`."""
        return not self.why_not(action) or None

    def is_typed_in(self) -> bool:
        """Return True if letters are typed here now, so that they are no keys."""
        return self.box.is_typed_in

    def why_not(self, action: str) -> str:
        """Return why an act cannot be done now, as a sentence; "" if it can."""
        return self.no_row if self.is_of_row(action) and not self.list.keys else ""

    def is_of_row(self, action: str) -> bool:
        """Return True for an act of this screen on rows of the list."""
        return any(act.of_row and act.action == action for act in self.ACTS)

    # -- going about

    def action_filter(self) -> None:
        self.box.open()

    def action_pane(self, step: int) -> None:
        stops = [stop for stop in self.stops() if stop.is_on_screen]
        at = next((position for position, stop in enumerate(stops) if stop.has_focus), -step)
        if 0 <= at + step < len(stops):
            self.screen.set_focus(stops[at + step])
        elif step < 0:
            self.out_of_pane()
        elif self.list.has_focus and self.beside:
            self.read_in(self.beside[0])

    def action_step_out(self) -> None:
        if self.list.marks:
            self.list.set_marks()
        elif not self.out_of_pane():
            if self.box.text:
                self.box.clear()
            else:
                self.out_of_mode()

    def read_in(self, pane: Widget) -> None:
        """Focus a pane, which replaces the list if there is no room beside it."""
        self.add_class("-reading")
        self.screen.set_focus(pane)

    def out_of_pane(self) -> bool:
        """Go back to the main widget; return True if the focus was elsewhere."""
        is_elsewhere = self.has_class("-reading") or not self.list.has_focus
        if is_elsewhere:
            self.remove_class("-reading")
            self.focus_main()
        return is_elsewhere

    def out_of_mode(self) -> None:
        """Go back to the view's first state: the last step out."""

    # -- marking

    def action_mark(self, which: str) -> None:
        if which == "all":
            self.list.set_marks(self.list.keys)
        else:
            self.list.mark_here()

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        event.stop()
        self.say_row()
        self.refresh_bindings()

    # -- copy and export

    def exported(self, *, is_all: bool) -> Export:  # noqa: ARG002
        """Return the reader of the lit or marked things, or of all listed ones. Runs in a lane."""
        return lambda _: ()

    @property
    def listed_count(self) -> int:
        """Return the number of things that an export of everything writes."""
        return len(self.list.keys)

    @asks
    async def action_copy(self) -> bool:
        total = self.listed_count
        if not total:
            self.app.notices.refuse("Nothing is listed that could be copied.")
            return False
        listed = counted(total, "listed row")
        choices = [
            Choice(f"copy:{name}", f"copy {name}", "", key) for name, (key, *_) in FORMS.items()
        ] + [
            Choice(f"file:{name}", f"{listed} as {name}", "to a file", key.upper())
            for name, (key, *_) in FORMS.items()
        ]
        chosen = await self.app.ask(Menu("Copy or export", choices))
        if chosen is None:
            return True
        to, _, name = chosen.partition(":")
        _, suffix, write = FORMS[name]
        read = self.exported(is_all=to == "file")
        if to == "copy":
            text = await self.app.slow.run(lambda core: "\n".join(map(write, read(core))))
            says = await asyncio.to_thread(copy, self.app, text)
            self.app.notify(says, markup=False)
            return True
        default = f"{self.id}.{suffix}"
        path = await self.app.ask(Ask("Export", "Path of the file.", default, default))
        if path and path.strip():
            target = os.path.abspath(os.path.expanduser(path.strip()))
            count = await self.app.slow.run(lambda core: write_file(read(core), write, target))
            self.app.notify(f"Wrote {counted(count, 'row')} to {target}.", markup=False)
        return True

    def action_transcript(self) -> None:
        """Open the transcript that the row comes from; its screen says which."""

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
        if not open_at(self.app, path, line):
            where = copy(self.app, f"{path}:{line}" if line else path)
            self.app.notify(f"No editor could be opened. The path: {where}", markup=False)


def about_rows(view: View, act: Act) -> frozenset[int]:
    """Return the keys of an act's rows: the marked ones, else the row under the cursor; none for an
    act without rows.

    While the user chooses an act in the palette, another program may remove its row.
    """
    rows = view.list
    if not act.of_row or rows.current_key is None:
        return frozenset()
    return frozenset(rows.marks or (rows.current_key,))


def why_not(active: ActiveBinding) -> str:
    """Return why a dimmed key cannot act now, as a sentence; "" if it can."""
    view = active.node
    if active.enabled or not isinstance(view, View):
        return ""
    return view.why_not(active.binding.action)


def _has_room(widget: Widget) -> bool:
    """Return True if the styles show a widget: its size is only known after the next layout."""
    return all(node.display for node in widget.ancestors_with_self)


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
        """Return the class of its view, imported on the first visit."""
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
    """The numbers of the header, and switches that are not at their default."""

    project: str = ""
    memories: int | None = None
    review: int = 0  # candidates and conflicts that wait for a verdict
    setup: int = 0  # problems that Setup lists
    switched: tuple[str, ...] = ()  # "incognito: project"


def states_of(switches: Switches, name: SwitchName) -> tuple[bool, bool]:
    """Return whether a switch is on in this project, and everywhere."""
    if name == "auto_memory":
        return switches.auto_project, switches.auto_everywhere
    return switches.incognito_project, switches.incognito_everywhere


def in_words(switches: Switches) -> tuple[str, ...]:
    """Return the switches that are not at their default, each in a few words."""
    words = []
    if not (switches.auto_project and switches.by_settings):
        words.append("recording off")
    elif not switches.auto_everywhere:
        words.append("recording off everywhere")
    if switches.incognito_everywhere:
        words.append("incognito: everywhere")
    elif switches.incognito_project:
        words.append("incognito: project")
    return tuple(words)


NAMED_FROM = 60  # columns from which the strip shows all names
HELP_CELLS = 8  # of the footer, for Help at its right end
COUNT_CELLS = {"Review": 4, "Setup": 3}  # cells reserved for a count, so that no name moves


class Header(Widget):
    """One line: the project, its counts, and the views."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.auto_links = False  # a name that can be clicked looks as before
        self.counts = Counts()
        self.current = ""

    def show_counts(self, counts: Counts) -> None:
        if counts != self.counts:
            self.counts = counts
            self.refresh()

    def at(self, view: str) -> None:
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
                count = numbers[kind.label]
                number = f"{min(count // 1000, 99)}k" if count >= 1000 else f"{count or ''}"
                part += Content.styled(f" {number}".ljust(cells), "bold $text-warning")
            parts.append(_clickable(part, f"app.view({kind.name!r})"))
        return Content("  ").join(parts)

    def _project(self, room: int) -> Content:
        counts = self.counts
        warning = "bold $text-warning"
        parts = [
            _clickable(Content.styled(words, warning), "app.view('setup')")
            for words in counts.switched
        ]
        project = Content.styled(cut(counts.project, 24), "bold $foreground")
        parts.append(_clickable(project, "app.project"))
        if counts.memories is not None:
            memories = Content.styled(f"{counts.memories:,} memories", "$text-muted")
            parts.append(_clickable(memories, "app.follow('query:')"))
        while parts and (line := Content("  ").join(parts)).cell_length > room:
            parts.pop()
        return line if parts else Content("")


def _clickable(part: Content, action: str) -> Content:
    """Return a piece of the header that can be clicked."""
    return part.stylize(Style.from_meta({"@click": action}))


class Keys(Footer):
    """Textual's footer, with Help at the right end: in sight where the keys need more room."""

    listed: Sequence[tuple[object, ...]] = ()

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """List the keys again if they are others now; the focus alone changes few."""
        listed = [use[1:] for use in screen.active_bindings.values() if use.binding.show]
        is_seen = self.is_attached and screen is self.screen and screen.app.app_focus
        if listed != self.listed and is_seen:
            self.listed = listed
            super().bindings_changed(screen)

    def compose(self) -> ComposeResult:
        """Yield the keys that have room as a whole, in order of use; the palette names all."""
        room = self.size.width - HELP_CELLS
        for key in super().compose():
            action, name, label = (
                getattr(key, field, "") for field in ("action", "key_display", "description")
            )
            if is_help := action.endswith("help"):
                key.add_class("-command-palette")  # Textual's class for keys at the right
            room -= 0 if is_help else width(f"{name} {label} ")
            if room >= 0 or is_help:
                yield key

    def on_resize(self) -> None:
        self.call_after_refresh(self.recompose)


class Stage(Vertical):
    """Header, one visible screen, last line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.header = Header(id="header")  # also for messages while the app ends
        self._blurred: Widget | None = None  # the focus before the terminal became too small

    def compose(self) -> ComposeResult:
        yield self.header
        yield ContentSwitcher(id="views")
        yield Keys(show_command_palette=False, compact=True)

    @property
    def switcher(self) -> ContentSwitcher:
        return self.query_one("#views", ContentSwitcher)

    @property
    def current(self) -> str:
        """Return the id of the screen that is shown; "" before the first."""
        return self.switcher.current or ""

    def view(self, name: str) -> View | None:
        """Return the screen of that id if it was opened before."""
        return next((view for view in self.mounted_views if view.id == name), None)

    @property
    def current_view(self) -> View | None:
        """Return the screen that is shown; None before the first."""
        return self.view(self.current)

    @property
    def mounted_views(self) -> list[View]:
        return [view for view in self.switcher.children if isinstance(view, View)]

    async def go(self, name: str) -> View:
        """Show a screen, mounting it on the first visit, and focus it."""
        view = self.view(name)
        if view is None:
            view = VIEWS[name].view_class(id=name)
            await self.switcher.add_content(view, id=name)
        self.switcher.current = name
        self.header.at(name)
        view.focus_main()
        return view

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Focus the screen again if the focused widget has no room any more."""
        if not self.display:
            self._blurred = event.widget
        self._keep_focus()

    def on_show(self) -> None:
        """Focus again the widget from before the terminal became too small."""
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


def act_ids() -> set[str]:
    """Return the ids of the acts of all screens, which a keymap may name."""
    own = (act for kind in VIEWS.values() for act in kind.view_class.ACTS)
    return {act.id for act in (*APP_ACTS, *VIEW_ACTS, *own)}


# -- the machine: its clipboard, and the user's editor

LONGEST_FOR_TERMINAL = 74_000
"""Bytes of text sent by OSC 52: with Base64 and the frame it stays below xterm's 100,000."""

TOOL_SECONDS = 2.0  # how long a clipboard tool may take before it is given up


def copy(app: App[Any], text: str) -> str:
    """Copy `text`; return the way as a sentence for a notice (plain text, not markup)."""
    raw = text.encode("utf-8", "replace")
    clean = raw.decode("utf-8")
    fits = len(raw) <= LONGEST_FOR_TERMINAL
    if fits:
        app.copy_to_clipboard(clean)  # also fills the app's own clipboard, for ctrl+v in a field
    if os.environ.get("TMUX"):
        # `-w` passes the text on to tmux's own terminal; it needs tmux 3.2
        tmux = program_outside("tmux")
        if tmux and _run([tmux, "load-buffer", "-w", "-"], raw):
            return "Copied through tmux."
        fits = False
    elif (tool := _tool()) and _run(tool, raw):
        return f"Copied with {os.path.basename(tool[0])}."
    if fits and not app.is_headless:
        return "Copied through the terminal (OSC 52)."
    descriptor, path = tempfile.mkstemp(prefix="memdeck-copy-", suffix=".txt")  # for its owner only
    with os.fdopen(descriptor, "wb") as file:
        file.write(raw)
    return f"No clipboard could take it. Written to {path}"


def _tool() -> list[str] | None:
    """Return the command for this machine's clipboard; None over SSH, where it is the wrong one."""
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return None
    for needed, command in (
        (os.environ.get("WAYLAND_DISPLAY"), ["wl-copy"]),
        (os.environ.get("DISPLAY"), ["xclip", "-selection", "clipboard"]),
        (sys.platform == "darwin", ["pbcopy"]),
    ):
        if needed and (program := program_outside(command[0])):
            return [program, *command[1:]]
    return None


def _run(command: list[str], raw: bytes) -> bool:
    """Return True if the command took the text."""
    try:
        subprocess.run(
            command,
            input=raw,
            stdout=subprocess.DEVNULL,  # xclip stays behind and would hold a pipe open
            stderr=subprocess.DEVNULL,
            timeout=TOOL_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def open_at(app: App[Any], path: str, line: int | None) -> bool:
    """Open a file in the user's editor at a line, from 1; return True if there is an editor."""
    command = editor_words() or ["vi"]
    try:
        with app.suspend():
            return subprocess.call(opened_with(command, path, line)) == 0
    except (SuspendNotSupported, OSError):
        return False


BY_COLON = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), ("-g",)),
    **dict.fromkeys(("subl", "zed", "hx", "helix"), ()),
}
"""Editors that take a place as `path:line`, with their option for it; others take `+line path`."""


def editor_words() -> list[str]:
    """Return the words of `$VISUAL`, else of `$EDITOR`; [] without either."""
    for name in ("VISUAL", "EDITOR"):
        line = os.environ.get(name, "")
        try:
            words = shlex.split(line)
        except ValueError:  # a quote that is never closed: /home/o'neil/bin/edit
            words = line.split()
        if words:
            return words
    return []


def opened_with(command: Sequence[str], path: str, line: int | None) -> list[str]:
    """Return the words that start an editor on a file, at a line where one is known."""
    if line is None:
        return [*command, path]
    editor = os.path.basename(command[0])
    if editor in BY_COLON:
        return [*command, *BY_COLON[editor], f"{path}:{line}"]
    return [*command, f"+{line}", path]
