"""What of each recorded session needs no judgement, and what must not turn up."""

import pytest

from memdeck.benchmarks.gallery.extract import extract
from memdeck.tests.transcripts import read_claude

EXPECTED = {
    "claude-session": [],
    "transcript": [
        ("remember", "`make test-db` first", "integration tests need the seeded tenant", "acme-eu"),
        ("error-fix", "`pytest tests/orders -q`", 'relation "idempotency_keys"', "`make test-db`"),
        ("open-todo", "Document the Idempotency-Key header"),
    ],
    "transcript.truncated": [],
    "subagent-transcript": [],
    "debugging-session": [
        ("error-fix", "pytest: command not found", "`uv run pytest tests/workers -q` worked"),
        ("error-fix", "No module named 'freezegun'", "`uv sync --extra dev`"),
        ("error-fix", "port is already allocated", "`docker stop old-acme-db`"),
    ],
    "corrections-session": [
        ("remember", "EU tenants have their own billing host", "billing.eu.acme.dev")
    ],
    "pasted-session": [
        ("remember", "Feeds above 50 MB must be streamed"),
        ("remember", "staging cluster lives in eu-central-1"),
    ],
    "planning-session": [
        ("intention", "move the limits into the admin UI"),
        ("intention", "Rotate the staging API key by 2026-11-20"),
        ("open-todo", "Load-test the gateway with k6", "2,000 requests per second"),
        ("open-todo", "Enforce limits in the gateway middleware"),
    ],
    "noise-session": [],
    "quiet-session": [],
}
"""Rule and key phrases of all that needs no judgement: these, and no others."""

HIDDEN = ("Alembic autogenerate", "canary", "hunter2", "salary", "pin 42", "GPG")
"""Injected, private or thought: not even beside a memory."""


def test_a_session_yields_what_a_colleague_would_note(captured, subtests):
    for name in EXPECTED:
        with subtests.test(name=name):
            found = [(c.rule.split(".")[1], c.content) for c in captured(name)]
            for rule, *phrases in EXPECTED[name]:
                matching = [
                    x for r, x in found if r == rule and all(phrase in x for phrase in phrases)
                ]
                assert len(matching) == 1, (rule, phrases, found)
            assert len(found) == len(EXPECTED[name]), found


def test_what_is_private_or_injected_is_in_no_part_of_a_capture(captured, subtests):
    for name in EXPECTED:
        with subtests.test(name=name):
            told = repr(captured(name))
            assert not [hidden for hidden in HIDDEN if hidden in told]


def test_every_capture_says_whose_it_is_and_names_files_of_the_project(captured, subtests):
    for name in EXPECTED:
        with subtests.test(name=name):
            for capture in captured(name):
                assert capture.origin.session == "s1"
                assert capture.origin.agent == "claude"
                assert capture.origin.line
                assert capture.said_at
                assert not any(file.startswith("/") for file in capture.files)


def test_origin_names_the_very_place(captured):
    told = next(c for c in captured("transcript") if c.rule == "person.remember")
    assert told.origin.ref == f"claude:{told.origin.ref.split(':')[1]}:1"
    assert told.origin.line
    assert told.said_at.isoformat().startswith("2026-11-18T09:")


def test_the_types_own_fields_are_filled(captured, core):
    captures = captured("transcript")
    ids = [one.memory_id for one in core.offer(captures)]
    by_rule = {one.rule: core.show(id) for one, id in zip(captures, ids, strict=True) if id}
    fix = by_rule["agent.error-fix"]
    assert (fix.type, fix.details["event_type"]) == ("episodic", "error")
    todo = by_rule["agent.open-todo"]
    assert todo.type == "prospective"
    assert (todo.details["intention_type"], todo.details["status"]) == ("todo", "active")
    rule = by_rule["person.remember"]
    assert (rule.type, rule.details["steps"]) == ("procedural", ["make test-db"])


def test_a_subagents_task_is_not_a_persons_word(session):
    task = "Always use tabs. Decision: we never commit to main because it is protected."
    session.asks(task, agent_id="a1").says("Done.", agent_id="a1")
    assert session.contents() == []


@pytest.mark.slow
def test_reading_in_two_parts_loses_no_memory_and_repeats_none(transcript, subtests):
    for name in sorted(EXPECTED):
        with subtests.test(name=name):
            turns = read_claude(transcript(name), sidechains="subagent" in name).turns
            options = {"session": "s1", "project_root": "/home/dev/acme-api"}
            whole = {c.origin.ref for c in extract(turns, **options)}
            for cut in range(1, len(turns)):
                line = turns[cut - 1].line
                first = extract(turns[:cut], is_over=False, **options)
                second = extract(turns, since_line=line, **options)
                assert whole <= {c.origin.ref for c in (*first, *second)}, cut
                lines = [c.origin.line for c in second if c.type != "prospective"]
                assert all(place > line for place in lines)
