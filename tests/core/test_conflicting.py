"""Two memories that cannot both hold: noted, marked, decided, remembered."""

import itertools

import pytest

from memdeck import open_memory

ALWAYS = "Always moor the pilot boat at the inner quay when the wind is from the north"
NEVER = "Never moor the pilot boat at the inner quay when the wind is from the north"


@pytest.fixture
def sides(core):
    """Two memories that contradict each other, found when the second was added."""
    return core.remember(ALWAYS).memory_id, core.remember(NEVER).memory_id


@pytest.fixture
def conflict(core, sides):
    [found] = core.conflicts()
    return found


# --- noted on adding


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use the north gauge for berth 12", "Don't use the north gauge for berth 12"),
        ("Always flush the pump after a storm", "Never flush the pump after a storm"),
        ("Enable the night beacon on pier C", "Disable the night beacon on pier C"),
        ("Add the harbour fee to every invoice", "Remove the harbour fee from every invoice"),
        ("Boats should use the east lock", "Boats shouldn't use the east lock"),
    ],
)
@pytest.mark.parametrize("is_captured", [False, True])
def test_each_pair_of_opposites_is_noted_when_the_second_is_added(
    core, offer, one, other, is_captured
):
    ending = ", whatever the season may be"
    one, other = one + ending, other + ending  # short texts are trivial
    first = core.remember(one, category="decision").memory_id
    if is_captured:
        result = offer(other, category="decision", importance=0.8, rule="person.instruction")
        assert result.stored, result.reason
        second = result.memory_id
    else:
        second = core.remember(other, category="decision").memory_id
    [found] = core.conflicts()
    assert (found.first.id, found.second.id, found.kind) == (first, second, "superseded")
    assert found.reason
    assert core.show(first).is_live
    assert core.show(second).is_live


@pytest.mark.parametrize(
    ("fields", "is_noted"),
    [
        ({"category": "decision"}, True),
        ({"category": "warning"}, False),
        ({"category": "warning", "files": ["quay/plan.md"]}, True),
        ({"category": "warning", "files": ["other.md"]}, False),
    ],
)
def test_a_shared_file_or_the_category_is_needed(core, fields, is_noted):
    core.remember(ALWAYS, category="decision", files=["quay/plan.md"])
    second = core.remember(NEVER, **fields).memory_id
    assert core.show(second).in_conflict == is_noted


HELD = "A berth at the outer pier is held for 10 minutes while a guest pays"


def test_a_conflict_has_a_kind_and_a_time(core, offer, clock):
    first = core.remember(HELD, category="decision").memory_id
    clock.forward(hours=1)
    fields = {"category": "decision", "importance": 0.9, "rule": "person.instruction"}
    second = offer(HELD.replace("10", "15"), **fields).memory_id
    [found] = core.conflicts()
    assert (found.first.id, found.second.id) == (first, second)
    assert (found.kind, found.detected_at, found.resolved_at) == ("superseded", clock.now, None)
    assert found.is_open


def test_both_sides_are_told_with_the_marker_and_a_request_to_verify(core, sides):
    text = core.recall("where do we moor the pilot boat in a north wind?").text
    assert "[⚠ CONFLICT]" in text
    for side in sides:
        assert core.show(side).short_id in text
    assert ALWAYS in text
    assert NEVER in text
    assert "verify" in text.lower()


def test_a_verdict_ends_the_marker(core, sides, conflict):
    core.resolve_conflict(conflict.id, "b")
    text = core.recall("where do we moor the pilot boat in a north wind?").text
    assert "CONFLICT" not in text
    assert NEVER in text
    assert ALWAYS not in text


# --- failures are kept as refuted


def test_a_failure_is_kept_beside_what_recommends_the_approach(core, offer):
    """Neither is dropped nor merged into the other, whatever the judge says of the two."""
    advice = core.remember(
        "We use Redis for the berth cache, it is quick enough.", category="decision"
    ).memory_id
    result = offer(
        "We tried Redis for the berth cache and it failed, since it lost entries on every restart",
        category="error",
        importance=0.8,
    )
    assert result.stored, result.reason
    assert result.memory_id != advice
    assert core.show(advice).is_live
    assert core.show(result.memory_id).is_live


