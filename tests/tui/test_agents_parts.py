"""What the Agents view says of an agent, whatever it is told: words, signs, columns, plans."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator
from memdeck.core.agents import EventMark, FileChange, Finding, SetupPlan

from .agents_bench import NOW_MS, Machine, a_busy_machine, an_agent

HOSTILE = "see [/foo] [@click=app.leave]x[/] \x1b[31m \u202e 日本語 " + "y" * 300
HOSTILE_FINDING = Finding(HOSTILE[:60], False, HOSTILE, HOSTILE, "x")
STANDINGS = {
    "GitHub Copilot": ("silent", "all is well"),
    "Claude Code": ("firing", "1 of 1 finding to mend"),
    "Codex": ("needs trust", "1 of 1 finding to mend"),
    "Gemini CLI": ("not installed", "not connected"),
    "OpenCode": ("not present", "not connected"),
}
"""How each agent stands, and what its findings come to."""

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
AGES = (
    (0, "now"),
    (MINUTE - 1, "now"),
    (MINUTE, "1m"),
    (HOUR - 1, "59m"),
    (HOUR, "1h"),
    (DAY - 1, "23h"),
    (DAY, "1d"),
    (14 * DAY - 1, "13d"),
    (14 * DAY, "2w"),
    (60 * DAY - 1, "8w"),
    (60 * DAY, "1mo"),
    (365 * DAY, "11mo"),
    (366 * DAY, "1y"),
    (200 * 366 * DAY, "99y"),
    (-MINUTE, "+1m"),
    (-3 * DAY, "+3d"),
    (-365 * DAY, "+52w"),
    (-400 * DAY, "+1y"),
)
"""Milliseconds since something came, and what is said of it."""

SHOWN = (
    ("two\r\nlines", "two lines"),
    ("\x1b[31mred\x07", "␛[31mred␇"),
    ("\x00\x7f", "␀␡"),
    ("\x9b31m", "⟨009b⟩31m"),
    ("safe\u202eevil", "safe⟨202e⟩evil"),
    ("zero\u200bwidth", "zero⟨200b⟩width"),
    ("tag\U000e0041", "tag⟨e0041⟩"),
    ("smuggled\ufe01", "smuggled⟨fe01⟩"),
    ("half \ud83d", "half ⟨d83d⟩"),
    ("warning ⚠\ufe0f.", "warning ⚠."),
    ("\U0001f469\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
    ("\U0001f44d\U0001f3fd", "\U0001f44d"),
    ("\U0001f469\U0001f3fd\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
    ("skin \U0001f3fd", "skin ⟨1f3fd⟩"),
    ("[b]list[int][/b]", "[b]list[int][/b]"),
)
"""What others write, and how it is made visible."""

CHANGES = (
    FileChange("/s/a.json", b"1", b"2", "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2"),
    FileChange("/s/b.md", None, b"x", "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+[/x]"),
    FileChange("/s/c.md", b"x", None, ""),
    FileChange("/s/same.md", b"x", b"x", ""),
)
LONG = FileChange("/s/long.md", None, b"x", "\n".join(["+x"] * 2_001))
CODEX = SetupPlan("codex", "user", False, (), notes=("Restart it.",))
PLANS = (
    (
        replace(CODEX, changes=CHANGES),
        "Connect Codex · user · 1 file changed, 1 new, 1 deleted\n/s/a.json  changed\n@@ -1 +1 @@"
        "\n-1\n+2\n\n/s/b.md  new file\n@@ -0,0 +1 @@\n+[/x]\n\n/s/c.md  deleted"
        "\n\nnote  Restart it.",
    ),
    (
        replace(CODEX, changes=CHANGES, problems=("It is no JSON.",)),
        "Connect Codex · user\n✗ It is no JSON.",
    ),
    (CODEX, "Connect Codex · user\nNothing would change."),
    (replace(CODEX, changes=(LONG,)), "+x\n+x\n… and 1 line more\n\nnote  Restart it."),
)
"""Plans, and what their dialog says, to its last line."""


class Planned(Machine):
    """A machine whose next plan is given."""

    given = CODEX

    def plan(self, *_: Any, **__: Any) -> SetupPlan:
        return self.given


@pytest.fixture
def machine(tmp_path: Path) -> Planned:
    """Five agents, each in another state."""
    fine = Finding("program", True, "It can be run.")
    here = Finding("here", True, "Copilot is here and not connected.", is_absent=True)
    claude, codex, gemini, opencode = a_busy_machine()
    states = (
        an_agent("copilot", is_present=False, scopes=("user", "project", "local"),
                 findings=(here, fine)),
        replace(claude, findings=(HOSTILE_FINDING,), last_error=HOSTILE),
        replace(codex, findings=(Finding("a", False, "b", "Run `x y`, then `z`."),)),
        replace(
            gemini,
            events=tuple(
                EventMark(f"e{number}.", NOW_MS - ago) for number, (ago, _) in enumerate(AGES)
            ),
            findings=tuple(Finding("found", True, text) for text, _ in SHOWN),
        ),
        replace(opencode, findings=(fine,)),
    )  # fmt: skip
    return Planned(tmp_path, states)


async def each_agent_has_its_word_its_sign_and_what_its_findings_come_to(person: Any) -> None:
    signs = set()
    for name, (standing, says) in STANDINGS.items():
        row = next(line for line in person.screen.splitlines() if f" {name} " in line)
        sign, words = row.split(name)[0].split()[-1], row.split(name)[1]
        assert words.split("│")[0].strip().startswith(standing), row
        assert sign.isascii()
        signs.add(sign)
        await person.until(lambda says=says: says in person.screen)
        await person.press("j")
    assert len(signs) == len(STANDINGS)
    assert "user +2" in person.screen


async def a_tick_stands_only_before_what_works(person: Any) -> None:
    await person.until(lambda: "not connected." in person.screen)
    lines = person.screen.splitlines()
    assert "v " not in next(one for one in lines if "not connected." in one)
    assert "v program" in next(one for one in lines if "can be run" in one)


async def the_command_is_taken_out_of_the_advice(person: Any) -> None:
    await person.press("j", "j", "tab", "tab", "y")
    await person.until(lambda: person.app.clipboard == "x y\nz")


async def ages_are_short_and_what_cannot_be_seen_is_made_visible(person: Any) -> None:
    view = person.app.stage.view("agents")
    await person.press("j", "j", "j")
    await person.rest()
    told = view.account.text.render().plain
    for number, (_, age) in enumerate(AGES):
        assert f" e{number}. " in told
        assert told.split(f" e{number}. ")[1].split()[0] == age
    said = " ".join(view.findings.text.visual.plain.replace(">", " ").split())
    for _, shown in SHOWN:
        assert f"found {shown}" in said


async def columns_leave_in_order_the_name_and_the_age_never(person: Any) -> None:
    for size, columns in ((40, "last"), (80, "last"), (98, "scope last"),
                          (120, "scope last p50/p95")):  # fmt: skip
        await person.pilot.resize_terminal(size, 30)
        await person.rest()
        shown = person.screen
        head = next(line for line in shown.splitlines() if "stands" in line)
        here = [word for word in ("scope", "last", "p50/p95") if word in head]
        assert here == columns.split(), size
        assert "GitHub Copilot " in shown  # whole: without its CLI


async def a_plan_says_what_becomes_of_each_file(person: Any, machine: Planned) -> None:
    await person.press("j", "j", "j")
    for plan, says in PLANS:
        machine.given = plan
        await person.press("i")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("u")
        await person.until(lambda: person.dialog() == "PlanDialog")
        text, yes = (person.app.screen.query_one(one) for one in ("#plan-text", "#plan-yes"))
        title = person.app.screen.query_one(".dialog-title")
        assert f"{title.visual.plain}\n{text.visual.plain}".endswith(says)
        assert yes.display == ("note" in says)
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")


async def hostile_findings_do_nothing_but_show(person: Any) -> None:
    await person.press("j")
    await person.until(lambda: "[/foo]" in person.screen)
    await person.press("r")
    await person.until(lambda: person.dialog() == "Confirm")
    await person.press("y")
    await person.rest()
    assert "\x1b" not in person.screen


async def test_what_is_said_of_agents_whatever_they_say(
    open_app: Any, core: MemoryCoordinator, machine: Planned, promises: Any, monkeypatch: Any
):
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    monkeypatch.setenv("LC_ALL", "C")  # signs are plain there
    async with open_app(view="agents", agents=machine, size=(120, 35)) as person:
        await promises.hold(
            person,
            each_agent_has_its_word_its_sign_and_what_its_findings_come_to,
            a_tick_stands_only_before_what_works,
            the_command_is_taken_out_of_the_advice,
            ages_are_short_and_what_cannot_be_seen_is_made_visible,
            columns_leave_in_order_the_name_and_the_age_never,
            a_plan_says_what_becomes_of_each_file,
        )
        await hostile_findings_do_nothing_but_show(person)
