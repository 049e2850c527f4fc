"""`retrieve` and the calls around it, with the numbers of the first programmer's guide."""

from datetime import UTC
from pathlib import Path

import pytest

from memdeck import open_memory

ASKED = "which sluice opens at high water?"


def a_sluice(number, **fields):
    return {
        "content": f"Sluice {number} opens at high water",
        "key": str(number),
        "importance": 1 - number / 100,
        **fields,
    }


def keys(memories):
    return [memory.key for memory in memories]


# --- the flow


def test_two_reviewers_relevance_is_averaged_into_the_rank(core, keep):
    """FTS5, then analyzer and patterns, 0-1 each, averaged; then the rank."""
    keep(
        {"content": "The sluice failed since its fuse was wet", "category": "error", "key": "e"},
        {"content": "The sluice is blue", "category": "decision", "key": "d"},
        {"content": "Pilots report by radio", "category": "error", "key": "no"},
    )
    first, second = core.search("why did the sluice fail?", strategy="reviewed")
    assert (first.key, second.key) == ("e", "d")
    for hit, patterns in ((first, 1.0), (second, 0.0)):
        assert hit.parts["patterns"] == pytest.approx(patterns / 4)  # half of the score, halved
        assert 0 < hit.parts["analyzer"] <= 1 / 4
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    hit, *_ = core.search("the blue sluice", strategy="reviewed")  # asks for no kind
    assert hit.parts["patterns"] == pytest.approx(0.5 / 4)


def test_three_times_as_many_are_looked_at_as_are_wanted(core):
    """over-fetch limit x 3, so that what is dropped has a successor."""
    copies = [
        {
            "content": f"The sluice of the north basin opens at high water{'.' * number}",
            "key": f"copy {number}",
        }
        for number in range(7)
    ]
    other = {"content": "A sluice needs water, and grease each spring", "key": "other"}
    core.import_memories([*copies[:5], other])
    asked = "sluice of the north basin at high water"
    assert [hit.key for hit in core.search(asked, 6)][-1] == "other"
    assert keys(core.retrieve(asked, limit=2, deduplicate=True))[1:] == ["other"]
    core.import_memories(copies[5:])
    assert len(core.retrieve(asked, limit=2, deduplicate=True)) == 1  # the eighth is too far


# --- the arguments


def test_only_the_types_asked_for_are_given(core):
    core.import_memories(
        a_sluice(number, type=("semantic", "episodic", "procedural")[number % 3])
        for number in range(6)
    )
    assert sorted(keys(core.retrieve(ASKED, ["episodic", "procedural"]))) == ["1", "2", "4", "5"]
    assert core.retrieve(ASKED, ["prospective"]) == []


PUMP = "The pump of berth 12 must be checked by hand before each spring tide"


@pytest.mark.parametrize(
    ("other", "is_one"),
    [
        (PUMP.upper(), True),
        (PUMP.replace("checked", "tested"), True),
        (PUMP.replace("12", "13"), False),
        (PUMP.replace("must be", "must not be"), False),
    ],
)
def test_what_says_the_same_is_given_once_and_nothing_else_is_dropped(core, other, is_one):
    """Deduplicate False. However alike, a number or a "not" tells two texts apart."""
    core.import_memories([{"content": PUMP, "key": "a"}, {"content": f"{other}.", "key": "b"}])
    assert len(core.retrieve("pump of the berth")) == 2
    assert len(core.retrieve("pump of the berth", deduplicate=True)) == (1 if is_one else 2)


@pytest.mark.parametrize(("words", "given"), [(20, 5), (200, 4), (800, 0)])
def test_past_decisions_come_five_at_most_and_within_a_thousand_tokens(core, words, given):
    """context-aware retrieval, 5 items, 1,000 tokens."""
    core.import_memories(
        {
            "content": f"Decision {number}: the sluice opens at high water {'rope ' * words}",
            "type": ("episodic", "semantic", "procedural")[number % 3],
        }
        for number in range(18)
    )
    past = core.retrieve(
        "when does the sluice open?", ["episodic", "semantic"], limit=5, max_tokens=1_000
    )
    assert len(past) == given
    assert sum(memory.token_count for memory in past) <= 1_000
    assert all(memory.type != "procedural" for memory in past)


