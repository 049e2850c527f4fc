"""What the workbench says of a pair: lines side by side, their marks, fields, guesses, the head."""

from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len
from textual.widgets import Static

from memdeck import MemoryCoordinator

from .conflicts_bench import Judge, bench

LONG_REASON = "Under-keel clearance is half a metre, or else a third. " * 6


class Two(NamedTuple):
    """Two texts, why they are in conflict, and what is then marked in each, guessed, or said."""

    first: str
    second: str
    reason: str = "so"
    marked: tuple[list[str], list[str]] | None = None
    guess: str | None = None
    above: str = ""  # the lines above the two, behind the first


PAIRS = (
    Two("Timeout is 30 s for webhooks, since x.", "Timeout is 60 s for batch jobs.",
        guess="one for webhooks, the other for batch jobs"),
    Two("In production the budget is 3.", "In staging the budget is 5.",
        guess="one in production, the other in staging"),
    Two("Use tabs in Makefiles.", "Use spaces.", guess="one only in Makefiles"),
    Two("Here use spaces.", "Here use tabs in Rakefiles.", guess="one only in Rakefiles"),
    Two("Retries begin after 30 seconds.", "Retries begin after 60 seconds.",
        marked=(["30"], ["60"]), guess=""),
    Two("Job timeout is 30 s for webhooks.", "Job timeout is 60 s for webhooks.", guess=""),
    Two("Tests use tabs", "日本語の設定", marked=([], [])),
    Two("Tide windows need 0.30 m of water.",
        "Mrs Whitlock wants 0.50 M under her boats, not 10.50 m.", "“0.50 m” against “0.30 m”",
        marked=(["0.30 m"], ["0.50 M"])),
    Two("It is 0.50 m", "It is 0.50 m at Port Ellery", marked=([], ["at Port Ellery"])),
    Two("one\ntwo\nthree", "one\nthree", LONG_REASON, marked=(["two"], []),
        above=f"why  {LONG_REASON[:109]}\n     "),
    Two("x" * 4_000, "y" * 4_000, "[/foo] [@click=app.leave]",
        above="why  [/foo] [@click=app.leave]"),
    Two("\n".join(f"line {number}" for number in range(401)),
        "\n".join(f"line {number}" for number in range(402))),
    Two("Moorings are checked by Willem every spring.",
        "Willem replaces each mooring after ten years.", "",
        above="why  both speak of moorings, willem"),
    Two("Invoices leave on Fridays.", "Ducks swim far.", ""),
)  # fmt: skip

VERDICTS = {
    "a": ("left", "kept the left one"),
    "b": ("right", "kept the right one"),
    "both": ("both", "kept both"),
    "neither": ("neither", "kept neither"),
    "merged": ("merged", "made the two one"),
    "not_a_conflict": ("none", "called it no conflict"),
}
"""How a conflict ended: in a column, and above its two sides."""


@pytest.fixture
def judging(open_app: Any) -> Any:
    return bench(open_app)


def rivals(core: MemoryCoordinator, clock: Any, first: Any, second: Any, reason: str = "so") -> str:
    clock.forward(hours=1)
    one, other = (ref or "" for ref in core.import_memories([first, second]).ids)
    return core.mark_conflict(one, other, reason=reason)


def told(judge: Judge) -> tuple[str, str]:
    sides = judge.view.sides
    return sides.left.told.plain, sides.right.told.plain


def marked(content: Any) -> list[str]:
    """The words that are marked as differing."""
    spans = [span for span in content.spans if "warning-muted" in str(span.style)]
    return [content.plain[span.start : span.end] for span in spans]


def head(judge: Judge) -> list[str]:
    """The lines above the two."""
    return str(judge.view.query_one("#conflict-head", Static).visual.plain).split("\n")


async def each(judge: Judge, count: int) -> Any:
    """Look at so many pairs, from the first on; the last one stays in sight."""
    for place in range(count):
        await judge.press(*(["n"] if place else []))
        await judge.until(lambda at=f"{place + 1} of {count}": at in head(judge)[0])
        yield place


@pytest.fixture
def decided(core: MemoryCoordinator, clock: Any) -> None:
    """A conflict for each verdict."""
    for verdict in reversed(VERDICTS):
        texts = ({"content": f"Berth {verdict} is {word}."} for word in ("free", "taken"))
        context = {"context": "one for webhooks"} if verdict == "both" else {}
        core.resolve_conflict(rivals(core, clock, *texts), verdict, **context)
    clock.forward(days=3)


