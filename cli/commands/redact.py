"""Any text, passed through the rules that every memory passes."""

from __future__ import annotations

import sys

import click

from ...core.redaction.redact import Choice
from .. import stdin
from ..options import Door, command
from ..output import emit


@command(
    "git log -1 --format=%B | memdeck redact",
    "memdeck redact --jsonl",
    short_help="Take the secrets out of a text from a pipe.",
)
@click.option("--jsonl", is_flag=True, help='Lines {"id", "text"} in, with "removed" out.')
def redact(door: Door, jsonl: bool) -> int:
    """Pass a text from standard input through the rules that every memory passes.

    What would be taken out is replaced by [REDACTED:kind]; nothing is stored.
    """
    choice = _choice(door)
    stdin.refuse_terminal()
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
    for number, line in stdin.objects(sys.stdin.buffer):
        text = None if isinstance(line, stdin.BadLine) else line.get("text")
        if isinstance(line, stdin.BadLine) or not isinstance(text, str):
            failed += 1
            why = str(line) if isinstance(line, stdin.BadLine) else "`text` is no text"
            emit({"id": None, "line": number, "error": why}, flush=True)
            continue
        clean = redact_text(text, choice=choice)
        emit(
            {"id": line.get("id"), "text": clean.value, "removed": list(clean.removed)}, flush=True
        )
    return 1 if failed else 0
