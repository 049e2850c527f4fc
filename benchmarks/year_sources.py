"""What `benchmarks year` is made of: sentences of commit messages, by the file that they are about.

A repository is a project. The words stay where they are: only figures are written down.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

COMMITS = 6000  # read of a repository, the newest
FILES = 6  # a commit of more is about no file
_EVERYONES = re.compile(
    r"(^|/)(change|news|readme|release|cargo\.lock|\.)|^(test|t/|doc)|\.ya?ml$", re.I
)
_SENTENCE = re.compile(r"[A-Z].{48,238}?\.(?= [A-Z]|$)")
_OWN = (
    ("Which queue carries the mails?", "Mails wait in a Redis stream, since the broker lost them."),
    ("How long do mails wait?", "A mail that was not sent is tried again after 20 minutes."),
    ("How are dates kept?", "All dates are stored in UTC, because the reports mixed two zones."),
    ("When are reports made?", "Reports are made at 4 in the morning, as the rates come at 3."),
    ("Why does the build fail at night?", "The nightly build fails when its cache volume is full."),
    ("Where are the rates read?", "Exchange rates are read once a day from rates/daily.csv."),
    ("What limits the upload?", "Uploads end at 20 MB, as the proxy in front refuses more."),
    ("Which lock guards the import?", "The import takes an advisory lock, so two never overlap."),
)


@dataclass(frozen=True)
class Saying:
    """The subject of a commit and a sentence of its body."""

    subject: str
    sentence: str
    file: str  # what it is about


def families(folder: Path | None, number: int) -> list[list[Saying]]:
    """The sayings of repository `number` below the folder by file, each in the order of its days.

    Files of four and more, the most spoken of first; without a folder a few words of our own.
    """
    if folder is None:
        return [
            [Saying(*one, f"src/part{at // 2}.py") for one in _OWN[at : at + 2]]
            for at in (0, 2, 4, 6)
        ]
    heads = folder.glob("**/HEAD")
    repositories = sorted(head.parent for head in heads if (head.parent / "objects").is_dir())
    found = list(_sayings(repositories[number % len(repositories)]))
    counts = Counter(file for _, files in found for file in files)
    by_file = defaultdict[str, list[Saying]](list)
    for (subject, sentence), files in reversed(found):
        file = max(files, key=lambda name: counts[name])
        by_file[file].append(Saying(subject, sentence, file))
    ordered = sorted(by_file.values(), key=len, reverse=True)
    return [its for its in ordered if len(its) >= 4]


def _sayings(repository: Path) -> Iterator[tuple[tuple[str, str], Sequence[str]]]:
    what = ("log", f"-{COMMITS}", "--no-merges", "--no-renames", "--name-only")
    git = ["git", "--git-dir", str(repository), *what, "--format=%x01%s%x00%b%x00"]
    log = subprocess.run(git, capture_output=True, check=True, timeout=120).stdout
    for entry in log.decode("utf-8", "replace").split("\x01")[1:]:
        subject, body, names = entry.split("\0")
        files = [name for name in names.split("\n") if name and not _EVERYONES.search(name)]
        text = " ".join(body.strip().split("\n\n")[0].split())
        sentence = _SENTENCE.match(text)
        if sentence and 1 <= len(files) <= FILES and len(subject) >= 20:
            yield (subject, sentence[0]), files
