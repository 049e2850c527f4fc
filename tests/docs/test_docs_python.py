"""The examples of the Python page run, one after the other, and print what they say they print."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)

BLOCKS = BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def run(code):
    """The lines that a block prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGE), "exec"), {"__name__": "page"})
    return printed.getvalue().splitlines()


def test_the_page_has_examples():
    assert len(BLOCKS) >= 5


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_an_example_runs_in_a_store_of_its_own(number):
    code = BLOCKS[number]
    printed = run(code)
    if said := SAID.findall(code):
        assert printed == said


def test_the_first_example_shows_what_it_remembered():
    assert any("`make test-db`" in line for line in run(BLOCKS[0]))


def test_the_examples_run_one_after_the_other_in_one_store():
    for code in BLOCKS:
        run(code)


def test_every_call_that_the_page_names_exists():
    from memdeck import MemoryCoordinator

    text = PAGE.read_text(encoding="utf-8")
    called = set(re.findall(r"\bmemory\.([a-z_]+)\(", "\n".join(BLOCKS)))
    tables = re.findall(r"^\| Call \|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    listed = set(re.findall(r"^\| `([a-z_]+)", "".join(tables), re.MULTILINE))
    assert {name for name in called | listed if not hasattr(MemoryCoordinator, name)} == set()
