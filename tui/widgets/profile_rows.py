"""The profile, one entry a line under the headings of its parts; one entry as text to read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from ...core.clock import to_ms
from ...core.judgements import Conflict
from ...core.profiles import ProfileEntry
from ...core.values import Memory
from ..text import AGE_WIDTH, age, counted, cut, fit, labelled, one_line, plain
from .virtual_list import Look, VirtualList

LEAD = 4  # cells before the group: cursor bar, glyph
GROUP_WIDTH, WHOSE_WIDTH = 12, 11
TITLE_WANTED = 30  # cells a title should have before the columns right of it get theirs


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One entry; its number is that of the memory it stands for."""

    num: int
    entry: ProfileEntry

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        one = self.entry
        return hash((one.memory.revision, one.group, one.asked, one.is_told, one.last_used))


class ProfileList(VirtualList[ProfileRow]):
    """The profile as rows."""

    HELP = """\
## Profile
Who you are to agents, each entry with its category, whose it is and when it was last used: `≠` it
contradicts another entry and waits for you, `◆` it is yours. The others are established.
"""

    def draw_row(self, row: ProfileRow, look: Look) -> Strip:
        entry = row.entry
        plain, muted = self._ink(look), self._ink(look, "muted")
        glyph, ink = " ", plain
        if entry.asked:
            glyph, ink = self.glyphs.conflict, self._ink(look, "conflict")
        elif entry.degree == "person":
            glyph, ink = self.glyphs.persons, self._ink(look, "persons")
        title, whose, has_age = columns_in(look.width)
        segments = [
            Segment(set_cell_size(glyph, 2), ink),
            Segment(fit(entry.group, GROUP_WIDTH) + " ", muted),
            Segment(fit(one_line(entry.memory.title), title), plain),
        ]
        if whose:
            segments.append(Segment("  " + fit(entry.whose, WHOSE_WIDTH), muted))
        if has_age:
            used = age(to_ms(entry.last_used), to_ms(self.now) or 0)
            segments.append(Segment(" " + used, muted))
        return self._line_of(look, segments)


def columns_in(cells: int) -> tuple[int, bool, bool]:
    """The cells of the title, and whether there is room for whose it is, and for its age."""
    room = cells - LEAD - GROUP_WIDTH - 1
    has_age = room >= TITLE_WANTED
    room -= AGE_WIDTH + 1 if has_age else 0
    whose = room >= TITLE_WANTED + WHOSE_WIDTH + 2
    return max(room - (WHOSE_WIDTH + 2 if whose else 0), 1), whose, has_age


LABEL = 9  # cells of a label
MOST_SHOWN = 8
"""Memories that an entry names of those it rests on."""

GROUPS = {"preferences": "category", "patterns": "domain", "facts": "kind"}
WHOSE = {
    "yours": "yours: to be kept to",
    "confirmed": "confirmed by you: to be kept to",
    "established": "established: told as a note",
}
SAID_BY = {
    "person": "you",
    "agent-verified": "an agent, borne out by its session",
    "agent-unverified": "an agent",
    "quoted": "an agent, quoting",
    "imported": "an import",
}


def account(entry: ProfileEntry, question: Conflict | None, cells: int, now: datetime) -> Content:
    """All there is to say of an entry, no line wider than `cells`."""
    now_ms = to_ms(now) or 0
    used = f"{age(to_ms(entry.last_used), now_ms).strip()} ago" if entry.last_used else "never"
    used = "now" if used == "now ago" else used
    lines = [*plain(entry.memory.content).wrap(max(cells, 8)), Content("")]
    if question is not None:
        lines += _question(entry, question, cells)
    sessions = f" in {counted(entry.sessions, 'session')}" if entry.sessions else ""
    for label, value in (
        (GROUPS[entry.section], f"{entry.group}, since {entry.why}"),
        ("whose", WHOSE[entry.whose]),
        ("said by", SAID_BY.get(entry.provenance, entry.provenance) + sessions),
        ("holds", "everywhere" if entry.memory.scope == "global" else "in this project"),
        ("weight", f"{entry.weight:.2f} of 1"),
        ("told", _told(entry)),
        ("used", used),
    ):
        lines += labelled(label, plain(value), cells, LABEL)
    lines += [Content(""), plain(f"rests on {counted(len(entry.rests_on), 'memory', 'memories')}")]
    lines += [_link(memory, cells) for memory in entry.rests_on[:MOST_SHOWN]]
    if len(entry.rests_on) > MOST_SHOWN:
        lines.append(plain(f"and {len(entry.rests_on) - MOST_SHOWN} more", "$text-muted"))
    return Content("\n").join(lines)


def _told(entry: ProfileEntry) -> str:
    """When agents are told it."""
    if entry.memory.status == "pinned":
        return "always, with what contradicts it" if entry.asked else "always: it is pinned"
    return "at starts, the weightiest first" if entry.is_told else "to nobody until you decide"


def _question(entry: ProfileEntry, question: Conflict, cells: int) -> list[Content]:
    """What contradicts the entry, and the key that decides."""
    is_first = question.first.id == entry.memory.id
    other = question.second if is_first else question.first
    return [
        plain("Which holds? It contradicts", "bold $conflict"),
        _link(other, cells),
        Content.assemble(("L", "bold $footer-key-foreground"), (" decides", "$text-muted")),
        Content(""),
    ]


def _link(memory: Memory, cells: int) -> Content:
    """A memory that can be clicked."""
    words = f"› {cut(one_line(memory.title), max(cells - 2, 8))}"
    return plain(words, "$text-accent").stylize(Style.from_meta({"memdeck_memory": memory.id}))
