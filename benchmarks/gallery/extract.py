"""What a session gives, by default without any judgement: mechanics, whatever the fitted score
holds of it."""

from collections.abc import Iterable

from memdeck import Capture
from memdeck.core.ingest.extract.steps import read_session
from memdeck.core.ingest.extract.turns import Session, Turn


def extract(
    turns: Iterable[Turn],
    *,
    session: str,
    agent: str = "claude",
    transcript: str = "",
    project_root: str | None = None,
    since_line: int = 0,
    is_over: bool = True,
    starts_incognito: bool = False,
    is_judged: bool = False,
) -> list[Capture]:
    """Explicit words, the agent's own list, what commands and subagents showed, and what holds
    after a sure correction; in the order in which it came up."""
    reading = read_session(
        turns,
        Session(session, agent, transcript, project_root),
        since_line=since_line,
        is_over=is_over,
        starts="incognito" if starts_incognito else "",
        is_judged=is_judged,
    )
    held = [c.holds for c in reading.corrections if c.is_sure and c.holds is not None]
    return sorted([*reading.captures, *held], key=lambda c: c.origin.line or 0)
