"""The two memories of a conflict as text to compare, and the pane of each: they move together.

Pure functions from values to `Content`. Memory text enters as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from ...core.answers import Entry, Link, Receipt
from ...core.judgements import Conflict
from ...core.values import Memory, importance_10, ms_of
from ..glyphs import Glyphs
from ..text import age, counted, cut, one_line, plain
from .account import Account, link_from
from .text_pane import scroll_keys
from .word_diff import Line, Pairs, line_content

MOST_INJECTIONS = 20  # receipts read of each side
MOST_LINKS = 6
MOST_ENTRIES = 8  # of what happened to each side
MOST_NAMES = 12  # tags or files listed of each side
SHARED = "="  # stands before what both have
REPEATED = 24  # characters of a title that also begin the text: it was made from it

Lines = list[Content]
GAP: tuple[Lines, Lines] = ([Content("")], [Content("")])


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two, with what it was used for and what it is tied to."""

    memory: Memory
    links: Sequence[Link] = ()
    injections: Sequence[Receipt] = ()  # newest first, at most MOST_INJECTIONS
    session_name: str = ""  # of the session it was learned in; "" where nobody noted it
    named: Mapping[str, str] = field(default_factory=dict)  # what is said instead of an id
    history: Sequence[Entry] = ()  # newest first


@dataclass(frozen=True, slots=True)
class Pair:
    """A conflict with both sides, and their lines in pairs."""

    conflict: Conflict
    first: Side
    second: Side
    lines: Pairs
    titles: Pairs = ()  # empty where the texts begin with them: words are to be read once
    guess: str = ""  # what may tell the two apart, when both hold

    @property
    def newer_is_first(self) -> bool:
        """Whether the left one was learned later; of two learned together, the right one was."""
        one, other = self.first.memory, self.second.memory
        return (one.created_at, one.num) > (other.created_at, other.num)


@dataclass(frozen=True, slots=True)
class Frame:
    """How much room there is."""

    widths: tuple[int, int]  # cells of the left and of the right side
    is_aligned: bool  # they stand beside each other, not one above the other
    is_low: bool = False  # a handful of lines: the words come first


def both_sides(pair: Pair, frame: Frame, glyphs: Glyphs, now: datetime) -> tuple[Content, Content]:
    """What the two panes show; aligned, line `n` of one belongs beside line `n` of the other."""
    writers = [Account(width, glyphs, now) for width in frame.widths]
    sides = (pair.first, pair.second)
    blocks = _blocks(pair, frame, sides, writers)
    texts: tuple[Lines, Lines] = ([], [])
    for left, right in blocks:
        height = max(len(left), len(right)) if frame.is_aligned else 0
        for lines, block in zip(texts, (left, right), strict=True):
            lines += block
            lines += [Content("")] * (height - len(block))
    left_text, right_text = (Content("\n").join(lines) for lines in texts)
    return left_text, right_text


def _blocks(
    pair: Pair, frame: Frame, sides: tuple[Side, Side], writers: Sequence[Account]
) -> Iterator[tuple[Lines, Lines]]:
    heads = [_head(side.memory, writer) for side, writer in zip(sides, writers, strict=True)]
    if not frame.is_low:
        for left, right in pair.titles:
            yield _wrapped(left, writers[0], "bold"), _wrapped(right, writers[1], "bold")
        yield heads[0], heads[1]
        if frame.is_aligned:
            yield GAP
    for left, right in pair.lines:
        yield _wrapped(left, writers[0]), _wrapped(right, writers[1])
    if frame.is_low:
        yield heads[0], heads[1]
    elif frame.is_aligned:
        yield GAP
    yield from _fields(frame, sides, writers)
    yield _below(_details, sides, writers)
    yield _below(_history, sides, writers)


def _below(
    say: Callable[[Side, Account], Lines], sides: tuple[Side, Side], writers: Sequence[Account]
) -> tuple[Lines, Lines]:
    """A section of each side with a line of air before it; nothing where a side has none."""
    left, right = (say(side, writer) for side, writer in zip(sides, writers, strict=True))
    return [Content("")] * bool(left) + left, [Content("")] * bool(right) + right


def _details(side: Side, writer: Account) -> Lines:
    """What the type's own table holds."""
    return _wrapped_all(writer.details(side.memory, side.named)[1:], writer)


