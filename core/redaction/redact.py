"""Remove secrets before anything is compared, logged or written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ..text.words import clean
from .rules import (
    FIRST,
    IN_SENTENCES,
    PLACES,
    TOKENS,
    Rule,
    card_numbers,
    emails,
    headless_keys,
    kind_of_name,
    named_values,
    random_strings,
)
from .shapes import CHECKS, pattern

KINDS = frozenset(rule.kind for rule in (*FIRST, *TOKENS, *PLACES)) | {
    "password", "token", "secret", "api-key", "high-entropy", "email", "card-number",
}  # fmt: skip
"""Every kind a marker can name."""

_redact_MARKER = r"\[REDACTED:([a-z0-9-]{1,40})\]"
_ROUNDS = 4  # a removal can expose a neighbouring secret; two rounds nearly always suffice
_SHORTEST_REPEAT = 6  # characters; a shorter value found again is chance, not the secret
_LONGEST_REPEAT = 512  # characters; a longer one is not written twice
_LENGTHS_TRIED = 32  # lengths of values with one beginning; more of them are an attack
_LONGEST_WORD = 16  # characters; "password: summer" must not blacken every summer
_LONGEST_PLAIN = 20  # characters; one word in small letters, alone, is no secret to any rule
_LONGEST_KNOWN = 1_000  # characters; longer texts do not repeat
_ESCAPES = ("\\n", "\\r", "\\t")  # as in source: a token may follow the letter
_PERSONAL = ("email", "card-number")
_RUN = r"[A-Za-z0-9#$%*+./:=_~-]{13,}"  # all signs of all tokens; the shortest has so many
_ARN = r"\barn:aws[\w-]{0,20}:[\w-]{1,60}:[\w-]{0,30}:\d{0,13}:[\w/:.!+=@-]{1,400}"  # a name
_ESCAPE = r"\\u00([2-6][0-9a-fA-F]|7[0-9a-eA-E])"


@dataclass(frozen=True, slots=True)
class CleanText:
    """Text without secrets. Only `redact()` makes one, and every later step needs one."""

    value: str
    removed: tuple[str, ...] = ()  # kinds taken out, each once; never the secrets
    counts: tuple[tuple[str, int], ...] = field(default=(), compare=False)  # places of each kind


class Span(NamedTuple):
    """A part of the text that is, or holds, a secret."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices of a policy. Keys, tokens and passwords are always removed."""

    use_entropy: bool = True  # more than 4 bits a character
    use_emails: bool = True
    use_cards: bool = True
    keep_emails: frozenset[str] = frozenset()  # lower-case addresses to leave: the user's own


EVERYTHING = Choice()  # every rule, for everybody's address


def redact(text: str, *, use_entropy: bool = True, choice: Choice = EVERYTHING) -> CleanText:
    """`text`, cleaned (`clean`), with every known form of secret replaced by its marker.

    Give the values of a JSON document, not its source. Redacting again changes nothing. Without
    `use_entropy` merely random strings stay, whatever `choice` says. Time is linear in the length.
    """
    if not use_entropy:
        choice = Choice(False, choice.use_emails, choice.use_cards, choice.keep_emails)
    return _remembered(text, choice) if len(text) <= _LONGEST_KNOWN else _alone(text, choice)


def _alone(text: str, choice: Choice) -> CleanText:
    return _redact(text, choice, {}, {})


# Short texts repeat: the names of a session, the words of a memory in each step.
_remembered = lru_cache(maxsize=512)(_alone)


def redact_together(
    texts: Sequence[str], *, names: Collection[int] = (), choice: Choice = EVERYTHING
) -> list[CleanText]:
    """Return the texts of one record, redacted: a secret found in one of them is removed from all.

    The texts at the indexes `names` are outside names: merely random strings stay there.
    """
    plain = Choice(False, choice.use_emails, choice.use_cards, choice.keep_emails)
    details: dict[str, str] = {}
    made = []
    for position, text in enumerate(texts):
        chosen = plain if position in names else choice
        item = None if details else redact(text, choice=chosen)
        if item is None or item.removed:
            item = _redact(text, chosen, {}, details)
        made.append(item)
    if not details:
        return made
    return [
        _joined(item, _redact(item.value, plain if position in names else choice, details, {}))
        for position, item in enumerate(made)
    ]


