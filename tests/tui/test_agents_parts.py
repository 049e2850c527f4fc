"""The parts of the Agents view: words, tables, and plans."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.widgets import Button, Static

from memdeck import MemoryCoordinator
from memdeck.core.agents import AgentState, FileChange, Finding, Host, Scope, SetupPlan

from .agents_bench import Machine, a_busy_machine, an_agent, marks

HOSTILE = "see [/foo] [@click=app.leave]x[/] \x1b[31m \u202e 日本語 " + "y" * 300
NAMES = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "opencode": "OpenCode"}


class Planned(Machine):
    """A machine on which connecting an agent is what the test says."""

    planned: SetupPlan

    def plan(self, host: Host, scope: Scope = "user", *, remove: bool = False) -> SetupPlan:
        return self.planned


@pytest.fixture
def machine(tmp_path: Path, core: MemoryCoordinator, monkeypatch: pytest.MonkeyPatch) -> Planned:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where it is copied to
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    return Planned(tmp_path)


async def looks_at(person: Any, machine: Machine, *agents: AgentState) -> None:
    """The machine has these agents now, and the first is looked at."""
    machine.states |= {one.host: one for one in agents}
    await person.press("R", "g")
    await person.rest()


def line_of(person: Any, agent: AgentState) -> str:
    """The agent's line in the list."""
    return next(line for line in person.screen.splitlines()[1:] if NAMES[agent.host] in line)


STANDINGS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("claude", {"is_present": False, "program": ""}, "-", "not present"),
    ("codex", {"scopes": ("user",), "is_trusted": False, "events": marks(1)}, "%", "needs trust"),
    ("gemini", {}, ".", "not installed"),
    ("opencode", {"scopes": ("user",), "events": marks(None, 3)}, "@", "firing"),
    ("claude", {"scopes": ("user",), "is_trusted": True, "events": marks(None)}, "o", "silent"),
    ("codex", {"scopes": ("user",), "is_present": False, "events": ()}, "o", "silent"),
)


FINE = Finding("fine", True, "Well.")
MINE = Finding("mine", False, "Bad.", "Run `x y`, then `z`.")
OURS = Finding("ours", False, "Bad.", "Ask its owner.", "install claude user")
CONNECTED = {"scopes": ("user",), "events": marks(2)}
ABSENT = {"is_present": False, "program": ""}

FINDINGS: tuple[tuple[Any, dict[str, Any], Any, str], ...] = (
    ((FINE, MINE, OURS), CONNECTED, (OURS, MINE, FINE), "2 of 3 findings to mend"),
    ((FINE,), CONNECTED, (FINE,), "all is well"),
    ((FINE,), {}, (FINE,), "not connected"),
    ((FINE,), ABSENT, (FINE,), "not connected"),
    ((OURS,), {}, (OURS,), "1 of 1 finding to mend"),
    ((), CONNECTED, (), ""),
)
"""Findings, of which agent, in which order they are shown, and what they come to."""


async def test_an_agent_is_told_in_a_line_by_what_keeps_it_from_being_heard(
    open_app: Any, machine: Planned, home_path: Path, subtests: Any
):
    """The golden has the same with the signs of a wider character set."""
    (home_path / "config.toml").write_text("[app]\nascii_glyphs = true\n")
    async with open_app(view="agents", agents=machine, size=(120, 35)) as person:
        for rows in (STANDINGS[:4], STANDINGS[4:]):
            agents = [an_agent(host, **more) for host, more, _, _ in rows]  # type: ignore[arg-type]
            await looks_at(person, machine, *agents)
            for agent, (_, _, sign, words) in zip(agents, rows, strict=True):
                with subtests.test(agent=agent):
                    assert f"{sign} {NAMES[agent.host]}" in line_of(person, agent)
                    assert words in line_of(person, agent)
        assert len({sign for _, _, sign, _ in STANDINGS}) == 5
        view = person.app.stage.shown
        for given, more, shown, words in FINDINGS:
            with subtests.test(findings=given, **more):
                await looks_at(person, machine, an_agent("claude", findings=given, **more))
                assert tuple(view.findings.findings) == shown
                assert words == (view.findings.border_subtitle or "").strip()

        many = an_agent("claude", scopes=("user", "project", "local"), findings=(MINE, OURS, FINE))
        await looks_at(person, machine, many)
        assert "user +2" in line_of(person, many)
        assert " ms" not in line_of(person, many)
        assert "user, project, local" in person.screen
        view.findings.focus()
        for copied in ("Ask its owner.", "x y\nz"):  # the command, else the advice
            await person.press("y")
            await person.until(lambda copied=copied: person.app.clipboard == copied)
            await person.press("j")
        await person.press("y")
        await person.until(lambda: "All is well with it." in person.screen)


