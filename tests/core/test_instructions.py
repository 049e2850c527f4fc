"""What an instruction file says, as texts that stand alone."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import BadInput, NotFound
from memdeck.agents.desk import Desk

FILES = Path(__file__).parent / "instruction_files"
NAMES = sorted(path.stem for path in FILES.glob("*.md"))

PIECES = st.sampled_from(
    [
        "# Title",
        "## Testing",
        "- Use tabs",
        "  - but not in YAML",
        "1. Bump the version",
        "2) push `it`",
        "```sh",
        "```",
        "make test  # all of it",
        "| a | b |",
        "|---|---|",
        "Run these commands:",
        "It must stay so. Never ask why?",
        "@docs/more.md",
        "<private>",
        "</private>",
        "---",
        "word " * 150,
        "x" * 1200,
        "",
        "> quoted **bold** _text_",
    ]
)


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


def test_the_gallery_has_five_files():
    assert NAMES == ["messy", "monorepo", "person", "persona", "service"]


PIECES_OF_MARKDOWN = [
    ("## Style\n- Use tabs", ["Style: Use tabs"]),
    ("## Style\n- Never commit straight to the main branch", None),
    ("# CLAUDE.md\n## Rules\n- Use tabs", ["Use tabs"]),
    ("Run tests:\n```\nmake test\n```", ["Run tests: `make test`"]),
    ("Run tests: `make test`", ["Run tests: `make test`"]),
    ("- Run tests:\n  ```\n  make test\n  ```", ["Run tests: `make test`"]),
    ("```sh\n# Lint it all\nruff check .\n```", ["Lint it all: `ruff check .`"]),
    ("```sh\nmake up  # starts postgres\n```", ["Starts postgres: `make up`"]),
    ("## Build\n```\nmake a\nmake b\n```", ["Build: `make a`, `make b`"]),
    ("When testing:\n- mock the clock", ["When testing: mock the clock"]),
    ("## Git\nFollow these rules:\n- small commits", ["Git: small commits"]),
    ("- Tests:\n  - use pytest\n  - no mocks", ["Tests: use pytest", "Tests: no mocks"]),
    ("To release:\n1. tag it\n2. push it", ["To release: 1) tag it; 2) push it"]),
    ("## Rules\n1. Never push.\n2. Be kind.", ["Never push.", "Be kind."]),
    ("| Path | Use |\n|--|--|\n| src | code |", ["src – code"]),
    ("Use uv. It is fast enough.", ["Use uv. It is fast enough."]),
    ("See [the guide](docs/a.md) first.", ["See the guide (docs/a.md) first."]),
    ("Read @docs/git.md before you commit.", ["Read docs/git.md before you commit."]),
    ("Keep `@scope/pkg.js` and `**kw**` as **they** are.", None),
    ("- [x] Move to uv for good\n  and say so\n- [ ] Lint the docs, too", ["Lint the docs, too"]),
    ("Which editor do you use?", []),
    ("@docs/git.md\n\n- @docs/more.md", []),
    ("- [Setup](#setup)\n- [Running the tests](#tests)", []),
    ("<!-- Never show this to anybody. -->", []),
    ("word", []),
    ("", []),
    ("\ufeff- Use tabs in Makefiles only", ["Use tabs in Makefiles only"]),
]


def test_one_piece_of_markdown(entries_in, subtests):
    for text, wanted in PIECES_OF_MARKDOWN:
        with subtests.test(text=text):
            if wanted is None:
                wanted = [text.rpartition("\n")[2].removeprefix("- ").replace("**they**", "they")]
            assert entries_in(text) == wanted


@pytest.mark.parametrize("host", ["claude", "gemini", "opencode"])
def test_what_memdeck_injected_is_passed_over(core, entries_in, host):
    core.remember("The retry budget is three attempts for each request.")
    told = core.recall("What is the retry budget of a request?", host=host).text
    assert "three attempts" in told
    before, after = "Always run the linter first.", "Never push to the main branch."
    assert entries_in(f"{before}\n\n{told}\n\n{after}\n") == [before, after]


def test_a_long_statement_is_cut_at_its_sentences_and_keeps_its_context(entries_in):
    sentence = "The harbour master wants every berth to be named in full in each report."
    found = entries_in(f"## Naming\n- It is so: {' '.join([sentence] * 12)}")
    assert len(found) > 1
    assert all(len(entry) <= 500 for entry in found)
    assert all(entry.startswith("Naming: ") for entry in found)


def test_long_code_is_left_out_and_short_code_stays_as_it_is(entries_in):
    code = "\n".join(f"const a{n} = {n};" for n in range(9))
    assert entries_in(f"Write it like in here:\n```ts\n{code}\n```") == []
    short = "if (a) {\n  b();\n}"
    [entry] = entries_in(f"Braces stay on the line:\n```ts\n{short}\n```")
    assert entry == f"Braces stay on the line:\n{short}"


@pytest.mark.parametrize(("written", "kept"), [(200, 200), (201, 200)])
def test_at_most_200_entries(entries_in, written, kept):
    rules = "\n".join(f"- Rule {n} is about thing {n}" for n in range(written))
    assert len(entries_in(rules)) == kept


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=25).map("\n".join)))
def test_an_entry_is_never_empty_never_too_long_and_never_there_twice(entries_in, text):
    found = entries_in(text)
    assert all(entry.strip() == entry and 0 < len(entry) <= 500 for entry in found)
    assert len({" ".join(entry.lower().split()) for entry in found}) == len(found) <= 200


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


def test_a_file_that_cannot_be_read_says_why(core, tmp_path):
    file = tmp_path / "CLAUDE.md"
    with pytest.raises(NotFound, match=r"no file .*CLAUDE\.md") as caught:
        core.instructions_in(file)
    assert caught.value.hint == "Check its name and folder."  # and none about memories
    file.write_bytes(b"x" * 512_000)
    core.instructions_in(file)
    file.write_bytes(b"x" * 512_001)
    with pytest.raises(BadInput, match="larger than 512 kB"):
        core.instructions_in(file)
    file.write_bytes(b"\x7fELF\0\0")
    with pytest.raises(BadInput, match="not a text"):
        core.instructions_in(file)
    with pytest.raises(BadInput, match="no file"):
        core.instructions_in(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="no file"):
        core.instructions_in(tmp_path / "pipe")
