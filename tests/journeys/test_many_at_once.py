"""Many agents at once, while drains run: everything once, nothing twice, nothing lost."""

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, as_completed, wait

from memdeck import MemoryCoordinator
from memdeck.agents import drain
from memdeck.agents.drain import drain_spool

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


def test_every_record_is_drained_exactly_once(start, repo, cli, home, known):
    """Hooks spool while one drain follows the other; a receipt that came twice would count."""
    cli.remember(FACT)
    # two each: in one session nobody is told the same a second time
    first, second = (
        [start(f"agent-{number}-{part}", repo, apart=True) for number in range(AGENTS)]
        for part in range(2)
    )
    with ThreadPoolExecutor(AGENTS) as pool:
        told = [pool.submit(session.ask, ASKED) for session in first]
        wait(told, return_when=FIRST_COMPLETED)
        reports = [drain_spool(home)]
        told += [pool.submit(session.ask, ASKED) for session in second]
        reports += [drain_spool(home) for _ in as_completed(told)]
    assert all(FACT in one.result() for one in told)

    assert sum(report.records > 0 for report in reports) > 1
    assert sum(report.receipts for report in reports) == 2 * AGENTS
    assert {report.failed + report.torn for report in reports} == {0}
    assert drain.failed(home) == []
    [fact] = known()
    assert fact.accesses == 2 * AGENTS