# --- the other calls


def test_stats_count_by_type_what_is_deleted_leaves_and_working_memory_is_cleared(core):
    """Stats total and by_type; delete_memory -> bool; clear_working_memory -> count."""
    core.import_memories([a_sluice(0), a_sluice(1, type="procedural")])
    for number in range(3):
        core.create_working_memory(f"Look at sluice {number}", "s1")
    core.create_working_memory("Look at the crane", "s2")
    stats = core.stats()
    assert stats.total_count == 6
    assert stats.by_type == {"semantic": 1, "procedural": 1, "working": 4}
    first = core.show("0").id
    assert core.delete_memory(first) is True
    assert core.delete_memory(first) is False
    assert core.delete_memory("nothing") is False
    assert core.clear_working_memory("s1") == 3
    assert core.clear_working_memory("s1") == 0
    assert core.stats().by_type == {"procedural": 1, "working": 1}


def test_a_memory_carries_what_the_guide_says_it_does(core, clock):
    """Id, type, content, timestamp, token_count, metadata, context, relevance_score."""
    stored = core.store(
        "Decided to open the sluice at high water only, since the gate rusts",
        "procedural",
        {"tags": ["sluice"], "files": ["gates.py"], "steps": ["open", "close"]},
        {"session_id": "s1", "agent_id": "builder"},
    )
    [memory] = core.retrieve("when do we open the sluice?")
    assert (memory.id, memory.type) == (stored.memory_id, "procedural")
    assert memory.content == "Decided to open the sluice at high water only, since the gate rusts"
    assert memory.timestamp.astimezone(UTC) == clock.now
    assert memory.token_count == int(13 * 1.3)
    assert memory.metadata["tags"] == ("sluice",)
    assert memory.metadata["files"] == ("gates.py",)
    assert memory.metadata["steps"] == ["open", "close"]
    assert memory.context == {"session_id": "s1", "agent_id": "builder", "role": None}
    assert 0 < memory.relevance_score <= 1.0
    assert core.show(memory.id).relevance_score == 0.0  # it answered nothing


# --- size and index


@pytest.mark.slow
def test_ten_thousand_memories_take_less_than_ten_megabytes(home_path, clock):
    """Measured as growth, since an empty database has its size too."""
    words = "sluice basin crane tide gauge pilot berth dredge quay rope buoy lock".split()

    def some(start, count):
        return (
            {
                "content": f"Note {number}: "
                + " ".join(words[(number * step) % 12] for step in range(1, 26)),
                "tags": [words[number % 12]],
                "files": [f"harbour/{words[number % 7]}.py"],
                "session": f"s{number // 10}",
            }
            for number in range(start, start + count)
        )

    def on_disk(objects):
        with open_memory(home_path, "harbour", clock=clock) as own:
            assert not own.import_memories(objects).refused
        return Path(home_path, "memory.db").stat().st_size  # closed: its log is folded in

    before = on_disk(some(0, 200))
    after = on_disk(some(200, 400))
    assert 0 < (after - before) / 400 * 10_000 < 10_000_000


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("dredging", True),  # porter: dredged
        ("DREDGES", True),
        ("muller", True),  # unicode61: Müller
        ("winter-work", True),  # in the tags
        ("silt.py", True),  # in the files
        ("procedural", False),  # its type is a filter, not a word
        ("zebra", False),
    ],
)
def test_the_index_holds_the_text_and_what_is_known_of_it_by_stems(core, asked, is_found):
    """FTS5 over content and metadata, porter unicode61."""
    core.remember(
        "Müller dredged the basin", type="procedural", tags=["winter-work"], files=["db/silt.py"]
    )
    assert bool(core.search(asked)) is is_found
