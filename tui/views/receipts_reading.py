"""Receipts: what agents were told, one by one, why, and what they would be told today."""

from __future__ import annotations

from dataclasses import replace

from textual import work
from textual.content import Content

from ...core.answers import Receipt
from ...core.errors import ManagerError, StoreUnusable
from ..matches import filter_of
from ..text import cut, quoted
from ..widgets.injection_account import Told
from ..widgets.recall_latency import latency_line
from ..widgets.recall_receipts import ReceiptRow, event_word, occasion
from ..widgets.recall_rows import TOLD
from .inbox_words import cannot_be_read
from .recall_acts import NOTHING_FITS, nothing_told
from .recall_previewing import Previewing
from .receipts_asking import Listing, Opened, can_replay, open_receipt, read_receipts


class ReceiptsReading(Previewing):
    """What was told."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.listing: Listing | None = None
        self.only: str | None = None  # only receipts that name this memory
        self.opened: Opened | None = None
        self.with_today = False
        self._numbers: dict[str, int] = {}  # a number for each receipt, for the list

    # -- the list

    @work(exclusive=True, group="receipts")
    async def load_receipts(self) -> None:
        """Read what was told; the cursor stays on its receipt."""
        await self._read_receipts()

    async def _read_receipts(self) -> None:
        only = self.only
        try:
            listing = await self.app.pages.run(lambda core: read_receipts(core, only))
        except StoreUnusable as error:
            self.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        except ManagerError:
            self.only = None  # the memory is gone meanwhile
            listing = await self.app.pages.run(lambda core: read_receipts(core, None))
        fits = filter_of(self.box.text)
        told = tuple(one for one in listing.receipts if fits(_said(one)))
        if self.among_receipts:
            self.box.say_count(len(told), len(listing.receipts))
        self.listing = listing = replace(listing, receipts=told)
        rows = [ReceiptRow(self._number(one.id), one, one.prompt) for one in listing.receipts]
        self.receipts.show_receipts(rows, self.receipts.current_key, self.app.clock())
        self._name_list()
        if self.among_receipts:
            self.say_latency()
            self.open_current()

    async def apply_filter(self, text: str) -> None:
        """Among receipts the filter is for them; else for memories."""
        if self.among_receipts:
            self.fitting = None
            await self._read_receipts()
        else:
            await super().apply_filter(text)

    def _number(self, receipt: str) -> int:
        return self._numbers.setdefault(receipt, len(self._numbers) + 1)

    def _name_list(self) -> None:
        pane, listing = self.query_one("#receipts-pane"), self.listing
        if listing is None:
            return
        of = f" of {cut(listing.title, 40)}" if self.only else ""
        pane.border_title = Content(f"Receipts{of}")
        count = len(listing.receipts)
        place = f"{self.receipts.cursor + 1:,} of {count:,}" if count else ""
        told = " · ".join(part for part in (place, listing.reader) if part)
        says = f" {told} " if told else ""
        pane.border_subtitle = Content(says)

    def say_latency(self) -> None:
        """How long recalls took, against the limit."""
        listing = self.listing
        if listing is not None:
            cells = max(self.size.width - 2, 0)
            self.line.say_instead(
                latency_line(
                    listing.times,
                    listing.limit_ms,
                    cells,
                    self.app.glyphs,
                    is_degraded=listing.is_degraded,
                )
            )

    @property
    def receipt(self) -> Receipt | None:
        """The receipt under the cursor."""
        found = self.listing.receipts if self.listing is not None else ()
        return found[self.receipts.cursor] if self.receipts.cursor < len(found) else None

    def receipt_moved(self) -> None:
        self._name_list()
        self.open_current()

    # -- one receipt

    @work(exclusive=True, group="receipt")
    async def open_current(self) -> None:
        """Show the receipt under the cursor with its memories as they are now."""
        receipt = self.receipt
        if receipt is None:
            self.opened = None
            is_filtered = bool(self.box.text.strip())
            nothing = NOTHING_FITS if is_filtered else nothing_told(self.only is not None)
            self.say_nothing(nothing)
            return
        with_today = self.with_today and can_replay(receipt)
        opened = await self.app.pages.run(
            lambda core: open_receipt(core, receipt, with_today=with_today)
        )
        if not self.among_receipts:
            return
        is_other = self.opened is None or self.opened.receipt.id != receipt.id
        self.opened = opened
        asked_for = [one.num for one in opened.items if self.only and one.id.startswith(self.only)]
        start = next(iter([*asked_for, *(one.num for one in opened.items)]), None)
        self.show_answers(
            opened.tolds, opened.items, opened.more_left_out, go_to=start if is_other else None
        )

    def text_content(self, width: int, told: Told) -> Content:
        """What a receipt says of itself, or the text that would be injected."""
        if self.among_receipts and self.opened is not None:
            lines = self.writer(width).receipt(self.opened.receipt, self.opened.items)
            return Content("\n").join(lines)
        return super().text_content(width, told)

    def _name_text(self, told: Told) -> None:
        if self.among_receipts:
            self.main.name_it("Receipt", f"{told.tokens:,} tokens")
        else:
            super()._name_text(told)

    # -- acts

    def action_receipts(self) -> None:
        """What agents were told until now."""
        self.show_receipts_of(None)

    def show_receipts_of(self, memory: str | None) -> None:
        """The receipts, or only those that name a memory."""
        self.add_class("-receipts")
        self.only = memory
        self.forget_filter()
        self.opened = None
        self.turn("receipts")
        self.load_receipts()
        self.screen.set_focus(self.receipts)

    def action_preview(self) -> None:
        """Back to trying a prompt."""
        self.remove_class("-receipts")
        self.only = None
        self.turn("items")
        self.tolds = ()
        self.forget_filter()
        self.compute()
        self.focus_main()

    def turn(self, pane: str) -> None:
        """From the one to the other; `pane` is what is shown where there is room for one."""

    def action_step(self, rows: int) -> None:
        """The next receipt, or the one before."""
        self.receipts.cursor += rows

    def action_replay(self) -> None:
        """What the same prompt would get today beside what it got then; or only that."""
        self.with_today = not self.with_today
        self.open_current()

    def action_only_memory(self) -> None:
        """Only receipts that name the memory under the cursor; or all again."""
        item = self.current
        self.only = None if self.only or item is None or item.is_gone else item.id
        self.load_receipts()

    def action_try_prompt(self) -> None:
        """Take the receipt's prompt to try it out."""
        receipt = self.receipt
        if receipt is not None and receipt.prompt:
            self.turn("items")
            self.try_out(receipt.prompt, receipt.host)

    @work(group="write")
    async def action_feedback(self, helpful: bool) -> None:
        """Say whether it helped to be told the memory under the cursor."""
        item, receipt, opened = self.current, self.receipt, self.opened
        if item is None or receipt is None or item.sides[0].state != TOLD:
            return
        if opened is None or opened.receipt.id != receipt.id:
            return  # the next receipt is on its way: what was seen is not what would be judged
        says = None if item.helpful is helpful else helpful
        await self.app.write.run(lambda core: core.feedback(receipt.id, item.id, says))
        await self.app.news.wrote([item.id])
        key, word = ("+", "helpful") if helpful else ("-", "not helpful")
        title = quoted(item.title, 22)
        self.app.call_later(self.app.clear_notifications)
        if says is None:
            self.app.notices.toast(f"No longer {word}: {title}.")
        else:
            self.app.notices.toast(f"Noted as {word}: {title}. {key} again takes it back.")


def _said(receipt: Receipt) -> str:
    """What a receipt says, to look for words in."""
    titles = (str(one.get("title") or "") for one in receipt.items)
    said = (occasion(receipt), receipt.host, event_word(receipt.event), receipt.session or "")
    return " ".join((*said, *receipt.files, *titles))
