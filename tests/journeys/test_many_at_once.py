"""Many agents at once, while drains run: everything once, nothing twice, nothing lost."""

from concurrent.futures import ThreadPoolExecutor

from memdeck import MemoryCoordinator
from memdeck.agents import claims, spool
from memdeck.agents.drain import drain

AGENTS = 16
FACT = "Integration tests need the seeded tenant acme-eu, so run `make test-db` before them."


def live(session, number):
    """A short session: it asks, it is told, it says something new, it ends."""
    told = session.ask("how do I run the integration tests?")
    session.says(f"From now on always use port 54{number:02} for the database of service {number}.")
    session.end()
    return told


def test_sixteen_sessions_at_once_while_drains_run(start, repo, cli, home, settle, known):
    cli.remember(FACT)
    sessions = [start(f"agent-{number}", repo) for number in range(AGENTS)]
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


def test_every_record_is_drained_exactly_once(start, repo, cli, home, known):
    """Hooks spool while one drain follows the other; a receipt that came twice would count."""
    cli.remember(FACT)

    def ask_twice(number):  # in two sessions: one is not told the same a second time
        sessions = [start(f"agent-{number}-{part}", repo) for part in range(2)]
        return [session.ask("how do I run the integration tests?") for session in sessions]

    reports = []
    with ThreadPoolExecutor(AGENTS) as pool:
        told = [pool.submit(ask_twice, number) for number in range(AGENTS)]
        while spool.has_waiting(home) or not all(one.done() for one in told):
            reports.append(drain(home))
    assert all(FACT in text for one in told for text in one.result())

    assert len(reports) > 1
    assert sum(report.receipts for report in reports) == 2 * AGENTS
    assert {report.failed + report.torn for report in reports} == {0}
    assert claims.failed(home) == []
    [fact] = known()
    assert fact.accesses == 2 * AGENTS
