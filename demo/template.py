"""The demo store is built once, kept among the caches, and copied whenever it is opened."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b

from ..db.home import Home
from .build import DemoStore, Progress, build_demo_store, project_root_of

_ABOUT = "demo.json"
ABANDONED = 600
"""Seconds after which a template that nobody finished is built anew."""

_IGNORED = {"tests", "docs", "benchmarks", "screenshots"}


def copy_demo_store(home: str, cache: str, progress: Progress | None = None) -> DemoStore:
    """Fill the empty folder `home` with the demo store; it is built where `cache` has none.

    `cache` is a folder of ours alone. A template belongs to the very code that built it: any other
    in the folder is taken away. It is built where it stays: its memories name their transcripts.
    Where that cannot be, or another is just building it, the store is built in `home`.
    """
    template = os.path.join(cache, _version())
    try:
        if not os.path.isfile(os.path.join(template, _ABOUT)):
            _make(template, progress)
        with open(os.path.join(template, _ABOUT), encoding="utf-8") as file:
            about = json.load(file)
        shutil.copytree(os.path.join(template, "store"), home, dirs_exist_ok=True)
    except OSError:
        return build_demo_store(home, progress=progress)
    Home(os.path.abspath(home)).prepare()
    return DemoStore(
        home=os.path.abspath(home),
        project_root=project_root_of(home),
        project=about["project"],
        memories=about["memories"],
        now=datetime.fromisoformat(about["now"]),
    )


def _make(template: str, progress: Progress | None) -> None:
    """Build the template. Raises FileExistsError while another does."""
    cache = os.path.dirname(template)
    os.makedirs(cache, mode=0o700, exist_ok=True)
    for entry in list(os.scandir(cache)):
        is_left = time.time() - entry.stat().st_mtime > ABANDONED
        if is_left or entry.path != template:
            shutil.rmtree(entry.path, ignore_errors=True)
    os.mkdir(template, mode=0o700)
    try:
        store = build_demo_store(os.path.join(template, "store"), progress=progress)
    except BaseException:
        shutil.rmtree(template, ignore_errors=True)
        raise
    about = {"project": store.project, "memories": store.memories, "now": store.now.isoformat()}
    draft = os.path.join(template, f"{_ABOUT}.new")
    with open(draft, "w", encoding="utf-8") as file:
        json.dump(about, file)
    os.replace(draft, os.path.join(template, _ABOUT))


def _version() -> str:
    """Names the code that a store is built by: any changed file makes another one."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = blake2b(digest_size=8)
    for path in sorted(_files(package)):
        stat = os.stat(path)
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if (entry.name.startswith((".", "_")) and entry.is_dir()) or entry.name in _IGNORED:
            continue
        if entry.is_dir():
            yield from _files(entry.path)
        elif not entry.name.endswith((".pyc", ".tcss", ".md")):
            yield entry.path
