"""Was it said in the session, and by whom? A claim against the turns before it.

A claim is carried by a passage (at most three sentences in a row of one speaker) that holds most of
its content words, all its numbers, and says no where the claim does. Names may stand anywhere in
the session. What stood in a paste or in a tool's result before the agent said it is theirs, not
the agent's: repeating a text does not prove it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...judgement.pairs_note import LEAST_LETTERS, read
from ...judgement.weights import DamagedWeights
from ...text.sentences import sentences
from .echo import is_trace, runs_memdeck, without_echo
from .turns import Turn, calls_in
from .utterances import own_of, speaking_results, words_in_result

Voice = Literal["person", "agent", "finding", "quoted", "nobody"]
"""Who said it: a person in own words, the agent, a tool's result, a paste, or nobody."""

LEAST_SHARE = 0.6
"""Of a claim's content words, 0-1, from which on a passage carries it."""

LEAST_OF_OTHERS = 0.5
"""The same for pastes and tools' results: what resembles these counts as theirs."""

LEAST_WITH_QUESTION = 0.75
"""Of the words, 0-1, where a person's answer is read together with what the agent had said."""

LEAST_OF_ANSWER = 0.25
"""Of the words, 0-1, that must be the person's then."""

LEAST_OF_MARK = 3
"""Letters of a word that its forms share, at least; fewer only where it has fewer."""

PASSAGE = 3  # sentences, or lines of a result
MOST_LINES = 400  # of one result, first and last
MOST_HEARD = 1_200  # characters at the end of what the agent said before

_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_NOD = re.compile(r"^\W*(?:no|nope|nein|non)\b\s*[,.!:;–—-]+\s*", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead|rather than|avoid|stop|forbidden|statt|au lieu)\b", re.I)
_CLAUSE = re.compile(r"[,;:—–。，；]\s*|[.!?]+\s+|\n+")
_IDENTIFIER = re.compile(r"[_/.@=\d]|[a-z][A-Z]|^-")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who said it first, where, and in which words."""

    by: Voice
    line: int | None = None  # of the transcript
    words: str = ""  # the passage

    @property
    def is_verified(self) -> bool:
        """Whether a person or the agent itself said it, and not merely something they read."""
        return self.by in ("person", "agent")


NOBODY = Evidence("nobody")


@dataclass(frozen=True, slots=True)
class Claim:
    """A text as what it is looked for by."""

    roots: frozenset[str]  # of its content words and numbers
    numbers: frozenset[str]  # of these, the quantities
    identifiers: frozenset[str]  # of these, paths, flags, names with digits or capitals inside
    is_denial: bool


@dataclass(frozen=True, slots=True)
class _Passage:
    by: Voice
    line: int
    text: str
    heard: str = ""  # before a person's words: the end of what the agent had said


def carried_by(text: str, turns: Sequence[Turn]) -> Evidence:
    """Who said `text` in `turns`, all of which came before it. Standard library, linear in them.

    A person's own words win; else whoever said it first.
    """
    claim = claim_of(text)
    if not claim.roots or not _is_known(claim.identifiers, turns):
        return NOBODY
    marks, first = _marks(claim), NOBODY
    for passage in _passages(turns):
        if not _may_carry(marks, passage):
            continue
        found = Evidence(passage.by, passage.line, passage.text)
        if passage.by == "person":
            if _answers(claim, passage):
                return found
        elif first is NOBODY:
            least = LEAST_SHARE if passage.by == "agent" else LEAST_OF_OTHERS
            first = found if _carries(claim, passage.text, least) else first
    return first


def claim_of(text: str) -> Claim:
    """What a text claims: its content words, numbers, names, and whether it denies."""
    note = read(_spaced(_NOD.sub("", text)))
    tokens = [token for token in note.tokens if token.root]
    return Claim(
        frozenset(token.root for token in tokens),
        frozenset(token.root for token in tokens if token.quantity),
        frozenset(
            token.root
            for token in tokens
            if token.is_name and not token.quantity and _IDENTIFIER.search(token.root)
        ),
        note.denials > 0 or _INSTEAD.search(text) is not None,
    )


def agree(one: str, other: str) -> bool:
    """Whether two texts say as much as each other: most words of either, the same numbers."""
    first, second = claim_of(one), claim_of(other)
    if first.numbers != second.numbers or first.is_denial != second.is_denial:
        return False
    if first.identifiers - second.roots and second.identifiers - first.roots:
        return False
    return min(_share(first, second.roots), _share(second, first.roots)) >= LEAST_SHARE


def _marks(claim: Claim) -> list[str]:
    """What each word of the claim begins with, in whatever form; "" of a number."""
    return [
        "" if root in claim.numbers else root[: max(LEAST_OF_MARK, len(root) - 1)]
        for root in claim.roots
    ]


def _may_carry(marks: Sequence[str], passage: _Passage) -> bool:
    """Whether enough of the claim's words stand there at all: reading costs a hundred times more.

    Of what a tool printed nearly everything is passed over here.
    """
    whole = f"{passage.heard} {passage.text}".lower()
    return sum(mark in whole for mark in marks) >= LEAST_OF_OTHERS * len(marks)


def _carries(claim: Claim, text: str, least: float) -> bool:
    found = claim_of(text)
    return (
        _share(claim, found.roots) >= least
        and claim.numbers <= found.numbers
        and _denies_alike(claim, text)
    )


def _answers(claim: Claim, passage: _Passage) -> bool:
    """Whether a person said it, alone or as an answer to what the agent had said."""
    if _carries(claim, passage.text, LEAST_SHARE):
        return True
    own, heard = claim_of(passage.text), claim_of(passage.heard)
    if not heard.roots or not own.roots:
        return False
    # What the agent had said of it may be another number: the person's is the one that counts.
    is_number = bool(claim.numbers) and claim.numbers <= own.numbers
    return (
        claim.numbers <= (own.numbers or heard.numbers)
        and (is_number or _share(claim, own.roots) >= LEAST_OF_ANSWER)
        and _share(claim, own.roots | heard.roots) >= LEAST_WITH_QUESTION
        and _denies_alike(claim, passage.text)
    )


def _share(claim: Claim, roots: frozenset[str]) -> float:
    """How many of the claim's words are among `roots`, 0-1; forms of one word count as one."""
    if not claim.roots:
        return 0.0
    stems = {root[:-1] for root in roots if len(root) > LEAST_LETTERS}
    found = sum(
        root in roots or root in stems or (len(root) > LEAST_LETTERS and root[:-1] in roots)
        for root in claim.roots
    )
    return found / len(claim.roots)


