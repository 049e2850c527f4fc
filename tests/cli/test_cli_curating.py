"""Each act lets through and refuses, is one entry in the trail, and can be taken back."""

import pytest

TEXT = "Staging lives on host db-7, reached through the bastion"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def actions(cli):
    return [entry["action"] for entry in cli("audit", "--json").lines]


# --- remember


def test_remember_keeps_every_field(cli):
    answer = cli(
        *("remember", TEXT, "--type", "semantic", "--category", "decision", "--scope", "project"),
        *("--importance", "8", "--tag", "infra", "--tag", "db", "--file", "ops/hosts.ini"),
        *("--title", "Where staging is", "--pin", "--due", "2030-01-02T03:04:00Z"),
        *("--expires", "2031-01-01T00:00:00Z", "--key", "K-7", "--json"),
        code=0,
    )
    assert answer.json["stored"] is True
    assert answer.json["outcome"] == "stored"
    memory = answer.json["memory"]
    assert memory["id"] == answer.json["id"]
    wanted = {
        "type": "semantic",
        "category": "decision",
        "scope": "project",
        "status": "pinned",
        "title": "Where staging is",
        "content": TEXT,
        "tags": ["infra", "db"],
        "files": ["ops/hosts.ini"],
        "key": "K-7",
        "due": "2030-01-02T03:04:00Z",
        "expires": "2031-01-01T00:00:00Z",
        "importance_10": 8,
    }
    assert {name: memory[name] for name in wanted} == wanted


def test_remember_says_what_it_contradicts(cli, remembered):
    known = remembered("Always use pnpm for packages in web/")
    answer = cli("remember", "Never use pnpm for packages in web/", code=0)
    assert f"It contradicts {known[:7]}" in answer.err
    assert "wait for your verdict in `memdeck review`" in answer.err
    again = cli("remember", "Never use pnpm for packages in web/")
    assert "contradicts" not in again.err  # known, and nothing new


def test_remember_reads_a_pipe(cli):
    assert cli("remember", "-", stdin=TEXT + "\n").code == 0
    assert cli("list", "--json").json["content"] == TEXT
    latin = "Das Café ist zu"
    answer = cli("remember", "-", stdin=latin.encode("latin-1"))
    assert (answer.code, "iconv" in answer.err) == (2, True)
    answer = cli("remember", latin.encode("latin-1").decode("utf-8", "surrogateescape"))
    assert (answer.code, "iconv" in answer.err) == (2, True)
    assert cli("remember", "-", stdin=latin.encode("utf-16")).code == 0
    assert latin in [one["content"] for one in cli("list", "--json").lines]


def test_remember_the_same_again_strengthens_what_is_known(cli, remembered):
    identifier = remembered(TEXT)
    assert cli("remember", TEXT, code=0).out.startswith("known")
    again = cli("remember", TEXT, "--json").json
    assert (again["stored"], again["outcome"], again["id"]) == (False, "duplicate", identifier)
    assert "times, injected or said again" in cli("show", identifier).out


def test_remember_takes_secrets_out_and_says_so(cli, home):
    answer = cli("remember", f"The deploy token is {SECRET} for now", code=0)
    assert "github-token" in answer.err
    assert SECRET not in answer.out + answer.err
    assert "[REDACTED:github-token]" in cli("list", "--json").json["content"]
    for path in home.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_remember_has_a_longest_text(cli):
    assert cli("remember", "x" * 4_000).code == 0
    answer = cli("remember", "y" * 4_001)
    assert (answer.code, answer.out) == (1, "")
    assert "4000" in answer.err
    assert "Split it" in answer.err


# --- edit


def test_edit_changes_the_named_fields_only(cli, remembered):
    identifier = remembered(TEXT, "--tag", "infra", "--tag", "db")
    answer = cli(
        *("edit", identifier, "--importance", "10", "--confidence", "0.5", "--privacy", "private"),
        *("--remove-tag", "db", "--add-tag", "ssh", "--file", "a.py", "--due", "2030-01-02"),
        "--json",
        code=0,
    )
    memory = answer.json
    assert (memory["importance"], memory["confidence"]) == (1.0, 0.5)
    assert memory["tags"] == ["infra", "ssh"]
    assert memory["files"] == ["a.py"]
    assert memory["privacy"] == "private"
    assert memory["due"].startswith("2030-01-0")
    assert memory["content"] == TEXT
    assert cli("edit", identifier, "--due", "none", "--json").json["due"] is None


