"""The right reader for each file, and no harm from any."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.sessions.transcript import host_of_file, read_any

WIRE = Path(__file__).parent.parent / "wire"
FILES = {
    "claude": WIRE / "claude" / "transcripts" / "claude-session.jsonl",
    "codex": WIRE / "codex" / "rollout-0.169.jsonl",
    "gemini": WIRE / "gemini" / "session-resumed.jsonl",
    "opencode": WIRE / "opencode" / "export.json",
}
EVERY = sorted(
    p for p in WIRE.rglob("*") if p.parent.name in ("transcripts", *FILES) and p.is_file()
)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_a_file_shows_whose_it_is(path):
    expected = "claude" if path.parent.name == "transcripts" else path.parent.name
    assert host_of_file(str(path)) == expected


def test_a_file_of_another_host_gives_nothing(subtests):
    for host in FILES:
        with subtests.test(host=host):
            for other, path in FILES.items():
                if other != host:
                    assert read_any(str(path), host).turns == ()


@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_of_one_json_text_shows_whose_it_is(tmp_path, indent):
    file = tmp_path / "x.json"
    for value, host in (
        ({"info": {"id": "s"}, "messages": []}, "opencode"),
        ([{"info": {"id": "m"}, "parts": []}], "opencode"),
        ({"sessionId": "s", "projectHash": "0", "messages": []}, "gemini"),
        ({"a": 1}, ""),
        ([], ""),
        (7, ""),
    ):
        file.write_text(json.dumps(value, indent=indent))
        assert host_of_file(str(file)) == host


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"{",
        b"[" * 100_000,
        b'{"info":' * 50_000,
        b"\x00\xff\xfe" * 1000,
        b"not json at all\n" * 10,
        b'"text"\n7\nnull\n[]\n',
        b'{"type": "message"}\n',
        "\ufeff{}".encode(),
        b'{"n": ' + b"9" * 5000 + b"}\n",
    ],
)
def test_what_nobody_can_read_gives_nothing(tmp_path, data, subtests):
    file = tmp_path / "s"
    file.write_bytes(data)
    for host in ("", "cursor", *FILES):
        with subtests.test(host=host):
            assert read_any(str(file), host).turns == ()


def test_a_file_of_no_known_form_says_so(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("always use tabs\n")
    reading = read_any(str(file), "", 5, 1)
    assert (reading.skipped, reading.offset, reading.line_no) == ("of no known form", 5, 1)


@pytest.mark.parametrize("host", ["", *FILES])
def test_where_no_file_can_be_read_it_is_an_error(tmp_path, host):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path / "gone.jsonl", tmp_path, pipe):
        with pytest.raises(OSError, match=r".+"):
            read_any(str(path), host)


@pytest.mark.slow
@pytest.mark.parametrize("host", [*FILES, ""])
@pytest.mark.parametrize(
    "noise",
    [
        "\n" * 20_000,
        " " * 300_000 + "<",
        "<task_metadata>" * 20_000,
        "<hook_context>" * 20_000,
        "<untrusted_context>" + "</untrusted_context> " * 20_000,
        "\nOutput: \nExit Code: 1" * 20_000,
        "*** Begin Patch\n" + "*** Update File: a\n@@\n-1\n+2\n" * 5_000,
    ],
)
def test_a_text_made_to_hold_up_a_reader_does_not(tmp_path, host, noise):
    file = tmp_path / "s"
    for text in (FILES[host].read_text("utf-8") if host else "", noise):
        file.write_text(text.replace("collecting", json.dumps(noise)[1:-1]), "utf-8")
        read_any(str(file), host)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=75, deadline=None)
@given(st.sampled_from(sorted(FILES)), st.randoms(use_true_random=False), json_values)
def test_a_field_replaced_by_anything_does_no_harm(tmp_path_factory, host, rng, value):
    text = FILES[host].read_text("utf-8")
    file = tmp_path_factory.mktemp("fuzz") / "s"
    if host == "opencode":
        whole = json.loads(text)
        _replace_somewhere(whole, value, rng)
        file.write_text(json.dumps(whole))
    else:
        lines = text.splitlines()
        number = rng.randrange(len(lines))
        line = json.loads(lines[number])
        _replace_somewhere(line, value, rng)
        file.write_text("\n".join([*lines[:number], json.dumps(line), *lines[number + 1 :]]) + "\n")
    for is_subagent in (False, True):
        for turn in read_any(str(file), host, sidechains=is_subagent).turns:
            assert isinstance(turn.text, str)
            assert isinstance(turn.uuid, str)
            assert isinstance(turn.call_id, str)
            assert isinstance(turn.tool, str)
            assert all(isinstance(fact, str | bool) for fact in turn.details.values())


def _replace_somewhere(node: object, value: object, rng: random.Random) -> None:
    """Put `value` in the place of some field inside `node`."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = rng.choice(keys)
        inner = node[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
            node = inner
            continue
        node[key] = value
        return
