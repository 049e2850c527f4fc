"""What changed between two texts, word by word.

`compare` is a pure function that may take 0.3 s for long texts: call it in a lane. The rest
turns its answer into content, one piece for each side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from textual.content import Content

from ..text import plain

Side = Literal["before", "after"]

MOST_TOKENS = 2_000
"""Where more than this lies between the common ends, the texts are shown as replaced: the time
grows with the square (0.3 s here)."""

LEAST_ALIKE = 0.3
"""Texts with a smaller share of common words are shown as replaced: confetti helps nobody."""

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
_STYLES: dict[Side, tuple[str, str]] = {  # of a word that stayed, of a word that did not
    "before": ("$text-muted", "bold $text-error on $error-muted"),
    "after": ("$foreground", "bold $text-success on $success-muted"),
}


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of one side."""

    text: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both sides, cut into runs; joined, the runs of a side are its text."""

    before: tuple[Run, ...]
    after: tuple[Run, ...]


def compare(before: str, after: str) -> Comparison:
    """The two texts with the words marked that only one of them has."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    head = _common(old, new)
    tail = _common(reversed(old[head:]), reversed(new[head:]))
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(middle_old), len(middle_new)) > MOST_TOKENS:
        return _replaced(before, after)
    matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    steps = [(True, "".join(old[:head]), "".join(old[:head]))]
    steps += [
        (tag == "equal", "".join(middle_old[a:b]), "".join(middle_new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
    ]
    end = "".join(old[len(old) - tail :])
    steps.append((True, end, end))
    common = sum(_ink(text) for is_equal, text, _ in steps if is_equal)
    if common < LEAST_ALIKE * min(_ink(before), _ink(after)):
        return _replaced(before, after)
    return Comparison(
        _joined((text, not is_equal) for is_equal, text, _ in steps),
        _joined((text, not is_equal) for is_equal, _, text in steps),
    )


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    """How many tokens both start with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _ink(text: str) -> int:
    """The characters that can be seen."""
    return len("".join(text.split()))


def _replaced(before: str, after: str) -> Comparison:
    return Comparison(_joined([(before, True)]), _joined([(after, True)]))


def _joined(pieces: Iterable[tuple[str, bool]]) -> tuple[Run, ...]:
    """Runs as long as they can be; a space between two changed words counts as changed."""
    runs: list[Run] = []
    for text, is_changed in pieces:
        if not text:
            continue
        if runs and runs[-1].is_changed == is_changed:
            runs.append(Run(runs.pop().text + text, is_changed))
        elif is_changed and len(runs) > 1 and runs[-2].is_changed and runs[-1].text.isspace():
            blank, last = runs.pop(), runs.pop()
            runs.append(Run(last.text + blank.text + text, True))
        else:
            runs.append(Run(text, is_changed))
    return tuple(runs)


def content_of(runs: Iterable[Run], side: Side) -> Content:
    """One side as content; its words are shown as they stand, never as markup."""
    stayed, changed = _STYLES[side]
    return Content("").join(plain(run.text, changed if run.is_changed else stayed) for run in runs)
