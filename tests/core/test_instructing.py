"""A file of instructions becomes memories, and one undo takes it back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import BadInput, NotFound

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TEXT = f"""# CLAUDE.md
## Releasing
1. Bump the version in `pyproject.toml`
2. Run `make release`, then push the tag

## Code style
- Type hints everywhere
- The staging token is {SECRET} until the end of May.
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "CLAUDE.md"
    path.write_text(TEXT)
    return path


def test_each_instruction_is_a_confirmed_fact_or_procedure_that_names_its_file(core, file):
    report = core.import_instructions(file)
    assert (report.added, report.duplicates, report.refused) == (3, 0, ())
    steps, hints, token = (core.resolve(one) for one in report.ids)
    assert (steps.type, hints.type) == ("procedural", "semantic")
    assert steps.content.startswith("Releasing: 1) Bump the version")
    assert hints.content == "Code style: Type hints everywhere"
    for memory in (steps, hints, token):
        assert (memory.status, memory.scope, memory.tags) == (
            "confirmed",
            "project",
            ("instructions",),
        )
        assert memory.origin.ref == str(file)
    assert [hit.memory.id for hit in core.search("type hints")] == [hints.id]


def test_secrets_stay_in_the_file(core, file, home_path):
    report = core.import_instructions(file)
    assert report.redacted == 1
    assert not any(SECRET in one.text for one in core.instructions_in(file))
    for path in home_path.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_a_private_key_is_gone_before_the_text_is_cut(core, tmp_path, home_path):
    body = [f"{'A1b2C3d4E5f6G7h8' * 4}{n:04}" for n in range(20)]
    kind = "RSA PRIVATE KEY"
    key = "\n".join([f"-----BEGIN {kind}-----", *body, f"-----END {kind}-----"])
    (tmp_path / "AGENTS.md").write_text(f"The deploy key of staging is this one:\n\n{key}\n")
    core.import_instructions(tmp_path / "AGENTS.md")
    for path in home_path.rglob("*"):
        held = path.read_bytes() if path.is_file() else b""
        assert not any(line.encode() in held for line in body)


def test_importing_twice_stores_nothing_new(core, file):
    core.import_instructions(file)
    entries = len(core.audit())
    again = core.import_instructions(file)
    assert (again.added, again.duplicates, again.ids) == (0, 3, ())
    assert len(core.audit()) == entries


def test_one_undo_takes_the_file_back(core, file):
    core.remember("Something of my own that stays where it is")
    core.import_instructions(file)
    assert core.audit()[0].reason == f"instructions from {file}"
    core.undo()
    assert len(core.list()) == 1
    assert core.import_instructions(file).added == 3


def test_looking_shows_what_is_known_and_writes_nothing(core, file):
    before = len(core.audit())
    assert [one.is_known for one in core.instructions_in(file)] == [False, False, False]
    assert len(core.audit()) == before
    core.remember("Code style: Type hints everywhere")
    assert [one.is_known for one in core.instructions_in(file)] == [False, True, False]


def test_what_was_forgotten_on_purpose_stays_so_unless_it_is_picked(core, file):
    report = core.import_instructions(file)
    core.forget([report.ids[1]])
    assert [one.is_known for one in core.instructions_in(file)] == [True, True, True]
    assert core.import_instructions(file).added == 0
    picked = core.import_instructions(file, entries=["Code style: Type hints everywhere"])
    assert picked.added == 1


def test_only_the_entries_that_were_picked_are_kept(core, file):
    report = core.import_instructions(file, entries=("Type hints everywhere", "  ", "x" * 4001))
    assert report.added == 1
    assert [text for text, _ in report.refused] == ["  ", "x" * 4001]
    assert core.import_instructions(file, entries=()).added == 0


def test_a_persons_own_file_can_hold_for_every_project(core, file, open_core):
    core.import_instructions(file, scope="global")
    other = open_core("lighthouse")
    assert {memory.scope for memory in other.list()} == {"global"}
    assert other.import_instructions(file).added == 0
    with pytest.raises(BadInput):
        core.import_instructions(file, scope="everywhere")


def test_a_file_that_is_not_there_is_said_to_be(core, tmp_path):
    for act in (core.import_instructions, core.instructions_in):
        with pytest.raises(NotFound):
            act(tmp_path / "CLAUDE.md")
    (tmp_path / "CLAUDE.md").write_text("# Nothing yet\n")
    assert core.import_instructions(tmp_path / "CLAUDE.md").added == 0


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.text(
            st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"),
            min_size=1,
            max_size=60,
        ),
        max_size=8,
    )
)
def test_any_file_imported_twice_stores_nothing_new(core, tmp_path, lines):
    file = tmp_path / "GEMINI.md"
    file.write_text("\n".join(f"- {line}" for line in lines), encoding="utf-8")
    core.import_instructions(file)
    assert core.import_instructions(file).added == 0
    assert all(one.is_known for one in core.instructions_in(file))
