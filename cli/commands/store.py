"""Commands for the whole store: verify, rebuild, check, redact."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from ...core.redaction.redact import Choice
from ...core.services.secrets import Held, Redacted
from ..options import BadLine, Door, command, json_lines, point_out, refuse_terminal
from ..output import Ink, count, emit, memory_count, narrate, one_line, say, table

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


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
    if secrets:
        return _fix(door) if fix else _list(door)
    with door.memory() as core:
        conflicts = core.stats().conflicts
    with _broom(door) as broom:
        held = broom.find_secrets()
    is_ok = not (conflicts or held)
    if door.prints_json({"ok": is_ok, "conflicts": conflicts, "secrets": _summary(held)}):
        return 0 if is_ok else 1
    _verdict("conflicts", not conflicts, f"{conflicts:,} open")
    _verdict("secrets", not held, _in_words(held))
    if conflicts:
        narrate("  `memdeck list is:conflict` shows them.")
    if held:
        narrate("  `memdeck check --secrets` says where, and with --fix takes them out.")
    return 0 if is_ok else 1


def _broom(door: Door) -> MemoryCoordinator:
    from ...core.compat import MemoryCoordinator

    core = MemoryCoordinator.open(door.home, door.project)
    point_out(core.problems_at_opening())
    return core


def _verdict(name: str, is_ok: bool, words: str) -> None:
    say(Ink("✓", "good") if is_ok else Ink("✗", "bad"), f" {name:10} ", words)


def _list(door: Door) -> int:
    with _broom(door) as broom:
        held = broom.find_secrets()
    _show(door, held)
    if held and not door.as_json:
        narrate(_in_words(held).capitalize() + ".")
        narrate("  `memdeck check --secrets --fix` takes them out, of the journal too.")
    return 1 if held else 0


def _fix(door: Door) -> int:
    with _broom(door) as broom:
        done = broom.redact_store()
    is_done = done.is_clean and not done.left
    if door.prints_json(
        {
            "ok": is_done,
            "found": done.found,
            "entries": done.entries,
            "left": done.left,
            "is_clean": done.is_clean,
        }
    ):
        return 0 if is_done else 1
    _show(door, done.found)
    if done.found:
        _narrate_fix(done)
    return 0 if is_done else 1


def _narrate_fix(done: Redacted) -> None:
    narrate(f"Taken out: {_in_words(done.found)}.")
    narrate(f"  {count(done.entries, 'older entry', 'older entries')} of the journal redacted too.")
    narrate("  Change each secret where it is valid, since others may have seen it.")
    narrate("  Copies of this folder that you made elsewhere still hold it.")
    for item in done.left:
        text = f"{item.place} {item.name}" if item.place not in item.name else item.name
        narrate(Ink("left: ", "bad"), f"{one_line(text)}. {_advice(item)}")
    if not done.is_clean:
        narrate(Ink("left: ", "bad"), "the database still holds old pages that others read.")
        narrate("  Close the app and other programs on this store, then run this again.")


def _advice(held: Held) -> str:
    """What a person can do about a place that we must not change."""
    if held.place == "backups":
        return "Remove that file once you do not need it."
    if held.place == "spool":
        return "Run `memdeck drain`, which redacts what it reads, then this again."
    return "Somebody wrote it just now: run this again."


def _show(door: Door, held: Iterable[Held]) -> None:
    """Each record on a line."""
    if door.prints_json(*held):
        return
    rows: list[list[str | Ink]] = []
    for item in held:
        matches = [f"{field} {kind} ×{number}" for (field, kind), number in item.counts.items()]
        rows.append([Ink(item.place, "dim"), item.name, ", ".join(matches)])
    table(rows)
    if not rows:
        narrate("No record holds a secret.")


def _by_kind(held: Iterable[Held]) -> Mapping[str, int]:
    kinds: Counter[str] = Counter()
    for item in held:
        for (_, kind), number in item.counts.items():
            kinds[kind] += number
    return dict(kinds.most_common())


def _summary(held: list[Held]) -> dict[str, Any]:
    return {
        "records": len(held),
        "count": sum(item.total for item in held),
        "kinds": dict(_by_kind(held)),
    }


def _in_words(held: Iterable[Held]) -> str:
    """`3 records hold github-token ×4, email ×1`, or `none`."""
    listed = list(held)
    if not listed:
        return "none"
    kinds = ", ".join(f"{kind} ×{number}" for kind, number in _by_kind(listed).items())
    return f"{count(len(listed), 'record holds', 'records hold')} {kinds}"


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
    """What the person's own settings say; no store is opened for it."""
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
