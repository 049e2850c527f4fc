"""What the next session knows: real sessions lived turn by turn, and what the day after receives.

`python -m benchmarks next` needs `MEMDECK_BENCH_SESSIONS`, folders of transcripts, and
`MEMDECK_BENCH_ASKS`, a JSON file of asks: session -> {"project", "records", "start": [need],
"prompts": [{"text", "needs": [need], "wrong": [need]}]}. A need is a list of patterns that one
entry must match. Somebody writes the asks who has not seen what memdeck keeps.

An ask is a start, or a prompt of the day after. It is helped if a need of it was injected at that
start or with the prompt. It is silent if nothing was injected with it, and misleading if an entry
matches what is named as wrong. Silence counts as failure. "Held" counts the asks of which a live
memory matches a need. With records, each session's agent also records the sentences in "records".
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from memdeck.agents import main as hook
from memdeck.agents.spool import DrainLock
from memdeck.core.recall.frame import INTRODUCTIONS
from memdeck.core.text.tokens import ESTIMATES

from .gallery.dialects import DIALECTS, Said
from .living import Session, opened, prepared
from .report import table
from .story import Chance, Clock, the_time_of

Need = Sequence[str]

_INTRODUCED = re.compile("|".join(f"(?P<{k}>{re.escape(v)})" for k, v in INTRODUCTIONS.items()))
_ENTRY = re.compile(  # of XML, or of Markdown and plain text
    r"<(?:memory|task|session)>(?P<xml>.*?)<about [^>]*/></(?:memory|task|session)>"
    r"|^ {4}- (?P<line>[^\n]*(?:\n {6}[^\n]*)*?) \[[^\]\n]*\](?: \(#\w+\))?$",
    re.S | re.M,
)


@dataclass
class Tally:
    """Counts over all sessions."""

    counts: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)

    def share(self, of: str, among: str) -> str:
        return f"{self.counts[of] / max(1, self.counts[among]):.2f}"


def run() -> None:
    folders, asks = os.environ.get("MEMDECK_BENCH_SESSIONS"), os.environ.get("MEMDECK_BENCH_ASKS")
    if not folders or not asks:
        print("The next session: not measured, MEMDECK_BENCH_SESSIONS or _ASKS is not set.")
        return
    written = json.loads(Path(asks).read_text("utf-8"))
    paths = [path for folder in folders.split(os.pathsep) for path in Path(folder).glob("*.jsonl")]
    sessions = [path for path in sorted(paths) if path.stem in written]
    projects = {written[path.stem]["project"] for path in sessions}
    print(f"{len(sessions)} sessions, {len(projects)} projects")
    is_verbose = os.environ.get("MEMDECK_BENCH_VERBOSE") == "1"
    rows = []
    for name in ("without records", "with records"):
        tally = Tally()
        for path in sessions:
            asked = written[path.stem]
            records = asked["records"] if name == "with records" else ()
            with tempfile.TemporaryDirectory() as folder:
                _measure(Session(path.stem, path), asked, records, Path(folder), tally, is_verbose)
        rows.append((name, *_figures(tally)))
    table("The day after", ("", *_HEADER), rows)


_HEADER = (
    *("candidates", "starts inject", "asks", "held", "helped", "of held", "silent", "misleading"),
    *("tokens", "entries by part"),
)


def _figures(tally: Tally) -> list[Any]:
    counts = tally.counts
    return [
        f"{counts['candidates'] / max(1, counts['sessions']):.1f}",
        tally.share("full starts", "sessions"),
        *(counts[name] for name in ("asks", "held", "helped")),
        tally.share("held and helped", "held"),
        counts["silent"],
        tally.share("misleading", "asks"),
        sum(tally.tokens) // max(1, len(tally.tokens)),
        ", ".join(f"{part} {number}" for part, number in tally.parts.most_common()),
    ]


def _measure(
    session: Session,
    asked: dict[str, Any],
    records: Sequence[str],
    folder: Path,
    tally: Tally,
    is_verbose: bool,
) -> None:
    session.live(folder, records)
    with opened(folder, session.ends) as memory:
        stored = [memory.content for memory in memory.list("")]
        tally.counts["candidates"] += len(memory.services.review_entries.queue(("candidate",)))
    asks = [{"text": "", "needs": asked["start"], "wrong": []}, *asked["prompts"]]
    context = ""
    tally.counts["sessions"] += 1
    for ask, text in zip(asks, _day_after(session, folder, asks), strict=True):
        context += text
        entries = entries_in(context)
        outcome = {
            "asks": True,
            "held": is_met(ask["needs"], stored),
            "helped": is_met(ask["needs"], entries),
            "misleading": is_met(ask["wrong"], entries_in(text)),
            "silent": not text,
            "full starts": bool(text) and not ask["text"],
        }
        outcome["held and helped"] = outcome["held"] and outcome["helped"]
        tally.counts.update(name for name, holds in outcome.items() if holds)
        tally.tokens.append(ESTIMATES["words"].of(text) if text else 0)
        tally.parts.update(entries_of_parts(text))
        if is_verbose:
            states = ", ".join(name for name, holds in outcome.items() if holds)
            print(
                f"\n{session.name}: {ask['text'] or '(start)'}\n  {states}\n{text}", file=sys.stderr
            )
    if is_verbose:
        print(f"\nstored of {session.name}:", *stored, sep="\n  - ", file=sys.stderr)


def entries_in(text: str) -> list[str]:
    """Return the texts of the memories in an injection."""
    return [found["xml"] or found["line"] for found in _ENTRY.finditer(text)]


def entries_of_parts(text: str) -> Counter[str]:
    """Return how many memories each part of an injection holds."""
    names = [found.lastgroup for found in _INTRODUCED.finditer(text)]
    bodies = re.split("|".join(map(re.escape, INTRODUCTIONS.values())), text)[1:]
    counts = Counter[str]()
    for name, body in zip(names, bodies, strict=True):
        counts[str(name)] += len(entries_in(body))
    return counts


def is_met(needs: Sequence[Need], texts: Sequence[str]) -> bool:
    """Return True if a text matches all patterns of one of the needs."""
    return any(
        all(re.search(pattern, text, re.IGNORECASE | re.S) for pattern in need)
        for need in needs
        for text in texts
    )


def _day_after(session: Session, folder: Path, asks: Sequence[dict[str, Any]]) -> list[str]:
    """Return what a start and its prompts are injected, a day after the session."""
    home, root = prepared(folder)
    clock, chance = Clock(session.ends + timedelta(days=1)), Chance("next")
    dialect = DIALECTS["claude"]
    about = dialect.about("next", str(folder / "next.jsonl"), str(root))

    def heard(said: Said) -> str:
        data = io.BytesIO(json.dumps(dialect.whole(said, about)).encode())
        with (
            the_time_of(home, clock, chance),
            DrainLock(home),
            contextlib.redirect_stdout(out := io.StringIO()),
        ):
            hook.main(["claude", said.event], data)
        text = dialect.heard(json.loads(out.getvalue())) if out.getvalue() else ""
        return text if entries_in(text) else ""

    texts = []
    for ask in asks:
        clock.now += timedelta(minutes=5)
        texts.append(heard(dialect.prompt(ask["text"]) if ask["text"] else dialect.started()))
    return texts
