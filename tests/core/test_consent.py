"""The core asks, through one callable, before every project is told something (004-09)."""

import pytest

from memdeck import BadInput, Capture, ConsentNeeded, Origin, Refused

TIDE = "Berth 12 floods at spring tide"
ACTS = {
    "remember": lambda core, here, there: core.remember("Tabs, not spaces", scope="global"),
    "promote": lambda core, here, there: core.promote(here, "global"),
    "edit": lambda core, here, there: core.edit(here, scope="global"),
    "edit of the text": lambda core, here, there: core.edit(there, content="Another text"),
    "merge": lambda core, here, there: core.merge(there, here, title="Both"),
    "accept": lambda core, here, there: core.accept_edited(waiting(core), scope="global"),
    "merged conflict": lambda core, here, there: core.resolve_conflict(
        core.mark_conflict(there, here), "merged", content="Both at once"
    ),
    "lost conflict": lambda core, here, there: core.resolve_conflict(
        core.mark_conflict(there, here), "b"
    ),
    "importance": lambda core, here, there: core.edit(there, importance=0.9),
    "forget": lambda core, here, there: core.forget([here, there]),
    "delete": lambda core, here, there: core.delete_memory(there),
    "pin": lambda core, here, there: core.pin(there),
    "retag": lambda core, here, there: core.retag([there], add=["clock"]),
    "supersede": lambda core, here, there: core.supersede(there, here),
    "merge away": lambda core, here, there: core.merge(here, there),
    "undo": lambda core, here, there: core.undo(core.history(there)[0].seq),
    "pin by saying it again": lambda core, here, there: core.remember(
        "In UTC", scope="global", pin=True
    ),
}


def waiting(core):
    told = "From now on always run `make test-db` before the integration tests, they need its data."
    [result] = core.offer([Capture(content=told, rule="person.instruction")])
    return result.memory_id


@pytest.fixture
def pair(core):
    return core.remember(TIDE).memory_id, core.remember("In UTC", scope="global").memory_id


@pytest.mark.parametrize("name", ACTS)
def test_an_act_asks_once_and_does_what_the_answer_says(open_core, pair, name):
    asked = []

    def answer(question):
        asked.append(question)
        return len(asked) > 1

    core = open_core(confirmation_callback=answer)
    with pytest.raises(Refused):
        ACTS[name](core, *pair)
    assert len(asked) == 1
    assert "every project" in asked[0]
    assert core.count("scope:global") == 1
    assert core.resolve(pair[1]).content == "In UTC"
    if "conflict" not in name:  # it is marked already
        ACTS[name](core, *pair)
        assert len(asked) == 2


@pytest.mark.parametrize("name", ACTS)
def test_where_nobody_can_be_asked_it_is_refused(open_core, pair, name):
    core = open_core(confirmation_callback=None)
    with pytest.raises(ConsentNeeded) as refused:
        ACTS[name](core, *pair)
    assert refused.value.question in str(refused.value)
    assert core.count("scope:global") == 1


def test_what_was_taken_away_comes_back_by_a_yes_only(open_core, pair):
    open_core().forget(pair[1])
    core = open_core(confirmation_callback=None)
    for act in (lambda: core.restore(pair[1]), core.undo):
        with pytest.raises(ConsentNeeded, match="will be told “In UTC”"):
            act()
    assert core.count("scope:global") == 0
    assert open_core().restore(pair[1])[0].is_live


def test_a_global_candidate_is_judged_by_a_yes_only(open_core):
    [line] = [{"content": TIDE, "scope": "global", "status": "candidate"}]
    candidate = open_core().import_memories([line]).ids[0]
    core = open_core(confirmation_callback=None)
    for act in (core.accept, core.reject):
        with pytest.raises(ConsentNeeded):
            act(candidate)
    assert open_core().accept(candidate)[0].status == "confirmed"


