"""What a caller keeps with a memory comes back as it was given (001-08)."""

import json
import sys

import pytest
from click.testing import CliRunner

from memdeck import BadInput
from memdeck.cli.main import run

SAID = "Decided to use Redis for sessions"
KEPT = {"component": "authentication", "minutes": [12, 30], "deep": {"a": None}, "sure": True}


@pytest.fixture
def kept(core):
    return core.store(
        SAID, "episodic", dict(KEPT), {"session_id": "s1", "branch": "main"}
    ).memory_id


def free_of(memory):
    return {name: memory.metadata[name] for name in KEPT if name in memory.metadata}


@pytest.mark.parametrize("kind", ["episodic", "semantic", "prospective", "procedural", "working"])
def test_any_type_gives_metadata_and_context_back(core, kind):
    found = core.show(core.store(SAID, kind, dict(KEPT), {"branch": "main"}).memory_id)
    assert free_of(found) == KEPT
    assert found.context["branch"] == "main"


def test_it_outlives_edits_another_type_undo_and_a_rebuild(core, kept):
    core.edit(kept, content=f"{SAID}, not Memcached", type="semantic")
    edited = core.show(kept)
    assert (edited.type, free_of(edited), edited.context["branch"]) == ("semantic", KEPT, "main")
    core.edit(kept, details={"component": "sessions"})
    assert core.show(kept).metadata["component"] == "sessions"
    core.undo()
    core.rebuild()
    assert free_of(core.show(kept)) == KEPT
    assert core.verify().ok


def test_taking_the_memory_back_takes_it_along(core, kept):
    core.undo(core.history(kept)[0].seq)
    rows = core._store.connection.execute("SELECT count(*) FROM extra").fetchone()
    assert rows == (0,)
    core.redo()
    assert free_of(core.show(kept)) == KEPT


def test_an_export_carries_it_to_another_store(core, kept, open_core, tmp_path):
    with CliRunner().isolation() as (out, _, _):
        assert run(["export", "--project", "harbour"]) == 0
        sys.stdout.flush()
        [item] = map(json.loads, out.getvalue().splitlines())
    assert {name: item["details"][name] for name in KEPT} == KEPT
    with type(core).open(tmp_path / "other", "pier") as other:
        [there] = other.import_memories([item]).ids
        assert free_of(other.show(there)) == KEPT


def test_secrets_leave_it_before_it_is_written(core, home_path):
    secret = "AKIAIOSFODNN7EXAMPLE"
    memory = core.store(SAID, "semantic", {"notes": {"key": [secret]}}, {"token": secret}).memory_id
    assert secret not in json.dumps(dict(core.show(memory).details))
    for file in home_path.rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()


def test_what_json_cannot_hold_is_refused(core, subtests):
    rows = [{"when": object()}, {"deep": float("nan")}, {1: "a"}]
    for wrong in rows:
        with subtests.test(wrong=wrong), pytest.raises(BadInput):
            core.store(SAID, "semantic", wrong)


def test_what_is_stored_on_purpose_may_be_short_and_no_shorter(core):
    assert core.store("Port is 9090", "semantic").stored
    refused = core.store("Port is 909", "semantic")
    assert (refused.stored, refused.reason.startswith("Trivial")) == (False, True)
