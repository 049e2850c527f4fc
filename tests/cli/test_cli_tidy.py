"""`memdeck tidy`: what there is to tidy, for people and scripts."""

import json
import os
import subprocess

import pytest

from memdeck import open_memory


def lines(answer):
    return [json.loads(line) for line in answer.out.splitlines()]


@pytest.fixture
def repeated(cli, tmp_path):
    notes = tmp_path / "notes.jsonl"
    texts = (
        "The queue tests need redis on port 6380",
        "Tests of the queue need redis on port 6380",
    )
    notes.write_text("".join(json.dumps({"content": text}) + "\n" for text in texts))
    assert cli("import", str(notes)).code == 0
    return texts


def test_nothing_to_tidy_is_said(cli):
    answer = cli("tidy")
    assert answer.code == 0
    assert "Nothing is to be tidied." in answer.err
    assert lines(cli("tidy", "--json")) == []


def test_it_lists_what_is_said_twice_and_changes_nothing(cli, repeated):
    before = cli("audit", "--json").out
    [one] = lines(cli("tidy", "--json"))
    assert one["kind"] == "repetition"
    assert {one["memory"]["content"], one["other"]["content"]} == set(repeated)
    assert one["why"]
    assert one["conflict"] is None
    assert "memdeck merge" in cli("tidy").err
    assert cli("audit", "--json").out == before


def test_kinds_and_a_limit_narrow_it(cli, repeated, remembered):
    remembered(" ".join(f"berth{number}" for number in range(200)))
    assert [one["kind"] for one in lines(cli("tidy", "--json"))] == ["repetition", "long"]
    assert [one["kind"] for one in lines(cli("tidy", "--json", "--kind", "long"))] == ["long"]
    assert len(lines(cli("tidy", "--json", "--limit", "1"))) == 1
    assert cli("tidy", "--kind", "dust").code == 2
    assert cli("tidy", "--limit", "0").code == 2


def test_the_command_that_it_names_settles_it(cli, repeated):
    [one] = lines(cli("tidy", "--json"))
    assert cli("merge", one["other"]["id"], one["memory"]["id"]).code == 0
    assert lines(cli("tidy", "--json")) == []


def git(folder, *words, when="2020-01-01T00:00:00Z"):
    about = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    surroundings = {**os.environ, **dates, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *about, *words], cwd=folder, check=True, env=surroundings)


@pytest.fixture
def moved_and_gone(cli, remembered, tmp_path):
    """Two memories of files: a later commit moves the file of one, and deletes the other's."""
    project = tmp_path / "acme-api"
    git(project, "init", "-q")
    (project / "feed").mkdir()
    for name in ("rates", "berths"):
        (project / f"feed/{name}.py").write_text(f"{name}\n" * 40)
        remembered(f"The {name} of the harbour are printed by feed/{name}.py alone")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "harbour")
    (project / "lib").mkdir()
    git(project, "mv", "feed/rates.py", "lib/rates.py")
    git(project, "rm", "-q", "feed/berths.py")
    git(project, "commit", "-q", "-m", "later", when="2037-01-01T00:00:00Z")
    assert cli("maintain").code == 0


def test_what_the_files_speak_against_is_proposed_until_a_person_answers(cli, moved_and_gone, home):
    found = lines(cli("tidy", "--json"))
    assert [one["kind"] for one in found] == ["moved", "verify"]
    with open_memory(home) as core:
        moved, gone = core.services.tidy.proposals()
        [follows] = core.services.tidy.keep(moved)
        assert "lib/rates.py" in follows.content
        core.services.tidy.keep(gone)
        assert core.show(gone.memory.id).is_live
        assert core.services.tidy.proposals() == []
        core.undo()
        assert [one.kind for one in core.services.tidy.proposals()] == ["verify"]
