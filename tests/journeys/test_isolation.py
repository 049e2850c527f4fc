"""Projects never see each other's memories, whatever their folders are called."""

import json
import shutil

import pytest

from .conftest import injected

OURS = "Deployments of the billing service go out on Tuesdays, after the canary has run a day."
THEIRS = "Deployments of the billing service need a signed ticket from the security team."
ASKED = "how do deployments of the billing service work?"


def test_two_repositories_with_one_name_never_share(start, repository, cli, settle, known):
    ours, theirs = repository("one/api"), repository("two/api")
    cli.remember(OURS, cwd=ours)
    cli.remember(THEIRS, "--pin", cwd=theirs)

    for place, told_here, foreign in ((ours, OURS, THEIRS), (theirs, THEIRS, OURS)):
        session = start(f"in-{place.parent.name}", place)
        told = session.ask(ASKED) + session.tell("SessionStart", source="startup")
        assert told_here in told
        assert foreign not in told
        assert cli.found(ASKED, cwd=place) == [told_here]
    assert cli("forget", "signed", "ticket", cwd=ours).code == 1  # words never reach that far
    assert [one.status for one in known(cwd=theirs)] == ["pinned"]
    settle()
    receipts = cli("receipts", "--json", cwd=ours).lines
    assert {receipt["session"] for receipt in receipts} == {"in-one"}

    assert cli("undo", cwd=ours).code == 0  # takes back ours, though theirs is newer
    assert (len(known(cwd=ours)), len(known(cwd=theirs))) == (0, 1)


def worktree(main, place):
    """A worktree of `main` beside it, as `git worktree add` leaves it."""
    administrative = main / ".git" / "worktrees" / place.name
    administrative.mkdir(parents=True)
    (administrative / "HEAD").write_text("ref: refs/heads/feature\n")
    (administrative / "commondir").write_text("../..\n")
    (administrative / "gitdir").write_text(f"{place / '.git'}\n")
    place.mkdir()
    (place / ".git").write_text(f"gitdir: {administrative}\n")
    return place


def test_worktrees_and_subfolders_of_one_repository_share(start, repository, cli, known, tmp_path):
    main = repository("one/api")
    other = repository("two/api")
    feature = worktree(main, tmp_path / "api-feature")
    deep = feature / "src" / "billing"
    deep.mkdir(parents=True)
    cli.remember(OURS, cwd=deep)

    for number, place in enumerate((main, feature, deep)):
        assert OURS in start(f"s{number}", place).ask(ASKED)
        assert [one.content for one in known(cwd=place)] == [OURS]
    assert start("s9", other).ask(ASKED) == ""


@pytest.mark.parametrize("is_drained_before", [False, True])
def test_what_was_said_in_a_worktree_that_is_removed_is_its_repositorys(
    start, repository, known, settle, no_drain, tmp_path, is_drained_before
):
    """As those are that a program makes for one task; their last notes are drained too late."""
    main, client = repository("one/api"), tmp_path / "client"
    feature = worktree(main, tmp_path / "api-feature")
    session = start("in-feature", feature)
    with no_drain():
        session.tell("SessionStart", source="startup")
    if is_drained_before:
        settle()
    session.says(f"Remember that {OURS}")
    shutil.rmtree(feature)
    ended = {"transcript_path": str(session.transcript), "reason": "exit"}
    payload = {"session_id": session.name, "cwd": str(feature), **ended}
    injected(
        "SessionEnd", json.dumps({**payload, "hook_event_name": "SessionEnd"}).encode(), client
    )
    settle()
    assert [one.content for one in known(cwd=main)] == [OURS]


@pytest.mark.parametrize(
    ("one", "two", "is_same"),
    [
        ("git@github.com:acme/api.git", "https://dev:secret@github.com/acme/api", True),
        ("https://github.com/acme/api.git", "https://gitlab.com/other/tides.git", False),
    ],
)
def test_clones_share_once_the_user_joins_them(
    one, two, is_same, start, repository, cli, known, no_drain
):
    here, there = repository("here/api", one), repository("there/checkout", two)
    session = start("s1", here)
    with no_drain():
        session.says("From now on always deploy the billing service on Tuesdays, after the canary.")
        session.end()
    assert cli("drain").code == 0
    assert "deploy" not in start("s2", there).ask(ASKED)
    alike = cli("project", "--json", cwd=there).lines
    assert len(alike) == is_same
    for item in alike:
        assert cli("project", "join", item["project"]["id"], "--yes", cwd=there).code == 0
    told = start("s3", there).ask(ASKED)
    assert ("always deploy the billing service" in told.lower()) is is_same
    assert len(known(cwd=there)) == is_same


def test_a_clone_cannot_bring_along_another_project(start, repository, cli, known, no_drain):
    theirs = repository("work/billing", "git@example.org:acme/billing.git")
    clone = repository("downloads/tools", "https://example.org/else/tools.git")
    forged = clone / "fixtures" / "repo"
    for part in ("objects", "refs"):
        (forged / part).mkdir(parents=True)
    (forged / "HEAD").write_text("ref: refs/heads/main\n")
    (forged / "config").write_bytes((theirs / ".git" / "config").read_bytes())
    cli.remember(THEIRS, cwd=theirs)
    cli.remember(OURS, cwd=clone)

    session = start("s1", forged)
    told = session.tell("SessionStart", source="startup") + session.ask(ASKED)
    assert OURS in told
    assert THEIRS not in told
    with no_drain():
        session.says("From now on always sign the invoices with the key of the finance team.")
        session.end()
    assert cli("drain").code == 0
    assert [one.content for one in known(cwd=theirs)] == [THEIRS]
    assert len(known(cwd=clone)) == 2


def test_a_global_memory_is_told_everywhere_and_no_other(start, repository, cli):
    ours, theirs = repository("one/api"), repository("two/web")
    cli.remember(OURS, cwd=ours)
    cli.remember("Deployments are never done on a Friday.", "--scope", "global", "--yes", cwd=ours)
    told = start("s1", theirs).ask("may I do deployments on Friday?")
    assert "never done on a Friday" in told
    assert "Tuesdays" not in told
