"""What an instruction file says, as texts that stand alone."""

import json
import re
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "instruction_files"
IMPORTS = {
    "person": ["@~/.claude/more.md"],
    "persona": ["@docs/style.md", "@docs/glossary.md"],
}  # are not there
NAMES = sorted(path.stem for path in FILES.glob("*.md"))


@pytest.fixture
def entries_in(core, tmp_path):
    """What would be kept of a file with this text."""
    file = tmp_path / "CLAUDE.md"

    def entries(text):
        file.write_text(text, encoding="utf-8")
        return [one.text for one in core.instructions_in(file) if not one.refused]

    return entries


@pytest.mark.parametrize("name", NAMES)
def test_a_file_as_people_write_it_gives_what_a_reader_would_note_down(core, name):
    expected = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    found = core.instructions_in(FILES / f"{name}.md")
    assert [one.text for one in found if not one.refused] == expected
    imports = [one.text for one in found if one.refused and one.text.startswith("@")]
    assert imports == IMPORTS.get(name, [])


LONG = {name: "".join(f"{4 * word}{n}{stop}" for n in range(190)) for name, word, stop in (
    ("zh", "把构建产物复制到存储桶", "。"), ("hi", "हमेशा परीक्षण चलाएँ ", "। "),
    ("ja", "モジュールは必ずテストする", "。"), ("en", "Always copy the bundle to bucket ", ". "),
)}  # fmt: skip
SHAPES = [
    ("- Never edit gen/\n\n```bash\nmake gen\n```", ["Never edit gen/"]),
    ("- Regenerate it with:\n  ```bash\n  make gen\n  ```", ["Regenerate it with: `make gen`"]),
    (
        "* Do not touch `legacy/`\n    * unless the ticket says so",
        ["Do not touch `legacy/` – unless the ticket says so"],
    ),
    (
        "- Deploy from main only\n  - except hotfixes, from release/*.\n- Never force-push to it",
        ["Deploy from main only – except hotfixes, from release/*.", "Never force-push to it"],
    ),
    (
        "- Fasse `alt/` nicht an\n  - außer das Ticket sagt es",
        ["Fasse `alt/` nicht an – außer das Ticket sagt es"],
    ),
    ("API gateway\n: Runs on 9443.\n: Behind nginx.", ["API gateway: Runs on 9443. Behind nginx."]),
    ("- __init__.py stays empty", ["__init__.py stays empty"]),
    ("| Command | Does |\n|---|---|\n| `make x` | builds it |", ["`make x` – Does: builds it"]),
]


@pytest.mark.parametrize(("text", "expected"), SHAPES)
def test_code_exceptions_and_tables_stay_with_what_they_belong_to(entries_in, text, expected):
    assert entries_in(f"# Rules\n\n{text}\n") == expected


@pytest.mark.parametrize("name", LONG)
def test_a_long_paragraph_is_cut_at_its_sentences_and_nowhere(entries_in, name):
    whole = " ".join(entries_in(LONG[name]))
    assert all(whole.count(part.strip()) for part in re.split("[।。.] ?", LONG[name]))
    assert "…" not in whole


def test_imports_are_followed_or_named_and_rules_of_files_name_them(core, tmp_path):
    texts = {
        "CLAUDE.md": "@AGENTS.md\n@missing.md\n@tool.py\n@../other.md\n"
        "```\n@code.md\n```\n- @a/b.md\n",
        "AGENTS.md": "---\npaths:\n  - src/**/*.ts\n  - web/app.ts\n---\n- Always run make lint\n",
        "a/b.md": "---\nglobs: '*.sql, db/*'\n---\nKeep migrations small.\n\n@../CLAUDE.md\n",
        "tool.py": "print('Never mind')\n",
    }
    (tmp_path / "a").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    report = core.import_instructions(tmp_path / "CLAUDE.md")
    assert [name for name, _ in report.refused] == ["@missing.md", "@tool.py", "@../other.md"]
    assert {(one.content, one.files) for one in map(core.resolve, report.ids)} == {
        ("Always run make lint", ("src/**/*.ts", "web/app.ts")),
        ("Keep migrations small.", ("*.sql", "db/*")),
    }


def test_parts_that_are_no_rules_are_named_with_the_reason_and_paths_in_sentences_followed(
    core, tmp_path
):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "style.md").write_text("- Two spaces in YAML files.")
    (tmp_path / "CLAUDE.md").write_text(
        "# Rules\n\n- Tabs.\n- [x] Migrate to pnpm\n- [ ] Remove the old feed\n"
        "- Why is main red?\n- The style is in @docs/style.md and `@docs/code.md`\n"
    )
    report = core.import_instructions(tmp_path / "CLAUDE.md")
    assert [text for text, _ in report.skipped] == ["Migrate to pnpm", "Tabs.", "Why is main red?"]
    assert len({why for _, why in report.skipped}) == 3
    kept = [core.resolve(identifier).content for identifier in report.ids]
    assert {"Remove the old feed", "Two spaces in YAML files."} <= set(kept)
    assert len(kept) == 3


@pytest.mark.parametrize("host", ["claude", "gemini", "opencode"])
def test_what_memdeck_injected_is_passed_over(core, entries_in, host):
    core.remember("The retry budget is three attempts for each request.")
    told = core.recall("What is the retry budget of a request?", host=host).text
    assert "three attempts" in told
    before, after = "Always run the linter first.", "Never push to the main branch."
    assert entries_in(f"{before}\n\n{told}\n\n{after}\n") == [before, after]
