"""import and export: what goes out comes in again."""

import csv
import io
import json
import os
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


def jsonl(*objects: dict[str, object]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def test_every_field_of_the_format_comes_in(cli):
    answer = cli("import", "-", "--from", "jsonl", "--json", stdin=jsonl(FULL))
    assert answer.code == 0
    assert answer.json == {"added": 1, "duplicates": 0, "redacted": 0, "refused": []}
    [memory] = cli("list", "--json").lines
    assert {name: memory[name] for name in FULL} == FULL


def test_content_alone_is_enough(cli):
    assert cli("import", "-", stdin=jsonl({"content": "A fact about the harbour"})).code == 0


def test_an_export_imports_into_another_project_unchanged(cli, tmp_path):
    told = {"content": "Cranes are booked by the hour", "type": "semantic", "key": "crane"}
    details = {"source_sessions": ["ses_0cd3eb634e6c5df7ba22a198"]}  # as OpenCode names one
    tides = {"content": "Tide tables: «Ebbe» at 06:12\n日本 👩‍💻"}
    cli("import", "-", stdin=jsonl(FULL, tides, {**told, "details": details}))
    assert cli("edit", "crane", "--importance", "9").code == 0
    assert details.items() <= cli("show", "crane", "--json").json["details"].items()
    exported = cli("export", "--format", "jsonl")
    assert exported.code == 0
    file = tmp_path / "memories.jsonl"
    file.write_text(exported.out)

    answer = cli("import", str(file), "--project", "other", "--json")
    assert (answer.code, answer.json["added"], answer.json["redacted"]) == (0, 3, 0)
    again = cli("export", "--project", "other")

    def by_text(found):
        return {line["content"]: {**line, "id": None} for line in found.lines}

    assert by_text(exported) == by_text(again)


def test_what_is_known_is_a_duplicate(cli):
    cli("import", "-", stdin=jsonl(FULL))
    answer = cli("import", "-", "--json", stdin=jsonl(FULL))
    assert (answer.code, answer.json["added"], answer.json["duplicates"]) == (0, 0, 1)


def test_lines_that_cannot_be_used_are_named_by_their_number(cli):
    lines = "oops\n\n" + jsonl({"title": "no content"}, FULL, {**FULL, "importance": 7, "key": 2})
    answer = cli("import", "-", "--json", stdin=lines)
    assert answer.code == 1
    assert answer.json["added"] == 1
    assert [each["line"] for each in answer.json["refused"]] == [1, 3, 5]
    plain = cli("import", "-", stdin=lines)
    assert "line 1:" in plain.err
    assert "line 3:" in plain.err


CAFE = '{"content": "Café at pier 1"}'
LISTED = f"[\n  {CAFE},\n  5,\n  {CAFE.replace('1', '2')}\n]"
RULES = "# Rules\n\n- Café tables stay on pier 1\n"
FORMS = [
    ("list.json", LISTED.encode(), 2, "line 2: not a JSON object"),
    ("wide.json", LISTED.encode("utf-16"), 2, "line 2: not a JSON object"),
    ("wide.jsonl", CAFE.encode("utf-16"), 1, ""),
    ("marked.jsonl", CAFE.encode("utf-8-sig"), 1, ""),
    ("listed", LISTED.encode(), 2, "line 2: not a JSON object"),
    ("wide", CAFE.encode("utf-16-be").join((b"\xfe\xff", b"")), 1, ""),
    ("log.txt", b"[pier] Tables stay on pier 1\n", 1, ""),
    ("latin.jsonl", CAFE.encode("latin-1"), 0, "line 1: the line is not UTF-8"),
    ("cut.json", LISTED[:-1].encode(), 0, "the list is not JSON"),
    ("other.json", b'{"results": [\n{"memory": "x"}\n]}', 0, "or a list of objects"),
    ("table.csv", b"content,type\nTables stay on pier 1,semantic\n", 0, "Tables are not read"),
    ("wide.md", RULES.encode("utf-16"), 1, ""),
    ("latin.md", RULES.encode("latin-1"), 0, "is not UTF-8"),
    ("page.md", f"{RULES}\n_semantic · confirmed · 2026-03-01 · a b.py_\n".encode(), 1, ""),
    ("many.md", "".join(f"- Table {n} is on pier {n}\n" for n in range(201)).encode(), 200, "At m"),
]
"""A file's name, what it holds, how many memories come of it, and what is said of the rest."""


@pytest.mark.slow
def test_a_file_comes_in_as_it_was_meant_or_the_reason_is_said(cli, tmp_path, subtests):
    for name, held, count, said in FORMS:
        with subtests.test(name=name):
            (tmp_path / name).write_bytes(held)
            answer = cli("import", str(tmp_path / name), "--project", name)
            texts = [line["content"] for line in cli("list", "--json", "--project", name).lines]
            assert len(texts) == count
            assert said in answer.err
            assert not [text for text in texts if "\ufffd" in text or "confirmed" in text]


def test_a_pipe_is_read_once_and_whole(cli):
    reading, writing = os.pipe()
    with open(writing, "wb") as pipe:
        pipe.write(jsonl(FULL, {"content": "Tables stay on pier 1"}).encode())
    answer = cli("import", f"/dev/fd/{reading}", "--json")
    os.close(reading)
    assert (answer.code, answer.json["added"]) == (0, 2)


def test_import_takes_secrets_out(cli, home):
    given = jsonl({"content": f"The token is {SECRET} until May"})
    answer = cli("import", "-", stdin=given)
    assert answer.code == 0
    assert "Secrets were taken out of 1 memory" in answer.err
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


def test_import_of_a_missing_file_or_an_unknown_form_is_a_usage_error(cli, tmp_path):
    missing = cli("import", str(tmp_path / "none.jsonl"))
    assert missing.code == 2
    assert "none.jsonl" in missing.err
    assert cli("import", "-", "--from", "stone-tablets").code == 2
    assert cli("import", str(tmp_path)).code == 2


def test_export_takes_a_query(cli):
    cli("import", "-", stdin=jsonl(FULL, {"content": "Another fact of no kind"}))
    assert [line["key"] for line in cli("export", "tag:queue").lines] == ["K-1"]
    assert len(cli("export", "--json", "--format", "csv").lines) == 2


def test_export_as_markdown_is_a_page_to_read(cli):
    cli("import", "-", stdin=jsonl(FULL))
    page = cli("export", "--format", "markdown").out
    assert "## Pattern" in page
    assert "### How workers stop" in page
    assert FULL["content"] in page
    assert "worker.py" in page


def test_export_as_csv_is_a_table_that_disarms_formulas(cli):
    cli("import", "-", stdin=jsonl(FULL, {"content": '=HYPERLINK("http://x";"y"), quoted\nline'}))
    rows = list(csv.DictReader(io.StringIO(cli("export", "--format", "csv").out)))
    formula, plain = sorted((row["content"] for row in rows), key=lambda text: text[0])
    assert plain == FULL["content"]
    assert formula.startswith("'=HYPERLINK")
    assert formula.endswith("quoted\nline")


def test_exporting_nothing_prints_nothing(cli):
    answer = cli("export")
    assert (answer.code, answer.out) == (0, "")


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
    assert "`memdeck undo` takes it back" in answer.err
    assert "Secrets were taken out of 1 memory" in answer.err
    kept = {each["content"] for each in cli("list", "tag:instructions", "--json").lines}
    assert {"Code style: Type hints everywhere", "Never commit straight to the main branch"} < kept
    again = cli("import", claude_md, "--json")
    assert (again.json["added"], again.json["duplicates"], again.json["ids"]) == (0, 3, [])
    cli("undo")
    assert cli("list", "--json").lines == []


def test_a_dry_run_shows_what_would_come_in_and_changes_nothing(cli, claude_md):
    cli("remember", "Code style: Type hints everywhere")
    answer = cli("import", claude_md, "--dry-run")
    assert answer.code == 0
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


@pytest.mark.parametrize("name", ["AGENTS.md", "rules.markdown", "house.mdc", "notes"])
def test_the_form_is_told_by_the_name_or_the_look(cli, claude_md, name):
    Path(name).write_text(INSTRUCTIONS)
    assert cli("import", name, "--json").json["added"] == 3


@pytest.mark.parametrize("name", ["team.jsonl", "team.json", "team"])
def test_json_lines_are_told_by_the_name_or_the_look(cli, home, name):
    Path(name).write_text("\ufeff" + jsonl(FULL), encoding="utf-8")
    assert cli("import", name, "--json").json["added"] == 1


def test_a_form_that_is_named_holds(cli, claude_md):
    Path("odd.jsonl").write_text(INSTRUCTIONS)
    assert cli("import", "odd.jsonl", "--from", "instructions", "--json").json["added"] == 3
    assert cli("import", claude_md, "--from", "jsonl").code == 1


def test_instructions_may_hold_for_every_project(cli, claude_md):
    cli("import", claude_md, "--scope", "global", "--yes")
    assert len(cli("list", "--project", "other", "--json").lines) == 3


def test_what_import_cannot_do_it_says(cli, claude_md, tmp_path):
    assert cli("import", "-", "--from", "instructions", stdin="- x").code == 2
    assert cli("import", "-", "--dry-run", stdin=jsonl(FULL)).code == 2
    assert cli("import", "-", "--scope", "global", stdin=jsonl(FULL)).code == 2
    assert cli("import", "missing.md").code == 1
    Path("empty.md").write_text("# Nothing yet\n")
    assert "No instructions were found" in cli("import", "empty.md").err


@pytest.mark.parametrize("name", ["tags", "files"])
def test_what_should_be_a_list_is_refused_in_the_words_of_a_file(cli, name):
    line = jsonl({"content": "Queue workers stop with SIGTERM", name: "one, two"})
    answer = cli("import", "-", "--from", "jsonl", "--json", stdin=line)
    assert answer.code == 1
    [refused] = answer.json["refused"]
    assert refused["error"] == f"{name}: input should be a list of texts."


@pytest.mark.parametrize("what", ["its folder was renamed", "its remote has another url"])
def test_where_a_folder_has_nothing_what_it_may_have_been_is_named_with_the_way_here(
    cli, tmp_path, monkeypatch, what
):
    boats, config = tmp_path / "boats", '[remote "origin"]\n\turl = git@example.org:'
    (boats / ".git").mkdir(parents=True)
    monkeypatch.chdir(boats)
    if what == "its folder was renamed":
        cli("remember", "Boats are moored at pier C", "--pin")
        boats.rename(tmp_path / "ships")
        monkeypatch.chdir(tmp_path / "ships")
        why = ", which is gone"
    else:
        (boats / ".git" / "config").write_text(f"{config}acme/boats\n")
        cli("remember", "Boats are moored at pier C", "--pin")
        (boats / ".git" / "config").write_text(f"{config}fleet/boats\n")
        why = ", from example.org/acme/boats"
    told = cli("list").err
    assert f"1 memory of boats in {boats}{why}" in told
    [way] = [line.strip() for line in told.splitlines() if "memdeck export" in line]
    out, into = (half.split()[1:] for half in way.split("|"))
    assert cli(*into, stdin=cli(*out).out).code == 0
    [memory] = cli("list", "--json").lines
    assert (memory["content"], memory["status"]) == ("Boats are moored at pier C", "pinned")


@pytest.mark.parametrize("what", ["a folder that is there", "an agent"])
def test_no_other_project_is_named_to(cli, tmp_path, monkeypatch, what):
    for name in ("boats", "ships"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "boats")
    cli("remember", "Boats are moored at pier C")
    monkeypatch.chdir(tmp_path / "ships")
    if what == "an agent":
        (tmp_path / "boats").rmdir()
        monkeypatch.setenv("CLAUDECODE", "1")
    assert "has no memories yet" in cli("list").err
    assert "boats" not in cli("list").err
