"""What a person takes back, or asks to forget, is gone from what an earlier reading kept."""

CLAIM = (
    "The root cause is that `orders/retry.py:88` sends the request again without the key, so that"
    " a second order is created."
)
DENIED = "No, that's wrong: retry.py is not even deployed. Use the gateway's log to look instead."
SECRET_PLAN = "#incognito We decided to sell the berth module to Harbour Works before the summer."


def contents(cli):
    return [memory["content"] for memory in cli("list", "--json").lines]


def test_a_claim_that_is_denied_after_it_was_kept_is_replaced(start, repo, cli, no_drain):
    session = start("s1", repo)
    session.says("Why are there two orders for some customers?")
    session.uses("Read", {"file_path": "orders/retry.py"}, "88: post(order)")
    session.answers(CLAIM)
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    assert any("retry.py:88" in text for text in contents(cli))

    session.says(DENIED)
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    assert not any("retry.py:88" in text for text in contents(cli))
    [replaced] = cli("list", "is:retired", "--json").lines
    assert replaced["retired_as"] == "superseded"
    [successor] = cli("show", replaced["id"], "--json").json["links"]
    assert (successor["kind"], successor["source"]) == ("superseded_by", replaced["id"])
    assert any(text.startswith("retry.py is not even deployed.") for text in contents(cli))
    entry = cli("audit", "--action", "supersede", "--json").lines[0]
    assert entry["actor"] == "rule"
    assert entry["reason"].startswith("the person corrected it: “")

    cli("restore", replaced["id"])
    with no_drain():
        session.end()  # the whole session is read once more
    assert cli("drain").code == 0
    assert any("retry.py:88" in text for text in contents(cli))


def test_an_incognito_turn_stays_one_when_the_drain_reads_in_its_middle(
    start, repo, cli, home_path, no_drain
):
    session = start("s1", repo)
    session.says(SECRET_PLAN)
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    session.answers("We decided to offer the berth module to Harbour Works for 40,000 euros.")
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    session.says("From now on always run `make test-db` before the integration tests, please.")
    with no_drain():
        session.end()
    assert cli("drain").code == 0
    assert [text for text in contents(cli) if "test-db" in text]
    assert not any("Harbour Works" in text for text in contents(cli))
    for path in home_path.rglob("*"):
        assert not path.is_file() or b"Harbour Works" not in path.read_bytes(), path
