"""Secrets leave before anything is compared, logged or written.

`redact` is the only maker of `CleanText`; every later step asks for one. The layers, in order:
secrets of several parts (PEM blocks, cookies), tokens with a mark, the place a value stands in,
the name it goes by, the same value found again, filtered entropy, e-mail addresses. A value is
replaced by `[REDACTED:kind]`; the text around it stays. Rules are data: see `redaction_rules`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..clean import clean
from .redaction_checks import CHECKS
from .redaction_named import named_values
from .redaction_rules import FIRST, PLACES, Rule
from .redaction_shapes import pattern
from .redaction_strings import card_numbers, emails, headless_keys, random_strings
from .redaction_tokens import TOKENS

RULES_VERSION = 1
"""Grows when a rule is added or changed: what was redacted under an older one may be rescanned."""

KINDS = frozenset(rule.kind for rule in (*FIRST, *TOKENS, *PLACES)) | {
    "password", "token", "secret", "api-key", "high-entropy", "email", "card-number",
}  # fmt: skip
"""Every kind a marker can name."""

_MARKER = r"\[REDACTED:([a-z0-9-]{1,40})\]"
_ROUNDS = 4  # what one takes out can bring a neighbour into view; two nearly always do
_SHORTEST_REPEAT = 6  # characters; a shorter value found again is chance, not the secret
_LONGEST_REPEAT = 512  # characters; a longer one is not written twice
_LENGTHS_TRIED = 32  # values that begin alike are told apart by length; more of them are a trap
_LONGEST_WORD = 16  # characters; "password: summer" must not blacken every summer
_ESCAPES = ("\\n", "\\r", "\\t")  # as they stand in source: a token may follow the letter
_PERSONAL = ("email", "card-number")


@dataclass(frozen=True, slots=True)
class CleanText:
    """Text without secrets. Only `redact()` makes one; every later step asks for it."""

    value: str
    removed: tuple[str, ...] = ()  # kinds taken out, each once; never the secrets


class Span(NamedTuple):
    """A part of the text that is, or holds, a secret."""

    start: int
    end: int
    kind: str


def redact(text: str, *, keep_emails: Collection[str] = (), use_entropy: bool = True) -> CleanText:
    """`text`, cleaned (`clean`), with every known form of secret replaced by its marker.

    Decoding is the caller's: give the values of a JSON document, not its source. Redacting
    again changes nothing. `keep_emails` are lower-case addresses to leave (the user's own);
    `use_entropy` switches the entropy test of 002-28. Time is linear in the length.
    """
    text = clean(text)
    removed: dict[str, None] = {}
    for _ in range(_ROUNDS):
        spans = _find(text, keep_emails, use_entropy)
        if not spans:
            break
        removed.update(dict.fromkeys(span.kind for span in spans))
        text = clean(_replace(text, spans))
    return CleanText(text, tuple(removed))


def _find(text: str, keep_emails: Collection[str], use_entropy: bool) -> list[Span]:
    """Every secret in `text`, in order, without overlaps and outside of markers."""
    lowered = text.lower()
    markers = _marked_places(text)
    found = [
        span
        for span in _candidates(text, lowered, keep_emails, use_entropy)
        if span.start < span.end and markers.find(1, span.start, span.end) < 0
    ]
    return _merge(found + list(_repeats(text, found, markers)))


def _candidates(
    text: str, lowered: str, keep_emails: Collection[str], use_entropy: bool
) -> Iterator[Span]:
    """What each layer takes for a secret; where two overlap, the earlier names it."""
    near = _rules_near(lowered)
    yield from _by_rules(text, near, FIRST)
    for start, end in headless_keys(text):
        yield Span(start, end, "private-key")
    yield from _by_rules(text, near, TOKENS, must_start_word=True)
    yield from _by_rules(text, near, PLACES)
    for start, end, kind in named_values(text, lowered):
        yield Span(start, end, "api-key" if kind == "key" else kind)
    if use_entropy:
        for start, end in random_strings(text):
            yield Span(start, end, "high-entropy")
    for start, end in emails(text, keep_emails):
        yield Span(start, end, "email")
    for start, end in card_numbers(text):
        yield Span(start, end, "card-number")


_BY_LITERAL: dict[str, set[Rule]] = {}
for _rule in (*FIRST, *TOKENS, *PLACES):
    for _literal in _rule.literals:
        _BY_LITERAL.setdefault(_literal, set()).add(_rule)


def _rules_near(lowered: str) -> set[Rule]:
    """The rules of which a literal is there: nearly always few, and only they are tried."""
    near: set[Rule] = set()
    for literal in [literal for literal in _BY_LITERAL if literal in lowered]:
        near |= _BY_LITERAL[literal]
    return near


def _by_rules(
    text: str, near: set[Rule], rules: tuple[Rule, ...], *, must_start_word: bool = False
) -> Iterator[Span]:
    for rule in [rule for rule in rules if rule in near] if near else ():
        source = f"(?:{rule.pattern})(?![A-Za-z0-9])" if must_start_word else rule.pattern
        for match in pattern(source).finditer(text):
            group = match.lastindex or 0 if rule.group < 0 else rule.group
            start, end = match.span(group)
            if must_start_word:
                if not _starts_word(text, start):
                    continue
                start += text[max(0, start - 1) : start + 1] in _ESCAPES
            if CHECKS[rule.check](match[group], match):
                yield Span(start, end, rule.kind)


def _starts_word(text: str, at: int) -> bool:
    """Whether a token may begin at `at`: not within a word, yet after an escape (`\\n`, `%3D`)."""
    before = text[max(0, at - 3) : at]
    if not before or not (before[-1].isalnum() and before[-1].isascii()):
        return True
    return before[-2:] in _ESCAPES or (before[0] == "%" and len(before) == 3)


def _marked_places(text: str) -> bytearray:
    """One byte for each character: 1 where a marker stands. Only kinds we know are markers."""
    places = bytearray(len(text))
    for marker in pattern(_MARKER).finditer(text):
        if marker[1] in KINDS:
            places[marker.start() : marker.end()] = b"\x01" * len(marker[0])
    return places


def _repeats(text: str, found: list[Span], markers: bytearray) -> Iterator[Span]:
    """The values of `found` wherever they stand again, as words of their own.

    Values are looked up by their first characters, so that many values cost no more than few.
    """
    by_head: dict[str, dict[str, str]] = {}
    for span in found:
        value = text[span.start : span.end]
        if _is_telling(value) and span.kind not in _PERSONAL:
            by_head.setdefault(value[:_SHORTEST_REPEAT], {}).setdefault(value, span.kind)
    if not by_head:
        return
    lengths = {
        head: sorted({*map(len, values)}, reverse=True)[:_LENGTHS_TRIED]
        for head, values in by_head.items()
    }
    end = 0
    for start in range(len(text) - _SHORTEST_REPEAT + 1):
        head = text[start : start + _SHORTEST_REPEAT]
        if start < end or head not in by_head or not _starts_word(text, start):
            continue
        for length in lengths[head]:
            stop = start + length
            kind = by_head[head].get(text[start:stop])
            if kind and not text[stop : stop + 1].isalnum() and markers.find(1, start, stop) < 0:
                yield Span(start, stop, kind)
                end = stop
                break


def _is_telling(value: str) -> bool:
    """Whether a value found again can be no accident: not short, and not a plain word."""
    is_word = value.isalpha() and len(value) < _LONGEST_WORD and value[1:].islower()
    return _SHORTEST_REPEAT <= len(value) <= _LONGEST_REPEAT and not is_word


def _merge(found: list[Span]) -> list[Span]:
    """`found` in order of place, what overlaps as one span under the name that came first."""
    merged: list[tuple[Span, int]] = []
    for rank, span in sorted(enumerate(found), key=lambda pair: pair[1].start):
        last, last_rank = merged[-1] if merged else (Span(0, 0, ""), 0)
        if span.start >= last.end:
            merged.append((span, rank))
            continue
        kind = span.kind if rank < last_rank else last.kind
        merged[-1] = (Span(last.start, max(last.end, span.end), kind), min(rank, last_rank))
    return [span for span, _ in merged]


def _replace(text: str, spans: list[Span]) -> str:
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], f"[REDACTED:{span.kind}]"]
        end = span.end
    return "".join([*pieces, text[end:]])
