"""Everything known of one memory, as text to read: fields, links, where told, history, its worth.

Pure functions from values to `Content`. Memory text enters as text, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.style import Style

from ...core.answers import Entry, Link, Receipt
from ...core.clock import is_moment
from ...core.documents.receipt import occasion
from ...core.judgements import FACTOR_WORDS, trust_words, worth_words
from ...core.lifecycle.worth import AHEAD, Worth
from ...core.recall.selection import privacy_words
from ...core.values import Hit, Memory, importance_10, ms_of
from ..glyphs import Glyphs
from ..markdown import rendered
from ..text import age, counted, cut, fit, moment, one_line, path_lines, plain
from .bars import Step, laid_out, waterfall

if TYPE_CHECKING:
    from ..app import MemoryApp
    from .text_pane import Write

LABEL = 11  # cells of a field's name
BAR = 10
LONGEST_BODY = 20_000  # characters laid out; the editor shows the rest
NO_NAMES: Mapping[str, str] = {}
LAST_INJECTIONS = 3  # that are listed; `I` shows all


@dataclass(frozen=True, slots=True)
class Why:
    """The account of a hit: its place among the hits, and the one after it."""

    hit: Hit | None
    place: int = 0
    after: Hit | None = None
    is_ranked: bool = True
    account: tuple[str, ...] = ()  # what put it there, in words


@dataclass(frozen=True, slots=True)
class Shown:
    """What the detail shows."""

    memory: Memory
    links: Sequence[Link] = ()
    history: Sequence[Entry] | None = None
    why: Why | None = None
    here: str = ""  # the project one looks from: another one is named
    worth: Worth | None = None
    injections: Sequence[Receipt] = ()  # newest first, one more than is listed when there are more
    named: Mapping[str, str] = field(default_factory=dict)  # what is said instead of an id
    is_then: bool = False  # as it was in the past, of which nobody knows how often it was told


class Account:
    """Writes a memory for a pane of `width` cells."""

    def __init__(self, width: int, glyphs: Glyphs, now: datetime) -> None:
        self.width = max(width, 16)
        self.glyphs = glyphs
        self.now = now
        self.now_ms = ms_of(now)

    def of(self, visible: Shown, terms: re.Pattern[str] | None) -> Content:
        """The whole account, from the title down."""
        memory = visible.memory
        parts = [
            self._head(visible, terms),
            Content(""),
            self._body(memory, terms),
            Content(""),
        ]
        if visible.why is not None:
            parts += [*self.why(visible.why), Content("")]
        if visible.history is not None:
            parts += [*self.history(visible.history), Content("")]
        if visible.injections:
            parts += [*self.injections(visible.injections, memory.id), Content("")]
        parts += self._fields(visible)
        parts += self.details(memory, visible.named)
        if visible.worth is not None:
            parts += [Content(""), *worth_lines(visible.worth, self)]
        if visible.links:
            parts += [Content(""), *self.links(visible.links, memory.id)]
        parts += self._learned_in(memory, visible.named)
        return Content("\n").join(parts)

    # -- the parts

    def _head(self, visible: Shown, terms: re.Pattern[str] | None) -> Content:
        memory, here = visible.memory, visible.here
        title = plain(one_line(memory.title), "bold $text")
        tags = [(memory.type, ""), (memory.category, ""), (memory.scope, "")]
        states = list(self.states(memory))
        if memory.project and here and memory.project != here:
            states.append((visible.named.get(memory.project, memory.project), "$text-warning"))
        words = [Content.styled(text, style or "$text-muted") for text, style in (*states, *tags)]
        return Content("\n").join([highlighted(title, terms), Content(" · ").join(words)])

    def states(self, memory: Memory) -> Iterable[tuple[str, str]]:
        """What the memory is, by glyph, word and colour."""
        glyphs = self.glyphs
        if memory.retired_at is not None:
            yield f"{glyphs.retired} {memory.retired_as}", "$retired"
        elif memory.status == "pinned":
            yield f"{glyphs.pinned} pinned", "$pinned"
        elif memory.status == "candidate":
            yield f"{glyphs.candidate} candidate", "$candidate"
        else:
            yield memory.status, "$text-muted"
        if memory.in_conflict:
            yield f"{glyphs.conflict} conflict", "$conflict"
        if memory.stale:
            yield f"{glyphs.stale} verify", "$warning"

    def _body(self, memory: Memory, terms: re.Pattern[str] | None) -> Content:
        body = rendered(memory.content[:LONGEST_BODY], self.width)
        if len(memory.content) > LONGEST_BODY:
            rest = len(memory.content) - LONGEST_BODY
            body += Content.styled(f"\n… {rest:,} more characters: E opens them all", "$text-muted")
        return highlighted(body, terms)

    def _fields(self, visible: Shown) -> list[Content]:
        memory, named = visible.memory, visible.named
        details = counted(memory.accesses, "time") if memory.accesses else "never"
        if memory.last_access:
            details += f", last {self.ago(memory.last_access)}"
        if memory.used:
            details += f"; used {counted(memory.used, 'time')}"
        if memory.helpful or memory.unhelpful:
            details += f"; {memory.helpful} helpful, {memory.unhelpful} not"
        if len(visible.injections) < min(memory.accesses, LAST_INJECTIONS + 1):
            details += "; being said again counts"  # there are fewer receipts
        return self.fields(
            ("trust", self.trust(memory.degree, memory.provenance)),
            ("verify", memory.stale),
            ("importance", self.gauge(memory.importance, f"{importance_10(memory.importance)}/10")),
            ("confidence", self.gauge(memory.confidence, f"{memory.confidence:.0%}")),
            ("tags", "  ".join(memory.tags)),
            ("files", self.paths(memory.files)),
            ("learned", self.when(memory.created_at)),
            ("changed", self.when(memory.updated_at) if _is_changed(memory) else ""),
            ("due", self.when(memory.due)),
            ("expires", self.when(memory.expires)),
            ("retired", self.when(memory.retired_at)),
            ("both hold", "\n".join(_beside(named, *pair) for pair in memory.both_hold)),
            ("told", "" if visible.is_then else details),
            ("from", self.origin(memory)),
            ("privacy", privacy_words(memory.privacy, memory.details, self.now)),
            ("key", memory.key or ""),
            ("tokens", f"{memory.tokens:,}"),
            ("id", memory.id),
        )

    def details(self, memory: Memory, named: Mapping[str, str] = NO_NAMES) -> list[Content]:
        """What the type's own table holds, under the type's name; ids as they are `named`."""
        existing = [
            (name.replace("_", " "), _as_text(_in_words(value, named)))
            for name, value in memory.details.items()
        ]
        rows = [(name, text) for name, text in existing if text]
        if not rows:
            return []
        label = min(max(len(name) for name, _ in rows) + 2, self.width // 2)
        lines = [self.field(name, text, label) for name, text in rows]
        return [Content(""), self.section(memory.type), *lines]

    def fields(self, *rows: tuple[str, str | Content]) -> list[Content]:
        """Those fields that say anything."""
        return [self.field(name, value) for name, value in rows if value]

    def field(self, name: str, value: str | Content, label_width: int = LABEL) -> Content:
        """One field: its name in a column, its value beside it, wrapped under itself."""
        label = fit(name, label_width - 1) + " "
        lines = (plain(value) if isinstance(value, str) else value).wrap(self.width - label_width)
        first, *rest = lines or [Content("")]
        indent = Content(" " * label_width)
        head = Content.assemble((label, "$text-muted"), first)
        return Content("\n").join([head, *(indent + line for line in rest)])

    def paths(self, files: Sequence[str]) -> str:
        """Files for a field, one below the other; a name is not parted from what it ends in."""
        return "\n".join(path_lines(file, self.width - LABEL) for file in files)

    def gauge(self, share: float, says: str, ink: str = "$score") -> Content:
        """A bar of ten cells for a share from 0 to 1, with its number."""
        full = round(max(0.0, min(share, 1.0)) * BAR)
        return Content.assemble(
            (self.glyphs.full * full, ink),
            (self.glyphs.empty * (BAR - full), "$text-disabled"),
            f"  {says}",
        )

    def section(self, name: str, says: str = "") -> Content:
        """A heading with a rule to the edge."""
        text = f"{name}  {says}" if says else name
        rule = self.glyphs.empty * max(self.width - len(text) - 1, 0)
        return Content.assemble(
            (name, "bold $text-accent"),
            (f"  {says}" if says else "", "$text-muted"),
            (f" {rule}", "$text-disabled"),
        )

    def links(self, links: Sequence[Link], own_id: str) -> list[Content]:
        """The linked memories; a click goes there."""
        lines = [self.section("links")]
        for link in links:
            word, other = link_from(own_id, link)
            ink = "$conflict" if link.kind == "contradicts" else "$text-muted"
            title = cut(link.other_title or other, max(self.width - 17, 8))
            goes = Style.from_meta({"memdeck_memory": other})
            lines.append(
                Content.assemble(
                    (fit(word, 15), ink), Content(f"  {title}").stylize("$text-accent", 2)
                ).stylize(goes)
            )
        return lines

    def injections(self, receipts: Sequence[Receipt], own_id: str) -> list[Content]:
        """When, to whom and with what the memory was told lately, and whether it helped."""
        more = "I shows all" if len(receipts) > LAST_INJECTIONS else "I shows why"
        lines = [self.section("injected", more)]
        longest = max((len(item.host) for item in receipts[:LAST_INJECTIONS]), default=0)
        for receipt in receipts[:LAST_INJECTIONS]:
            text = next(
                (item.get("helpful") for item in receipt.items if item["id"] == own_id), None
            )
            mark, ink = ("+ ", "$text-success") if text else ("- ", "$text-error")
            if text is None:
                mark = ""
            room = max(self.width - 8 - longest - len(mark), 8)
            lines.append(
                Content.assemble(
                    (age(ms_of(receipt.at), self.now_ms), "$text-muted"),
                    (f"  {fit(receipt.host, longest)}  ", "$foreground"),
                    (mark, ink),
                    plain(cut(occasion(receipt), room), "" if receipt.prompt else "$text-muted"),
                )
            )
        return lines

    def history(self, entries: Sequence[Entry], of: int | None = None) -> list[Content]:
        """What happened to the memory, newest first; `of` how many entries these are the first."""
        count = len(entries) if of is None else of
        lines = [self.section("history", counted(count, "entry", "entries"))]
        for entry in entries:
            ink = "$text-disabled strike" if entry.undone_by else ""
            reason = f"  {entry.reason}" if entry.reason else ""
            undone = f"  undone by #{entry.undone_by}" if entry.undone_by else ""
            lines.append(
                Content.assemble(
                    (age(ms_of(entry.at), self.now_ms), "$text-muted"),
                    (f"  {entry.actor:<7}", "$text-muted"),
                    (f"{one_line(entry.action)}", ink or "$text"),
                    (one_line(reason + undone) and f"  {one_line(reason + undone)}", "$text-muted"),
                    (f"  #{entry.seq}", "$text-disabled"),
                )
            )  # fmt: skip
        return lines

    def why(self, why: Why) -> list[Content]:
        """What put it there in words, the parts of the score as bars that add up, the next one."""
        if not why.is_ranked:
            says = "Nothing is ranked: the query has no words, so this is only the order you chose."
            return [self.section("why"), Content.styled(says, "$text-muted")]
        if why.hit is None:
            says = "It matches the query, but not among the first hundred ranked hits."
            return [self.section("why"), Content.styled(says, "$text-muted")]
        hit = why.hit
        lines = [self.section("why", f"ranked {why.place}, score {hit.score:.3f}")]
        if why.account:
            lines.append(self.field("because", "\n".join(why.account)))
        lines += waterfall(hit.parts, hit.score, self.width, self.glyphs)
        if why.after is not None:
            behind = hit.score - why.after.score
            says = f"{cut(why.after.memory.title, 40)}, {behind:.3f} behind"
            lines.append(self.field("next one", says))
        return lines

    # -- small parts

    def when(self, at: datetime | None) -> Content | str:
        """The exact local time with its zone, and how far away it is."""
        if at is None:
            return ""
        exact = f"{at.astimezone():%Y-%m-%d %H:%M:%S %Z}"
        return Content.assemble(exact, (f"  {self._span(at)}", "$text-muted"))

    def _span(self, at: datetime) -> str:
        return age(ms_of(at), self.now_ms).strip()

    def ago(self, at: datetime) -> str:
        span = self._span(at)
        if span == "now":
            return "just now"
        return f"in {span[1:]}" if span.startswith("+") else f"{span} ago"

    def trust(self, degree: str, provenance: str) -> Content:
        """How sure a memory is, and who said it; nothing where nobody looked."""
        ink = "$candidate" if degree == "unproven" else "$foreground"
        return plain(trust_words(degree, provenance), ink)

    def origin(self, memory: Memory) -> str:
        """Who said it."""
        origin = memory.origin
        return " · ".join(part for part in (origin.agent or "you", origin.role) if part)

    def _learned_in(self, memory: Memory, named: Mapping[str, str]) -> list[Content]:
        """Session, subagent and place in the transcript, which every edit leaves alone."""
        origin = memory.origin
        line = f":{origin.line}" if origin.line else ""
        name = one_line(named.get(origin.session or "", ""))
        rows = [
            ("session", name),
            ("session id" if name else "session", origin.session or ""),
            ("subagent", origin.agent_id or ""),
            ("transcript", f"{origin.transcript}{line}" if origin.transcript else ""),
        ]
        existing = [(name, text) for name, text in rows if text]
        if not existing:
            return []
        lines = list[Content]()
        for label, text in existing:  # words are parted between words, a path anywhere
            message = plain(text)
            lines.append(Content.styled(label, "$text-muted"))
            lines += message.wrap(self.width) if text == name else message.fold(self.width)
        return [Content(""), self.section("learned in"), *lines]


_REVERSED = {
    "reinforces": "reinforced by",
    "contradicts": "contradicts",
    "extends": "extended by",
    "refines": "refined by",
    "superseded_by": "supersedes",
}


def link_from(own_id: str, link: Link) -> tuple[str, str]:
    """A link as it is said from one of its two ends, and the id of what stands at the other."""
    if link.source == own_id:
        return link.kind.replace("_", " "), link.target
    return _REVERSED.get(link.kind, link.kind), link.source


def written(desk: MemoryApp, lines: Callable[[Account], Iterable[Content]]) -> Write:
    """What a pane shows: these lines, by the app's clock, as wide as the pane is."""
    return lambda cells: Content("\n").join(lines(Account(cells, desk.glyphs, desk.clock())))


