"""How the Agents view looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .agents_bench import Machine, a_busy_machine
from .looks import looks_as_it_did

SIZES = [(60, 20), (120, 35)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_agents_look_as_they_did(
    open_app: Any, core: MemoryCoordinator, tmp_path: Path, utc: None, columns: int, rows: int
):
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    core.set_switch("incognito", True)
    machine = Machine(tmp_path, a_busy_machine())
    size = (columns, rows)
    async with open_app(size=size, view="agents", theme="memdeck-dark", agents=machine) as person:
        await person.until(lambda: person.app.standing.memories is not None)
        await person.until(lambda: "Findings" in person.screen and "project" in person.screen)
        await person.rest()
        seen = person.screen

    looks_as_it_did(seen, "agents", columns, rows)
