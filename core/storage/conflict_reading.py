"""What a sentence says: which words it affirms and denies, which values it gives, and where it
holds. Two readings can be compared; two texts cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from . import conflict_common as common
from . import conflict_rivals as rivals
from . import conflict_words as words
from .conflict_stems import stem, stems
from .conflict_tokens import Token, sentences_of
from .conflict_values import dated_at, known_at, number_kind


@dataclass(frozen=True, slots=True)
class Item:
    """A word or value of a sentence that counts when sentences are compared."""

    stem: str  # equal for what means the same
    shown: str  # as written
    kind: str  # word, polar, name, path, host, tool, branch, time, size, count:…, of:…, …
    sign: int  # 1 affirmed, -1 denied, 0 neither
    part: str = "main"  # main, place (where it holds), when, aside (a reason, a bracket)
    families: frozenset[str] = frozenset()  # of a tool: what it rivals for
    is_act: bool = False  # a polar verb: it denies or affirms what follows
    opens: bool = False  # the first item of its sentence, mostly its subject
    is_object: bool = False  # it stands behind the verb

    @property
    def weight(self) -> float:
        """A third for words nearly every note has, else 1."""
        return 0.3 if self.stem in _GENERIC else 1.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, read."""

    items: tuple[Item, ...]
    situations: Mapping[str, frozenset[str]]  # dimension -> where it holds
    asks: bool = False
    is_hedged: bool = False
    changes: bool = False  # it says that things are no longer as they were
    adds: bool = False  # "as well", "also"
    excepts: bool = False  # "except", "unless"
    lows: tuple[str, ...] = ()  # its words in lower case, for phrases
    claims: tuple[Item, ...] = ()  # what it states, and where that holds: no reasons, no conditions

    def of(self, *parts: str) -> tuple[Item, ...]:
        """The items in these parts of the sentence."""
        return tuple(item for item in self.items if item.part in parts)


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text`, read; at most 24 of them."""
    return tuple(_read(tokens) for tokens in sentences_of(text))


def has_phrase(lows: Sequence[str], phrases: Iterable[tuple[str, ...]]) -> bool:
    """Whether one of `phrases` stands in `lows`, word by word."""
    heads = {phrase[0] for phrase in phrases}
    if heads.isdisjoint(lows):
        return False
    joined = f" {' '.join(lows)} "
    return any(f" {' '.join(phrase)} " in joined for phrase in phrases)


def says_no(item: Item) -> bool:
    """Whether a polar word is the one that says no of its pair: "disable", "off", "optional"."""
    root = stem(item.shown.lower())
    return (_ACTS.get(root) or _STATES.get(root) or ("", 1))[1] < 0 or root in ("off", "no")


_GENERIC = stems(common.GENERIC)
_STOPS = common.STOPS
_NAMED = stems(words.NAMED)
_ACTS: dict[str, tuple[str, int]] = {}
_STATES: dict[str, tuple[str, int]] = {}
for _table, _into in ((words.OPPOSITE_ACTS, _ACTS), (words.OPPOSITE_STATES, _STATES)):
    for _concept, (_yes, _no) in _table.items():
        _into |= {stem(word): (stem(_concept), 1) for word in _yes}
        _into |= {stem(word): (stem(_concept), -1) for word in _no}
_SITUATIONS = {
    word: (dimension, situation)
    for dimension, situations in words.SITUATIONS.items()
    for situation, names in situations.items()
    for word in names.split()
}
_WHERE_VERBS = stems(words.WHERE_VERBS) | words.FINITE
_SWITCHES = stems(words.SWITCHES)


class _Reader:
    """The state while one sentence is read from left to right."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.lows = [token.low for token in tokens]
        self.items: list[Item] = []
        self.situations: dict[str, set[str]] = {}
        self.sign = 1
        self.part = "main"
        self.depth = 0  # open brackets
        self.denied_at = -1  # index of the first item under the denial
        self.denier = ""  # the word that denies
        self.from_old = False  # between "from" and "to" of a change
        self.has_verb = False
        self.opens_with_place = False  # or with a condition, and no comma ends it

    # --- the walk

    def read(self) -> None:
        at = 0
        while at < len(self.tokens):
            at = self._step(at)

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        if token.kind == "mark":
            self._punctuation(at)
            return at + 1
        self._watch(token.low, at)
        if length := dated_at(self.tokens, at) or self._phrase(at, words.FROM_NOW):
            self._clear()
            return at + length
        if known := known_at(self.tokens, at, self.lows):
            self._add(known.stem, known.shown, "tool", families=known.families)
            return at + known.length
        if length := self._phrase(at, words.HARMLESS_PHRASES):
            return at + length
        if length := self._phrase(at, words.NEGATING_PHRASES):
            self._deny()
            return at + length
        if kind := number_kind(self.tokens, at, self.items):
            self._add(kind.stem, kind.shown, kind.kind)
            return at + kind.length
        self._word(token, at)
        return at + 1

    def _watch(self, low: str, at: int) -> None:
        """Note the verb, and where an opening ("on staging the …", "during regattas …") ends."""
        if at == 0 and (low in words.PLACES or low in words.WHEN):
            self.opens_with_place = "," not in self.lows
        elif self.opens_with_place and at > 1 and self.part in ("place", "when"):
            if low in words.SUBJECT_ENDS and self.items:
                self.items[-1] = replace(self.items[-1], part="main")
            elif low not in words.SPLICES and low not in words.ADVICE:
                return
            self.part, self.opens_with_place = "main", False
        if low in words.PREDICATES or (at == 0 and low in words.ADVICE):
            self.has_verb = True

    def _phrase(self, at: int, phrases: tuple[tuple[str, ...], ...]) -> int:
        """How many words of one of `phrases` begin at `at`; 0 for none."""
        low = self.lows[at]
        for phrase in phrases:
            if low == phrase[0] and tuple(self.lows[at : at + len(phrase)]) == phrase:
                return len(phrase)
        return 0

    def _punctuation(self, at: int) -> None:
        mark = self.lows[at]
        if mark in "([":
            self.depth += 1
        elif mark in ")]":
            self.depth = max(0, self.depth - 1)
        elif mark in ":—–":
            self._clear()
            if self._counted() >= (2 if self.has_verb else 3):
                self.part = "aside"
            self.has_verb = True
        elif not self._goes_on_listing(at):
            self._clear()
            if self.part != "aside":
                self.part = "aside" if self._is_spliced(at) else "main"

    def _is_spliced(self, at: int) -> bool:
        """Whether a statement of its own follows the comma: "cache it, the service is slow"."""
        first = self.lows[0]
        return (
            self.lows[at] == ","
            and self._counted() >= 2
            and at + 2 < len(self.lows)
            and self.lows[at + 1] in words.SPLICES
            and first not in words.WHEN
            and first not in words.PLACES
            and first not in words.CLAUSE_BREAKS
        )

    def _goes_on_listing(self, at: int) -> bool:
        """Whether the comma at `at` stands in a list that is denied as a whole: "no a, b or c"."""
        following = self.lows[at + 1 : at + 4]
        return self.sign < 0 and len(following) > 1 and following[1] in (",", "or", "nor", "and")

    def _counted(self) -> int:
        return sum(item.part == "main" for item in self.items)

    def _clear(self) -> None:
        self.sign = 1
        self.from_old = False

    def _deny(self, *, is_without: bool = False) -> None:
        if self.sign < 0 and is_without:  # "never deploy without a review" asks for both
            self.items = [
                item if at < self.denied_at else replace(item, sign=0)
                for at, item in enumerate(self.items)
            ]
            self.sign = 1
        else:
            self.sign = -self.sign
            self.denied_at = len(self.items)

    # --- words

    def _word(self, token: Token, at: int) -> None:
        low = token.low
        root = stem(low)
        if token.text in words.METHODS:
            self._add(token.text, token.text, "name")
            return
        if low == "without" and at == 0:
            self.part = "when"  # "without a VPN the host cannot be reached"
        elif low == "no" and self._ends(at):
            self._add("tru", token.text, "polar", sign=-self.sign)
        elif low in words.NEGATIONS and words.RELATIVES.isdisjoint(self.lows[max(at - 2, 0) : at]):
            self._deny(is_without=low == "without")
            self.denier = low
        elif low in words.NEGATIONS:  # "a line that cannot be read": which line, not whether
            self.sign, self.denier, self.denied_at = 0, low, len(self.items)
        elif low == "over" and any(item.stem == "prefer" for item in self.items):
            self._deny()
        elif low in words.WHEN and not (low == "once" and at):
            self._clear()
            self.part = "when"
        elif low in words.CLAUSE_BREAKS:
            self._break(low, at)
        if (
            low == "and"
            and at + 1 < len(self.lows)
            and (self.lows[at + 1] in words.RESUMES or stem(self.lows[at + 1]) in _ACTS)
        ):
            self._clear()
        is_denying = self.sign < 1 and self.denier != "no" and len(self.items) > self.denied_at
        if low in words.FINITE and is_denying:
            self._clear()  # "a line that cannot be read is skipped"
        if low in _SITUATIONS and self.depth == 0 and self.part != "aside":
            dimension, situation = _SITUATIONS[low]
            self.situations.setdefault(dimension, set()).add(situation)
            if dimension in ("environment", "platform"):
                return
        if self._polar(low, root, at):
            return
        if low in words.PLACES or low in ("from", "as"):
            self._preposition(low, at)
            return
        if low in words.NEGATIONS or (token.kind == "word" and len(low) < 2):
            return
        if low in _STOPS and not (len(low) == 1 and at and token.kind == "name"):
            return
        self._add(root if token.kind in ("word", "name") else low, token.text, self._kind(token))

    def _ends(self, at: int) -> bool:
        return at + 1 == len(self.tokens) or self.tokens[at + 1].kind == "mark"

    def _kind(self, token: Token) -> str:
        if token.low in rivals.BRANCHES and any("branch" in low for low in self.lows):
            return "branch"
        if token.low in rivals.DAYS:
            return "day"
        named = token.kind == "word" and "-" in token.low and self.items
        return "name" if named and self.items[-1].stem in _NAMED else token.kind

    def _break(self, low: str, at: int) -> None:
        self._clear()
        if low in words.REASONS and at:
            self.part = "aside"
        elif self.part == "place":
            self.part = "main"

    def _polar(self, low: str, root: str, at: int) -> bool:
        if low in ("on", "off") and not self._is_state(at):
            return False
        if root in _ACTS and low != "on":
            concept, sign = _ACTS[root]
            if sign < 0:
                self._deny()
            self._add(concept, self.tokens[at].text, "polar", is_act=True)
            return True
        if low in ("on", "off") or root in _STATES:
            concept, sign = _STATES.get(root, ("enabl", 1))
            self._add(concept, self.tokens[at].text, "polar", sign=self.sign * sign)
            if low in ("before", "after"):
                self.sign = 1
            return True
        return False

    def _is_state(self, at: int) -> bool:
        before = self.lows[at - 1] if at else ""
        after = self.lows[at + 1] if at + 1 < len(self.lows) else "."
        if before in ("turned", "switched", "turn", "switch"):
            return True
        is_end = after in ".,;:)—–?" or after in words.PLACES | words.CLAUSE_BREAKS
        return before in ("is", "are", "be", "stays") and (is_end or after in ("again", "now"))

    def _preposition(self, low: str, at: int) -> None:
        before = stem(self.lows[at - 1]) if at else ""
        changed = any(item.stem in _SWITCHES for item in self.items)
        if low == "from" and changed:
            self.from_old = True
            self._deny()
        elif low == "to" and self.from_old:
            self._clear()
        if self.part in ("aside", "when"):
            return
        is_object = low in words.TOWARDS and before in _WHERE_VERBS
        self.part = "main" if is_object or low in ("from", "as") or changed else "place"

    # --- what was found

    def _add(
        self,
        root: str,
        shown: str,
        kind: str,
        *,
        sign: int | None = None,
        families: frozenset[str] = frozenset(),
        is_act: bool = False,
    ) -> None:
        part = "aside" if self.depth else self.part
        sign = self.sign if sign is None else sign
        self.items.append(
            Item(root, shown, kind, sign, part, families, is_act, not self.items, self.has_verb)
        )


def _read(tokens: tuple[Token, ...]) -> Sentence:
    reader = _Reader(tokens)
    reader.read()
    lows = tuple(token.low for token in tokens if token.kind != "mark")
    changes = _says_change(tokens, lows)
    items = tuple(reader.items)
    if changes:
        items = _without_the_gone(items, lows)
    return Sentence(
        items=items,
        situations={name: frozenset(found) for name, found in reader.situations.items()},
        asks=tokens[-1].low == "?",
        is_hedged=has_phrase(lows, words.HEDGES),
        changes=changes,
        adds=has_phrase(lows, words.ADDITIONS),
        excepts=has_phrase(lows, words.EXCEPTIONS),
        lows=lows,
        claims=tuple(item for item in items if item.part in ("main", "place")),
    )


def _says_change(tokens: Sequence[Token], lows: Sequence[str]) -> bool:
    if has_phrase(lows, words.NO_CHANGES):
        return False
    return has_phrase(lows, words.CHANGES) or any(dated_at(tokens, at) for at in range(len(tokens)))


def _without_the_gone(items: tuple[Item, ...], lows: Sequence[str]) -> tuple[Item, ...]:
    """`items`, with the tool denied that was replaced: "replaced A with B", "A is gone"."""
    tools = [at for at, item in enumerate(items) if item.kind == "tool" and item.sign > 0]
    if not tools or not words.GONE & set(lows):
        return items
    if "replaced" in lows and len(tools) == 2 and ("with" in lows or "by" in lows):
        old = tools[0]
    elif len(tools) >= 1 and lows[-1] in words.GONE:
        old = tools[-1]
    else:
        return items
    return tuple(replace(item, sign=-1) if at == old else item for at, item in enumerate(items))
