"""import and export: what goes out comes in again."""

import csv
import io
import json

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
    cli("import", "-", stdin=jsonl(FULL, {"content": "Tide tables: «Ebbe» at 06:12\n日本 👩‍💻"}))
    exported = cli("export", "--format", "jsonl")
    assert exported.code == 0
    file = tmp_path / "memories.jsonl"
    file.write_text(exported.out)

    answer = cli("import", str(file), "--project", "other", "--json")
    assert (answer.code, answer.json["added"]) == (0, 2)
    again = cli("export", "--project", "other")

    def by_text(found):
        return {line["content"]: {**line, "id": None, "details": None} for line in found.lines}

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


def test_import_takes_secrets_out(cli, home):
    answer = cli("import", "-", stdin=jsonl({"content": f"The token is {SECRET} until May"}))
    assert answer.code == 0
    assert "Secrets were taken out of 1 memory" in answer.err
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
