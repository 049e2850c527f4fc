"""What would find something where nothing was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.query.language import parse
from .output import Ink, count, memory_count, narrate

if TYPE_CHECKING:
    from ..core.services.suggestions import Suggestion


def point_out(query: str) -> None:
    """What the query language did not understand, and the nearest thing that it would."""
    told = [
        f"{hint.message} Did you mean {hint.nearest}?" if hint.nearest else hint.message
        for hint in parse(query).hints
    ]
    for line in dict.fromkeys(told):  # each once, however many words of a long query it is about
        narrate(Ink(line, "warn"))


def nothing_found(advice: Suggestion) -> None:
    """Say what would find something."""
    narrate("Nothing found.")
    try_instead(advice)


def try_instead(advice: Suggestion) -> None:
    """Say what would find something."""
    if advice.did_you_mean:
        narrate(f"  Did you mean {advice.did_you_mean}?")
    if advice.other_words:
        others = ", ".join(f"{word} ({number})" for word, number in advice.other_words)
        narrate(f"  Other words that are there: {others}.")
    if advice.narrowest:
        narrate(f"  Without {advice.narrowest} there would be more.")
    if advice.retired:
        narrate(
            f"  {count(advice.retired, 'retired memory', 'retired memories')} would match: "
            f"add is:retired."
        )
    if advice.other_projects:
        narrate(
            f"  {memory_count(advice.other_projects)} in other projects would match: use --project."
        )
