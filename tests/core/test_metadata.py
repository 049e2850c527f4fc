"""What a caller keeps with a memory comes back as it was given."""

import json

SAID = "Decided to use Redis for sessions"
KEPT = {"component": "authentication", "minutes": [12, 30], "deep": {"a": None}, "sure": True}


def free_of(memory):
    return {name: memory.metadata[name] for name in KEPT if name in memory.metadata}


def test_it_outlives_edits_another_type_undo_and_a_rebuild(core):
    kept = core.store(
        SAID, "episodic", dict(KEPT), {"session_id": "s1", "branch": "main"}
    ).memory_id
    core.edit(kept, content=f"{SAID}, not Memcached", type="semantic")
    edited = core.show(kept)
    assert (edited.type, free_of(edited), edited.context["branch"]) == ("semantic", KEPT, "main")
    core.edit(kept, details={"component": "sessions"})
    assert core.show(kept).metadata["component"] == "sessions"
    core.undo()
    core.rebuild()
    assert free_of(core.show(kept)) == KEPT
    assert core.verify().ok


def test_secrets_leave_it_before_it_is_written(core, home_path):
    secret = "AKIAIOSFODNN7EXAMPLE"
    memory = core.store(SAID, "semantic", {"notes": {"key": [secret]}}, {"token": secret}).memory_id
    assert secret not in json.dumps(dict(core.show(memory).details))
    for file in home_path.rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()
