"""Whether the store still says what was done."""

from __future__ import annotations

from ..options import Door, command
from ..output import Ink, count, memory_count, narrate, one_line, say


@command("memdeck verify --json")
def verify(door: Door) -> int:
    """Check that the store is whole.

    Journal, database and search index must agree, and nothing may have been altered.
    """
    with door.memory() as core:
        found, is_read_only = core.verify(), core.is_read_only
    if is_read_only:
        narrate("The search index was not checked: the store can only be read from here.")
    fields = {name: getattr(found, name) for name in ("ok", "records", "memories", "problems")}
    if not door.prints_json(fields):
        verdict = Ink("whole", "good") if found.ok else Ink("altered", "bad")
        say(verdict, f"  {count(found.records, 'record')}, {memory_count(found.memories)}")
        for problem in found.problems:
            say("  ", one_line(problem))
    if not found.ok:
        narrate(Ink("memdeck: ", "bad"), "The store is not what it should be.")
        if any("journal" in problem or "entry" in problem for problem in found.problems):
            narrate("  Bring the journal back from a copy if its own lines were altered.")
        narrate("  `memdeck rebuild` makes the database anew from what the journal says.")
    return 0 if found.ok else 1
