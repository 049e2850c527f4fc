"""A store that is looked over and made anew, as `memdeck verify` and `memdeck rebuild` do it."""

import json
import sys
from typing import Any, NamedTuple

from click.testing import CliRunner

from memdeck import MemoryCoordinator
from memdeck.cli.main import run


class Rebuilt(NamedTuple):
    """What a rebuild found."""

    records: int
    memories: int
    skipped: list[str]
    set_aside: str | None
    restored: int
    lost: int


def rebuild(home: Any) -> Rebuilt:
    """Make the database of a home anew from its journal."""
    with CliRunner().isolation() as (out, err, _):
        code = run(["--home", getattr(home, "path", str(home)), "rebuild", "--json"])
        sys.stdout.flush()
        assert code == 0, err.getvalue().decode()
        return Rebuilt(**json.loads(out.getvalue()))


def verify(home: Any) -> Any:
    """What is wrong with the store of a home."""
    with MemoryCoordinator.open(home, "harbour") as core:
        return core.verify()
