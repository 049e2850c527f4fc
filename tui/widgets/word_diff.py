"""Where two texts differ, word by word; and both line by line beside each other.

`side_lines` is pure and may take 0.3 s for long texts: call it in a lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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


def _common(first: Iterable[str], other: Iterable[str]) -> int:
    """How many tokens both start with."""
    count = 0
    for remaining, right in zip(first, other, strict=False):
        if remaining != right:
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


Line = tuple[Run, ...]
Pairs = tuple[tuple[Line | None, Line | None], ...]
"""Lines that belong together; None where one side has nothing to say."""

MOST_LINES = 400
"""Where a side has more lines, they are paired in order: the time grows with the square."""

STAYED, DIFFERS = "$foreground", "bold $text-warning on $warning-muted"
"""How a word looks that both sides have, and one that only this side has: neither is wrong."""


def side_lines(first: str, second: str, contested: Iterable[str] = ()) -> Pairs:
    """The lines of both texts in pairs, cut into runs.

    Of texts that are worded quite differently only what is `contested` is marked: a mark from
    end to end would say nothing.
    """
    both = compare(first, second)
    remaining, right = _lines(both.before), _lines(both.after)
    if all(run.is_changed for run in (*both.before, *both.after)):
        pattern = _pattern(contested)
        remaining = [tuple(_marked(_words(line), pattern)) for line in remaining]
        right = [tuple(_marked(_words(line), pattern)) for line in right]
    return tuple(_paired(remaining, right))


def _pattern(contested: Iterable[str]) -> re.Pattern[str] | None:
    parts = sorted({part.strip() for part in contested if part.strip()}, key=len, reverse=True)
    if not parts:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, parts))})(?!\w)", re.IGNORECASE)


def _marked(text: str, pattern: re.Pattern[str] | None) -> Iterator[Run]:
    """The text as runs, with what the pattern finds marked."""
    at = 0
    for matches in pattern.finditer(text) if pattern else ():
        if matches.start() > at:
            yield Run(text[at : matches.start()], is_changed=False)
        yield Run(matches[0], is_changed=True)
        at = matches.end()
    if at < len(text):
        yield Run(text[at:], is_changed=False)


def _lines(runs: Iterable[Run]) -> list[Line]:
    """The runs cut at line feeds, which fall away."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        first, *rest = run.text.split("\n")
        lines[-1].append(Run(first, run.is_changed))
        lines += [[Run(text, run.is_changed)] for text in rest]
    return [tuple(run for run in line if run.text) for line in lines]


def _words(line: Line) -> str:
    return "".join(run.text for run in line)


def _paired(
    lines: Sequence[Line], right: Sequence[Line]
) -> Iterator[tuple[Line | None, Line | None]]:
    """Equal lines beside each other, and what lies between them in order."""
    ours, theirs = [_words(line) for line in lines], [_words(line) for line in right]
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    spans = [(0, len(lines), 0, len(right))]
    if max(len(lines), len(right)) <= MOST_LINES:
        spans = [(a, b, c, d) for _, a, b, c, d in matcher.get_opcodes()]
    for a, b, c, d in spans:
        for row in range(max(b - a, d - c)):
            yield (
                lines[a + row] if a + row < b else None,
                right[c + row] if c + row < d else None,
            )


def line_content(line: Line | None) -> Content:
    """One line as content; its words are shown as they stand, never as markup."""
    return Content("").join(piece for run in line or () for piece in _pieces(run))


def _pieces(run: Run) -> Iterator[Content]:
    """A run in its colours; the blanks around words that differ carry none."""
    if not run.is_changed:
        yield plain(run.text, STAYED)
        return
    words = run.text.strip()
    before, _, after = run.text.partition(words) if words else (run.text, "", "")
    yield plain(before)
    yield plain(words, DIFFERS)
    yield plain(after)


def ruled(text: Content, side: Side, cells: int) -> Iterator[Content]:
    """One side of a long text, with its sign and a rule down its edge."""
    sign, style = ("−", "$text-error") if side == "before" else ("+", "$text-success")
    for number, line in enumerate(text.wrap(max(8, cells - 4))):
        yield Content.assemble((f"{' ' if number else sign} ▎ ", style), line)
