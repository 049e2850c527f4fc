"""What is wrong with an installation, as `memdeck doctor --json` tells it."""

import os
from typing import NamedTuple

from memdeck.tests.answers import answer_of


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
    answer = answer_of(*place, "doctor", "--json")
    told = [Finding(**line) for line in answer.lines]
    assert answer.code == int(not all(one.ok for one in told)), answer.err
    return {one.name: one for one in told}
