"""Filling the tiers, entry by entry, never over budget and never past the host's limit."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..values import Hit, Injection
from ..values_from import memory_from_image
from .budget import TIERS, Allocation
from .formats import Entry, Format, frame_cost
from .selection import LeftOut, Ranked
from .tokens import estimate_tokens, of_words

Unit = list[Ranked]
"""What is shown together: one memory, or all sides of a conflict."""


class Sheet:
    """One injection in the making.

    Words and units add up exactly, so the size of the finished text is known before it is
    written: an entry goes in only if the whole stays within the total, its tier and the host's
    limit, and it goes in whole.
    """

    def __init__(self, form: Format, allocation: Allocation, max_units: int, now_ms: int) -> None:
        self.left_out: LeftOut = []
        self._form, self._allocation = form, allocation
        self._max_units, self._now_ms = max_units, now_ms
        self._words, self._units = frame_cost(form)
        self._entries: list[Entry] = []
        self._items: list[Ranked] = []
        self._tier_words = dict.fromkeys(TIERS, 0)
        self._share_words: dict[str, int] = {}
        self._limits = allocation.limits
        self._places = self._most = allocation.places

    def open(self, tier: str) -> None:
        """Start a tier: it may use its row of the table, or what the tiers before it left."""
        left = max(self._allocation.total - of_words(self._words), 0)
        self._limits[tier] = min(self._allocation.row[tier], left)

    def widen(self, places: int) -> None:
        """Let the retrieval tier hold at least so many memories; the tokens stay as they are."""
        self._places = self._most = max(self._most, places)

    def add(self, tier: str, section: str, unit: Unit) -> str | None:
        """Put a unit into `tier` if all of it fits; else the reason why it does not."""
        entry = self._entry(section, unit)
        reason = self._too_much(tier, entry)
        if reason is None:
            self._count(tier, entry)
            self._entries.append(entry)
            self._items.extend(unit)
        return reason

    def add_summary(self, summary: Mapping[str, Any]) -> None:
        """Put a session's summary into its tier if it fits."""
        entry = self._form.measured(self._form.summary(summary, self._now_ms), "summary")
        if self._too_much("summary", entry) is None:
            self._count("summary", entry)
            self._entries.append(entry)

    def fill(self, units: Sequence[Unit]) -> None:
        """Fill the retrieval tier, best first; what does not fit is skipped ("Settled").

        If the best do not all fit, each type or scope gets its share first; what one leaves goes
        to the others in a second turn, unless the policy's shares are hard. Shown in order of rank.
        """
        entries = [self._entry(unit[0].image["type"], unit) for unit in units]
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
            self._entries.append(entries[place])
            self._items.extend(units[place])

    def leave(self, unit: Unit, reason: str) -> None:
        """Note that a unit is not injected, and why."""
        self.left_out.extend((one.id, reason) for one in unit)

    def injection(self) -> Injection:
        """The finished text with its account; an empty text when nothing went in.

        The tiers' tokens and those of the frame add up to `tokens`, but for rounding.
        """
        text = self._form.frame(self._entries) if self._entries else ""
        shown = {one.id for one in self._items}
        return Injection(
            text=text,
            tokens=estimate_tokens(text),
            budget=self._allocation.total,
            per_tier={tier: of_words(words) for tier, words in self._tier_words.items()},
            items=tuple(hit_of(one) for one in self._items),
            left_out=tuple(pair for pair in self.left_out if pair[0] not in shown),
            receipt="",
            limits=self._limits,
        )

    def _entry(self, section: str, unit: Unit) -> Entry:
        return self._form.entry([one.image for one in unit], section, self._now_ms)

    def _count(self, tier: str, entry: Entry) -> None:
        self._words += entry.words
        self._units += entry.units
        self._tier_words[tier] += entry.words

    def _take(self, unit: Unit, entry: Entry) -> bool:
        """Count a unit of the retrieval tier in if there is a place and room for it."""
        if len(unit) > self._places:
            self.leave(unit, f"only {self._most} are injected")
            return False
        if reason := self._too_much("retrieval", entry):
            self.leave(unit, reason)
            return False
        self._count("retrieval", entry)
        self._places -= len(unit)
        share = self._share_name(unit)
        self._share_words[share] = self._share_words.get(share, 0) + entry.words
        return True

    def _too_much(self, tier: str, entry: Entry) -> str | None:
        """Why an entry does not fit: the budget, its tier or the host's limit; None if it does."""
        needed = of_words(entry.words)
        if of_words(self._words + entry.words) > self._allocation.total:
            left = max(self._allocation.total - of_words(self._words), 0)
            return f"needs {needed} tokens, {left} of the budget are left"
        if of_words(self._tier_words[tier] + entry.words) > self._limits[tier]:
            left = max(self._limits[tier] - of_words(self._tier_words[tier]), 0)
            return f"needs {needed} tokens, {left} are left for {tier}"
        if self._units + entry.units > self._max_units:
            return f"the host takes no more than {self._max_units:,} characters"
        return None

    def _best_fit(self, units: Sequence[Unit], entries: Sequence[Entry]) -> bool:
        """Whether all that have a place by rank fit together."""
        words = units_used = places = 0
        for unit, entry in zip(units, entries, strict=True):
            places += len(unit)
            if places > self._places:
                break
            words += entry.words
            units_used += entry.units
        return (
            of_words(self._words + words) <= self._allocation.total
            and of_words(self._tier_words["retrieval"] + words) <= self._limits["retrieval"]
            and self._units + units_used <= self._max_units
        )

    def _beyond_share(self, unit: Unit, entry: Entry) -> str | None:
        name = self._share_name(unit)
        allowed = self._allocation.share_of(name)
        if of_words(self._share_words.get(name, 0) + entry.words) > allowed:
            return f"the {allowed} tokens for {name} are used"
        return None

    def _share_name(self, unit: Unit) -> str:
        image = unit[0].image
        if self._allocation.shares_by == "scope":
            return "global" if image["scope"] == "global" else "project"
        return str(image["type"])


def hit_of(ranked: Ranked) -> Hit:
    """A ranked memory as it leaves the core."""
    return Hit(
        memory=memory_from_image(ranked.image),
        score=ranked.score,
        parts=dict(ranked.parts),
        matched=ranked.matched,
    )
