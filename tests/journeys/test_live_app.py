"""The app is open while an agent works: what hooks and drain bring appears by itself."""

import asyncio

from memdeck.tests import forked
from memdeck.tests.tui.person import Person
from memdeck.tui.app import MemoryApp

SAID = "From now on always run `make test-db` before the integration tests, they need its data."
RULE = "Never commit to the main branch of this repository, always open a pull request instead."


async def drain():
    """`memdeck drain` in a process of its own, while the app goes on."""
    done = await asyncio.to_thread(forked.run, "from memdeck.cli.main import main\nmain()", "drain")
    assert done.returncode == 0


async def test_the_open_app_shows_what_a_drain_brings(start, repo, home, no_drain):
    session = start("s1", repo)
    app = MemoryApp(home.path, str(repo))
    async with app.run_test(size=(140, 40)) as pilot:
        person = Person(app, pilot)
        await person.until_shown("acme-api")
        assert "make test-db" not in person.screen

        with no_drain():
            session.says(SAID)
            await asyncio.to_thread(session.stop)
        await drain()
        await person.until_shown("make test-db")

        with no_drain():
            session.says(RULE)
            await asyncio.to_thread(session.end)
        await drain()
        await person.until_shown("Never commit to the main")
        assert "make test-db" in person.screen
        await person.rest()
