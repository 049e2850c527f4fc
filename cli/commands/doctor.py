"""Lists what is wrong, and fixes what it safely can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...core.agents import Finding
from ...db.errors import ManagerError
from ..options import Door, command
from ..output import Ink, count, narrate, one_line, say

if TYPE_CHECKING:
    from ...db.home import Home


@command("memdeck doctor", "memdeck doctor --fix")
@click.option("--fix", is_flag=True, help="Fix what is safe, and check again.")
def doctor(door: Door, fix: bool) -> int:
    """List what is wrong, and how to fix it.

    Checks the store, journal, queue, permissions and each agent. --fix repairs permissions, our own
    hooks and the queue, and nothing else.
    """
    from ...agents.doctor import examine
    from ...db.home import Home

    home = Home(door.home)
    findings = examine(home, door.folder)
    done: dict[str, str] = {}
    if fix:
        done = _fix(findings, home, door.folder)
        findings = examine(home, door.folder)
    wrong = sum(not finding.ok for finding in findings)
    for finding in findings:
        if door.prints_json(finding, done=done.get(finding.name, "")):
            continue
        mark = Ink("✓", "good") if finding.ok else Ink("✗", "bad")
        if finding.is_absent:
            mark = Ink("–", "dim")
        say(mark, " ", Ink(f"{finding.name:18}", "dim"), " ", one_line(finding.message))
        if finding.advice:
            say(" " * 21, one_line(finding.advice))
    if wrong:
        narrate(f"{count(wrong, 'thing')} to fix.")
    if any(finding.fix for finding in findings if not finding.ok) and not fix:
        narrate("  `memdeck doctor --fix` fixes what it safely can.")
    return 1 if wrong else 0


def _fix(findings: list[Finding], home: Home, folder: str | None) -> dict[str, str]:
    """Fix what can be fixed; return what was done, or why not, by the name of the finding."""
    from ...agents.doctor import fix_problem

    done: dict[str, str] = {}
    for finding in findings:
        if finding.ok or not finding.fix:
            continue
        try:
            done[finding.name] = fix_problem(finding.fix, home, folder)
        except ManagerError as error:
            done[finding.name] = f"Not fixed: {error}"
        narrate(Ink(f"{finding.name}: ", "bold"), one_line(done[finding.name]))
    return done