# --- verdicts


@pytest.mark.parametrize(
    ("keep", "first", "second", "links"),
    [
        ("a", None, "superseded", ["superseded_by"]),
        ("b", "superseded", None, ["superseded_by"]),
        ("both", None, None, []),
        ("neither", "rejected", "rejected", []),
        ("merged", None, "merged", ["reinforces"]),
        ("not_a_conflict", None, None, []),
    ],
)
def test_each_verdict_leaves_what_it_says_and_can_be_taken_back(
    core, sides, conflict, clock, keep, first, second, links
):
    clock.forward(hours=2)
    decided = core.resolve_conflict(conflict.id, keep)
    assert (decided.verdict, decided.resolved_at) == (keep, clock.now)
    assert not decided.is_open
    assert core.conflicts() == []
    assert [one.verdict for one in core.conflicts(resolved=True)] == [keep]
    assert [core.show(side).retired_as for side in sides] == [first, second]
    assert [link.kind for link in core.links(sides[0])] == links
    core.undo()
    assert [(one.id, one.verdict) for one in core.conflicts()] == [(conflict.id, None)]
    assert [core.show(side).retired_as for side in sides] == [None, None]
    assert [link.kind for link in core.links(sides[0])] == ["contradicts"]


def test_the_loser_of_a_verdict_is_not_captured_again(core, offer, conflict):
    core.resolve_conflict(conflict.id, "b")
    assert offer(ALWAYS).outcome == "refused"
    assert core.conflicts() == []


# --- marking by hand


def test_a_conflict_ends_when_a_side_is_forgotten_and_undo_opens_it_again(core, sides, conflict):
    core.forget(sides[0])
    [ended] = core.conflicts(resolved=True)
    assert (ended.verdict, ended.is_open) == ("b", False)
    core.undo()
    assert [(one.id, one.verdict) for one in core.conflicts()] == [(conflict.id, None)]


@pytest.mark.parametrize(
    ("one", "other", "is_noted"),
    [
        ("apps/web/package.json", "apps/api/main.go", False),
        ("services/billing/app.py", "services/search/app.py", False),
        ("./crates/core/src/lib.rs", "crates/cli/src/main.rs", False),
        ("apps/web/package.json", "apps/web/src/main.ts", True),
        ("apps/web/package.json", "package.json", True),
        ("compose.yml", "Makefile", True),
        (None, "apps/api/main.go", True),
    ],
)
def test_packages_of_one_repository_do_not_contradict_each_other(core, one, other, is_noted):
    core.remember("The dev server listens on port 3000.", files=[one] if one else [])
    core.remember("The dev server listens on port 8080.", files=[other])
    assert bool(core.conflicts()) is is_noted


@pytest.mark.parametrize("reading", [1, 3])  # of the clock: before it is judged, and after
@pytest.mark.parametrize(
    ("before", "write", "outcome"),
    [
        (HELD, lambda other, _: other.remember(ALWAYS), (True, 1)),
        (HELD, lambda other, _: other.remember(f"**{NEVER}**!"), (False, 0)),
        (HELD, lambda other, first: other.edit(first, content=ALWAYS), (True, 1)),
        (ALWAYS, lambda other, first: other.forget(first), (True, 0)),
    ],
    ids=["contradicts", "says the same", "edits", "forgets"],
)
def test_what_another_writes_meanwhile_counts(home_path, clock, before, write, outcome, reading):
    with open_memory(home_path, "harbour") as other:
        first = other.remember(before).memory_id

        def now():
            if next(readings) == reading:
                write(other, first)
            return clock()

        readings = itertools.count()
        with open_memory(home_path, "harbour", clock=now) as memory:
            readings = itertools.count(1)
            is_stored = memory.remember(NEVER).stored
        assert (is_stored, len(other.conflicts())) == outcome
