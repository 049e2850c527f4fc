"""The app is open while an agent works: what hooks and drain bring appears by itself."""

import asyncio
import time

from memdeck.tests import forked
from memdeck.tests.tui.person import text_of
from memdeck.tui.app import MemoryApp

SAID = "From now on always run `make test-db` before the integration tests, they need its data."
RULE = "Never commit to the main branch of this repository, always open a pull request instead."
PROMPT_S = 60.0


async def until(pilot, holds):
    """Wait for a state, not for a time; it has to come within `PROMPT_S`."""
    end = time.monotonic() + PROMPT_S
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.1)  # to look costs more than to wait


async def drain():
    """`memdeck drain` in a process of its own, while the app goes on."""
    done = await asyncio.to_thread(forked.run, "from memdeck.cli.main import main\nmain()", "drain")
    assert done.returncode == 0


async def test_the_open_app_shows_what_a_drain_brings(start, repo, home, no_drain):
    session = start("s1", repo)
    app = MemoryApp(home.path, str(repo))
    async with app.run_test(size=(140, 40)) as pilot:
        await until(pilot, lambda: "acme-api" in text_of(app))
        assert "make test-db" not in text_of(app)

        with no_drain():
            session.says(SAID)
            await asyncio.to_thread(session.stop)
        await drain()
        await until(pilot, lambda: "make test-db" in text_of(app))

        with no_drain():
            session.says(RULE)
            await asyncio.to_thread(session.end)
        await drain()
        await until(pilot, lambda: "Never commit to the main" in text_of(app))
        assert "make test-db" in text_of(app)
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
