"""Profile: who the person is to agents, at the left; what one entry rests on, at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.worker import Worker

from ....core.judgements import Conflict
from ....core.lifecycle.profile_groups import group_of, names_of
from ....core.profiles import Profile, ProfileEntry
from ...acts import bindings
from ...dialogs.questions import Ask, Choice, Menu
from ...matches import filter_of
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...text import counted, quoted
from ...typeahead import asks
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.pages import under
from ...widgets.profile_rows import ProfileList, ProfileRow, account
from ...widgets.text_pane import TextPane
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .text import (
    LOOKING,
    MENU_ACTS,
    NOTHING,
    NOTHING_FITS,
    PROFILE_ACTS,
    TITLES,
    heading_of,
    part_of,
    why_not,
)

if TYPE_CHECKING:
    pass


class ProfileView(View):
    """The entries under the headings of their parts, and the one under the cursor in full."""

    ACTS = PROFILE_ACTS
    HELP = ProfileList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(PROFILE_ACTS, "profile.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.acts = ProfileActs(self)
        self.profile: Profile | None = None
        self._undone: tuple[str, ...] = ()  # ids: an undo sets their entries off
        self._goal: str | None = None  # the memory to go to, whichever reading finds it
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="profile-filter")
        self.list = ProfileList(self.app.glyphs, id="profile-list")
        self.account = TextPane("Entry", id="profile-account")
        self._stand_beside("Profile", self.account)

    def on_mount(self) -> None:
        """Read."""
        self.list.say_nothing(LOOKING)
        self._let_keys_wait_for(self.load())

    # -- where one is

    def place(self) -> Place:
        entry = self.current
        return Place("profile", memory=entry.memory.id if entry else None)

    def open_place(self, place: Place) -> None:
        """Come back to an entry, by a memory it rests on."""
        self._goal = place.memory
        self.load()

    @property
    def current(self) -> ProfileEntry | None:
        """The entry under the cursor."""
        row = self.list.current
        return row.entry if row else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        return why_not(action, self.current)

    # -- reading

    def load(self) -> Worker[None]:
        """Read the profile anew; the cursor stays on its entry."""
        return self.begin(self._load, "profile-list")

    async def _load(self) -> None:
        self.profile = await self.app.slow.run(lambda core: core.profile())
        self.list.set_now(self.app.clock())
        self.list.forget_paint()
        self._show_fitting()

    def _show_fitting(self) -> None:
        """List the entries that fit the filter under their headings; there are few."""
        if self.profile is None:
            return
        entries, fits = self.profile.entries, filter_of(self.box.text)
        fitting = [entry for entry in entries if fits(_said(entry))]
        parts = {part: [one for one in fitting if part_of(one) == part] for part in TITLES}
        self.list.say_nothing(NOTHING_FITS if entries else NOTHING)
        self.box.say_count(len(fitting), len(entries))
        rows = (
            (heading_of(part, inside), [ProfileRow(one.memory.num, one) for one in inside])
            for part, inside in parts.items()
            if inside
        )
        self.list.show(*under(rows), keep=self._kept(fitting))
        back = [one.memory.num for one in fitting if one.memory.id in self._undone]
        if back:
            self._undone = ()
            self.list.flashing = frozenset(back)
        self._say(self.profile)
        self._show_current(from_top=False)

    def _kept(self, fitting: Sequence[ProfileEntry]) -> int | None:
        """The row to stand on: what was asked for, else where one stood."""
        for entry in fitting if self._goal else ():
            if self._goal in [one.id for one in entry.rests_on]:
                self._goal = None
                return entry.memory.num
        return self.list.current_key

    def _say(self, profile: Profile) -> None:
        asked = counted(len(profile.questions), "question")
        says = f"{asked} to decide" if profile.questions else ""
        if not profile.is_told:
            says = "agents are not told it"
        elif profile.is_cut and not says:
            says = "the weightiest are shown"
        self.list_pane.border_subtitle = Content(says)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._show_current(from_top=True)

    def _show_current(self, *, from_top: bool) -> None:
        self.refresh_bindings()
        entry, now = self.current, self.app.clock()
        if entry is None:
            self.account.name_it("Entry")
            self.account.show(lambda _: Content(""), from_top=True)
            return
        question = self._question_of(entry)
        self.account.name_it(TITLES[entry.section])
        self.account.show(lambda cells: account(entry, question, cells, now), from_top=from_top)

    def _question_of(self, entry: ProfileEntry) -> Conflict | None:
        questions = self.profile.questions if self.profile else ()
        return next((one for one in questions if one.id == entry.asked), None)

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.is_ours and event.goes_to is not None:
            self._goal = event.goes_to
        elif event.undid is not None and self.is_current and event.ids:
            self._goal, self._undone = event.ids[0], event.ids
        self.load()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.load()

    # -- acts

    def action_ask(self, what: str) -> None:
        """Edit, add, move or clear: each asks something first."""
        self.acts.begin(what)

    def action_retire(self) -> None:
        """Take all that the entry rests on out of recall; it can be undone."""
        if entry := self.current:
            self.app.changes.change("forget", [memory.num for memory in entry.rests_on])

    @on(Opened)
    def action_open(self) -> None:
        """The memory on the Deck."""
        if entry := self.current:
            self.post_message(OpenMemory(entry.memory.id))

    async def action_decide(self) -> None:
        """To the conflict of the entry."""
        if entry := self.current:
            await self.app.navigation.open(Place("conflicts", memory=entry.memory.id))

    def action_read(self) -> None:
        """To all that is known of the entry, or back to the list."""
        if self.list.has_focus:
            self._into_pane()
        else:
            self.out_of_pane()

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """What can be done with the entry under the mouse."""
        event.stop()
        acts = [act for act in MENU_ACTS if not self.why_not(act.action)]
        if self.current is not None:
            self.offer(self.current.memory.title, acts)


def _said(entry: ProfileEntry) -> str:
    """What an entry says, to look for words in."""
    texts = (one.content for one in entry.rests_on)
    return " ".join((entry.memory.title, entry.group, TITLES[entry.section], *texts))


KINDS = (
    Choice("preferences", "what you prefer", key="p"),
    Choice("patterns", "how something is done", key="a"),
)


class ProfileActs:
    """What a person does to the entry under the cursor, and to its category."""

    def __init__(self, view: ProfileView) -> None:
        self.view, self.app = view, view.app

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `ask('…')` names."""
        return {"edit": self.edit, "new": self.new, "move": self.move, "clear": self.clear}[what]()

    @asks
    async def edit(self) -> None:
        """Edit the memory that the entry rests on, in the form of the Deck."""
        from ...dialogs.edit_memory import edited  # editing pays for the text area

        entry = self.view.current
        if entry is None:
            return
        memory = await self.app.pages.run(lambda core: core.show(entry.memory.id))
        if saved := await edited(self.app, memory):
            await self._wrote([saved.id], f"Saved {quoted(saved.title, 22)}.")

    @asks
    async def new(self) -> bool:
        """Say what you prefer, or how something is done, and of what; whether it was kept."""
        section = await self.app.ask(Menu("New entry", KINDS))
        if section is None:
            return False
        text = await self.app.ask(Ask("What are agents of every project to know?", "one sentence"))
        if not (text or "").strip():
            return False
        empty = {"title": "", "content": text, "category": "", "tags": (), "files": ()}
        guess, _ = group_of(section, empty)
        known = ", ".join(names_of(section))
        name = await self.app.ask(Ask("Of which category?", f"such as {known}", guess))
        if not (name or "").strip():
            return False
        kept = await self.app.write_agreed(
            lambda core: (core.add_preference if section == "preferences" else core.add_pattern)(
                text or "", name or ""
            )
        )
        if not kept.stored or kept.memory_id is None:
            self.view.notify(kept.reason, markup=False)
            return False
        await self._wrote([kept.memory_id], "Remembered.", goes_to=kept.memory_id)
        return True

    @asks
    async def move(self) -> bool:
        """Put the entry into another category; whether it was moved."""
        entry = self.view.current
        if entry is None:
            return False
        known = [name for name in names_of(entry.section) if name != "general"]
        about = f"such as {', '.join(known)}" if entry.section != "facts" else " or ".join(known)
        name = await self.app.ask(Ask("Of which category is it?", about, entry.group))
        if not (name or "").strip() or name == entry.group:
            return False
        moved = await self.app.write_agreed(lambda core: core.regroup(entry.memory.id, name or ""))
        await self._wrote([moved.id], f"Moved {quoted(moved.title, 22)}.")
        return True

    @asks
    async def clear(self) -> bool:
        """Forget the category under the cursor, after a yes to the warning."""
        entry = self.view.current
        if entry is None:
            return False
        cleared = await self.app.write_agreed(lambda core: core.clear_profile(entry.group))
        said = f"Cleared {quoted(entry.group)}: {counted(len(cleared), 'memory', 'memories')}."
        await self._wrote([memory.id for memory in cleared], said)
        return True

    async def _wrote(self, ids: list[str], said: str, goes_to: str | None = None) -> None:
        await self.app.news.wrote(ids, goes_to=goes_to)
        self.app.notices.toast(said, undo=True)
