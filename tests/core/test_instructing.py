"""A file of instructions becomes memories, and one undo takes it back."""

import pytest

from memdeck import BadInput

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


def test_a_persons_own_file_can_hold_for_every_project(core, file, open_core):
    core.import_instructions(file, scope="global")
    other = open_core("lighthouse")
    assert {memory.scope for memory in other.list()} == {"global"}
    assert other.import_instructions(file).added == 0
    with pytest.raises(BadInput):
        core.import_instructions(file, scope="everywhere")
