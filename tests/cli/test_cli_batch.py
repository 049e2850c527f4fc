"""remember --batch: a line in, a line out, durable before it is printed."""

import json

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


def test_secrets_are_taken_out_of_a_batch(cli, home):
    answer = cli("remember", "--batch", "-", stdin=lines_of({"text": f"Use {SECRET} to deploy"}))
    assert answer.json["removed"] == ["github-token"]
    assert SECRET not in answer.out + answer.err
    for path in home.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
