"""A reviewer is a program of somebody else: whatever it does, the agent goes on and we can tell."""

import json
import sys

import pytest

from memdeck.agents import spool
from memdeck.tests.findings import findings

RULE = "From now on always run `make test-db` before the integration tests, they need its data."

HANG = "import time; time.sleep(600)"
CRASH = "import sys; sys.exit('out of credit')"
PROSE = "print('I think this is a lovely memory, keep it!')"
COSTS = """
import json
print(json.dumps({"score": 9, "is_trivial": False, "reason": "A standing order."}))
"""
MARKED = """
import os, pathlib
pathlib.Path({mark!r}).write_text(os.environ.get("MEMDECK_GUARD", ""))
"""


@pytest.fixture
def asks(home, tmp_path):
    """Let the analyzer be a program, in the home's own settings."""

    def _asks(source, *, more="", timeout_s=30.0):
        script = tmp_path / "reviewer.py"
        script.write_text(source)
        argv = json.dumps([sys.executable, str(script)])
        home.prepare()
        with open(home.config, "w", encoding="utf-8") as file:
            file.write(
                f"[review]\ntimeout_s = {timeout_s}\n"
                f'engine_by_reviewer = {{ analyzer = "own" }}\n{more}'
                f'[review.engines.own]\nkind = "program"\nprogram = {argv}\n'
            )

    return _asks


def session_with_a_rule(start, repo, no_drain):
    session = start("s1", repo)
    session.says(RULE)
    with no_drain():
        session.stop()


def votes_on_the_rule(cli):
    [memory] = cli("list", "--json").lines
    reviews = cli("show", memory["id"], "--json").json["numbers"]["votes"]
    return memory, {vote["reviewer"]: vote for vote in reviews}


@pytest.mark.parametrize(
    ("source", "status", "says"),
    [
        (HANG, "timeout", "no answer in time"),
        (CRASH, "failed", "failed"),
        (PROSE, "invalid", "answered nonsense"),
    ],
    ids=["hangs", "crashes", "prose"],
)
def test_a_reviewer_that_fails_is_survived_and_shown(
    source, status, says, asks, start, repo, home, cli, no_drain
):
    """000-28 to 000-30: two others still make a consensus."""
    asks(source, timeout_s=1.0 if source == HANG else 30.0)
    session_with_a_rule(start, repo, no_drain)
    assert cli("drain").code == 0

    memory, votes = votes_on_the_rule(cli)
    assert "make test-db" in memory["content"]
    assert votes["analyzer"]["status"] == status
    assert votes["analyzer"]["score"] is None
    assert votes["analyzer"]["reason"]
    assert {votes[name]["status"] for name in ("patterns", "knowledge-archaeologist")} == {"ok"}
    shown = " ".join(cli("show", memory["id"], "--why").out.split())
    assert "analyzer" in shown
    assert "Reviews consensus" in shown
    assert f"{says}: " in shown
    assert " ".join(votes["analyzer"]["reason"].split()[:4]) in shown
    found = findings(home.path, repo)["reviewers"]
    assert (found.ok, votes["analyzer"]["reason"] in found.message) == (False, True)
    assert ("timeout_s" in found.advice) is (status == "timeout")


def test_what_a_reviewer_costs_is_counted_and_capped(asks, start, repo, cli, no_drain):
    asks(COSTS, more='max_cost_usd_per_day = 0.01\nreviewers = ["analyzer"]\n')
    session_with_a_rule(start, repo, no_drain)
    assert cli("drain").code == 0
    memory, votes = votes_on_the_rule(cli)
    assert votes["analyzer"]["cost_usd"] == pytest.approx(0.01)
    assert votes["analyzer"]["score"] == 9
    assert "partial: one answered" in cli("show", memory["id"], "--why").out

    session = start("s2", repo)
    session.says("Never commit to the main branch of this repository, open a pull request instead.")
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    [second] = [one for one in cli("list", "--json").lines if one["id"] != memory["id"]]
    reviews = cli("show", second["id"], "--json").json["numbers"]["votes"]
    [asked] = [vote for vote in reviews if vote["reviewer"] == "analyzer"]
    assert (asked["status"], asked["cost_usd"]) == ("over_budget", 0)
    shown = cli("show", second["id"], "--why").out
    assert "fallback: by rule" in shown
    assert "the day's money is spent: " in shown


def test_a_hook_starts_no_reviewer(asks, start, repo, home, no_drain, tmp_path):
    """The hook only notes what happened; whoever reviews is started by the drain."""
    mark = tmp_path / "was-asked"
    asks(MARKED.format(mark=str(mark)))
    session_with_a_rule(start, repo, no_drain)
    assert spool.has_waiting(home)
    assert not mark.exists()


def test_what_is_marked_as_not_for_all_is_shown_to_no_model(
    asks, start, repo, cli, no_drain, tmp_path
):
    mark = tmp_path / "was-asked"
    asks(MARKED.format(mark=str(mark)))
    session = start("s1", repo)
    session.says(f"#private {RULE}")
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    memory, votes = votes_on_the_rule(cli)
    assert (memory["privacy"], votes["analyzer"]["status"]) == ("private", "ok")
    assert not mark.exists()
