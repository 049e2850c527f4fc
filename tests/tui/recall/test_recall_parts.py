"""Bars that add up, budgets that never hide what is too much, and times against their limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.tui.glyphs import ASCII, UNICODE
from memdeck.tui.widgets.budget_bar import budget_line, budget_lines, fill_of, share
from memdeck.tui.widgets.recall_latency import latency_line, middle
from memdeck.tui.widgets.recall_parts import REST, stacked, steps_of, waterfall

# -- budgets


@pytest.mark.parametrize(("used", "limit", "name", "glyph"), [
    (0, 100, "fine", "✓"), (84, 100, "fine", "✓"), (85, 100, "near", "▲"),
    (100, 100, "near", "▲"), (101, 100, "over", "!"), (0, 0, "fine", "✓"), (1, 0, "over", "!"),
])  # fmt: skip
def test_how_full_a_tier_is_shows_by_glyph_and_colour(used: int, limit: int, name: str, glyph: str):
    fill = fill_of(used, limit, UNICODE)
    assert (fill.name, fill.glyph) == (name, glyph)
    others = {fill_of(n, 100, UNICODE).ink for n in (0, 90, 200)}
    assert len(others) == 3
    assert fill_of(used, limit, ASCII).glyph.isascii()


@pytest.mark.parametrize(("used", "limit", "says"), [
    (0, 400, "0 %"), (399, 400, "99 %"), (400, 400, "100 %"), (401, 400, "101 %"),
    (1200, 400, "300 %"), (0, 0, "-"), (5, 0, "over"),
])  # fmt: skip
def test_a_share_is_a_hundred_only_when_it_is(used: int, limit: int, says: str):
    assert share(used, limit) == says


@given(st.integers(0, 99_999), st.integers(0, 99_999), st.integers(0, 120))
def test_a_bar_fits_and_says_its_numbers_wherever_there_is_room(used: int, limit: int, cells: int):
    for glyphs in (UNICODE, ASCII):
        line = budget_line("retrieval", used, limit, cells, glyphs)
        assert line.cell_length <= cells
        if cells >= 44:
            assert f"{used:,} of {limit:,}" in line.plain
            assert share(used, limit) in line.plain
            full = line.plain.count(glyphs.full)
            assert (line.plain.count(glyphs.empty) == 0) == (used >= limit and used > 0)
            assert bool(full) == (used > 0)


def test_over_the_limit_the_numbers_and_the_bar_say_so():
    line = budget_line("always", 430, 400, 60, UNICODE)
    assert line.plain.startswith("! always")
    assert line.plain.endswith("430 of 400  108 %")
    assert "over-budget" in str(line.spans)


def test_every_tier_with_a_limit_or_a_use_has_a_line():
    lines = budget_lines(
        (120, 500), {"always": 20, "other": 7}, {"always": 40, "summary": 0, "working": 9}, 60,
        UNICODE,
    )  # fmt: skip
    names = [line.plain.split()[1] if i < 3 else line.plain.split()[0] for i, line in
             enumerate(lines)]  # fmt: skip
    assert names == ["total", "always", "working", "other"]
    assert "7 tokens" in lines[-1].plain


def test_how_long_recall_takes_stands_below_the_tiers_against_its_limit():
    lines = budget_lines((120, 500), {"always": 20}, {"always": 40}, 60, UNICODE, (46, 200))
    assert lines[-1].plain.split()[1:3] == ["time", "p95"]
    assert lines[-1].plain.endswith("46 of 200 ms   23 %")
    assert len({line.cell_length for line in lines}) == 1  # aligned with the tiers
    late = budget_lines((1, 5), {}, {}, 60, UNICODE, (201, 200))[-1]
    assert late.plain.startswith("! time p95")


@pytest.mark.parametrize(("cells", "says"), [(31, "1,578 of 5,000"), (30, "1,578 of 5,000")])
def test_bars_keep_their_room_where_amounts_would_take_it(cells: int, says: str):
    (wide,) = budget_lines((1578, 5000), {}, {}, cells + 2, UNICODE)
    (narrow,) = budget_lines((1578, 5000), {}, {}, cells, UNICODE)
    assert says in wide.plain
    assert "1,578/5,000" in narrow.plain
    assert narrow.plain.count(UNICODE.full) + narrow.plain.count(UNICODE.empty) >= 4


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
