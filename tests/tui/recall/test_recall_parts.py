"""Bars that add up, budgets that never hide what is too much, and times against their limit."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memdeck import MemoryCoordinator
from memdeck.tui.glyphs import ASCII, UNICODE
from memdeck.tui.widgets.recall_latency import latency_line, middle
from memdeck.tui.widgets.recall_parts import REST, stacked, steps_of, waterfall

from .story import PROMPT

# -- budgets

TIERS = {
    "empty": (0, 100, "✓", "0 %"),
    "below": (84, 100, "✓", "84 %"),
    "near": (85, 100, "▲", "85 %"),
    "almost": (399, 400, "▲", "99 %"),
    "full": (400, 400, "▲", "100 %"),
    "over": (401, 400, "!", "101 %"),
    "threefold": (1200, 400, "!", "300 %"),
    "unmeant": (5, 0, "!", "over"),
}
"""A tier: tokens used, of how many, the sign before its bar, and the share behind it."""


async def test_how_full_a_tier_is_shows_by_sign_colour_bar_and_share(
    trying: Any, home_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: Any
):
    recall, health = MemoryCoordinator.recall, MemoryCoordinator.health
    per_tier = {name: used for name, (used, _, _, _) in TIERS.items()} | {"free": 7}
    limits = {name: limit for name, (_, limit, _, _) in TIERS.items()} | {"nothing": 0}
    told = {"tokens": 120, "budget": 500, "per_tier": per_tier, "limits": limits}
    p95 = [46.0]

    def full(core: MemoryCoordinator, *prompt: Any, **more: Any) -> Any:
        return replace(recall(core, *prompt, **more), **told)

    monkeypatch.setattr(MemoryCoordinator, "recall", full)
    monkeypatch.setattr(
        MemoryCoordinator, "health", lambda core: health(core)._replace(p95_ms=p95[0])
    )
    async with trying(size=(160, 45)) as person:
        await person.ask(PROMPT)
        lines = bars(person)
        assert set(lines) == {"total", *TIERS, "time", "free"}
        assert len({cell_len(line) for line, _ in lines.values()}) <= 2  # aligned
        for name, (used, limit, sign, share) in TIERS.items():
            with subtests.test(tier=name):
                line, inks = lines[name]
                assert line.startswith(f"{sign} {name}")
                assert line.endswith(f"{used:,} of {limit:,}  {share:>5}")
                assert ("━" in line) == (used > 0)
                assert ("─" in line) == (not used or used < limit)
                assert ("over-budget" in inks) == (sign == "!")
        assert len({lines[name][1] for name in ("empty", "near", "over")}) == 3
        assert "7 tokens" in lines["free"][0]
        assert lines["time"][0].startswith("✓ time p95")
        assert lines["time"][0].endswith("46 of 200 ms   23 %")

    (home_path / "config.toml").write_text("[app]\nascii_glyphs = true\n")
    p95[0], amounts = 201.0, set()
    async with trying(size=(160, 45)) as person:
        await person.ask(PROMPT)
        lines = bars(person)
        for name, (_, _, sign, _) in TIERS.items():
            plain = {"✓": ".", "▲": "^", "!": "!"}[sign]
            assert lines[name][0].startswith(f"{plain} {name}")
            assert lines[name][0].isascii()
        told |= {"tokens": 1578, "budget": 5000, "per_tier": {}, "limits": {}}
        for columns in (160, 120, 100, 80, 60):
            with subtests.test(columns=columns):
                await person.pilot.resize_terminal(columns, 45)
                await person.ask(f"{PROMPT} {columns}")
                lines = bars(person)
                total = lines["total"][0]
                amounts |= {one for one in ("1,578 of 5,000", "1,578/5,000") if one in total}
                assert total.count("=") + total.count("#") + total.count("-") >= 4
                assert lines["time"][0].startswith("! time p95")
                assert cell_len(total) <= columns
        assert "1,578 of 5,000" in amounts


AMOUNT = re.compile(r"\d( of |/)\d")


def bars(person: Any) -> dict[str, tuple[str, str]]:
    """The lines of the budget by what each is of, with their colours."""
    answers, found = person.view.answers, {}
    for pane in (answers.budget, answers.why):
        text = pane.text.render()
        for line in text.split("\n"):
            words = line.plain.split()
            if words[:1] and words[0] in tuple("✓▲!.^") and AMOUNT.search(line.plain):
                found[words[1]] = (line.plain.rstrip(), str([one.style for one in line.spans]))
            elif words[:1] == ["free"]:
                found[words[0]] = (line.plain.rstrip(), "")
    return found


# -- scores


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-2, 4), max_size=8),
    st.floats(-2, 12),
)
def test_steps_begin_at_nothing_and_end_at_the_score(parts: dict[str, float], score: float):
    steps = steps_of(parts, score)
    so_far = 0.0
    for step in steps:
        assert step.start == pytest.approx(so_far, abs=1e-6)
        so_far = step.end
    assert so_far == pytest.approx(score, abs=max(0.0021, abs(score) * 0.0101))


def test_parts_that_are_multiplied_show_their_factor_and_what_it_adds():
    steps = steps_of({"words": 0.5, "recency": 0.8, "status": 1.0, "files": 1.5}, 0.6)
    assert [(step.name, step.factor) for step in steps] == [
        ("words", None), ("recency", 0.8), ("files", 1.5),
    ]  # fmt: skip
    assert [step.adds for step in steps] == pytest.approx([0.5, -0.1, 0.2])


def test_what_the_parts_leave_unexplained_is_named():
    assert [step.name for step in steps_of({"words": 0.5}, 0.9)] == ["words", REST]
    assert [step.name for step in steps_of({"words": 0.5001}, 0.5)] == ["words"]


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 4), max_size=8),
    st.integers(1, 20),
    st.floats(0, 10),
)
def test_a_stacked_bar_takes_its_cells_whatever_it_shows(
    parts: dict[str, float], cells: int, most: float
):
    for glyphs in (UNICODE, ASCII):
        pieces = stacked(steps_of(parts, sum(parts.values())), cells, most, glyphs)
        assert sum(len(text) for text, _ in pieces) == cells


def test_parts_beside_each_other_differ_without_colour_too():
    pieces = stacked(steps_of({"a": 1.0, "b": 1.0, "c": 1.0}, 3.0), 9, 3.0, UNICODE)
    assert [text for text, _ in pieces if text.strip()] == ["███", "▓▓▓", "▒▒▒"]


def test_a_waterfall_ends_in_the_score_and_each_bar_begins_where_the_last_one_ended():
    lines = [line.plain for line in waterfall({"words": 2.0, "recency": 1.0}, 3.0, 60, UNICODE)]
    assert lines[0].split()[-1] == "+2.000"
    assert lines[1].split()[-1] == "+1.000"
    assert lines[-1].split()[-1] == "3.000"
    ends = lines[0].rindex("█") + 1
    assert lines[1].index("█") == ends
    assert lines[-1].rindex(UNICODE.full) == lines[1].rindex("█")


def test_a_part_that_would_read_as_nothing_has_no_line():
    lines = waterfall({"words": 0.3, "recency": 0.0004, "access": 0.0005}, 0.3009, 60, UNICODE)
    assert [line.plain.split()[0] for line in lines] == ["rare", "often", "score"]


# -- times


def test_no_recalls_yet_is_a_sentence():
    assert latency_line([], 200, 80, UNICODE).plain == "no retrievals yet"


@pytest.mark.parametrize(
    ("times", "half"), [([5.0], 5.0), ([1.0, 9.0], 1.0), ([3.0, 1.0, 2.0], 2.0)]
)
def test_the_middle_is_one_of_the_times(times: list[float], half: float):
    assert middle(times) == half
    assert middle([]) == 0.0


@given(st.lists(st.floats(0, 5_000), min_size=1, max_size=100), st.integers(0, 120))
def test_the_line_of_times_fits(times: list[float], cells: int):
    assert latency_line(times, 200, cells, UNICODE).cell_length <= cells
    assert latency_line(times, 200, cells, ASCII).plain.isascii() or cells < 60


def test_times_over_the_limit_are_counted_and_a_spike_stays_one():
    times = [5.0] * 99 + [450.0]
    line = latency_line(times, 200, 100, UNICODE).plain
    assert "!1 over" in line
    assert "limit 200 ms" in line
    assert line.count("█") == 1
    assert "over" not in latency_line([200.0] * 5, 200, 100, UNICODE).plain


def test_while_recall_looks_at_less_the_line_says_so():
    line = latency_line([450.0] * 9, 200, 100, UNICODE, is_degraded=True)
    assert line.plain.endswith("degraded: looks at less")
    assert "degraded" not in latency_line([450.0] * 9, 200, 100, UNICODE).plain
