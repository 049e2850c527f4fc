"""Bars that add up, budgets that never hide what is too much, times against their limit."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .story import PINNED, Tryer, Trying
from .test_receipts import to_receipts

RECALLS = 60
TIERS = {
    "always": (401, 400, "!", "401 of 400  101 %"),
    "working": (84, 100, ".", "84 of 100   84 %"),
    "retrieval": (85, 100, "^", "85 of 100   85 %"),
    "summary": (399, 400, "^", "399 of 400   99 %"),
    "full": (100, 100, "^", "100 of 100  100 %"),
    "unknown": (5, 0, "!", "5 of 0   over"),
    "empty": (0, 9, ".", "0 of 9    0 %"),
    "idle": (0, 0, "", ""),
}
"""By tier, what it holds, its limit, the sign before it and what stands at its end."""

SCORES = {
    "queue": ({"words": 2.0, "recency": 1.0, "access": 0.0004}, 3.0),
    "retry": ({"words": 0.5, "recency": 0.8, "status": 1.0, "files": 1.5}, 0.6),
    "lease": ({"words": 0.5}, 0.9),
    "tide": ({"words": 0.5001}, 0.5),
}
"""By memory, the parts of its score and what it came to."""

LINES = {
    "queue": [("rare", "+2.000"), ("recent", "+1.000"), ("score", "3.000")],
    "retry": [("rare", "+0.500"), ("recent", "-0.100 x0.80"), ("files", "+0.200 x1.50"),
              ("score", "0.600")],
    "lease": [("rare", "+0.500"), ("other", "+0.400"), ("score", "0.900")],
    "tide": [("rare", "+0.500"), ("score", "0.500")],
}  # fmt: skip
"""By memory, the line of each part: how it begins and ends."""


@pytest.fixture
def crafted(core: MemoryCoordinator, known: dict[str, str]) -> None:
    """Many quick recalls with a slow one among them, which told more than they may."""
    told = [{"id": known[PINNED], "score": 1.0, "parts": {"pinned": 1.0}, "tokens": 9}]
    told += [{"id": known[name], "score": score, "parts": parts, "tokens": 9}
             for name, (parts, score) in SCORES.items()]  # fmt: skip
    for number in range(RECALLS):
        assert core.keep_receipt(
            {
                "id": core.context.new_id(),
                "at": core.now_ms() + number,
                "host": "claude",
                "project": core.project_id,
                "session": "s1",
                "event": "UserPromptSubmit",
                "prompt_fingerprint": "x",
                "tokens": 1_578,
                "budget": 5_000,
                "items": told,
                "per_tier": {name: used for name, (used, *_) in TIERS.items()} | {"other": 7},
                "limits": {name: limit for name, (_, limit, *_) in TIERS.items()},
                "left_out": [],
                "latency_ms": 450.0 if number == 8 else number + 1.0,
            }
        )


async def each_tier_has_a_bar_a_sign_and_its_numbers(person: Tryer) -> None:
    pane = person.view.answers.budget.text
    shown = {line[2:].split()[0]: line for line in pane.render().plain.splitlines() if line}
    for name, (used, limit, sign, ends) in TIERS.items():
        assert (name in shown) == bool(ends)
        if ends:
            line = shown[name]
            assert line.startswith(f"{sign} {name}")
            assert line.endswith(ends)
            assert (used > 0) == ("#" in line)
            assert ("-" not in line) == (used >= limit)
    assert shown["total"].endswith("1,578 of 5,000   31 %")
    assert shown["other"].endswith("other      7 tokens")


async def parts_begin_where_the_last_one_ended_and_end_at_the_score(person: Tryer) -> None:
    for name, expected in LINES.items():
        await person.to(name)
        lines = person.view.answers.why.text.render().plain.splitlines()
        last = next(n for n, line in enumerate(lines) if line.startswith("score"))
        parts = lines[last + 1 - len(expected) : last + 1]
        for line, (begins, ends) in zip(parts, expected, strict=True):
            assert line.startswith(begins), line
            assert line.endswith(f" {ends}"), line
        assert "#" not in lines[last - len(expected)]
        if name == "queue":
            assert parts[1].index("#") == parts[0].rindex("#") + 1
            assert parts[2].rindex("#") == parts[1].rindex("#")
    row = next(line for line in person.screen.splitlines() if "The queue timeout" in line)
    assert "#####===" in row  # its parts differ without colour too


async def a_spike_among_many_times_stays_one_and_is_counted(person: Tryer) -> None:
    line = next(line for line in person.screen.splitlines() if "p50" in line)
    blocks, numbers = line.split("  p50 ")
    assert numbers.strip() == "31.0 ms  p95 58.0 ms  !1 over limit 200 ms"
    assert (blocks.count("#"), len(blocks.strip())) == (1, 40)


async def test_what_bars_promise(
    trying: Trying, crafted: None, monkeypatch: pytest.MonkeyPatch, subtests: Any
):
    monkeypatch.setenv("LC_ALL", "C")  # bars of the other set are in the goldens
    async with trying((140, 60)) as person:
        await to_receipts(person)
        for promise in (
            each_tier_has_a_bar_a_sign_and_its_numbers,
            a_spike_among_many_times_stays_one_and_is_counted,
            parts_begin_where_the_last_one_ended_and_end_at_the_score,
            in_a_narrow_place_numbers_are_written_so_that_bars_keep_their_room,
        ):
            with subtests.test(promise=promise.__name__):
                await promise(person)


async def in_a_narrow_place_numbers_are_written_so_that_bars_keep_their_room(
    person: Tryer,
) -> None:
    pane = person.view.answers.budget.text
    await person.pilot.resize_terminal(80, 60)
    await person.rest()
    lines = pane.render().plain.splitlines()
    narrow = next(line for line in lines if "total" in line)
    assert "1,578/5,000" in narrow
    assert narrow.count("#") + narrow.count("-") >= 4
    assert max(map(len, lines)) <= pane.size.width
    assert "p50 31.0 ms  p95 58.0 ms  !1 over limit 200 ms" in person.screen
