"""The screen Prompts: sessions with their prompts, what each received, and a prompt to try."""

import asyncio

import pytest
from textual import events

from memdeck import MemoryCoordinator

TEXTS = {
    "retry": "The retry budget of the webhook worker is three attempts, then the job fails.",
    "queue": "The queue timeout of the webhook worker is 30 seconds, as the provider retries.",
    "lease": "A webhook worker takes a lease of one minute on each job before it begins.",
    "deploy": "Deploys go out on Mondays before noon, never on a Friday.",
    "tide": "Tide tables are read from the port authority at six in the morning.",
}
ASKED = "why does the webhook worker retry, and how long is its queue timeout?"
LATER = "when do the deploys go out?"


@pytest.fixture
def ids(home_path, clock):
    """Return ids by short name: two sessions have received memories of the store."""
    with MemoryCoordinator.open(str(home_path), "harbour", clock=clock) as core:
        ids = {}
        for name, text in TEXTS.items():
            clock.forward(minutes=1)
            ids[name] = core.remember(text, pin=name == "deploy").memory_id or ""
        core.session_seen("s-1", "claude")
        core.session_goal("s-1", "Mend the webhooks")
        core.recall(ASKED, host="claude", session="s-1")
        clock.forward(minutes=5)
        core.session_seen("s-2", "codex")
        core.session_goal("s-2", "Plan the deploys")
        clock.forward(minutes=1)
        core.recall(LATER, host="codex", session="s-2")
        return ids


@pytest.fixture
def hostile(home_path, clock):
    """Return a prompt with markup and control codes that a session was asked."""
    prompt = "[bold]x[/] [link=a]\x1b[2J\u202e deploys"
    with MemoryCoordinator.open(str(home_path), "harbour", clock=clock) as core:
        core.remember("[red]Deploys[/red] go out on Mondays.")
        core.session_seen("s-9", "claude")
        core.session_goal("s-9", prompt)
        core.recall(prompt, session="s-9")
    return prompt


def rows(person):
    """The rows of the tree: kind and title."""
    listing = person.app.stage.view("prompts").list
    return [(row.kind, row.title) for row in map(listing.row, range(len(listing.keys))) if row]


def here(person):
    row = person.app.stage.view("prompts").list.current
    return (row.kind, row.title)


async def test_the_newest_prompt_stands_open_with_its_text_and_reasons(open_app, ids):
    async with open_app(view="prompts") as person:
        await person.until_shown("Try a prompt", "Plan the deploys", "Mend the webhooks", LATER)
        assert here(person) == ("prompt", LATER)
        await person.until_shown("Deploys go out on", "it is pinned", "cost")
        assert "score" not in person.screen
        await person.press("w")
        await person.until_shown("budget", "w hides the numbers")
        await person.press("w", "enter", "j")  # the memories of the prompt
        assert here(person)[0] == "memory"
        assert TEXTS["deploy"].startswith(here(person)[1][:20])
        await person.until_shown("why", "it is pinned")
        await person.press("escape", "escape")
        assert here(person) == ("session", "Plan the deploys")
        await person.until_shown("began", "received", "1 memory")
        await person.press("j", "j", "j", "enter", until=lambda: ("prompt", ASKED) in rows(person))
        listing = person.app.stage.view("prompts").list
        counts = [listing.row(index).count for index, row in enumerate(rows(person))
                  if row[0] == "session"]  # fmt: skip
        assert counts == [1, 1]
        assert [kind for kind, _ in rows(person)].count("prompt") == sum(counts)


async def test_keys_typed_at_once_act_on_the_memory_that_they_reach(open_app, ids):
    async with open_app(view="prompts") as person:
        await person.rest()
        await person.burst("/webhook")
        await person.press("enter", until=lambda: ("prompt", ASKED) in rows(person))
        assert ("prompt", LATER) not in rows(person)
        await person.burst(["j", "enter", "j", "j", "+"], until=lambda: person.said("Helpful"))
        await person.rest()
        title = here(person)[1]
        name = next(name for name, text in TEXTS.items() if text.startswith(title[:20]))
        memory = await person.store(lambda core: core.show(ids[name]))
        assert (memory.helpful, memory.unhelpful) == (1, 0)
        await person.burst("-", until=lambda: person.said("Not helpful"))
        await person.rest()
        assert here(person)[1] == title
        await person.burst("x", until=lambda: person.said("Forgot"))
        await person.settle("u")
        memory = await person.store(lambda core: core.show(ids[name]))
        assert (memory.unhelpful, memory.retired_at) == (1, None)


