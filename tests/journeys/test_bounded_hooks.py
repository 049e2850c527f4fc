"""Whatever the host sends, a hook ends soon, well and without a word."""

import json
import os
import subprocess
import sys

import pytest

from memdeck.agents import drain

EVENTS = ("UserPromptSubmit", "Stop")
SOON_S = 120  # far above what it takes, far below for ever
DEEP = 100_000


def a_payload(cwd, event, **fields):
    about = {"session_id": "s1", "cwd": str(cwd), "hook_event_name": event, "prompt": "staging?"}
    return json.dumps({**about, **fields}).encode()


def test_fifty_megabytes_are_not_read(hook, repo, no_drain):
    data = a_payload(repo, "UserPromptSubmit", prompt="x" * 50_000_000)
    with no_drain():
        assert hook("UserPromptSubmit", data) == ""


@pytest.mark.parametrize("event", EVENTS)
def test_a_depth_bomb_goes_off_in_silence(event, hook, repo, no_drain):
    whole = a_payload(repo, event, tool_input="HERE")
    bombs = (
        whole.replace(b'"HERE"', b"[" * DEEP + b"]" * DEEP),
        whole.replace(b'"HERE"', b'{"a":' * DEEP + b"1" + b"}" * DEEP),
        b"[" * DEEP,
    )
    with no_drain():
        for data in bombs:
            assert hook(event, data) == ""


@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "half"])
def test_a_pipe_that_is_never_closed_ends_the_wait(is_complete, repo, cli, no_drain):
    cli.remember("Staging lives on host db-7 behind the jump host, it is reached through the VPN.")
    data = a_payload(repo, "UserPromptSubmit", prompt="where does staging live?")
    read, write = os.pipe()
    try:
        os.write(write, data if is_complete else data[:-9])
        with no_drain():
            done = subprocess.run(
                [sys.executable, "-m", "memdeck.agents.main", "claude", "UserPromptSubmit"],
                stdin=read,
                capture_output=True,
                timeout=SOON_S,
                check=False,
            )
    finally:
        os.close(read)
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"db-7" in done.stdout) is is_complete


def test_a_transcript_full_of_traps_is_read_to_its_end(start, repo, cli, home, known, no_drain):
    session = start("s1", repo)
    session.says("From now on always use port 5433 for the test database, never 5432.")
    session.write_bytes(b"[" * DEEP + b"\n")
    session.write_bytes(b'{"type":"user","message":' * DEEP + b"\n")
    session.write_bytes(b'{"type":"user","message":{"content":"' + b"x" * 20_000_000 + b'"}}\n')
    session.write_bytes(bytes(range(256)) * 100 + b"\n")
    session.write_bytes(b'{"type": "user", "message": {"content": 7}, "uuid": []}\n')
    session.says("always and never " * 200_000)
    session.says("Never commit to the main branch of this repository, open a pull request instead.")
    with no_drain():
        session.stop()
        session.end()
    assert cli("drain").code == 0
    assert drain.failed(home) == []
    texts = [one.content for one in known()]
    assert any("port 5433" in text for text in texts)
    assert any("Never commit to the main" in text for text in texts)
    assert max(map(len, texts)) <= 500


def test_an_answer_is_bounded_too(start, repo, cli):
    """A hundred long memories that all fit the question: the host's limit holds."""
    texts = [
        json.dumps({"content": f"Staging berth {number}: " + "the keeper waits at the mole. " * 40})
        for number in range(100)
    ]
    assert cli("import", "-", "--from", "jsonl", stdin="\n".join(texts)).code == 0
    told = start("s1", repo).ask("who waits at the mole of the staging berth? " * 3_000)
    assert 500 < len(told.encode()) <= 9_900
    assert told.rstrip().endswith("</project_memory>")
