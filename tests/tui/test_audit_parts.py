"""What the journal's screen is made of: the filter, a line, a comparison, an entry in full."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.answers import Difference, Entry
from memdeck.tui.text import width
from memdeck.tui.views.audit.filter import (
    AuditFilter,
    completion,
    next_span,
    parse_filter,
    toggled,
)
from memdeck.tui.widgets.before_after import MOST_ROWS, Account, BeforeAfter, account_of
from memdeck.tui.widgets.timeline_row import day_pieces, entry_pieces
from memdeck.tui.widgets.word_diff import MOST_TOKENS, Run, compare, content_of

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
WORDS = st.text("ab [x] ,\n", max_size=30)


def an_entry(**more: object) -> Entry:
    entry = Entry(
        seq=7,
        at=NOW,
        actor="person",
        action="forget",
        project="harbour",
        session=None,
        reason="",
        memories=("m1",),
        title="Retry budget is 3 attempts",
        count=1,
        undoes=None,
        undone_by=None,
    )
    return replace(entry, **more)  # type: ignore[arg-type]


def line(entry: Entry, cells: int) -> str:
    return "".join(text for text, _ in entry_pieces(entry, cells))


# The filter


def test_every_key_is_understood():
    wanted = parse_filter(
        "action:forget actor:person session:s1 memory:ab12 since:7d until:2026-03-19", NOW
    )

    assert (wanted.action, wanted.actor) == ("forget", "person")
    assert (wanted.session, wanted.memory) == ("s1", "ab12")
    assert wanted.since == NOW - timedelta(days=7)
    assert wanted.until is not None
    assert wanted.until.astimezone().date() == date(2026, 3, 19)
    assert wanted.hints == ()


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("forget", "action", "forget"),
        ("Agent", "actor", "agent"),
        ("ACTION:Edit", "action", "edit"),
    ],
)
def test_a_word_that_can_only_mean_one_thing_needs_no_key(text: str, key: str, value: str):
    assert getattr(parse_filter(text, NOW), key) == value


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("actoin:forget", "did you mean action?"),
        ("retry:3", "filter by action, actor"),
        ("actor:robot", "person, agent or rule"),
        ("since:soon", "wants 7d"),
        ("since:0001-01-01", None),
        ("memory:", "wants a value"),
        (":", "filter by"),
    ],
)
def test_what_cannot_be_understood_is_a_hint_and_the_rest_works(text: str, hint: str | None):
    wanted = parse_filter(f"{text} action:pin", NOW)

    assert wanted.action == "pin"
    if hint is not None:
        assert hint in wanted.hints[0]


def test_any_other_word_is_looked_for_in_what_an_entry_says():
    wanted = parse_filter("retry queue action:pin", NOW)
    assert (wanted.words, wanted.action, wanted.hints) == (("retry", "queue"), "pin", ())


@pytest.mark.parametrize(("words", "hints"), [(64, 0), (65, 1)])
def test_no_more_words_are_looked_for_than_in_a_query(words: int, hints: int):
    wanted = parse_filter(" ".join(f"w{n} w{n}" for n in range(words)), NOW)
    assert wanted.words == tuple(f"w{n}" for n in range(64))
    assert len(wanted.hints) == hints


@given(st.text(max_size=40))
def test_no_filter_can_fail(text: str):
    assert isinstance(parse_filter(text, NOW), AuditFilter)
    completion(text)
    next_span(text)


def test_an_empty_filter_is_everything():
    assert parse_filter("  ", NOW).is_everything
    assert not parse_filter("pin", NOW).is_everything


def test_a_quick_key_sets_replaces_and_takes_away():
    assert toggled("", "actor", "agent") == "actor:agent"
    assert toggled("actor:agent since:7d", "actor", "person") == "since:7d actor:person"
    assert toggled("actor:agent since:7d", "actor", "agent") == "since:7d"


def test_time_goes_through_its_spans_and_back_to_all():
    text, seen = "pin", []
    for _ in range(5):
        text = next_span(text)
        seen.append(text)

    assert seen == ["pin since:1h", "pin since:today", "pin since:7d", "pin since:30d", "pin"]


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("act", "action:"),
        ("action:for", "action:forget"),
        ("pin actor:ag", "pin actor:agent"),
        ("pin ", None),
        ("memory:ab", None),
        ("action:forget", None),
    ],
)
def test_the_last_word_is_completed(text: str, completed: str | None):
    assert completion(text) == completed


# A line


@given(st.integers(24, 200), st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_a_line_has_exactly_its_width(cells: int, title: str, reason: str, undone: bool):
    entry = an_entry(title=title, reason=reason, undone_by=9 if undone else None)

    assert width(line(entry, cells)) == cells


def test_columns_leave_as_the_width_shrinks():
    named = {"session": "4f2a9c11-aa", "session_name": "Read the tide tables at six"}
    entry = an_entry(**named, reason="not true any more", memories=("a", "b"))

    wide, middle, narrow = line(entry, 120), line(entry, 76), line(entry, 38)

    assert all(part in wide for part in ("#7", "Read the tide", "×2", "not true", "Retry budget"))
    assert "4f2a9c11" not in wide
    assert "Read the tide" not in middle
    assert "Retry budget is 3 attempts  ×2" in middle
    assert "forget" in narrow
    assert ":" not in narrow


def test_a_title_that_is_cut_ends_in_an_ellipsis():
    assert "Retry…" in line(an_entry(), 28).rstrip() or "…" in line(an_entry(), 28)


def test_an_entry_that_was_taken_back_shows_it_without_colour():
    assert "↶" in line(an_entry(undone_by=8), 60)
    assert "↶" not in line(an_entry(), 60)


def test_a_reason_that_is_the_title_is_said_once():
    assert line(an_entry(title="auto memory: on", reason="auto memory: on"), 80).count("on") == 1


def test_an_entry_without_a_title_gives_its_reason():
    assert "settings were changed" in line(an_entry(title="", reason="settings were changed"), 80)


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 3, 20), "Today 20 March"),
        (date(2026, 3, 19), "Yesterday 19 March"),
        (date(2026, 3, 16), "Monday 16 March"),
        (date(2025, 3, 16), "Sunday 16 March 2025"),
    ],
)
def test_days_are_named_as_one_speaks_of_them(day: date, name: str):
    pieces = day_pieces(day, date(2026, 3, 20), 60)

    assert "".join(text for text, _ in pieces).strip(" ─") == name
    assert sum(width(text) for text, _ in pieces) == 60


# A comparison


@given(WORDS, WORDS)
def test_the_runs_of_a_side_are_its_text(before: str, after: str):
    compared = compare(before, after)

    assert "".join(run.text for run in compared.before) == before
    assert "".join(run.text for run in compared.after) == after


@given(WORDS)
def test_equal_texts_have_no_changed_word(text: str):
    assert not any(run.is_changed for run in compare(text, text).before)


def test_only_the_words_that_differ_are_marked():
    compared = compare("The budget is 3 attempts, then fail.", "The budget is 5 attempts.")

    assert [run.text for run in compared.before if run.is_changed][:1] == ["3"]
    assert [run.text for run in compared.after if run.is_changed] == ["5"]


def test_texts_with_little_in_common_are_replaced_not_shredded():
    assert compare("retry after a while", "deploys go out on Mondays").before == (
        Run("retry after a while", True),
    )


def test_texts_too_long_to_compare_are_replaced():
    before = " ".join(f"w{number}" for number in range(MOST_TOKENS))
    after = " ".join(f"v{number}" for number in range(MOST_TOKENS))

    assert [run.is_changed for run in compare(before, after).after] == [True]


def test_a_long_text_with_one_changed_word_is_still_compared():
    words = [f"w{number}" for number in range(MOST_TOKENS)]
    changed = [*words[:900], "other", *words[901:]]

    compared = compare(" ".join(words), " ".join(changed))

    assert [run.text for run in compared.after if run.is_changed] == ["other"]


def test_markup_in_a_text_is_shown():
    content = content_of([Run("[@click=app.quit]x[/foo]", True)], "after")

    assert content.plain == "[@click=app.quit]x[/foo]"


# An entry in full


def a_difference(field: str, before: object, after: object, key: str = "m1") -> Difference:
    return Difference("memory", key, field, before, after)


def told(account: Account) -> dict[str, tuple[str | None, str | None]]:
    return {field.name: (field.before, field.after) for field in account.rows[0].fields}


def test_fields_are_told_as_a_person_would_write_them():
    account = account_of(
        an_entry(),
        [
            a_difference("tags", ["queue"], ["queue", "jitter"]),
            a_difference("importance", 0.5, 0.8),
            a_difference("retired_as", None, "forgotten"),
            a_difference("details", {"steps": ["a"], "usage_count": 1}, {"steps": ["a"]}),
            a_difference("updated_at", 1, 2),
        ],
        {},
    )

    assert told(account) == {
        "retired as": ("nothing", "forgotten"),
        "importance": ("0.5", "0.8"),
        "tags": ("queue", "queue, jitter"),
        "usage count": ("1", "nothing"),
    }
    assert account.rows[0].happened == "changed"
    assert account.rows[0].unsaid == 1


def test_a_field_of_the_type_that_is_called_like_one_of_all_stands_under_the_types_name():
    account = account_of(
        an_entry(action="add"),
        [
            a_difference("content", None, "Every marina has an A1."),
            a_difference("type", None, "semantic"),
            a_difference("category", None, "warning"),
            a_difference("details", {}, {"category": "principle", "evidence_count": 2}),
            a_difference("privacy", None, "public"),
        ],
        {},
    )
    shown = BeforeAfter()
    shown.show(account, 0)
    lines = [line.rstrip() for line in shown._laid_out(60).plain.splitlines()]

    assert [one.split()[-1] for one in lines if one.startswith("category")] == [
        "warning",
        "principle",
    ]
    shared, own = lines[: lines.index("semantic")], lines[lines.index("semantic") :]
    assert any(one.startswith("privacy") for one in shared)
    assert [one.split()[0] for one in own[1:]] == ["category", "evidence"]


def test_a_new_memory_shows_only_what_it_says():
    account = account_of(
        an_entry(action="add"),
        [
            a_difference("title", None, "Retry budget"),
            a_difference("content", None, "Retry budget is 3 attempts."),
            a_difference("files", None, []),
            a_difference("due", None, None),
        ],
        {},
    )

    assert told(account) == {"content": (None, "Retry budget is 3 attempts.")}
    assert account.rows[0].happened == "added"


def test_a_title_that_a_person_gave_is_told():
    account = account_of(
        an_entry(action="edit"),
        [
            a_difference("title", "Budget", "How often we retry"),
            a_difference("content", "Retry 3 times.", "Retry 5 times."),
        ],
        {},
    )

    assert told(account)["title"] == ("Budget", "How often we retry")


def test_a_bulk_act_tells_its_first_rows_and_counts_the_rest():
    differences = [
        a_difference("status", "candidate", "confirmed", key=f"m{number}")
        for number in range(MOST_ROWS + 3)
    ]

    account = account_of(an_entry(), differences, {"m0": "Retry budget"})

    assert len(account.rows) == MOST_ROWS
    assert account.more_rows == 3
    assert account.rows[0].name == "memory m0  Retry budget"


def test_what_only_follows_is_told_when_nothing_else_is():
    stone = Difference("tombstone", "harbour|ff", "reason", None, "forgotten")

    both = account_of(an_entry(), [stone, a_difference("status", "a", "b")], {})
    alone = account_of(an_entry(), [stone], {})

    assert [row.name for row in both.rows] == ["memory m1"]
    assert len(alone.rows) == 1


def test_a_switch_is_called_by_its_name():
    turned = Difference("setting", "auto_memory|harbour-1f", "value", True, False)

    assert [row.name for row in account_of(an_entry(), [turned], {}).rows] == [
        "setting auto memory"
    ]


def test_a_link_and_a_verdict_are_told_in_words():
    differences = [
        Difference("memory_link", "l1", "source", "m0", None),
        Difference("memory_link", "l1", "target", "m1", None),
        Difference("memory_verdict", "v1", "verdict", None, "not_a_conflict"),
    ]

    rows = account_of(an_entry(), differences, {"m0": "Retry budget", "m1": "Queue"}).rows

    assert [(one.before, one.after) for row in rows for one in row.fields] == [
        ("Retry budget", None),
        ("Queue", None),
        (None, "not a conflict"),
    ]
