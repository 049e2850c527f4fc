"""The Inbox: what was captured waits here, one by one, for a person's verdict."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.worker import Worker

from ..acts import INBOX_ACTS, bindings
from ..dialogs.menu import Choice, Menu
from ..messages import OpenMemory
from ..typeahead import answered, asks, may_ask
from ..view import Place
from ..widgets.list_messages import MenuWanted, Opened
from .inbox_deciding import Deciding
from .inbox_words import NO_NEIGHBOUR, NO_TEXT, NOTHING_REFUSED, NOTHING_WAITS

PANES = (
    ("a", "inbox-list-pane"),
    ("b", "inbox-candidate"),
    ("c", "inbox-near"),
    ("d", "inbox-judgement"),
)
"""The letter of each pane in jump mode, and its id; they never change place."""

VERDICT_ACTIONS = frozenset({"decide", "snooze", "edit", "merge", "near"})
MARKING_ACTIONS = frozenset({"range", "mark_all", "invert"})
MOVING_ACTIONS = frozenset({"skip", "step", "jump"})
MINUTE_SECONDS = 30.0  # how often ages, countdowns and what was put off are looked at


class InboxView(Deciding):
    """The list at the left, the candidate in the middle, what speaks for it at the right."""

    ACTS = INBOX_ACTS
    HELP = """\
