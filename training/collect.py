"""The labelled and gold sessions out of clones: `python -m training.collect CLONES SESSIONS`.

CLONES holds a clone of each project, `OWNER+NAME`, made with `git clone --mirror` so that the refs
`entire/checkpoints` are in it. Each session is written to SESSIONS as `NAME.jsonl` and read by the
code that labels were made with; what is gone, or reads otherwise, is said.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memdeck.core.sessions.utterances import spoken_in

from .exports import FORMS, converted
from .sessions import LABELS, mark_of, turns_of

GOLD = LABELS.parent / "gold"


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m training.collect", description=__doc__)
    words.add_argument("clones", type=Path)
    words.add_argument("sessions", type=Path)
    given = words.parse_args()
    given.sessions.mkdir(parents=True, exist_ok=True)
    places: dict[str, dict[str, Any]] = {}
    wanted: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for one in listed():
        places[one["name"]] = one
        wanted[one["name"]] |= sentences_of(one)
    found = sentences = 0
    for name, one in places.items():
        raw = blob(given.clones / one["project"].replace("/", "+"), one["blob"])
        if raw is None:
            print(f"gone       {name}: {one['project']} {one['path']}")
            continue
        path = given.sessions / f"{name}.jsonl"
        read: set[tuple[int, str]] = set()
        for form in forms(name, raw, one.get("part", {})):
            before, known = path.read_bytes() if read else b"", read
            path.write_bytes(form)
            read = {(s.turn.line, mark_of(s.sentence.text)) for s in spoken_in(turns_of(path))}
            if len(read & wanted[name]) < len(known & wanted[name]):
                path.write_bytes(before)
                read = known
        found += 1
        sentences += len(wanted[name] & read)
        if missing := len(wanted[name] - read):
            print(f"otherwise  {name}: {missing} of {len(wanted[name])} sentences not found")
    every = sum(len(one) for one in wanted.values())
    print(f"{found} of {len(places)} sessions, {sentences:,} of {every:,} sentences")


def listed() -> Iterator[dict[str, Any]]:
    """The sessions of all label and gold files; one may stand in several."""
    for file in sorted([*LABELS.glob("*.json"), *GOLD.glob("*.json")]):
        yield from json.loads(file.read_text(encoding="utf-8"))


def sentences_of(session: dict[str, Any]) -> set[tuple[int, str]]:
    """Return the lines and hashes of a session."""
    evidence = [tuple(e) for memory in session.get("memories", ()) for e in memory["evidence"]]
    return {(line, mark) for line, mark, *_ in session.get("sentences", ())} | set(evidence)


def blob(clone: Path, name: str) -> bytes | None:
    """The blob of that name; None where the clone or the blob is not there."""
    if not clone.is_dir():
        return None
    done = subprocess.run(
        ["git", "-C", str(clone), "cat-file", "blob", name], capture_output=True, check=False
    )
    return done.stdout if done.returncode == 0 else None


def forms(name: str, raw: bytes, part: dict[str, list[int]]) -> Iterator[bytes]:
    """What `NAME.jsonl` may hold: what is made of an export, or the transcript as it is.

    OpenCode's JSON was labelled in either form; the one in which more is found is kept.
    """
    form = name.rsplit("-", 1)[-1]
    if form in FORMS:
        yield converted(form, raw.decode("utf-8", "replace"), part).encode()
    if form not in FORMS or raw.lstrip().startswith(b"{"):
        yield raw


if __name__ == "__main__":
    main()
