"""The page of the app's checks: each row has a state, each check that it names exists."""

import ast
import re
from functools import lru_cache
from pathlib import Path

from memdeck.benchmarks.__main__ import ALL

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "app-checks.md").read_text(encoding="utf-8")
NUMBERED = ("Finding", "Lists", "Changing", "Understanding", "Orientation", "The terminal")
"""The sections of what was asked of the app first, and how much that was."""
MOST_NUMBERED = 48


def rows(page: str) -> list[tuple[str, str, str, list[str]]]:
    """Each row as section, promise, state and checks."""
    found, section = [], ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("| ") and not line.startswith(("| Promise", "|---")):
            cells = [cell.strip() for cell in line[1:].rstrip(" |").split("|")]
            assert len(cells) == 3, line
            found.append((section, cells[0], cells[1], re.findall(r"`([^`]+)`", cells[2])))
    return found


@lru_cache(maxsize=256)
def names_in(path: str) -> frozenset[str]:
    """The names of the functions of a file; none where there is no file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    known = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, known))


def wrong(page: str) -> list[str]:
    """What a page of checks must not have, in words."""
    said = []
    for _, promise, state, checks in rows(page):
        word, _, lacking = state.partition(":")
        if word not in ("met", "partly", "not"):
            said.append(f"{promise}: has no state")
        elif (word == "met") == bool(lacking.strip()):
            said.append(f"{promise}: what is met lacks nothing, what is not says what it lacks")
        if not checks and word != "not":
            said.append(f"{promise}: has no check")
        for check in checks:
            if check.startswith("python -m benchmarks "):
                if check.split()[-1] not in ALL:
                    said.append(f"{check}: there is no such measurement")
                continue
            path, _, test = check.partition("::")
            if not test.startswith("test_") or test not in names_in(path):
                said.append(f"{check}: there is no such test")
    return said


def test_every_row_has_a_state_and_every_check_is_there():
    assert wrong(PAGE) == []


def test_none_of_what_was_asked_first_is_left_out():
    assert sum(section in NUMBERED for section, *_ in rows(PAGE)) == MOST_NUMBERED


def test_each_fault_of_a_row_would_be_found():
    here = "tests/docs/test_docs_app_checks.py"
    good = f"`{here}::test_each_fault_of_a_row_would_be_found`"
    assert wrong(f"| a | met | {good} |\n| b | partly: c | `python -m benchmarks search` |") == []
    for row in (
        f"| a | | {good} |",
        f"| a | perhaps | {good} |",
        f"| a | partly | {good} |",
        f"| a | met: nearly | {good} |",
        "| a | met | – |",
        f"| a | met | `{here}::test_gone` |",
        "| a | met | `tests/gone.py::test_gone` |",
        f"| a | met | `{here}::rows` |",
        "| a | met | `python -m benchmarks gone` |",
    ):
        assert len(wrong(row)) == 1, row
