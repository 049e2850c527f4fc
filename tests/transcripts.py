"""Session files of one host, read by its name as the drain reads them."""

from collections.abc import Callable
from typing import Any

from memdeck.core.sessions.transcript import read_any


def _reader(host: str) -> Callable[..., Any]:
    """The turns of a session of the host after a place in its file."""
    return lambda path, *place, **options: read_any(path, host, *place, **options)


read_claude, read_codex = _reader("claude"), _reader("codex")
read_gemini, read_opencode = _reader("gemini"), _reader("opencode")
