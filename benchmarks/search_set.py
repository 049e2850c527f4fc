"""Short notes in any number over two dozen projects, and what people ask about them.

Words follow Zipf's law as in English: half of them hold sentences together, a few hundred are in
every project, and the tail is long: each project has names, identifiers and paths of its own.
Everything follows from the seed.
"""

import random
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

STEMS = tuple(
    "berth tide pier gauge lock skipper invoice ledger token session retry queue worker cache index"
    " schema deploy rollback alert metric trace span timeout budget pool socket stream parser lexer"
    " router handler adapter gateway webhook payload cursor page filter facet tag fixture snapshot"
    " golden probe canary replica shard quorum lease fence epoch clock jitter dock hull".split()
)
VERBS = tuple("uses needs returns drops keeps writes reads locks splits merges skips signs".split())
TYPES = ("semantic", "episodic", "procedural", "prospective")
CATEGORIES = ("decision", "architecture", "pattern", "warning", "discovery", "error", "preference")

SHARES = (10, 9, 8, 7, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1)
"""What each of the projects holds of all memories, in percent."""

ALONE = (100,)
"""The same of a store with a single project."""

A_SESSION = 25
"""Memories learned in one session, which stand side by side in one project."""

START_MS = 1_735_689_600_000  # 2025-01-01
NEWEST_MS = START_MS + 440 * 86_400_000

_GLUE = (
    "the a of to in is and for with by on it not at from that we be as this are was when only"
    " after before if so because which has have its into than then but or must can will each"
    " one two every their there more now were still both does while until over"
).split()
_GENERAL = (
    "file test error build user data request response server client version branch commit release"
    " module function class config default value field column table row query page button form"
    " image report order payment account customer email message event handler job task step run"
    " start stop open close read write send receive load save create delete update change check"
    " fail pass wait expect return call keep drop move copy split merge sort filter count limit"
    " first last next previous old new same other large small slow fast early late empty full"
    " missing broken wrong safe public private local remote shared temporary nightly weekly daily"
    " production staging machine folder path name key header footer body line number date hour"
    " second minute week month price total rate discount tax currency country language translation"
    " password permission role group team owner reviewer person agent prompt model memory disk"
    " network port host address certificate domain proxy balancer container image volume cluster"
    " node process thread memory leak crash restart backup restore migration constraint transaction"
    " isolation deadlock race retry backoff duplicate unique random stable flaky snapshot fixture"
    " mock coverage lint format style import export upload download archive compress encode decode"
    " parse render draw scroll click focus modal dialog tooltip theme colour font margin layout"
    " responsive mobile desktop browser cookie header redirect template partial component store"
    " reducer hook effect state property attribute selector animation transition"
).split()
_ONSETS = "b c ch d f g h j k l m n p r s t v w br cl cr dr fl gr pl pr sh sp st str th tr".split()
_VOWELS = "a e i o u".split()
_CODAS = "l m n r s t x ck ll nd ng rt st".split()
_TAILS = (
    "der met lin ric sor tan val wick ford by ham ster gate mond rel dun fex lor mint nack op pra"
    " quet ril sen tor ust vane wold yx zim"
).split()
_ASKS = (
    "how does the {0} {1} work with {2}?",
    "why did we change the {0} of the {1} when the {2} failed",
    "where is the {0} for {1} {2} kept?",
    "what was decided about {0} and {1} in the {2} release?",
    "please fix the {0} in {1}, it should not {2} any more",
    "add a test for {0} {1} that covers the {2} case and run it",
    "{0} {1} {2}",
    "the {0} is slow again since the {1} update, could it be the {2}? look at the logs and"
    " tell me what we know about {3} and {4} before you change anything",
)


class Asked(NamedTuple):
    """A prompt, and the key of a note that it was made of."""

    text: str
    answer: str


def project_name(place: int) -> str:
    """The name of a project by its place in `SHARES`."""
    return f"bench-{place:02}"