def test_to_stand_for_what_came_from_elsewhere_is_asked_where_every_project_is_told_it(open_core):
    """Told as a note, it would be told as the person's own word, to be kept to."""
    sources = [{"content": TIDE, "scope": "global"}, {"content": "Berth 9 is dry"}]
    foreign, here = open_core().import_memories(sources).ids
    own = open_core().remember("In UTC", scope="global").memory_id
    asked = []
    for answer in (None, lambda question: bool(asked.append(question))):
        core = open_core(confirmation_callback=answer)
        with pytest.raises(Refused):
            core.keep(foreign)
        assert (core.show(foreign).provenance, core.show(foreign).degree) == (
            "imported",
            "established",
        )
        core.keep([own, here])  # theirs already, and nobody else's
    assert asked == [f"Agents of every project will be told to keep to “{TIDE}”."]
    assert open_core().keep(foreign)[0].degree == "person"
    open_core(confirmation_callback=None).keep(foreign)


def test_clearing_all_that_is_global_is_asked_with_a_warning(open_core):
    core = open_core()
    both = [core.remember(text, scope="global").memory_id for text in ("In UTC", "Tabs")]
    core.remember(TIDE)
    asked = []
    core = open_core(confirmation_callback=lambda question: bool(asked.append(question)))
    with pytest.raises(Refused):
        core.clear_global()
    with pytest.raises(Refused):
        core.forget(both[0])
    assert "ALL 2 global" in asked[0]
    assert "cannot be undone" in asked[0]
    assert "ALL" not in asked[1]
    assert core.count("scope:global") == 2
    assert open_core().clear_global() == 2
    assert (core.count("scope:global"), core.count()) == (0, 1)
    assert open_core(confirmation_callback=None).clear_global() == 0, "there is nothing to ask"


def test_what_only_counts_is_not_asked(open_core, pair):
    core = open_core(confirmation_callback=None)
    assert core.remember("In UTC").outcome == "duplicate"
    core.link(pair[0], pair[1], "refines")
    assert core.show(pair[1]).accesses == 1
    assert core.show(pair[1]).importance == open_core().show(pair[1]).importance


def test_a_session_that_says_it_again_changes_nothing_of_it(open_core):
    """A drain has nobody to ask, and must go on."""
    told = "Every deployment waits for the canary to stay green for a whole hour in staging."
    before = open_core().show(open_core().remember(told, scope="global").memory_id)
    core = open_core(confirmation_callback=None, actor="agent")
    origins = [Origin(session=f"s{n}", agent="claude") for n in range(3)]
    results = core.offer([Capture(told, origin=origin) for origin in origins])
    assert {result.outcome for result in results} == {"duplicate"}
    after = core.show(before.id)
    assert (after.importance, after.status, after.type) == (
        before.importance,
        before.status,
        before.type,
    )
    assert after.accesses == 3


def test_an_agent_replaces_nothing_global(open_core):
    core = open_core()
    core.session_seen("s1", "claude", None, "startup")
    recorded = core.learn("The feed of the harbour is cut at midnight, UTC.", session="s1")
    everywhere = core.edit(recorded.result.memory_id, scope="global")
    drain = open_core(confirmation_callback=None, actor="agent")
    said = "The feed of the harbour is cut at two in the morning, local time."
    again = drain.learn(said, session="s1", replaces=everywhere.id)
    assert again.conflict
    assert drain.show(everywhere.id).is_live


def test_no_session_makes_anything_global(core):
    with pytest.raises(BadInput, match="only a person"):
        core.offer([Capture(content=TIDE, scope="global")])


def test_an_import_asks_once_whatever_it_has(open_core):
    asked = []
    core = open_core(confirmation_callback=lambda question: bool(asked.append(question)))
    objects = [{"content": f"Rule {n} is for all", "scope": "global"} for n in range(600)]
    report = core.import_memories([*objects, {"content": TIDE}], global_count=600)
    assert (report.added, len(report.refused), len(asked)) == (1, 600, 1)
    assert "600 of these" in asked[0]
    assert core.import_memories([{"content": "Locks"}]).added == 1
    assert len(asked) == 1, "nothing in it was for all"


def test_others_can_write_while_a_person_thinks(open_core, pair):
    other = open_core()
    core = open_core(confirmation_callback=lambda _: bool(other.remember("Meanwhile")))
    assert core.promote(pair[0], "global")[0].scope == "global"
    assert core.count() == 3
