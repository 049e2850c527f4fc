"""A store to look around in, thrown away afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime

import click

from ...core.errors import Refused
from ..options import Door, command
from ..output import counted, narrate, typed_ahead


@command("memdeck demo", "memdeck demo --keep ~/memdeck-demo")
@click.option("--tour", is_flag=True, help="Print a tour instead of opening the app.")
@click.option("--keep", metavar="FOLDER", help="Build the store there, and leave it there.")
def demo(door: Door, tour: bool, keep: str | None) -> int:
    """Look around in a store of invented memories.

    Opens the app, or prints a tour where there is no terminal. The store is thrown away
    afterwards; yours stays untouched. Its clock stands at the story's last day. The first time
    takes some seconds: it is built once, and kept among the caches.
    """
    from ...agents.desk import Desk
    from ...db.home import Home
    from ...demo.desk import DemoDesk
    from ...demo.template import copy_demo_store
    from ...demo.tour import print_tour
    from ..root import has_terminal, open_app

    opens_app = not door.as_json and not tour and has_terminal()
    with typed_ahead() if opens_app else nullcontext(), _folder(keep) as home:
        with counted("building a store of invented memories, once:") as progress:
            store = copy_demo_store(home, _cache(), progress)
        if keep:
            narrate(f"The demo store is in {home}.")
            narrate(f"  MEMDECK_HOME={home} memdeck list --project {store.project}")
        if door.prints_json(store):
            return 0
        if opens_app:
            where, clock = Door(home=home, project=store.project_root), _clock_from(store.now)
            return open_app(where, clock=clock, agents=DemoDesk(Desk(Home()), clock))
        print_tour(home, now=store.now)
    return 0


def _cache() -> str:
    import platformdirs  # for the demo only

    return os.path.join(platformdirs.user_cache_dir("memdeck"), "demo")


def _clock_from(start: datetime) -> Callable[[], datetime]:
    """A clock that shows `start` now and goes on from there."""
    offset = start - datetime.now(UTC)
    return lambda: datetime.now(UTC) + offset


@contextmanager
def _folder(keep: str | None) -> Iterator[str]:
    """The folder of the demo store. Raises Refused when the one to keep holds something."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="memdeck-demo-") as folder:
            yield folder
        return
    folder = os.path.abspath(os.path.expanduser(keep))
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise Refused(f"{folder} is not empty.", hint="Name a folder that is not there yet.")
    yield folder
