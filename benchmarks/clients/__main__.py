"""`python -m benchmarks.clients [HOST]…`: install the clients, tell each the story, print a table.

`together` is the story of all of them at once, `sharing` that of MCP and of their own memories.

Exit code 0 when every client that could be installed passed, and at least one did.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from . import sharing, surroundings, together
from .agents import AGENTS, Agent
from .installing import CouldNotInstall, folder, install
from .outcome import Check, Outcome
from .sharing import Inspector, Sharing
from .story import Story
from .together import Together

HOSTS = [agent.host for agent in AGENTS]
GROUPS = {together.HOST: (together.NAME, Together), sharing.HOST: (sharing.NAME, Sharing)}

ROOT = Path(__file__).resolve().parents[2]

_WIDTHS = (12, 8, 4, 8, 6, 0)


def main() -> int:
    words = _words()
    wanted = words.hosts or [*HOSTS, *GROUPS]
    if words.programs:
        _play_all(wanted, words.programs, words.results, words.keep)
        return 0
    is_shared, is_together = sharing.HOST in wanted, together.HOST in wanted
    needed = [one for one in AGENTS if one.host in wanted or is_shared or is_together]
    needed += [*sharing.PLAYERS[len(AGENTS) :], Inspector()] if is_shared else []
    outcomes: dict[str, Outcome] = {}
    programs: dict[str, str] = {}
    for agent in needed:
        print(f"installing {agent.name} {agent.version}", flush=True)
        try:
            programs[agent.host] = str(install(agent, folder()))
        except (CouldNotInstall, OSError) as error:
            outcomes[agent.host] = _absent(agent, str(error))
    closing = surroundings.closing()
    if programs:
        outcomes.update(_closed(closing, wanted, programs, words.keep))
    names = {agent.host: (agent.name, agent.version) for agent in AGENTS}
    names |= {host: (name, "-") for host, (name, _) in GROUPS.items()}
    for host in wanted:  # a run that broke off has no outcome
        outcomes.setdefault(host, _broken(host, *names[host]))
    return _report([outcomes[host] for host in names if host in wanted], bool(closing))


def _words() -> argparse.Namespace:
    choices = [*HOSTS, *GROUPS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clients", description=__doc__)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join(choices))
    parser.add_argument("--keep", action="store_true", help="leave the scratch folders")
    parser.add_argument("--programs", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--results", type=Path, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if unknown := sorted(set(words.hosts) - set(choices)):
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(choices)}")
    return words


def _closed(
    closing: list[str], wanted: list[str], programs: dict[str, str], keep: bool
) -> dict[str, Outcome]:
    """Play in a process that has loopback alone; a line of results for each client."""
    with tempfile.TemporaryDirectory(prefix="memdeck-clients-") as scratch:
        results = Path(scratch) / "results.jsonl"
        results.touch()
        given = ["--programs", json.dumps(programs), "--results", str(results)]
        more = [*wanted, *(["--keep"] if keep else [])]
        me = [sys.executable, "-m", "benchmarks.clients", *given, *more]
        subprocess.run([*closing, *me], cwd=ROOT, check=False)
        rows = [json.loads(line) for line in results.read_text().splitlines()]
    found = [Outcome(**{**row, "checks": [Check(**c) for c in row["checks"]]}) for row in rows]
    return {outcome.host: outcome for outcome in found}


def _play_all(wanted: list[str], programs: dict[str, str], results: Path, keep: bool) -> None:
    if surroundings.is_closed():
        surroundings.raise_loopback()
    for agent in AGENTS:
        if agent.host in programs and agent.host in wanted:
            program = Path(programs[agent.host])
            blank = Outcome(agent.host, agent.name, agent.version)
            _play(blank, [program], lambda at, a=agent, p=program: Story(a, p, at), results, keep)
    paths = {host: Path(program) for host, program in programs.items()}
    for host, (name, kind) in GROUPS.items():
        if host in wanted:
            blank = Outcome(host, name, "-")
            _play(blank, [*paths.values()], lambda at, k=kind: k(paths, at), results, keep)


def _play(
    blank: Outcome,
    programs: list[Path],
    made: Callable[[surroundings.Place], Story | Together | Sharing],
    results: Path,
    keep: bool,
) -> None:
    """Tell one story in a place of its own, and note what became of it."""
    print(f"running {blank.name}", flush=True)
    root = Path(tempfile.mkdtemp(prefix=f"clients-{blank.host}-"))
    place = surroundings.Place(root, tuple(program.parent for program in programs))
    try:
        outcome = made(place).tell()
    except Exception as error:
        traceback.print_exc()
        outcome = blank
        outcome.checks.append(Check("the story can be played", False, repr(error)))
    with results.open("a") as file:
        file.write(json.dumps(asdict(outcome)) + "\n")
    if keep:
        print(f"  kept {root}", flush=True)
    else:
        shutil.rmtree(root, ignore_errors=True)


def _absent(agent: Agent, reason: str) -> Outcome:
    return Outcome(agent.host, agent.name, agent.version, could_not_run=reason)


def _broken(host: str, name: str, version: str) -> Outcome:
    outcome = Outcome(host, name, version)
    outcome.checks.append(Check("the run comes to its end", False, "it broke off"))
    return outcome


def _report(outcomes: list[Outcome], is_closed: bool) -> int:
    how = "loopback alone" if is_closed else "not closed by the system: proxies lead nowhere"
    print(f"\nnetwork: {how}\n")
    print(_row("client", "version", "injected", "memories", "events", "result"))
    for one in outcomes:
        if one.could_not_run:
            print(_row(one.name, one.version, "-", "-", "-", f"could not run: {one.could_not_run}"))
            continue
        failed = len(one.failed)
        count = len(one.checks)
        result = f"{failed} of {count} claims do not hold" if failed else f"passed: {count} claims"
        told = "yes" if one.told else "no"
        print(_row(one.name, one.version, told, one.memories, len(one.fired), result))
    for one in outcomes:
        for check in one.failed:
            print(f"\n{one.name}: not so: {check.claim}\n  {check.seen}")
    ran = [one for one in outcomes if not one.could_not_run]
    passed = sum(one.passed for one in ran)
    print(
        f"\n{passed} passed, {len(ran) - passed} failed, {len(outcomes) - len(ran)} could not run"
    )
    return 0 if ran and passed == len(ran) else 1


def _row(*cells: str | int) -> str:
    return "  ".join(f"{cell!s:{w}}" for cell, w in zip(cells, _WIDTHS, strict=True)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
