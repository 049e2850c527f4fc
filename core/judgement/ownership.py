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

from ..text.sentences import Sentence
from .weights import linear

MODEL = "ownership"

_ADDRESSES = re.compile(r"\b(?:i|i'm|we|you|please|can you|let's|me)\b", re.IGNORECASE)
_TYPED_FAST = re.compile(r"\b(?:dont|cant|wanna|pls|thats|im|i)\b")
_MARKS = re.compile("[\U0001f300-\U0001faff✅❌⚠⏺⎿✓→]")
_HANDS_OVER = re.compile(r"\W*(?:implement|execute|here)", re.IGNORECASE)


def own_sentences(prompt: str, sentences: Sequence[Sentence]) -> list[bool]:
    """For each of a prompt's sentences, whether the person wrote it. Raises DamagedWeights."""
    if not sentences:
        return []
    model = linear(MODEL)
    least = model.thresholds["own"]
    return [model.sum(signs) >= least for signs in signs_of(prompt, sentences)]


def signs_of(prompt: str, sentences: Sequence[Sentence]) -> list[dict[str, float]]:
    """What the model sees of each sentence."""
    shared = _signs_of_prompt(prompt, sentences)
    block_sizes = Counter[int]()  # characters
    for one in sentences:
        block_sizes[one.block] += len(one.text)
    hands_over = bool(_HANDS_OVER.match(sentences[0].text))
    leads = any(one.text.rstrip().endswith(":") for one in sentences[:3])
    count, under_heading, before = len(sentences), False, ""
    told = []
    for place, one in enumerate(sentences):
        yes = {
            **_signs_of_words(one),
            f"block{_log(block_sizes[one.block])}": True,
            "first-block": one.block == sentences[0].block,
            "last-block": one.block == sentences[-1].block,
            f"quarter{4 * place // count}": True,
            "under-heading": under_heading,
            "opens": place == 0 and count > 3,
            "closes": place == count - 1,
            "led": before.endswith(":"),
            "leads-before": leads and place > 0,
            "handed-over": hands_over and place > 0,
        }
        told.append({**shared, **{name: 1.0 for name, holds in yes.items() if holds}})
        under_heading, before = under_heading or one.kind == "heading", one.text
    return told


def _signs_of_prompt(prompt: str, sentences: Sequence[Sentence]) -> dict[str, float]:
    count, kinds = len(sentences), Counter(one.kind for one in sentences)
    return {
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
        "share-item": kinds["item"] / count,
        "share-heading": kinds["heading"] / count,
        "share-cell": kinds["cell"] / count,
    }


def _signs_of_words(one: Sentence) -> dict[str, bool]:
    text = one.text
    return {
        f"kind-{one.kind}": True,
        "begins-high": text[:1].isupper(),
        "begins-low": text[:1].islower(),
        "stops": text[-1:] in ".!?。",
        f"length{min(len(text) // 40, 6)}": True,
        "addresses": bool(_ADDRESSES.search(text)),
        "fast": bool(_TYPED_FAST.search(text)),
        "asks": text.endswith("?"),
        "code": "`" in text,
        "label": ":" in text[:40],
    }


def _log(count: int) -> int:
    return min(int(math.log2(count + 1)), 14)
