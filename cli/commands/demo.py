"""A store to look around in, thrown away afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ...db.errors import Refused
from ..options import Door, command
from ..output import narrate


@command("memdeck demo", "memdeck demo --keep ~/memdeck-demo")
@click.option("--keep", metavar="FOLDER", help="Write the store to this folder and keep it.")
def demo(door: Door, keep: str | None) -> int:
    """Open the app on an example store.

    It holds ninety days of an invented project and is deleted afterwards.
    """
    from ...demo.store import DemoDesk, write_demo_store
    from ..root import has_terminal, open_app

    opens_app = not door.as_json and keep is None and has_terminal()
    with _folder(keep) as home:
        store = write_demo_store(home)
        if keep:
            narrate(f"The demo store is in {home}.")
            narrate(f"  MEMDECK_HOME={home} memdeck list --project {store.project}")
        if door.prints_json(store):
            return 0
        if opens_app:
            return open_app(
                Door(home=home, project=store.project_root),
                agents=DemoDesk(store.project_root),
            )
        if keep is None:
            narrate(
                f"The demo has {store.memories} memories. The app needs a terminal to show them."
            )
            narrate("  `memdeck demo --keep FOLDER` writes the store, for every other command.")
    return 0


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
