"""The words of a prompt worth looking for.

A prompt is prose, code, paths and error messages in one. Words that say nothing are left out;
identifiers and paths are looked for whole and in parts. At most 64 words leave this room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ...db.index import UNSPACED
from ...frozen import NamedTuple
from ..text.shapes import (
    ending_of_file,
    is_camel,
    is_code,
    is_number,
    may_be_unspaced,
    parts_of,
    without_line,
)
from ..text.words import runs
from .aliases import own_words
from .vocabulary import COMMON_WORDS, FILE_ENDINGS, NO_PARTS, STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MAX_WORDS = 64
LONGEST = 200
"""Runs of more characters are data, not words."""

HEAD_CHARACTERS, TAIL_CHARACTERS = 16_000, 8_000
"""What is read of a long prompt: its question stands at one end or the other."""

WEIGHTS: Mapping[str, float] = {
    "question": 0.3,  # who, where: what is asked for, see `expansion`
    "common": 0.4,  # run, test, file: every memory has one of them
    "word": 1.0,
    "number": 1.0,  # 8080, 3.11
    "name": 1.6,  # retryBudget, MAX_SIZE, os.path.join
    "path": 1.6,  # db/store.py, https://example.org/a
    "run": 1.6,  # writing without spaces: parts are its pairs of signs
    "code": 2.0,  # TS2345, ECONNREFUSED, CVE-2024-1234
}
"""How much a word says about what is meant, by kind."""

_EDGES = ".:'’‘/\\-–—#@$%^&~+"


class Term(NamedTuple):
    """One thing a prompt speaks of, and the words under which the index may know it."""

    text: str  # lower case, as it stands in the prompt
    kind: str = "word"  # one of WEIGHTS
    parts: tuple[str, ...] = ()  # of an identifier or a path, lower case
    synonyms: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How much it says, 0.3 to 2.0."""
        return WEIGHTS[self.kind]

    @property
    def is_specific(self) -> bool:
        """Whether it names one very thing, such as a path or an error code."""
        return self.kind in ("name", "path", "code")


def keywords(prompt: str, aliases: Mapping[str, Sequence[str]] | None = None) -> tuple[Term, ...]:
    """What `prompt` speaks of, in its own order; at most 64 terms, the telling ones first to stay.

    Empty for small talk ("ok thanks"). Never raises; time is linear in the first 16,000 and the
    last 8,000 characters, the rest is not read.
    """
    if len(prompt) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        prompt = f"{prompt[:HEAD_CHARACTERS]} {prompt[-TAIL_CHARACTERS:]}"
    seen: dict[str, Term] = {}
    for raw in runs(prompt):
        for term in _terms(raw):
            known = seen.get(term.text)
            if known is None or known.weight < term.weight:
                seen[term.text] = term
    terms = _foremost(seen.values())
    own = aliases or {}
    return tuple(term._replace(synonyms=own_words(term.text, own)) for term in terms)


def index_words(terms: Sequence[Term], limit: int = MAX_WORDS) -> tuple[str, ...]:
    """The words to ask the index for: terms whole, then their parts, then their synonyms.

    Common words are among them: BM25 knows how little they say, and the index leaves out what
    costs too much. At most `limit`, none twice.
    """
    words: dict[str, None] = dict.fromkeys(t.text for t in terms if t.kind != "question")
    words.update(dict.fromkeys(part for term in terms if term.kind != "run" for part in term.parts))
    words.update(dict.fromkeys(other.lower() for term in terms for other in term.synonyms))
    return tuple(words)[:limit]


def paths_in(terms: Sequence[Term]) -> tuple[str, ...]:
    """The paths among `terms`: files the prompt itself is about."""
    return tuple(term.text for term in terms if term.kind == "path")


