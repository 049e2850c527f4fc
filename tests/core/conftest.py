"""What the tests of the storage pipeline share: texts worth keeping, and who offers them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin, StoreResult

TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "tide": "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C",
        "locks": "The reservation table is locked per berth because two skippers once got the "
        "same one",
        "crane": "The crane at the ferry pier lifts forty tonnes, and its brake is tested every "
        "Monday",
        "pilots": "Pilots report by radio when they pass the outer buoy, since the radar is blind "
        "there",
        "fix": "`make tides` failed with “no such table: gauge”; `make migrate` before it made it "
        "work",
    }
)
"""Texts worth keeping, none of them near to another."""


@pytest.fixture
def texts() -> Mapping[str, str]:
    return TEXTS


@pytest.fixture
def offer(core: MemoryCoordinator) -> Callable[..., StoreResult]:
    """Offer one text as a session's agent found it: `offer("tide", session="s2")`."""

    def _offer(
        text: str = "tide",
        *,
        session: str | None = "s1",
        agent: str = "claude",
        rule: str = "agent.finding",
        into: MemoryCoordinator = core,
        ref: str | None = None,
        **fields: Any,
    ) -> StoreResult:
        origin = Origin(session=session, agent=agent, ref=ref)
        [result] = into.offer(
            [Capture(content=TEXTS.get(text, text), rule=rule, origin=origin, **fields)]
        )
        return result

    return _offer


@pytest.fixture
def row_of(core: MemoryCoordinator) -> Callable[..., Any]:
    """One column of one row of the open store, by an SQL condition."""

    def _row_of(column: str, table: str, where: str, *values: Any) -> Any:
        found = core._store.connection.execute(
            f"SELECT {column} FROM {table} WHERE {where}", values
        ).fetchone()
        return found[0] if found else None

    return _row_of


@pytest.fixture
def configured(
    open_core: Callable[..., MemoryCoordinator], home_path: Path, tmp_path: Path
) -> Callable[..., MemoryCoordinator]:
    """The store of a project under settings: the person's own, and those of the repository."""
    folder = tmp_path / "acme"
    (folder / ".git").mkdir(parents=True)

    def open_with(own: str | None = None, project: str | None = None) -> MemoryCoordinator:
        for path, text in ((home_path / "config.toml", own), (folder / ".memdeck.toml", project)):
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        return open_core(folder)

    return open_with
