"""The demo store, built as `memdeck demo` builds it."""

import json
import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from memdeck.cli.main import run


@dataclass(frozen=True)
class DemoStore:
    """A store of invented memories, and how to look at it."""

    home: str
    project_root: str
    project: str  # the project's id
    memories: int  # in the store, retired ones included
    now: datetime  # the day of the story
    cache: str  # where `memdeck demo` finds it built, if it looks there


def build(folder: Path) -> DemoStore:
    """The template that the first `memdeck demo` leaves among the caches, which are in `folder`.

    What it replaces to live at the time of the story is then as it was.
    """
    with pytest.MonkeyPatch.context() as patch, CliRunner().isolation() as (out, err, _):
        patch.setenv("XDG_CACHE_HOME", str(folder))
        before = time.time_ns, os.urandom, {**os.environ}
        code = run(["demo", "--keep", str(folder / "kept"), "--json"])
        sys.stdout.flush()
        assert code == 0, err.getvalue()
        assert (time.time_ns, os.urandom, {**os.environ}) == before
        told = json.loads(out.getvalue())
    [home] = folder.glob("memdeck/demo/*/store")  # its memories name the transcripts in it
    return DemoStore(
        home=str(home),
        project_root=told["project_root"].replace(told["home"], str(home)),
        project=told["project"],
        memories=told["memories"],
        now=datetime.fromisoformat(told["now"]),
        cache=str(folder),
    )
