"""What is wrong, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...core.agents import Finding
from ...core.errors import ManagerError
from ..options import Door, command
from ..output import Ink, count, narrate, one_line, say

if TYPE_CHECKING:
    from ...db.home import Home


@command("memdeck doctor", "memdeck doctor --fix")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, then look again.")
def doctor(door: Door, fix: bool) -> int:
    """Look for what is wrong, and say what mends it.

    Store, journal, spool, permissions, and each agent: connected, trusted, heard of. Without
    --fix nothing is changed; with it, no more than permissions, our own entries and the spool.
    """
    from ...agents.doctor import examine
    from ...db.home import Home

    home = Home(door.home)
    findings = examine(home, door.folder)
    done: dict[str, str] = {}
    if fix:
        done = _mend(findings, home, door.folder)
        findings = examine(home, door.folder)
    wrong = sum(not finding.ok for finding in findings)
    for finding in findings:
        if door.prints_json(finding, done=done.get(finding.name, "")):
            continue
        mark = Ink("✓", "good") if finding.ok else Ink("✗", "bad")
        if finding.is_absent:
            mark = Ink("–", "dim")
        say(mark, " ", Ink(f"{finding.name:18}", "dim"), " ", one_line(finding.message))
        if finding.mend:
            say(" " * 21, one_line(finding.mend))
    if wrong:
        narrate(f"{count(wrong, 'thing')} to mend.")
    if any(finding.fix for finding in findings if not finding.ok) and not fix:
        narrate("  `memdeck doctor --fix` mends what it safely can.")
    return 1 if wrong else 0


def _mend(findings: list[Finding], home: Home, folder: str | None) -> dict[str, str]:
    """Mend what can be mended; by finding, what was done or what kept us from it."""
    from ...agents.doctor import mend

    done: dict[str, str] = {}
    for finding in findings:
        if finding.ok or not finding.fix:
            continue
        try:
            done[finding.name] = mend(finding.fix, home, folder)
        except ManagerError as error:
            done[finding.name] = f"Not mended: {error}"
        narrate(Ink(f"{finding.name}: ", "bold"), one_line(done[finding.name]))
    return done
