"""An injection as text to read: its budget, one memory of it, and some of them side by side.

Pure functions from values to `Content`. Memory text enters as text, never as markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from textual.content import Content
from textual.style import Style

from ...core.answers import Receipt
from ...core.recall.receipt import HEALTHY_MS, Health, occasion_of
from ...core.values import Injection, importance_10
from ..text import counted, cut, cut_at_word, fit, one_line, plain
from .account import LABEL, Account
from .bars import budget_lines, fills, waterfall
from .recall_rows import NEXT, OUT, TOLD, UNRANKED, Item, Side, event_word, state_glyph

LONGEST_TEXT = 40_000  # characters laid out; no host takes a quarter of it
LAID_DOWN, NOTES = "laid down", "notes"
"""The two parts of what is told: what the person laid down, to be kept to, and notes, data."""

CAME = {
    True: "used: its agent said it again, or acted on it",
    False: "told and not used so far",
}
"""What came of telling a memory."""

PROMPT_LINES = 3  # of a receipt's prompt, above its numbers; the whole of it follows them


@dataclass(frozen=True, slots=True)
class Told:
    """One answer as it is shown: what an agent would get, or once got."""

    label: str  # `adaptive`, `then`, `today`
    text: str | None  # None: it was not kept
    tokens: int
    budget: int
    used: Mapping[str, int] = field(default_factory=dict)  # tokens by tier
    limits: Mapping[str, int] = field(default_factory=dict)  # tokens allowed by tier
    tiers: Mapping[str, str] = field(default_factory=dict)  # the tier of each memory
    next: Mapping[str, Any] | None = None
    ratio: float = 0.0  # tokens told to those in question; 0.0 when not known
    is_degraded: bool = False
    note: str = ""  # what else is to be said of it
    instead: tuple[str, ...] = ()  # what would find something where nothing answers

    @classmethod
    def of(cls, label: str, injection: Injection) -> Told:
        """What an injection says of itself."""
        return cls(
            label,
            injection.text,
            injection.tokens,
            injection.budget,
            injection.per_tier,
            injection.limits,
            injection.tiers,
            injection.next,
            injection.compression_ratio,
            injection.is_degraded,
        )


def text(told: Told) -> list[Content]:
    """The very text, or why there is none."""
    if told.text is None:
        says = "The text itself is not kept, or no longer: 30 days."
        return [Content.styled(says, "$text-muted")]
    if not told.text:
        says = "Nothing would be injected: no memory answers it."
        return [Content.styled(says, "$text-muted"), *map(plain, told.instead)]
    shown = plain(told.text[:LONGEST_TEXT], "$foreground")
    rest = len(told.text) - LONGEST_TEXT
    if rest <= 0:
        return [shown]
    return [shown, Content.styled(f"… {rest:,} more characters: y copies all", "$text-muted")]


def budget(account: Account, told: Told, health: Health | None = None) -> list[Content]:
    """A bar for the whole, for each tier, and for the time that recall takes lately."""
    p95 = health.p95_ms if health is not None else None
    lines = budget_lines(
        (told.tokens, told.budget),
        told.used,
        told.limits,
        account.width,
        account.glyphs,
        (round(p95), HEALTHY_MS) if p95 is not None else None,
    )
    if 0 < told.ratio < 0.995:
        says = f"{told.ratio:.0%} of the tokens in question"
        lines.append(plain(cut(says, account.width), "$text-muted"))
    slow = "recall was too slow lately: it looks at less" if told.is_degraded else ""
    lines += [Content.styled(says, "$text-warning") for says in (slow, told.note) if says]
    return lines


def receipt(account: Account, receipt: Receipt, items: Sequence[Item]) -> list[Content]:
    """When, for whom and with what it was told, and how it came about."""
    told = [one for one in items if one.sides[0].state == TOLD]
    pinned = sum("pinned" in one.sides[0].parts for one in told)
    out = len(receipt.left_out)
    what, source = event_word(receipt.event), receipt.source or ""
    asks = occasion_of(receipt.event, source).asks
    whole = receipt.prompt or ""
    prompt = cut_at_word(whole, PROMPT_LINES * max(account.width - LABEL - 1, 8))
    lines = account.fields(
        ("when", account.when(receipt.at)),
        ("host", f"{receipt.host} · {', '.join(filter(None, (what, source)))}"),
        ("prompt", prompt or ("not kept, only its mark" if asks else "")),
        ("told", f"{len(told):,}: {pinned:,} pinned, {len(told) - pinned:,} for the rest"),
        ("used", _used(told)),
    )
    rows = account.fields(
        ("session", receipt.session_name),
        ("role", receipt.role or ""),
        ("policy", " · ".join(word for word in (receipt.policy, receipt.profile) if word)),
        ("context", f"{receipt.context_left:,} left" if receipt.context_left else ""),
        ("files", account.paths(receipt.files)),
        ("took", f"{receipt.latency_ms:,.1f} ms"),
        ("left out", f"{out:,}: f shows them" if out else ""),
    )
    lines += [Content(""), account.section("text")]
    lines += text(Told("", receipt.text, receipt.tokens, receipt.budget))
    lines += [Content(""), account.section("account"), *rows]
    reasons = Counter(_in_short(why) for _, why in receipt.left_out)
    lines += [
        plain(f"{'':11}{count:>3,} {cut(why, max(account.width - 15, 8))}", "$text-muted")
        for why, count in reasons.most_common()
    ]
    if title := next((one.title for one in items if one.sides[0].state == NEXT), ""):
        lines.append(account.field("next", cut(title, max(account.width - 11, 8))))
    if prompt.endswith("…") and prompt != whole:
        lines += [Content(""), account.section("prompt"), plain(whole, "$foreground")]
    ids = " · ".join(one for one in (receipt.id, receipt.session) if one)
    lines += [Content(""), *plain(ids, "$text-muted").wrap(max(account.width, 8))]
    return lines


def _used(told: Sequence[Item]) -> str:
    """What came of what was told, where that is known."""
    used = sum(one.used is True for one in told)
    unused = sum(one.used is False for one in told)
    if not used + unused:
        return ""
    rest = len(told) - used - unused
    parts = [f"{used:,} used", f"{unused:,} told and not used", f"{rest:,} not known"]
    return " · ".join(parts if rest else parts[:-1])


def left_out(account: Account, items: Sequence[Item], more: int) -> list[Content]:
    """How many memories were left out, for which reasons, and the key that shows them."""
    out = [one.sides[0] for one in items if one.sides[0].state in (NEXT, OUT)]
    reasons = Counter(_in_short(side.why) for side in out)
    count = sum(reasons.values()) + more
    if not count:
        return []
    lines = [Content(""), account.section("left out", f"{count:,}  f shows them")]
    lines += [
        plain(f"{number:>3,} {cut(why, max(account.width - 4, 8))}", "$text-muted")
        for why, number in reasons.most_common()
    ]
    return lines


def legend(account: Account, *, is_past: bool) -> list[Content]:
    """What the signs and bars of the list and of the budget mean, and of receipts (`is_past`)."""
    signs = [
        (state_glyph(TOLD, None, account.glyphs), "told"),
        (state_glyph(TOLD, True, account.glyphs), "used"),
        (state_glyph(TOLD, False, account.glyphs), "told, not used"),
        (state_glyph(NEXT, None, account.glyphs), "next"),
        (state_glyph(OUT, None, account.glyphs), "left out"),
    ]
    lines = [
        fills(account.glyphs),
        "  ".join(f"{glyph} {says}" for glyph, says in signs),
        "a tier's bar: tokens of its limit. a memory's: its score, part by part as in Memory; the"
        " best one fills it",
    ]
    if is_past:
        lines.append("above: a block a recall, or the slowest of several, the newest last")
    return [wrapped(account, line) for line in lines]


def wrapped(account: Account, line: str) -> Content:
    """A muted line, as long as it takes."""
    return Content("\n").join(plain(line, "$text-muted").wrap(account.width))


# -- one memory


def item(account: Account, item: Item, tolds: Sequence[Told]) -> list[Content]:
    """The memory, what became of it in each answer, and the parts of its score."""
    goes = Style.from_meta({"memdeck_memory": item.id})
    title = plain(one_line(item.title), "bold $text")
    lines = [title if item.is_gone else title.stylize(goes), _standing(account, item)]
    for told, side in zip(tolds, item.sides, strict=False):
        if len(tolds) == 1 or side.state:
            blank = [Content("")] if len(tolds) > 1 else []  # of one, why it was told comes first
            lines += [*blank, *_side(account, item, side, told, is_alone=len(tolds) == 1)]
    if not item.is_gone:
        lines.append(Content(""))
        level = f"{importance_10(item.importance)}/10"
        lines.append(account.field("importance", account.gauge(item.importance, level)))
        if trust := account.trust(item.degree, item.provenance):
            lines.append(account.field("trust", trust))
    return lines


def _standing(account: Account, item: Item) -> Content:
    glyphs = account.glyphs
    words: list[tuple[str, str]] = []
    if item.is_gone:
        words.append((f"{glyphs.retired} purged meanwhile", "$retired"))
    elif item.retired_as is not None:
        words.append((f"{glyphs.retired} {item.retired_as} meanwhile", "$retired"))
    elif item.status == "pinned":
        words.append((f"{glyphs.pinned} pinned", "$pinned"))
    else:
        words.append((item.status, "$text-muted"))
    if item.in_conflict:
        words.append((f"{glyphs.conflict} conflict", "$conflict"))
    if item.is_changed:
        words.append(("changed since", "$text-warning"))
    if item.helpful is not None:
        words.append(
            ("+ helpful", "$text-success") if item.helpful else ("- not helpful", "$text-error")
        )
    return Content(" · ").join(Content.styled(*word) for word in words)


def _side(account: Account, item: Item, side: Side, told: Told, *, is_alone: bool) -> list[Content]:
    became = _became(item, side, told)
    ink = "$text-success" if side.state == TOLD else "$text-warning"
    why = side.why if side.state in (NEXT, OUT) else ""
    if is_alone:
        lines = [plain(f"{became}: {why}" if why else became, ink)]
    else:
        lines = [account.section(told.label, became)]
        lines += [plain(why, "$text-muted")] if why else []
    if side.account and not UNRANKED & side.parts.keys():
        lines.append(account.field("because", "\n".join(side.account)))
    if side.parts:
        lines += waterfall(side.parts, side.score, account.width, account.glyphs)
        if not UNRANKED & side.parts.keys():
            lines.append(wrapped(account, "each bar begins where the one above ends; the sum last"))
    if side.state == TOLD and item.degree and not item.in_conflict:
        lines.append(account.field("told as", LAID_DOWN if item.is_laid_down else "a note"))
    if side.state == TOLD and side.tokens:
        lines.append(account.field("takes", counted(side.tokens, "token")))
    if side.state == TOLD and item.used is not None and told.label in ("", "then"):
        lines.append(account.field("came of it", CAME[item.used]))
    return lines


def _became(item: Item, side: Side, told: Told) -> str:
    tier = told.tiers.get(item.id, "")
    if side.state == TOLD:
        if side.account and UNRANKED & side.parts.keys():
            return f"told because {side.account[0]}"
        return f"told in the tier {tier}" if tier else "told: it answers the prompt"
    if side.state == NEXT:
        return "would be the next"
    if side.state == OUT:
        return "left out"
    return "not looked at: it has no word of the prompt"


# -- side by side


def column(account: Account, told: Told, items: Sequence[Item], place: int) -> list[Content]:
    """One of some answers: its budget, whom it tells, whom only others tell and why, the text."""
    is_short = len(items[0].sides) > 2 if items else False  # then what is told comes first
    lines = [] if is_short else [*budget(account, told), Content("")]
    for name, part in parts(items, place):
        lines.append(account.section(name, f"{len(part)}"))
        lines += [*(_told_line(account, item, place) for item in part), Content("")]
    lines += _only_beside(account, items, place)
    lines += [account.section("text"), *text(told)]
    return (
        [*lines, Content(""), account.section("budget"), *budget(account, told)]
        if is_short
        else lines
    )


def parts(items: Sequence[Item], place: int = 0) -> list[tuple[str, list[Item]]]:
    """What one answer tells, by the part of the frame: what the person laid down, and notes.

    A part without any memory is left out, unless nothing is told at all.
    """
    told = [one for one in items if one.sides[place].state == TOLD]
    laid_down = [one for one in told if one.is_laid_down]
    notes = [one for one in told if not one.is_laid_down]
    return [
        (name, part)
        for name, part in ((LAID_DOWN, laid_down), (NOTES, notes))
        if part or (name == NOTES and not told)
    ]


def _told_line(account: Account, item: Item, place: int) -> Content:
    """A memory that one answer tells; its mark says that not all answers do."""
    side = item.sides[place]
    is_own = any(other.state != TOLD for other in item.sides)
    mark = (account.glyphs.mark, "$text-success") if is_own else (" ", "")
    unproven = f"{account.glyphs.candidate} " if item.degree == "unproven" else ""
    title = fit(f"{unproven}{item.title}", max(account.width - 9, 8))
    return Content.assemble(
        (f"{mark[0]} ", mark[1]),
        plain(title, "bold $text-success" if is_own else "$foreground"),
        (f" {side.tokens:>5}t" if side.tokens else "", "$text-muted"),
    ).stylize(Style.from_meta({"memdeck_memory": item.id}))


def _only_beside(account: Account, items: Sequence[Item], place: int) -> list[Content]:
    """What others beside it tell and this one holds back, with the reason."""
    anywhere = [one for one in items if any(side.state == TOLD for side in one.sides)]
    held = [one for one in anywhere if one.sides[place].state != TOLD]
    lines = [account.section("held back", f"{len(held)}")] if held else []
    for item in held:
        goes = Style.from_meta({"memdeck_memory": item.id})
        title = f"{account.glyphs.retired} {one_line(item.title)}"
        lines.append(plain(cut(title, account.width), "$foreground").stylize(goes))
        why = item.sides[place].why or "it is not among the answers here"
        said = plain(why, "$text-muted").wrap(max(account.width - 2, 8))
        lines += [Content("  ") + line for line in said]
    return [*lines, Content("")] if lines else []


def difference(items: Sequence[Item], labels: Sequence[str]) -> str:
    """How far answers differ, in a sentence."""
    tells = [{one.id for one in items if one.sides[n].state == TOLD} for n in range(len(labels))]
    shared = set.intersection(*tells)
    if all(one == shared for one in tells):
        return "the same memories"
    where, beside = ("in both", "only {}") if len(labels) == 2 else ("in all", "more with {}")
    counts = [(len(shared), where)] + [
        (len(one - shared), beside.format(label)) for one, label in zip(tells, labels, strict=True)
    ]
    return " · ".join(f"{count} {words}" for count, words in counts if count)


def _in_short(why: str) -> str:
    """A reason without the numbers of its own memory, so that equal ones can be counted."""
    return re.sub(r"needs \d+ tokens, \d+", "needs more tokens than", why)
