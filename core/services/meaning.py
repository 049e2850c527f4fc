"""Search by meaning: vectors of memories, if `recall.encoder` names an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...db import vectors
from ...db.errors import BadInput
from ..models.encoders import encoder_called, vectors_of
from ..recall.candidates import MAX_READ, matcher, text_of
from ..recall.ranking import Ranked

if TYPE_CHECKING:
    from ...db.memories import Request
    from ..context import Context
    from ..models.encoders import Encoder
    from ..recall.candidates import Term
    from .maintenance import Progress

BATCH, CHARACTERS = 50, 1_000
"""Memories that are encoded and stored at once, and characters of each."""

LOOKED_AT, NEAREST = 200, 15
"""Nearest memories that are checked against the filters of a query, and that a search takes."""

WEIGHT, WEAK = 0.15, 0.45
"""Weight of the same meaning, as a share of the best score by words. Share of a question's words,
by weight, below which a match by words is a weak one."""

CROWD, FALL = 20, 0.7
"""The nearest memory stands out if the 20th is less near than this share of it. If all matches by
words are weak as well, the near ones go first."""

SURE = 0.4
"""Nearness, 0-1, from which a memory that no word found may be injected."""

CHUNK = 1_024
"""Vectors that are compared at once. With more the library starts threads, which cost ten times."""


class Meaning:
    _context: Context

    def encoder(self) -> Encoder:
        """Return the encoder of the settings. Raises BadInput, also if they name none."""
        policy = self._context.policy
        name = policy.recall.encoder
        return encoder_called(name, policy.review.engines.get(name))

    def is_complete(self) -> bool:
        """Encode a word; return True if every memory has a vector. Raises BadInput."""
        encoder = self.encoder()
        vectors_of(encoder, ["memory"])
        return not vectors.unencoded(*self._context.here, encoder.name, 1)

    def fill(self, most: int, go_on: Progress | None = None) -> int:
        """Encode at most `most` memories without a vector; return how many. Raises BadInput."""
        encoder, here, done = self.encoder(), self._context.here, 0
        while waiting := vectors.unencoded(*here, encoder.name, min(BATCH, most - done)):
            codes = _packed(vectors_of(encoder, [_text(*texts) for _, _, *texts in waiting]))
            rows = zip(waiting, codes, strict=True)
            encoded = ((num, revision, code.tobytes()) for (num, revision, *_), code in rows)
            vectors.put(here[0], encoder.name, encoded)
            done += len(waiting)
            if go_on and not go_on(done, None):
                break
        return done

    def nearest(self, text: str, request: Request) -> tuple[dict[int, float], bool]:
        """Map numbers of near memories to nearness, 0-1; tell whether the first stands out."""
        try:
            encoder = self.encoder()
            [vector] = vectors_of(encoder, [text])
        except BadInput:
            return {}, False
        database, project, name = self._context.database, request.project, encoder.name
        index = _index_of(self._context.home.path, name, len(vector), project)
        index.update(vectors.since(database, project, name, len(vector), index.stamp))
        cosines = index.nearest(vector, encoder.floor)
        in_order = [*cosines.values(), *[0.0] * CROWD]  # the best first
        stands_out = in_order[CROWD - 1] < FALL * in_order[0]
        fitting = set(vectors.fitting(database, request._replace(words=()), list(cosines)))
        close = [num for num in cosines if num in fitting][:NEAREST]
        near = {num: (cosines[num] - encoder.floor) / (1 - encoder.floor) for num in close}
        return near, stands_out

    def added(
        self, text: str, request: Request, ranked: Sequence[Ranked], terms: Sequence[Term]
    ) -> list[Ranked]:
        """Return ranked memories with the part "meaning", and near ones that no word found."""
        near, stands_out = self.nearest(text, request)
        match = matcher(tuple(terms))
        shares = (match(text_of(item.image)).share for item in ranked[:MAX_READ])
        are_first = stands_out and max(shares, default=0) < WEAK
        best = ranked[0].score if ranked else 1.0
        others = near.keys() - {item.image["num"] for item in ranked}
        images = self._context.reader().sketches(sorted(others)) if others else ()
        items = {item.image["num"]: item for item in ranked}
        items |= {image["num"]: Ranked(image, 0.0, {}, (), False, False) for image in images}
        for rank, (num, closeness) in enumerate(near.items()):
            if item := items.get(num):
                part = WEIGHT * best * closeness
                if are_first:
                    part = max(part, best * (1 + (NEAREST - rank) / 100) - item.score)
                items[num] = item._replace(
                    score=item.score + part,
                    parts={**item.parts, "meaning": part},
                    is_relevant=item.is_relevant or closeness >= SURE,
                )
        return sorted(items.values(), key=lambda item: -item.score)  # of equals, by words first


def _text(title: str, content: str) -> str:
    """Return a memory's text to encode. A title is often the start of the content."""
    is_start = content.startswith(title.removesuffix("…"))
    return (content if is_start else f"{title}\n{content}")[:CHARACTERS]


def _packed(encoded: Any) -> Any:
    """Return vectors as signed bytes, each scaled by its own largest number."""
    import numpy

    peaks = numpy.abs(encoded).max(axis=1, keepdims=True)
    return numpy.rint(127 * encoded / numpy.maximum(peaks, 1e-12)).astype(numpy.int8)


@lru_cache(maxsize=4)  # the MCP server opens the store for each call
def _index_of(_home: str, _encoder: str, _size: int, _project: str | None) -> _Index:
    return _Index()


class _Index:
    """Vectors in memory, one signed byte a dimension."""

    def __init__(self) -> None:
        self.stamp = 0
        self.nums: Any = ()
        self._codes: Any = None
        self._shares: Any = None  # factors from a product to a cosine

    def update(self, rows: Sequence[tuple[int, bytes, int]]) -> None:
        """Add vectors, in the place of older ones of the same memories."""
        if not rows:
            return
        import numpy

        nums = numpy.asarray([num for num, _, _ in rows])
        whole = b"".join(code for _, code, _ in rows)
        codes = numpy.frombuffer(whole, numpy.int8).reshape(len(rows), -1)
        norms = numpy.sqrt(numpy.einsum("ij,ij->i", codes, codes, dtype=numpy.float32))
        shares = 1 / numpy.maximum(norms, 1e-12)
        if len(self.nums):
            others = ~numpy.isin(self.nums, nums)
            nums = numpy.concatenate((self.nums[others], nums))
            codes = numpy.concatenate((self._codes[others], codes))
            shares = numpy.concatenate((self._shares[others], shares))
        self.nums, self._codes, self._shares = nums, codes, shares
        self.stamp = max(stamp for _, _, stamp in rows)

    def nearest(self, vector: Any, floor: float) -> dict[int, float]:
        """Map numbers to cosines of at least `floor`, the best `LOOKED_AT`, best first."""
        import numpy

        norm = numpy.linalg.norm(vector)
        if not (len(self.nums) and norm):
            return {}
        cosines = numpy.empty(len(self.nums), numpy.float32)
        direction = (vector / norm).astype("float32")  # with 64 bits it takes three times as long
        for start in range(0, len(cosines), CHUNK):
            part = self._codes[start : start + CHUNK].astype(numpy.float32)
            cosines[start : start + CHUNK] = part @ direction
        cosines *= self._shares
        count = min(LOOKED_AT, len(cosines))
        best = numpy.argpartition(-cosines, count - 1)[:count]
        best = best[numpy.argsort(-cosines[best])]
        return {
            int(self.nums[at]): min(float(cosines[at]), 1.0) for at in best if cosines[at] >= floor
        }
