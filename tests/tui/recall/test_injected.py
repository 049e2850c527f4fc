"""Where a memory was told, as the Deck says it; and what leads from there to the receipts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memdeck.core.answers import Receipt
from memdeck.tui.glyphs import ASCII, UNICODE
from memdeck.tui.widgets.account import LAST_INJECTIONS, Account

from .story import PINNED, PROMPT

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def receipt(hours: int, **more: Any) -> Receipt:
    """One injection that told the memory "m", so many hours ago."""
    helpful = more.pop("helpful", None)
    values: dict[str, Any] = {
        "id": f"r{hours}", "at": NOW - timedelta(hours=hours), "host": "claude", "session": "s",
        "event": "UserPromptSubmit", "prompt_fingerprint": "f", "tokens": 9, "budget": 90,
        "latency_ms": 1.0, "left_out": (), "prompt": f"question {hours}",
        "items": ({"id": "other", "helpful": False}, {"id": "m", "helpful": helpful}),
    }  # fmt: skip
    return Receipt(**{**values, **more})


def written(*receipts: Receipt, width: int = 40) -> list[str]:
    """The lines that say where "m" was told."""
    account = Account(width, UNICODE, NOW)
    return [line.plain for line in account.injections(receipts, "m")]


def test_an_injection_is_a_line_with_its_time_host_prompt_and_what_was_said_of_it():
    head, *lines = written(
        receipt(1), receipt(2, host="gemini", helpful=True), receipt(30, helpful=False)
    )
    assert head.startswith("injected  I shows why")
    assert lines == [
        "  1h  claude  question 1",
        "  2h  gemini  + question 2",
        "  1d  claude  - question 30",
    ]


def test_hosts_of_several_lengths_stand_in_one_column():
    _, *lines = written(receipt(1), receipt(2, host="opencode"))
    assert lines == ["  1h  claude    question 1", "  2h  opencode  question 2"]


def test_the_last_ones_are_listed_and_i_shows_the_rest():
    head, *lines = written(*(receipt(hours) for hours in range(1, LAST_INJECTIONS + 2)))
    assert head.startswith("injected  I shows all")
    assert len(lines) == LAST_INJECTIONS


@pytest.mark.parametrize(("event", "more", "says"), [
    ("SessionStart", {"source": "resume"}, "session start, resume"),
    ("UserPromptSubmit", {}, "a prompt that was not kept"),
    ("SubagentStart", {"role": "tester"}, "subagent start, tester"),
    ("PreToolUse", {"files": ("src/queue.py", "b")}, "before a tool, src/queue.py"),
    ("Whenever", {}, "Whenever"),
])  # fmt: skip
def test_where_no_prompt_was_kept_the_occasion_is_named(
    event: str, more: dict[str, Any], says: str
):
    (_, line) = written(receipt(1, event=event, prompt=None, **more), width=60)
    assert line.endswith(f"claude  {says}")


@pytest.mark.parametrize("width", [16, 30, 42, 90])
def test_hostile_prompts_stay_on_their_line(width: int):
    nasty = "[/bold]\x1b[31m\nsecond line " + "很长" * 300
    (_, line) = written(receipt(1, prompt=nasty), width=width)
    assert "\n" not in line
    assert "\x1b" not in line
    assert line.endswith("…")
    content = Account(width, ASCII, NOW).injections([receipt(1, prompt=nasty)], "m")[1]
    assert content.cell_length <= max(width, 22)


async def test_the_deck_says_where_a_memory_was_told_and_leads_to_those_receipts(
    open_app: Callable[..., Any], known: dict[str, str], told: list[str]
):
    async with open_app(size=(120, 35)) as person:
        name = "retry"
        row = await person.store(lambda core: core.show(known[name]).num)
        memories = person.deck.memories
        memories.cursor = memories.pages.row_of(row)
        await person.until(lambda: known[name] in str(person.deck.detail.shown))
        await person.rest()
        assert "injected  I shows why" in person.screen
        assert f"1d  claude  {PROMPT[:12]}" in person.screen

        await person.press("I")
        await person.until(lambda: person.app.view == "recall")
        recall = person.app.stage.view("recall")
        await person.until(lambda: recall.receipts.opened is not None)
        await person.rest()
        assert [one.id for one in recall.receipts.listing.receipts] == [told[1]]
        # the cursor stands on the memory that one came for, not on the first that was told
        assert recall.answers.current.id == known[name]
        assert recall.answers.shown[0].id == known[PINNED]

        await person.press("enter")
        await person.rest()
        await person.press("plus")
        await person.until(lambda: recall.answers.current.helpful)
        await person.rest()
        await person.press("backspace")
        await person.until(lambda: person.app.view == "deck")
        await person.until(lambda: f"1d  claude  + {PROMPT[:12]}" in person.screen)
        await person.rest()
