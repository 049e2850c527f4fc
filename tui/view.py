"""What every screen shares: its filter, its panes, zoom, stepping out, and which keys work."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from textual import events, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.worker import Worker

from ..core.errors import BadInput, ManagerError
from ..core.values import Memory, importance_10
from .acts import VIEW_ACTS, Act, bindings
from .dialogs.questions import Ask, Choice, Menu
from .machine import copy, open_at
from .text import counted
from .typeahead import answered, asks, may_ask
from .widgets.filter_line import FilterLine
from .widgets.virtual_list import KeyClicked

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp
    from .widgets.pages import Marks


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