def _denies_alike(claim: Claim, text: str) -> bool:
    """Whether what a passage says of it is denied where the claim denies, and only there.

    Clauses that hold little of the claim do not count: "48 hours, not 24" denies the 24.
    """
    near = [claim_of(part) for part in _CLAUSE.split(text) if part.strip()]
    best = max(_share(claim, one.roots) for one in near)
    return any(
        one.is_denial == claim.is_denial for one in near if _share(claim, one.roots) >= best / 2
    )


def _is_known(identifiers: frozenset[str], turns: Sequence[Turn]) -> bool:
    """Whether each of these stands anywhere in the session, what tools were given included."""
    missing = set(identifiers)
    for turn in turns:
        if not missing:
            break
        said = (turn.text, *(v for v in turn.tool_input.values() if isinstance(v, str)))
        whole = "\n".join(said).lower()
        missing = {one for one in missing if one[: max(4, len(one) - 1)] not in whole}
    return not missing


def _passages(turns: Sequence[Turn]) -> Iterator[_Passage]:
    calls = calls_in(turns)
    speaking = speaking_results(turns)
    ours = {
        c.answered for c in calls if c.result is not None and runs_memdeck(c.argument("command"))
    }
    heard = ""
    for place, turn in enumerate(turns):
        if turn.kind == "assistant" or (turn.is_prompt and turn.agent_id):
            said = without_echo(turn.text)
            yield from _cut("agent", turn, [one.text for one in sentences(said)])
            heard = said[-MOST_HEARD:]
        elif turn.is_prompt:
            if not is_trace(turn.text):
                yield from _of_prompt(turn, heard)
        elif turn.kind == "tool_result" and place not in ours:
            if place in speaking and (own := words_in_result(turn)):
                yield _Passage("person", turn.line, own, heard)
            else:
                yield from _cut("finding", turn, _lines(turn.text))


def _of_prompt(turn: Turn, heard: str) -> Iterator[_Passage]:
    said = without_echo(turn.text)
    listed = sentences(said)
    try:
        is_own = own_of(turn.text, said, listed)
    except DamagedWeights:
        is_own = [False] * len(listed)
    own = [one.text for one, mine in zip(listed, is_own, strict=True) if mine]
    yield from _cut("person", turn, own, heard)
    if len(own) < len(listed) or "```" in said:
        mine = set(own)
        others = [line for line in _lines(said) if line.strip() not in mine]
        yield from _cut("quoted", turn, others)


def _cut(by: Voice, turn: Turn, parts: Sequence[str], heard: str = "") -> Iterator[_Passage]:
    """Each part with those after it, up to `PASSAGE` in a row."""
    for start in range(len(parts)):
        yield _Passage(by, turn.line, "\n\n".join(parts[start : start + PASSAGE]), heard)


def _lines(text: str) -> list[str]:
    found = [line for line in text.splitlines() if line.strip()]
    half = MOST_LINES // 2
    return found if len(found) <= MOST_LINES else found[:half] + found[-half:]


def _spaced(text: str) -> str:
    """`text` with scripts that are written without spaces cut into pairs of characters."""
    return _WIDE.sub(
        lambda run: " " + " ".join(a + b for a, b in zip(run[0], run[0][1:], strict=False)) + " ",
        text,
    )