def highlighted(content: Content, terms: re.Pattern[str] | None) -> Content:
    """The content with the words of the query marked."""
    for matches in terms.finditer(content.plain) if terms else ():
        content = content.stylize("bold $text-accent underline", matches.start(), matches.end())
    return content


def _beside(named: Mapping[str, str], identifier: str, short_id: str, context: str) -> str:
    """What holds beside a memory by a person's word, and what tells the two apart."""
    title = named.get(identifier, short_id)
    return one_line(f"with “{title}”: {context}" if context else f"with “{title}”")


def _in_words(value: Any, named: Mapping[str, str]) -> Any:
    """The same with every id that has a name said by it."""
    if isinstance(value, list | tuple):
        return [_in_words(item, named) for item in value]
    return named.get(value, value) if isinstance(value, str) else value


def _is_changed(memory: Memory) -> bool:
    return memory.updated_at > memory.created_at


def _as_text(value: Any) -> str:
    """A field of the type's own table, as text."""
    if value is None or value in ("", [], (), {}):
        return ""
    if is_moment(value):
        return moment(datetime.fromtimestamp(value / 1000, UTC))
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {_as_text(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return "\n".join(_as_text(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def worth_lines(worth: Worth, account: Account) -> list[Content]:
    """The section of the account: its parts, the plot, and what is to come in numbers."""
    glyphs = account.glyphs
    ahead = ", ".join(f"{worth.ahead(days):.2f} in {days} days" for days in AHEAD)
    return [
        account.section("worth", worth_words(worth)),
        *laid_out(steps_of_worth(worth), worth.worth, account.width, glyphs, "worth"),
        Content.styled(f"unused: {ahead}", "$text-muted"),
    ]


def steps_of_worth(worth: Worth) -> list[Step]:
    """From nothing to the worth: what was given, what each factor moved, what is left of it."""
    steps, so_far = [Step("given", 0.0, worth.base)], worth.base
    for name, moved in worth.moved.items():
        end = min(1.0, max(0.0, so_far + moved))
        steps.append(Step(FACTOR_WORDS[name], so_far, end))
        so_far = end
    for name, remaining in (("quiet", worth.fading), ("use", worth.use), ("trial", worth.trial)):
        steps.append(Step(name, so_far, so_far * remaining, remaining))
        so_far *= remaining
    return steps
