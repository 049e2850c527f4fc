"""Screens as text, held against the files in `goldens/`. `MEMDECK_GOLDENS=write` accepts what is
there: a person reads the diff before it is committed."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rich.cells import cell_len

GOLDENS = Path(__file__).parent / "goldens"


def looks_as_it_did(screen: str, name: str, columns: int, rows: int) -> None:
    """Whether the screen of that size is that of the file, and no line of it is too wide."""
    seen, golden = screen + "\n", GOLDENS / f"{name}-{columns}x{rows}.txt"
    if os.environ.get("MEMDECK_GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(seen, encoding="utf-8")
    assert seen == golden.read_text(encoding="utf-8")
    assert all(cell_len(line) <= columns for line in seen.splitlines())


async def looks_as_it_did_at(
    person: Any,
    name: str,
    sizes: Iterable[tuple[int, int]],
    subtests: Any,
    told: Callable[[str], str] = str,
) -> None:
    """The same for one app at each size; `told` takes out of a screen what is never the same."""
    for columns, rows in sizes:
        with subtests.test(columns=columns, rows=rows):
            await person.pilot.resize_terminal(columns, rows)
            await person.rest()
            looks_as_it_did(told(person.screen), name, columns, rows)