@pytest.fixture
def open_ones(core: MemoryCoordinator, clock: Any, decided: None) -> None:
    """The pairs of texts, and at the end two of which more is known."""
    for two in PAIRS:
        rivals(core, clock, {"content": two.first}, {"content": two.second}, two.reason)
    hold = {"content": "While a guest pays.", "title": "A hold lives ten minutes",
            "tags": ["alone", "queue"], "session": "s1", "agent": "claude"}  # fmt: skip
    longer = {"content": "Holds last longer now.", "title": "A hold lives fifteen minutes",
              "tags": ["queue"], "scope": "session", "session": "s9", "files": ["src/q.py"],
              "created_at": "2026-01-01T00:00:00+00:00"}  # fmt: skip
    one = core.conflict(rivals(core, clock, hold, longer)).first
    third = core.remember("Third [/foo] of them").memory_id or ""
    core.link(one.id, third, "extends")
    core.link(third, one.id, "superseded_by")
    for number in range(3):
        clock.forward(hours=1)
        asked = "what does it say of a hold while a guest pays?"
        told = core.recall(asked, session=f"s{number}")
        core.feedback(told.receipt, one.id, number != 1)
    clock.forward(hours=2)


async def test_two_sides_their_fields_and_the_lines_above(
    judging: Any, open_ones: None, subtests: Any
):
    async with judging((120, 50)) as judge:
        async for place in each(judge, len(PAIRS) + 1):
            with subtests.test(place=place):
                left, right = told(judge)
                assert left.count("\n") == right.count("\n")  # what is below them is level
                sides = judge.view.sides
                for side, said in ((sides.left, left), (sides.right, right)):
                    width = side.content_region.width
                    assert max(cell_len(line.rstrip()) for line in said.split("\n")) <= width
                if place < len(PAIRS):
                    compares(judge, PAIRS[place])
        tells_what_is_known(judge)
        await judge.pilot.resize_terminal(80, 40)  # one above the other
        await judge.person.rest()
        assert "files" not in told(judge)[0]
        assert "scope" in told(judge)[0]

        await judge.pilot.resize_terminal(120, 35)
        await judge.press("f")
        await judge.until(lambda: judge.view.model.shows_decided)
        words = list(VERDICTS.values())
        async for place in each(judge, len(VERDICTS)):
            assert judge.view.list.row(place).verdict == words[place][0]
            how = f"decided  {words[place][1]}, "  # the place is told before its two are there
            await judge.until(lambda how=how: any(line.startswith(how) for line in head(judge)))
            said = next(line for line in head(judge) if line.startswith(how))
            assert "d ago" in said
            assert said.endswith(": one for webhooks") == ("both" in said)


def compares(judge: Judge, two: Two) -> None:
    sides = judge.view.sides
    if two.marked is not None:
        assert (marked(sides.left.told), marked(sides.right.told)) == two.marked
    if two.guess is not None:
        assert judge.view.model.pair.guess == two.guess
    above = "\n".join(head(judge)[1:])
    assert above.startswith(two.above) if two.above else two.reason or not above
    if two.marked == (["two"], []):
        left, right = (text.split("\n") for text in told(judge))
        assert left.index("three") == right.index("three")
        assert right[left.index("two")] == ""
        assert head(judge)[2].endswith("…")


def tells_what_is_known(judge: Judge) -> None:
    left, right = told(judge)
    assert left.startswith("A hold lives ten minutes\n")
    assert right.startswith("A hold lives fifteen minutes\n")
    assert marked(judge.view.sides.left.told)[:1] == ["ten"]
    for words in ("tags       =queue  alone", "files      —", "scope      project",
                  "by         claude · unnamed session", "extends Third [/foo]",
                  "supersedes Third [/foo]", "told       3 times, last 2h ago; 2 helpful, 1 not"
                  ):  # fmt: skip
        assert " ".join(words.split()) in " ".join(left.split())
    for words in ("tags       =queue", "scope      session", "by         you · unnamed session"):
        assert words in right
    assert not {"contradicts", "transcript"} & set(left.split())
    assert "keep this · newer" in judge.person.screen.split("→ keep this")[0]
