"""A valid stored image to vary, and a reader that holds such images."""

import itertools
from collections.abc import Callable, Iterator

import pytest

from memdeck.core.config.limits import RecallLimits

NOW_MS = 1_774_000_000_000
DAY_MS = 86_400_000


class Shelf:
    """A reader over images in memory: what `core/retrieval/reader.py` asks for, and no more.

    Its BM25 is the number of words in common, or `scores` by num.
    """

    def __init__(self, images=(), **more):
        self.all = {image["num"]: image for image in images}
        self.scores = more.get("scores", {})
        self.pairs = more.get("pairs", [])
        self.own_aliases = more.get("aliases", {})
        self.kept_summaries = more.get("summaries", [])
        self.vocabulary = more.get("vocabulary", ())
        self.is_scored = bool(self.scores)  # then every word counts as known
        self.asked = []
        self.looked_up = []

    def candidates(self, words, project, limit):
        self.asked.append((tuple(words), limit))
        found = []
        for num, image in self.all.items():
            text = f"{image['title']} {image['content']}".lower()
            score = self.scores.get(num, float(sum(word in text for word in words)))
            if score and self._is_here(image, project):
                found.append((num, score))
        return sorted(found, key=lambda one: -one[1])[:limit]

    def frequencies(self, words, project=None):
        images = [one for one in self.all.values() if not project or self._is_here(one, project)]
        texts = [f"{one['title']} {one['content']}".lower() for one in images]
        return {word: sum(word in text for text in texts) or self.is_scored for word in words}

    def near_words(self, word):
        self.looked_up.append(word)
        return [known for known in self.vocabulary if known[:2] == word[:2]]

    def holding(self, texts, project, limit, beside=()):
        return [
            num
            for num, image in list(self.all.items())[-limit:]
            if self._is_here(image, project)
            and any(text in f"{image['title']} {image['content']}".lower() for text in texts)
        ]

    def company(self, nums):
        names = dict.fromkeys(self.all[num]["session"] for num in nums)
        return [
            [num for num, image in self.all.items() if image["session"] == name]
            for name in names
            if name
        ]

    def sketches(self, nums):
        return self.images(nums)

    def images(self, nums):
        return [dict(self.all[num]) for num in nums if num in self.all]

    def pinned(self, project, limit):
        return self._nums(project, lambda image: image["status"] == "pinned")[:limit]

    def working(self, project, session):
        return self._nums(
            project, lambda image: image["type"] == "working" and image["session"] == session
        )

    def todos(self, project, session, limit, *, unproven=False):
        return self._nums(
            project,
            lambda image: (
                image["details"].get("status") in ("pending", "active")
                and (unproven or self._is_settled(image, session))
            ),
        )[:limit]

    def reminders(self, project, session, limit):
        return []

    def awaited(self, project, session, limit):
        return []

    def foremost(self, project, session, min_importance, limit, *, unproven=False):
        found = self._nums(
            project,
            lambda image: (
                image["importance"] >= min_importance
                and (unproven or self._is_settled(image, session))
            ),
        )
        return sorted(found, key=lambda num: -self.all[num]["created_at"])[:limit]

    def preferences(self, project, session, limit, *, unproven=False):
        found = self._nums(
            project,
            lambda image: (
                image["category"] == "preference" and (unproven or self._is_settled(image, session))
            ),
        )
        return sorted(found, key=lambda num: -self.all[num]["importance"])[:limit]

    def of_role(self, project, session, role, limit, *, unproven=False):
        return self._nums(
            project,
            lambda image: image["role"] == role and (unproven or self._is_settled(image, session)),
        )[:limit]

    def settled(self, nums, session):
        return [num for num in nums if self._is_settled(self.all[num], session)]

    def learned(self, session):
        return [
            num
            for num, image in self.all.items()
            if image["session"] == session and self._is_settled(image, None)
        ]

    def summaries(self, project, limit):
        return self.kept_summaries[:limit]

    def aliases(self, project):
        return self.own_aliases

    def rivals(self, ids):
        return [pair for pair in self.pairs if set(pair) & set(ids)]

    def both_hold(self, ids):
        return []

    def nums(self, ids):
        by_id = {image["id"]: num for num, image in self.all.items()}
        return [by_id[memory_id] for memory_id in ids if memory_id in by_id]

    def _nums(self, project, fits):
        return [n for n, image in self.all.items() if self._is_here(image, project) and fits(image)]

    @staticmethod
    def _is_settled(image, session):
        return image["status"] != "candidate" or (session and image["session"] == session)

    @staticmethod
    def _is_here(image, project):
        return image["retired_at"] is None and (
            image["project"] == project or image["scope"] == "global"
        )


@pytest.fixture(scope="session")
def an_image() -> Callable[..., dict]:
    """Make a valid image; say only what matters."""
    numbers: Iterator[int] = itertools.count(1)

    def make(content: str = "Berth 12 floods at spring tide", **fields: object) -> dict:
        num = next(numbers)
        image = {
            "num": num,
            "id": f"m{num:08}abcdefg",
            "short_id": f"m{num:08}",
            "key": None,
            "type": "semantic",
            "category": "warning",
            "scope": "project",
            "project": "harbour",
            "status": "confirmed",
            "title": "",
            "content": content,
            "importance": 0.5,
            "confidence": 0.7,
            "privacy": "public",
            "tags": [],
            "files": [],
            "session": None,
            "agent": "claude",
            "agent_id": None,
            "role": None,
            "transcript": None,
            "line": None,
            "ref": None,
            "tokens": 7,
            "created_at": NOW_MS - 3 * DAY_MS,
            "updated_at": NOW_MS - 3 * DAY_MS,
            "due": None,
            "expires": None,
            "retired_at": None,
            "retired_as": None,
            "details": {},
            "accesses": 0,
            "last_access": None,
            "helpful": 0,
            "unhelpful": 0,
            "in_conflict": False,
            "revision": 1,
        }
        return {**image, **fields}

    return make


@pytest.fixture(scope="session")
def shelf() -> type[Shelf]:
    return Shelf


@pytest.fixture(scope="session")
def now_ms() -> int:
    return NOW_MS


@pytest.fixture(scope="session")
def limits() -> RecallLimits:
    return RecallLimits()
