"""What the journal's screen says: the filter understood, a line, an entry in full, its words."""

from typing import Any

import pytest
from textual import events

from memdeck import MemoryCoordinator

from .test_audit_view import Reader

MOST_ROWS = 40  # changed rows of an entry that are told in full
LONG = [f"w{number}" for number in range(600)]
FILTERS = (
    ("Agent", "session", ""),
    ("ACTION:Pin", "pin", ""),
    ("a1 MARINA", "import", ""),
    ("since:7d actor:person until:2026-03-18", "edit", ""),
    ("session:4f2a9c11-aa", "session", ""),
    ("yesterday edit", "edit", ""),
    ("retry:3 pin", "pin", "filter by action, actor"),
    ("actor:robot pin", "pin", "person, agent or rule"),
    ("since:soon pin", "pin", "wants 7d"),
    ("since:0001-01-01 pin", "pin", ""),
    ("memory: pin", "pin", "wants a value"),
    (": pin", "pin", "filter by"),
    (" ".join(f"v{number} v{number}" for number in range(64)), "", ""),
    (" ".join(f"v{number}" for number in range(65)), "", "Only the first 64 words"),
)
"""A filter, the newest entry that it finds, and what is said of it."""

COMPLETED = (
    ("act", "action:"),
    ("action:for", "action:forget"),
    ("pin actor:ag", "pin actor:agent"),
    ("memory:ab", "memory:ab"),
)


@pytest.fixture
def entries(core: MemoryCoordinator, clock: Any, utc: None) -> None:
    """What may be said of an entry, over two years; the clock stands at 20 March."""
    clock.forward(days=-369)
    budget = core.remember("The budget is 3 attempts, then fail.", tags=["queue"]).memory_id or ""
    clock.forward(days=365)
    words = core.remember(" ".join(LONG)).memory_id or ""
    core.edit(words, content=" ".join([*LONG[:300], "other", *LONG[301:]]))
    core.edit(words, title="How often [@click=app.quit]x[/foo]", content="Retry after a while.")
    core.edit(words, content="Deploys go out on Mondays")
    clock.forward(days=3)
    core.edit(budget, tags=["queue", "jitter"], importance=0.8)
    own = {"category": "warning", "details": {"category": "principle"}, "session": "4f2a9c11-aa"}
    core.session_seen("4f2a9c11-aa", "claude")
    core.session_goal("4f2a9c11-aa", "Read the tide tables at six")
    core.import_memories([{"content": "Every marina has an A1.", **own}])
    many = [{"content": f"Berth {number} is let by the month."} for number in range(MOST_ROWS + 20)]
    core.pin([one or "" for one in reversed(core.import_memories(many).ids)])
    clock.forward(days=1)
    core.resolve_conflict(core.mark_conflict(budget, words), "not_a_conflict")
    core.link(budget, words, "extends")
    core.set_switch("auto_memory", False)
    core.forget([budget, words], "not true any more")
    core.undo()


TOLD = {
    16: ("2 memories", "↶ taken back by #17", "“not true any more”", "nothing → forgotten"),
    15: ("added  setting auto memory\n",),
    14: ("+ ▎ The budget is 3 attempts, then fail\n", "+ ▎ How often [@click=app.quit]x[/foo]"),
    13: ("verdict         not a conflict",),
    11: (
        "60 memories",
        "Berth 59 is let",
        "Berth 20 is let",
        "confirmed → pinned",
        "and 80 more rows",
    ),
    9: ("category        warning", "4f2a9c11-aa\n\nsemantic\ncategory        principle\n"),
    6: ("importance      0.6 → 0.8\n", "tags            queue → queue, jitter"),
    5: ("Retry after a while. → Deploys go out on",),
    4: ("title\n− ▎ w0 w1", "+ ▎ How often [@click=app.quit]x[/foo]\n"),
    1: ("added  memory", "confidence      1\n"),
}
"""What is told of an entry, by its number."""

UNTOLD = ("forgotten text", "retired at", "revision", "updated at", "files", "\ndue", "“auto")


@pytest.fixture
def reading(open_app: Any) -> Any:
    return lambda size: open_app(view="audit", size=size)


async def lines_say_less_as_they_shrink(reader: Reader) -> None:
    await reader.press("z")
    await reader.person.rest()
    wide = reader.person.screen
    for words in ("#17 ", "Read the tide", "×2   not true any more", "#16 ↶"):
        assert words in wide
    assert wide.count("auto memory: off") == 1  # the reason is what it is called by
    assert "4f2a9c11" not in wide
    for name in ("Today 20", "Yesterday 19", "Monday 16"):
        assert f"  {name} March ──" in wide
    assert "  Sunday 16 March 2025 ──" in wide
    await reader.press("escape")
    await reader.person.rest()
    middle = reader.person.screen
    assert "Read the tide t" not in middle.replace("“Read", "")
    assert "The budget is 3 attempts, then fail  ×2" in middle
    await reader.pilot.resize_terminal(40, 30)
    await reader.person.rest()
    narrow = [line for line in reader.person.screen.splitlines() if " forget " in line]
    assert narrow == ["│  ● forget   The budget is 3…  ×2  ↶  │"]


async def an_entry_is_told_in_words(reader: Reader) -> None:
    for number in range(17, 0, -1):
        await reader.until(lambda number=number: f"#{number}" in reader.told)
        for words in TOLD.get(number, ()):
            assert words in reader.told
        for words in UNTOLD:
            assert words not in reader.told
        spans = reader.view.detail.text.render().spans
        is_marked = {side: [reader.told[one.start : one.end] for one in spans
                            if f"{side}-muted" in str(one.style)]
                     for side in ("error", "success")}  # fmt: skip
        if number == 3:  # of 600 words one is another
            assert is_marked == {"error": ["w300"], "success": ["other"]}
        if number == 4:  # nothing is shared, so nothing is picked out
            assert "after a while" in is_marked["success"][-1]
        await reader.press("j")


async def paste(reader: Reader, text: str) -> None:
    """Have this in the box instead of what is there."""
    await reader.press("/", "ctrl+u")
    reader.app.post_message(events.Paste(text))
    await reader.person.rest()


async def filters_are_understood_and_hint_at_what_is_not(reader: Reader) -> None:
    for text, finds, hint in FILTERS:
        await paste(reader, text)
        assert [row.split()[1] for row in reader.shown[:1]] == finds.split(), text
        assert hint in reader.status, text


async def the_last_word_is_completed(reader: Reader) -> None:
    for text, whole in COMPLETED:
        await paste(reader, text)
        await reader.press("right")
        assert reader.box.text == whole


async def quick_keys_set_replace_and_take_away(reader: Reader) -> None:
    await reader.press("/", *"pin", "enter")
    await reader.person.rest()
    for span in (" since:1h", " since:today", " since:7d", " since:30d", ""):
        await reader.press("f", "t")
        await reader.until(lambda span=span: reader.box.text == f"pin{span}")
        assert not reader.person.notices  # it is of no row, and may be chosen while it is read
    await paste(reader, "actor:agent since:7d")
    await reader.press("enter")
    await reader.person.rest()
    for text in ("since:7d", "since:7d actor:agent"):
        await reader.press("f", "a")
        await reader.until(lambda text=text: reader.box.text == text)


async def test_what_is_said_of_entries(reading: Any, entries: None, promises: Any):
    async with reading((140, 40)) as person:
        await promises.hold(
            Reader(person),
            lines_say_less_as_they_shrink,
            an_entry_is_told_in_words,
            filters_are_understood_and_hint_at_what_is_not,
            the_last_word_is_completed,
            quick_keys_set_replace_and_take_away,
        )
