"""Where a memory was told, as the Deck says it; and what leads from there to the receipts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rich.cells import cell_len

from memdeck import MemoryCoordinator, Receipt

from .story import PINNED, PROMPT

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
LAST = 3  # injections that the Deck lists


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


OCCASIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("SessionStart", {"source": "resume"}, "session start, resume"),
    ("UserPromptSubmit", {}, "a prompt that was not kept"),
    ("SubagentStart", {"role": "tester"}, "subagent start, tester"),
    ("PreToolUse", {"files": ("src/queue.py", "b")}, "before a tool, src/queue.py"),
    ("Whenever", {}, "Whenever"),
)
NASTY = "[/bold]\x1b[31m\nsecond line " + "很长" * 300

ROWS: tuple[tuple[str, list[Receipt], list[str]], ...] = (
    (
        "time, host, prompt, and what was said of it",
        [receipt(1), receipt(2, host="gemini", helpful=True), receipt(30, helpful=False)],
        ["  1h  claude  question 1", "  2h  gemini  + question 2", "  1d  claude  - question 30"],
    ),
    (
        "hosts of several lengths in one column",
        [receipt(1), receipt(2, host="opencode")],
        ["  1h  claude    question 1", "  2h  opencode  question 2"],
    ),
    (
        "the last ones, and the rest elsewhere",
        [receipt(hours) for hours in range(1, LAST + 2)],
        [f"  {hours}h  claude  question {hours}" for hours in range(1, LAST + 1)],
    ),
    *(
        (
            "where no prompt was kept, the occasion",
            [receipt(1, event=event, prompt=None, **more) for event, more, _ in some],
            [f"  1h  claude  {says}" for _, _, says in some],
        )
        for some in (OCCASIONS[:3], OCCASIONS[3:])
    ),
)


async def test_where_a_memory_was_told_is_a_line_each(
    open_app: Callable[..., Any],
    known: dict[str, str],
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    subtests: Any,
):
    clock.now = NOW
    receipts: list[Receipt] = []
    monkeypatch.setattr(MemoryCoordinator, "injections", lambda _, ref, most: named(receipts, ref))
    async with open_app(size=(150, 45)) as person:

        async def written() -> list[str]:
            """The lines that say where the memory was told."""
            await person.press("j", "k")
            await person.rest()
            lines = str(person.deck.query_one("#detail-text").render()).splitlines()
            begins = next(n for n, line in enumerate(lines) if line.startswith("injected"))
            assert ("I shows all" in lines[begins]) == (len(receipts) > LAST)
            return [line.rstrip() for line in lines[begins + 1 : begins + 1 + len(receipts)]]

        for promise, receipts[:], lines in ROWS:
            with subtests.test(promise=promise):
                assert (await written())[: len(lines)] == lines
        receipts[:] = [receipt(1, prompt=NASTY)]
        for columns in (40, 80, 120):  # hostile prompts stay on their line
            with subtests.test(columns=columns):
                await person.pilot.resize_terminal(columns, 45)
                [line] = await written()
                assert "\x1b" not in line
                assert line.endswith("…")
                assert cell_len(line) <= max(person.deck.detail.size.width, 22)


def named(receipts: list[Receipt], ref: str) -> list[Receipt]:
    """The receipts, of which each told this memory what it told "m"."""
    return [
        replace(one, items=tuple({**it, "id": ref} if it["id"] == "m" else it for it in one.items))
        for one in receipts
    ]


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
