"""Recall: what an agent would be told with a prompt, and Receipts: what agents were told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import TextArea

from ...acts import bindings
from ...clipboard import copy
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.recall_rows import TOLD, ItemList, ReceiptList
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .acts import Settling, say_whether_it_helped, weigh
from .panes import Panes
from .receipts import Receipts
from .text import (
    ALL_TOLD,
    HELP,
    IN_PREVIEW,
    IN_RECEIPTS,
    MENU_ACTS,
    NO_MEMORY,
    NO_PROMPT,
    NO_RECEIPT,
    NOT_KEPT,
    NOT_TOLD,
    OF_ITEMS,
    ONLY_ACTS,
    RECALL_ACTS,
    RETIRED,
    SETTING_ACTS,
    TYPED,
    of_item,
    whole_action,
)
from .trial import PromptArea, SettingsLine, Trial

PANE_NAMES = ("receipts", "items", "text", "item")
"""What can be shown where there is room for one pane, in the order of `h` and `l`."""

TYPING_SECONDS = 0.1  # the next key comes sooner, and cancels the question
MINUTE_SECONDS = 30.0  # how often ages are counted anew


class RecallView(View):
    """A prompt or the receipts above; memories and budget at the left, the text at the right."""

    ACTS = RECALL_ACTS
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(RECALL_ACTS, "recall.step_out"),
        Binding("enter", "take('meant')", "Did you mean", id="recall.meant"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.box = FilterLine(self._narrow, self.focus_main, id="recall-filter")
        self.line = SettingsLine(id="recall-line")
        self.answers = Panes(self)
        self.receipts = Receipts(self, self.answers, self.line)
        self.trial = Trial(
            self,
            self.answers,
            self.line,
            is_left=lambda: self.receipts.is_shown,
            ask=lambda: self._compute(),
        )
        self.settling = Settling(self.app, self.receipts)
        self.at = "items"  # the pane that is shown where there is room for one

    def compose(self) -> ComposeResult:
        yield self.box
        with Vertical(id="recall-top"):
            yield self.trial.pane
            yield self.receipts.pane
            yield self.line
        with Container(id="recall-body"):
            with Container(id="recall-left"):
                yield self.answers.items_pane
                yield self.answers.budget
            with Container(id="recall-right"):
                yield self.answers.main
                yield self.answers.why
                yield from self.answers.columns
        yield self.answers.nothing

    def on_mount(self) -> None:
        """Name the panes, and begin with what is configured."""
        self.trial.pane.border_title = "Prompt"
        self._show_pane("items")
        self.set_interval(MINUTE_SECONDS, self._minute)
        self.trial.say_line()
        self._take_defaults()

    def _minute(self) -> None:
        if self.is_current and self.receipts.is_shown:
            self._load_receipts()

    @on(events.Show)
    def _shown(self) -> None:
        """What changed while nobody looked is worked out now."""
        if self.trial.is_old:
            self._refresh_all()

    def on_resize(self) -> None:
        """Other panes may have room now."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        if self.receipts.is_shown:
            self.receipts.say_latency()
        if self.answers.answer.tolds:
            self.answers.follow(from_top=False)
        self.keep_focus()

    # -- where one is

    def focus_main(self) -> None:
        """Focus where one works: the receipts, or what came of the prompt."""
        has_room = not self.answers.shows_one or self.has_class("-at-receipts")
        is_there = self.receipts.is_shown and has_room
        self.screen.set_focus(self.receipts.list if is_there else self.answers.start)

    def open_place(self, place: Place) -> None:
        """A prompt to try, or the receipts of a memory."""
        if place.session is not None:
            self.show_receipts_of(None, session=place.session)
        elif place.memory is not None and not place.is_remembered:
            self.show_receipts_of(place.memory)
        elif place.query:
            self.trial.prompt.take(place.query)
            self.screen.set_focus(self.answers.items)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        panes: list[tuple[str, Widget, Widget]] = [
            ("a", self.receipts.pane, self.receipts.list)
            if self.receipts.is_shown
            else ("a", self.trial.pane, self.trial.prompt),
            ("b", self.answers.items_pane, self.answers.items),
            ("c", self.answers.budget, self.answers.budget),
        ]
        right = zip("def", self.answers.beside_or_alone(), strict=False)
        panes += [(letter, pane, pane) for letter, pane in right]
        return [one for one in panes if one[1].is_on_screen]

    def list_in_use(self) -> ItemList | ReceiptList | None:
        """The list one is in; None while one reads or writes."""
        lists = (self.answers.items, self.receipts.list)
        return next((one for one in lists if one.has_focus), None)

    # -- which keys work

    def is_typed_in(self) -> bool:
        """Whether letters are typed here: into the filter, or into the prompt."""
        return self.box.is_typed_in or self.screen.focused is self.trial.prompt

    def can(self, action: str, *parameters: str) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if action not in TYPED:
            return True
        whole = whole_action(action, *parameters)
        if self.is_typed_in() or whole in (IN_PREVIEW if self.receipts.is_shown else IN_RECEIPTS):
            return False
        is_mended = bool(self.trial.meant) and self.answers.is_empty and not self.receipts.is_shown
        never = {
            "take('meant')": not is_mended,
            "open": is_mended,
            "choose('other')": self.trial.compares != "policies",
            "take('past')": not self.trial.defaults.has_past,
            "zoom": self.answers.is_empty,
            "copy": self.receipts.is_shown and not self.answers.to_copy(),
        }
        is_none = never.get(whole) or self._is_for_live(whole)
        return False if is_none else not self.why_not(whole) or None

    def _is_for_live(self, action: str) -> bool:
        return action in OF_ITEMS and self.why_not(action) == RETIRED

    @on(events.Key)
    def _say_retired(self, event: events.Key) -> None:
        bound = self._bindings.key_to_bindings.get(event.key, ())
        if not self.is_typed_in() and any(self._is_for_live(one.action) for one in bound):
            self.app.notices.refuse(RETIRED)

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        item, receipt = self.answers.current, self.receipts.current
        if action == "open" and self.receipts.list.has_focus:
            return "" if receipt is not None else NO_RECEIPT
        if action in OF_ITEMS:
            return of_item(item, action)
        no_replay = self.receipts.why_no_replay()
        is_there, why = {
            "receipt('today')": (not no_replay, no_replay),
            "take('receipt')": (receipt is not None and bool(receipt.prompt), NOT_KEPT),
            "change('helpful')": (item is not None and item.sides[0].state == TOLD, NOT_TOLD),
            "change('unhelpful')": (item is not None and item.sides[0].state == TOLD, NOT_TOLD),
            "receipt('memory')": (
                self.receipts.is_narrowed or (item is not None and not item.is_gone),
                NO_MEMORY,
            ),
            "step(1)": (receipt is not None, NO_RECEIPT),
            "step(-1)": (receipt is not None, NO_RECEIPT),
            "copy": (bool(self.answers.to_copy()), NO_PROMPT),
            "left_out": (self.answers.only_left_out or self.answers.leaves_out, ALL_TOLD),
        }.get(action, (True, ""))
        return "" if is_there else why

    def _show_pane(self, name: str) -> None:
        """Show this pane where there is room for one."""
        self.at = name
        for other in PANE_NAMES:
            self.set_class(other == name, f"-at-{other}")

    def _narrowed(self) -> ItemList | ReceiptList:
        return self.receipts.list if self.receipts.is_shown else self.answers.items

    def action_pane(self, step: int) -> None:
        """The pane to the left or right: the focus, and the room where there is room for one."""
        names = [name for name in PANE_NAMES if name != "receipts" or self.receipts.is_shown]
        here = next((one for one in names if self.screen.focused in self._in_pane(one)), self.at)
        name = names[max(0, min(names.index(here) + step, len(names) - 1))]
        self._show_pane(name)
        self.screen.set_focus(self._in_pane(name)[0])

    def _in_pane(self, name: str) -> tuple[Widget, ...]:
        """What can have the focus in the pane of that name, the foremost first."""
        answers = self.answers
        if name == "receipts":
            return (self.receipts.list,)
        if name == "items":
            return (answers.start,)
        if name == "text":
            return answers.beside_or_alone() if answers.is_beside else (answers.main,)
        return (answers.budget,) if answers.is_beside else (answers.why, answers.budget)

    @on(Opened)
    def action_open(self) -> None:
        """Open the memory on the Deck; from the receipts, go to what the receipt told."""
        item = self.answers.current
        if self.receipts.list.has_focus:
            self._show_pane("items")
            self.screen.set_focus(self.answers.items)
        elif item is not None and not item.is_gone:
            self.post_message(OpenMemory(item.id))

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        if event.list is self.answers.items:
            self.answers.follow()
        elif event.list is self.receipts.list:
            self.receipts.name_list()
            self._open_receipt()

    def out_of_pane(self) -> bool:
        """Back from a proof, to the receipts, or to the memories; whether one was elsewhere."""
        if self.receipts.proof is not None:
            self.action_receipt("today")
            return True
        if self.receipts.is_shown:
            if self.receipts.list.has_focus or self.receipts.current is None:
                return False
            self._show_pane("receipts")
            self.screen.set_focus(self.receipts.list)
            return True
        if self.screen.focused in (self.answers.items, self.answers.nothing):
            return False
        self._show_pane("items")
        self.screen.set_focus(self.answers.start)
        return True

    @property
    def _shows_two(self) -> bool:
        """Whether what a receipt told stands beside something else."""
        return self.receipts.with_today or self.receipts.proof is not None

    def out_of_mode(self) -> None:
        """From what was left out to all, from some answers to one, from the receipts of a memory
        to all, and out of them.
        """
        if self.answers.only_left_out:
            self.action_left_out()
        elif not self.receipts.is_shown:
            if self.trial.compares:
                self.trial.choose("alone")
        elif (with_today := self._shows_two) or self.receipts.is_narrowed:
            self.action_receipt("today" if with_today else "memory")
        else:
            self.action_turn("preview")

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        if event.list is self.answers.items:
            name_and_rest = (act.action.partition("(") for act in MENU_ACTS)
            can = [self.can(name, rest.strip("')")) for name, _, rest in name_and_rest]
            acts = [act for act, it_can in zip(MENU_ACTS, can, strict=True) if it_can]
            self.offer("Memory", acts)

    # -- trying a prompt

    @work(exclusive=True, group="recall-defaults")
    async def _take_defaults(self) -> None:
        await self.trial.take_defaults()
        self._compute()

    @work(exclusive=True, group="recall")
    async def _compute(self, wait: float = 0.0) -> None:
        """Work out what would be told; an older question is given up."""
        self.trial.is_old = False
        await asyncio.sleep(wait)
        await self.trial.work_out()

    @on(TextArea.Changed, "#recall-prompt")
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._compute(TYPING_SECONDS)

    def action_ask(self) -> None:
        """Into the prompt; where it has no place of its own it takes one."""
        self.add_class("-asking")
        self.screen.set_focus(self.trial.prompt)

    @on(PromptArea.Left)
    def _prompt_left(self, event: PromptArea.Left) -> None:
        event.stop()
        self.remove_class("-asking")
        self.screen.set_focus(self.answers.start)

    def action_choose(self, what: str) -> None:
        """With what the prompt is asked."""
        self.trial.choose(what)

    def action_settings(self) -> None:
        """Offer with what the prompt is asked, by a letter each."""
        has_two = self.trial.compares == "policies"
        self.offer("With what?", SETTING_ACTS if has_two else SETTING_ACTS[:-1])

    @on(SettingsLine.Chosen)
    def _setting_clicked(self, event: SettingsLine.Chosen) -> None:
        event.stop()
        self.action_choose(event.what)

    def action_take(self, what: str) -> None:
        """Take a prompt to try it out: one of the past, the receipt's, or what was meant."""
        receipt = self.receipts.current
        if what == "past":
            self.trial.take_past()
        elif what == "meant" and self.trial.meant:
            self.trial.try_out(self.trial.meant)
        elif what == "receipt" and receipt is not None and receipt.prompt:
            self._show_pane("items")
            self.trial.try_out(receipt.prompt, receipt.host)

    # -- among receipts

    def action_turn(self, to: str) -> None:
        """To what agents were told until now, or back to trying a prompt."""
        if to == "receipts":
            self.show_receipts_of(None)
            return
        self.remove_class("-receipts")
        self.receipts.only = self.receipts.session = None
        self._show_pane("items")
        self.answers.answer = replace(self.answers.answer, tolds=(), receipt=None)
        self.answers.forget_filter()
        self._compute()
        self.focus_main()

    def show_receipts_of(self, memory: str | None, *, session: str | None = None) -> None:
        """The receipts, or only those that name a memory, or that a session was told."""
        self.add_class("-receipts")
        self.receipts.only, self.receipts.opened = memory, None
        self.receipts.session = session
        self.answers.forget_filter()
        self._show_pane("receipts")
        self._load_receipts()
        self.screen.set_focus(self.receipts.list)

    @work(exclusive=True, group="receipts")
    async def _load_receipts(self) -> None:
        await self._read_receipts()

    async def _read_receipts(self) -> None:
        await self.receipts.read()
        if self.receipts.is_shown:
            self._open_receipt()

    @work(exclusive=True, group="receipt")
    async def _open_receipt(self) -> None:
        await self.receipts.open_current()

    def action_step(self, rows: int) -> None:
        """The next receipt, or the one before."""
        self.receipts.list.cursor += rows

    def action_receipt(self, what: str) -> None:
        """`today`: beside it what its prompt gets now; `memory`: only its receipts; or offer."""
        receipts, item = self.receipts, self.answers.current
        if what == "only":
            self.offer("Only", [act for act in ONLY_ACTS if not self.why_not(act.action)])
        elif what == "today":
            receipts.with_today = not receipts.with_today and receipts.proof is None
            receipts.proof = None
            self._open_receipt()
        else:
            is_all = receipts.is_narrowed or item is None or item.is_gone
            receipts.session = None
            receipts.only = None if is_all or item is None else item.id
            self._load_receipts()

    # -- what is narrowed

    @work(exclusive=True, group="recall-filter")
    async def _narrow(self, wait: float = 0.0) -> None:
        """List what fits the filter only: receipts, or memories."""
        await asyncio.sleep(wait)
        if self.receipts.is_shown:
            self.answers.fitting = None
            await self._read_receipts()
        else:
            await self.trial.narrow(self.box.text)

    # -- changes

    def action_left_out(self) -> None:
        """List only what was left out, or all again."""
        self.answers.list_left_out(not self.answers.only_left_out)

    def action_change(self, how: str) -> None:
        """Correct, demote or forget the memory under the cursor; pin it, weigh it otherwise, or say
        whether it helped.
        """
        item = self.answers.current
        if item is None:
            return
        if how in ("helpful", "unhelpful"):
            saying = say_whether_it_helped(self.app, item, self.receipts, how == "helpful")
            self.run_worker(saying, group="write")
        elif how == "pin" and not item.is_gone:
            self.app.changes.change("pin", [item.num])
        elif how in ("edit", "forget", "demote") and not item.is_gone:
            self.settling.settle(how, item)
        elif not item.is_gone:
            weighing = weigh(self.app, item, 1 if how == "more" else -1)
            self.run_worker(weighing, group="write")

    @work(group="copy")
    async def action_copy(self) -> None:
        """Copy the very text that is injected."""
        self.app.notify(copy(self.screen.app, self.answers.to_copy()), markup=False)

    def _refresh_all(self) -> None:
        """Work out anew what is shown."""
        self.trial.is_old = False
        if self.receipts.is_shown:
            self._load_receipts()
        else:
            if self.box.text:
                self._narrow()
            self._compute()

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if self.is_current:
            if event.undid is not None:
                self.answers.undone = event.ids or ()
                self.receipts.proof = None  # what it proved is taken back
            self._refresh_all()
        else:
            self.trial.is_old = True

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.receipts.forget()
        self._take_defaults()
        if self.receipts.is_shown:
            self._load_receipts()