async def test_a_prompt_is_tried_with_another_agent(open_app, ids):
    async with open_app(view="prompts") as person:
        await person.rest()
        await person.press("@", until=lambda: person.said("Try a prompt first"))
        await person.burst(["c", *"tide tables?", "enter"])
        await person.until(lambda: here(person) == ("try", "Try: tide tables?"))
        await person.until_shown("read from the port authority")
        await person.rest()
        assert sum(kind == "memory" for kind, _ in rows(person)[:3]) >= 1
        expected = await person.store(
            lambda core: core.recall("tide tables?", host="codex", write_receipt=False)
        )
        view = person.app.stage.view("prompts")
        assert view.trial.injection.text == expected.text  # it was the receipt's agent
        before = await person.store(lambda core: len(core.receipts()))
        await person.press("@")
        await person.until_shown("Try with which agent?", "Gemini CLI")
        await person.press("j", "j", "enter")  # from the agent in force
        await person.until(lambda: view.trial.question.host == "gemini")
        await person.until_shown("@ gemini")
        assert view.trial.injection.text != expected.text
        assert await person.store(lambda core: len(core.receipts())) == before
        await person.press("k", "j")
        assert here(person)[0] == "memory"
        await person.press("+", until=lambda: person.said("Only a memory that an agent"))


async def test_a_memory_is_pinned_and_the_text_copied_where_it_was_injected(open_app, ids):
    async with open_app(view="prompts") as person:
        await person.rest()
        await person.burst(["p"], until=lambda: person.said("Choose a memory"))
        await person.burst(["enter", "j", "p"], until=lambda: person.said("Unpinned"))
        assert (await person.store(lambda core: core.show(ids["deploy"]))).status == "confirmed"
        await person.press("y", "m", until=lambda: "## Deploys go out on" in person.app.clipboard)
        await person.press("o", until=lambda: person.said("Its transcript is not"))


async def test_a_long_paste_is_cut_and_keeps_its_lines(open_app, ids):
    async with open_app(view="prompts") as person:
        await person.rest()
        await person.press("c")
        person.app.post_message(events.Paste("tide\r\ntables\x1b" + "x" * 1_000_000))
        view = person.app.stage.view("prompts")
        await person.until(lambda: len(view.prompt.text) > 19_900)
        assert view.prompt.text.startswith("tide\ntables\u241b")
        await person.burst(["enter", "c", *"tide", "enter"])
        await person.until(lambda: here(person) == ("try", "Try: tide"))


async def test_from_a_memory_one_comes_to_the_prompts_that_received_it(open_app, ids):
    async with open_app(select=ids["queue"]) as person:
        await person.rest()
        await person.press("i", until=lambda: person.app.view == "prompts")
        await person.until_shown("Prompts with The queue timeout")
        await person.rest()
        assert [row for row in rows(person) if row[0] == "prompt"] == [("prompt", ASKED)]
        assert here(person) == ("prompt", ASKED)
        await person.press("escape", until="Plan the deploys")
        await person.burst(["enter", "j", "enter"])  # the prompt opens, then its first memory
        await person.until(lambda: person.app.view != "prompts")


async def test_what_a_hook_injects_meanwhile_arrives_and_the_cursor_stays(
    open_app, ids, home_path, clock
):
    async with open_app(view="prompts") as person:
        await person.until_shown(LATER)
        assert here(person) == ("prompt", LATER)

        def arrive():
            with MemoryCoordinator.open(str(home_path), "harbour", clock=clock) as core:
                core.recall("which tide tables are read?", host="codex", session="s-2")

        await asyncio.to_thread(arrive)
        await person.until(lambda: ("prompt", "which tide tables are read?") in rows(person))
        assert here(person) == ("prompt", LATER)


async def test_every_size_shows_the_tree_and_leads_to_the_text(open_app, ids):
    sizes = [(40, 12), (60, 20), (80, 24), (120, 35), (200, 50)]
    async with open_app(size=sizes[0], view="prompts") as person:
        await person.until(lambda: here(person) == ("prompt", LATER))
        async for _, height in person.sizes(sizes):
            lines = person.screen.splitlines()
            assert len(lines) <= height
            assert any("when do the" in line for line in lines)
            await person.settle("l")
            await person.until_shown("Deploys go out on")
            await person.press("escape")
            assert any("when do the" in line for line in person.screen.splitlines())
        await person.pilot.resize_terminal(*sizes[0])
        await person.burst(["c", *"tide", "enter"])
        await person.until(lambda: here(person) == ("try", "Try: tide"))


async def test_an_empty_store_says_what_the_screen_is_for(open_app):
    async with open_app(view="prompts") as person:
        await person.until_shown("Try a prompt", "What would an agent receive?")


async def test_hostile_prompts_are_shown_as_text(open_app, hostile):
    async with open_app(view="prompts") as person:
        await person.until_shown("[bold]x[/]", "[red]Deploys[/red]")
        assert hostile not in person.screen
