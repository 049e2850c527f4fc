"""Commands for the whole store: verify, rebuild, check, redact, doctor, maintain."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from ...core.agents import Finding
from ...core.redaction.redact import Choice
from ...db.errors import ManagerError
from ..options import BadLine, Door, command, json_lines, refuse_terminal
from ..output import Ink, count, counted, emit, memory_count, narrate, one_line, say, table

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.secrets import Redacted
    from ...db.home import Home


@command("memdeck verify --json")
def verify(door: Door) -> int:
    """Check the store.

    Journal, database and search index must agree, and no entry may have been altered.
    """
    with door.memory() as core:
        matches, is_read_only = core.verify(), core.is_read_only
    if is_read_only:
        narrate("The search index was not checked: the store can only be read from here.")
    fields = {name: getattr(matches, name) for name in ("ok", "records", "memories", "problems")}
    if not door.prints_json(fields):
        verdict = Ink("whole", "good") if matches.ok else Ink("altered", "bad")
        say(verdict, f"  {count(matches.records, 'record')}, {memory_count(matches.memories)}")
        for problem in matches.problems:
            say("  ", one_line(problem))
    if not matches.ok:
        narrate(Ink("memdeck: ", "bad"), "The store is not what it should be.")
        narrate("  `memdeck rebuild` repairs journal and database, each from the other.")
    return 0 if matches.ok else 1


@command("memdeck rebuild")
def rebuild(door: Door) -> None:
    """Rebuild the database from the journal.

    Entries that the journal lost are written again from the database first.
    """
    from ...db.home import Home
    from ...db.rebuild import rebuild as rebuild_database  # a damaged store cannot be opened

    report = rebuild_database(Home(door.home))
    if not door.prints_json(report):
        say(f"rebuilt  {count(report.records, 'record')}, {memory_count(report.memories)}")
        for line in report.skipped:
            say("  skipped: ", one_line(line))
    if report.restored or report.set_aside:
        narrate(f"  {str(report).capitalize()}.")


@command(
    "memdeck check   # in CI",
    "memdeck check --secrets --fix",
    short_help="Look for open conflicts and for secrets, as in CI.",
)
@click.option("--secrets", is_flag=True, help="List each record with a secret, in every project.")
@click.option("--fix", is_flag=True, help="Erase them, also from the journal.")
def check(door: Door, secrets: bool, fix: bool) -> int:
    """Look for open conflicts and secrets.

    Exits with 1 if there are any. New versions know more secrets, so check again after an upgrade.
    A secret is named by kind, place and count, and never shown.
    """
    if fix and not secrets:
        raise click.UsageError("--fix goes with --secrets.")
    with door.memory() as core:
        conflicts = 0 if secrets else core.stats().conflicts
        done = core.redact_store() if fix else None
        held = core.find_secrets() if done is None else list(done.found)
    kinds: Counter[str] = Counter()
    for item in held:
        for (_, kind), number in item.counts.items():
            kinds[kind] += number
    listed = ", ".join(f"{kind} ×{number}" for kind, number in kinds.most_common())
    words = f"{count(len(held), 'record holds', 'records hold')} {listed}" if held else "none"
    if not secrets:
        summary = {"records": len(held), "count": kinds.total(), "kinds": dict(kinds)}
        is_ok = not (conflicts or held)
        if not door.prints_json({"ok": is_ok, "conflicts": conflicts, "secrets": summary}):
            _verdict("conflicts", not conflicts, f"{conflicts:,} open")
            _verdict("secrets", not held, words)
            if conflicts:
                narrate("  `memdeck list is:conflict` shows them.")
            if held:
                narrate("  `memdeck check --secrets` says where, and with --fix takes them out.")
        return 0 if is_ok else 1
    is_ok = not held if done is None else done.is_clean and not done.left
    names = ("found", "entries", "left", "is_clean")
    fixed = {} if done is None else {name: getattr(done, name) for name in names}
    if door.prints_json(*held if done is None else [{"ok": is_ok, **fixed}]):
        return 0 if is_ok else 1
    rows: list[list[str | Ink]] = []
    for item in held:
        matches = [f"{field} {kind} ×{number}" for (field, kind), number in item.counts.items()]
        rows.append([Ink(item.place, "dim"), item.name, ", ".join(matches)])
    table(rows)
    if not held:
        narrate("No record holds a secret.")
    elif done is None:
        narrate(f"{words.capitalize()}.")
        narrate("  `memdeck check --secrets --fix` takes them out, of the journal too.")
    else:
        _narrate_fix(done, words)
    return 0 if is_ok else 1


def _verdict(name: str, is_ok: bool, words: str) -> None:
    say(Ink("✓", "good") if is_ok else Ink("✗", "bad"), f" {name:10} ", words)


_ADVICE = {
    "backups": "Remove that file once you do not need it.",
    "spool": "Run `memdeck drain`, which redacts what it reads, then this again.",
}
"""Advice to the user about a place that we must not change."""


def _narrate_fix(done: Redacted, words: str) -> None:
    narrate(f"Taken out: {words}.")
    narrate(f"  {count(done.entries, 'older entry', 'older entries')} of the journal redacted too.")
    narrate("  Change each secret where it is valid, since others may have seen it.")
    narrate("  Copies of this folder that you made elsewhere still hold it.")
    for item in done.left:
        text = f"{item.place} {item.name}" if item.place not in item.name else item.name
        advice = _ADVICE.get(item.place, "It was written just now: run this again.")
        narrate(Ink("left: ", "bad"), f"{one_line(text)}. {advice}")
    if not done.is_clean:
        narrate(Ink("left: ", "bad"), "the database still holds old pages that others read.")
        narrate("  Close the app and other programs on this store, then run this again.")


@command(
    "git log -1 --format=%B | memdeck redact",
    "memdeck redact --jsonl",
    short_help="Remove secrets from standard input.",
)
@click.option("--jsonl", is_flag=True, help='Read lines with "id" and "text", and add "removed".')
def redact(door: Door, jsonl: bool) -> int:
    """Remove secrets from standard input.

    Each is replaced by [REDACTED:kind]. Nothing is stored.
    """
    choice = _choice(door)
    refuse_terminal()
    if jsonl:
        return _redact_lines(choice)
    from ...core.redaction.redact import redact as redact_text

    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    clean = redact_text(text, choice=choice)
    if not door.prints_json({"text": clean.value, "removed": list(clean.removed)}):
        sys.stdout.write(clean.value)
    return 0


def _choice(door: Door) -> Choice:
    """Return the user's own redaction settings, without opening a store."""
    from ...core.config.settings import load_policy
    from ...db.home import Home

    return load_policy([Home(door.home).config]).redaction.choice()


