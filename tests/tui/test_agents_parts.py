"""The parts of the Agents view: words, tables, plans, and what the demo refuses."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from memdeck import MemoryCoordinator, Refused
from memdeck.core.agents import FileChange, Finding, SetupPlan
from memdeck.demo.desk import DemoDesk
from memdeck.tui.dialogs.plan import MOST_DIFF_LINES, of_plan
from memdeck.tui.glyphs import ASCII, UNICODE
from memdeck.tui.widgets.agent_account import account
from memdeck.tui.widgets.agent_words import (
    SHORT,
    by_weight,
    command_of,
    glyph_of,
    latency_of,
    scopes_of,
    standing_of,
    summed_up,
)

from .agents_bench import NOW_MS, Machine, a_busy_machine, an_agent, marks, told

NOW = datetime.fromtimestamp(NOW_MS / 1000, UTC)
HOSTILE = "see [/foo] [@click=app.leave]x[/] \x1b[31m \u202e 日本語 " + "y" * 300


@pytest.mark.parametrize(
    ("more", "standing"),
    [
        ({"is_present": False, "program": ""}, "not present"),
        ({}, "not installed"),
        ({"scopes": ("user",), "is_trusted": False, "events": marks(1)}, "untrusted"),
        ({"scopes": ("user",), "is_trusted": True, "events": marks(None)}, "silent"),
        ({"scopes": ("user",), "events": marks(None, 3)}, "firing"),
        ({"scopes": ("user",), "is_present": False, "events": ()}, "silent"),
    ],
)
def test_what_keeps_an_agent_from_being_heard_comes_first(more: dict[str, Any], standing: str):
    assert standing_of(an_agent("claude", **more)) == standing


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_each_standing_has_a_glyph_of_its_own(glyphs: Any):
    found = [glyph_of(standing, glyphs) for standing in SHORT]
    assert len(set(found)) == len(SHORT)
    assert all(cell_len(glyph) == 1 for glyph in found)
    assert glyphs is UNICODE or all(glyph.isascii() for glyph in found)


def test_what_wants_mending_comes_first_and_what_can_be_mended_of_that():
    fine, mine, ours = (
        Finding("fine", True, "Well."),
        Finding("mine", False, "Bad.", "Do it."),
        Finding("ours", False, "Bad.", "Do it.", "install claude user"),
    )
    assert by_weight([fine, mine, ours]) == (ours, mine, fine)
    assert summed_up([fine, mine, ours]) == "2 of 3 findings to mend"
    assert summed_up([fine]) == "all is well"
    assert summed_up([fine], "firing") == "all is well"
    for standing in ("not installed", "not present"):
        assert summed_up([fine], standing) == "not connected"
    assert summed_up([ours], "not installed") == "1 of 1 finding to mend"
    assert summed_up([]) == ""


def test_the_command_is_taken_out_of_the_advice():
    assert command_of(Finding("a", False, "b", "Run `x y`, then `z`.")) == "x y\nz"
    assert command_of(Finding("a", False, "b", "Ask its owner.")) == "Ask its owner."
    assert command_of(Finding("a", True, "b")) == ""


async def test_columns_leave_in_order_the_name_and_the_age_never(open_app: Any, tmp_path: Path):
    machine = Machine(tmp_path, (an_agent("copilot"), *a_busy_machine()))
    async with open_app(view="agents", agents=machine, size=(40, 30)) as person:
        for size, columns in ((40, "last"), (80, "last"), (98, "scope last"),
                              (120, "scope last p50/p95")):  # fmt: skip
            await person.pilot.resize_terminal(size, 30)
            await person.rest()
            shown = person.screen
            head = next(line for line in shown.splitlines() if "stands" in line)
            here = [word for word in ("scope", "last", "p50/p95") if word in head]
            assert here == columns.split(), size
            assert "GitHub Copilot " in shown  # whole: without its CLI


def test_a_name_of_many_scopes_is_shortened():
    agent = an_agent("claude", scopes=("user", "project", "local"))
    assert scopes_of(agent, 8) == "user +2"
    assert scopes_of(agent, 30) == "user, project, local"
    assert latency_of(agent) == ""


@pytest.mark.parametrize("cells", [24, 40, 80])
def test_the_account_stays_in_its_width_whatever_it_says(cells: int):
    agent = an_agent("codex", scopes=("user",), program=HOSTILE, last_error=HOSTILE,
                     events=marks(1, None), is_trusted=False)  # fmt: skip
    lines = account(agent, cells, UNICODE, NOW).split("\n")
    assert all(line.cell_length <= cells for line in lines)
    assert "\x1b" not in "".join(line.plain for line in lines)


async def test_hostile_findings_do_nothing_but_show(
    open_app: Any, core: MemoryCoordinator, tmp_path: Path
):
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    finding = Finding(HOSTILE[:60], False, HOSTILE, HOSTILE, "x")
    machine = Machine(tmp_path, (an_agent("claude", findings=(finding,), last_error=HOSTILE),
                                 *a_busy_machine()[1:]))  # fmt: skip
    async with open_app(size=(80, 24), view="agents", agents=machine) as person:
        await person.until(lambda: "[/foo]" in person.screen)
        await person.press("r")
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.rest()
        assert person.app.is_running


def test_a_plan_says_what_becomes_of_each_file():
    changes = (
        FileChange("/s/a.json", b"1", b"2", "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2"),
        FileChange("/s/b.md", None, b"x", "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+[/x]"),
        FileChange("/s/c.md", b"x", None, ""),
        FileChange("/s/same.md", b"x", b"x", ""),
    )
    section = of_plan(SetupPlan("claude", "user", False, changes, notes=("Restart it.",)))
    words = [line.plain for line in section.lines]

    assert section.does_something
    assert section.title == "Connect Claude Code · user · 1 file changed, 1 new, 1 deleted"
    assert words == ["/s/a.json  changed", "@@ -1 +1 @@", "-1", "+2", "",
                     "/s/b.md  new file", "@@ -0,0 +1 @@", "+[/x]", "",
                     "/s/c.md  deleted", "", "note  Restart it."]  # fmt: skip


def test_a_plan_with_problems_shows_them_and_nothing_else():
    change = FileChange("/s/a.json", b"1", b"2", "+2")
    section = of_plan(SetupPlan("codex", "project", True, (change,), ("It is no JSON.",), ("n",)))
    assert not section.does_something
    assert section.title == "Disconnect Codex · project"
    assert [line.plain for line in section.lines] == ["✗ It is no JSON."]


def test_a_plan_without_changes_says_so_and_a_long_one_says_how_long():
    nothing = of_plan(SetupPlan("codex", "user", False, ()))
    assert not nothing.does_something
    assert nothing.lines[0].plain == "Nothing would change."
    for more in (0, 1):
        diff = "\n".join("+x" for _ in range(MOST_DIFF_LINES + more))
        lines = of_plan(
            SetupPlan("codex", "user", False, (FileChange("/a", None, b"x", diff),))
        ).lines
        assert len(lines) == 1 + MOST_DIFF_LINES + more
        assert lines[-1].plain == ("… and 1 line more" if more else "+x")


def test_the_demo_looks_truly_and_writes_nothing(tmp_path: Path):
    machine = Machine(tmp_path, a_busy_machine())
    ahead = timedelta(days=3)
    desk = DemoDesk(machine, lambda: datetime.now(UTC) + ahead)
    claude = desk.survey()[0]
    first = claude.events[0].at_ms
    assert first is not None
    moved_ms = first - (NOW_MS - 2 * 60_000)
    assert abs(moved_ms - ahead.total_seconds() * 1000) < 60_000
    assert claude.events[3].at_ms is None

    plan = desk.plan("gemini")
    assert plan.is_needed
    with pytest.raises(Refused, match="This is the demo"):
        desk.apply(plan)
    with pytest.raises(Refused, match="This is the demo"):
        desk.fix(claude.findings[-1])
    assert not told(machine, "gemini")
    assert desk.instructions() == ()


async def test_a_tick_stands_only_before_what_works(open_app: Any, tmp_path: Path):
    here = Finding("codex", True, "Codex is here and not connected.", is_absent=True)
    fine = Finding("program", True, "It can be run.")
    agents = (an_agent("claude", findings=(here, fine)), *a_busy_machine()[1:])
    machine = Machine(tmp_path, agents)
    async with open_app(view="agents", agents=machine, size=(120, 35)) as person:
        await person.until(lambda: "not connected." in person.screen)
        lines = person.screen.splitlines()
        assert "–" in next(one for one in lines if "not connected." in one)
        assert "✓" in next(one for one in lines if "can be run" in one)
        assert not any("✓" in one for one in lines if "not connected." in one)


def test_no_two_plain_signs_differ_by_their_case_alone():
    signs = [getattr(ASCII, name) for name in type(ASCII).__annotations__]
    letters = {sign for sign in signs if str(sign).isalpha()}
    assert {"v", "x"} <= letters
    assert len({letter.lower() for letter in letters}) == len(letters)
