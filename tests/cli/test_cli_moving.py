"""import and export: what goes out comes in again."""

import json
from pathlib import Path

import pytest

FULL = {
    "content": "Queue workers stop with SIGTERM and finish their job",
    "type": "procedural",
    "title": "How workers stop",
    "category": "pattern",
    "scope": "project",
    "importance": 0.75,
    "confidence": 0.5,
    "status": "candidate",
    "tags": ["queue", "ops"],
    "files": ["worker.py"],
    "session": "s-1",
    "agent": "claude",
    "created_at": "2025-03-01T10:00:00Z",
    "key": "K-1",
}
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def jsonl(*objects):
    return "".join(json.dumps(each) + "\n" for each in objects)


def test_every_field_of_the_format_comes_in(cli):
    answer = cli("import", "-", "--from", "jsonl", "--json", stdin=jsonl(FULL), code=0)
    assert answer.json == {"added": 1, "duplicates": 0, "redacted": 0, "refused": []}
    [memory] = cli("list", "--json").lines
    assert {name: memory[name] for name in FULL} == FULL


def test_import_takes_secrets_out(cli, home):
    given = jsonl({"content": f"The token is {SECRET} until May"})
    assert "Secrets were taken out of 1 memory" in cli("import", "-", stdin=given, code=0).err
    more = cli("import", "-", stdin=given + jsonl({"content": "Tables stay on pier 1"}))
    assert ("1 memory, 1 duplicate" in more.out, "Secrets" in more.err) == (True, False)
    assert cli("audit", "--json").lines[0]["reason"] == ""
    for path in home.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_an_import_is_one_undo(cli):
    cli("import", "-", stdin=jsonl(*({"content": f"Fact number {n}"} for n in range(20))))
    assert len(cli("list", "--json").lines) == 20
    cli("undo")
    assert cli("list", "--json").lines == []


INSTRUCTIONS = f"""# CLAUDE.md
## Code style
- Type hints everywhere
- Never commit straight to the main branch
- The staging token is {SECRET} until May
"""


@pytest.fixture
def claude_md(home):
    """A file of instructions in the project's folder."""
    file = Path("CLAUDE.md")
    file.write_text(INSTRUCTIONS)
    return str(file)


def test_an_instruction_file_comes_in_as_one_undo(cli, claude_md):
    answer = cli("import", claude_md)
    assert (answer.code, answer.out) == (0, "imported  3 memories, 0 duplicates, 0 refused\n")
    assert "ndo with `memdeck undo`" in answer.err
    assert "Secrets were taken out of 1 memory" in answer.err
    kept = {each["content"] for each in cli("list", "tag:instructions", "--json").lines}
    assert {"Code style: Type hints everywhere", "Never commit straight to the main branch"} < kept
    again = cli("import", claude_md, "--json")
    assert (again.json["added"], again.json["duplicates"], again.json["ids"]) == (0, 3, [])
    cli("undo")
    assert cli("list", "--json").lines == []


def test_a_dry_run_shows_what_would_come_in_and_changes_nothing(cli, claude_md):
    cli("remember", "Code style: Type hints everywhere")
    answer = cli("import", claude_md, "--dry-run", code=0)
    known, new, token = answer.out.splitlines()
    assert known == "known  Code style: Type hints everywhere"
    assert new == "       Never commit straight to the main branch"
    assert SECRET not in token
    assert "2 memories would be added; nothing was changed" in answer.err
    assert [each["known"] for each in cli("import", claude_md, "--dry-run", "--json").lines] == [
        True,
        False,
        False,
    ]
    assert len(cli("list", "--json").lines) == 1
