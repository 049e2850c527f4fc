"""What Receipts asks the core, in a lane: what agents were told, and would be told today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...core.answers import Receipt, Replay
from ...core.retrieval.occasions import OCCASIONS
from ...core.retrieval.slo import HEALTHY_MS
from ...core.values import Hit, Memory
from ..widgets.injection_account import Told
from ..widgets.recall_rows import NEXT, OUT, TOLD, UNKNOWN, Item, Side
from .recall_asking import MOST_LEFT_OUT, item_of, memory_of, side_of

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

MOST_RECEIPTS = 200
THEN, TODAY = "then", "today"
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


@dataclass(frozen=True, slots=True)
class Opened:
    """One receipt with its memories as they are now; with a second answer when it was replayed."""

    receipt: Receipt
    tolds: tuple[Told, ...]
    items: tuple[Item, ...]
    more_left_out: int = 0  # beyond those that are listed


def read_receipts(core: MemoryCoordinator, memory: str | None) -> Listing:
    """What was injected in the project, or of one memory. Runs in a lane. Raises ManagerError."""
    if memory is None:
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
    )


def can_replay(receipt: Receipt) -> bool:
    """Whether the question is known: its prompt was kept, or it had none."""
    occasion = OCCASIONS.get(receipt.event, OCCASIONS["UserPromptSubmit"])
    return receipt.prompt is not None or not occasion.asks


def open_receipt(core: MemoryCoordinator, receipt: Receipt, *, with_today: bool) -> Opened:
    """What was told, item by item, and if wanted what would be told today. Runs in a lane."""
    then = Told(
        label=THEN,
        text=None,
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
        return Opened(receipt, (then,), *_items(core, receipt, None))
    replay = core.replay(receipt.id)
    today = replace(Told.of(TODAY, replay.now), note="" if replay.is_exact else CUT)
    return Opened(receipt, (then, today), *_items(core, receipt, replay))


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
                name,
                memory,
                tuple(sides),
                place,
                title=str(was.get("title") or ""),
                revision=was.get("revision"),
                helpful=was.get("helpful"),
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
