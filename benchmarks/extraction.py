"""How well a model of one's own reads sessions: its answers, held against the gold.

`python -m benchmarks extraction` needs `MEMDECK_BENCH_SESSIONS`, the folder of transcripts that
`training/README.md` lists. It writes the request about each session that has gold memories to the
folder `MEMDECK_BENCH_REQUESTS`, as `NAME.json`, and measures the answers that lie in
`MEMDECK_BENCH_ANSWERS` under the same names: the words of a model as they came. With
`MEMDECK_BENCH_READER`, a command line, it asks that program for the answers that are missing.

A proposal that the checks drop counts as nothing. One that stands is *found* where its quotes hold
a sentence that the gold names for a memory.
"""

from __future__ import annotations

import json
import os
import statistics
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memdeck.core.models.client import NoReply, listed_in
from memdeck.core.models.extractor import MOST_A_SESSION, Checked, Request, check, condensed
from memdeck.core.redaction.redact import redact
from memdeck.core.sessions.turns import Session
from memdeck.core.sessions.utterances import spoken_in

from .answers import answer, folder, reader

GOLD = Path(__file__).resolve().parents[1] / "training" / "gold"
SETS = ("sessions", "fresh", "blind")  # as `training/README.md` describes them
_LEAST = 12  # letters that a quote and a sentence share at least


@dataclass
class Tally:
    """What held of some sessions' answers, against their gold."""

    sessions: int = 0
    proposed: int = 0
    kept: int = 0
    strict: int = 0
    look: int = 0
    found: int = 0
    wanted: int = 0
    reachable: int = 0  # of those wanted, with twelve a session at most
    dropped: Counter[str] = field(default_factory=Counter)

    def rows(self) -> None:
        print(f"{'sessions answered':48} {self.sessions:8}")
        print(f"{'proposed, and standing the checks':48} {self.proposed:8} {self.kept:8}")
        name = f"recall, of {self.wanted} to be kept"
        print(f"{name:48} {self.found / max(1, self.wanted):8.2f}")
        most = self.reachable / max(1, self.wanted)
        print(f"{'recall that twelve a session allow':48} {most:8.2f}")
        print(f"{'precision, strict':48} {self.strict / max(1, self.kept):8.2f}")
        print(f"{'precision with borderline':48} {self.look / max(1, self.kept):8.2f}")
        for reason, number in self.dropped.most_common():
            print(f"{f'dropped: {reason}':48} {number:8}")


def run() -> None:
    if not (sessions := os.environ.get("MEMDECK_BENCH_SESSIONS")):
        print("\nA model's reading: not measured, MEMDECK_BENCH_SESSIONS is not set.")
        return
    requests, answers = folder("MEMDECK_BENCH_REQUESTS"), folder("MEMDECK_BENCH_ANSWERS")
    for name in SETS:
        _run_set(name, Path(sessions), requests, answers)


def _run_set(of: str, sessions: Path, requests: Path | None, answers: Path | None) -> None:
    """Measure one set of sessions, as many of them as lie in the folder."""
    tally, sizes = Tally(), []
    for gold in json.loads((GOLD / f"{of}.json").read_text(encoding="utf-8")):
        path = sessions / f"{gold['name']}.jsonl"
        if not path.is_file():
            continue
        request = _request(path)
        sizes.append(request.tokens)
        name = f"{gold['name']}.json"
        if requests is not None:
            (requests / name).write_text(request.text, encoding="utf-8")
        words = answer(request.text, answers, name, reader())
        if words is not None:
            _count(tally, words, request, gold, path)
    if not sizes:
        print(f"\nGold {of!r}: none of its sessions is in the folder.")
        return
    name = f"gold {of!r}: tokens a request, median of {len(sizes)}"
    print(f"\n{name:48} {statistics.median(sizes):8,.0f}")
    if tally.sessions:
        tally.rows()
    else:
        print("No answers: MEMDECK_BENCH_ANSWERS names their folder.")


def _request(path: Path) -> Request:
    from training.sessions import turns_of

    return Request((), condensed(turns_of(path), lambda text: redact(text).value))


def _count(tally: Tally, words: str, request: Request, gold: dict[str, Any], path: Path) -> None:
    tally.sessions += 1
    memories = gold["memories"]
    wanted = sum(memory["grade"] == 2 for memory in memories)
    tally.wanted += wanted
    tally.reachable += min(wanted, MOST_A_SESSION)
    try:
        answer = listed_in(words, "memories")
    except NoReply as failure:
        tally.dropped[failure.reason] += 1
        return
    checked = check(answer, request, Session(gold["name"], "", "", None))
    tally.proposed += len(checked.verified) + len(checked.dropped)
    tally.dropped.update(one.reason for one in checked.dropped)
    hits = _hits(checked, gold, path)
    tally.kept += len(hits)
    tally.strict += sum(any(memories[n]["grade"] == 2 for n in one) for one in hits)
    tally.look += sum(bool(one) for one in hits)
    tally.found += sum(memories[n]["grade"] == 2 for n in set().union(*hits))


def _hits(checked: Checked, gold: dict[str, Any], path: Path) -> list[set[int]]:
    """For each proposal, the gold memories one of whose sentences its quotes hold."""
    from training.sessions import mark_of, turns_of

    by_line: dict[int, list[tuple[str, int]]] = {}
    named = {
        (line, mark): number
        for number, memory in enumerate(gold["memories"])
        for line, mark in memory["evidence"]
    }
    for one in spoken_in(turns_of(path)):
        number = named.get((one.turn.line, mark_of(one.sentence.text)))
        if number is not None:
            by_line.setdefault(one.turn.line, []).append((_letters(one.sentence.text), number))
    return [
        {
            number
            for quote in proposal.quotes
            for sentence, number in by_line.get(quote.turn.source.line, ())
            if _share(_letters(quote.words), sentence)
        }
        for proposal in checked.verified
    ]


def _share(one: str, other: str) -> bool:
    few = min(len(one), len(other))
    return one == other or (few >= _LEAST and (one in other or other in one))


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())
