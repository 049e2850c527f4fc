"""One letter table for the whole app: a letter means one act, or nothing in that view."""

from pathlib import Path

from .letter_table import LETTERS, is_in_table

DOCS = Path(__file__).parents[2] / "docs" / "app.md"


def test_the_table_refuses_an_act_under_another_letter():
    assert is_in_table("x", "memory.forget")
    assert not is_in_table("x", "memory.pin")
    assert not is_in_table("J", "memory.pin")
    assert is_in_table("7", "view.health")
    assert not is_in_table("7", "memory.pin")
    assert is_in_table("ctrl+d", "list.half_down")


def test_the_manual_prints_the_table():
    lines = [f"| `{key}` | {letter.means} |" for key, letter in LETTERS.items()]
    text = DOCS.read_text("utf-8")
    start = text.index("| Key | What it does everywhere |")
    printed_there = text[start:].split("\n\n")[0].splitlines()[2:]
    assert printed_there == lines