def _history(side: Side, writer: Account) -> Lines:
    """What was done to it, and by whom."""
    shown = side.history[:MOST_ENTRIES]
    return _wrapped_all(writer.history(shown, len(side.history)), writer) if shown else []


def _wrapped_all(parts: Iterable[Content], writer: Account) -> Lines:
    return [line for part in parts for line in part.wrap(writer.width)]


def titles_of(first: Memory, second: Memory) -> tuple[str, str] | None:
    """Both titles on one line each; None when each text begins with its own."""
    if all(_is_repeated(memory) for memory in (first, second)):
        return None
    return one_line(first.title), one_line(second.title)


def _is_repeated(memory: Memory) -> bool:
    title = one_line(memory.title).rstrip("….")[:REPEATED]
    return one_line(memory.content[:400]).startswith(title)


def _head(memory: Memory, writer: Account) -> Lines:
    """What it is: state by glyph, word and colour, then type and category."""
    state = next(iter(writer.states(memory)))
    about = f" · {memory.type} · {memory.category}"
    line = Content.assemble(plain(*state), (about, "$text-muted"))
    return list(line.wrap(writer.width))


def _wrapped(line: Line | None, writer: Account, style: str = "") -> Lines:
    """One line of the text as it stands in its pane; None takes no room of its own."""
    if line is None:
        return []
    return list(line_content(line).stylize(style).wrap(writer.width)) or [Content("")]


# -- the table beneath the text

Say = Callable[[Side, Side, Account], "str | Content"]


def _fields(
    frame: Frame, sides: tuple[Side, Side], writers: Sequence[Account]
) -> Iterator[tuple[Lines, Lines]]:
    """Field by field; beside each other, a field that only one side has is a dash at the other."""
    one, other = sides
    rows: tuple[tuple[str, Say], ...] = (
        ("learned", lambda side, _, writer: _learned(side.memory, writer)),
        ("by", lambda side, _, __: _author(side)),
        ("transcript", lambda side, _, __: _place(side.memory)),
        ("told", lambda side, _, writer: _told(side.memory, writer)),
        ("injected", lambda side, _, writer: _injected(side.injections, writer)),
        ("importance", lambda side, _, writer: _importance(side.memory, writer)),
        ("confidence", lambda side, _, __: f"{side.memory.confidence:.0%}"),
        ("tags", lambda side, rival, _: _names(side.memory.tags, rival.memory.tags)),
        ("files", lambda side, rival, _: _names(side.memory.files, rival.memory.files)),
        ("links", lambda side, _, writer: _linked(side, writer)),
        ("scope", lambda side, rival, _: _scope(side.memory, rival.memory)),
        ("id", lambda side, _, __: side.memory.short_id),
    )
    for name, say in rows:
        said = (say(one, other, writers[0]), say(other, one, writers[1]))
        if not any(said):
            continue
        left, right = (
            _field(name, value, writer, dash=frame.is_aligned)
            for value, writer in zip(said, writers, strict=True)
        )
        yield left, right


def _field(name: str, value: str | Content, writer: Account, *, dash: bool) -> Lines:
    if not value:
        if not dash:
            return []
        value = Content.styled("—", "$text-disabled")
    return list(writer.field(name, value).split("\n", allow_blank=True))


def _learned(memory: Memory, writer: Account) -> Content:
    at = memory.created_at
    span = age(ms_of(at), writer.now_ms).strip()
    return Content.assemble(f"{at.astimezone():%Y-%m-%d %H:%M %Z}", (f"  {span}", "$text-muted"))


def _scope(memory: Memory, rival: Memory) -> str:
    """For whom it holds, where that is not the project for both."""
    return "" if memory.scope == rival.scope == "project" else memory.scope


def _author(side: Side) -> str:
    origin = side.memory.origin
    unnamed = "unnamed session" if origin.session else ""  # of one nobody noted
    parts = (origin.agent or "you", one_line(side.session_name) or unnamed)
    return " · ".join(part for part in parts if part)


def _place(memory: Memory) -> str:
    origin = memory.origin
    line = f":{origin.line}" if origin.line else ""
    return f"{origin.transcript}{line}" if origin.transcript else ""


