"""Procedures that a person wrote down as a list: "How to deploy:" and the steps under it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...answers import Capture
from .phrases import phrases
from .rules import Rule
from .shape import Session, capture, prerequisites_in, shortened
from .turns import Turn

LEAST_STEPS = 2
MAX_STEPS = 12
_LONGEST_HEAD = 120  # characters

_RULE = Rule("recipe", "pattern", "procedural", 0.8, 0.9, "workflow", ("instruction",))
_ITEM = re.compile(r"^\s{0,6}(?:\d{1,2}[.)]|[-*•])\s+(\S.*)$")
_DONE_WRONG = re.compile(
    r"\b(?:fails?|failed|crash\w*|error|bug|reproduc\w+|broken|wrong|then i (?:see|get))\b",
    re.IGNORECASE,
)


def recipes(turn: Turn, text: str, session: Session) -> list[Capture]:
    """The procedures in a prompt's own `text`; a list of what goes wrong is none."""
    found = []
    for place, (head, items) in enumerate(_lists(text)):
        said = _heading(head)
        if said is None or len(items) < LEAST_STEPS:
            continue
        if _DONE_WRONG.search(head) or any(_DONE_WRONG.search(item) for item in items):
            continue
        steps = [shortened(" ".join(item.split()).rstrip(". "), 200) for item in items[:MAX_STEPS]]
        name = said["said"].rstrip(" :")
        details = {
            "procedure_name": shortened(name[:1].upper() + name[1:], 80),
            "category": "workflow",
            "steps": steps,
            "prerequisites": list(prerequisites_in(". ".join(steps))),
        }
        content = f"{name}: {'; then '.join(steps)}"
        made = capture(
            _RULE, content, turn, f"recipe-{place}", session, details=details, is_person=True
        )
        found.append(made)
    return found


def _heading(line: str) -> re.Match[str] | None:
    bare = line.strip(" \t*#_").rstrip(" :*_")
    return next((found for one in phrases() if (found := one.recipe.fullmatch(bare))), None)


def _lists(text: str) -> Iterator[tuple[str, list[str]]]:
    """(the line above it, its items) for each list outside of code blocks."""
    head, is_code = "", False
    items: list[str] = []
    for line in [*text.splitlines()[:400], ""]:
        if line.lstrip().startswith("```"):
            is_code = not is_code
        item = None if is_code else _ITEM.match(line[:600])
        if item:
            items.append(item[1])
        elif items and line.strip() and line.startswith((" ", "\t")):
            continue  # an item that goes on
        else:
            if items:
                yield head, items
                items = []
            if line.strip():
                head = line.strip() if len(line.strip()) <= _LONGEST_HEAD else ""
    if items:
        yield head, items
