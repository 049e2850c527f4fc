"""From the spool to the store: everything once, whatever happens in between."""

import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from memdeck import MemoryCoordinator, StoreBusy, open_memory
from memdeck.agents import drain, spool
from memdeck.agents.drain import drain_spool

pytestmark = pytest.mark.usefixtures("opened_once")

TRANSCRIPTS = Path(__file__).parent.parent / "wire" / "claude" / "transcripts"

SAID = "From now on always run `make test-db` before the integration tests, they need its data."

RULE = "Never commit to the main branch of this repository, always open a pull request instead."


@pytest.fixture
def transcript(tmp_path):
    """A session's file that a test lets grow."""
    return tmp_path / "projects" / "s1.jsonl"


@pytest.fixture
def note(home, project, transcript):
    """Put a record into the spool as a hook would."""

    def _note(kind, *, into=home, **fields):
        record = spool.new_record(kind, "claude", fields.pop("session", "s1"), project)
        into.prepare()
        spool.append(into, {**record, "transcript": str(transcript), **fields})

    return _note


@pytest.fixture
def say(transcript):
    """Let the host write lines into the transcript."""

    def _say(*lines, names="u"):
        transcript.parent.mkdir(exist_ok=True)
        number = transcript.read_bytes().count(b"\n") if transcript.exists() else 0
        with open(transcript, "ab") as file:
            for text in lines:
                number += 1
                line = {
                    "type": "user",
                    "uuid": f"{names}{number}",
                    "sessionId": "s1",
                    "timestamp": "2026-03-20T09:00:00Z",
                    "message": {"role": "user", "content": text},
                }
                file.write(json.dumps(line).encode() + b"\n")

    return _say


def contents(home, project):
    with open_memory(home, project) as memory:
        return [found.content for found in memory.list()]


def test_a_transcript_that_was_replaced_is_read_from_its_start(home, transcript, note, say):
    say(SAID, "x" * 500)
    note("turn_ended")
    drain_spool(home)
    transcript.unlink()
    say(RULE, names="v")
    note("turn_ended")
    assert drain_spool(home).stored == 1


def test_a_session_is_known_with_its_goal_and_its_end(home, project, note, say):
    say(SAID)
    note("session_started", detail="startup")
    note("turn_ended")
    note("session_ended", detail="prompt_input_exit")
    drain_spool(home)
    with open_memory(home, project) as memory:
        seen = {
            (change.field, change.after)
            for entry in memory.audit(session="s1")
            for change in memory.differences(entry.seq)
            if change.table == "session"
        }
    assert {("source", "startup"), ("end_reason", "prompt_input_exit"), ("goal", SAID)} <= seen


@pytest.mark.parametrize("name", sorted(path.name for path in TRANSCRIPTS.glob("*.jsonl")))
def test_every_recorded_transcript_is_drained_and_a_second_drain_changes_nothing(
    name, home, project, note, transcript
):
    transcript.parent.mkdir()
    transcript.write_bytes((TRANSCRIPTS / name).read_bytes())
    kind = "subagent_ended" if name.startswith("subagent") else "session_ended"
    note(kind, detail="other")
    first = drain_spool(home)
    kept = contents(home, project)
    note(kind, detail="other")
    second = drain_spool(home)

    assert (first.failed, first.retried, first.problem) == (0, 0, "")
    assert (second.stored, second.duplicates) == (0, 0)
    assert contents(home, project) == kept


def test_an_unusable_store_keeps_every_record_and_every_try(home, note, say, monkeypatch):
    say(SAID)
    note("turn_ended")
    note("turn_ended")

    monkeypatch.setattr(MemoryCoordinator, "open", Mock(side_effect=StoreBusy("Somebody writes.")))
    for _ in range(6):
        report = drain_spool(home)
        assert report.problem.startswith("Somebody writes.")
        assert (report.records, report.failed, report.retried) == (0, 0, 0)
    monkeypatch.undo()
    assert len(spool.read_spool(home)) == 2
    assert drain.failed(home) == []


def test_a_disk_that_is_full_keeps_every_record(home, note, say, monkeypatch):
    say(SAID)
    note("turn_ended")

    monkeypatch.setattr(
        drain.Claim, "settle", Mock(side_effect=OSError(28, "No space left on device"))
    )
    assert "No space" in drain_spool(home).problem
    monkeypatch.undo()
    assert drain_spool(home).records == 1
    assert not spool.has_waiting(home)


def test_torn_lines_are_counted_and_cleared_away(home):
    home.prepare()
    Path(spool.path_of(home)).write_bytes(b"\n0000 torn")
    assert drain_spool(home).torn == 1
    assert not spool.has_waiting(home)


def test_a_second_drain_leaves_the_first_alone(home, note, say):
    say(SAID)
    note("turn_ended")
    with spool.DrainLock(home):
        assert not drain_spool(home).ran
    assert len(spool.read_spool(home)) == 1
