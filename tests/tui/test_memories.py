"""Memories: search as one types, read, write, mark, undo, time travel, export."""

import json

import pytest


def sections(person):
    """The headings of the memory that is shown."""
    document = person.memories.pane.document
    return {part.title for part in document.sections} if document else set()


async def test_one_finds_reads_writes_and_undoes(open_app, harbour):
    async with open_app() as person:
        await person.until_shown("Tide tables", "1 of 5", "newest first")
        await person.type("/deplyo mondays")  # with a slip
        await person.until(lambda: person.titles[:1] and person.here.startswith("Deploys"))
        await person.press("enter", "w")
        await person.until(lambda: {"Why it matches", "Numbers", "History"} <= sections(person))
        await person.press("w", "p")
        await person.until(lambda: any(one.startswith("Pinned") for one in person.notices))
        for number in range(5):
            await person.store(
                lambda core, n=number: core.remember(f"Buoy {n} is green.", pin=True)
            )
        await person.press("p", "p", until=lambda: person.said("6 of 6 pins fit"))
        await person.until_shown("6 of 6 pins fit into a start")
        await person.press("escape", "escape")
        await person.burst(["slash", *"queue", "enter", "e", *" XY", "ctrl+s"])
        await person.until(lambda: any(one.startswith("Saved") for one in person.notices))
        queue = await person.store(lambda core: core.show(harbour["queue"].id))
        assert queue.content.endswith(" XY")  # the cursor begins at the end
        await person.press("u", until=lambda: person.said("Undid edit"))
        queue = await person.store(lambda core: core.show(harbour["queue"].id))
        assert not queue.content.endswith(" XY")
        for keys, has_it in (("+ops -none", True), ("-ops", False)):
            await person.settle_burst(["t", *keys, "enter"])
            queue = await person.store(lambda core: core.show(harbour["queue"].id))
            assert ("ops" in queue.tags) is has_it


@pytest.mark.usefixtures("harbour")
async def test_marked_memories_are_forgotten_in_one_act_after_its_preview(open_app):
    async with open_app() as person:
        await person.press("A", "x", until="Forget 5")
        await person.press("enter", until="Nothing is remembered for harbour yet.")
        await person.press("u", until=lambda: len(person.titles) == 5)
        await person.settle("A", "x", "escape")
        assert len(person.titles) == 5


@pytest.mark.usefixtures("harbour")
async def test_a_query_looks_back_offers_what_finds_something_and_is_exported(open_app, tmp_path):
    target = tmp_path / "harbour.jsonl"
    async with open_app() as person:
        await person.type("/at:#2")
        await person.until_shown("as of #2, read only", "2 hits")
        assert person.here.startswith("Queue timeout")
        await person.press("enter", "x", until=lambda: person.said("as of #2"))
        await person.press("escape", "escape", until=lambda: len(person.titles) == 5)

        await person.type("/tag:deploy type:working")
        await person.until_shown("Nothing matches.", "clear the query")
        await person.press("escape", "escape", until=lambda: len(person.titles) == 5)

        await person.type("/tag:harbour")
        await person.until_shown("5 of 5")
        await person.press("enter", "y", "J", until=lambda: person.dialog() == "Ask")
        await person.press("ctrl+u", *str(target), "enter", until=target.exists)
        await person.until(lambda: any(one.startswith("Wrote 5") for one in person.notices))
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(lines) == 5
        assert lines[0]["content"].startswith("Tide tables")


async def test_what_others_write_appears_at_the_top_and_moves_nothing(open_app, core, harbour):
    del harbour
    async with open_app() as person:
        await person.store(lambda lane: lane.remember("Pilots board at the outer buoy."))
        await person.until_shown("Pilots board")
        assert person.here.startswith("Tide tables")
        await person.press("j", "j")
        here = person.here
        await person.store(lambda lane: lane.remember("Tugs wait on channel twelve."))
        await person.until(lambda: len(person.titles) == 7)
        assert person.here == here


@pytest.fixture
def app(tmp_path):
    """A repository with a rule, of which Claude Code remembers nothing yet."""
    (tmp_path / "app/.git/objects").mkdir(parents=True)
    (tmp_path / "app/.git/HEAD").write_text("ref: refs/heads/main")
    (tmp_path / "app/AGENTS.md").write_text("- Moor at the outer pier only.\n")
    return tmp_path / "app"


def claude_remembers(app):
    """What Claude Code writes into its own memory."""
    slug = "".join(sign if sign.isalnum() else "-" for sign in str(app))
    folder = app.parent / "person/.claude/projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- [Gone](gone.md)\n")
    (folder / "a.md").write_text("Berth twelve floods at spring tide.\n")
    return folder


