"""What extraction finds and the demo tells is worth keeping: the panel refuses none of it."""

import runpy
from pathlib import Path

import pytest

from memdeck.core.answers import Capture
from memdeck.core.capture.extract import extract
from memdeck.core.capture.transcript_claude import read_transcript
from memdeck.core.capture.turns import Turn
from memdeck.core.review.panel import built_in_panel, review
from memdeck.core.review.reviewer import Subject
from memdeck.core.storage.kinds import category_of, memory_type
from memdeck.demo.history import DEMO_NOW, Days, sittings

TESTS = Path(__file__).resolve().parents[1]
TRANSCRIPTS = sorted((TESTS / "wire" / "claude" / "transcripts").glob("*.jsonl"))
SENTENCES = runpy.run_path(str(TESTS / "capture" / "test_capture_sentences.py"))
DAYS = Days(DEMO_NOW)


def as_subject(capture: Capture) -> Subject:
    category = capture.category or category_of(capture.content)
    return Subject(
        content=capture.content,
        type=capture.type or memory_type(capture.content, category),
        category=category,
        importance=capture.importance,
        confidence=capture.confidence,
        title=capture.title,
        files=capture.files,
        tags=capture.tags,
        rule=capture.rule,
        is_type_unsure=capture.is_type_unsure,
    )


def refused(captures: list[Capture]) -> list[tuple[str, str]]:
    """What the panel refuses of `captures`, and why."""
    decisions = [
        (capture.content, review(as_subject(capture), built_in_panel(), heuristic=lambda s: None))
        for capture in captures
    ]
    return [(text, decision.reason) for text, decision in decisions if not decision.is_accepted]


def from_turns(*turns: Turn) -> list[Capture]:
    return extract(turns, session="s1", project_root="/home/dev/acme-api")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_what_a_recorded_session_yields_is_accepted(path):
    turns = read_transcript(str(path), sidechains="subagent" in path.name).turns
    assert refused(from_turns(*turns)) == []


@pytest.mark.parametrize("sentence", SENTENCES["LASTING"])
def test_what_a_person_lays_down_is_accepted(sentence):
    captures = from_turns(Turn("user", sentence, line=1, uuid="u1"))
    assert captures
    assert refused(captures) == []


@pytest.mark.parametrize("sentence", SENTENCES["FINDINGS"])
def test_what_an_agent_found_out_is_accepted(sentence):
    call = {"tool": "Bash", "tool_input": {"command": "make build"}, "call_id": "c1"}
    captures = from_turns(
        Turn("tool_call", line=1, uuid="u1", **call),
        Turn("tool_result", "ok", line=2, uuid="u2", call_id="c1"),
        Turn("assistant", sentence, line=3, uuid="u3"),
    )
    assert captures
    assert refused(captures) == []


def test_what_the_demos_agents_tell_is_accepted():
    told = [one for sitting in sittings(DAYS) for one in sitting.told]
    captures = [
        Capture(
            content=one.fields["content"],
            title=one.fields["title"],
            type=one.fields["type"],
            category=one.fields["category"],
            importance=one.fields["importance"],
        )
        for one in told
    ]
    assert len(captures) > 100
    assert refused(captures) == []
