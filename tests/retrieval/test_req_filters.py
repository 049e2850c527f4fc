"""Filters as programs write them: what they leave, in which order, and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import BadInput, MemoryCoordinator

FIRST = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_memory(number, **fields):
    return {
        "content": f"Berth {number} floods at spring tide",
        "key": str(number),
        "created_at": (FIRST + timedelta(days=number)).isoformat(),
        **fields,
    }


@pytest.fixture(scope="module")
def berths(tmp_path_factory):
    """Twelve memories of the first twelve days of March, each of its kind; one is everywhere."""
    home = tmp_path_factory.mktemp("filters") / "home"
    core = MemoryCoordinator.open(home, "harbour", confirmation_callback=lambda _: True)
    core.import_memories(
        a_memory(
            number,
            type=("semantic", "episodic", "procedural")[number % 3],
            category=("decision", "warning")[number % 2],
            status=("confirmed", "candidate", "pinned")[number % 3],
            scope="global" if number == 7 else "project",
            importance=number / 11,
            tags=["tide"] * (number % 2) + ["quay"] * (number > 8),
            files=["db/berths.py"] if number < 4 else [],
            session=f"session-{number % 4}",
            agent=("claude", "codex", None)[number % 3],
        )
        for number in range(12)
    )
    yield core
    core.close()


def keys(memories):
    return [int(memory.key) for memory in memories]


# --- which memories


def test_filters_leave_exactly_what_fits_newest_first(berths, subtests):
    """Equality, any of a list, and each operator; of several all must hold."""
    rows = [
        ({}, range(12)),
        ({"type": "episodic"}, [1, 4, 7, 10]),
        ({"type": {"$eq": "episodic"}}, [1, 4, 7, 10]),
        ({"type": {"$ne": "episodic"}}, [0, 2, 3, 5, 6, 8, 9, 11]),
        ({"type": ["episodic", "procedural"]}, [1, 2, 4, 5, 7, 8, 10, 11]),
        ({"tags": "quay"}, [9, 10, 11]),
        ({"tags": ["quay", "tide"]}, [1, 3, 5, 7, 9, 10, 11]),
        ({"tags": {"$in": ["quay", "nothing"]}}, [9, 10, 11]),
        ({"tags": {"$ne": "tide"}}, [0, 2, 4, 6, 8, 10]),
        ({"files": "berths.py"}, [0, 1, 2, 3]),
        ({"session": "session-2", "scope": "project"}, [2, 6, 10]),
        ({"agent": {"$ne": "codex"}}, [0, 2, 3, 5, 6, 8, 9, 11]),
        ({"importance": {"$gte": 7 / 11}}, [7, 8, 9, 10, 11]),
        ({"importance": {"$gt": 7 / 11}}, [8, 9, 10, 11]),
        ({"importance": {"$lte": 2 / 11}}, [0, 1, 2]),
        ({"importance": {"$lt": 2 / 11}}, [0, 1]),
        ({"importance": {"$gte": 2 / 11, "$lt": 4 / 11}}, [2, 3]),
        ({"importance": 1}, [11]),
        ({"importance": [0, 1]}, [0, 11]),
        ({"importance": {"$ne": 0.0}}, range(1, 12)),
        ({"status": ["confirmed", "pinned"], "category": "warning"}, [3, 5, 9, 11]),
        ({"timestamp": {"$gte": "2026-03-11"}}, [10, 11]),
        ({"created_at": {"$gt": "2026-03-11"}}, [11]),
        ({"created_at": {"$lt": "2026-03-02"}}, [0]),
        ({"created_at": {"$lte": "2026-03-02"}}, [0, 1]),
        ({"created_at": "2026-03-05"}, [4]),
        ({"created_at": {"$ne": "2026-03-05"}}, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]),
        ({"created_at": FIRST + timedelta(days=4)}, [4]),
        ({"created_at": {"$gt": (FIRST + timedelta(days=10)).isoformat()}}, [11]),
        ({"created_at": {"$gte": "2026-03-12T13:00:00+01:00"}}, [11]),
        ({"created_at": {"$gte": "2026-03-12T12:00:01Z"}}, []),
        ({"updated_at": {"$lt": "2026-03-01"}}, []),
    ]
    for filters, left in rows:
        with subtests.test(filters=filters):
            assert keys(berths.query(filters)) == sorted(left, reverse=True)


# --- with words


def test_filters_hold_beside_the_words_and_the_language_of_a_search(berths):
    """By relevance, within what is asked for."""
    asked = "which berth floods?"
    found = berths.search(asked, limit=20, filters={"type": "episodic"})
    assert sorted(int(hit.key) for hit in found) == [1, 4, 7, 10]
    assert all(hit.score > 0 for hit in found)
    both = berths.search(f"{asked} tag:tide", limit=20, filters={"type": "episodic"})
    assert sorted(int(hit.key) for hit in both) == [1, 7]
    assert len(berths.search("", limit=20, filters={"type": "episodic"})) == 4


# --- what is refused


def test_what_cannot_be_used_is_refused_by_its_name(berths, subtests):
    """A program that mistypes a filter must not get everything."""
    rows = [
        ({"kind": "decision"}, "'kind'"),
        ({7: "decision"}, "7"),
        ({"type": "semantc"}, "'semantc'"),
        ({"category": ["decision", "gossip"]}, "'gossip'"),
        ({"type": {"$regex": "sem"}}, "'\\$regex'"),
        ({"importance": {">=": 0.5}}, "'>='"),
        ({"type": {"$gt": "semantic"}}, "\\$gt"),
        ({"tags": {"$lte": "tide"}}, "\\$lte"),
        ({"tags": []}, "tags"),
        ({"tags": {}}, "tags"),
        ({"tags": {"$in": "tide"}}, "\\$in"),
        ({"tags": " "}, "tags"),
        ({"tags": None}, "None"),
        ({"tags": ["a", 5]}, "5"),
        ({"importance": 1.01}, "1.01"),
        ({"importance": -0.01}, "-0.01"),
        ({"importance": float("nan")}, "nan"),
        ({"importance": True}, "True"),
        ({"importance": "0.7"}, "'0.7'"),
        ({"created_at": "yesterday"}, "'yesterday'"),
        ({"created_at": "2026-02-30"}, "'2026-02-30'"),
        ({"created_at": 1_774_000_000_000}, "1774000000000"),
        ({"created_at": ["2026-03-01"]}, "created_at"),
        (["type"], "list"),
        ("type:semantic", "str"),
    ]
    for filters, named in rows:
        with subtests.test(filters=filters):
            for ask in (berths.query, lambda filters: berths.search("berth", filters=filters)):
                with pytest.raises(BadInput, match=named):
                    ask(filters)


def test_an_order_that_there_is_not_is_named(berths, subtests):
    rows = ["", "-", "--timestamp", "relevance", "num; DROP TABLE", 7]
    for order in rows:
        with subtests.test(order=order), pytest.raises(BadInput, match="no order"):
            berths.query(order_by=order)
