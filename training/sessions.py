"""From labels and transcripts to what the models see, by the very code that the drain runs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdeck.core.sessions.transcript import read_any
from memdeck.core.sessions.turns import Turn
from memdeck.core.sessions.utterances import Spoken, spoken_in

LABELS = Path(__file__).parent / "labels"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with what a judge said of it."""

    spoken: Spoken
    grade: int  # 2 keep, 1 borderline, 0 no
    span: str  # own, pasted, host; "" where nobody said
    judge: str
    session: str
    project: str


def mark_of(text: str) -> str:
    """The hash of a sentence's letters and digits, whatever its signs and case."""
    return hashlib.sha256(re.sub(r"\W+", "", text.lower()).encode()).hexdigest()[:10]


def turns_of(path: Path) -> list[Turn]:
    """The main agent's turns of a transcript, to its end."""
    turns: list[Turn] = []
    offset = lines = 0
    seen: frozenset[str] = frozenset()
    while True:
        reading = read_any(str(path), "", offset, lines, seen)
        turns += [turn for turn in reading.turns if not turn.agent_id]
        if not reading.has_more:
            return turns
        offset, lines, seen = reading.offset, reading.line_no, reading.seen_uuids


def labelled(folder: Path, labels: Path = LABELS) -> Iterator[Labelled]:
    """Every labelled sentence whose session lies in `folder`; prints which sessions do not."""
    for judge, session, _, spoken in _heard(folder, labels):
        answers = _answers(session)
        for one in spoken:
            answer = answers.get((one.turn.line, mark_of(one.sentence.text)))
            if answer is not None:
                yield Labelled(one, *answer, judge, session["name"], session["project"])


def _answers(session: dict[str, Any]) -> dict[tuple[int, str], tuple[int, str]]:
    return {(line, mark): (grade, span) for line, mark, grade, span in session["sentences"]}


def _heard(
    folder: Path, labels: Path
) -> Iterator[tuple[str, dict[str, Any], list[Turn], list[Spoken]]]:
    """Judge, labels, turns and sentences of each labelled session that lies in `folder`."""
    absent: list[str] = []
    for file in sorted(labels.glob("*.json")):
        for session in json.loads(file.read_text(encoding="utf-8")):
            path = folder / f"{session['name']}.jsonl"
            if not path.is_file():
                absent.append(session["name"])
                continue
            turns = turns_of(path)
            yield file.stem, session, turns, spoken_in(turns)
    if absent:
        print(f"{len(absent)} sessions are not there: {', '.join(absent[:12])}…")
