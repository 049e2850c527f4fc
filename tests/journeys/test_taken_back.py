"""What is off the record stays so, however often the drain reads."""

SECRET_PLAN = "#incognito We decided to sell the berth module to Harbour Works before the summer."


def contents(cli):
    return [memory["content"] for memory in cli("list", "--json").lines]


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
