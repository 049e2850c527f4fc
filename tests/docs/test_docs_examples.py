"""What the manual shows can be used as it stands: commands, options, a theme, a file to edit."""

import io
import json
import re
import shlex
from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES

from memdeck import open_memory
from memdeck.cli.main import run
from memdeck.tui.app import MemoryApp

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    page.name: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("reference/*.md"))
}
AGENTS, APP, STORE = PAGES["hooks.md"], PAGES["app.md"], PAGES["store.md"]
IMPORT, JSON = PAGES["import-export.md"], PAGES["json.md"]


def blocks(page, language):
    """The code blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_theme_of_the_manual_can_be_used(tmp_path):
    [text] = blocks(APP, "toml")
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "harbour.toml").write_text(text, encoding="utf-8")
    (tmp_path / "config.toml").write_text('[app]\ntheme = "harbour"\n')
    app = MemoryApp(str(tmp_path), None)
    assert (app.theme, app.problems) == ("harbour", [])
    meanings = app.get_theme_variable_defaults()
    assert text.count(" = ") == 10 + len(meanings)
    assert all(re.search(rf"^{name} = ", text, re.MULTILINE) for name in meanings)


def test_the_manual_names_the_built_in_themes(tmp_path):
    ours = MemoryApp(str(tmp_path), None).available_themes.keys() - BUILTIN_THEMES.keys()
    assert len(ours) == 4
    assert [name for name in ours if f"`{name}`" not in APP] == []


def test_the_manual_names_every_event_and_tool(tmp_path, home_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert run(["install", "claude"]) == 0
    hooks = json.loads((tmp_path / "settings.json").read_text())["hooks"]
    asked = {
        name for of in hooks.values() for one in of for name in one.get("matcher", "").split("|")
    }
    todos = {"TodoWrite", "TaskCreate", "TaskUpdate"}
    assert todos <= asked
    assert [name for name in (*hooks, *todos) if f"`{name}`" not in AGENTS] == []
    assert "9,900 bytes" in AGENTS  # as tests of long replies measure it


def test_the_manual_names_every_field_of_the_import_format_and_of_the_types(
    home_path, tmp_path, capsys
):
    from memdeck.tests.contents import contents
    from memdeck.tests.vocabulary import TYPES

    with open_memory(home_path, tmp_path) as core:
        core.remember("The import takes what the export gives.")
        tables = contents(core._store.connection).keys() - {
            "memory_tag",
            "memory_file",
            "extra",
            *TYPES,
        }
    with open_memory(home_path, "harbour") as core:
        core.import_memories({"content": f"A {kind}", "type": kind, "key": kind} for kind in TYPES)
        fields = {kind: core.show(kind).details.keys() for kind in TYPES}
    assert run(["export", "--project", str(tmp_path)]) == 0
    [given] = map(json.loads, capsys.readouterr().out.splitlines())
    for name in given.keys() - {"id"}:  # one of its own is given to what is imported
        assert re.search(rf"^\| `{name}` \|", IMPORT, re.MULTILINE), name
    for kind in TYPES:
        row = re.search(rf"^\| `{kind}` \|(.*)$", IMPORT, re.MULTILINE)
        assert row is not None
        assert [name for name in fields[kind] if f"`{name}`" not in row[1]] == []
    assert [table for table in tables if f"`{table}`" not in STORE] == []


def test_the_manual_names_every_field_of_a_journal_record(core, home_path):
    core.remember("The journal has one line for each change.")
    core.undo()
    lines = (home_path / "journal" / "000001.jsonl").read_text(encoding="utf-8").split()
    records = [json.loads(line) for line in " ".join(lines).replace("} {", "}\n{").splitlines()]
    fields = {name for record in records for name in record}
    assert [name for name in fields if not re.search(rf"^\| `{name}` \|", STORE, re.M)] == []


def test_the_manual_names_every_line_that_doctor_prints(home_path, tmp_path, capsys):
    run(["doctor", "--json", "--project", str(tmp_path)])
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    names = {finding["name"].partition(" (")[0] for finding in lines}
    assert len(names) > 8
    assert [name for name in names if f"| `{name}` |" not in AGENTS] == []


def test_the_manual_names_every_json_field_of_the_main_commands(copy_demo, tmp_path, capsys):
    store = copy_demo(tmp_path / "demo")
    place = ["--project", store.project, "--home", store.home, "--json"]

    def fields(*words):
        assert run([*words, *place]) in (0, 1)
        return json.loads(capsys.readouterr().out.splitlines()[0])

    memory, receipt = fields("list"), fields("receipts")
    session = fields("sessions", "show", fields("sessions")["id"])
    injection = fields("recall", "deposit refund", "--no-receipt")
    printed = [
        memory, receipt, session, injection, receipt["items"][0], injection["items"][0],
        fields("review"), fields("history", "5"), fields("show", memory["id"])["numbers"],
        *(fields(name) for name in ("doctor", "verify", "config", "check")),
    ]  # fmt: skip
    names = {name for value in printed for name in value}
    assert len(names) > 100
    assert [name for name in sorted(names) if f"`{name}`" not in JSON] == []


GUIDES = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]
OPENS = {"demo", "mcp", "--screen", "--query", "--project", "--id"}  # the app, or a server


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_every_command_of_the_manual_is_understood(page, home_path, tmp_path, monkeypatch, capsys):
    """It runs, or names what is not in an empty store: exit codes 0 and 1, never 2 or 3."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("EDITOR", "true")
    shell = re.findall(r"^ *```sh\n(.*?)^ *```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^ *memdeck (.+)$", "".join(shell), re.MULTILINE)
    for name in ("questions", "notes", "memories", "texts", "team", "keep", "testing"):
        (tmp_path / f"{name}.jsonl").write_text("")
    (tmp_path / "CLAUDE.md").write_text("- Never push to main.\n")
    for line in lines:
        words = shlex.split(re.split(r" [<>|] ", line)[0], comments=True)
        if words and words[0] not in OPENS and words != ["--version"]:
            piped = b"Add a migration." if "-" in words else b""
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped)))
            assert run(words) in (0, 1), (line, capsys.readouterr().err)