async def test_an_empty_list_offers_what_agents_remember_as_it_comes(open_app, app):
    async with open_app(project=str(app)) as person:
        await person.until_shown("Instruction files hold 1 rule.", "take or share them")
        claude_remembers(app)
        await person.until_shown("Claude Code remembers 1 thing here; 1 is never loaded.")
        await person.press("enter", until="All 2 that memdeck lacks")
        await person.press("enter")
        await person.until(lambda: any(one.startswith("Took 2 mem") for one in person.notices))
        await person.until(lambda: len(person.titles) == 2)


@pytest.mark.parametrize(
    ("keys", "shown", "name", "after"),
    [
        (
            "r",
            "-- [Gone](gone.md)",
            "MEMORY.md",
            "- [a](a.md) — Berth twelve floods at spring tide\n",
        ),
        ("j x", "-Berth twelve floods", "a.md", None),
    ],
)
async def test_what_an_agent_remembers_is_changed_there_and_undone_with_one_key(
    keys, shown, name, after, open_app, app
):
    file = claude_remembers(app) / name
    before = file.read_text()
    async with open_app(project=str(app)) as person:
        await person.until_shown("Claude Code remembers 1 thing here")
        await person.press("S")
        await person.until_shown("1 file without an index line", "repair the indexes")
        await person.press(*keys.split())
        await person.until_shown(shown, "Write it")
        assert file.read_text() == before
        await person.press("y")
        await person.until(lambda: any(one.startswith("Changed") for one in person.notices))
        assert (file.read_text() if file.exists() else None) == after
        await person.press("u", until=lambda: file.exists() and file.read_text() == before)


async def test_a_fact_is_shared_and_written_to_another_agent(open_app, app):
    claude_remembers(app)
    person_home = app.parent / "person"
    (person_home / ".codex").mkdir()
    (person_home / ".codex/config.toml").write_text("[features]\nmemories = true\n")
    async with open_app(project=str(app)) as person:
        await person.until_shown("Claude Code remembers 1 thing here")
        await person.type("/source:claude")
        await person.until_shown("what agents remember by themselves")
        await person.press("enter", "enter")  # to the list, and what it offers
        await person.until_shown("What agents remember", "All 1 that")
        assert "outer pier" not in person.screen
        await person.press("a")
        await person.until(lambda: person.titles == ["Berth twelve floods at spring tide"])
        await person.press("S", "w", until="Codex's memory")
        await person.press("j", "enter")
        await person.until_shown("+Berth twelve floods", "Write it")
        await person.press("y")
        notes = person_home / ".codex/memories/extensions/ad_hoc/notes"
        await person.until(lambda: len([*notes.glob("*.md")]) == 1)
        await person.press("u", until=lambda: not [*notes.glob("*.md")])


async def test_a_new_memory_is_under_the_cursor(open_app, core):
    del core
    async with open_app(view="memories") as person:
        await person.until_shown("Nothing is remembered")
        await person.burst(["c", *"Moor at berth nine.", "ctrl+s"])
        await person.until(lambda: any(one.startswith("Remembered") for one in person.notices))
        await person.until(lambda: person.here.startswith("Moor at berth nine"))


async def test_the_fields_of_a_type_are_set_in_the_form_and_refused_at_their_place(
    open_app, harbour
):
    steps = "How to paint a quay:\n1. Sand it\n2. Paint it twice"
    async with open_app() as person:
        task, work = [
            await person.store(lambda core, t=text, k=kind: core.remember(t, type=k).memory_id)
            for text, kind in (("Paint the quay of pier C", "prospective"), (steps, "procedural"))
        ]
        await person.until(lambda: len(person.titles) == len(harbour) + 2)

        async def edit(words, **fields):
            await person.burst(["slash", *words, "enter", "e"])
            await person.until(lambda: person.dialog() == "EditMemory")
            for name, text in fields.items():
                person.app.screen.query_one(f"#edit-own-{name}").value = text
            await person.settle("ctrl+s")

        await edit("pier", priority="9")
        await person.until_shown("details.priority cannot be 9", "Give 1 to 5.")
        form = person.app.screen
        assert form.focused.id == "edit-own-priority"
        assert not form.query("#edit-own-due_at, #edit-own-status")
        form.query_one("#edit-own-priority").value = "5"
        form.query_one("#edit-own-trigger_type").value = "event"
        form.query_one("#edit-own-trigger_condition").value = "the paint arrives"
        await person.press("ctrl+s", until=lambda: person.dialog() != "EditMemory")
        details = (await person.store(lambda core: core.show(task))).details
        wanted = {"priority": 5, "trigger_type": "event", "trigger_condition": "the paint arrives"}
        assert details.items() >= wanted.items()
        await edit("sand", steps="Sand it; Wash it; Paint it twice")
        changed = (await person.store(lambda core: core.show(work))).details
        assert changed["steps"] == ["Sand it", "Wash it", "Paint it twice"]
        await person.settle("u")
        undone = (await person.store(lambda core: core.show(work))).details
        assert undone["steps"] == ["Sand it", "Paint it twice"]
