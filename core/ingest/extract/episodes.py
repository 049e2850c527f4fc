"""One exchange, one memory: what is worth keeping of an exchange, each thing said once.

An exchange is a prompt and all that the agent says until the next one. Neighbouring sentences
that are worth keeping are one thought. Where an agent says a thing again in the same exchange
(announced, found, summed up), the thought with the best score stands for all. With it is told what
was asked, and how the person took the answer.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...answers import Exchange, Salience
from ...judgement.signs import signs_of
from .elsewhere import telling_words
from .shape import MAX_CONTENT
from .turns import Turn
from .utterances import Spoken, is_turned_down, stops_work, words_in_result

SAME_THING = 0.45
"""Of the words of the shorter thought, rare ones counting more, so many make it the same thing.
On projects left out, 13 of 100 that go so would be kept by a colleague, 16 of 100 of all."""

_LEAST = 2  # words in common
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


def told_once(found: Sequence[Thought], turns: Sequence[Turn]) -> list[Thought]:
    """`found` without what an agent says again within an exchange; the best of each stays."""
    prompts = [place for place, turn in enumerate(turns) if turn.is_prompt]
    words = [telling_words(_text(each)) for each in found]
    seen = Counter(word for each in words for word in each)
    rare = {word: math.log1p(len(found) / count) for word, count in seen.items()}
    kept: dict[int, list[int]] = defaultdict(list)
    gone: set[int] = set()
    for place in sorted(range(len(found)), key=lambda n: -best_of(found[n]).salience.score):
        first = found[place][0].spoken
        if first.utterance.is_person:
            continue
        exchange = kept[bisect_right(prompts, first.position)]
        if any(_same_thing(words[place], words[other], rare) for other in exchange):
            gone.add(place)
        else:
            exchange.append(place)
    return [each for place, each in enumerate(found) if place not in gone]


def best_of(thought: Thought) -> Judged:
    """The sentence with the best score: it leads."""
    return max(thought, key=lambda one: one.salience.score)


def _same_thing(one: frozenset[str], other: frozenset[str], rare: dict[str, float]) -> bool:
    shared = one & other
    if len(shared) < _LEAST or _numbers(one) ^ _numbers(other):
        return False  # another number is another statement
    weighed = [sum(rare[word] for word in words) for words in (shared, one, other)]
    return weighed[0] >= SAME_THING * min(weighed[1:])


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isdigit())


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
