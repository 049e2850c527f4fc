"""What became of the files: a module that is new, moved or rewritten, and what for (002-07).

One memory for a piece of work at most, and none for an everyday edit: the files themselves and
their history tell that better.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..answers import Capture
from .edits import DEFINITION, Edit
from .envelopes import outcome_of
from .rules import Rule, rx
from .shape import Session, capture, reference, shortened
from .standalone import finished
from .stretches import Stretch, request_in
from .subjects import relative, unique
from .weights import importance_of

LEAST_LINES = 15  # of a new module; less is a stub
LEAST_REWRITTEN = 3  # files that belong together
LEAST_CHANGED = 30  # lines, over all of them
MAX_NAMED = 4  # files in the text

_RULE = Rule(
    "file-change",
    rx(r"(?!)"),
    "file_change",
    "episodic",
    importance_of("file-change"),
    0.75,
    "agent_response",
    ("change",),
)
_CODE = re.compile(
    r"\.(?:py|pyi|[jt]sx?|mjs|cjs|vue|svelte|go|rs|java|kts?|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|"
    r"exs?|dart|sql|sh|tf|proto|graphql)$"
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|fixtures|examples?|scratch|tmp|temp|node_modules|dist|build|"
    r"\.venv|vendor)/|(?:^|/)(?:test_|conftest)|[._](?:test|spec)\.|^/(?:tmp|var)/|(?:^|/)__init__\.py$"
)
_DOCSTRING = re.compile(
    r"\A(?:#![^\n]*\n)?\s*(?:[rRuU]?\"\"\"\s*|'''\s*|/\*\*?\s*\*?\s*|//[!/]?\s*|#\s+|--\s+)"
    r"(?P<said>[A-Z][^\n\"*]{15,400})"
)
_UNDOING = rx(r"^git\ (?:checkout|restore|revert|reset|stash|clean)\b|^rm\b")
_UPDATED = re.compile(r"\b(?:updated|overwritten)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Change:
    """A change worth telling, without what it was for."""

    text: str  # a clause that can stand alone
    paths: tuple[str, ...]
    purpose: str = ""  # as the file itself tells it
    stands_alone: bool = False  # it says enough without a purpose
    is_rewrite: bool = False  # so wide that the agent's report can be of nothing else


def file_changes(
    stretches: Sequence[Stretch], found: Sequence[Capture], session: Session
) -> tuple[list[Capture], list[Capture]]:
    """(the changes, the captures that they take in).

    What the agent reported of the same files tells what the change was for, so that report
    becomes a part of it.
    """
    made: list[Capture] = []
    taken: list[Capture] = []
    known: set[str] = set()  # paths that were there before
    for place, stretch in enumerate(stretches):
        change = _change(stretch, known, session)
        for call in stretch.calls:
            path = call.argument("file_path", "notebook_path", "path")
            known |= {relative(path, session.root)} if path else set()
        if change is None or not stretch.is_closed or outcome_of(stretch) == "failure":
            continue
        if _is_undone(change, stretches[place : place + 4], stretch):
            continue
        report = _report_on(change, stretch, found)
        purpose = report.content if report else change.purpose
        asked = "" if purpose else _asked(stretch, change)
        if not purpose and not asked and not change.stands_alone:
            continue
        made.append(_told(change, purpose, asked, stretch, session))
        taken += [report] if report else []
    return made, taken


def _change(stretch: Stretch, known: set[str], session: Session) -> _Change | None:
    moved = [
        m for run in stretch.runs if not run.failed for s in run.steps if (m := _move(s.words))
    ]
    if moved:
        named = [
            f"{relative(a, session.root)} is now {relative(b, session.root)}" for a, b in moved
        ]
        paths = unique(relative(b, session.root) for _, b in moved)
        return _Change("; ".join(named[:MAX_NAMED]), paths, stands_alone=True)
    edits = [e for e in stretch.edits if _CODE.search(e.path) and not _ASIDE.search(e.path)]
    fresh = [e for e in edits if _is_new_module(e, known, stretch)]
    if fresh:
        paths = unique(edit.path for edit in fresh)
        noun = "New modules" if len(paths) > 1 else "New module"
        purpose = _docstring(fresh[0].after) if len(paths) == 1 else ""
        return _Change(f"{noun} {_listed(paths)}", paths, purpose)
    paths = unique(edit.path for edit in edits)
    lines = sum(max(_lines(edit.before), _lines(edit.after)) for edit in edits)
    if len(paths) >= LEAST_REWRITTEN and lines >= LEAST_CHANGED and _belong_together(edits, paths):
        return _Change(f"{_listed(paths)} were rewritten together", paths, is_rewrite=True)
    return None


def _move(parts: Sequence[str]) -> tuple[str, str] | None:
    """From where to where a source file was moved, if that is what the command did."""
    names = parts[2:] if parts[:2] == ("git", "mv") else parts[1:] if parts[0] == "mv" else ()
    if len(names) != 2 or not all(_CODE.search(name) for name in names):
        return None
    old, new = names[0], names[1]
    return None if _ASIDE.search(old) or _ASIDE.search(new) else (old, new)


def _is_new_module(edit: Edit, known: set[str], stretch: Stretch) -> bool:
    if not edit.is_new or edit.path in known or _lines(edit.after) < LEAST_LINES:
        return False
    if not DEFINITION.search(edit.after):
        return False
    for call in stretch.calls:
        if call.position > edit.position:
            break
        path = call.argument("file_path")
        is_same = bool(path) and path.endswith(edit.path)
        if is_same and call.position < edit.position:
            return False  # it was read or written before
        if is_same and call.result is not None and _UPDATED.search(call.result.text[:200]):
            return False
    return True


def _belong_together(edits: Sequence[Edit], paths: Sequence[str]) -> bool:
    """Whether most files lie in one folder, or the same name was replaced in most of them."""
    folders = [os.path.dirname(path) for path in paths]
    if folders and max(folders.count(f) for f in folders) >= LEAST_REWRITTEN:
        return True
    swapped: dict[str, set[str]] = {}
    for edit in edits:
        for name in {*re.findall(r"\w{4,}", edit.before[:4000])} - {
            *re.findall(r"\w{4,}", edit.after[:4000])
        }:
            swapped.setdefault(name, set()).add(edit.path)
    return any(len(where) >= LEAST_REWRITTEN for where in swapped.values())


def _report_on(change: _Change, stretch: Stretch, found: Sequence[Capture]) -> Capture | None:
    """What the agent said in closing about the same files."""
    lines = {turn.line for turn in stretch.turns}
    names = {os.path.basename(path) for path in change.paths}
    for one in found:
        is_report = one.rule in ("agent.outcome", "agent.change")
        if is_report and one.origin.line in lines:
            if {os.path.basename(path) for path in one.files} & names:
                return one
            if change.is_rewrite or any(name in one.content for name in names):
                return one
    return None


def _asked(stretch: Stretch, change: _Change) -> str:
    """What the person had asked for, where that says more than the change itself."""
    request = request_in(stretch.intent)
    plain = [word for word in request.split() if word.strip("`,.") not in change.text]
    is_task = len(plain) >= 4 and not stretch.intent.rstrip().endswith("?")
    return shortened(request, 200) if is_task else ""


def _is_undone(change: _Change, later: Sequence[Stretch], stretch: Stretch) -> bool:
    """Whether a command took the change back, in this piece of work or soon after."""
    start = max((edit.position for edit in stretch.edits), default=-1)
    names = {os.path.basename(path) for path in change.paths}
    return any(
        _UNDOING.search(step.text)
        and (
            any(name in step.text for name in names)
            or step.text.rstrip().endswith((" .", "--hard"))
        )
        for one in later
        for run in one.runs
        if not run.failed and run.call.position > start
        for step in run.steps
    )


def _told(change: _Change, purpose: str, asked: str, stretch: Stretch, session: Session) -> Capture:
    text = change.text
    if purpose:
        is_ordinary = purpose.split(" ", 1)[0] in ("The", "A", "An", "It", "All", "Each", "Every")
        purpose = purpose[:1].lower() + purpose[1:] if is_ordinary else purpose
        text = f"{text}: {shortened(purpose, 480 - len(text))}"
    elif asked:
        text = f"{text} (asked for: “{asked}”)"
    made = capture(
        _RULE,
        finished(text),
        stretch.last,
        "file-change",
        session,
        title=shortened(change.text, 80),
        details={"event_type": "agent_response", "context": {"files": list(change.paths[:8])}},
        files=change.paths,
    )
    place = stretch.prompt.uuid if stretch.prompt else stretch.last.uuid
    return replace(made, origin=replace(made.origin, ref=reference(session, place, "file-change")))


def _docstring(source: str) -> str:
    """What a module says of itself in its first line; "" where that is no sentence."""
    found = _DOCSTRING.match(source[:2000])
    said = " ".join(found["said"].split()) if found else ""
    said = shortened(said, 200)
    return said if len(said.split()) >= 4 and "copyright" not in said.lower() else ""


def _listed(paths: Sequence[str]) -> str:
    named = list(paths[:MAX_NAMED])
    if len(paths) > MAX_NAMED:
        return f"{', '.join(named)} and {len(paths) - MAX_NAMED} more"
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())
