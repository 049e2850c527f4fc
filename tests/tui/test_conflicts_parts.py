"""What the workbench is made of: lines in pairs, accounts of one height, guesses, the head."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memdeck.core.answers import Link
from memdeck.core.judgements import VERDICTS, Conflict
from memdeck.core.values import NOWHERE, Memory, Origin
from memdeck.tui.glyphs import ASCII, UNICODE
from memdeck.tui.views.conflicts.guess import guessed_context
from memdeck.tui.widgets.conflict_head import SHORT_VERDICTS, VERDICT_WORDS, ConflictHead
from memdeck.tui.widgets.side_account import Frame, Pair, Side, both_sides, titles_of
from memdeck.tui.widgets.side_lines import (
    LONGEST_TEXT,
    MOST_LINES,
    are_alike,
    line_content,
    side_lines,
)

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)


def a_memory(text: str, **more: Any) -> Memory:
    """A memory with this text; what is not said is as dull as it can be."""
    given = {
        "id": "5nyx8se000000000", "num": 1, "short_id": "5nyx8se", "key": None,
        "type": "semantic", "category": "decision", "scope": "project", "project": "harbour",
        "status": "confirmed", "title": text[:40], "content": text, "importance": 0.6,
        "confidence": 1.0, "privacy": "public", "tags": (), "files": (), "origin": NOWHERE,
        "tokens": 9, "created_at": NOW - timedelta(days=6), "updated_at": NOW, "due": None,
        "expires": None, "retired_at": None, "retired_as": None, "details": {},
    }  # fmt: skip
    return Memory(**{**given, **more})


def a_pair(first: Memory, second: Memory, **more: Any) -> Pair:
    conflict = Conflict("c1", "contradictory", "30 against 60", first, second, NOW, **more)
    lines, titles = side_lines(first.content, second.content), titles_of(first, second)
    return Pair(conflict, Side(first), Side(second), lines, side_lines(*titles) if titles else ())


def words(line: Any) -> str:
    return "" if line is None else "".join(run.text for run in line)


# -- lines in pairs

texts = st.text(alphabet=st.sampled_from("ab 1\n.日"), max_size=60)


@given(texts, texts)
def test_each_side_keeps_every_word_and_line(first: str, second: str):
    pairs = side_lines(first, second)

    assert "\n".join(words(left) for left, _ in pairs if left is not None) == first
    assert "\n".join(words(right) for _, right in pairs if right is not None) == second


@given(texts)
def test_equal_texts_have_nothing_marked_and_stand_line_by_line(text: str):
    for left, right in side_lines(text, text):
        assert left is not None
        assert left == right
        assert not any(run.is_changed for run in left)


def test_a_line_that_only_one_side_has_stands_beside_a_gap():
    pairs = side_lines("one\ntwo\nthree", "one\nthree")

    assert [(words(left), words(right)) for left, right in pairs] == [
        ("one", "one"), ("two", ""), ("three", "three"),
    ]  # fmt: skip
    assert pairs[1][1] is None


def test_only_the_words_that_differ_are_marked():
    [(left, right)] = side_lines("The timeout is 30 seconds.", "The timeout is 60 seconds.")

    assert [run.text for run in left or () if run.is_changed] == ["30"]
    assert [run.text for run in right or () if run.is_changed] == ["60"]


def test_texts_with_nothing_in_common_are_not_marked_from_end_to_end():
    [(left, right)] = side_lines("Tests use tabs", "日本語の設定")

    assert not any(run.is_changed for run in (*(left or ()), *(right or ())))


def test_of_such_texts_what_is_contested_is_marked_wherever_it_stands():
    first = "Tide windows need 0.30 m of water."
    second = "Mrs Whitlock wants 0.50 M under her boats, not 10.50 m."
    [(left, right)] = side_lines(first, second, ["0.50 m", "0.30 m", " "])

    assert [run.text for run in left or () if run.is_changed] == ["0.30 m"]
    assert [run.text for run in right or () if run.is_changed] == ["0.50 M"]
    assert words(left) + words(right) == first + second


def test_texts_are_alike_when_a_line_keeps_some_of_its_words():
    assert are_alike(side_lines("Timeout is 30 s.", "Timeout is 60 s."))
    assert not are_alike(side_lines("Tests use tabs.", "日本語の設定"))
    assert not are_alike(side_lines("Timeout is 30 s.", "Timeout is 30 s."))


def test_blanks_around_marked_words_are_not_marked():
    [(_, right)] = side_lines("It is 0.50 m", "It is 0.50 m at Port Ellery")
    line = line_content(right)
    marked = [span for span in line.spans if "bold" in str(span.style)]

    assert line.plain == "It is 0.50 m at Port Ellery"
    assert [line.plain[span.start : span.end] for span in marked] == ["at Port Ellery"]


@pytest.mark.parametrize("count", [MOST_LINES, MOST_LINES + 1])
def test_very_many_lines_are_paired_all_the_same(count: int):
    text = "\n".join(f"line {number}" for number in range(count))
    assert len(side_lines(text, text)) == count


@pytest.mark.parametrize("more", [0, 1])
def test_what_is_too_long_to_lay_out_is_said(more: int):
    long = a_memory("x" * (LONGEST_TEXT + more))
    left, _ = both_sides(a_pair(long, a_memory("y")), Frame((40, 40), True), UNICODE, NOW)

    assert ("1 more characters: enter opens it" in left.plain) == bool(more)


# -- two accounts of one height


@given(texts, texts, st.integers(16, 90), st.booleans())
def test_beside_each_other_both_have_the_same_height_and_no_line_is_too_wide(
    first: str, second: str, width: int, is_low: bool
):
    one = a_memory(first, title="一 title that is none of the text", tags=("queue",))
    other = a_memory(second, files=("src/a.py", "src/b.py"), scope="global", num=2)
    frame = Frame((width, width), True, is_low)
    left, right = both_sides(a_pair(one, other), frame, UNICODE, NOW)

    assert left.plain.count("\n") == right.plain.count("\n")
    for line in (*left.plain.split("\n"), *right.plain.split("\n")):
        assert cell_len(line.rstrip()) <= width


def lines_of(pair: Pair, *, is_aligned: bool = True, is_low: bool = False) -> tuple[str, str]:
    frame = Frame((60, 60), is_aligned, is_low)
    left, right = both_sides(pair, frame, ASCII, NOW)
    return left.plain, right.plain


def test_what_both_have_carries_a_sign_and_comes_first():
    one = a_memory("a", tags=("alone", "queue"), files=("src/q.py",))
    other = a_memory("b", tags=("queue",), files=("src/q.py", "src/b.py"))
    left, right = lines_of(a_pair(one, other))

    assert "tags       =queue  alone" in left
    assert "files      =src/q.py  src/b.py" in right


def test_a_field_that_only_one_has_is_a_dash_at_the_other_and_nothing_when_stacked():
    pair = a_pair(a_memory("a", tags=("queue",)), a_memory("b"))

    assert "tags       —" in lines_of(pair)[1]
    assert "tags" not in lines_of(pair, is_aligned=False)[1]
    assert "files" not in "".join(lines_of(pair))


def test_provenance_use_and_injections_are_told():
    origin = Origin(session="4f2a9c11-77aa", agent="claude", transcript="/t/4f.jsonl", line=7)
    one = a_memory("a", origin=origin, accesses=3, last_access=NOW - timedelta(days=2),
                   helpful=2, unhelpful=1)  # fmt: skip
    left, right = lines_of(a_pair(one, a_memory("b")))

    assert "by         claude · unnamed session" in left
    assert "transcript /t/4f.jsonl:7" in left
    assert "told       3 times, last 2d ago; 2 helpful, 1 not" in left
    assert "by         you" in right
    assert "told       never" in right
    assert "injected   into no prompt" in right


def test_links_are_said_from_both_ends_and_the_conflict_itself_is_left_out():
    one, other = a_memory("a", id="one"), a_memory("b", id="two")
    made = [
        Link("one", "two", "contradicts", 1.0, NOW, "b"),
        Link("one", "three", "extends", 1.0, NOW, "Third [/foo]"),
        Link("four", "one", "superseded_by", 1.0, NOW, "Fourth"),
    ]
    pair = a_pair(one, other)
    left, _ = lines_of(replace(pair, first=Side(one, made)))

    assert "extends Third [/foo]" in left
    assert "supersedes Fourth" in left
    assert "contradicts" not in left


def test_titles_are_shown_with_their_words_compared_unless_the_texts_begin_with_them():
    one = a_memory("While a guest pays.", title="A hold lives ten minutes")
    other = a_memory("Holds last longer now.", title="A hold lives fifteen minutes")
    pair = a_pair(one, other)
    left, right = lines_of(pair)
    silent, _ = lines_of(a_pair(a_memory("Retry budget."), a_memory("Queue timeout.")))

    assert left.startswith("A hold lives ten minutes\n")
    assert right.startswith("A hold lives fifteen minutes\n")
    assert [run.text for run in pair.titles[0][0] or () if run.is_changed] == ["ten"]
    assert silent.count("Retry budget.") == 1


def test_where_one_holds_for_more_than_the_other_it_is_said():
    left, right = lines_of(a_pair(a_memory("a", scope="session"), a_memory("b")))
    assert "scope      session" in left
    assert "scope      project" in right
    assert "scope" not in "".join(lines_of(a_pair(a_memory("a"), a_memory("b"))))


def test_where_there_is_little_room_the_words_come_first():
    left, _ = lines_of(a_pair(a_memory("Queue timeout."), a_memory("b")), is_low=True)
    assert left.startswith("Queue timeout.\n")


@pytest.mark.parametrize(
    ("first_day", "second_day", "is_first"), [(1, 2, False), (2, 1, True), (1, 1, False)]
)
def test_the_newer_one_is_the_one_learned_later_and_of_equals_the_right_one(
    first_day: int, second_day: int, is_first: bool
):
    one = a_memory("a", created_at=NOW + timedelta(days=first_day), num=1)
    other = a_memory("b", created_at=NOW + timedelta(days=second_day), num=2)
    assert a_pair(one, other).newer_is_first == is_first


# -- what may tell them apart


@pytest.mark.parametrize(
    ("first", "second", "guess"),
    [
        ("Timeout is 30 s for webhooks, since x.", "Timeout is 60 s for batch jobs.",
         "one for webhooks, the other for batch jobs"),
        ("In production the budget is 3.", "In staging the budget is 5.",
         "one in production, the other in staging"),
        ("Use tabs in Makefiles.", "Use spaces.", "one only in Makefiles"),
        ("Use spaces.", "Use tabs in Makefiles.", "one only in Makefiles"),
        ("Timeout is 30 s for webhooks.", "Timeout is 60 s for webhooks.", ""),
        ("Retries begin after 30 seconds.", "Retries begin after 60 seconds.", ""),
        ("Tabs.", "Spaces.", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_the_conditions_that_the_texts_name_are_offered(first: str, second: str, guess: str):
    assert guessed_context(first, second) == guess


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_guess_is_short_and_on_one_line(first: str, second: str):
    assert "\n" not in guessed_context(first, second)


# -- the lines above


def head_lines(conflict: Conflict, room: int, rows: int = 1) -> list[str]:
    head = ConflictHead(ASCII, id="head")
    head._now = NOW
    head._place = "2 of 5"
    return [line.plain for line in head.lines(conflict, room, rows)]


@pytest.mark.parametrize("room", [12, 40, 60, 120, 200])
@pytest.mark.parametrize("kind", ["contradictory", "superseded", "ambiguous", "[odd]"])
def test_kind_and_reason_are_said_in_the_room_there_is(kind: str, room: int):
    pair = a_pair(a_memory("a"), a_memory("b"))
    conflict = replace(pair.conflict, kind=kind, reason="[/foo] " + "word " * 90)
    lines = head_lines(conflict, room)

    assert len(lines) == 2
    assert lines[0].startswith("! 2 of 5")
    assert all(cell_len(line) <= room for line in lines)
    assert lines[1].endswith("…")


def test_without_a_reason_the_words_are_named_that_both_have_or_nothing():
    one = a_memory("Moorings are checked by Willem every spring.")
    other = a_memory("Willem replaces each mooring after ten years.")
    lines = head_lines(replace(a_pair(one, other).conflict, reason=""), 90)
    assert lines[1:] == ["why  both speak of moorings, willem"]

    stranger = a_memory("Invoices leave on Fridays.")
    assert len(head_lines(replace(a_pair(one, stranger).conflict, reason=""), 90)) == 1


def test_in_a_tall_terminal_a_long_reason_has_a_second_line():
    pair = a_pair(a_memory("a"), a_memory("b"))
    conflict = replace(pair.conflict, reason="Under-keel clearance: half a metre against a third.")
    assert head_lines(conflict, 40, rows=2)[1:] == [
        "why  Under-keel clearance: half a metre",
        "     against a third.",
    ]
    long = replace(conflict, reason="word " * 90)
    lines = head_lines(long, 40, rows=2)
    assert len(lines) == 3
    assert lines[2].endswith("…")
    assert all(cell_len(line) <= 40 for line in lines)


def test_every_verdict_has_words_short_ones_too():
    assert set(VERDICT_WORDS) == set(SHORT_VERDICTS) == set(VERDICTS)


def test_a_verdict_is_told_with_its_context():
    pair = a_pair(
        a_memory("a"), a_memory("b"),
        resolved_at=NOW - timedelta(days=3), verdict="both", context="one for webhooks",
    )  # fmt: skip
    assert head_lines(pair.conflict, 80)[-1] == "decided  kept both, 3d ago: one for webhooks"