def _told(memory: Memory, writer: Account) -> str:
    if not memory.accesses:
        told = "never"
    else:
        told = counted(memory.accesses, "time")
        told += _since(memory.last_access, memory.accesses, writer) if memory.last_access else ""
    if memory.helpful or memory.unhelpful:
        told += f"; {memory.helpful} helpful, {memory.unhelpful} not"
    return told


def _injected(receipts: Sequence[Receipt], writer: Account) -> str:
    """Into how many prompts it went, and the last of them."""
    if not receipts:
        return "into no prompt"
    more = "+" if len(receipts) >= MOST_INJECTIONS else ""
    noun = "prompt" if len(receipts) == 1 else "prompts"
    last = receipts[0]
    where = last.host + (f" · {one_line(last.session_name)}" if last.session_name else "")
    since = _since(last.at, len(receipts), writer)
    return f"into {len(receipts)}{more} {noun}{since}\n{where}"


def _since(last: datetime, times: int, writer: Account) -> str:
    """`, last 2d ago`; of one time alone, when it was."""
    return f", {'last ' if times > 1 else ''}{writer.ago(last)}"


def _importance(memory: Memory, writer: Account) -> Content:
    return writer.gauge(memory.importance, f"{importance_10(memory.importance)}/10")


def _names(own: Sequence[str], theirs: Collection[str]) -> Content | str:
    """Tags or files; a sign and colour before those that both sides have."""
    if not own:
        return ""
    shown: Iterable[Content] = (
        plain(f"{SHARED}{one_line(name)}", "bold $text-accent")
        if name in theirs
        else plain(one_line(name))
        for name in sorted(own, key=lambda name: name not in theirs)[:MOST_NAMES]
    )
    more = f"  … {len(own) - MOST_NAMES} more" if len(own) > MOST_NAMES else ""
    return Content("  ").join(shown) + Content.styled(more, "$text-muted")


def _linked(side: Side, writer: Account) -> Content | str:
    """The linked memories, the rival left out; a click goes there."""
    own = side.memory.id
    lines = []
    for link in side.links:
        if link.kind == "contradicts":
            continue  # that is what the two panes show
        word, other = link_from(own, link)
        goes = Style.from_meta({"memdeck_memory": other})
        title = cut(link.other_title or link.target, max(writer.width - 13 - len(word), 8))
        lines.append(
            Content.assemble(plain(f"{word} ", "$text-muted"), (title, "$text-accent")).stylize(
                goes
            )
        )
    if len(lines) > MOST_LINKS:
        more = f"… {len(lines) - MOST_LINKS} more"
        lines = [*lines[:MOST_LINKS], Content.styled(more, "$text-muted")]
    return Content("\n").join(lines) if lines else ""


class SidePane(VerticalScroll, can_focus=True, inherit_bindings=False):
    """One memory of a conflict."""

    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("detail")

    @dataclass
    class Resized(Message):
        """The room of a side changed: both are to be laid out anew."""

    @dataclass
    class Opened(Message):
        """A double click asks for this side's memory."""

        side: SidePane

    @dataclass
    class MenuWanted(Message):
        """A right click asks for the verdicts."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane side")
        self.partner: SidePane | None = None  # scrolls along
        self._text = Static("", markup=False, classes="side-text")

    def compose(self) -> ComposeResult:
        yield self._text

    @property
    def told(self) -> Content:
        """What the pane says, as it is wrapped."""
        shown = self._text.visual
        assert isinstance(shown, Content)
        return shown

    @property
    def room(self) -> int:
        """Cells that a line may take."""
        return max(self.scrollable_content_region.width - 1, 0)

    def show(self, text: Content) -> None:
        """Show this text."""
        self._text.update(text)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take the other side along; while that glides itself, the one that stops last does.

        To move what glides would end its animation in the midst of Textual's round of all of
        them, which does not survive that.
        """
        super().watch_scroll_y(old_value, new_value)
        partner = self.partner
        if partner is None or self.app.animator.is_being_animated(partner, "scroll_y"):
            return
        if round(partner.scroll_y) != round(new_value):
            partner.scroll_to(y=new_value, animate=False, immediate=True)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("memdeck_memory"):
            return  # a link: the view follows it
        if event.button == 3:
            event.stop()
            self.focus()
            self.post_message(self.MenuWanted())
        elif event.chain == 2:
            event.stop()
            self.post_message(self.Opened(self))
