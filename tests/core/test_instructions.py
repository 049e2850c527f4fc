"""What an instruction file says, as texts that stand alone."""

import json
from pathlib import Path

import pytest

from memdeck.agents.desk import Desk

FILES = Path(__file__).parent / "instruction_files"
NAMES = sorted(path.stem for path in FILES.glob("*.md"))


@pytest.fixture
def entries_in(core, tmp_path):
    """What would be kept of a file with this text."""
    file = tmp_path / "CLAUDE.md"

    def entries(text):
        file.write_text(text, encoding="utf-8")
        return [one.text for one in core.instructions_in(file)]

    return entries


@pytest.mark.parametrize("name", NAMES)
def test_a_file_as_people_write_it_gives_what_a_reader_would_note_down(core, name):
    expected = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    assert [one.text for one in core.instructions_in(FILES / f"{name}.md")] == expected


@pytest.mark.parametrize("host", ["claude", "gemini", "opencode"])
def test_what_memdeck_injected_is_passed_over(core, entries_in, host):
    core.remember("The retry budget is three attempts for each request.")
    told = core.recall("What is the retry budget of a request?", host=host).text
    assert "three attempts" in told
    before, after = "Always run the linter first.", "Never push to the main branch."
    assert entries_in(f"{before}\n\n{told}\n\n{after}\n") == [before, after]


def test_files_that_exist_are_named_once_the_projects_first(tmp_path, monkeypatch):
    root, home = tmp_path / "acme", tmp_path / "person"
    for path in (root / ".claude", home / ".claude", home / ".codex"):
        path.mkdir(parents=True)
    for path in (
        root / "CLAUDE.md",
        root / ".claude/CLAUDE.md",
        root / "CLAUDE.local.md",
        home / ".claude/CLAUDE.md",
        home / ".codex/AGENTS.md",
    ):
        path.write_text("Always use tabs.")
    (root / "AGENTS.md").symlink_to("CLAUDE.md")
    (root / "GEMINI.md").mkdir()
    monkeypatch.setenv("HOME", str(home))
    persons = [str(home / ".claude/CLAUDE.md"), str(home / ".codex/AGENTS.md")]
    assert [file.path for file in Desk(project_dir=str(root)).instructions()] == [
        str(root / "CLAUDE.md"),
        str(root / ".claude/CLAUDE.md"),
        str(root / "CLAUDE.local.md"),
        *persons,
    ]
    assert [file.path for file in Desk(project_dir=str(tmp_path)).instructions()] == persons
