"""A session's checkpoints and its end, each written once."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import RetrievalPipeline


@pytest.fixture
def session(core, offer):
    """A session that found one thing."""
    core.session_seen("s1", "claude", "/src/harbour", "startup")
    core.session_goal("s1", "Make the tide importer faster")
    return offer().memory_id


def finalized(core):
    return len(core.audit(action="finalize"))


# --- the end


def test_the_end_sums_the_session_up_in_one_entry(core, session, clock):
    clock.forward(minutes=30)
    core.session_ended("s1", "prompt_input_exit")
    ended = core.session_named("s1")
    assert (ended.ended_at, ended.finalized_at) == (clock.now, clock.now)
    assert ended.end_reason == "prompt_input_exit"
    assert "Goal: Make the tide importer faster" in ended.summary
    assert "Berth 12 floods at spring tide" in ended.summary
    assert finalized(core) == 1


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
    named = [{**row, "content": f"{n} {row['content']}"} for n, row in enumerate(rows)]
    text = summary_of("Make the tide importer faster", named)
    assert len(text) <= 1_600
    assert RetrievalPipeline.estimate_tokens(text) <= 600
