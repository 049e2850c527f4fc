"""What the store returns becomes the value that everyone uses."""

from datetime import UTC, datetime

from memdeck.core.values import Origin
from memdeck.core.values_from import memory_from_image


def test_an_image_becomes_a_memory_with_everything_it_holds(an_image):
    image = an_image(
        "Pumps run at 06:00",
        key="k1",
        tags=["pump"],
        files=["berths/pump.py"],
        session="s1",
        agent_id="sub",
        role="executor",
        transcript="/t.jsonl",
        line=7,
        ref="r1",
        created_at=0,
        updated_at=1_500,
        due=2_000,
        retired_at=3_000,
        retired_as="forgotten",
        details={"concept": "pump"},
        accesses=4,
        last_access=5_000,
        helpful=1,
        unhelpful=2,
        in_conflict=True,
        revision=9,
    )
    memory = memory_from_image(image)
    assert memory.content == "Pumps run at 06:00"
    assert (memory.tags, memory.files) == (("pump",), ("berths/pump.py",))
    assert memory.origin == Origin("s1", "claude", "sub", "executor", "/t.jsonl", 7, "r1")
    assert memory.created_at == datetime(1970, 1, 1, tzinfo=UTC)
    assert memory.updated_at == datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)
    assert memory.due == datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)
    assert not memory.is_live
    assert memory.details == {"concept": "pump"}
    assert (memory.accesses, memory.helpful, memory.unhelpful) == (4, 1, 2)
    assert memory.in_conflict
    assert memory.revision == 9


def test_what_is_kept_apart_from_the_row_may_be_missing(an_image):
    image = an_image()
    apart = (
        "short_id",
        "accesses",
        "last_access",
        "helpful",
        "unhelpful",
        "in_conflict",
        "revision",
    )
    for name in apart:
        del image[name]
    memory = memory_from_image(image)
    assert memory.short_id == memory.id[:7]
    assert (memory.accesses, memory.last_access, memory.in_conflict) == (0, None, False)
    assert memory.is_live


def test_a_later_change_of_the_image_does_not_reach_the_memory(an_image):
    image = an_image(details={"concept": "tide"})
    memory = memory_from_image(image)
    image["details"]["concept"] = "other"
    assert memory.details == {"concept": "tide"}
