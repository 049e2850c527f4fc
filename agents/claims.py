"""How the drain takes records from the spool, and what becomes of those it cannot use.

The caller holds the drain's lock. A claimed file is named after its time and the number of
drains that took it; each record that is settled is marked in it, so that a drain that was
killed goes on where it stopped. A record that fails three times, or kills three drains,
goes to `spool/failed/`, where doctor and the app show it.
"""

from __future__ import annotations

import json
import os
import time

from ..db.home import Home, create_private
from . import spool
from .spool import Record

MAX_TRIES = 3


class Claim:
    """One file of records that this drain has taken."""

    def __init__(self, home: Home, path: str) -> None:
        self.home = home
        self.path = path
        self.records, self.torn = spool.read_file(path)

    def settle(self, record: Record) -> None:
        """Mark `record` as done. Not synced: doing it again after a power cut does no harm."""
        with open(self.path, "ab") as file:
            file.write(spool.marks(iter([record["id"]])))

    def retry(self, record: Record, why: str) -> bool:
        """Put `record` back for a later drain; False when that was its last try."""
        tries = int(record.get("tries", 0)) + 1
        if tries >= MAX_TRIES:
            keep_failed(self.home, record, why)
        else:
            spool.append(self.home, {**record, "tries": tries})
        self.settle(record)
        return tries < MAX_TRIES

    def postpone(self, record: Record) -> None:
        """Put `record` back as it is: what hinders is not its own fault."""
        spool.append(self.home, record)
        self.settle(record)

    def finish(self) -> None:
        """Every record is settled: the file goes."""
        os.unlink(self.path)

    def give_back(self) -> None:
        """The store is unusable, no record's fault: this claim does not count as a try."""
        stem, count = _name_parts(self.path)
        os.replace(self.path, f"{stem}.{max(0, count - 1)}.jsonl")


def claim(home: Home) -> list[Claim]:
    """Everything that waits: what earlier drains left, then the file of new records."""
    pending = spool.path_of(home)
    try:
        if os.stat(pending).st_size:
            stamp = time.time_ns() // 1_000_000
            os.rename(
                pending, os.path.join(home.spool, f"claimed-{stamp:012x}-{os.getpid()}.0.jsonl")
            )
    except FileNotFoundError:
        pass
    return [_take(home, path) for path in spool.claimed_paths(home)]


def keep_failed(home: Home, record: Record, why: str) -> None:
    """Write `record` and the kind of its failure to `spool/failed/`."""
    folder = failed_folder(home)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, "".join(c for c in record["id"] if c.isalnum())[:64] + ".json")
    create_private(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"why": why, "failed_at": time.time_ns() // 1_000_000, "record": record}, file)
        file.flush()
        os.fsync(file.fileno())


def failed(home: Home) -> list[dict[str, object]]:
    """What could not be used, oldest first: `why`, `failed_at` (ms), `record`."""
    found = []
    try:
        names = sorted(os.listdir(failed_folder(home)))
    except OSError:
        return []
    for name in names:
        try:
            with open(os.path.join(failed_folder(home), name), encoding="utf-8") as file:
                found.append(json.load(file))
        except (OSError, ValueError):
            found.append({"why": "unreadable", "failed_at": 0, "record": {"id": name}})
    return found


def failed_folder(home: Home) -> str:
    """Where records go that cannot be used."""
    return os.path.join(home.spool, "failed")


def _take(home: Home, path: str) -> Claim:
    """Count this drain in the file's name; set the record aside that stopped too many."""
    stem, count = _name_parts(path)
    taken = f"{stem}.{count + 1}.jsonl"
    os.replace(path, taken)
    claimed = Claim(home, taken)
    if count >= MAX_TRIES and claimed.records:
        suspect = claimed.records.pop(0)
        keep_failed(home, suspect, "three drains ended in the middle of it")
        claimed.settle(suspect)
    return claimed


def _name_parts(path: str) -> tuple[str, int]:
    """("…/claimed-0199-42", 1) of "…/claimed-0199-42.1.jsonl"."""
    stem, _, count = path.removesuffix(".jsonl").rpartition(".")
    return (stem, int(count)) if stem and count.isdigit() else (path.removesuffix(".jsonl"), 0)
