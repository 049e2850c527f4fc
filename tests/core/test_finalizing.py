"""A session's checkpoints and its end, each written once (002-01, 002-22)."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import RetrievalPipeline, open_memory


@pytest.fixture
def session(core, offer):
    """A session that found one thing."""
    core.session_seen("s1", "claude", "/src/harbour", "startup")
    core.session_goal("s1", "Make the tide importer faster")
    return offer().memory_id


def finalized(core):
    return len(core.audit(action="finalize"))


# --- checkpoints


@pytest.mark.parametrize(
    ("messages", "is_due"), [(0, False), (9, False), (10, True), (11, True), (19, True), (20, True)]
)
def test_a_checkpoint_is_due_after_every_tenth_message(core, session, messages, is_due):
    """002-01."""
    assert core.checkpoint("s1", messages) == is_due
    assert [one["messages"] for one in core.checkpoints("s1")] == (
        [messages // 10 * 10] if is_due else []
    )


def test_a_checkpoint_is_written_once_and_knows_what_was_learned(core, session, offer, clock):
    assert core.checkpoint("s1", 10, line=31)
    assert not core.checkpoint("s1", 10, line=33)
    assert not core.checkpoint("s1", 19, line=40)
    other = offer("crane").memory_id
    clock.forward(minutes=9)
    assert core.checkpoint("s1", 20, line=44)
    first, second = core.checkpoints("s1")
    assert (first["messages"], first["line"], first["learned"]) == (10, 31, [session])
    assert (second["messages"], second["learned"]) == (20, [session, other])
    assert second["at"] - first["at"] == 9 * 60 * 1000
    assert core.session_named("s1").messages == 20


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 15), max_size=8))
def test_however_messages_come_in_each_ten_has_at_most_one_checkpoint(tmp_path_factory, steps):
    with open_memory(tmp_path_factory.mktemp("points") / "home", "harbour") as core:
        core.session_seen("s1", "claude")
        total, due = 0, set()
        for step in steps:
            total += step
            core.checkpoint("s1", total)
            due |= {total // 10 * 10} - {0}
        assert [one["messages"] for one in core.checkpoints("s1")] == sorted(due)


# --- the end


def test_the_end_sums_the_session_up_in_one_entry(core, session, clock):
    """002-22, 003-02: summary, open issues, next."""
    clock.forward(minutes=30)
    core.session_ended("s1", "prompt_input_exit")
    ended = core.session_named("s1")
    assert (ended.ended_at, ended.finalized_at) == (clock.now, clock.now)
    assert ended.end_reason == "prompt_input_exit"
    assert "Goal: Make the tide importer faster" in ended.summary
    assert "Berth 12 floods at spring tide" in ended.summary
    assert finalized(core) == 1


def test_the_same_end_told_twice_changes_nothing(core, session, clock):
    """002-22: never twice."""
    core.session_ended("s1", "prompt_input_exit")
    before = core.session_named("s1")
    clock.forward(hours=1)
    core.session_ended("s1", "other")
    assert not core.finalize_session("s1")
    assert core.session_named("s1") == before
    assert finalized(core) == 1


def test_a_turn_and_a_compaction_sum_up_only_what_is_new(core, session, offer, clock):
    """002-22: at Stop, PreCompact and SessionEnd, each finding once."""
    assert core.finalize_session("s1")
    first = core.session_named("s1").finalized_at
    clock.forward(minutes=1)
    assert not core.finalize_session("s1")
    core.session_ended("s1", "other")
    ended = core.session_named("s1")
    assert (ended.finalized_at, ended.ended_at) == (first, clock.now)
    assert finalized(core) == 1


def test_what_was_learned_since_is_summed_up_again(core, session, offer, clock):
    core.finalize_session("s1")
    offer("crane")
    clock.forward(minutes=1)
    assert core.finalize_session("s1")
    assert "crane" in core.session_named("s1").summary
    assert core.session_named("s1").finalized_at == clock.now


def test_a_session_that_goes_on_after_its_end_is_open_again(core, session, offer):
    core.session_ended("s1", "clear")
    core.session_seen("s1", "claude", "/src/harbour", "resume")
    assert core.session_named("s1").ended_at is None
    assert not core.has_ended("s1")
    offer("crane")
    core.session_ended("s1", "other")
    assert core.has_ended("s1")
    assert "crane" in core.session_named("s1").summary


def test_an_end_without_anything_learned_is_noted(core):
    core.session_seen("s1", "claude")
    core.session_ended("s1", "other")
    ended = core.session_named("s1")
    assert (ended.end_reason, ended.summary) == ("other", "")
    assert ended.finalized_at is not None


@pytest.mark.parametrize("how", ["switched off", "incognito"])
def test_what_is_not_taken_down_is_not_summed_up(core, session, how):
    """002-22: skipped when auto-memory is off."""
    if how == "switched off":
        core.set_auto_memory(False)
    else:
        core.set_incognito("s1")
    assert not core.finalize_session("s1")
    core.session_ended("s1", "other")
    ended = core.session_named("s1")
    assert (ended.summary, ended.finalized_at) == ("", None)
    assert ended.end_reason == "other"
    assert finalized(core) == 0


def test_an_unknown_session_has_nothing_to_sum_up(core):
    assert not core.finalize_session("nobody")
    core.session_ended("nobody", "other")
    assert core.sessions() == []


def test_when_the_next_session_starts_the_summary_names_what_is_proven(core, session, offer):
    offer("crane")
    core.edit(session, importance=0.2)  # else it is told by itself
    core.session_ended("s1", "other")
    assert "crane" in core.session_named("s1").summary
    assert core.recall("", event="SessionStart", session="s2").text.startswith(
        "[memdeck] Record what"
    )
    core.confirm(session)
    told = core.recall("", event="SessionStart", session="s3").text
    assert "Found: Berth 12 floods at spring tide" in told
    assert "crane" not in told
    core.forget(session)
    assert core.recall("", event="SessionStart", session="s4").text.startswith(
        "[memdeck] Record what"
    )


# --- the summary itself


def a_row(content, category="discovery", **fields):
    """A memory that a session left; what is not told is like the others."""
    kind = {"type": "semantic", "importance": 0.5}
    return {"content": content, "category": category, **kind, **fields}


def a_task(content, status):
    return a_row(content, "task_progress", type="prospective", details={"status": status})


@pytest.fixture
def summary_of(core):
    """The summary of a session with this goal that left these memories."""
    number = count()

    def summed_up(goal, rows):
        name = f"t{next(number)}"
        core.session_seen(name, "claude")
        if goal:
            core.session_goal(name, goal)
        report = core.import_memories([{**row, "session": name} for row in rows])
        assert not report.refused
        core.finalize_session(name)
        return core.session_named(name).summary

    return summed_up


def test_a_summary_says_what_was_decided_found_and_is_open(summary_of):
    """002-09, 003-02."""
    text = summary_of(
        "Faster imports",
        [
            a_row("Use COPY", "decision"),
            a_row("The feed is late"),
            a_task("Split the importer", "pending"),
            a_task("Bought a boat", "completed"),
        ],
    )
    assert text.splitlines() == [
        "Goal: Faster imports",
        "Decided: Use COPY",
        "Found: The feed is late",
        "Open: Split the importer",
    ]


def test_a_part_names_its_four_most_important_and_counts_the_others(summary_of):
    rows = [a_row(f"Fact {number}", importance=number / 10) for number in range(6)]
    assert summary_of(None, rows) == "Found: Fact 2; Fact 3; Fact 4; Fact 5; and 2 more"


def test_a_summary_says_nothing_twice(summary_of):
    rows = [a_row("Use COPY for imports", "decision")]
    goal = "Make the importer faster. Use COPY for imports."
    assert (
        summary_of(goal, rows) == "Goal: Make the importer faster.\nDecided: Use COPY for imports"
    )


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (
            "Berths are numbered from the sea. " + "And so on, " * 40,
            "Berths are numbered from the sea",
        ),
        ("B" + "erth" * 59 + "hh.", "B" + "erth" * 59 + "hh"),  # 240 characters
        ("B" + "erth" * 59 + "hhh.", ""),
        ("Berths " * 60, ""),
    ],
)
def test_a_statement_stands_whole_in_a_summary_or_is_counted(summary_of, content, named):
    rows = [a_row(content, title=""), a_row("The feed is late")]
    found = f"{named}; The feed is late" if named else "The feed is late; and 1 more"
    assert summary_of(None, rows) == f"Found: {found}"


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("Faster imports! " + "Please look at the importer of the tides " * 5, "Faster imports!"),
        ("Please look at the importer of the tides " * 5, ""),
        ("Please look at the importer of the tides", "Please look at the importer of the tides"),
    ],
)
def test_a_goal_that_was_cut_is_told_to_its_last_whole_sentence(summary_of, goal, told):
    lines = summary_of(goal[:200], [a_row("The feed is late")]).splitlines()
    assert lines == [*([f"Goal: {told}"] if told else []), "Found: The feed is late"]


def test_nothing_learned_makes_no_summary(summary_of):
    assert summary_of("Faster imports", []) == ""


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.builds(
            a_row,
            st.text(min_size=1, max_size=600) | st.text("潮位計", min_size=80, max_size=600),
            st.sampled_from(["decision", "warning", "error", "preference", "file_change"]),
        ),
        max_size=40,
    )
)
def test_no_summary_is_longer_than_600_tokens(summary_of, rows):
    """002-18: 200 to 600 tokens of session summary."""
    named = [{**row, "content": f"{n} {row['content']}"} for n, row in enumerate(rows)]
    text = summary_of("Make the tide importer faster", named)
    assert len(text) <= 1_600
    assert RetrievalPipeline.estimate_tokens(text) <= 600
