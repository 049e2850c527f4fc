"""The story's files: every line is whole, and every name in them leads somewhere."""

from pathlib import Path

from memdeck.core.sessions.turns import KINDS
from memdeck.demo.history import DEMO_NOW, Days, acts, conversations, notes, session_id, sittings
from memdeck.tests.transcripts import read_claude
from memdeck.tests.vocabulary import CATEGORIES, LINK_KINDS, RETIREMENTS, STATUSES, TYPES

DAYS = Days(DEMO_NOW)
TOLD = [told for sitting in sittings(DAYS) for told in sitting.told] + notes(DAYS)
KEYS = {told.key for told in TOLD}


def test_each_memory_of_the_story_is_complete_and_stands_alone(subtests):
    for told in TOLD:
        with subtests.test(told=told):
            fields = told.fields
            assert 80 <= len(fields["content"]) <= 400
            assert 10 <= len(fields["title"]) <= 120
            assert fields["type"] in TYPES
            assert fields["category"] in CATEGORIES
            assert told.status in STATUSES
            assert 0 < fields["importance"] <= 1
            assert fields["tags"]
            assert fields["details"]
            assert fields.get("retired", "forgotten") in RETIREMENTS


def test_no_two_memories_share_a_title_a_text_or_a_key():
    for values in (
        [told.fields["title"] for told in TOLD],
        [told.fields["content"] for told in TOLD],
        [told.key for told in TOLD],
    ):
        assert len(set(values)) == len(values)


def test_every_name_in_the_story_leads_to_a_memory_or_a_session():
    for told in TOLD:
        assert set(told.fields.get("link", {})) <= set(LINK_KINDS)
        named = [*told.fields.get("link", {}).values(), told.fields.get("conflict_with", told.key)]
        assert set(named) <= KEYS
    talks = {talk.name for talk in conversations(DAYS)}
    names = talks | {sitting.name for sitting in sittings(DAYS)}
    for act in acts(DAYS):
        given = [act.fields[name] for name in ("ref", "source", "target") if name in act.fields]
        assert {*given, *act.fields.get("refs", ())} <= KEYS
        assert act.fields.get("session", "s01") in names


def test_the_story_happens_before_its_now_and_in_order():
    for sitting in sittings(DAYS):
        moments = [sitting.starts, *(told.at for told in sitting.told), sitting.ends]
        assert moments == sorted(moments)
        assert sitting.ends < DEMO_NOW
    assert all(act.at < DEMO_NOW for act in acts(DAYS))


def test_an_early_hour_leaves_nothing_in_the_future():
    night = DEMO_NOW.replace(hour=1)

    days = Days(night)

    assert all(act.at <= night for act in acts(days))
    assert all(talk.starts <= night for talk in conversations(days))


def test_the_story_has_sessions_of_four_agents_and_three_that_go_through_the_hooks():
    told = sittings(DAYS)
    assert {sitting.agent for sitting in told} == {"claude", "codex", "gemini", "opencode"}
    played = [talk for talk in conversations(DAYS) if not talk.is_tour]
    assert len(played) == 3
    assert 20 <= len(told) + len(played) <= 30


def test_a_session_keeps_its_id():
    assert session_id("s01", "claude") == session_id("s01", "claude")
    assert session_id("s01", "claude") != session_id("s02", "claude")
    assert session_id("s09", "opencode").startswith("ses_")


def test_the_transcripts_are_read_back_as_what_was_said_and_done(demo_template):
    played = {talk.id: talk for talk in conversations(DAYS)}
    files = [path for path in Path(demo_template.home).rglob("*.jsonl") if path.stem in played]
    assert len(files) == 3
    failed = 0
    for file in files:
        reading = read_claude(str(file))
        assert reading.bad_lines == 0
        assert {turn.kind for turn in reading.turns} == {*KINDS} - {"queued", "boundary"}
        results = [turn for turn in reading.turns if turn.kind == "tool_result"]
        assert all(turn.is_error == turn.text.startswith("Exit code 1") for turn in results)
        failed += sum(turn.is_error for turn in results)
        times = [turn.at for turn in reading.turns]
        assert times == sorted(times)
        assert times[0] >= played[file.stem].starts
    assert failed
