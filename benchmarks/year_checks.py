"""What must be so after the year of `benchmarks year`, each said with its count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from memdeck.core.compat import MemoryCoordinator
from memdeck.core.errors import ManagerError

from .gallery.play import Player
from .year_facts import PROJECTS

BY_RULE = ("folded", "expired", "evicted")
SAMPLE = 50


def checked(player: Player, folder: Path, limits: Sequence[str]) -> list[str]:
    """The checks in words; restoring the sample changes the store."""
    above = "".join(limits)
    now, lines = player.clock.now, [f"within its limits each month: {above or 'yes'}"]
    said, sure, ways = 0, 0, dict[str, int]()
    gone, back, refused = 0, 0, list[str]()
    for project in PROJECTS:
        with MemoryCoordinator.open(player.home, folder / project, clock=lambda: now) as store:
            retired = list(store.list("is:retired"))
            for one in retired:
                ways[str(one.retired_as)] = ways.get(str(one.retired_as), 0) + 1
            ruled = [one for one in retired if one.retired_as in BY_RULE]
            said += sum(one.provenance == "person" for one in ruled)
            sure += sum(one.degree == "person" for one in ruled)
            gone += len(ruled)
            share = -(-SAMPLE // len(PROJECTS))
            for one in Random(14).sample(ruled, min(share, len(ruled))):
                try:
                    store.restore(one.id)
                except ManagerError as error:
                    refused.append(f"{one.retired_as}: {error}")
                    continue
                back += store.show(one.id).is_live
    lines.append(f"retired: {', '.join(f'{n} {w}' for w, n in sorted(ways.items())) or 'none'}")
    by = f"{sure} of degree person, {said - sure} of a person's words as yet unproven"
    lines.append(f"retired by rule: {gone}; {by}")
    lines.append(
        f"restored: {back} of {back + len(refused)} tried; {'; '.join(refused) or 'none refused'}"
    )
    return lines
