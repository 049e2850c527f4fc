"""Who may be shown, and that nothing is said twice."""

from datetime import timedelta

import pytest

ASKED = "which pump of the berth is checked?"
PUMP = "The pump of berth {} is checked by hand before each spring tide"


@pytest.fixture
def ask(core):
    return lambda **more: core.recall(ASKED, write_receipt=False, session="s1", **more)


def test_what_may_not_be_shown_is_hidden_with_the_reason_and_the_rest_is_shown(
    core, open_core, ask, keep, clock, subtests
):
    """Projects never see each other; retired memories stay away."""
    in_an_hour = clock.now + timedelta(hours=1)
    hidden = {
        "not trusted": {"tags": ["untrusted"]},
        "private": {"privacy": "private", "session": "s2"},
        "another role": {"privacy": "agent-only", "role": "researcher"},
        "expired": {"expires": clock.now},
        "working memory": {"scope": "task", "session": "s2"},
    }
    open_core("shipyard").import_memories([{"content": PUMP.format("elsewhere")}])
    shown = [
        {"scope": "global"},
        {"privacy": "private", "session": "s1"},
        {"privacy": "agent-only", "agent": "codex"},
        {"privacy": "agent-only", "role": "orchestrator"},  # whoever has no role is it
        {"scope": "session", "session": "s2"},  # recall crosses sessions ("Settled")
        {"expires": in_an_hour},
    ]
    for number, (reason, fields) in enumerate(hidden.items()):
        with subtests.test(fields=fields):
            [kept] = keep({"content": PUMP.format(number), **fields})
            assert [reason in why for _, why in ask().left_out] == [True]
            assert ask().items == ()
            core.forget(kept)
            assert ask().left_out == ()
    for number, fields in enumerate(shown):
        with subtests.test(fields=fields):
            [kept] = keep({"content": PUMP.format(number), **fields})
            assert [hit.id for hit in ask().items] == [kept]
            core.forget(kept)
    [kept] = keep({"content": PUMP.format(9), "privacy": "agent-only", "role": "researcher"})
    assert [hit.id for hit in ask(role="researcher").items] == [kept]
    assert ask(role="executor").items == ()


SAME = PUMP.format(12)


def test_only_what_says_the_same_is_left_out(core, ask, keep, subtests):
    """0.85; a number or a "not" makes another statement, and so does another type."""
    rows = [
        (SAME, {}, True),
        (SAME.upper() + "!", {}, True),
        (SAME.replace("checked", "tested"), {}, True),
        (SAME.replace("12", "13"), {}, False),
        (SAME.replace("is checked", "is not checked"), {}, False),
        (SAME.replace("before", "after"), {}, False),
        (SAME.replace("pump of", "crane near").replace("hand", "eye"), {}, False),
        (f"{SAME}.", {"type": "procedural"}, False),
    ]
    [first] = keep(f"{SAME}.", importance=1.0, type="semantic")
    [last] = keep("The pump behind the berth is grey", importance=0.0, type="semantic")
    for other, fields, is_same in rows:
        with subtests.test(other=other):
            [second] = keep({"content": other, "type": "semantic", **fields})
            told = ask()
            reason = "says the same as another that is injected"
            assert (dict(told.left_out).get(second) == reason) is is_same
            assert {first, last} <= {hit.id for hit in told.items}
            core.forget(second)
    keep(SAME.replace("checked", "tested"), status="pinned")
    assert first not in {hit.id for hit in ask().items}  # nor what is shown anyway


@pytest.mark.parametrize(("common", "is_same"), [(17, True), (16, False)])
def test_alike_begins_at_85_in_a_hundred(core, keep, common, is_same):
    words = "the of and to in a is it as for on at by from with be this that are was".split()
    other = "you we he she they".split()
    keep(" ".join(words), " ".join([*words[:common], *other[: 20 - common]]))
    assert len(core.retrieve("of the")) == 2
    assert len(core.retrieve("of the", deduplicate=True)) == (1 if is_same else 2)
