"""remember --batch: a line in, a line out, durable before it is printed."""

import json
import os
import pty
import subprocess
import sys

import pytest

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def lines_of(*objects: dict[str, object]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def listed(cli, query=""):
    words = ["list", "--json", *([query] if query else [])]
    return {line["id"]: line for line in cli(*words).lines}


def test_each_line_is_remembered_and_answered_in_order(cli):
    answer = cli(
        *("remember", "--batch", "-"),
        stdin=lines_of(
            {"text": "Staging lives on host db-7", "tags": ["infra"], "importance": 8},
            {"content": "Retry budget is three attempts", "importance": 0.25, "key": "K-2"},
            {"content": "Pay the invoice", "due": "2030-01-01", "pin": True, "type": "prospective"},
        ),
    )
    assert answer.code == 0
    assert [line["ok"] for line in answer.lines] == [True, True, True]
    assert [line["line"] for line in answer.lines] == [1, 2, 3]
    stored = [listed(cli)[line["id"]] for line in answer.lines]
    assert stored[0]["tags"] == ["infra"]
    assert stored[0]["importance_10"] == 8
    assert (stored[1]["importance"], stored[1]["key"]) == (0.25, "K-2")
    assert (stored[2]["status"], stored[2]["type"]) == ("pinned", "prospective")
    assert "3 memories remembered" in answer.err


def test_lines_that_cannot_be_used_are_named_and_the_rest_goes_on(cli):
    bad = (
        b"nonsense\n"
        b"[1, 2]\n"
        b"\xff\xfe\n"
        b'{"tags": ["x"]}\n'
        b'{"content": ""}\n'
        b'{"content": 7}\n'
        b'{"content": "A fact about the harbour", "type": "dreamt"}\n'
        b'{"content": "A fact about the harbour", "importance": 11}\n'
        b'{"content": "A fact about the harbour", "tags": [1]}\n'
        b'{"content": "A fact about the harbour", "pin": "yes"}\n'
        b'{"content": "A fact about the harbour", "due": "someday"}\n'
    )
    long = json.dumps({"content": "x" * 4_001}).encode() + b"\n"
    answer = cli("remember", "--batch", "-", stdin=bad + long + b'{"text": "The last one stays"}\n')

    assert answer.code == 1
    assert [line["ok"] for line in answer.lines] == [False] * 12 + [True]
    assert [line["line"] for line in answer.lines] == list(range(1, 14))
    assert all(line["error"] for line in answer.lines[:-1])
    assert "`type`" in answer.lines[6]["error"]
    assert [line["content"] for line in listed(cli).values()] == ["The last one stays"]
    assert "12 lines refused" in answer.err


def test_a_line_of_a_million_bytes_is_refused_and_the_next_is_read(cli):
    huge = b'{"content": "' + b"x" * 3_000_000 + b'"}\n'
    answer = cli("remember", "--batch", "-", stdin=huge + b'{"text": "Still listening here"}\n')
    assert [line["ok"] for line in answer.lines] == [False, True]
    assert "longer than" in answer.lines[0]["error"]


def test_empty_lines_and_the_mark_of_an_editor_are_passed_over(cli):
    answer = cli(
        "remember", "--batch", "-", stdin=b'\xef\xbb\xbf{"text": "First of all"}\r\n\n  \n'
    )
    assert answer.code == 0
    assert [line["ok"] for line in answer.lines] == [True]


def test_an_empty_batch_is_done(cli):
    answer = cli("remember", "--batch", "-", stdin="")
    assert (answer.code, answer.out) == (0, "")


def test_lines_of_the_import_format_keep_their_own_fields(cli):
    line = {
        "content": "The harbour office closes at six",
        "confidence": 0.5,
        "status": "candidate",
        "session": "s-9",
        "agent": "codex",
        "created_at": "2025-03-01T10:00:00Z",
        "key": "K-9",
    }
    without_key = {"content": "The harbour opens at seven", "agent": "codex"}
    answer = cli("remember", "--batch", "-", stdin=lines_of(line, without_key, without_key))

    assert answer.code == 0
    assert [each["outcome"] for each in answer.lines] == ["stored", "stored", "duplicate"]
    stored = listed(cli)
    first, second = (stored[each["id"]] for each in answer.lines[:2])
    assert {name: first[name] for name in line} == line
    assert second["content"] == "The harbour opens at seven"


def test_the_same_text_again_is_a_duplicate_not_a_failure(cli):
    line = {"text": "Staging lives on host db-7"}
    answer = cli("remember", "--batch", "-", stdin=lines_of(line, line))
    assert answer.code == 0
    assert [each["outcome"] for each in answer.lines] == ["stored", "duplicate"]
    assert answer.lines[0]["id"] == answer.lines[1]["id"]


def test_options_hold_for_every_line_that_says_nothing_else(cli):
    batch = lines_of({"text": "The first fact"}, {"text": "The second fact", "tags": ["own"]})
    cli("remember", "--batch", "-", "--tag", "imported", "--importance", "10", stdin=batch)
    assert sorted(line["tags"] for line in listed(cli).values()) == [["imported"], ["own"]]
    assert {line["importance"] for line in listed(cli).values()} == {1.0}


def test_secrets_are_taken_out_of_a_batch(cli, home):
    answer = cli("remember", "--batch", "-", stdin=lines_of({"text": f"Use {SECRET} to deploy"}))
    assert answer.json["removed"] == ["github-token"]
    assert SECRET not in answer.out + answer.err
    for path in home.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_a_file_is_read_as_a_pipe_is(cli, tmp_path):
    batch = tmp_path / "batch.jsonl"
    batch.write_text(lines_of({"text": "From a file this time"}))
    assert cli("remember", "--batch", str(batch)).json["ok"] is True


def test_a_batch_brings_its_own_texts(cli):
    assert cli("remember", "text", "--batch", "-").code == 2
    assert cli("remember", "--batch", "/nowhere/at-all").code == 2


@pytest.mark.slow
def test_a_result_is_printed_as_soon_as_the_line_is_durable(home):
    """The writer waits for each answer before the next line: nothing is held back."""
    with subprocess.Popen(
        [sys.executable, "-m", "memdeck", "remember", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as memdeck:
        assert memdeck.stdin is not None
        assert memdeck.stdout is not None
        for number in range(3):
            memdeck.stdin.write(json.dumps({"text": f"Fact number {number} of the day"}) + "\n")
            memdeck.stdin.flush()
            result = json.loads(memdeck.stdout.readline())
            assert (result["ok"], result["line"]) == (True, number + 1)
            journal = b"".join(path.read_bytes() for path in (home / "journal").iterdir())
            assert f"Fact number {number}".encode() in journal
        memdeck.stdin.close()
        assert memdeck.wait(120) == 0


@pytest.mark.slow
def test_a_batch_ends_when_nobody_reads_its_results(home):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "memdeck", "remember", "--batch", "-"],
        input=lines_of(*({"text": f"Fact number {n} of the day"} for n in range(50))),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["remember", "--batch", "-"], 2),
        (["search", "--batch", "-"], 2),
        (["import", "-"], 2),
        (["remember", "-"], 2),
        (["recall", "-"], 2),
    ],
)
def test_a_terminal_is_never_waited_for(home, words, code):
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "memdeck", *words],
        stdin=theirs,
        capture_output=True,
        text=True,
        timeout=300,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == code
    assert "pipe" in done.stderr
