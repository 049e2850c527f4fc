"""What extraction finds and the demo tells is worth keeping: the panel refuses none of it."""

from pathlib import Path

import pytest

from memdeck.agents.hosts.claude.transcript import read_transcript
from memdeck.core.answers import Capture
from memdeck.core.ingest.extract.shape import Session
from memdeck.core.ingest.extract.steps import read_session
from memdeck.core.ingest.kinds import category_of, memory_type
from memdeck.core.review.panel import built_in_panel, review
from memdeck.core.review.reviewer import Subject
from memdeck.demo.history import DEMO_NOW, Days, sittings

TESTS = Path(__file__).resolve().parents[1]
TRANSCRIPTS = sorted((TESTS / "wire" / "claude" / "transcripts").glob("*.jsonl"))
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
        salience=capture.salience,
        exchange=capture.exchange,
    )


def refused(captures: list[Capture]) -> list[tuple[str, str]]:
    """What the panel refuses of `captures`, and why."""
    decisions = [
        (capture.content, review(as_subject(capture), built_in_panel(), heuristic=lambda s: None))
        for capture in captures
    ]
    return [(text, decision.reason) for text, decision in decisions if not decision.is_accepted]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_what_a_recorded_session_yields_is_accepted(path):
    turns = read_transcript(str(path), sidechains="subagent" in path.name).turns
    place = Session("s1", "claude", str(path), "/home/dev/acme-api")
    found = refused(read_session(turns, place).captures)
    # but for what the person contested right after it was said
    assert [one for one in found if "in the next words" not in one[1]] == []


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
