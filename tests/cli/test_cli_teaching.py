"""`memdeck teaching`: what verdicts taught, where it shows, and starting anew."""

import pytest

from memdeck import Capture, Origin, Salience, open_memory

SCORE = Salience(-1.0, 0.55, 0.18, True, False, (("gives a reason", 0.6),))
SENTENCES = [
    f"The {part} of the harbour office is restarted by its own timer, since {other} holds its port."
    for part, other in zip(
        "printer scanner gateway mixer heater camera pager radio".split(),
        "cron nginx vault kafka minio redis consul envoy".split(),
        strict=True,
    )
]


@pytest.fixture
def offered(home):
    """Eight candidates of an agent's, each judged; their ids."""
    with open_memory() as core:
        results = core.offer(
            [
                Capture(
                    text,
                    rule="agent.said",
                    salience=SCORE,
                    origin=Origin(session="s1", agent="claude", ref=f"s1#{number}"),
                )
                for number, text in enumerate(SENTENCES)
            ]
        )
    assert all(result.stored for result in results), results
    return [result.memory_id for result in results]


def test_before_any_verdict_the_bar_is_as_it_was_fitted(cli, offered):
    told = cli("teaching", "--json").json
    assert (told["is_on"], told["since"]) == (True, None)
    assert told["agent"]["bias"] == told["person"]["bias"] == 0
    assert "No verdict on agents' sentences yet" in cli("teaching").out
    assert "taught" not in cli("status").out


def test_rejections_raise_the_bar_and_every_door_says_so(cli, offered):
    assert cli("inbox", "reject", *offered[:6]).code == 0
    assert cli("inbox", "accept", offered[6]).code == 0
    told = cli("teaching", "--json").json["agent"]
    assert (told["rejected"], told["kept"]) == (6, 1)
    assert -1.5 <= told["bias"] < -0.2
    assert told["asked"] > told["asked_before"]
    words = "You rejected 6 of 7 of agents' sentences: the bar here is higher"
    assert words in " ".join(cli("teaching").out.split())
    assert words in " ".join(cli("status").out.split())
    assert cli("status", "--json").json["teaching"]["agent"] == told
    lessons = [one for one in cli("doctor", "--json").lines if one["name"] == "teaching"]
    assert [one["ok"] for one in lessons] == [True]
    assert words in lessons[0]["message"]


def test_a_new_start_is_an_entry_that_an_undo_takes_back(cli, offered):
    cli("inbox", "reject", *offered[:6])
    before = cli("teaching", "--json").json
    anew = cli("teaching", "--reset", "--json").json
    assert (anew["reset"], anew["agent"]["bias"]) == (6, 0)
    assert anew["since"]
    assert cli("audit", "--json", "--limit", "1").lines[0]["action"] == "teaching"
    assert "teaching: 6 verdicts count no more" in cli("undo").out
    assert cli("teaching", "--json").json == before


def test_what_was_kept_under_a_moved_bar_says_so(cli, home):
    moved = Salience(-1.4, 0.5, 0.15, True, False, (("gives a reason", 0.6),), bias=-0.4)
    with open_memory() as core:
        [result] = core.offer([Capture(SENTENCES[0], rule="agent.said", salience=moved)])
    assert "-0.4  your verdicts here" in cli("show", result.memory_id, "--why").out
    assert cli("show", result.memory_id, "--json").json["salience"]["bias"] == -0.4
    cli("inbox", "reject", result.memory_id)
    with open_memory() as core:  # the verdict is held against the score as it was fitted
        [row] = core._store.connection.execute("SELECT score FROM memory_verdict").fetchall()
    assert row[0] == pytest.approx(-1.0)


def test_a_rescue_counts_as_kept(cli, home):
    [first] = [Capture(SENTENCES[0], rule="agent.said", salience=SCORE, importance=0.1)]
    with open_memory() as core:
        assert core.offer([first])[0].outcome == "refused"
    number = cli("inbox", "--refused", "--json").lines[0]["number"]
    assert cli("inbox", "rescue", str(number)).code == 0
    assert cli("teaching", "--json").json["agent"]["kept"] == 1
    assert cli("undo").code == 0
    assert cli("teaching", "--json").json["agent"]["kept"] == 0
