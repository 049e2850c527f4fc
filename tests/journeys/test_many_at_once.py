"""Many agents at once, while drains run: everything once, nothing twice, nothing lost."""

from concurrent.futures import ThreadPoolExecutor

from memdeck import MemoryCoordinator

AGENTS = 16
ASKED = "how do I run the integration tests?"
FACT = "Integration tests need the seeded tenant acme-eu, so run `make test-db` before them."


def live(session, number):
    """A short session: it asks, it is told, it says something new, it ends."""
    told = session.ask(ASKED)
    session.says(f"From now on always use port 54{number:02} for the database of service {number}.")
    session.end()
    return told


def test_sixteen_sessions_at_once_while_drains_run(start, repo, cli, home, settle, known):
    cli.remember(FACT)
    sessions = [start(f"agent-{number}", repo, apart=True) for number in range(AGENTS)]
    with ThreadPoolExecutor(AGENTS) as pool:
        told = list(pool.map(live, sessions, range(AGENTS)))
    assert all(FACT in text for text in told)
    settle()

    texts = [one.content for one in known()]
    for number in range(AGENTS):
        assert len([text for text in texts if f"port 54{number:02}" in text]) == 1
    assert len(texts) == AGENTS + 1
    with MemoryCoordinator.open(home, repo) as core:
        assert sorted(receipt.session for receipt in core.receipts()) == sorted(
            session.name for session in sessions
        )
        assert len(core.audit(action="add")) == AGENTS + 1
        assert core.audit(action="reinforce") == []
        assert len(core.audit(action="finalize")) == AGENTS
        [fact] = core.list("seeded tenant")
        assert fact.accesses == AGENTS
    assert cli.is_whole()
