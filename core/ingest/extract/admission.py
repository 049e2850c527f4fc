"""What of a session is kept: the fitted score decides, explicit words pass.

A sentence is admitted by its salience; a handful of signs then names it (`labels`). What needs no
judgement passes as it is: what a person asks to be remembered, puts off or lays down as steps, an
agent's own list, a command that worked only in another way. A person's memory must stand in their
own words, never in what they pasted; what they turned down is no finding.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ...answers import Capture, Exchange, Salience
from ...judgement.salience import reasons, salience
from ...judgement.signs import signs_of
from ...judgement.weights import DamagedWeights
from ...text.sentences import Sentence, sentences
from ...text.shapes import length_of
from .explicit import expiring
from .labels import named
from .shape import MAX_CONTENT, capture
from .turns import Call, Session, Turn
from .utterances import SHORT, Spoken, is_turned_down, stops_work, words_in_result
from .wording import letters, points, shares_words, standing, stopped, without_filler
from .work import Work

MOST_OF_A_READING = 40
"""Memories of one reading that judgement admits, the best first: one session gave 99 for 38."""

MOST_OF_A_TURN = 20
"""The same of a reading that goes on from an earlier one, which sees a few exchanges before it."""

_FEW = 3  # sentences
_TOLD = 300  # characters of either side of an exchange
_HEAD = 200  # characters at the start of a prompt that tell how the last words were taken


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence with its score."""

    spoken: Spoken
    salience: Salience


Thought = Sequence[Judged]


def may_be_kept(one: Spoken) -> bool:
    """Whether a sentence can be worth keeping: in own words, no heading, none that leads on.

    A table's row says little without the names of its columns: of 56 labelled ones that the score
    admits 3 are kept, none of them established. An agent's question states nothing: of 20 labelled
    ones that the score admits none is kept.
    """
    is_own = one.is_own and not one.is_quoted and one.sentence.kind not in ("heading", "cell")
    is_stated = one.utterance.is_person or not one.sentence.is_question
    return is_own and is_stated and "leads" not in signs_of(one.sentence.text)


def thoughts(judged: Sequence[Judged]) -> list[Thought]:
    """The sentences that are worth keeping, neighbours together."""
    groups: list[list[Judged]] = []
    for one in judged:
        if one.salience.is_candidate and groups and _goes_on(groups[-1], one):
            groups[-1].append(one)
        elif one.salience.is_candidate:
            groups.append([one])
    return list(groups)


def admitted(
    captures: Sequence[Capture],
    work: Work,
    spoken: Sequence[Spoken],
    session: Session,
    since_line: int = 0,
) -> list[Capture]:
    """`captures`, which need no judgement, and the sentences that are worth keeping, in order.

    `work` is the main agent's, without private turns. `spoken` are the sentences in it.
    Of `captures` those in a paste go. With damaged weights nothing is judged. Captures up to
    `since_line` come without the reasons of their scores.
    """
    turns = work.turns
    by_line: dict[int, list[Spoken]] = defaultdict(list)
    for one in spoken:
        by_line[one.turn.line].append(one)
    kept: list[Capture] = []
    taken: set[int] = set()
    for found in captures:
        its = _sentences_of(found, by_line[found.origin.line or 0])
        if found.rule.startswith("person.") and its and not any(one.is_own for one in its):
            continue
        taken.update(id(one) for one in its)
        kept.append(found)
    rejected = _rejected(turns, work.calls)
    explicit = {one.position for one in spoken if id(one) in taken}
    judged: list[Judged] = []
    try:
        for one in spoken:
            if id(one) not in taken and may_be_kept(one) and not _is_rejected(one, rejected):
                judged.append(Judged(one, salience(one.utterance)))
    except DamagedWeights:
        return kept
    worded: list[tuple[Judged, Capture]] = []
    for group in thoughts(judged):
        if made := _worded(group, work, explicit, session):
            best = best_of(group)
            worded.append((best, replace(made, exchange=exchange_around(turns, best.spoken))))
    whole = defaultdict[int | None, list[str]](list)
    for found in (*kept, *(found for _, found in worded)):
        whole[found.origin.line].append(letters(found.content))
    worded = [pair for pair in worded if not _is_part(pair[1], whole[pair[1].origin.line])]
    worded.sort(key=lambda pair: -pair[0].salience.score)
    for best, found in worded[: MOST_OF_A_TURN if since_line else MOST_OF_A_READING]:
        kept.append(_weighed(found, best, with_reasons=(found.origin.line or 0) > since_line))
    return sorted(kept, key=lambda one: one.origin.line or 0)


def _is_part(one: Capture, said: Sequence[str]) -> bool:
    """Whether it stands whole in another of its turn: what points at the sentence before it takes
    that one in front, though it is kept itself."""
    text = letters(one.content)
    return any(text in other and text != other for other in said)


def _rejected(turns: Sequence[Turn], calls: Sequence[Call]) -> Mapping[int, Call]:
    """Position of an answer -> the call after it that the person turned down."""
    found: dict[int, Call] = {}
    for call in calls:
        place = call.position - 1 if call.result and is_turned_down(call.result) else -1
        while place >= 0 and turns[place].kind in ("assistant", "tool_call"):
            found[place] = call  # at the place of a call nothing is said
            place -= 1
    return found


