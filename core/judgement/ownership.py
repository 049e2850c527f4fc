"""Did the person write a sentence of their prompt, or paste it?

Pasted prose carries no fence: articles, plans, reviews and logs stand in a prompt like one's own
words, and 81 of 100 wrong "person" memories came from them. A fitted model reads the shape of the
whole prompt and the sentence's place in it; no word list can.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..text.sentences import Sentence
from .weights import linear

MODEL = "ownership"

_ADDRESSES = re.compile(r"\b(?:i|i'm|we|you|please|can you|let's|me)\b", re.IGNORECASE)
_TYPED_FAST = re.compile(r"\b(?:dont|cant|wanna|pls|thats|im|i)\b")
_MARKS = re.compile("[\U0001f300-\U0001faff✅❌⚠⏺⎿✓→]")
_HANDS_OVER = re.compile(r"\W*(?:implement|execute|here)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What all sentences of a prompt share."""

    signs: dict[str, float]
    size_of_block: Counter[int]  # characters
    first_block: int
    last_block: int
    headings_before: list[bool]
    hands_over: bool
    leads: bool


def own_sentences(prompt: str, sentences: Sequence[Sentence]) -> list[bool]:
    """For each of a prompt's sentences, whether the person wrote it. Raises DamagedWeights."""
    if not sentences:
        return []
    model = linear(MODEL)
    least = model.thresholds["own"]
    return [model.sum(signs) >= least for signs in signs_of(prompt, sentences)]


def signs_of(prompt: str, sentences: Sequence[Sentence]) -> list[dict[str, float]]:
    """What the model sees of each sentence."""
    shape = _shape(prompt, sentences)
    return [_signs(one, place, sentences, shape) for place, one in enumerate(sentences)]


def _shape(prompt: str, sentences: Sequence[Sentence]) -> _Shape:
    count = len(sentences)
    kinds = Counter(one.kind for one in sentences)
    size = Counter[int]()
    headings: list[bool] = []
    for one in sentences:
        headings.append(bool(headings and headings[-1]))
        size[one.block] += len(one.text)
        if one.kind == "heading":
            headings[-1] = True
    before = [False, *headings[:-1]]
    signs = {
        "turn": float(_log(len(prompt))),
        f"turn{_log(len(prompt))}": 1.0,
        f"count{_log(count)}": 1.0,
        "headings": float(_log(kinds["heading"])),
        "items": float(_log(kinds["item"])),
        "fence": float("```" in prompt),
        "bold": float(prompt.count("**") > 2),
        "link": float("http" in prompt),
        "mark": float(bool(_MARKS.search(prompt))),
        "tag": float(prompt.lstrip().startswith("<")),
        "long": float(len(prompt) > 1500),
        "capitals": sum(c.isupper() for c in prompt) / max(1, len(prompt)),
        "lower": sum(one.text[:1].islower() for one in sentences) / count,
    }
    for kind in ("item", "heading", "cell"):
        signs[f"share-{kind}"] = kinds[kind] / count
    return _Shape(
        signs,
        size,
        sentences[0].block,
        sentences[-1].block,
        before,
        bool(_HANDS_OVER.match(sentences[0].text)),
        any(one.text.rstrip().endswith(":") for one in sentences[:3]),
    )


def _signs(
    one: Sentence, place: int, sentences: Sequence[Sentence], shape: _Shape
) -> dict[str, float]:
    text, count = one.text, len(sentences)
    before = sentences[place - 1].text if place else ""
    yes = {
        f"kind-{one.kind}": True,
        "begins-high": text[:1].isupper(),
        "begins-low": text[:1].islower(),
        "stops": text[-1:] in ".!?。",
        f"length{min(len(text) // 40, 6)}": True,
        "addresses": bool(_ADDRESSES.search(text)),
        "fast": bool(_TYPED_FAST.search(text)),
        "asks": text.endswith("?"),
        f"block{_log(shape.size_of_block[one.block])}": True,
        "first-block": one.block == shape.first_block,
        "last-block": one.block == shape.last_block,
        f"quarter{4 * place // count}": True,
        "under-heading": shape.headings_before[place],
        "opens": place == 0 and count > 3,
        "closes": place == count - 1,
        "led": before.endswith(":"),
        "leads-before": shape.leads and place > 0,
        "handed-over": shape.hands_over and place > 0,
        "code": "`" in text,
        "label": ":" in text[:40],
    }
    return {**shape.signs, **{name: 1.0 for name, holds in yes.items() if holds}}


def _log(count: int) -> int:
    return min(int(math.log2(count + 1)), 14)