class Notes:
    """`count` notes, the same for a seed. Iterating gives objects of the import format."""

    def __init__(self, count: int, seed: int = 1, shares: Sequence[int] = SHARES) -> None:
        self.count = count
        self.shares = shares
        self._seed = seed
        tail = _invented(random.Random(seed), 20_000 + 300 * len(SHARES))
        shared = list(dict.fromkeys((*STEMS, *_GENERAL)))
        random.Random(seed + 1).shuffle(shared)
        self._words = shared + tail[:20_000]
        self._steps = list(accumulate(1 / (rank + 20) for rank in range(len(self._words))))
        self._own = [tail[20_000 + 300 * n : 20_300 + 300 * n] for n in range(len(SHARES))]
        self._own_steps = list(accumulate(1 / (rank + 3) for rank in range(300)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        rng = random.Random(self._seed)
        left = array("q", [self.count * share // 100 for share in self.shares])
        left[0] += self.count - sum(left)
        number = 0
        while number < self.count:
            place = rng.choices(range(len(self.shares)), left)[0]
            session = f"s-{number:07}"
            for _ in range(min(A_SESSION, left[place])):
                yield self._note(rng, place, number, session)
                left[place] -= 1
                number += 1

    def _note(self, rng: random.Random, place: int, number: int, session: str) -> dict[str, Any]:
        words = rng.choices(self._words, cum_weights=self._steps, k=rng.randint(5, 14))
        own = rng.choices(self._own[place], cum_weights=self._own_steps, k=3)
        words[1] = own[0]
        if number % 3 == 0:
            words[3] = f"{own[1]}{words[0].capitalize()}"
        if number % 4 == 0:
            words[4] = f"{own[2]}/{words[2]}.py"
        if number % 5 == 0:
            words.append(str(rng.randint(2, 9_000)))
        words.insert(2, VERBS[number % len(VERBS)])
        text = " ".join(f"{rng.choice(_GLUE)} {word}" for word in words)
        return {
            "content": f"{text.capitalize()}.",
            "type": TYPES[number % len(TYPES)],
            "category": CATEGORIES[number % len(CATEGORIES)],
            "importance": number % 10 / 10,
            "tags": [words[0]] if number % 3 == 0 else [],
            "files": [f"src/{own[2]}/{words[2]}.py"] if number % 4 == 0 else [],
            "session": session,
            "agent": "claude",
            "key": str(number),
            "project": place,
        }

    def questions(self, place: int, count: int) -> list[Asked]:
        """What might be asked in a project: words of its notes, common ones, slips and names."""
        rng = random.Random(f"2-{place}")
        step = max(self.count // (40 * count), 1)
        notes = [one for n, one in enumerate(self) if one["project"] == place and n % step < 25]
        made = []
        for number, note in enumerate(rng.sample(notes, min(count, len(notes)))):
            words = note["content"].strip(".").lower().split()[1::2]
            chosen = rng.sample(words, min(3, len(words)))
            if number % 4 == 0:  # one of the words is another than the note's
                chosen[-1] = rng.choice(_GENERAL)
            if number % 7 == 0 and len(chosen[0]) > 5:  # a slip
                chosen[0] = chosen[0][:2] + chosen[0][3] + chosen[0][2] + chosen[0][4:]
            chosen += rng.sample(_GENERAL, 2)
            made.append(Asked(_ASKS[number % len(_ASKS)].format(*chosen), note["key"]))
        return made


def _invented(rng: random.Random, count: int) -> list[str]:
    """So many different words of two or three syllables; early letters are more common."""
    found: dict[str, None] = {}
    while len(found) < count:
        onset = _ONSETS[int(len(_ONSETS) * rng.random() ** 1.5)]
        head = onset + rng.choice(_VOWELS) + rng.choice(_CODAS)
        middle = rng.choice(("", rng.choice(_ONSETS) + rng.choice(_VOWELS)))
        found[head + middle + rng.choice(_TAILS)] = None
    return list(found)
