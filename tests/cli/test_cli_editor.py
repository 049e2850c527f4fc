"""A memory in $EDITOR: what is saved is taken, and nothing that was typed is lost."""

import shlex
import sys
import tempfile
from pathlib import Path

import pytest

TEXT = "Staging lives on host db-7, reached through the bastion"


@pytest.fixture
def editing(monkeypatch, tmp_path, home):
    """Sets $EDITOR to a program that runs these lines on the text `page`."""
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(drafts))

    def edit_with(*lines: str) -> Path:
        script = tmp_path / "editor.py"
        script.write_text(
            "import pathlib, sys\n"
            "path = pathlib.Path(sys.argv[-1])\n"
            "page = path.read_text()\n"
            + "\n".join(lines)
            + "\npath.write_bytes(page.encode(errors='surrogateescape'))\n"
        )
        monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script), "--wait"]))
        return drafts

    return edit_with


def test_fields_and_text_are_taken_from_the_page(cli, remembered, editing):
    identifier = remembered(TEXT, "--tag", "infra")
    drafts = editing(
        "page = page.replace('db-7', 'db-9').replace('tags: infra', 'tags: infra, ssh')",
        "page = page.replace('importance: 6', 'importance: 9').replace('due:', 'due: 2030-01-02')",
        "page = page.replace('scope: project', 'scope: session')",
    )
    answer = cli("edit", identifier, "--json")

    assert answer.code == 0, answer.err
    assert answer.json["content"] == TEXT.replace("db-7", "db-9")
    assert answer.json["tags"] == ["infra", "ssh"]
    assert answer.json["importance_10"] == 9
    assert answer.json["scope"] == "session"
    assert answer.json["due"] is not None
    assert list(drafts.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("page = page.replace('importance: 6', 'importance: 11')", "from 1 to 10"),
        ("page = page.replace('confidence: 1', 'confidence: 2')", "from 0 to 1"),
        ("page = page.replace('scope: project', 'scope: world')", "scope is one of"),
        ("page = page.replace('due:', 'due: someday')", "not a time"),
        ("page = page.replace('tags:', 'tgas:')", "no field 'tgas'"),
        ("page = page.replace('tags:', 'tags')", "not a field"),
        ("page = page.replace('---', '===')", "two lines of ---"),
        ("page = page[: page.rindex('---') + 4]", "text is empty"),
        ("page = page + 'x' * 4000", "4000"),
        ("page = page.replace('db-7', 'caf\\udce9')", "not UTF-8"),
        ("import atexit, os; atexit.register(os._exit, 3)", "ended with code 3"),
    ],
)
def test_a_page_that_cannot_be_used_is_kept(cli, remembered, editing, line, reason):
    identifier = remembered(TEXT)
    drafts = editing(line, "page += '\\nmy precious words'")
    if "text is empty" in reason:
        drafts = editing(line)
    answer = cli("edit", identifier)

    assert answer.code == 1
    assert reason in answer.err
    [kept] = drafts.iterdir()
    assert str(kept) in answer.err
    assert kept.stat().st_mode & 0o077 == 0
    if "text is empty" not in reason:
        assert "my precious words" in kept.read_text()
    assert cli("show", identifier, "--json").json["content"] == TEXT


@pytest.mark.slow
def test_an_edit_made_elsewhere_meanwhile_is_never_overwritten(cli, remembered, editing, home):
    identifier = remembered(TEXT)
    drafts = editing(
        "import subprocess",
        f"subprocess.run([sys.executable, '-m', 'memdeck', 'edit', {identifier!r},"
        " '--title', 'Theirs'], check=True)",
        "page = page.replace('db-7', 'db-9')",
    )
    answer = cli("edit", identifier)

    assert answer.code == 1
    assert "changed meanwhile" in answer.err
    assert cli("show", identifier, "--json").json["title"] == "Theirs"
    [kept] = drafts.iterdir()
    assert "db-9" in kept.read_text()