def split_name(name: str) -> tuple[str, ...]:
    """The words inside an identifier, lower case: `HTTPRetry_max2` gives http, retry, max, 2."""
    return tuple(part.lower() for part in parts_of(name))


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Made when it is needed: so wide a range takes milliseconds to compile, and a prompt waits."""
    import re

    return re.compile(f"[{UNSPACED}]{{2,}}")


@lru_cache(maxsize=1)
def _grammar() -> re.Pattern[str]:
    """What parts the words of such writing and says nothing: kana of grammar, Chinese particles."""
    import re

    return re.compile("[\u3041-\u309f]+|为什么|什么|怎么|如何|多少|可以|哪里|[的是吗呢吧了么]")


@lru_cache(maxsize=1)
def _seam() -> re.Pattern[str]:
    import re

    return re.compile(f"(?<=[{UNSPACED}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[{UNSPACED}])")


def parted(text: str) -> str:
    """`text` with a blank between Latin words and the writing without spaces beside them."""
    return _seam().sub(" ", text) if may_be_unspaced(text) else text


def _terms(raw: str) -> Iterable[Term]:
    """What one run of characters without white space speaks of."""
    token = raw.strip(_EDGES)
    if ":" in token and not token[:1].isdigit():
        token = without_line(token)
    head, quote, _ = token.replace("’", "'").partition("'")
    if quote:  # don't, the store's, l'API
        token = head if len(head) > 1 else token.replace("’", "'").partition("'")[2]
    if not 2 <= len(token) <= LONGEST or token.lower() in STOP_WORDS:
        return
    if runs := _unspaced().findall(token) if may_be_unspaced(token) else []:
        pieces = [piece for run in runs for piece in _grammar().split(run) if len(piece) > 1]
        for run in pieces or runs:
            pairs = dict.fromkeys(run[place : place + 2] for place in range(len(run) - 1))
            yield Term(run, "run", tuple(pairs)[:12])
        for piece in _unspaced().sub(" ", token).split():
            yield from _terms(piece)
    elif token.isalpha() and token[1:].islower():
        yield _word(token)
    elif ".." in token and "/" not in token:  # prose without a blank, or a range of commits
        for piece in token.split(".."):
            yield from _terms(piece)
    elif "/" in token or "\\" in token:
        pieces = [piece for piece in token.replace("\\", "/").split("/") if piece]
        if len(pieces) > 2 or raw[0] in "./~\\" or _is_file(pieces[-1]):
            yield _named(token, "path")
        else:  # and/or, read/write
            for piece in pieces:
                yield from _terms(piece)
    elif is_code(token):
        yield Term(token.lower(), "code")
    elif is_number(token):
        if len(token) > 2:
            yield Term(token, "number")
    elif _is_file(token):
        yield _named(token, "path")
    elif "_" in token or ":" in token or "." in token or is_camel(token):
        yield _named(token, "name")
    elif "-" in token:
        for piece in token.split("-"):
            yield from _terms(piece)
    else:
        yield _word(token)


def _word(token: str) -> Term:
    word = token.lower()
    return Term(word, "common" if word in COMMON_WORDS else "word")


def _named(token: str, kind: str) -> Term:
    """A path or identifier with its telling parts."""
    text = token.lower().rstrip("_").replace("\\", "/")
    parts = dict.fromkeys(
        part for part in split_name(token) if len(part) > 1 and part not in NO_PARTS
    )
    if len(parts) == 1 and text in parts:
        return Term(text)
    return Term(text or token.lower(), kind, tuple(parts)[:12])


def _is_file(token: str) -> bool:
    """Whether `token` looks like a file's name, by its ending."""
    return ending_of_file(token).lower() in FILE_ENDINGS


def _foremost(terms: Iterable[Term]) -> list[Term]:
    """At most 64 terms: the weightiest, in the order of the prompt."""
    listed = list(terms)
    if len(listed) <= MAX_WORDS:
        return listed
    kept = sorted(range(len(listed)), key=lambda place: -listed[place].weight)[:MAX_WORDS]
    return [listed[place] for place in sorted(kept)]
