"""Shows the project at a glance."""

from __future__ import annotations

from ...core import hosts
from ..options import Door, command
from ..output import Ink, encode, print_document, say


@command("memdeck status", "memdeck status --json")
def status(door: Door) -> int:
    """Show the project at a glance.

    Counts, sizes, connected agents, items of Review, and the last injections.
    """
    return report_status(door)


def report_status(door: Door) -> int:
    """Print the status; also the default command without a terminal."""
    with door.services() as services:
        status = services.vitals.status()
        pins = "" if door.as_json else services.pin_words()
    connected = _connected(door)
    if door.as_json:
        from ...core.recall.receipt import HEALTHY_MS, SLOW_MS

        matches = encode(status)
        speed = {"healthy_below_ms": HEALTHY_MS, "degraded_above_ms": SLOW_MS}
        door.prints_json({**matches, "recall": {**matches["recall"], **speed}, "hooks": connected})
        return 0
    from ...core.documents.agent import status_document

    print_document(status_document(status, connected, pins), status.now)
    if status.receipts:
        from .receipts import show_receipts  # with all that the command `receipts` needs

        say("")
        say("  ", Ink("Last injections", "dim"))
        show_receipts(list(status.receipts), status.now, indent="  ")
    return 0


def _connected(door: Door) -> dict[str, list[str]]:
    """By agent, the scopes in which it calls us."""
    from ...hosts.install import hook_statuses

    return {
        host: [
            hook_status.scope
            for hook_status in hook_statuses(host, door.folder)
            if hook_status.is_installed
        ]
        for host in hosts.registry.names()
    }
