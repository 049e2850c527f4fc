"""The demo store: about 400 memories, every corner of the app has something to show."""

import os
from collections import Counter

from memdeck.tests.redacting import redact_all
from memdeck.tests.vocabulary import CATEGORIES, STATUSES, TYPES


def everything(memory):
    return [*memory.list(), *memory.list("is:retired")]


def test_the_store_holds_about_400_memories(demo_store, memory):
    assert 360 <= demo_store.memories <= 440
    assert len(everything(memory)) == demo_store.memories


def test_every_type_category_and_status_is_there(memory):
    live = memory.list()
    for name, all_values, fewest in (
        ("type", TYPES, 4),
        ("category", CATEGORIES, 15),
        ("status", STATUSES, 8),
    ):
        counted = Counter(getattr(one, name) for one in live)
        assert set(counted) == set(all_values), name
        assert min(counted.values()) >= fewest, counted


def test_the_types_own_fields_are_filled(memory):
    by_type = {kind: memory.list(f"type:{kind}") for kind in TYPES}
    assert {one.details["event_type"] for one in by_type["episodic"]} == {
        "user_query",
        "agent_response",
        "decision",
        "error",
    }
    assert all(one.details["concept"] for one in by_type["semantic"])
    assert sum(bool(one.details["related_concepts"]) for one in by_type["semantic"]) > 80
    assert {one.details["intention_type"] for one in by_type["prospective"]} == {
        "todo",
        "reminder",
        "followup",
        "commitment",
    }
    steps = [one.details["steps"] for one in by_type["procedural"]]
    assert sum(len(named) >= 3 for named in steps) >= 20
    assert all(one.details["todo_id"] for one in by_type["working"])


def test_every_list_of_the_app_has_something_to_show(memory):
    stats = memory.stats()
    assert stats.conflicts >= 6
    assert len(memory.list("is:conflict")) >= 12
    assert len(memory.list("is:pinned")) >= 8
    assert 30 <= len(memory.list("is:candidate")) <= 50
    assert len(memory.list("is:expiring")) >= 6
    assert len(memory.list("is:stale")) >= 20
    assert len(memory.list("is:retired")) >= 12


def test_links_of_several_kinds_join_the_memories(memory):
    kinds = {link.kind for one in everything(memory) for link in memory.links(one.id)}
    assert {"extends", "refines", "reinforces", "contradicts", "superseded_by"} <= kinds


def test_four_agents_and_people_speak(memory):
    agents = Counter(one.origin.agent for one in memory.list())
    assert set(agents) == {"claude", "codex", "gemini", "opencode", None}
    assert len({one.origin.session for one in memory.list()} - {None}) >= 20


def test_what_came_through_the_hooks_names_its_transcript_and_line(memory):
    captured = [one for one in everything(memory) if one.origin.transcript]
    assert len({one.origin.session for one in captured}) == 3
    assert len(captured) >= 15
    for one in captured:
        assert one.origin.line
        assert os.path.isfile(one.origin.transcript)


def test_the_audit_trail_is_alive(memory):
    done = Counter((entry.actor, entry.action) for entry in memory.audit(limit=2000))
    people = {action for actor, action in done if actor == "person"}
    assert {
        "add",
        "edit",
        "promote",
        "pin",
        "unpin",
        "forget",
        "restore",
        "supersede",
        "link",
        "undo",
    } <= people
    assert done["rule", "add"] > 250
    moments = [entry.at for entry in memory.audit(limit=2000)]
    assert moments == sorted(moments, reverse=True)


def test_prompts_were_answered_and_their_receipts_kept(memory, demo_store):
    receipts = memory.receipts(500)
    assert len(receipts) >= 40
    assert {receipt.host for receipt in receipts} == {"claude", "codex", "gemini", "opencode"}
    assert all(receipt.tokens <= receipt.budget for receipt in receipts)
    assert all(receipt.at <= demo_store.now for receipt in receipts)
    assert sum(one.accesses > 0 for one in memory.list()) > 60


def test_other_scripts_and_hostile_text_are_kept_as_they_were_said(memory):
    texts = [one.content for one in memory.list()]
    assert any("予約" in text for text in texts)
    assert sum("ß" in text or "ä" in text or "ö" in text for text in texts) >= 4
    assert any("🚢" in text for text in texts)
    assert any("[/foo] [bold]x[/]" in text for text in texts)


def test_nothing_in_the_store_looks_like_a_secret(memory):
    shown = [
        text
        for one in everything(memory)
        for text in (one.title, one.content, *one.tags, *one.files)
    ]
    assert [clean.value for clean in redact_all(shown)] == shown
    assert not any("[REDACTED" in text for text in shown)


def test_no_text_is_longer_than_what_is_captured_automatically(memory):
    assert max(len(one.content) for one in everything(memory)) <= 500


def test_the_store_is_whole(memory, demo_store):
    assert memory.verify().ok
    assert not os.path.exists(os.path.join(demo_store.home, "log", "hooks.log"))
    spool = os.path.join(demo_store.home, "spool")
    assert not [name for name in os.listdir(spool) if name.endswith(".jsonl")]