## Inbox
What hooks captured waits here for your verdict, the most valuable first. A verdict brings up the
next one, and `u` takes it back.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(INBOX_ACTS),
        Binding("escape", "step_out", "Back", show=False, id="inbox.step_out"),
    ]

    def compose(self) -> ComposeResult:
        yield self.box
        with Container(id="inbox-panes"):
            with Vertical(id="inbox-list-pane", classes="pane"):
                yield self.waiting
                yield self.refused
            yield self.main
            with Container(id="inbox-aside"):
                yield self.near
                yield self.why
        yield self.nothing

    def on_mount(self) -> None:
        """Name the list and read what waits."""
        self._name_panes()
        self.set_interval(MINUTE_SECONDS, self._minute)
        self.load()

    def _minute(self) -> None:
        """Time passes: countdowns move, and what was put off comes back."""
        if self.display and self.app.view == "inbox":
            self._forget(None)
            self.load()
            self.app.news.count()

    def _name_panes(self) -> None:
        list_pane = self.query_one("#inbox-list-pane")
        list_pane.border_title = "Refused" if self.is_refused else "Waiting"
        self.main.border_title = "Refused capture" if self.is_refused else "Candidate"

    def on_resize(self) -> None:
        """Other panes may have room now; what is read stays in hand."""
        self.write_nothing()
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        num, judged = self.waiting.current_key, self.judged
        if num is not None and judged is not None and not self.is_refused:
            self._show(num, judged)
        focused = self.screen.focused
        if self.app.view == "inbox" and (focused is None or not focused.is_on_screen):
            self.focus_main()
        self.app.notices.keep_off_the_cursor()

    # -- what the stage asks of a view

    def place(self) -> Place:
        """Where one is, to come back to."""
        row = self.waiting.current
        return Place("inbox", memory=row.id if row is not None and row.id else None)

    def open_place(self, place: Place) -> None:
        """Come back to a candidate; one that waits no longer is said when it was asked for."""
        if place.memory is not None and not place.is_remembered:
            self.box.set_text("", silent=True)
            self.let_keys_wait_for(self.load(place.memory))

    @may_ask
    async def let_keys_wait_for(self, going: Worker[None]) -> bool:
        """What is typed now is for the candidate that one goes to."""
        return await answered(going)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        panes = [(letter, self.query_one(f"#{name}")) for letter, name in PANES]
        return [
            (letter, pane, self.seen if letter == "a" else pane)
            for letter, pane in panes
            if pane.is_on_screen
        ]

    def cursor_line(self) -> int | None:
        """The line of the screen on which the cursor stands, where a notice could cover it."""
        if not self.shows_one_pane or not self.has_class("-listing"):
            return None
        return self.seen.content_region.y + self.seen.cursor - self.seen.scroll_offset.y

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action == "filter":
            return not self.box.is_typed_in
        if action == "rescue":
            return (not self._cannot(action) or None) if self.is_refused else False
        if action in ("refused", "waiting"):
            return self.is_refused == (action == "waiting")
        if action in VERDICT_ACTIONS | MARKING_ACTIONS:
            return False if self.is_refused else not self._cannot(action) or None
        if action in MOVING_ACTIONS:
            return bool(self.seen.keys) or None
        return super().check_action(action, parameters)

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        return self._cannot(action.partition("(")[0])

    def _cannot(self, action: str) -> str:
        if not self.seen.keys:
            return NOTHING_REFUSED if self.is_refused else NOTHING_WAITS
        if action in ("merge", "near"):
            judged = self.judged  # not read yet: the key may act
            return NO_NEIGHBOUR if judged is not None and not judged.candidate.neighbour else ""
        if action == "rescue":
            capture = self.captures.get(self.refused.current_key or 0)
            return "" if capture is None or capture.content.strip() else NO_TEXT
        return ""

    # -- moving about

    def action_filter(self) -> None:
        """Into the filter, at once."""
        self.box.open()

    def action_step(self, rows: int) -> None:
        """The next or the previous one."""
        self.seen.cursor += rows

    def action_jump(self, row: int) -> None:
        """The first or the last one."""
        self.seen.action_jump(row)

    def action_skip(self) -> None:
        """Leave it for later; after the last comes the first again."""
        seen = self.seen
        seen.cursor = (seen.cursor + 1) % max(len(seen.keys), 1)

    def action_list(self) -> None:
        """To the list; where it has no room, in the place of the candidate, and away again."""
        if self.has_class("-listing"):
            self._close_list()
        else:
            self.add_class("-listing")
            self.screen.set_focus(self.seen)

    @on(Opened)
    def action_read(self) -> None:
        """To the candidate."""
        self._close_list()

    def _close_list(self) -> None:
        self.remove_class("-listing")
        self.focus_main()

    def action_near(self) -> None:
        """Open the nearest known memory on the Deck."""
        judged = self.judged
        if judged is not None and judged.candidate.neighbour is not None:
            self.post_message(OpenMemory(judged.candidate.neighbour.id))

    def action_refused(self) -> None:
        """What was refused."""
        self.add_class("-refused")
        self.load_refused()
        self._turn()

    def action_waiting(self) -> None:
        """Back to what waits."""
        self.remove_class("-refused")
        self.load()
        self._turn()

    def _turn(self) -> None:
        self._shown = None
        self._name_panes()
        self.focus_main()
        self.say_marks()
        self.refresh_bindings()

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        is_zoomed = self.has_class("-zoomed")
        for _, name in PANES:
            pane = self.query_one(f"#{name}")
            pane.set_class(not is_zoomed and pane.has_focus_within, "-zoom")
        self.set_class(not is_zoomed and bool(self.query(".-zoom")), "-zoomed")

    def action_step_out(self) -> None:
        """One step out, never out of the Inbox."""
        if self.waiting.marks.in_range or self.waiting.marks.keys:
            self.waiting.marks.clear()
        elif self.has_class("-zoomed"):
            self.action_zoom()
        elif self.has_class("-listing") or self.screen.focused not in (self.main, self.nothing):
            self._close_list()
        elif self.box.text:
            self.box.clear()
        elif self.is_refused:
            self.action_waiting()

    # -- marks

    def action_range(self) -> None:
        """Begin or end a range."""
        self.waiting.marks.toggle_range(self.waiting.cursor, self.waiting.keys)

    def action_mark_all(self) -> None:
        """Mark everything that waits."""
        self.waiting.marks.set(self.waiting.keys)

    def action_invert(self) -> None:
        """Mark what is not marked."""
        self.waiting.marks.invert(self.waiting.keys)

    # -- the mouse

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        self._act_menu()

    @asks
    async def _act_menu(self) -> None:
        """The verdicts on the row under the mouse."""
        group = "rescue" if self.is_refused else "accept pin edit merge reject snooze"
        ids = {f"inbox.{name}" for name in group.split()}
        acts = [
            act
            for act in INBOX_ACTS
            if act.id in ids and not self._cannot(act.action.partition("(")[0])
        ]
        choices = [Choice(act.id, act.label, key=act.key) for act in acts]
        chosen = await self.app.ask(Menu("Verdict", choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act)
