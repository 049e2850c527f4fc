"""The profile: the user's preferences and patterns, as `is:me` lists them and starts get them."""

import pytest

from memdeck import ConsentNeeded, CoreBackend, GlobalMemoryStore

SHORT = "Answer in short sentences, without a summary at the end."
TABS = "Use tabs for indentation, never spaces."
SPACES = "Use spaces for indentation, never tabs."
RETRY = "Wrap each request in a retry with backoff."


def start(core, **more):
    return core.recall("", event="SessionStart", write_receipt=False, **more)


def everywhere(core):
    return GlobalMemoryStore(CoreBackend(core, "global"))


def contents(profile):
    return {
        category: {name: [memory.content for memory in part] for name, part in groups.items()}
        for category, groups in profile.items()
    }


def test_it_lists_preferences_by_category_and_patterns_by_domain_for_every_project(core, open_core):
    everywhere(core).add_preference(SHORT, "Verbosity")
    everywhere(core).add_pattern(RETRY, "errors")
    core.remember(TABS, category="preference")
    elsewhere = open_core("airport")
    assert contents(elsewhere.profile()) == {
        "preference": {"verbosity": [SHORT]},
        "pattern": {"errors": [RETRY]},
    }
    assert {row.title for row in elsewhere.find("is:me").first_page} == {SHORT[:-1], RETRY[:-1]}
    assert [memory.importance for memory in core.profile()["pattern"]["errors"]] == [0.7]
    assert [memory.importance for memory in core.profile()["preference"]["verbosity"]] == [0.9]
    assert everywhere(core).query_preferences("style") == []


def test_it_follows_what_becomes_of_its_memories(core):
    memory = everywhere(core).add_preference(SHORT, "verbosity").context_item_id
    core.edit(memory, content="Answer at length.")
    assert [one.text for one in everywhere(core).query_preferences()] == ["Answer at length."]
    core.forget(memory)
    assert everywhere(core).query_preferences() == []
    core.undo()
    assert len(everywhere(core).query_preferences()) == 1


def test_two_that_contradict_are_injected_with_a_mark_until_decided(core):
    first = core.remember(TABS, category="preference").memory_id
    core.mark_conflict(first, core.remember(SPACES, category="preference").memory_id)
    core.remember(SHORT, category="preference")
    told = start(core)
    assert {hit.memory.content for hit in told.items} == {SHORT, TABS, SPACES}
    assert told.text.count("[⚠ CONFLICT]") == 1

    [question] = core.conflicts()
    side = "a" if question.first.id == first else "b"
    core.resolve_conflict(question.id, side)
    assert {hit.memory.content for hit in start(core).items} == {SHORT, TABS}


def test_an_established_note_does_not_silence_what_the_person_laid_down(core):
    laid_down = core.remember(TABS, category="preference").memory_id
    [note] = core.import_memories([{"content": SPACES, "category": "pattern"}]).ids
    if not core.conflicts():
        core.mark_conflict(laid_down, note)
    told = start(core)
    assert laid_down in {hit.id for hit in told.items}
    assert ("CONFLICT" in told.text) == (note in {hit.id for hit in told.items})


def test_of_two_statements_of_the_user_the_newer_counts_unless_the_older_is_pinned(core, clock):
    first = core.remember(TABS, category="preference").memory_id
    clock.forward(days=1)
    second = core.remember(SPACES, category="preference").memory_id
    core.mark_conflict(first, second)
    told = start(core)
    assert [hit.id for hit in told.items] == [second]
    assert (first, "a newer statement of yours contradicts it") in told.left_out
    core.pin(first)
    assert {hit.id for hit in start(core).items} == {first, second}
    assert "CONFLICT" in start(core).text


def test_it_has_a_share_of_its_own_and_is_told_once(core):
    everywhere(core).add_preference(SHORT, "verbosity")
    [liked] = [memory.id for memory in core.profile()["preference"]["verbosity"]]
    core.import_memories(
        [{"content": RETRY, "category": "pattern", "importance": 0.8, "key": "retry"}]
    )
    told = start(core)
    assert told.tiers[liked] == "profile"
    assert {
        hit.key if hit.key == "retry" else hit.id: told.tiers[hit.id] for hit in told.items
    } == {liked: "profile", "retry": "profile"}
    assert told.text.count(SHORT) == told.text.count(RETRY) == 1
    confirmed, others = told.text.split("</confirmed>")
    assert SHORT in confirmed
    assert RETRY in others
    assert 0 < told.per_tier["profile"] <= told.limits["profile"] <= 0.2 * told.budget


def test_it_can_be_switched_off(open_core, home_path):
    open_core().remember(TABS, category="preference", importance=0.1)
    assert start(open_core()).items
    (home_path / "config.toml").write_text("[recall]\nprofile_share = 0\n", encoding="utf-8")
    core = open_core()
    assert not start(core).items
    assert "profile" not in start(core).per_tier


def test_adding_is_asked_and_refused_where_nobody_is(open_core):
    mine = open_core()
    everywhere(mine).add_preference(SHORT, "verbosity")
    core = open_core(confirmation_callback=None)
    for act in (
        lambda: everywhere(core).add_preference(TABS, "style"),
        lambda: everywhere(core).add_pattern(RETRY, "errors"),
    ):
        with pytest.raises(ConsentNeeded):
            act()
    looked_at = [item.text for item in everywhere(core).query_preferences()]
    assert looked_at == [SHORT], "looking is free"