def test_edit_sets_fields_of_the_type_and_refuses_others(cli, remembered):
    task = remembered("Rotate the staging key", "--due", "tomorrow")
    fields = ("--detail", "priority=4", "--detail", "trigger_condition=release 3 is out")
    details = cli("edit", task, *fields, "--json").json["details"]
    assert (details["priority"], details["trigger_condition"]) == (4, "release 3 is out")
    assert "trigger condition  release 3 is out" in cli("show", task).out
    steps = remembered("How to deploy: build, push", "--type", "procedural")
    assert cli("edit", steps, "--detail", 'steps=["build"]', "--json").json["details"]["steps"]
    for wrong, hint in (("priority=9", "Give 1 to 5."), ("priority", "Write NAME=VALUE")):
        answer = cli("edit", task, "--detail", wrong)
        assert (answer.code, hint in answer.err) == (1, True)


# --- pin, unpin, forget, restore


@pytest.mark.parametrize(
    ("act", "undoing", "field", "before", "after"),
    [
        ("pin", "unpin", "status", "confirmed", "pinned"),
        ("forget", "restore", "retired_as", None, "forgotten"),
    ],
)
def test_an_act_and_its_opposite(cli, remembered, act, undoing, field, before, after):
    identifier = remembered(TEXT)
    assert cli(act, identifier, "--json").json[field] == after
    assert cli("show", identifier, "--json").json[field] == after
    assert cli(undoing, identifier, "--json").json[field] == before
    assert actions(cli)[:2] == [undoing, act]


def test_a_task_is_done_and_nothing_else_is(cli, remembered):
    task = remembered("Renew the certificate of the tide feed", "--type", "prospective")
    fact = remembered(TEXT)
    ended = cli("done", "certificate", "--json").json
    assert (ended["id"], ended["retired_as"]) == (task, "completed")
    assert ended["details"]["status"] == "completed"
    assert "no task" in cli("done", fact, code=1).err
    assert cli("undo").code == 0
    assert cli("show", task, "--json").json["details"]["status"] == "pending"


def test_acts_list_the_candidates_when_words_mean_several(cli, remembered):
    remembered("The staging host is db-7")
    remembered("The staging queue is q-3")
    answer = cli("forget", "staging")
    assert (answer.code, answer.out) == (1, "")
    assert "db-7" in answer.err
    assert "q-3" in answer.err
    assert "nothing was changed" in answer.err
    assert len(cli("list", "--json").lines) == 2


def test_all_acts_on_every_match_in_one_entry(cli, remembered):
    remembered("The staging host is db-7", "--tag", "spike")
    remembered("The staging queue is q-3", "--tag", "spike")
    remembered(TEXT)
    answer = cli("forget", "--all", "tag:spike", "--reason", "spike is over", code=0)
    assert "2 memories" in answer.err
    assert len(cli("list", "--json").lines) == 1
    assert cli("undo").code == 0
    assert len(cli("list", "--json").lines) == 3


def test_one_unknown_id_among_several_changes_nothing(cli, remembered):
    identifier = remembered(TEXT)
    assert "0zzzzz0" in cli("forget", identifier, "0zzzzz0", code=1).err
    assert cli("show", identifier, "--json").json["retired_as"] is None


# --- link


def test_link_joins_two_and_can_be_taken_back(cli, remembered):
    one, other = remembered(TEXT), remembered("Retry budget is three attempts per call")
    answer = cli("link", one, other, "--as", "refines", "--json")
    assert answer.json == {"source": one, "target": other, "kind": "refines"}
    cli("undo")
    assert cli("show", one, "--json").json["links"] == []
    cli("link", one, other, "--as", "contradicts")
    assert cli("review", "--json").json["kind"] == "conflict"


# --- undo, redo


def test_undo_and_redo_name_what_they_took_back(cli, remembered):
    identifier = remembered(TEXT)
    assert "ndo with `memdeck undo`" in cli("pin", identifier).err
    again = cli("pin", identifier)  # an undo after it would take back what came before
    assert (again.code, "was so already. Nothing was changed" in again.err) == (0, True)
    assert "memdeck undo" not in again.err
    undone = cli("undo", code=0)
    assert "pin: Staging lives" in undone.out
    assert cli("show", identifier, "--json").json["status"] == "confirmed"
    assert cli("redo").out.startswith(undone.out.replace("undid", "redid").strip())
    assert cli("show", identifier, "--json").json["status"] == "pinned"


def test_undo_takes_a_number(cli, remembered):
    identifier = remembered(TEXT)
    cli("pin", identifier)
    remembered("Retry budget is three attempts per call")
    pinned = next(e for e in cli("audit", "--json").lines if e["action"] == "pin")
    assert cli("undo", str(pinned["seq"]), "--json").json["undoes"] == pinned["seq"]
    assert cli("show", identifier, "--json").json["status"] == "confirmed"


def test_undo_is_refused_when_a_later_change_touched_the_same(cli, remembered):
    identifier = remembered(TEXT)
    cli("edit", identifier, "--title", "One")
    cli("edit", identifier, "--title", "Two")
    first = [e for e in cli("audit", "--json").lines if e["action"] == "edit"][-1]
    assert "changed later" in cli("undo", str(first["seq"]), code=1).err
