"""What there is to know about a host, in one value: each folder beside this has one in its `host`.

A hook imports its one host's `wire` and nothing else of this; everything else begins here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ...core import hosts
from ...core.agents import Finding
from ...core.errors import Refused
from ...frozen import dataclass
from ..slash_commands import CommandForm
from ..standing import Installer, Standing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ...core.ingest.extract.transcripts import Transcript
    from ...core.review.command_dialect import Dialect
    from ..events import Event

Hindrances = Callable[[Sequence[Standing], str | None], tuple[bool | None, list[Finding]]]
"""From how it stands in each scope, and a project's folder: whether it trusts our hooks (None: it
does not say), and what keeps it from running them."""


class Wire(Protocol):
    """A host's dialect: a module that imports the least it can, since an agent waits for it."""

    HOST: str
    """The name in settings, on command lines, in the store."""
    TITLE: str
    """The name for people."""
    GROUPS: dict[str, tuple[str, ...]]
    """By group, the events that serve it."""
    EVENTS: tuple[str, ...]
    """The events that can be read, in the order of their registration; any other is ignored."""
    TODO_TOOLS: tuple[str, ...]
    """The tools that keep the agent's list."""
    FILE_TOOLS: tuple[str, ...]
    """The tools that read or edit a file."""
    TASK_TOOLS: tuple[str, ...]
    """The tools that start a subagent, where its start does not bring the task along."""
    ANSWERED: tuple[str, ...]
    """The events whose reply may hold text for the model."""
    REPLY_BYTES: int
    """Longest text for the model, in bytes of UTF-8."""
    FORM: str
    """In which form it is told (`core/retrieval/formats.py`): xml, markdown or plain."""
    MOST_TOKENS: int | None
    """Tokens that it takes from one hook, however large the budget; None where not known."""
    SESSION_VARIABLE: str
    """What names the session in the environment of what it runs, or ""."""
    MARK: str
    """What it sets in the environment of what it runs, or ""."""

    @property
    def read(self) -> Callable[[Mapping[str, Any], str], Event | None]:
        """From a payload and the event named on the command line, which the payload's own name
        overrules, to the event; None when it is not for us."""

    @property
    def reply(self) -> Callable[[Event, str], str]:
        """The line that hands a text to the model; "" when there is nothing to hand over.

        Raises ValueError above `REPLY_BYTES`.
        """


@dataclass(frozen=True, slots=True)
class Host:
    """One host."""

    wire: Wire
    installer: Installer
    answers_headless: bool = True  # whether its `headless` knows how it is asked one question
    commands: CommandForm | None = None  # its slash commands; None: it has none from files
    in_project: str = ""  # what a person should know who installs for a project
    hindrances: Hindrances = lambda _standings, _folder: (None, [])
    trust: Callable[[str, str | None], list[str]] | None = None
    """Tells it that the person trusts our hooks in a file, seen from a project; returns the events
    that it now runs. None where there is nothing to tell."""
    after_mending: str = ""  # what the person is asked next when our entries were put right

    @property
    def name(self) -> str:
        """In settings, on command lines, in the store."""
        return self.wire.HOST

    @property
    def title(self) -> str:
        """For people."""
        return self.wire.TITLE

    @property
    def transcript(self) -> Transcript:
        """How its session files are known and read."""
        found: Transcript = hosts.room(self.name, "transcript").TRANSCRIPT
        return found

    @property
    def headless(self) -> Dialect | None:
        """How it is asked one question; None where that is not known."""
        if not self.answers_headless:
            return None
        found: Dialect = hosts.room(self.name, "headless").DIALECT
        return found


def host(name: str) -> Host:
    """The host of this name. Raises Refused where there is none."""
    found = hosts.host(name)
    if not isinstance(found, Host):
        raise Refused(f"There is no agent {name!r}.", hint=f"We know {', '.join(hosts.names())}.")
    return found