async def test_columns_leave_in_order_and_no_name_is_cut(
    open_app: Any, machine: Planned, subtests: Any
):
    seen: dict[int, tuple[bool, ...]] = {}
    async with open_app(view="agents", agents=machine, size=(60, 20)) as person:
        view = person.app.stage.shown
        for columns in (40, 48, 60, 80, 92, 100, 120):
            with subtests.test(columns=columns):
                await person.pilot.resize_terminal(columns, 20)
                await person.rest()
                heads = person.screen.splitlines()
                head = next((line for line in heads if "agent  " in line and "stands" in line), "")
                assert cell_len(head) <= columns
                assert "Gemini CLI" in person.screen
                columns_there = tuple(word in head for word in ("last", "scope", "p50/p95"))
                seen[view.list.size.width] = columns_there
        by_width = [there for _, there in sorted(seen.items())]
        assert by_width == sorted(by_width, key=sum), seen
        assert len(set(by_width)) == 3, seen


async def test_hostile_findings_do_nothing_but_show(
    open_app: Any, core: MemoryCoordinator, tmp_path: Path, subtests: Any
):
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    finding = Finding(HOSTILE[:60], False, HOSTILE, HOSTILE, "x")
    hostile = an_agent("claude", scopes=("user",), program=HOSTILE, last_error=HOSTILE,
                       events=marks(1, None), is_trusted=False, findings=(finding,))  # fmt: skip
    machine = Machine(tmp_path, (hostile, *a_busy_machine()[1:]))
    async with open_app(size=(80, 24), view="agents", agents=machine) as person:
        await person.until(lambda: "[/foo]" in person.screen)
        for columns in (200, 120, 80):
            with subtests.test(columns=columns):
                await person.pilot.resize_terminal(columns, 24)
                await person.rest()
                pane = person.app.stage.shown.account
                lines = str(pane.text.render()).splitlines()
                assert all(cell_len(line) <= pane.size.width for line in lines)
                assert "[/foo]" in " ".join(lines)
                assert "\x1b" not in person.screen
                assert all(cell_len(line) <= columns for line in person.screen.splitlines())
        await person.press("r")
        await person.until(lambda: person.dialog() == "Confirm")
        asked = str(person.app.screen.query_one("#confirm-consequence", Static).render())
        assert "[/foo] [@click=app.leave]x[/]" in asked
        await person.press("y")
        await person.rest()
        assert person.app.is_running


def a_diff(lines: int) -> str:
    return "\n".join("+x" for _ in range(lines))


MOST_DIFF_LINES = 2_000
PLANS = (
    (
        SetupPlan("claude", "user", False, (
            FileChange("/s/a.json", b"1", b"2", "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2"),
            FileChange("/s/b.md", None, b"x", "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+[/x]"),
            FileChange("/s/c.md", b"x", None, ""),
            FileChange("/s/same.md", b"x", b"x", ""),
        ), notes=("Restart it.",)),
        "Connect Claude Code · user · 1 file changed, 1 new, 1 deleted",
        "/s/a.json  changed|@@ -1 +1 @@|-1|+2||/s/b.md  new file|@@ -0,0 +1 @@|+[/x]||"
        "/s/c.md  deleted||note  Restart it.",
        True,
    ),
    (
        SetupPlan("codex", "project", True, (FileChange("/s/a.json", b"1", b"2", "+2"),),
                  ("It is no JSON.",), ("n",)),
        "Disconnect Codex · project",
        "✗ It is no JSON.",
        False,
    ),
    (
        SetupPlan("codex", "user", False, ()),
        "Connect Codex · user",
        "Nothing would change.",
        False,
    ),
    (
        SetupPlan("codex", "user", False, (
            FileChange("/a", None, b"x", a_diff(MOST_DIFF_LINES)),
            FileChange("/b", None, b"x", a_diff(MOST_DIFF_LINES + 1)),
        )),
        "Connect Codex · user · 2 files new",
        "|".join(("/a  new file", *["+x"] * MOST_DIFF_LINES, "", "/b  new file",
                  *["+x"] * MOST_DIFF_LINES, "… and 1 line more")),
        True,
    ),
)  # fmt: skip
"""What is planned, how it is called, its lines, and whether there is something to say yes to."""


async def test_a_plan_says_what_becomes_of_each_file_or_what_keeps_it_from_that(
    open_app: Any, machine: Planned, subtests: Any
):
    async with open_app(size=(120, 35), view="agents", agents=machine) as person:
        for machine.planned, title, lines, does_something in PLANS:
            with subtests.test(title=title):
                await person.press("i")
                await person.until(lambda: person.dialog() == "Menu")
                await person.press("u")
                await person.until(lambda: person.dialog() == "PlanDialog")
                dialog = person.app.screen
                assert str(dialog.query_one(".dialog-title", Static).render()) == title
                text = str(dialog.query_one("#plan-text", Static).render())
                assert text.splitlines() == lines.split("|")
                assert dialog.query_one("#plan-yes", Button).display == does_something
                await person.press("escape")
                await person.until(lambda: person.dialog() == "Screen")


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
