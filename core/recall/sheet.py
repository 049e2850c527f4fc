"""Filling the tiers, entry by entry, never over budget and never past the host's limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..values import Hit, Injection, memory_from_image
from .budget import TIERS, Allocation
from .formats import Entry, Format, frame_cost, widest_frame
from .occasions import Told, is_at_work, mark_of
from .request import MOST_OF_BUDGET
from .selection import LeftOut, Ranked
from .tokens import ESTIMATES, count_halves, of_halves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Unit = list[Ranked]
"""What is shown together: one memory, or all sides of a conflict."""

BETWEEN = "\n\n"
"""What stands between the notes and the request to record."""

TOLD = "told already in this session"
OWN = "this session said it itself"
KNOWN = (TOLD, OWN)
"""Why nothing need be told: it stands in the session's context."""


class Sheet:
    """One injection in the making.

    Tokens and units add up exactly, so the size of the finished text is known before it is
    written: an entry goes in only if the whole stays within the total, its tier and the host's
    limits, and it goes in whole. `most_tokens` is what the host itself takes, strictly counted.
    `request` is asked below the notes, and paid for first.
    """

    def __init__(
        self,
        form: Format,
        allocation: Allocation,
        max_units: int,
        now_ms: int,
        *,
        estimate: str = "words",
        most_tokens: int | None = None,
        told: Told | None = None,
        is_own: Callable[[Mapping[str, Any]], bool] | None = None,
        request: str = "",
    ) -> None:
        self.left_out: LeftOut = []
        self._form, self._allocation = form, allocation
        self._max_units, self._now_ms = max_units, now_ms
        self._estimate, self._most_tokens = ESTIMATES[estimate], most_tokens
        self._told, self._is_own = told or {}, is_own
        words, self._units = frame_cost(form)
        frame = widest_frame(form)
        self._size = words if estimate == "words" else self._estimate.count(frame)
        self._halves = count_halves(frame) if most_tokens is not None else 0
        self._request = self._fitting(request)
        if self._request:
            self._size += self._estimate.count(self._request) + 2 * self._estimate.line
            self._units += form.length(self._request) + len(BETWEEN)
            self._halves += count_halves(self._request) + 4 if most_tokens is not None else 0
        self._entries: list[Entry] = []
        self._items: list[Ranked] = []
        self._tier_sizes = dict.fromkeys(TIERS, 0)
        self._share_sizes: dict[str, int] = {}
        self._share_counts: dict[str, int] = {}
        self._sizes: dict[str, int] = {}  # by item
        self._tiers: dict[str, str] = {}  # by item
        self._offered: dict[str, int] = {}  # by the first of each unit or summary in question
        self._limits = allocation.limits
        self._places = self._most = allocation.places
        self._running: Sequence[Ranked] = ()

    def _fitting(self, request: str) -> str:
        """`request`, unless it takes more of the budget or of the host's room than its part."""
        needed = self._estimate.of(request)
        fits = needed <= MOST_OF_BUDGET * self._allocation.total
        fits = fits and self._form.length(request) <= MOST_OF_BUDGET * self._max_units
        return request if fits else ""

    @property
    def shown(self) -> set[str]:
        """The ids of the memories that are in."""
        return {one.id for one in self._items}

    @property
    def items(self) -> Sequence[Ranked]:
        """The memories that are in, as they stand."""
        return self._items

    def holds(self, memory: str) -> bool:
        """Whether a memory is in, or stands in the session's context already."""
        return memory in self._told or memory in self.shown

    def open(self, tier: str) -> None:
        """Start a tier: it may use its row of the table, or what the tiers before it left."""
        left = max(self._allocation.total - self._estimate.tokens(self._size), 0)
        self._limits[tier] = min(self._allocation.row[tier], left)

    def open_share(self, tier: str, share: float) -> None:
        """Start a tier beside the table's: it may use this `share`, 0-1, of the whole budget."""
        left = max(self._allocation.total - self._estimate.tokens(self._size), 0)
        self._tier_sizes.setdefault(tier, 0)
        self._limits[tier] = min(int(share * self._allocation.total + 1e-9), left)

    def widen(self, places: int) -> None:
        """Let the retrieval tier hold at least so many memories; the tokens stay as they are."""
        self._places = self._most = max(self._most, places)

    def narrow(self, places: int) -> None:
        """Let the retrieval tier hold at most so many memories."""
        self._places = self._most = min(self._most, places)

    def rank(self, running: Sequence[Ranked]) -> None:
        """Note who was in the running, best first: the account names the first that is not in."""
        self._running = running

    def add(self, tier: str, section: str, unit: Unit) -> str | None:
        """Put a unit into `tier` if all of it fits; else the reason why it does not."""
        if known := self.known_because(unit):
            return known
        entry = self._entry(section, unit)
        self._offered[unit[0].id] = self._size_of(entry)
        reason = self._too_much(tier, entry)
        if reason is None:
            self._count(tier, entry)
            self._show(tier, unit, entry)
        return reason

    def add_summary(self, summary: Mapping[str, Any]) -> bool:
        """Put a session's summary into its tier; whether it fits."""
        entry = self._form.measured(self._form.summary(summary, self._now_ms), "summary")
        self._offered[f"summary {summary['id']}"] = self._size_of(entry)
        if self._too_much("summary", entry) is not None:
            return False
        self._count("summary", entry)
        self._entries.append(entry)
        return True

    def known_because(self, unit: Unit) -> str | None:
        """Why the session knows all of it: it said it itself, or was told it at once.

        None where something of it is new to it, or changed since, and for the task at work.
        """
        if is_at_work(unit[0].image):
            return None
        if self._is_own is not None and all(self._is_own(one.image) for one in unit):
            return OWN
        times: set[int] | None = None
        for one in unit:
            mark = mark_of(one.image)
            known = {at for at, then in self._told.get(one.id, ()) if then == mark}
            times = known if times is None else times & known
        return TOLD if times else None

    def fill(self, units: Sequence[Unit]) -> None:
        """Fill the retrieval tier, best first; what does not fit is skipped ("Settled").

        If the best do not all fit, each type or scope gets its share first; what one leaves goes
        to the others in a second turn, unless the policy's shares are hard. Shown in order of rank.
        What the session was told already keeps its place: nothing weaker moves up for it.
        """
        units = self._without_known(units)
        entries = [self._entry(_section(unit[0]), unit) for unit in units]
        for unit, entry in zip(units, entries, strict=True):
            self._offered.setdefault(unit[0].id, self._size_of(entry))
        chosen: set[int] = set()
        waiting: list[int] = []
        use_shares = self._allocation.shares_are_hard or not self._best_fit(units, entries)
        for place, unit in enumerate(units):
            if use_shares and (reason := self._beyond_share(unit, entries[place])):
                if self._allocation.shares_are_hard:
                    self.leave(unit, reason)
                else:
                    waiting.append(place)
            elif self._take(unit, entries[place]):
                chosen.add(place)
        chosen.update(place for place in waiting if self._take(units[place], entries[place]))
        for place in sorted(chosen):
            self._show("retrieval", units[place], entries[place])

    def leave(self, unit: Unit, reason: str) -> None:
        """Note that a unit is not injected, and why."""
        self.left_out.extend((one.id, reason) for one in unit)

    def injection(self) -> Injection:
        """The finished text with its account; an empty text when nothing went in.

        The tiers' tokens and those of frame and request add up to `tokens`, but for rounding.
        """
        framed = self._form.frame(self._entries) if self._entries else ""
        text = BETWEEN.join(part for part in (framed, self._request) if part)
        shown = self.shown
        tokens = self._estimate.tokens
        offered = sum(self._offered.values())
        return Injection(
            text=text,
            tokens=self._estimate.of(text),
            budget=self._allocation.total,
            per_tier={tier: tokens(size) for tier, size in self._tier_sizes.items()},
            items=tuple(hit_of(one) for one in self._items),
            left_out=tuple(pair for pair in dict(self.left_out).items() if pair[0] not in shown),
            receipt="",
            limits=self._limits,
            costs={memory: tokens(size) for memory, size in self._sizes.items()},
            tiers=self._tiers,
            marks={one.id: mark_of(one.image) for one in self._items},
            next=self._next(shown),
            request_tokens=tokens(self._estimate.count(self._request)),
            compression_ratio=sum(self._tier_sizes.values()) / offered if offered else 0.0,
        )

    def _next(self, shown: set[str]) -> dict[str, Any] | None:
        """The best of the running that is not in, and why; None when all are in.

        What the session was told already is not in question, nor what does not fit the prompt
        while something does.
        """
        why = dict(self.left_out)
        waiting = [
            one for one in self._running if one.id not in shown and why.get(one.id) not in KNOWN
        ]
        if not waiting:
            return None
        one = next((one for one in waiting if one.is_relevant), waiting[0])
        size = self._size_of(self._entry(one.image["type"], [one]))
        return {
            "id": one.id,
            "title": hit_of(one).memory.title,
            "score": one.score,
            "tokens": self._estimate.tokens(size),
            "why": why.get(one.id, "others rank before it"),
        }

    def _entry(self, section: str, unit: Unit) -> Entry:
        return self._form.entry([one.image for one in unit], section, self._now_ms)

    def _size_of(self, entry: Entry) -> int:
        """What an entry adds, in the estimate's own units."""
        if self._estimate.name == "words":
            return entry.words
        return self._estimate.count(entry.text) + self._estimate.line

    def _halves_of(self, entry: Entry) -> int:
        """What an entry adds to what the host itself counts."""
        return 0 if self._most_tokens is None else count_halves(entry.text) + 2

    def _count(self, tier: str, entry: Entry) -> None:
        size = self._size_of(entry)
        self._size += size
        self._units += entry.units
        self._halves += self._halves_of(entry)
        self._tier_sizes[tier] += size

    def _show(self, tier: str, unit: Unit, entry: Entry) -> None:
        """Put a counted unit on the page; its cost is told for each memory of it."""
        self._entries.append(entry)
        self._items.extend(unit)
        share, rest = divmod(self._size_of(entry), len(unit))
        for place, one in enumerate(unit):
            self._sizes[one.id] = share + (rest if place == 0 else 0)
            self._tiers[one.id] = tier

    def _without_known(self, units: Sequence[Unit]) -> list[Unit]:
        fresh, places = [], self._places
        for unit in units:
            known = self.known_because(unit)
            if known is None:
                fresh.append(unit)
                continue
            self.leave(unit, known)
            if len(fresh) < places:
                self._places = max(self._places - len(unit), 0)
        return fresh

    def _take(self, unit: Unit, entry: Entry) -> bool:
        """Count a unit of the retrieval tier in if there is a place and room for it.

        A conflict with more sides than there are places is told whole where it comes first: the
        best answer must not be lost because others contradict it.
        """
        if len(unit) > self._places and not 0 < self._places == self._most:
            is_split = len(unit) > 1 and self._places
            sides = f"the {len(unit)} sides of its conflict need more than {self._places} places"
            self.leave(unit, sides if is_split else f"only {self._most} are injected")
            return False
        if reason := self._too_much("retrieval", entry):
            self.leave(unit, reason)
            return False
        self._count("retrieval", entry)
        self._places = max(self._places - len(unit), 0)
        share = self._share_name(unit)
        self._share_sizes[share] = self._share_sizes.get(share, 0) + self._size_of(entry)
        self._share_counts[share] = self._share_counts.get(share, 0) + len(unit)
        return True

    def _too_much(self, tier: str, entry: Entry) -> str | None:
        """Why an entry does not fit: the budget, its tier or the host's limit; None if it does."""
        size, tokens = self._size_of(entry), self._estimate.tokens
        needed, total = tokens(size), self._allocation.total
        if tokens(self._size + size) > total:
            left = max(total - tokens(self._size), 0)
            return f"needs {needed} tokens, {left} of the budget are left"
        if tokens(self._tier_sizes[tier] + size) > self._limits[tier]:
            left = max(self._limits[tier] - tokens(self._tier_sizes[tier]), 0)
            return f"needs {needed} tokens, {left} are left for {tier}"
        if self._units + entry.units > self._max_units:
            return f"the host takes no more than {self._max_units:,} characters"
        if self._most_tokens is not None and (
            of_halves(self._halves + self._halves_of(entry)) > self._most_tokens
        ):
            return f"the host takes no more than {self._most_tokens:,} tokens"
        return None

    def _best_fit(self, units: Sequence[Unit], entries: Sequence[Entry]) -> bool:
        """Whether all that have a place by rank fit together."""
        size = units_used = halves = places = 0
        for unit, entry in zip(units, entries, strict=True):
            places += len(unit)
            if places > self._places:
                break
            size += self._size_of(entry)
            units_used += entry.units
            halves += self._halves_of(entry)
        tokens = self._estimate.tokens
        return (
            tokens(self._size + size) <= self._allocation.total
            and tokens(self._tier_sizes["retrieval"] + size) <= self._limits["retrieval"]
            and self._units + units_used <= self._max_units
            and (self._most_tokens is None or of_halves(self._halves + halves) <= self._most_tokens)
        )

    def _beyond_share(self, unit: Unit, entry: Entry) -> str | None:
        name = self._share_name(unit)
        most = self._allocation.most.get(name)
        if most is not None and self._share_counts.get(name, 0) + len(unit) > most:
            return f"only {most} of {name} are injected"
        allowed = self._allocation.share_of(name)
        held = self._share_sizes.get(name, 0) + self._size_of(entry)
        if self._estimate.tokens(held) > allowed:
            return f"the {allowed} tokens for {name} are used"
        return None

    def _share_name(self, unit: Unit) -> str:
        image = unit[0].image
        if self._allocation.shares_by == "scope":
            return "global" if image["scope"] == "global" else "project"
        return str(image["type"])


def _section(one: Ranked) -> str:
    """The heading that an answer stands under, where the format has headings."""
    return str(one.image["type"])


def hit_of(ranked: Ranked) -> Hit:
    """A ranked memory as it leaves the core."""
    return Hit(
        memory=memory_from_image(ranked.image),
        score=ranked.score,
        parts=dict(ranked.parts),
        matched=ranked.matched,
    )
