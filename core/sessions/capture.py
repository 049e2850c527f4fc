"""From the turns of a session to captures: explicit wishes, the agent's list, scored sentences.

A sentence is kept by its score, and a handful of signs names it. A capture of the user's must be
in their own words, never in a paste.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ..answers import Capture, Salience
from ..ingest.kinds import category_of
from ..ingest.promotion import CORRECTS, SECOND_HAND
from ..judgement.salience import DamagedWeights, salience, signs_of
from ..language.phrases import (
    after_cues,
    begins_correction,
    only_sets_a_rule,
    phrases,
    revoked_in,
    says,
    takes_back,
    withdraws,
    without_foreign_no,
)
from ..text.sameness import STOP, content_of, says_the_same
from ..text.sentences import Sentence, sentences
from ..text.words import length_of
from ..values import PRIVACIES, VERIFIED
from .echo import is_handed_over, is_machine_started, is_trace, markers
from .shape import (
    MAX_CONTENT,
    MAX_JOINED,
    Rule,
    capture,
    is_order,
    letters,
    named,
    points,
    shares_words,
    standing,
    stopped,
    without_filler,
)
from .turns import Session, Turn, calls_in
from .utterances import (
    SHORT,
    Sources,
    Spoken,
    spoken_in,
    words_in_result,
)
from .wishes import TAKEN_BACK_NEXT, UNSURE, expiring, explicit_in, of_others
from .work import Work, open_todos

MOST_OF_A_READING = 40
"""Captures of one reading that the score admits, the best first: one session gave 99 for 38."""

MOST_OF_A_TURN = 20
"""The same of a reading that goes on from an earlier one, which sees a few exchanges before it."""

_FEW = 3  # sentences
LEAST_JOINED = 6
"""Characters of a sentence that is kept with the one beside it."""


@dataclass(frozen=True, slots=True)
class Judged:
    spoken: Spoken
    salience: Salience


Thought = Sequence[Judged]


def may_be_kept(spoken: Spoken) -> bool:
    """Return True if a sentence can be worth keeping: in own words, no heading, no lead.

    A table's row says little without its column names: of 56 labelled ones that the score admits,
    3 are kept and none is established. An agent's question states nothing: of 20 labelled ones
    that the score admits, none is kept.
    """
    is_own = (
        spoken.is_own and not spoken.is_quoted and spoken.sentence.kind not in ("heading", "cell")
    )
    is_stated = spoken.utterance.is_person or not spoken.sentence.is_question
    says = "leads" not in signs_of(spoken.sentence.text) and not withdraws(spoken.sentence.text)
    return is_own and is_stated and says


def thoughts(judged: Sequence[Judged]) -> list[Thought]:
    """Return the sentences that are worth keeping, neighbours together."""
    groups: list[list[Judged]] = []
    for item in filter(_is_taken, judged):
        if groups and _goes_on(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return list(groups)


_ENGLISH = re.compile(r"\b(?:the|is|are|to|of|and|with|your?|for|it|this|we)\b", re.IGNORECASE)
SEVERAL = 2  # words of English from which on other languages' words are names ("Senza")


def _is_taken(item: Judged) -> bool:
    """Return True for a sentence that the score captures, or of the user's that sets a limit.

    The score knows little but English. Of 1,189 sentences in 60 real sessions it left out two that
    set a limit, of made-up ones in Chinese and Portuguese most. Limits of other languages than
    English, many of which are a mere "not", count only where they govern.
    """
    text = item.spoken.sentence.text
    return item.salience.is_captured or (
        item.spoken.utterance.is_person
        and not item.spoken.is_borrowed
        and (
            phrases()[0].limit.search(without_foreign_no(text)) is not None
            or (says("governs", text) and len(_ENGLISH.findall(text)) < SEVERAL)
        )
        and not (begins_correction(text) or any(each.asks.search(text) for each in phrases()))
        and named(text, is_person=True, is_established=False).name == "instruction"
    )


def admitted(
    captures: Sequence[Capture],
    work: Work,
    spoken: Sequence[Spoken],
    session: Session,
    since_line: int = 0,
) -> list[Capture]:
    """Return `captures`, which need no score, and the sentences worth keeping, in order.

    `work` is the main agent's, without private turns. `spoken` are the sentences in it.
    Members of `captures` in a paste are removed. With damaged weights nothing is scored.
    """
    turns = work.turns
    by_line: dict[int, list[Spoken]] = defaultdict(list)
    for item in spoken:
        by_line[item.turn.line].append(item)
    retained: list[Capture] = []
    taken: set[int] = set()
    for matches in captures:
        its = _sentences_of(matches, by_line[matches.origin.line or 0])
        if matches.filtered != UNSURE:  # else the score decides whether it is a candidate
            taken.update(id(item) for item in its)
        retained.append(matches)
    explicit = {item.position for item in spoken if id(item) in taken}
    judged: list[Judged] = []
    try:
        for item in spoken:
            if id(item) not in taken and may_be_kept(item):
                judged.append(Judged(item, salience(item.utterance)))
    except DamagedWeights:
        return retained
    worded: list[tuple[Judged, Capture]] = []
    sources = None
    for group in thoughts(judged):
        if made := _worded(group, work, explicit, session):
            best = best_of(group)
            if not best.spoken.utterance.is_person:
                sources = sources or Sources(turns)
                if sources.first(made.content, best.spoken.position) not in VERIFIED:
                    made = replace(made, tags=(*made.tags, SECOND_HAND))
            worded.append((best, made))
    whole = defaultdict[int | None, list[str]](list)
    for matches in (*retained, *(matches for _, matches in worded)):
        whole[matches.origin.line].append(letters(matches.content))
    # a sentence that points at the one before it takes that in front, though it is kept itself
    worded = [
        (best, item)
        for best, item in worded
        if not any(
            (text := letters(item.content)) in other and text != other
            for other in whole[item.origin.line]
        )
    ]
    worded.sort(key=lambda pair: -pair[0].salience.score)
    for best, matches in worded[: MOST_OF_A_TURN if since_line else MOST_OF_A_READING]:
        sure = max(min(matches.confidence, best.salience.worth_a_look), 0.05)
        made = replace(matches, confidence=round(sure, 3), salience=best.salience)
        retained.append(of_others(made) if best.spoken.is_borrowed else made)
    return sorted(retained, key=lambda item: item.origin.line or 0)


def _sentences_of(matches: Capture, near: Iterable[Spoken]) -> list[Spoken]:
    whole = letters(matches.content)
    return [
        item
        for item in near
        if (text := letters(item.sentence.text))
        and (
            text in whole
            or whole in text
            or shares_words(item.sentence.text, matches.content, least=3)
        )
    ]


def _worded(
    group: Sequence[Judged], work: Work, explicit: set[int], session: Session
) -> Capture | None:
    """Return a capture of neighbouring sentences; None if they cannot stand alone."""
    first = group[0].spoken
    utterance = first.utterance
    alone = _joined([item.spoken.sentence for item in group])
    is_short = utterance.is_person and utterance.of <= _FEW and len(first.said) < MAX_JOINED
    if is_short and first.position not in explicit and not points(first.said):
        own = {item.spoken.sentence.index for item in group}
        alone = _joined(
            [
                item
                for item in sentences(first.said, is_typed=True)  # "B" alone says nothing
                if item.index in own or not _is_for_now(item, first.sentence, len(alone) < SHORT)
            ]
        )
    alone = without_filler(alone)
    before = utterance.before if first.sentence.kind == "text" else ""
    text = standing(alone, before, work.file_before(first.position))
    if not text:
        return None
    is_reaction = utterance.is_person and utterance.place == 0  # to the last act
    if is_reaction and length_of(text) < SHORT and "refuses" in signs_of(first.sentence.text):
        corrected = work.command_before(first.position)
        text = f"{corrected}: {text}" if corrected else text
    if len(text) > MAX_CONTENT:
        text = alone
    if len(text) > MAX_CONTENT:
        return None  # cut, it is half a thought
    judged = best_of(group).salience
    rule = named(text, is_person=utterance.is_person, is_established=judged.is_established)
    # Starts take memories from 0.5 on: of the user's sentences those that set a limit.
    least, span = (0.35, 0.1) if utterance.is_person else (0.4, 0.3)
    if rule.name == "instruction":
        least = 0.75
    importance = max(rule.importance, round(least + span * judged.worth_keeping, 3))
    rule = replace(rule, confidence=judged.worth_a_look, importance=importance)
    index = f"s{first.sentence.index}"
    made = capture(rule, text, first.turn, index, session, is_person=utterance.is_person)
    return expiring(made, first.turn) if utterance.is_person else made


def _is_for_now(item: Sentence, beside: Sentence, is_needed: bool = True) -> bool:
    """Return True for an order on another line than the sentence that is kept.

    On its line too unless it `is_needed`, as are questions, plans and single words.
    """
    bare = without_filler(item.text)
    if item.line == beside.line and is_needed:
        return False
    is_plan = any(phrase.occasion.search(bare) for phrase in phrases())
    is_word = length_of(bare) < LEAST_JOINED
    return is_order(bare) or (not is_needed and (item.is_question or is_plan or is_word))


def _joined(text: Sequence[Sentence]) -> str:
    """Return the sentences on one line, with a full stop where a line ended without one."""
    return " ".join(
        item.text if after is None or after.line == item.line else stopped(item.text)
        for item, after in zip_longest(text, text[1:])
    )


def best_of(thought: Thought) -> Judged:
    """Return the sentence with the best score: it leads."""
    return max(thought, key=lambda item: item.salience.score)


def _goes_on(thought: Thought, item: Judged) -> bool:
    last = thought[-1].spoken
    return (
        last.position == item.spoken.position
        and last.sentence.block == item.spoken.sentence.block
        and item.spoken.sentence.index - last.sentence.index == 1
        and not _is_for_now(item.spoken.sentence, last.sentence)
        and len(text := " ".join(each.spoken.sentence.text for each in thought)) < MAX_CONTENT // 2
        and len(text) + len(item.spoken.sentence.text) < MAX_CONTENT
    )


LEAST = 2  # content words of a correction that is kept as a memory of its own

_WEIGHED = {True: (0.8, 0.9), False: (0.65, 0.75)}  # by the user: importance, confidence


def with_corrections(
    captures: Sequence[Capture], spoken: Sequence[Spoken], session: Session
) -> tuple[list[Capture], list[Capture]]:
    """Return `captures`, corrections among them tagged, and corrections that those lack."""
    tagged, others = list(captures), list[Capture]()
    places = {id(item): position for position, item in enumerate(tagged)}
    for item, words in _corrections(spoken):
        text = letters(words)
        same = next(
            (c for c in captures if c.origin.line == item.turn.line and text in letters(c.content)),
            None,
        )
        if same is not None:
            if not only_sets_a_rule(item.sentence.text):
                tagged[places[id(same)]] = replace(same, tags=(*same.tags, CORRECTS))
            continue
        is_user = item.utterance.is_person
        rule = Rule("correction", category_of(words), None, *_WEIGHED[is_user], tags=(CORRECTS,))
        index = f"s{item.sentence.index}"
        others.append(capture(rule, words, item.turn, index, session, is_person=is_user))
    return tagged, others


def _corrections(spoken: Sequence[Spoken]) -> Iterator[tuple[Spoken, str]]:
    """Yield the sentences that correct something, each with its words behind the cue.

    A cue alone ("Wait, no.") is about the sentence that follows.
    """
    for position, item in enumerate(spoken):
        text = item.sentence.text
        if (
            not item.is_own
            or item.is_quoted
            or item.is_borrowed
            or item.sentence.kind not in ("text", "item")
        ):
            continue
        if not (begins_correction(text) if item.utterance.is_person else takes_back(text)):
            continue
        words = after_cues(text)
        following = spoken[position + 1] if position + 1 < len(spoken) else None
        if not words and following and following.position == item.position:
            item, words = following, following.sentence.text
        content = content_of(words)
        says = sum(weight > STOP for weight in content.weights.values()) >= LEAST
        if says and not item.sentence.is_question and not points(revoked_in(words) or words):
            yield item, words


MAX_CAPTURES = 100  # of one reading; the most important ones stay


@dataclass(frozen=True, slots=True)
class Extraction:
    captures: list[Capture]  # in the order in which they came up
    corrections: list[Capture]  # worth a memory only if the store has the memory that they correct
    taken_back: tuple[str, ...] = ()  # places of wishes that the prompt after them took back

    def each(self, change: Callable[[Capture], Capture]) -> Extraction:
        changed = [*map(change, self.captures)], [*map(change, self.corrections)]
        return Extraction(*changed, self.taken_back)


def read_session(
    turns: Iterable[Turn],
    session: Session,
    *,
    since_line: int = 0,
    is_over: bool = True,
    starts: str = "",
    is_judged: bool = True,
) -> Extraction:
    """Return the captures of a session, and its corrections.

    Turns up to `since_line` give context only: a command may have failed in one reading and
    work in the next. Todos are captured when the session `is_over`. A transcript whose
    turns all belong to a subagent has no user in it, so only its work gives captures. `starts` is
    the marker that holds before the first turn; a marker limits who receives its turn's captures.
    If not `is_judged`, only captures that need no score are returned.
    """
    values = list(turns)
    marked = list(zip(values, markers(values, starts), strict=True))
    fenced = {turn.line: marker for turn, marker in marked if marker in PRIVACIES}
    main = [turn for turn, marker in marked if marker != "incognito"]
    captures, corrected = list[Capture](), list[Capture]()
    if main and all(turn.agent_id for turn in main):
        work = Work(main, calls_in(main), session)
    else:
        main = [turn for turn in main if not turn.agent_id]
        if is_machine_started(main):
            return Extraction([], [])
        work = Work(main, calls_in(main), session)
        captures = _explicit_wishes(main, session)
        captures += open_todos(work.calls, session) if is_over else []
        spoken = spoken_in(main)
        if is_judged:
            captures = admitted(captures, work, spoken, session, since_line)
        captures, corrected = with_corrections(captures, spoken, session)
    captures += work.captures()
    captures.sort(key=lambda item: item.origin.line or 0)
    # A todo may be older than the reading in which the session ends.
    fresh = [c for c in captures if (c.origin.line or 0) > since_line or c.type == "prospective"]
    retained: list[Capture] = []  # of duplicates, the more important one
    for item in sorted(fresh, key=lambda c: -c.importance)[: 5 * MAX_CAPTURES]:
        if not any(_says_as_much(item, more) for more in retained):
            retained.append(item)
    chosen = set(map(id, retained[:MAX_CAPTURES]))
    best = [item for item in fresh if id(item) in chosen]
    corrected = [item for item in corrected if (item.origin.line or 0) > since_line]
    refs = (item.origin.ref for item in captures if item.filtered == TAKEN_BACK_NEXT)
    made = Extraction(best, corrected, tuple(filter(None, refs)))
    made = made.each(work.enclosed)

    return made.each(
        lambda item: replace(item, privacy=fenced.get(item.origin.line or 0, item.privacy))
    )


def _explicit_wishes(turns: Sequence[Turn], session: Session) -> list[Capture]:
    """Return the user's explicit wishes: in prompts, and in the reasons of refused calls."""
    captures: list[Capture] = []
    latest = 0  # where the wishes of the last prompt begin
    for turn in turns:
        if turn.is_prompt and not (is_trace(turn.text) or is_handed_over(turn.text)):
            if withdraws(turn.text.strip()):
                taken_back = (replace(item, filtered=TAKEN_BACK_NEXT) for item in captures[latest:])
                captures[latest:] = taken_back
            latest = len(captures)
            captures += explicit_in(turn, turn.text, session)
        elif turn.is_error and turn.kind == "tool_result":
            captures += explicit_in(turn, words_in_result(turn), session)
    return captures


def _says_as_much(item: Capture, more: Capture) -> bool:
    """Return True if the two are duplicates; tasks and steps only with equal words."""
    if "prospective" in (item.type, more.type) or item.type == "procedural" != more.type:
        return item.content == more.content
    words, other = (content_of(c.content).weights.keys() for c in (item, more))
    if 2 * len(words & other) < min(len(words), len(other)):
        return False  # most captures; comparing costs fifty times more
    return says_the_same(item.content, more.content)
