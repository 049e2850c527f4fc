"""Receipts: what agents were told, one by one, why, and what they would be told today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from textual.containers import Vertical
from textual.content import Content

from ....core.answers import Proof, Receipt, Replay
from ....core.errors import ManagerError, StoreUnusable
from ....core.recall.receipt import HEALTHY_MS, OCCASIONS
from ....core.values import Hit, Memory
from ...matches import filter_of
from ...text import cut
from ...view import View
from ...widgets.bars import latency_line
from ...widgets.injection_account import Told
from ...widgets.nothing import cannot_be_read, nothing_fits
from ...widgets.recall_rows import (
    NEXT,
    OUT,
    TOLD,
    UNKNOWN,
    Item,
    ReceiptList,
    ReceiptRow,
    Side,
    event_word,
    occasion,
)
from .model import MOST_LEFT_OUT, Answer, item_of, items_of, memory_of, side_of
from .panes import Panes
from .text import ELSEWHERE, NOT_KEPT, nothing_told
from .trial import SettingsLine

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator

MOST_RECEIPTS = 200
THEN, TODAY = "then", "today"
BEFORE, AFTER = "before", "after"
CUT = "its prompt was kept cut or redacted: this is near to it"


@dataclass(frozen=True, slots=True)
class Listing:
    """What was injected, newest first, and how long recalls took."""

    receipts: tuple[Receipt, ...]
    times: tuple[float, ...]  # milliseconds, oldest first
    limit_ms: float
    is_degraded: bool  # recall was too slow, and looks at less until it is not
    title: str = ""  # of the memory that they name, when only those are listed
    reader: str = ""  # how the model that reads sessions stands today; "" when none does
    project: str = ""  # the id of the one that is looked from


class Receipts:
    """What was told, one by one."""

    def __init__(self, view: View, panes: Panes, line: SettingsLine) -> None:
        self._view, self._app = view, view.app
        self._panes, self._line = panes, line
        self.list = ReceiptList(self._app.glyphs, id="receipts-list")
        self.pane = Vertical(self.list, id="receipts-pane", classes="pane")
        self.listing: Listing | None = None
        self.only: str | None = None  # only receipts that name this memory
        self.session: str | None = None  # only what this session was told
        self.opened: Answer | None = None
        self.with_today = False
        self.proof: Proof | None = None  # of a change that was made from the opened receipt
        self._numbers: dict[str, int] = {}  # a number for each receipt, for the list

    def why_no_replay(self) -> str:
        """Why the prompt of the receipt under the cursor is not asked again; "" when it can be."""
        receipt, listing = self.current, self.listing
        if receipt is None or not can_replay(receipt):
            return NOT_KEPT
        is_here = listing is None or receipt.project in ("", listing.project)
        return "" if is_here else ELSEWHERE

    @property
    def is_shown(self) -> bool:
        """Whether receipts are shown, instead of a prompt to try."""
        return self._view.has_class("-receipts")

    @property
    def is_narrowed(self) -> bool:
        """Whether only those of a memory, or of a session, are listed."""
        return bool(self.only or self.session)

    @property
    def current(self) -> Receipt | None:
        """The receipt under the cursor."""
        receipts = self.listing.receipts if self.listing is not None else ()
        return receipts[self.list.cursor] if self.list.cursor < len(receipts) else None

    # -- the list

    async def read(self) -> None:
        """Read what was told; the cursor stays on its receipt."""
        only, session, box = self.only, self.session, self._view.box
        try:
            listing = await self._app.pages.run(lambda core: read_receipts(core, only, session))
        except StoreUnusable as error:
            self._panes.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        except ManagerError:
            self.only = None  # the memory is gone meanwhile
            listing = await self._app.pages.run(lambda core: read_receipts(core, None))
        fits = filter_of(box.text)
        told = tuple(one for one in listing.receipts if fits(_said(one)))
        if self.is_shown:
            box.say_count(len(told), len(listing.receipts))
        self.listing = replace(listing, receipts=told)
        rows = [ReceiptRow(self._number(one.id), one, one.prompt) for one in told]
        self.list.show_receipts(rows, self.list.current_key, self._app.clock())
        self.name_list()
        if self.is_shown:
            self.say_latency()

    def _number(self, receipt: str) -> int:
        return self._numbers.setdefault(receipt, len(self._numbers) + 1)

    def name_list(self) -> None:
        """Which one of how many, and of what."""
        listing = self.listing
        if listing is None:
            return
        of = f" of {cut(listing.title, 40)}" if self.is_narrowed else ""
        self.pane.border_title = Content(f"Receipts{of}")
        count = len(listing.receipts)
        place = f"{self.list.cursor + 1:,} of {count:,}" if count else ""
        told = " · ".join(part for part in (place, listing.reader) if part)
        self.pane.border_subtitle = Content(told or "")

    def say_latency(self) -> None:
        """How long recalls took, against the limit."""
        listing = self.listing
        if listing is not None:
            cells = max(self._view.size.width - 2, 0)
            line = latency_line(
                listing.times,
                listing.limit_ms,
                cells,
                self._app.glyphs,
                is_degraded=listing.is_degraded,
            )
            self._line.say_instead(line)

    # -- one receipt

    async def open_current(self) -> None:
        """Show the receipt under the cursor with its memories as they are now."""
        receipt = self.current
        if receipt is None:
            self.opened = None
            is_filtered = bool(self._view.box.text.strip())
            self._panes.say_nothing(
                nothing_fits() if is_filtered else nothing_told(self.only is not None)
            )
            return
        if self.proof is not None and self.proof.receipt.id != receipt.id:
            self.proof = None
        proof, with_today = self.proof, self.with_today and not self.why_no_replay()
        opened = await self._app.pages.run(
            lambda core: (
                open_proof(core, proof)
                if proof is not None
                else open_receipt(core, receipt, with_today=with_today)
            )
        )
        if not self.is_shown:
            return
        before = self.opened.receipt if self.opened is not None else None
        self.opened = opened
        asked_for = [one.num for one in opened.items if self.only and one.id.startswith(self.only)]
        start = next(iter([*asked_for, *(one.num for one in opened.items)]), None)
        is_other = before is None or before.id != receipt.id
        self._panes.show(opened, go_to=start if is_other else None)

    def forget(self) -> None:
        """Another project is looked at."""
        self.only, self.session, self.opened, self.listing = None, None, None, None
        self.proof = None


def _said(receipt: Receipt) -> str:
    """What a receipt says, to look for words in."""
    titles = (str(one.get("title") or "") for one in receipt.items)
    who = (occasion(receipt), receipt.host, event_word(receipt.event), receipt.session_name)
    said = (*(word or "" for word in who), receipt.session or "", receipt.text or "")
    return " ".join((*said, *receipt.files, *titles))


def read_receipts(
    core: MemoryCoordinator, memory: str | None, session: str | None = None
) -> Listing:
    """What was injected in the project, of one memory, or in a session. Runs in a lane.

    Raises ManagerError.
    """
    if session is not None:
        told = core.receipts(MOST_RECEIPTS, session=session)  # of those that begin so
        found = [one for one in told if one.session == session]
        title = core.services.sessions.names([session]).get(session, "a session")
    elif memory is None:
        found, title = core.receipts(MOST_RECEIPTS), ""
    else:
        found, title = core.injections(memory, MOST_RECEIPTS), core.show(memory).title
    return Listing(
        tuple(found),
        tuple(core.latencies()),
        HEALTHY_MS,
        core.health().is_degraded,
        title,
        core.extractor.state().in_short,
        core.project.id,
    )


def can_replay(receipt: Receipt) -> bool:
    """Whether the question is known: its prompt was kept, or it had none."""
    occasion = OCCASIONS.get(receipt.event, OCCASIONS["UserPromptSubmit"])
    return receipt.prompt is not None or not occasion.asks


def open_receipt(core: MemoryCoordinator, receipt: Receipt, *, with_today: bool) -> Answer:
    """What was told, item by item, and if wanted what would be told today. Runs in a lane."""
    then = Told(
        label=THEN,
        text=receipt.text,
        tokens=receipt.tokens,
        budget=receipt.budget,
        used=receipt.per_tier,
        limits=receipt.limits,
        tiers={str(one["id"]): str(one.get("tier") or "") for one in receipt.items},
        next=receipt.next,
        ratio=receipt.compression_ratio or 0.0,
        is_degraded=receipt.is_degraded,
    )
    if not with_today:
        return Answer((then,), *_items(core, receipt, None), receipt=receipt)
    replay = core.replay(receipt.id)
    today = replace(Told.of(TODAY, replay.now), note="" if replay.is_exact else CUT)
    return Answer((then, today), *_items(core, receipt, replay), receipt=receipt)


def open_proof(core: MemoryCoordinator, proof: Proof) -> Answer:
    """What the receipt's prompt got right before a change, and right after. Runs in a lane."""
    note = "" if proof.is_exact else CUT
    tolds = (
        replace(Told.of(BEFORE, proof.before), note=note),
        replace(Told.of(AFTER, proof.after), note=note),
    )
    prompt = proof.receipt.prompt or ""
    items, more = items_of(core, [proof.before, proof.after], [prompt, prompt])
    gone = {one.id: one.why for one in proof.changes if one.change == "gone"}
    told = [
        replace(one, sides=(one.sides[0], Side(OUT, gone[one.id]))) if one.id in gone else one
        for one in items
    ]
    return Answer(tolds, tuple(told), more, receipt=proof.receipt)


