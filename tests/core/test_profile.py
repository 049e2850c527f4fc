"""The profile: who the person is to agents, derived from their memories (003-13, 004-08)."""

import pytest

from memdeck import BadInput, ConsentNeeded, Refused
from memdeck.tests.fillers import filler

SHORT = "Answer in short sentences, without a summary at the end."
TABS = "Use tabs for indentation, never spaces."
SPACES = "Use spaces for indentation, never tabs."
RETRY = "Wrap each request in a retry with backoff."
FRIDAY = "Never deploy on Fridays, since nobody is there."
TIDE = "Tide tables are read from the port authority at six in the morning."


def groups(core):
    return {entry.memory.content: (entry.section, entry.group) for entry in core.profile().entries}


def start(core, **more):
    return core.recall("", event="SessionStart", write_receipt=False, **more)


# --- what is in it


def test_it_has_preferences_by_category_patterns_by_domain_and_what_holds(core):
    core.remember(TABS, category="preference")
    core.add_preference(SHORT, "Verbosity")
    core.add_pattern(RETRY, "errors")
    core.remember(FRIDAY, category="warning")
    core.remember(TIDE, category="discovery")
    core.remember("Rotate the staging key.", type="prospective")
    assert groups(core) == {
        SHORT: ("preferences", "verbosity"),
        TABS: ("preferences", "style"),
        RETRY: ("patterns", "errors"),
        FRIDAY: ("facts", "policies"),
        TIDE: ("facts", "facts"),
    }


def test_a_preference_weighs_nine_tenths_at_least_and_a_pattern_seven(core):
    light = core.remember(TABS, category="preference", importance=0.1).memory_id
    core.add_preference(SHORT, "verbosity")
    core.add_pattern(RETRY, "errors")
    core.remember(FRIDAY, category="warning", importance=0.3)
    assert [entry.weight for entry in core.profile().entries] == [0.9, 0.9, 0.7, 0.3]
    core.edit(light, importance=1.0)
    assert core.profile().preferences[0].weight == 1.0, "what weighs more keeps its weight"
    assert [memory.importance for memory in core.query_patterns("errors")] == [0.7]
    assert [memory.importance for memory in core.query_preferences("verbosity")] == [0.9]


@pytest.mark.parametrize(
    ("text", "more", "group", "why"),
    [
        (TIDE, {"tags": ["verbosity"]}, "answers", "its tag verbosity"),
        (TIDE, {"files": ["tests/test_tide.py"]}, "testing", "it says tests/test_tide.py"),
        ("Rebase the branch before each commit.", {}, "git", "it says commit, branch, rebase"),
        ("Bitte antworte kurz und auf Deutsch.", {}, "answers", "it says antworte, kurz, deutsch"),
        ("Boats over nine metres.", {}, "general", "nothing in it says more"),
    ],
)
def test_a_tag_decides_the_category_then_files_and_words_and_it_says_which(
    core, text, more, group, why
):
    core.remember(text, category="preference", **more)
    [entry] = core.profile().preferences
    assert (entry.group, entry.why) == (group, why)


def test_what_an_agent_says_of_the_person_is_no_preference_until_they_stand_by_it(core, offer):
    told = offer("The user prefers tabs over spaces in the tide service.", category="preference")
    assert not core.profile().entries
    core.confirm(told.memory_id)
    [entry] = core.profile().preferences
    assert (entry.degree, entry.provenance) == ("person", "agent-unverified")


def test_what_was_imported_is_a_policy_and_no_preference(core):
    core.import_memories([{"content": SHORT, "category": "preference"}])
    [entry] = core.profile().entries
    assert (entry.section, entry.degree, entry.provenance) == ("facts", "established", "imported")


def test_what_holds_everywhere_is_in_the_profile_of_every_project_and_no_more(core, open_core):
    core.remember(TABS, category="preference")
    core.add_preference(SHORT, "verbosity")
    assert list(groups(open_core("airport"))) == [SHORT]


def test_it_can_be_regrouped_and_a_kind_of_fact_must_be_known(core):
    memory = core.remember(TABS, category="preference", tags=["harbour"]).memory_id
    core.regroup(memory, "editor settings")
    [entry] = core.profile().preferences
    assert entry.group == "editor-settings"
    assert "harbour" in entry.memory.tags
    core.regroup(memory, "git")
    assert core.profile().preferences[0].group == "git"
    fact = core.remember(TIDE, category="discovery").memory_id
    with pytest.raises(BadInput, match="no kind of fact"):
        core.regroup(fact, "tides")
    core.regroup(fact, "policies")
    assert core.profile().facts[0].group == "policies"
    with pytest.raises(BadInput, match="belongs to no profile"):
        core.regroup(core.remember("Rotate it.", type="prospective").memory_id, "git")


# --- what contradicts


