"""The core asks, through one callable, before every project is told something."""

import pytest

from memdeck import BadInput, Capture, CoreBackend, GlobalMemoryStore, Refused

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


@pytest.mark.parametrize("name", ACTS)
def test_an_act_asks_once_and_does_what_the_answer_says(open_core, name, core):
    pair = core.remember(TIDE).memory_id, core.remember("In UTC", scope="global").memory_id
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


def everywhere(core):
    return GlobalMemoryStore(CoreBackend(core, "global"))


def test_clearing_all_that_is_global_is_asked(open_core):
    core = open_core()
    both = [core.remember(text, scope="global").memory_id for text in ("In UTC", "Tabs")]
    core.remember(TIDE)
    asked = []
    core = open_core(confirmation_callback=lambda question: bool(asked.append(question)))
    with pytest.raises(Refused):
        everywhere(core).clear_all()
    with pytest.raises(Refused):
        core.forget(both[0])
    assert [question.endswith("receive 2 memories.") for question in asked] == [True, False]
    assert core.count("scope:global") == 2
    assert everywhere(open_core()).clear_all() is True
    assert (core.count("scope:global"), core.count()) == (0, 1)
    nobody = open_core(confirmation_callback=None)
    assert everywhere(nobody).clear_all() is True, "there is nothing to ask"


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
    with pytest.raises(BadInput, match="only the user"):
        core.offer([Capture(content=TIDE, scope="global")])


def test_an_import_asks_once_whatever_it_has(open_core):
    asked = []
    core = open_core(confirmation_callback=lambda question: bool(asked.append(question)))
    objects = [{"content": f"Rule {n} is for all", "scope": "global"} for n in range(600)]
    report = core.import_memories([*objects, {"content": TIDE}])
    assert (report.added, len(report.refused), len(asked)) == (1, 600, 1)
    assert "some of these" in asked[0]
    assert core.import_memories([{"content": "Locks"}]).added == 1
    assert len(asked) == 1, "nothing in it was for all"
