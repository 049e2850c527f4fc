"""What a person does to a memory is what the agent hears next; each step is a process."""

STAGING = "Staging lives on host db-7 behind the jump host; it is reached through the VPN only."
MOVED = "Staging lives on host db-9 behind the jump host; it is reached through the VPN only."
ASKED = "where does staging live?"
ELSE = "please make the logo of the landing page a little larger"


def test_remember_pin_edit_forget_undo_and_the_agent_hears_of_each(start, repo, cli, settle, known):
    agent = start("s1", repo)
    assert agent.ask(ASKED) == ""

    memory = cli.remember(STAGING)
    assert STAGING in agent.ask(ASKED)
    assert agent.ask(ELSE) == ""

    assert cli("pin", memory).code == 0
    assert agent.ask(ELSE) == ""  # it stands in the session's context
    assert STAGING in start("s2", repo).ask(ELSE)

    assert cli("edit", memory, "--content", MOVED).code == 0
    told = agent.ask(ASKED)
    assert MOVED in told
    assert "db-7" not in told

    assert cli("forget", memory, "--reason", "moved to the cloud").code == 0
    assert agent.ask(ASKED) == ""
    assert agent.ask(ELSE) == ""
    assert cli.found(ASKED) == []

    assert cli("undo").code == 0
    assert MOVED in start("s3", repo).ask(ELSE)
    [back] = known()
    assert (back.id, back.status, back.content) == (memory, "pinned", MOVED)

    assert cli("redo").code == 0
    assert agent.ask(ASKED) == ""
    assert cli("restore", memory).code == 0
    assert MOVED in start("s4", repo).ask(ASKED)

    settle()
    trail = [entry["action"] for entry in cli("audit", "--memory", memory, "--json").lines]
    assert trail == ["restore", "redo", "undo", "forget", "edit", "pin", "add"]
    receipts = cli("receipts", "--json").lines
    assert [[item["id"] for item in receipt["items"]] for receipt in receipts] == [[memory]] * 5
    assert cli("rebuild").code == 0
    assert cli.is_whole()
    assert agent.ask(ASKED) == ""  # told already, and nothing changed since
    assert MOVED in start("s2", repo).ask(ASKED)


def test_what_a_session_left_as_a_candidate_a_person_curates(
    start, repo, cli, settle, known, no_drain
):
    agent = start("s1", repo)
    with no_drain():
        agent.says("From now on always run `make test-db` before the integration tests, please.")
        agent.end()
    settle()
    [candidate] = known("status:candidate")

    assert cli("edit", candidate.id, "--add-tag", "database").code == 0
    assert cli("pin", "make", "test-db").code == 0
    [pinned] = known("tag:database")
    assert (pinned.status, pinned.origin.session) == ("pinned", "s1")
    assert "make test-db" in start("s2", repo).tell("SessionStart", source="startup")

    assert cli("forget", candidate.id).code == 0
    with no_drain():
        agent.tell_all_again()
    settle()
    assert known() == []  # what was forgotten does not come back from the same place
    assert start("s2", repo).ask("how do I run the integration tests?") == ""