def test_two_that_contradict_are_a_question_and_told_to_nobody_until_decided(core):
    first = core.remember(TABS, category="preference").memory_id
    core.mark_conflict(first, core.remember(SPACES, category="preference").memory_id)
    core.remember(SHORT, category="preference")
    profile = core.profile()
    [question] = profile.questions
    assert {question.first.content, question.second.content} == {TABS, SPACES}
    assert {entry.memory.content for entry in profile.entries if entry.asked} == {TABS, SPACES}
    told = start(core)
    assert [hit.memory.content for hit in told.items] == [SHORT]
    assert "CONFLICT" not in told.text
    assert dict(told.left_out)[first].endswith("a person must decide")

    side = "a" if question.first.id == first else "b"
    core.resolve_conflict(question.id, side)
    assert not core.profile().questions
    assert {hit.memory.content for hit in start(core).items} == {SHORT, TABS}


# --- how it is told


def test_it_has_a_share_of_its_own_and_is_told_once(core):
    liked = core.add_preference(SHORT, "verbosity").memory_id
    core.import_memories(
        [{"content": RETRY, "category": "pattern", "importance": 0.8, "key": "retry"}]
    )
    told = start(core)
    assert told.tiers[liked] == "profile"
    assert {hit.key or hit.id: told.tiers[hit.id] for hit in told.items} == {
        liked: "profile",
        "retry": "profile",
    }
    assert told.text.count(SHORT) == told.text.count(RETRY) == 1
    laid_down, notes = told.text.split("</laid_down>")
    assert SHORT in laid_down
    assert RETRY in notes
    assert 0 < told.per_tier["profile"] <= told.limits["profile"] <= 0.2 * told.budget


@pytest.mark.slow
def test_the_share_is_hard_and_what_goes_first_is_the_persons(core):
    for number in range(30):
        core.remember(filler(number, 60), importance=0.7)
    core.add_preference(SHORT, "verbosity")
    told = start(core, context_left=20_000)
    assert told.items[0].memory.content == SHORT
    assert told.per_tier["profile"] <= told.limits["profile"] == int(0.2 * told.budget)
    assert told.tokens <= told.budget


@pytest.mark.parametrize(
    "settings", ["[lifecycle]\nprofile = false\n", "[recall]\nprofile_share = 0\n"]
)
def test_it_can_be_switched_off_and_is_shown_all_the_same(open_core, home_path, settings):
    open_core().remember(TABS, category="preference", importance=0.1)
    assert start(open_core()).items
    (home_path / "config.toml").write_text(settings, encoding="utf-8")
    core = open_core()
    assert not start(core).items
    assert "profile" not in start(core).per_tier
    assert core.profile().preferences
    assert not core.profile().is_told


# --- whose it is to change


def test_adding_and_changing_is_asked_and_refused_where_nobody_is(open_core):
    mine = open_core()
    kept = mine.add_preference(SHORT, "verbosity").memory_id
    core = open_core(confirmation_callback=None)
    for act in (
        lambda: core.add_preference(TABS, "style"),
        lambda: core.add_pattern(RETRY, "errors"),
        lambda: core.regroup(kept, "tone"),
        lambda: core.clear_profile("verbosity"),
        lambda: core.clear_profile(),
    ):
        with pytest.raises(ConsentNeeded):
            act()
    assert list(groups(core)) == [SHORT]
    assert [memory.content for memory in core.query_preferences()] == [SHORT], "looking is free"


def test_a_category_is_cleared_by_a_yes_with_a_true_warning_and_comes_back(open_core):
    asked, answers = [], [False, True, True]

    def answer(question):
        asked.append(question)
        return answers[len(asked) - 1]

    mine = open_core()
    mine.add_preference(SHORT, "verbosity")
    mine.remember(TABS, category="preference")
    mine.remember(FRIDAY, category="warning")
    core = open_core(confirmation_callback=answer)
    with pytest.raises(Refused):
        core.clear_profile("verbosity")
    assert len(groups(core)) == 3
    assert [memory.content for memory in core.clear_profile("verbosity")] == [SHORT]
    assert len(asked) == 2, "asked once"
    assert "DANGER" in asked[1]
    assert "cannot be undone" in asked[1]
    assert "come back with undo" in asked[1]
    assert set(groups(core)) == {TABS, FRIDAY}
    core.undo()
    assert set(groups(core)) == {SHORT, TABS, FRIDAY}


def test_clearing_all_leaves_what_holds_in_the_project_and_nothing_is_nothing(core):
    assert core.clear_profile() == []
    core.add_preference(SHORT, "verbosity")
    core.add_pattern(RETRY, "errors")
    core.remember(FRIDAY, category="warning")
    assert len(core.clear_profile()) == 2
    assert list(groups(core)) == [FRIDAY]
    assert core.clear_profile("nothing such") == []
