"""Session files of one host, read by its name as the drain reads them."""

from typing import Any

from memdeck.core.sessions.transcript import read_any


def read_claude(path: str, *place: Any, **options: Any) -> Any:
    """The turns of a session of Claude Code after a place in its file."""
    return read_any(path, "claude", *place, **options)


def read_codex(path: str, *place: Any, **options: Any) -> Any:
    """The turns of a session of Codex after a place in its file."""
    return read_any(path, "codex", *place, **options)


def read_gemini(path: str, *place: Any, **options: Any) -> Any:
    """The turns of a session of Gemini CLI after a place in its file."""
    return read_any(path, "gemini", *place, **options)


def read_opencode(path: str, *place: Any, **options: Any) -> Any:
    """The turns of a session of OpenCode after a place in its file."""
    return read_any(path, "opencode", *place, **options)