def _is_rejected(one: Spoken, rejected: Mapping[int, Call]) -> bool:
    """Whether a sentence announces what the person then turned down."""
    call, text = rejected.get(one.position), one.sentence.text
    if call is None:
        return False
    path = os.path.basename(call.argument("file_path", "notebook_path"))
    names_it = any(each and each in text for each in (path, call.argument("command")))
    return call.tool == "ExitPlanMode" or "intends" in signs_of(text) or names_it


def _sentences_of(found: Capture, near: Iterable[Spoken]) -> list[Spoken]:
    """The sentences of its line that a capture was made of."""
    whole = letters(found.content)
    return [
        one
        for one in near
        if (said := letters(one.sentence.text))
        and (
            said in whole
            or whole in said
            or shares_words(one.sentence.text, found.content, least=3)
        )
    ]


def _worded(
    group: Sequence[Judged], work: Work, explicit: set[int], session: Session
) -> Capture | None:
    """A memory of neighbouring sentences as they were said; None where they do not stand alone."""
    first = group[0].spoken
    utterance = first.utterance
    alone = _joined([one.spoken.sentence for one in group])
    is_short = utterance.is_person and utterance.of <= _FEW and len(alone) < SHORT
    if is_short and first.position not in explicit and not points(first.said):
        alone = _joined(sentences(first.said))  # "B" alone says nothing
    alone = without_filler(alone)
    before = utterance.before if first.sentence.kind == "text" else ""
    text = standing(alone, before, work.file_before(first.position))
    if not text:
        return None
    is_reaction = utterance.is_person and utterance.place == 0  # to what was just done
    if is_reaction and length_of(text) < SHORT and "refuses" in signs_of(first.sentence.text):
        corrected = work.command_before(first.position)
        text = f"{corrected}: {text}" if corrected else text
    if len(text) > MAX_CONTENT:
        text = alone
    if len(text) > MAX_CONTENT:
        return None  # cut, it is half a thought
    judged = best_of(group).salience
    rule = named(text, is_person=utterance.is_person)
    # 0.75-0.85 for what a person lays down, 0.55-0.85 for what else they say, 0.4-0.7 for an agent
    least, span = (0.55 if utterance.is_person else 0.4), 0.3
    if rule.name == "instruction":
        least, span = 0.75, 0.1
    importance = max(rule.importance, round(least + span * judged.worth_keeping, 3))
    rule = replace(rule, confidence=judged.worth_a_look, importance=importance)
    index = f"s{first.sentence.index}"
    made = capture(rule, text, first.turn, index, session, is_person=utterance.is_person)
    return expiring(made, first.turn) if utterance.is_person else made


def _joined(said: Sequence[Sentence]) -> str:
    """Sentences on one line; what ends its line without a stop has one."""
    return " ".join(
        one.text if after is None or after.line == one.line else stopped(one.text)
        for one, after in zip_longest(said, said[1:])
    )


def _weighed(found: Capture, best: Judged, *, with_reasons: bool) -> Capture:
    """A capture with its score, rounded, and what made it."""
    score = best.salience
    return replace(
        found,
        confidence=round(max(min(found.confidence, score.worth_a_look), 0.05), 3),
        salience=replace(
            score,
            score=round(score.score, 3),
            worth_a_look=round(score.worth_a_look, 3),
            worth_keeping=round(score.worth_keeping, 3),
            reasons=reasons(best.spoken.utterance) if with_reasons else (),
        ),
    )


def best_of(thought: Thought) -> Judged:
    """The sentence with the best score: it leads."""
    return max(thought, key=lambda one: one.salience.score)


def _goes_on(thought: Thought, one: Judged) -> bool:
    last = thought[-1].spoken
    return (
        last.position == one.spoken.position
        and last.sentence.block == one.spoken.sentence.block
        and one.spoken.sentence.index - last.sentence.index == 1
        and len(said := _text(thought)) < MAX_CONTENT // 2
        and len(said) + len(one.spoken.sentence.text) < MAX_CONTENT
    )


def _text(thought: Thought) -> str:
    return " ".join(each.spoken.sentence.text for each in thought)


def exchange_around(turns: Sequence[Turn], spoken: Spoken) -> Exchange:
    """What stands around a sentence of `turns`; only an agent's can be spoken against.

    An act of the person's speaks against what the agent said last, not against all it said since
    it was asked.
    """
    said = spoken.utterance
    answered = said.reaction or ""
    if said.is_person:
        return Exchange(said.other[-_TOLD:], answered[:_TOLD])
    reaction, words = _taken(turns, spoken)
    return Exchange(said.other[:_TOLD], (words or answered)[:_TOLD], reaction)


def _taken(turns: Sequence[Turn], spoken: Spoken) -> tuple[str, str]:
    """(reaction, the words that came with it) to the answer that holds `spoken`."""
    answer = spoken.turn.message_id
    for place in range(spoken.position + 1, len(turns)):
        turn = turns[place]
        if turn.kind == "tool_result":
            if turn.details.get("interrupted") is True:
                return "interrupted", ""
            if is_turned_down(turn):
                return "rejected", words_in_result(turn)
        elif turn.is_prompt:
            if stops_work(turn):
                return "interrupted", next((t.text for t in turns[place + 1 :] if t.is_prompt), "")
            heard = signs_of(turn.text[:_HEAD])  # who refuses does not merely ask
            return "contested" if "refuses" in heard and "asks" not in heard else "", turn.text
        elif turn.kind == "assistant" and not (answer and answer == turn.message_id):
            break
    return "", ""
