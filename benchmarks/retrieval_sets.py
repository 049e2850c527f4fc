"""Notes and questions by several hands, in one shape: what `benchmarks.retrieval` measures on.

Three kinds of text: our own invented projects (`retrieval_set`); LoCoMo, the public conversations
of `snap-research/locomo`, one memory a turn; and commit notes of public repositories, the body
asked for by its subject. Texts of others are read where they lie and never kept: `LOCOMO` names
the archive `locomo10.zip` or a clone, `REPOSITORIES` a folder of clones. What is tuned on and what
is left out are whole conversations and whole repositories.
"""

import json
import os
import re
import subprocess
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from memdeck.core.text.words import STOP_WORDS

from . import retrieval_set

LOCOMO, REPOSITORIES = "MEMDECK_BENCH_LOCOMO", "MEMDECK_BENCH_REPOSITORIES"

COMMIT_NOTES = "commit notes"
"""The name of that set; what is reserved is another."""

TUNED_CONVERSATIONS = 5
"""LoCoMo's conversations 0-4 are tuned on, 5-9 left out."""

CATEGORIES = (1, 2, 3, 4)
"""LoCoMo's kinds of question that have an answer in the conversation."""

NOTES = 500
"""Of one repository so many notes are kept: the newest."""

TUNED, MEASURED = 80, 250
"""How many are asked for, evenly spread, in a repository that is tuned on, and in one left out:
there as many as tell a gain to about a point."""

LEAST, MOST = 80, 600
"""Characters of a note: of fewer it is none, of more the first are kept."""

CONTENT_WORDS = 4
"""Words of a subject beside stop words, from which on it is a question."""

_SUBJECT = re.compile(r"^(?:\[[^\]]*\]\s*)*(?:[\w./-]+(?:\([^)]*\))?!?:\s+)?")
_NUMBER = re.compile(r"\s*(?:\(#\d+\)|\[[A-Z]+-\d+\]|#\d+\b|\b[A-Z]{2,}-\d+\b:?)")
_TRAILER = re.compile(r"^[A-Z]\w*(?:-\w+)+:.*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|<?https?://\S+")
_SAID_AT = "%I:%M %p on %d %B, %Y"
_PLACE = re.compile(r"D\d+:\d+")


class Question(NamedTuple):
    """One question, and the keys of the memories that answer it, in one store."""

    text: str
    answers: frozenset[str]
    store: str
    is_left_out: bool


class Set(NamedTuple):
    """Memories by store, in the import format, the questions about them, and when it is asked."""

    name: str
    memories: dict[str, list[dict[str, Any]]]
    questions: list[Question]
    now: dict[str, datetime]


def sets(*, reserved: bool = False) -> Iterator[Set]:
    """All sets whose texts are at hand; of the others a line says why not.

    With `reserved`, the commit notes of the repositories kept for a last measurement only.
    """
    if reserved:
        yield from commits("reserved")
        return
    yield own()
    yield from conversations()
    yield from commits("notes")


def own() -> Set:
    """Our own invented projects, from `retrieval_set`."""
    memories, asked = retrieval_set.evaluation_set()
    questions = [
        Question(one.text, frozenset([one.answer]), one.project, one.is_held_out) for one in asked
    ]
    return Set("own", memories, questions, dict.fromkeys(memories, retrieval_set.NOW))


def conversations() -> Iterator[Set]:
    """LoCoMo: one store a conversation, one memory a turn."""
    if (archive := _archive(os.environ.get(LOCOMO, ""))) is None:
        print(f"LoCoMo is not measured: {LOCOMO} names no locomo10.zip and no clone that has it.")
        return
    memories, questions, now = {}, [], {}
    for number, one in enumerate(_told(archive)):
        store = f"conversation {number}"
        memories[store] = list(_turns(one))
        now[store] = latest(memories[store])
        known = {memory["key"] for memory in memories[store]}
        for asked in one["qa"]:
            answers = known.intersection(_PLACE.findall(" ".join(asked["evidence"])))
            if asked["category"] in CATEGORIES and answers:
                left_out = number >= TUNED_CONVERSATIONS
                questions.append(Question(asked["question"], frozenset(answers), store, left_out))
    yield Set("conversations", memories, questions, now)


def _archive(place: str) -> bytes | None:
    """The bytes of `locomo10.zip`: the file itself, in a folder, or in a bare clone."""
    path = Path(place)
    if not place or not path.exists():
        return None
    if path.is_file():
        return path.read_bytes()
    if (path / "data" / "locomo10.zip").is_file():
        return (path / "data" / "locomo10.zip").read_bytes()
    for clone in (path, path / "repo"):
        found = subprocess.run(
            ["git", "--git-dir", str(clone), "show", "HEAD:data/locomo10.zip"],
            capture_output=True,
            check=False,
        )
        if found.returncode == 0:
            return found.stdout
    return None


