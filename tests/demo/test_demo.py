"""The demo store: about 400 memories, so that every list of the app has something to show."""

import os
from collections import Counter
from datetime import timedelta

import pytest

from memdeck import MemoryCoordinator
from memdeck.demo.store import RECORDED_AT, write_demo_store
from memdeck.tests.redacting import redact_all
from memdeck.tests.vocabulary import CATEGORIES, STATUSES, TYPES


@pytest.fixture
def memory(copy_demo, tmp_path):
    store = copy_demo(tmp_path / "demo")
    with MemoryCoordinator.open(store.home, store.project_root, clock=lambda: store.now) as core:
        yield core


def everything(memory):
    return [*memory.list(), *memory.list("is:retired")]


def test_the_store_is_whole_and_every_list_has_something_to_show(memory, demo_template):
    assert memory.verify().problems == ()
    assert 360 <= demo_template.memories == len(everything(memory)) <= 440
    assert memory.stats().conflicts >= 6
    for query, fewest in (
        ("is:conflict", 12),
        ("is:pinned", 8),
        ("is:candidate", 30),
        ("is:expiring", 6),
        ("is:retired", 12),
    ):
        assert len(memory.list(query)) >= fewest, query
    for name, words in (("type", TYPES), ("category", CATEGORIES), ("status", STATUSES)):
        assert set(Counter(getattr(one, name) for one in memory.list())) == set(words), name
    agents = {one.origin.agent for one in memory.list()}
    assert agents == {"claude", "codex", "gemini", "opencode", None}
    kinds = {link.kind for one in everything(memory) for link in memory.links(one.id)}
    assert {"extends", "refines", "reinforces", "contradicts", "superseded_by"} <= kinds


def test_history_and_receipts_end_where_the_story_ends(memory, demo_template):
    done = Counter((entry.actor, entry.action) for entry in memory.audit(limit=2000))
    acts = {"add", "edit", "promote", "pin", "unpin", "forget", "restore", "supersede", "undo"}
    assert acts <= {action for actor, action in done if actor == "person"}
    receipts = memory.receipts(500)
    assert {receipt.host for receipt in receipts} == {"claude", "codex", "gemini", "opencode"}
    assert all(receipt.at <= demo_template.now for receipt in receipts)
    assert len(receipts) >= 40


def test_what_came_through_hooks_names_a_transcript_that_is_there(memory):
    captured = [one for one in everything(memory) if one.origin.transcript]
    assert len({one.origin.session for one in captured}) == 3
    for one in captured:
        assert one.origin.line
        assert os.path.isfile(one.origin.transcript)


def test_nothing_in_the_store_looks_like_a_secret(memory):
    shown = [text for one in everything(memory) for text in (one.title, one.content, *one.tags)]
    assert [clean.value for clean in redact_all(shown)] == shown


def test_written_later_the_story_ends_less_than_a_day_ago(tmp_path):
    now = RECORDED_AT + timedelta(days=40, hours=7)
    store = write_demo_store(str(tmp_path / "later"), now)
    assert timedelta(0) <= now - store.now < timedelta(days=1)
    with MemoryCoordinator.open(store.home, store.project_root, clock=lambda: now) as core:
        newest = core.audit(limit=1)[0].at
        assert timedelta(0) <= now - newest < timedelta(days=1)
        assert all(receipt.at > RECORDED_AT - timedelta(days=55) for receipt in core.receipts(500))
        assert core.verify().ok
