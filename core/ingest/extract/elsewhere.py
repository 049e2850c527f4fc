"""What a session does with a sentence's words before it was said and after.

Was it asked for, is it taken up again, does the agent close with it, did tools show it first, does
it describe what was just written? Shares of 0 to 1, rare words counting more; what they are worth
is fitted. Linear in the session: a word of more than `COMMON` sentences leads nowhere.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from ...text.words import is_common
from .runs import EDITING
from .turns import Turn, calls_in
from .utterances import Spoken, closing_answers

COMMON = 40
"""Sentences of a session; a word in more of them leads to no other sentence."""

_READ = 600  # characters of a sentence
_LOOKED_AT = 6_000  # characters of what a tool was given or printed
_FORM = 7  # letters that the forms of one word share
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}|[^\W\d_]\w{2,}|\d+(?:\.\d+)*")
_ASCII_WORD = re.compile(r"[a-z]\w{2,}|\d+(?:\.\d+)*", re.ASCII)  # the same, of most texts
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WRITTEN = ("new_string", "content", "file_path", "notebook_path")


class Whereabouts:
    """Where each word of a session's sentences, `spoken` in `turns`, stands."""

    def __init__(self, turns: Sequence[Turn], spoken: Sequence[Spoken]) -> None:
        words = [telling_words(one.sentence.text) for one in spoken]
        self._spoken, self._words = spoken, words
        self._prompts = [place for place, turn in enumerate(turns) if turn.is_prompt]
        self._end = len(turns)
        self._closing = closing_answers(turns)
        seen = Counter(word for each in words for word in each)
        self._weight = {word: math.log1p(len(words) / count) for word, count in seen.items()}
        self._said: dict[str, list[int]] = defaultdict(list)
        for place, each in enumerate(words):
            for word in each:
                if seen[word] <= COMMON:
                    self._said[word].append(place)
        self._shown: dict[str, list[int]] = defaultdict(list)
        self._written: dict[str, list[int]] = defaultdict(list)
        for call in calls_in(turns):
            if call.tool in EDITING:
                for word in self._weight.keys() & _written(call.turn):
                    self._written[word].append(call.position)
            if call.result is not None:
                for word in self._weight.keys() & telling_words(call.result.text, _LOOKED_AT):
                    insort(self._shown[word], call.answered)

    def told(self, place: int) -> Spoken:
        """The sentence at this place, with what stands elsewhere of its words."""
        one, shares = self._spoken[place], tuple(self._shares(place))
        return replace(one, utterance=replace(one.utterance, elsewhere=shares))

    def _shares(self, place: int) -> Iterator[tuple[str, float]]:
        """What is more than nothing: where, and how much."""
        one, words = self._spoken[place], self._words[place]
        total = sum(self._weight[word] for word in words)
        if not total:
            return
        number = bisect_right(self._prompts, one.position)
        start = self._prompts[number - 1] if number else 0
        end = self._prompts[number] if number < len(self._prompts) else self._end
        for name, most in self._among_sentences(place, start, end).items():
            yield name, most / total
        for name, where, since, until in (
            ("shown-before", self._shown, 0, one.position),
            ("written-before", self._written, start, one.position),
            ("written-after", self._written, one.position, end),
        ):
            found = sum(
                self._weight[word]
                for word in words
                if (stands := where.get(word)) and _any_between(stands, since, until)
            )
            if found:
                yield name, found / total

    def _among_sentences(self, place: int, start: int, end: int) -> Mapping[str, float]:
        """The most that one sentence of another exchange, or the prompt, shares with this one."""
        one = self._spoken[place]
        shared: dict[int, float] = defaultdict(float)
        for word in self._words[place]:
            for other in self._said.get(word, ()):
                shared[other] += self._weight[word]
        most: dict[str, float] = defaultdict(float)
        for other, weight in shared.items():
            it = self._spoken[other]
            is_persons = it.utterance.is_person
            if start <= it.position < end and is_persons == one.utterance.is_person:
                continue
            when = "later" if other > place else "before"
            name = f"{'person' if is_persons else 'agent'}-{when}"
            most[name] = max(most[name], weight)
            if when == "later" and it.position in self._closing:
                most["closing"] = max(most["closing"], weight)
        return most


def telling_words(text: str, most: int = _READ) -> frozenset[str]:
    """The telling words of `text`, cut to what their forms share."""
    text = text[:most].lower()
    words = set((_ASCII_WORD if text.isascii() else _WORD).findall(text))
    return frozenset(chain.from_iterable(map(_forms, words)))


@lru_cache(maxsize=8_192)  # a session says the same words over and over
def _forms(word: str) -> tuple[str, ...]:
    """What of a word tells something: nothing of a common one, pairs where none are spaced."""
    if not word.isascii() and _WIDE.match(word):
        return tuple(word[n : n + 2] for n in range(len(word) - 1))
    if is_common(word):
        return ()
    return (word if word[0].isdigit() or "_" in word else word[:_FORM],)


def _written(turn: Turn) -> frozenset[str]:
    """The words of what an edit puts in."""
    given = turn.tool_input
    parts = [value for name in _WRITTEN if isinstance(value := given.get(name), str)]
    edits = given.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, dict) and isinstance(new := edit.get("new_string"), str):
            parts.append(new)
    return telling_words("\n".join(part[:_LOOKED_AT] for part in parts), 2 * _LOOKED_AT)


def _any_between(stands: Sequence[int], first: int, last: int) -> bool:
    place = bisect_left(stands, first)
    return place < len(stands) and stands[place] < last
