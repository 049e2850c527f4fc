"""What is wrong with an installation, as `memdeck doctor --json` tells it."""

import json
import os
import sys
from typing import NamedTuple

from click.testing import CliRunner

from memdeck.cli.main import run


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    ok: bool
    message: str
    advice: str
    fix: str
    is_absent: bool
    done: str


def findings(home: str | os.PathLike[str], project: str | os.PathLike[str]) -> dict[str, Finding]:
    """By their names; of several of one name the last."""
    place = ("--home", str(home), "--project", str(project))
    with CliRunner().isolation() as (out, err, _):
        code = run([*place, "doctor", "--json"])
        sys.stdout.flush()
        told = [Finding(**json.loads(line)) for line in out.getvalue().decode().splitlines()]
    assert code == int(not all(one.ok for one in told)), err.getvalue()
    return {one.name: one for one in told}
