"""How the Agents view looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

from pathlib import Path
from typing import Any

from memdeck import MemoryCoordinator

from .agents_bench import Machine, a_busy_machine
from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]


async def test_the_agents_look_as_they_did(
    open_app: Any, core: MemoryCoordinator, tmp_path: Path, utc: None, subtests: Any
):
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    core.set_switch("incognito", True)
    machine = Machine(tmp_path, a_busy_machine())
    async with open_app(
        size=SIZES[0], view="agents", theme="memdeck-dark", agents=machine
    ) as person:
        await person.until(lambda: person.app.counts.memories is not None)
        await person.until(lambda: "project" in person.screen)
        await looks_as_it_did_at(person, "agents", SIZES, subtests)
