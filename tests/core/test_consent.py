"""The core asks, through one callable, before every project is told something (004-09)."""

import pytest

from memdeck.core import consent
from memdeck.core.answers import Capture
from memdeck.core.errors import BadInput, ConsentNeeded, Refused

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
    if name != "merged conflict":  # it is marked already
        ACTS[name](core, *pair)
        assert len(asked) == 2


@pytest.mark.parametrize("name", ACTS)
def test_where_nobody_can_be_asked_it_is_refused(open_core, pair, name):
    core = open_core(confirmation_callback=None)
    with pytest.raises(ConsentNeeded) as refused:
        ACTS[name](core, *pair)
    assert refused.value.question in str(refused.value)
    assert core.count("scope:global") == 1


def test_an_act_that_forgets_to_ask_is_stopped_before_it_is_written(core, pair, monkeypatch):
    monkeypatch.setattr(consent, "widens", lambda *_: False)
    entries = core.last_seq()
    with pytest.raises(ConsentNeeded):
        core.edit(pair[0], scope="global")
    assert core.last_seq() == entries


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
