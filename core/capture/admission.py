"""What of a session is kept: the fitted score decides, rules name, explicit words pass.

Rules that read sentences find few of the sentences worth keeping and many that are not, so they
no longer admit. A sentence is admitted by its salience; where a rule has found the same sentence,
the rule's reading of it is kept. What needs no judgement passes as it is: what a person asks to be
remembered, puts off or lays down as steps, an agent's own list, a command that worked only in
another way. A person's memory must stand in their own words, never in what they pasted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..answers import Capture, Salience
from ..judgement.salience import reasons, salience
from ..judgement.salience_features import signs_of
from ..judgement.weights import DamagedWeights
from ..promotion import ERROR_FIX
from ..storage.kinds import category_of
from .fixes import is_of_surroundings
from .rules import Rule, rx
from .shape import MAX_CONTENT, Session, capture
from .turns import Turn
from .utterances import Spoken, spoken_in

MOST_OF_A_READING = 40
"""Memories of one reading that judgement admits, the best first: one session gave 99 for 38."""

EXPLICIT = frozenset(
    f"person.{name}" for name in ("remember", "remember-that", "from-now-on", "intention", "recipe")
)
"""Rules for words with which a person says themselves that something is to be kept."""

MOMENTARY = frozenset(("agent.file-change",))
"""What belongs to the session's record and is no memory: 0 of 6 were worth keeping. A list of more
than five finished tasks stays a procedure (000-50)."""

NAMED = 1.0
"""What a rule for a person's words adds to the score of the sentence that it names."""

_PROSE = frozenset(
    f"agent.{name}"
    for name in (
        "cause because explained turned-out decision warning outcome change follow-up".split()
    )
)
_SAID = rx(r"(?!)")
_SHORT = 50  # characters; what is shorter is told with the rest of a short prompt
_FEW = 3  # sentences
_LETTERS = re.compile(r"\W+")
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Judged:
    spoken: Spoken
    salience: Salience
    letters: str  # of its text, to find it again in a rule's capture


def admitted(captures: Sequence[Capture], turns: Sequence[Turn], session: Session) -> list[Capture]:
    """Those of `captures` that are worth keeping, and what no rule found, in order.

    `turns` are the main agent's, without private ones; the captures were found in them. With
    damaged weights only what needs no judgement is left, and nothing is lost.
    """
    try:
        judged = [
            _Judged(one, salience(one.utterance), _letters(one.sentence.text))
            for one in spoken_in(turns)
        ]
    except DamagedWeights:
        return [one for one in captures if _needs_no_judgement(one)]
    by_line: dict[int, list[_Judged]] = {}
    for one in judged:
        by_line.setdefault(one.spoken.turn.line, []).append(one)
    kept: list[tuple[float, Capture]] = []
    taken: set[int] = set()
    for found in captures:
        its = _sentences_of(found, by_line.get(found.origin.line or 0, ()))
        if found.rule.startswith("person.") and its and not any(one.spoken.is_own for one in its):
            continue
        if _needs_no_judgement(found):
            taken.update(id(one) for one in its)
            kept.append((float("inf"), found))
        elif (found.rule in _PROSE or found.rule.startswith("person.")) and its:
            best = max(its, key=lambda one: one.salience.score)
            bonus = NAMED if found.rule.startswith("person.") else 0.0
            if salience(best.spoken.utterance, bias=bonus).is_candidate:
                taken.update(id(one) for one in its)
                kept.append((best.salience.score + bonus, _weighed(found, best)))
    for group in _thoughts([one for one in judged if id(one) not in taken]):
        made = _worded(group, session)
        if made is not None:
            kept.append((max(one.salience.score for one in group), made))
    best_first = sorted(kept, key=lambda one: -one[0])
    sure = sum(score == float("inf") for score, _ in best_first)
    chosen = [one for _, one in best_first[: sure + MOST_OF_A_READING]]
    return sorted(chosen, key=lambda one: one.origin.line or 0)


def _needs_no_judgement(found: Capture) -> bool:
    if found.rule in MOMENTARY:
        return False
    if found.rule == ERROR_FIX:
        return is_of_surroundings(found)
    return found.rule in EXPLICIT or not (found.rule in _PROSE or found.rule.startswith("person."))


def _sentences_of(found: Capture, near: Iterable[_Judged]) -> list[_Judged]:
    """The sentences of its line that a capture was made of."""
    whole = _letters(found.content)
    return [
        one
        for one in near
        if one.letters
        and (
            one.letters in whole
            or whole in one.letters
            or _shares(one.spoken.sentence.text, found.content)
        )
    ]


def _shares(text: str, content: str) -> bool:
    """Whether most words of the shorter stand in the other: a rule cut off or added something."""
    words, other = ({*_WORDS.findall(each.lower())} for each in (text, content))
    few = min(len(words), len(other))
    return few >= 3 and len(words & other) >= 0.6 * few


def _letters(text: str) -> str:
    return _LETTERS.sub("", text.lower())


def _thoughts(judged: Sequence[_Judged]) -> list[list[_Judged]]:
    """Neighbouring sentences that are worth keeping, together: one exchange, one memory."""
    groups: list[list[_Judged]] = []
    for one in judged:
        if not (one.spoken.is_own and one.salience.is_candidate):
            continue
        if one.spoken.sentence.kind == "heading" or "leads" in signs_of(one.spoken.sentence.text):
            continue
        last = groups[-1][-1].spoken if groups else None
        if (
            last is not None
            and last.position == one.spoken.position
            and last.sentence.block == one.spoken.sentence.block
            and one.spoken.sentence.index - last.sentence.index == 1
            and sum(len(each.spoken.sentence.text) for each in groups[-1]) < MAX_CONTENT // 2
        ):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _worded(group: Sequence[_Judged], session: Session) -> Capture | None:
    """A memory of neighbouring sentences as they were said; None where they do not stand alone."""
    first = group[0].spoken
    utterance = first.utterance
    parts = [one.spoken.sentence.text for one in group]
    if utterance.is_person and utterance.of <= _FEW and len(" ".join(parts)) < _SHORT:
        parts = [first.said]  # "B" alone says nothing
    elif "points" in signs_of(parts[0]):
        if not utterance.before or first.sentence.kind != "text":
            return None
        parts.insert(0, utterance.before)
    text = " ".join(" ".join(parts).split())
    if len(text) > MAX_CONTENT:
        text = " ".join(one.spoken.sentence.text for one in group)
    best = max(group, key=lambda one: one.salience.score)
    speaker = "person" if utterance.is_person else "agent"
    score = best.salience
    importance = _importance(score, speaker)
    rule = Rule("said", _SAID, category_of(text), None, importance, score.worth_a_look)
    made = capture(
        rule, text, first.turn, f"s{first.sentence.index}", session, is_person=utterance.is_person
    )
    return _weighed(made, best)


def _importance(judged: Salience, speaker: str) -> float:
    """0.55-0.85 for a person's words, 0.4-0.7 for an agent's (`weights`)."""
    return round((0.55 if speaker == "person" else 0.4) + 0.3 * judged.worth_keeping, 3)


def _weighed(found: Capture, best: _Judged) -> Capture:
    score = best.salience
    return replace(
        found,
        confidence=round(max(min(found.confidence, score.worth_a_look), 0.05), 3),
        salience=replace(
            score,
            score=round(score.score, 3),
            worth_a_look=round(score.worth_a_look, 3),
            worth_keeping=round(score.worth_keeping, 3),
            reasons=reasons(best.spoken.utterance),
        ),
    )