def _items(
    core: MemoryCoordinator, receipt: Receipt, replay: Replay | None
) -> tuple[tuple[Item, ...], int]:
    """Everything told then or today, then what was left out; and how many more were left out."""
    told = {str(one["id"]): one for one in receipt.items}
    reasons: dict[str, str] = {}
    for name, why in receipt.left_out:
        reasons.setdefault(name, why)
    ahead = str(receipt.next["id"]) if receipt.next else ""
    hits = {hit.id: hit for hit in replay.now.items} if replay is not None else {}
    changes = {one.id: one for one in replay.changes} if replay is not None else {}
    names = list(dict.fromkeys([*told, *hits, *([ahead] if ahead else []), *reasons]))
    listed = names[: len(told.keys() | hits.keys()) + MOST_LEFT_OUT]
    items = []
    for place, name in enumerate(listed):
        change = changes.get(name)
        was = told.get(name, {})
        is_new = change is not None and change.change == "new"
        why_then = change.why if change is not None and is_new else reasons.get(name, "")
        memory = hits[name].memory if name in hits else memory_of(core, name)
        sides = [_side_then(core, receipt, was, name, why_then, memory)]
        if replay is not None:
            why = change.why if change is not None and not is_new else ""
            prompt = receipt.prompt or ""
            sides.append(side_of(core, prompt, replay.now, name, hits.get(name), why))
        items.append(
            item_of(
                core,
                name,
                memory,
                tuple(sides),
                place,
                title=str(was.get("title") or ""),
                revision=was.get("revision"),
                helpful=was.get("helpful"),
                used=was.get("used"),
            )
        )
    return tuple(items), len(names) - len(listed)


def _side_then(
    core: MemoryCoordinator,
    receipt: Receipt,
    was: Mapping[str, Any],
    name: str,
    why: str,
    memory: Memory | None,
) -> Side:
    if was:
        score, parts = float(was["score"]), dict(was["parts"])
        account: tuple[str, ...] = ()
        if memory is not None and was.get("revision") in (None, memory.revision):
            account = core.account(receipt.prompt or "", Hit(memory, score, parts))
        return Side(TOLD, "", score, parts, account, int(was.get("tokens") or 0))
    ahead = receipt.next
    if ahead is not None and ahead["id"] == name:
        return Side(NEXT, str(ahead.get("why") or why), float(ahead.get("score") or 0.0))
    return Side(OUT, why) if why else Side(UNKNOWN)
