"""What a session gives, by default without any judgement: mechanics, whatever the fitted score
holds of it."""

from collections.abc import Iterable

from memdeck import Capture
from memdeck.core.sessions.capture import read_session
from memdeck.core.sessions.turns import Session, Turn


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
    """Explicit words, the agent's own list and resolved errors, in order."""
    reading = read_session(
        turns,
        Session(session, agent, transcript, project_root),
        since_line=since_line,
        is_over=is_over,
        starts="incognito" if starts_incognito else "",
        is_judged=is_judged,
    )
    return reading.captures