def _joined(first: CleanText, second: CleanText) -> CleanText:
    """Return the result of two redactions, one after the other."""
    counts = Counter(dict(first.counts)) + Counter(dict(second.counts))
    removed = dict.fromkeys([*first.removed, *second.removed])
    return CleanText(second.value, tuple(removed), tuple(counts.items()))


def _redact(
    text: str, choice: Choice, existing: Mapping[str, str], details: dict[str, str]
) -> CleanText:
    """Return one text redacted, also without the `existing` values; new ones go into `details`."""
    if len(text) <= _LONGEST_PLAIN and text.isascii() and text.isalpha() and text.islower():
        return CleanText(text)
    text = clean(text)
    if "\\u00" in text and (plain := _unescaped(text)) != text:
        matches = dict(details)
        decoded = _redact(plain, choice, existing, matches)
        if decoded.removed:
            details.update(matches)
            return decoded
    counts: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        spans = _find(text, choice, existing, details)
        if not spans:
            break
        counts.update(span.kind for span in spans)
        text = clean(_replace(text, spans))
    return CleanText(text, tuple(counts), tuple(counts.items()))


def _unescaped(text: str) -> str:
    """Letters, digits and signs of ASCII that a JSON source wrote as escapes, quotes apart."""

    def plain(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return match[0] if char in '"\\' else char

    return pattern(_ESCAPE).sub(plain, text)


def _find(
    text: str, choice: Choice, existing: Mapping[str, str], details: dict[str, str]
) -> list[Span]:
    """Return every secret in `text`, in order, without overlaps and outside of markers."""
    lowered = text.lower()
    markers = _marked_places(text)
    spans = [
        span
        for span in _candidates(text, lowered, choice)
        if span.start < span.end and markers.find(1, span.start, span.end) < 0
    ]
    for span in spans:
        value = text[span.start : span.end]
        # The repetition of a short value or of a plain word is an accident.
        is_word = value.isalpha() and len(value) < _LONGEST_WORD and value[1:].islower()
        is_distinctive = _SHORTEST_REPEAT <= len(value) <= _LONGEST_REPEAT and not is_word
        if is_distinctive and span.kind not in _PERSONAL:
            details.setdefault(value, span.kind)
    return _merge(spans + list(_repeats(text, {**existing, **details}, markers)))


def _candidates(text: str, lowered: str, choice: Choice) -> Iterator[Span]:
    """Yield each layer's secrets; where two overlap, the earlier names the kind."""
    near = _rules_near(lowered, _BESIDE)
    yield from _by_rules(text, near, FIRST)
    for start, end in headless_keys(text):
        yield Span(start, end, "private-key")
    if marked := _marked_rules(text):
        yield from _by_rules(text, marked, TOKENS, must_start_word=True)
    yield from _by_rules(text, near, PLACES)
    resources = [name.span() for name in pattern(_ARN).finditer(text)] if "arn:" in lowered else []
    for start, end, kind in named_values(text, lowered):
        if not _is_within(resources, start, end):
            yield Span(start, end, "api-key" if kind == "key" else kind)
    for span in _by_rules(text, near, IN_SENTENCES, lowered=lowered):
        if not _is_within(resources, span.start, span.end):
            yield span
    for start, end in random_strings(text) if choice.use_entropy else ():
        if not _is_within(resources, start, end):
            yield Span(start, end, "high-entropy")
    for start, end in emails(text, choice.keep_emails) if choice.use_emails else ():
        yield Span(start, end, "email")
    for start, end in card_numbers(text) if choice.use_cards else ():
        yield Span(start, end, "card-number")


def _is_within(places: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in places)


def _marked_rules(text: str) -> set[Rule]:
    """Return the rules of `TOKENS` that match somewhere in `text`.

    A token is one long run of signs, so most of a text is skipped.
    """
    runs = "\n".join(pattern(_RUN).findall(text))
    near = _rules_near(runs.lower(), _WITHIN) if runs else ()
    return {rule for rule in near if pattern(_as_token(rule)).search(runs)}


_PLACES = {
    rule: position for position, rule in enumerate((*FIRST, *TOKENS, *PLACES, *IN_SENTENCES))
}


def _by_literal(rules: Sequence[Rule]) -> Mapping[str, list[Rule]]:
    """The rules by each of their literals, of which one must be in a text for them to match."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        for literal in rule.literals:
            index.setdefault(literal, []).append(rule)
    return index


_BESIDE, _WITHIN = _by_literal((*FIRST, *PLACES, *IN_SENTENCES)), _by_literal(TOKENS)


def _rules_near(lowered: str, index: Mapping[str, list[Rule]]) -> set[Rule]:
    """Return the rules with a literal in the text: nearly always few, and only they are tried."""
    return {rule for literal in index if literal in lowered for rule in index[literal]}


def _as_token(rule: Rule) -> str:
    return f"(?:{rule.pattern})(?![A-Za-z0-9])"


_LONGEST_NOUN = 80  # characters of a credential's name before the searched word in it


def _lines_with(words: Sequence[str], text: str, lowered: str) -> list[tuple[int, int]]:
    """Return the lines that hold one of these words: where the first of them is, and the end."""
    if len(lowered) != len(text):  # a letter that has two small ones
        return [(0, len(text))]
    lines: dict[int, int] = {}
    for word in words:
        at = lowered.find(word)
        while at >= 0:
            end = lowered.find("\n", at) + 1 or len(text)
            lines[end] = min(at, lines.get(end, at))
            at = lowered.find(word, end)
    return [(at, end) for end, at in sorted(lines.items())]


def _by_rules(
    text: str,
    near: set[Rule],
    rules: tuple[Rule, ...],
    *,
    must_start_word: bool = False,
    lowered: str = "",
) -> Iterator[Span]:
    """Yield the matches of rules; with `lowered` only within single lines with their words."""
    lines = dict[tuple[str, ...], list[tuple[int, int]]]()
    for rule in sorted(near.intersection(rules), key=_PLACES.__getitem__) if near else ():
        source = pattern(_as_token(rule) if must_start_word else rule.pattern)
        places = [(0, len(text))]
        if lowered:
            if rule.literals not in lines:
                lines[rule.literals] = _lines_with(rule.literals, text, lowered)
            places = lines[rule.literals]
        behind = 0
        for at, end in places:
            first = max(0, at - _LONGEST_NOUN)
            if rule.group >= 0:  # its value is before the name
                first = text.rfind("\n", 0, first) + 1
            for match in source.finditer(text, max(first, behind), end):
                behind = match.end()
                group = match.lastindex or 0 if rule.group < 0 else rule.group
                start, stop = match.span(group)
                if must_start_word:
                    if not _starts_word(text, start):
                        continue
                    start += text[max(0, start - 1) : start + 1] in _ESCAPES
                if CHECKS[rule.check](match[group], match):
                    yield Span(start, stop, rule.kind)


def _starts_word(text: str, at: int) -> bool:
    """Return True if a token may begin at `at`: not in a word, unless behind an escape (`%3D`)."""
    before = text[max(0, at - 3) : at]
    if not before or not (before[-1].isalnum() and before[-1].isascii()):
        return True
    return before[-2:] in _ESCAPES or (before[0] == "%" and len(before) == 3)


def _marked_places(text: str) -> bytearray:
    """Return one byte a character, 1 within a marker; no bytes without a marker.

    Only kinds we know are markers.
    """
    if "[REDACTED:" not in text:
        return bytearray()
    places = bytearray(len(text))
    for marker in pattern(_redact_MARKER).finditer(text):
        if marker[1] in KINDS:
            places[marker.start() : marker.end()] = b"\x01" * len(marker[0])
    return places


def _repeats(text: str, values: Mapping[str, str], markers: bytearray) -> Iterator[Span]:
    """Yield the repetitions of `values` (each with its kind) as words of their own.

    Values are looked up by their first characters, so that many values cost no more than few.
    """
    by_head: dict[str, dict[str, str]] = {}
    for value, kind in values.items():
        by_head.setdefault(value[:_SHORTEST_REPEAT], {})[value] = kind
    if not by_head:
        return
    lengths = {
        head: sorted({*map(len, alike)}, reverse=True)[:_LENGTHS_TRIED]
        for head, alike in by_head.items()
    }
    end = 0
    for start in range(len(text)):
        head = text[start : start + _SHORTEST_REPEAT]
        if start < end or head not in by_head or not _starts_word(text, start):
            continue
        for length in lengths[head]:
            stop = start + length
            matches = by_head[head].get(text[start:stop])
            if matches and not text[stop : stop + 1].isalnum() and markers.find(1, start, stop) < 0:
                yield Span(start, stop, matches)
                end = stop
                break


def _merge(spans: list[Span]) -> list[Span]:
    """Return `spans` in order of place, overlapping ones as one span with the kind of the first."""
    merged: list[tuple[Span, int]] = []
    for rank, span in sorted(enumerate(spans), key=lambda pair: pair[1].start):
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


_record_MARKER = "[REDACTED:secret]"

Counts = Mapping[tuple[str, str], int]  # (field, kind) -> places


@dataclass(frozen=True, slots=True)
class RedactedRecord:
    """A record without secrets, of the same shape."""

    fields: dict[str, Any]
    counts: Counts

    @property
    def removed(self) -> tuple[str, ...]:
        """Return the kinds that were taken out, each once."""
        return tuple(dict.fromkeys(kind for _, kind in self.counts))


def redact_record(
    fields: Mapping[str, Any], *, names: Collection[str] = (), choice: Choice = EVERYTHING
) -> RedactedRecord:
    """Return every text in `fields` redacted, whatever it is nested in; numbers and None stay.

    Fields in `names`, at any depth, hold outside names, ids or paths: merely random strings stay
    there.
    """
    walk = _Walk(names)
    for name, value in fields.items():
        if not isinstance(value, int | float | None):  # most fields of a row
            walk.gather(name, value)
    made = redact_together(walk.texts, names=walk.plain, choice=choice)
    counts: Counter[tuple[str, str]] = Counter()
    for owner, clean_text in zip(walk.owners, made, strict=True):
        for kind, number in clean_text.counts:
            counts[owner, kind] += number
    if not counts and not walk.was_cleaned and walk.texts == [text.value for text in made]:
        return RedactedRecord(dict(fields), {})
    walk.take_up(made)
    return RedactedRecord({name: walk.rebuild(value) for name, value in fields.items()}, counts)


class _Walk:
    """The texts of a record in the order in which they are met, and their way back."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self.plain: set[int] = set()  # places of names that others gave
        self.texts: list[str] = []
        self.owners: list[str] = []  # the field each text belongs to
        self.was_cleaned = False  # `clean` changed a text
        self._leads: list[str] = []  # the field's name, put before a text as context
        self._made: list[str] = []
        self._next = 0

    def gather(self, field: str, value: Any, name: str = "") -> None:
        if isinstance(value, str):
            values, value = value, clean(value)
            self.was_cleaned = self.was_cleaned or value != values
            says = name and not any(sign in value for sign in '"\\\n') and kind_of_name(name)
            lead = f'{name}="' if says else ""
            if field in self._names or name in self._names:
                self.plain.add(len(self.texts))
            self.texts.append(f'{lead}{value}"' if lead else value)
            self._leads.append(lead)
            self.owners.append(field)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                self.gather(field, str(key))
                self.gather(field, item, str(key))
        elif isinstance(value, list | tuple):
            for item in value:
                self.gather(field, item, name)

    def take_up(self, made: list[CleanText]) -> None:
        """Take the redacted texts, without the context that was put around them."""
        for lead, item in zip(self._leads, made, strict=True):
            text = item.value
            if lead and not text.startswith(lead):  # the name itself held a secret
                lead, text = "", _record_MARKER
            self._made.append(text[len(lead) :].removesuffix('"') if lead else text)

    def rebuild(self, value: Any) -> Any:
        """`value` with its texts exchanged; called in the order of `gather`."""
        if isinstance(value, str):
            self._next += 1
            return self._made[self._next - 1]
        if isinstance(value, Mapping):
            rebuilt = dict[str, Any]()
            for key, item in value.items():
                name = self.rebuild(str(key))
                while name in rebuilt:  # several keys that are secrets
                    name += "+"
                rebuilt[name] = self.rebuild(item)
            return rebuilt
        if isinstance(value, list | tuple):
            return [self.rebuild(item) for item in value]
        return value


def worded(counts: Counts) -> str:
    """Return the journal's note of it: "redacted: content github-token ×1, tags email ×2".

    "" if nothing was removed. Never the value, nor its length, nor a piece of it.
    """
    details = ", ".join(f"{field} {kind} ×{number}" for (field, kind), number in counts.items())
    return f"redacted: {details}" if details else ""