def _told(archive: bytes) -> list[dict[str, Any]]:
    """The conversations with their questions, in the order of their numbers."""
    with zipfile.ZipFile(BytesIO(archive)) as packed:
        names = [name for name in packed.namelist() if name.endswith(".json")]
        names.sort(key=lambda name: int(Path(name).stem))
        return [json.loads(packed.read(name)) for name in names]


def _turns(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The turns of all sessions as memories; a picture counts by its caption."""
    numbers = (int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in sorted(numbers):
        start = datetime.strptime(conversation[f"session_{number}_date_time"], _SAID_AT)
        for place, turn in enumerate(conversation[f"session_{number}"]):
            seen = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            at = start.replace(tzinfo=UTC) + timedelta(minutes=place)
            yield {
                "content": f"{turn['speaker']}: {turn['text']}{seen}",
                "key": turn["dia_id"],
                "session": f"session-{number}",
                "type": "episodic",
                "created_at": at.isoformat(),
            }


def commits(which: str) -> Iterator[Set]:
    """Commit notes of the repositories of a list in `data/retrieval_repositories.toml`.

    A note is a commit's body, without trailers and links; what a day brought is one session.
    """
    listed = tomllib.loads((retrieval_set.DATA / "retrieval_repositories.toml").read_text("utf-8"))
    folder = os.environ.get(REPOSITORIES, "")
    memories: dict[str, list[dict[str, Any]]] = {}
    questions: list[Question] = []
    missing = []
    for name in listed[which]:
        clone = clone_of(Path(folder), name) if folder else None
        if clone is None:
            missing.append(name)
            continue
        notes = list(notes_of(clone))
        is_measured = which == "reserved" or is_left_out(name)
        memories[name] = [memory for _, memory in notes]
        asked = [
            Question(subject, frozenset([memory["key"]]), name, is_measured)
            for subject, memory in notes
            if len(_content_words(subject)) >= CONTENT_WORDS
        ]
        questions += spread(asked, MEASURED if is_measured else TUNED)
    if missing:
        print(f"Not among the clones that {REPOSITORIES} names: {', '.join(missing)}.")
    if memories:
        now = {name: latest(found) for name, found in memories.items()}
        yield Set(COMMIT_NOTES if which == "notes" else which, memories, questions, now)


def is_left_out(name: str) -> bool:
    """Whether a repository lies in the half that nothing is tuned on."""
    return zlib.crc32(name.encode()) % 2 == 1


def clone_of(folder: Path, name: str) -> Path | None:
    """The git directory of `owner/name` in a folder of clones, bare or not; None without one."""
    for place in (folder / name.replace("/", "+"), folder / name, folder / name.split("/")[1]):
        for clone in (place / ".git", place / "repo", place):
            if (clone / "HEAD").is_file() and (clone / "objects").is_dir():
                return clone
    return None


def notes_of(clone: Path, most: int = NOTES) -> Iterator[tuple[str, dict[str, Any]]]:
    """The newest notes of a log with their subjects, at most so many, oldest first, none twice."""
    log = subprocess.run(
        ["git", "--git-dir", str(clone), "log", "--no-merges", "-z", "-n", "8000",
         "--format=%H%x1f%cI%x1f%s%x1f%b"],
        capture_output=True, check=True,
    ).stdout.decode("utf-8", "replace")  # fmt: skip
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for entry in filter(None, log.split("\0")):
        if len(found) == most:
            break
        sha, at, subject, body = entry.split("\x1f", 3)
        text = " ".join(_LINK.sub(r"\1", _TRAILER.sub("", body)).split())[:MOST]
        if len(text) < LEAST or text in found:
            continue
        moment = datetime.fromisoformat(at).astimezone(UTC)
        found[text] = (
            _NUMBER.sub("", _SUBJECT.sub("", subject)).strip(),
            {
                "content": text,
                "key": sha,
                "session": moment.date().isoformat(),
                "type": "semantic",
                "created_at": moment.isoformat(),
            },
        )
    return reversed(found.values())


def _content_words(subject: str) -> list[str]:
    return [word for word in re.findall(r"\w+", subject.lower()) if word not in STOP_WORDS]


def spread(questions: Sequence[Question], most: int) -> Iterable[Question]:
    """At most so many, evenly from all."""
    if len(questions) <= most:
        return questions
    return [questions[place * len(questions) // most] for place in range(most)]


def latest(memories: Sequence[dict[str, Any]]) -> datetime:
    """The day after the last memory."""
    return max(datetime.fromisoformat(one["created_at"]) for one in memories) + timedelta(days=1)