def _redact_lines(choice: Choice) -> int:
    from ...core.redaction.redact import redact as redact_text

    failed = 0
    for number, line in json_lines(sys.stdin.buffer):
        text = None if isinstance(line, BadLine) else line.get("text")
        if isinstance(line, BadLine) or not isinstance(text, str):
            failed += 1
            why = str(line) if isinstance(line, BadLine) else "`text` is no text"
            emit({"id": None, "line": number, "error": why}, flush=True)
            continue
        clean = redact_text(text, choice=choice)
        emit(
            {"id": line.get("id"), "text": clean.value, "removed": list(clean.removed)}, flush=True
        )
    return 1 if failed else 0


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
    """Fix findings if possible; return the action, or why not, by the name of the finding."""
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


@command("memdeck maintain --dry-run")
@click.option("--dry-run", is_flag=True, help="List the changes and change nothing.")
def maintain(door: Door, dry_run: bool) -> int:
    """Retire memories past their time, restorably.

    It happens by itself once a day, after an agent's session was read.
    """
    with door.memory() as memory:
        if dry_run:
            return _preview(door, memory)
        with counted("maintained") as progress:
            report = memory.maintenance.run(progress)
        hindrance = memory.services.staleness.met()
    if hindrance:
        narrate(hindrance)
    about = {"held_back": report.held_back, "done": report.done, "entries": report.entries}
    if not door.prints_json(about):
        for duty, number in report.done.items():
            if number:
                entry = report.entries.get(duty)
                undone = f"; undo with `memdeck undo {entry}`" if entry is not None else ""
                say(f"{duty}  {count(number, 'memory', 'memories')}{undone}")
        if not any(report.done.values()):
            say("Nothing is due.")
    if report.held_back:
        narrate(report.held_back)
        narrate("  Run it again in a day if the clock is right.")
    if report.is_stopped:
        narrate("Stopped. The changes so far stay, and the next run continues.")
    return 0


def _preview(door: Door, memory: MemoryCoordinator) -> int:
    """List what is due, a line for each memory; pairs and marks are counted."""
    plan, held_back = memory.maintenance.plan(), memory.services.vitals.held_back()
    due = {duty: [(item.memory, item.rule) for item in items] for duty, items in plan.items()}
    if door.prints_json({"dry_run": True, "held_back": held_back, "duties": due}):
        return 0
    for duty, items in due.items():
        if items:
            say(f"{duty}  {count(len(items), 'change')}")
        named = [(memory.show(ref), rule) for ref, rule in items if ref]
        table(
            [[Ink(item.short_id, "dim"), item.title, Ink(rule, "dim")] for item, rule in named],
            "  ",
        )
    if not any(due.values()):
        say("Nothing is due.")
    if held_back:
        narrate(held_back)
    return 0
