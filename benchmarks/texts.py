"""Invented memories in any number: plausible words, Zipf-like, always the same for a seed."""

import random
from collections.abc import Iterator
from typing import Any

STEMS = tuple(
    "berth tide pier gauge lock skipper invoice ledger token session retry queue worker cache index"
    " schema deploy rollback alert metric trace span timeout budget pool socket stream parser lexer"
    " router handler adapter gateway webhook payload cursor page filter facet tag fixture snapshot"
    " golden probe canary replica shard quorum lease fence epoch clock jitter dock hull".split()
)
VERBS = tuple("uses needs returns drops keeps writes reads locks splits merges skips signs".split())
GLUE = tuple("the a of to in when is and for with by on it not at from".split())
TYPES = ("semantic", "episodic", "procedural", "prospective")
CATEGORIES = ("decision", "architecture", "pattern", "warning", "discovery", "error", "preference")


def vocabulary() -> list[str]:
    """Plain common words first, then words such as `retry812`, ever rarer."""
    made = [*GLUE, *STEMS]
    return made + [f"{STEMS[n % len(STEMS)]}{n}" for n in range(6_000 - len(made))]


def memories(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Objects of the import format, 12 to 40 words each, about 190 characters."""
    rng = random.Random(seed)
    words = vocabulary()
    weights = [1 / (rank + 3) for rank in range(len(words))]
    for number in range(count):
        chosen = rng.choices(words, weights, k=rng.randint(12, 40))
        chosen[1::7] = [rng.choice(VERBS) for _ in chosen[1::7]]
        yield {
            "content": f"{' '.join(chosen)} {number}".capitalize(),
            "title": " ".join(chosen[:6]).capitalize(),
            "type": TYPES[number % len(TYPES)],
            "category": CATEGORIES[number % len(CATEGORIES)],
            "importance": round(rng.random(), 2),
            "tags": rng.sample(STEMS, 2),
            "files": [f"{rng.choice(STEMS)}/{rng.choice(STEMS)}.py"],
            "session": f"session-{number // 40}",
            "agent": "claude",
            "key": str(number),
        }
