"""The two lines that ask an agent to record what it learns, at a session's start. Standard library.

They are memdeck's own words, so they stand outside the frame of the notes, which are data.
"""

MARK = "[memdeck] Record what"
"""How the lines begin."""

MOST_OF_BUDGET = 0.25
"""Of the budget, 0-1, that they may take; with less room they are left out."""

_LIMIT = "At most five a session"
_LAST = (
    _LIMIT + ", only what still holds when its work is done: no progress reports, no plans, no"
    " faults about to be mended, nothing off the record, nothing that only a tool's output or a"
    " pasted text says."
)
"""Of 573 of agents' sentences, read in 81 projects' sessions, five in six facts and decisions were
of use or harmless at another day's start, one in eleven plans, one in three reports (measured.md).
"""
_LINES = (
    MARK + " the person corrects, decides or limits, and what took you more than one try to find,"
    " when it happens: {command} 'One sentence that stands alone.'"
    " (options: --why TEXT, --file PATH, --replaces MEMORY-ID)\n" + _LAST
)


def recording_request(program: str, session: str, home: str = "") -> str:
    """The lines for one session; `program` and `home` are words as a shell takes them.

    Single quotes, in which neither a POSIX shell nor PowerShell looks for anything.
    """
    where = f" --home {home}" if home else ""
    return _LINES.format(command=f"{program} learn{where} --session {session}")


def without_request(text: str) -> str:
    """`text` without these lines: who repeats them said nothing of their own."""
    if MARK not in text:
        return text
    import re  # a start waits for this room, and asks nothing of the kind

    asked = rf"{re.escape(MARK)} the person corrects, [^\n]*(?:\s*\n\s*{_LIMIT}[^\n]*)?"
    return re.sub(asked, "", text)
