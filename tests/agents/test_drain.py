"""From the spool to the store: everything once, whatever happens in between."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdeck import MemoryCoordinator, StoreBusy, open_memory
from memdeck.agents import drain, spool
from memdeck.agents.drain import drain_spool

pytestmark = pytest.mark.usefixtures("opened_once")

TRANSCRIPTS = Path(__file__).parent.parent / "wire" / "claude" / "transcripts"

SAID = "From now on always run `make test-db` before the integration tests, they need its data."

RULE = "Never commit to the main branch of this repository, always open a pull request instead."


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "acme-api"
    folder.mkdir()
    return str(folder)


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


def test_what_a_person_said_becomes_a_candidate_with_its_origin(home, project, note, say):
    say(SAID)
    note("turn_ended")
    report = drain_spool(home)

    assert (report.records, report.stored, report.problem) == (1, 1, "")
    with open_memory(home, project) as memory:
        [found] = memory.list()
    assert "make test-db" in found.content
    assert (found.status, found.origin.session, found.origin.agent) == ("candidate", "s1", "claude")
    assert found.origin.line == 1


def test_draining_twice_finds_nothing_new(home, project, note, say):
    say(SAID)
    note("turn_ended")
    drain_spool(home)
    once = contents(home, project)
    note("turn_ended")
    note("session_ended", detail="other")
    report = drain_spool(home)
    assert report.records == 2
    assert (report.stored, report.duplicates) == (0, 0)
    assert contents(home, project) == once


def test_a_transcript_is_read_on_from_where_it_was(home, project, note, say):
    say(SAID)
    note("turn_ended")
    drain_spool(home)
    say(RULE)
    note("turn_ended")
    assert drain_spool(home).stored == 1
    assert len(contents(home, project)) == 2


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


def test_no_transcript_is_read_for_todos(home, project, note, say):
    say(SAID)
    todos = {"tool": "TodoWrite", "call": "c", "open": 1, "completed": 2, "task": ""}
    note("todos", todos=todos)
    report = drain_spool(home)
    assert (report.records, report.stored) == (1, 0)
    assert contents(home, project) == []


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


def test_a_secret_in_a_transcript_is_found_nowhere_under_the_home(home, note, say, transcript):
    secret = "ghp_" + "Zx9Qw3Er7Ty1Ui5Op8As2Df6Gh4Jk0LbNm2V"
    say(f"From now on always export GITHUB_TOKEN={secret} before you run the release script.")
    note("turn_ended")
    assert drain_spool(home).records == 1
    for folder, _, files in os.walk(home.path):
        for name in files:
            assert secret.encode() not in Path(folder, name).read_bytes()


def test_a_private_passage_is_found_nowhere_under_the_home(home, note, say, transcript):
    words = "the merger with Kestrel Marine closes in May"
    say(f"Fix the tide table. <private>{words}</private> Never round the heights up, please.")
    note("turn_ended")
    assert drain_spool(home).records == 1
    for folder, _, names in os.walk(home.path):
        for name in names:
            assert b"Kestrel Marine" not in Path(folder, name).read_bytes(), name


def test_switched_off_memory_captures_nothing_and_never_catches_up(home, project, note, say):
    home.prepare()
    Path(home.config).write_text("auto_memory = false\n")
    say(SAID)
    note("turn_ended")
    assert drain_spool(home).records == 1
    Path(home.config).unlink()
    note("turn_ended")
    drain_spool(home)
    assert contents(home, project) == []


def test_an_unusable_store_keeps_every_record_and_every_try(home, note, say, monkeypatch):
    say(SAID)
    note("turn_ended")
    note("turn_ended")

    def busy(*_args, **_more):
        raise StoreBusy("Somebody writes.")

    monkeypatch.setattr(MemoryCoordinator, "open", busy)
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

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(drain.Claim, "settle", full)
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


def test_what_a_killed_drain_left_is_taken_up(home, project, note, say):
    say(SAID)
    note("turn_ended")
    drain.take_claims(home)  # and then nothing more
    assert drain_spool(home).stored == 1
    assert len(contents(home, project)) == 1


def test_two_projects_in_one_drain_stay_apart(home, project, note, say, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    say(SAID)
    note("turn_ended")
    spool.append(home, spool.new_record("session_started", "claude", "s2", str(other)))
    drain_spool(home)
    assert len(contents(home, project)) == 1
    assert contents(home, str(other)) == []


@pytest.mark.slow
def test_a_real_drain_process_does_the_work_quietly(home, project, note, say):
    say(SAID)
    note("turn_ended")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "memdeck.agents.drain", home.path],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(contents(home, project)) == 1


@pytest.mark.slow
def test_many_hooks_at_once_lose_nothing(home, project, tmp_path, payload):
    """Real hooks that start real drains, all at the same moment."""
    folder = tmp_path / "projects"
    folder.mkdir()
    hooks = []
    for number in range(6):
        path = folder / f"s{number}.jsonl"
        words = f"From now on always use port 54{number}0 for the database of service {number}."
        line = {"type": "user", "uuid": f"u{number}", "message": {"content": words}}
        path.write_text(json.dumps(line) + "\n")
        stop = {**payload("captured.Stop"), "session_id": f"s{number}", "cwd": project}
        process = subprocess.Popen(
            [sys.executable, "-m", "memdeck.agents.main", "claude", "Stop"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdin.write(json.dumps({**stop, "transcript_path": str(path)}).encode())
        hooks.append(process)
    for process in hooks:
        assert process.communicate(timeout=120) == (b"", b"")
        assert process.returncode == 0

    finish(home)
    found = contents(home, project)
    assert all(any(f"port 54{number}0" in text for text in found) for number in range(6))
    assert len(found) == 6
    assert drain.failed(home) == []
    assert not spool.has_waiting(home)


def finish(home):
    """Return when everything that waited has been worked off, by whichever drain."""
    while spool.has_waiting(home):
        with open(spool.lock_path(home), "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until no drain holds it
        drain_spool(home)


def test_what_was_said_in_one_session_is_told_in_the_next(
    home, project, say, transcript, run_hook, payload
):
    say(SAID)
    stop = {**payload("captured.Stop"), "cwd": project, "transcript_path": str(transcript)}
    assert run_hook("Stop", json.dumps(stop).encode()).stdout == b""
    finish(home)

    prompt = {**payload("UserPromptSubmit"), "cwd": project, "session_id": "s2"}
    prompt["prompt"] = "run the integration tests"
    done = run_hook("UserPromptSubmit", json.dumps(prompt).encode())
    reply = json.loads(done.stdout)["hookSpecificOutput"]
    assert "make test-db" in reply["additionalContext"]
