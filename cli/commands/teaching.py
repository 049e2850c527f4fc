"""What your verdicts taught this project, with its effect; and starting anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..encoder import encode
from ..options import Door, command
from ..output import Ink, count, iso, local, narrate, one_line, say

if TYPE_CHECKING:
    from ...core.services.lessons import Taught


@command(
    "memdeck teaching",
    "memdeck teaching --reset",
    short_help="Show what your verdicts taught, or start anew.",
)
@click.option("--reset", is_flag=True, help="Let the verdicts so far count no more; undoable.")
def teaching(door: Door, reset: bool) -> None:
    """Show how your verdicts in the Inbox moved the bar of this project.

    Accepting, merging and rescuing lower it, rejecting raises it, for agents' sentences and yours
    apart; no other project is touched. `review.teaching = false` in the settings switches it off.
    """
    with door.memory() as core:
        forgotten = core.reset_teaching() if reset else 0
        found, project = core.taught(), core.project.name
    if door.as_json:
        anew = {"reset": forgotten} if reset else {}
        door.prints_json({"project": project, **of_teaching(found), **anew})
        return
    if reset:
        narrate(f"{count(forgotten, 'verdict')} count no more; `memdeck undo` takes that back.")
    say(Ink(one_line(project), "bold"))
    for line in words_of(found):
        say("  ", one_line(line))


def words_of(found: Taught) -> list[str]:
    """What was taught, a sentence for each speaker."""
    words = [found.words(is_person=is_person) for is_person in (False, True)]
    return words if found.since is None else [*words, f"Started anew on {local(found.since)}."]


def of_teaching(found: Taught) -> dict[str, Any]:
    """is_on, since, and for `agent` and `person`: bias, kept, rejected, asked, words."""
    return {
        "is_on": found.is_on,
        "since": iso(found.since),
        **{
            name: {
                **encode(found.lessons.lesson(is_person=is_person)),
                "words": found.words(is_person=is_person),
            }
            for name, is_person in (("agent", False), ("person", True))
        },
    }
