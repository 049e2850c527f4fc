"""merge and promote: what stays, what retires, who is asked, and the way back."""


def shown(cli, identifier):
    return cli("show", identifier, "--json").json


# --- merge


def test_merge_keeps_the_first_with_what_the_others_add(cli, remembered):
    said = [
        remembered("Retries stop after three", "--tag", "net", "--importance", "4"),
        remembered("A call is tried three times", "--tag", "http", "--importance", "9"),
        remembered("Give up on the third failure", "--file", "src/retry.py"),
    ]
    answer = cli("merge", *said, code=0)
    assert [line.split()[0] for line in answer.out.splitlines()] == ["merged", "merged", "into"]
    kept = shown(cli, said[0])
    assert kept["content"] == "Retries stop after three"
    assert kept["tags"] == ["net", "http"]
    assert kept["files"] == ["src/retry.py"]
    assert kept["importance_10"] == 9
    assert [shown(cli, one)["retired_as"] for one in said[1:]] == ["merged", "merged"]
    assert cli("undo").code == 0
    assert len(cli("list", "--json").lines) == 3
    assert shown(cli, said[0])["tags"] == ["net"]


# --- promote


def test_promote_makes_a_candidate_a_memory_of_the_project(cli, captured):
    identifier = captured(
        "We decided that the deploy script only runs from the release branch, as main may be red.",
        rule="agent.decision",
        importance=0.6,
    )
    assert shown(cli, identifier)["scope"] == "session"
    assert cli("promote", identifier, "--to", "project", code=0).out.startswith("promoted")
    memory = shown(cli, identifier)
    assert (memory["scope"], memory["status"]) == ("project", "confirmed")
    assert cli("undo").code == 0
    memory = shown(cli, identifier)
    assert (memory["scope"], memory["status"]) == ("session", "candidate")
