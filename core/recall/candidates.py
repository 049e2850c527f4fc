"""Find the words of a prompt worth looking for, and the candidates that have them; read times.

rarest words -> BM25 -> neighbours in the session. If that finds little, once more with synonyms,
joined words and corrected spelling (`expansion`). No step begins after `limits.max_retrieval_ms`.

A prompt mixes prose, code, paths and error messages. Stop words are left out. Identifiers and paths
are searched for whole and in parts. One shared word is weak evidence, unless it is a name or nearly
the whole prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log

from ...db.index import (
    POSTINGS_HERE,
    UNSPACED,
    affordable,
    name_words,
    parts_of,
    unspaced_words,
    usual_width,
    without_particle,
)
from ...frozen import NamedTuple
from ..config.limits import RecallLimits
from ..text.words import (
    MONTHS,
    NUMBERS,
    SECTIONS,
    STOP_WORDS,
    UNIT_DAYS,
    ending_of_file,
    is_camel,
    is_code,
    is_common,
    is_number,
    is_trade,
    letters_and_digits,
    may_be_unspaced,
    run_at,
    runs,
    without_line,
    words,
)
from ..values import datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from ...db.fast_reader import Reader

COMMON_WORDS = frozenset(SECTIONS["common"].split())
"""Words that nearly every note about a program has."""

WORK_WORDS = frozenset(SECTIONS["work"].split())
"""Words that people use with an agent about any subject, and orders to continue."""

FILE_ENDINGS = frozenset(SECTIONS["file endings"].split())
"""Endings that mark a word as a file name."""

NO_PARTS = FILE_ENDINGS | STOP_WORDS | {"http", "https", "www", "com", "org"}
"""Pieces of paths and identifiers that are not searched for by themselves."""


MAX_WORDS = 64
LONGEST = 200  # longer runs of characters are data, not words

HEAD_CHARACTERS, TAIL_CHARACTERS = 16_000, 8_000
"""Characters that are read of a long prompt. Its question is at one end."""

WEIGHTS: Mapping[str, float] = {
    "question": 0.3,  # who, where: see `expansion`
    "common": 0.4,  # run, test, file: every memory has one of them
    "word": 1.0,
    "number": 1.0,  # 8080, 3.11
    "name": 1.6,  # retryBudget, MAX_SIZE, os.path.join
    "path": 1.6,  # db/store.py, https://example.org/a
    "run": 1.6,  # writing without spaces: parts are its pairs of signs
    "code": 2.0,  # TS2345, ECONNREFUSED, CVE-2024-1234
}
"""Weight of a word by its kind."""

_EDGES = ".:'’‘/\\-–—#@$%^&~+"


class Term(NamedTuple):
    """One subject of a prompt, and the words that the index may have for it."""

    text: str  # lower case, as in the prompt
    kind: str = "word"  # one of WEIGHTS
    parts: tuple[str, ...] = ()  # of an identifier or a path, lower case
    synonyms: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """Return its weight, 0.3 to 2.0."""
        return WEIGHTS[self.kind]

    @property
    def is_specific(self) -> bool:
        """Return True if it is a name, such as a path or an error code."""
        return self.kind in ("name", "path", "code")


def keywords(prompt: str, aliases: Mapping[str, Sequence[str]] | None = None) -> tuple[Term, ...]:
    """Return the subjects of `prompt` in its order, at most the 64 weightiest.

    Empty for small talk ("ok thanks"). Never raises. Only the first 16,000 and the last 8,000
    characters are read, in linear time.
    """
    if len(prompt) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        prompt = f"{prompt[:HEAD_CHARACTERS]} {prompt[-TAIL_CHARACTERS:]}"
    seen: dict[str, Term] = {}
    for raw in runs(usual_width(prompt)):
        for term in _terms(raw):
            before = seen.get(term.text)
            if before is None or before.weight < term.weight:
                seen[term.text] = term
    terms, own = list(seen.values()), aliases or {}
    if len(terms) > MAX_WORDS:  # the weightiest, in the order of the prompt
        heaviest = sorted(range(len(terms)), key=lambda position: -terms[position].weight)
        terms = [terms[position] for position in sorted(heaviest[:MAX_WORDS])]
    return tuple(term._replace(synonyms=own_words(term.text, own)) for term in terms)


def own_words(word: str, own: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return other words for `word` (lower case) by the project's own aliases.

    Aliases also work backwards, unless the synonym has aliases itself.
    """
    if word in own:
        return tuple(own[word])
    return tuple(key for key, others in own.items() if word in others)


def index_words(terms: Sequence[Term]) -> tuple[str, ...]:
    """Return the words to ask the index for: whole terms, then their parts, then synonyms.

    Common words are included, since BM25 weighs them. At most `MAX_WORDS`, each once.
    """
    words: dict[str, None] = dict.fromkeys(t.text for t in terms if t.kind != "question")
    words.update(dict.fromkeys(part for term in terms for part in term.parts))
    words.update(dict.fromkeys(other.lower() for term in terms for other in term.synonyms))
    return tuple(words)[:MAX_WORDS]


def paths_in(terms: Sequence[Term]) -> tuple[str, ...]:
    """Return the paths among `terms`."""
    return tuple(term.text for term in terms if term.kind == "path")


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Return the pattern. Cached: so wide a range takes milliseconds to compile."""
    import re

    return re.compile(f"[{UNSPACED}]+")


@lru_cache(maxsize=1)
def _seam() -> re.Pattern[str]:
    import re

    return re.compile(f"(?<=[{UNSPACED}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[{UNSPACED}])")


def parted(text: str) -> str:
    """Return `text` with a blank between Latin words and adjacent writing without spaces."""
    return _seam().sub(" ", text) if may_be_unspaced(text) else text


def _terms(raw: str) -> Iterable[Term]:
    """Return the terms in one run of characters without white space."""
    token = raw.strip(_EDGES)
    if ":" in token and not token[:1].isdigit():
        token = without_line(token)
    head, quote, _ = token.replace("’", "'").partition("'")
    if quote:  # don't, the store's, l'API
        token = head if len(head) > 1 else token.replace("’", "'").partition("'")[2]
    if not 2 <= len(token) <= LONGEST or token.lower() in STOP_WORDS:
        return
    if may_be_unspaced(token) and _unspaced().search(token):
        written = [run for run in _unspaced().findall(token) if len(run) > 1]
        for run in [word for text in written for word in unspaced_words(text)] or written:
            pairs = dict.fromkeys(map("".join, pairwise(without_particle(run))))
            yield Term(run, "run", tuple(pairs)[:12])
        for piece in _unspaced().sub(" ", token).split():
            yield from _terms(piece)
    elif token.isalpha() and token[1:].islower():
        yield _word_term(token)
    elif ".." in token and "/" not in token:  # prose without a blank, or a range of commits
        for piece in token.split(".."):
            yield from _terms(piece)
    elif "/" in token or "\\" in token:
        pieces = [piece for piece in token.replace("\\", "/").split("/") if piece]
        if len(pieces) > 2 or raw[0] in "./~\\" or _is_file(pieces[-1]):
            yield _named_term(token, "path")
        else:  # and/or, read/write
            for piece in pieces:
                yield from _terms(piece)
    elif is_code(token):
        yield Term(token.lower(), "code")
    elif is_number(token):
        if len(token) > 2:
            yield Term(token, "number")
    elif _is_file(token):
        yield _named_term(token, "path")
    elif "_" in token or ":" in token or "." in token or is_camel(token):
        yield _named_term(token, "name")
    elif "-" in token:
        for piece in token.split("-"):
            yield from _terms(piece)
    else:
        yield _word_term(token)


def _word_term(token: str) -> Term:
    word = token.lower()
    return Term(word, "common" if word in COMMON_WORDS else "word")


def _named_term(token: str, kind: str) -> Term:
    """Return a path or identifier with its parts."""
    text = token.lower().rstrip("_").replace("\\", "/")
    parts = dict.fromkeys(
        part for part in map(str.lower, parts_of(token)) if len(part) > 1 and part not in NO_PARTS
    )
    if len(parts) == 1 and text in parts:
        return Term(text)
    return Term(text or token.lower(), kind, tuple(parts)[:12])


def _is_file(token: str) -> bool:
    """Return True if `token` has the ending of a file."""
    return ending_of_file(token).lower() in FILE_ENDINGS


SYNONYM_VALUE = 0.7  # value of a term if only a synonym matches
PARTS_VALUE = 0.9  # value of an identifier if only its parts match
MIN_RELATIVE = 0.25  # memories with a smaller share of the best BM25 are not injected
RARE = 3  # a word is rare if at most so many candidates have it

_SUFFIXES = (
    *("ations", "ation", "ating", "ated", "ates", "ate", "ments", "ment", "ings", "ing"),
    *("ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e"),
)


class Match(NamedTuple):
    share: float  # of the prompt's weight, 0.0 to 1.0
    weight: float  # matched weight, from 0.0
    terms: tuple[Term, ...]  # terms that are there at least by half
    names_it: bool  # a path, identifier or error code is there as such

    @property
    def words(self) -> tuple[str, ...]:
        return tuple([term.text for term in self.terms])


NOTHING = Match(0.0, 0.0, (), False)

Has = Callable[[str], bool]  # return True if a word of the text has this stem


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a crude stem of a lower-case word, at most 7 characters: `retries` and `retry` share
    one.

    It rather matches too much, since the index has a proper stemmer.
    """
    if len(word) > 3:
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                if suffix == "s" and word.endswith("ss"):
                    break
                word = word[: -len(suffix)]
                if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
                    word = word[:-1]  # running, stopped
                break
        if len(word) > 3 and word[-1] == "y" and word[-2] not in "aeiou":
            word = word[:-1]
    return word[:7]


_WORK_STEMS = frozenset(map(stem, WORK_WORDS | COMMON_WORDS))


class Text(NamedTuple):
    written: str
    lower: str  # in lower case, paths with `/`


def text_of(image: Mapping[str, Any]) -> Text:
    """Return a memory's title, content, tags, files and category, a line each."""
    listed = (*image["tags"], *image["files"])
    return _text_of(image["title"], image["content"], listed, image["category"])


@lru_cache(maxsize=1_024)  # follow-up questions match the same memories
def _text_of(title: str, content: str, listed: tuple[str, ...], category: str) -> Text:
    lines = (content, *listed, category)
    written = parted(usual_width("\n".join((title, *lines) if title else lines)))
    return Text(written, written.lower().replace("\\", "/"))


def match(terms: Sequence[Term], image: Mapping[str, Any]) -> Match:
    """Return the match of `terms` with the memory of `image`."""
    return matcher(tuple(terms))(text_of(image))


@lru_cache(maxsize=4)
def matcher(terms: tuple[Term, ...]) -> Callable[[Text], Match]:
    """Return `match` for one question and many memories, cached by text."""
    forms = [(term, term.weight, form, form.pieces) for term in terms for form in [_form_of(term)]]
    total = sum(term.weight for term in terms)

    @lru_cache(maxsize=256)
    def matched(text: Text) -> Match:
        lower, has = text.lower, _Stems(*text).has
        common, names_it, shared = 0.0, False, []
        for term, weight, form, pieces in forms:
            for piece in pieces:
                if piece in lower:
                    break
            else:
                continue
            if value := form.value_in(lower, has):
                common += value * weight
                if value >= 0.5:
                    shared.append(term)
                    names_it = names_it or (value == 1.0 and term.is_specific)
        if not common:
            return NOTHING
        return Match(common / total, common, tuple(shared), names_it)

    return matched


class _Stems:
    """The stems of a text, made only when asked for.

    A stem is always the beginning of its word. So only the words are stemmed that begin with its
    letters. Names are split and joined once, if nothing else matches.
    """

    __slots__ = ("_lower", "_of_names", "_text")

    def __init__(self, text: str, lower: str) -> None:
        self._text, self._lower = text, lower
        self._of_names: set[str] | None = None

    def has(self, wanted: str) -> bool:
        """Return True if a word of the text, or a part of a name in it, has this stem."""
        lower = self._lower
        position = lower.find(wanted)
        if position < 0:
            return False
        while position >= 0:
            if (position == 0 or not lower[position - 1].isalnum()) and (
                stem(run_at(lower, position)) == wanted
            ):
                return True
            position = lower.find(wanted, position + 1)
        if self._of_names is None:
            parts = [
                part
                for name in letters_and_digits(self._text)
                for words in name_words(name)
                for part in words
            ]
            for run in self._text.split():
                if "-" in run or "_" in run:  # api-key is apikey, too
                    words = letters_and_digits(run.lower())
                    parts += [first + other for first, other in pairwise(words)]
            self._of_names = set(map(stem, parts))
        return wanted in self._of_names


def is_relevant(match: Match, *, is_rare: bool = False) -> bool:
    """Return True if this is enough to inject the memory.

    A name is enough. One ordinary word is enough if it is about half of the prompt, or a fifth if
    it is rare. A common word alone never is. Several words are enough with 60 % of the prompt, a
    weight of 3.5, or a weight of 1.3 and 15 %.
    """
    if match.names_it or not match.terms:
        return match.names_it
    if len(match.terms) == 1:
        return match.terms[0].kind not in ("common", "question") and match.share >= (
            0.2 if is_rare else 0.45
        )
    is_much = match.share >= 0.6 or match.weight >= 3.5
    return is_much or (match.weight >= 1.3 and match.share >= 0.15)


LEAST, HALF = 0.15, 0.5  # shares of a prompt: a pasted plan has some words of every memory
MUCH, MOST = 1.8, 2.5  # points times share from which fewer words are enough, and beyond doubt
LONG_RUN = 4  # characters of writing without spaces that count as two words


def clarity(match: Match, counts: Mapping[str, int], candidates: int) -> int:
    """Return how clearly the prompt matches this memory: 0 hardly, 1 clearly, 2 beyond doubt.

    It does by an identifier, by two rare words, or by less if that is much of the prompt. `counts`
    has the number of `candidates` with each term. Rare words, of up to a quarter, have three
    points. Things of every project have two, everyday words and those of two fifths one. Forms of
    a word count once, and words of all work ("fix the PR") never.
    """
    points, is_named = dict[str, int](), False
    for term in match.terms if match.share >= LEAST else ():
        word, count = stem(term.text), counts[term.text]
        if term.kind in ("common", "question") or word in _WORK_STEMS:
            continue
        is_trade_word = term.text in FILE_ENDINGS or is_trade(term.text)
        is_rare = count <= max(RARE, candidates // 4)
        value = 3 - (is_trade_word or not is_rare)
        if count > max(RARE, candidates * 2 // 5) or (is_common(term.text) and not is_trade_word):
            value = 1
        points[word] = value * (1 + (term.kind == "run" and len(term.text) >= LONG_RUN))
        is_named = is_named or (match.names_it and is_rare and term.is_specific)
    total, telling = sum(points.values()), sum(value for value in points.values() if value > 1)
    much = total * match.share if total > 3 else 0  # one word is never much
    if much >= MOST and match.share >= HALF:
        return 2
    return int(is_named or much >= MUCH or telling >= 6)


def frequencies(matches: Iterable[Match]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in matches:
        for term in each.terms:
            counts[term.text] = counts.get(term.text, 0) + 1
    return counts


def is_rare_best(match: Match, counts: Mapping[str, int], words: float) -> bool:
    """Return True if the only shared word is rare, and the memory among the best for it.

    `words` is the BM25 as a share of the best, 0-1.
    """
    return len(match.terms) == 1 and counts[match.terms[0].text] <= RARE and words >= 0.6


class _Form(NamedTuple):
    """The forms of a term that a text is searched for."""

    kind: str  # parts, pairs, stem, letters or synonyms: how it is found
    itself: str
    parts: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]  # stems of each synonym, one to three words

    @property
    def pieces(self) -> tuple[str, ...]:
        """Return pieces of which a text must have one, to skip most texts quickly."""
        own = () if self.kind == "synonyms" else (self.itself, *self.parts)
        return (*own, *(words[0] for words in self.others))

    def value_in(self, lower: str, has: Has) -> float:
        """Return how well a text matches: 1.0 whole, less by parts or synonym, 0.0 not at all."""
        kind, itself, parts, others = self
        value = 0.0
        if kind == "stem":
            value = 1.0 if has(itself) else 0.0
        elif kind != "synonyms" and itself in lower:
            value = 1.0
        elif parts:
            matches = sum(map(has, parts)) if kind == "parts" else sum(p in lower for p in parts)
            value = PARTS_VALUE * matches / len(parts)
        if others and value < SYNONYM_VALUE:
            return SYNONYM_VALUE if any(all(map(has, words)) for words in others) else value
        return value


def _form_of(term: Term) -> _Form:
    split = (letters_and_digits(other.lower()) for other in term.synonyms)
    others = tuple(tuple(map(stem, words)) for words in split if words)
    if term.is_specific:
        return _Form("parts", term.text, tuple(dict.fromkeys(map(stem, term.parts))), others)
    if term.kind == "run":
        return _Form("pairs", term.text, term.parts, others)
    if term.kind == "question":  # only matches with an answer count
        return _Form("synonyms", term.text, (), others)
    if not term.text.isalnum():  # 3.11
        return _Form("letters", term.text, (), others)
    return _Form("stem", stem(term.text), (), others)


HOUR_MS, DAY_MS = 3_600_000, 86_400_000

_IN_ENGLISH = dict(line.split(": ") for line in SECTIONS["days"].splitlines())
_SAY_WHEN = {"today", "yesterday", "recently", "lately", "morning", "ago", "vor", "week", "month"}
_SAY_WHEN.update(MONTHS, ["day before yesterday"])
"""A prompt without one of these words names no time, except a date in digits."""

_AGO = r"\b(?:(\w+) (day|week|month)s? ago|vor (\w+) (day|week|month)s?)\b"
_DATE = (
    r"\b(?:(in|on|since|last|until) )?(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?)?"
    rf"({'|'.join(MONTHS)})(?: (\d{{1,2}})(?:st|nd|rd|th)?)?(?: (20\d\d))?\b"
)
"""A month with a day or a year, or behind a preposition: "7 July, 2023", "in March"."""

_NAMED = (
    ("day before yesterday", 2, 2),
    ("yesterday", 1, 1),
    ("(?:today|this morning)", 0, 0),
    ("(?:recently|lately|the other day)", 10, 0),
)
"""Names of times: the first and the last day that each means, in days ago."""


class Window(NamedTuple):
    """A range of time, in milliseconds since 1970; `until` is not part of it."""

    since: int
    until: int

    def fits(self, moment: int) -> float:
        """Return 1.0 inside, falling to 0.0 at half its length (at least a day) beside it."""
        if self.since <= moment < self.until:
            return 1.0
        away = self.since - moment if moment < self.since else moment - self.until
        return max(0.0, 1.0 - away / max((self.until - self.since) / 2, DAY_MS))


def full_hour(at_ms: int) -> int:
    """Return the beginning of the hour of `at_ms`, in UTC milliseconds."""
    return at_ms // HOUR_MS * HOUR_MS


def window_of(prompt: str, now_ms: int) -> Window | None:
    """Return the time that `prompt` names, or None. Days are those where the user is."""
    english = [_IN_ENGLISH.get(word, word) for word in words(prompt[:2_000].lower())]
    if _SAY_WHEN.isdisjoint(english) and not any(word.startswith("20") for word in english):
        return None
    import re  # seldom: it costs a prompt as much as all the rest of its reading

    text, now = " ".join(english), datetime.fromtimestamp(now_ms / 1000)
    today = now.toordinal()
    if match := re.search(r"\b(20\d\d) (\d\d)(?: (\d\d))?\b", text):
        return _date(int(match[1]), int(match[2]), int(match[3] or 0))
    if match := re.search(_AGO, text):
        number, unit = match[1] or match[3], UNIT_DAYS[match[2] or match[4]]
        if count := int(number) if number.isdecimal() else NUMBERS.get(number, 0):
            day = today - count * unit
            return _days(day - unit // 2, day + unit // 2)
    if match := re.search(r"\b(last|this) week\b", text):
        monday = today - now.weekday() - 7 * (match[1] == "last")
        return _days(monday, monday + 6)
    if re.search(r"\blast month\b", text):
        return _date(now.year - (now.month == 1), (now.month - 2) % 12 + 1, 0)
    for name, first, last in _NAMED:
        if re.search(rf"\b{name}\b", text):
            return _days(today - first, today - last)
    for match in re.finditer(_DATE, text):
        month, day = MONTHS.index(match[3]) + 1, int(match[2] or match[4] or 0)
        is_verb = match[3] == "may" and not match[1]  # "may 3 people" is no day
        if match[5] or (match[1] if not day else not is_verb):
            is_to_come = (month, day) > (now.month, now.day if day else 0)
            return _date(int(match[5] or now.year - is_to_come), month, day)
    return None


def _date(year: int, month: int, day: int) -> Window | None:
    """Return that day, or the month if `day` is 0; None for an impossible date."""
    try:
        first = datetime(year, month, day or 1).toordinal()
        after = datetime(year + month // 12, month % 12 + 1, 1).toordinal()
    except ValueError:
        return None
    return _days(first, first if day else after - 1)


def _days(first: int, last: int) -> Window:
    """Return the range from one day to the end of another, counted as `toordinal` does."""
    ends = (datetime.fromordinal(day).timestamp() for day in (first, last + 1))
    return Window(*(int(end * 1000) for end in ends))


# --- candidates

READ_WHOLE = 45  # memories that are read and ranked with all signals
COMMON = 16_000  # number of memories from which on a word's rarity counts nothing
LENT = 0.6  # weight of a neighbour's score beside a memory's own, to choose what to read


Hits = Sequence[tuple[int, float]]  # row numbers with their BM25, best first
Ask = Callable[[Sequence[str], int], Hits]  # the index: words and a limit in, hits out


ENOUGH = 0.67  # share of a question's weight, 0-1, that a match must cover to skip the expansion
MAX_READ = 10  # best matches that are checked for it
FIRST_HITS = 30  # maximum number of hits that lend their score to neighbours
REACH = 12  # maximum distance to a neighbour, in memories
FADING = 0.06  # reduction of a lent score for each memory between

_FADED = tuple((1 - FADING * abs(steps)) if steps else 0.0 for steps in range(-REACH, REACH + 1))
"""Remaining share of a score by distance."""

NEW_NEIGHBOURS = 40  # maximum number of memories that only their neighbours bring in


class Pool(NamedTuple):
    """The candidates to rank, with the data of the steps by row number."""

    images: list[dict[str, Any]]
    scores: Mapping[int, float]  # BM25, larger is better; neighbours may have none
    near: Mapping[int, float]  # the neighbours' part, as a share of the best score, 0-1
    terms: tuple[Term, ...]  # with further words, if the plain ones found little
    entries: Mapping[str, int]  # how many memories have each word


class Timer:
    """The time limit of a retrieval. `clock` gives milliseconds."""

    def __init__(self, clock: Callable[[], float], allowed_ms: float) -> None:
        self._clock = clock
        self._end = clock() + allowed_ms

    @property
    def is_over(self) -> bool:
        return self._clock() >= self._end


def gather(
    reader: Reader,
    terms: Sequence[Term],
    ask: Ask,
    *,
    project: str,
    limits: RecallLimits,
    timer: Timer,
    most: int = READ_WHOLE,
    with_neighbours: bool = True,
    question: str = "",
) -> Pool:
    """Return the candidates, at most `most` and some neighbours.

    `question` is the whole question, for words that are no `terms`. Without `with_neighbours`, only
    memories that `ask` found are returned, as filters require. `ask` may then search other
    projects, and words are not counted for this project alone.
    """
    entries = reader.frequencies(index_words(terms))
    phases = _Phases(reader, ask, project, limits, timer, most, with_neighbours)
    hits = phases.found_by(entries)
    pool = phases.pool_of(hits, terms, entries)
    match = matcher(tuple(terms))
    by_score = sorted(pool.images, key=lambda image: -pool.scores.get(image["num"], 0.0))
    best = by_score[:MAX_READ]
    if timer.is_over or any(match(text_of(image)).share >= ENOUGH for image in best):
        return pool
    further = widened(reader, terms, entries, reader.aliases(project), question)
    if further is None or timer.is_over:
        return pool
    wide, counts = further
    if with_neighbours:  # BM25 is a sum over words, so the others' scores are added
        others = {word: count for word, count in counts.items() if word not in entries}
        sums = dict(hits)
        for num, score in phases.found_by(others):
            sums[num] = sums.get(num, 0.0) + score
        hits = sorted(sums.items(), key=lambda hit: (-hit[1], -hit[0]))
    else:  # but other conditions would count twice
        hits = phases.found_by(counts)
    return phases.pool_of(hits, wide, counts)


class _Phases(NamedTuple):
    """The steps for one question. They may run twice, the second time with more words."""

    reader: Reader
    ask: Ask
    project: str
    limits: RecallLimits
    timer: Timer
    most: int
    with_neighbours: bool

    def found_by(self, entries: Mapping[str, int]) -> Hits:
        words = affordable(entries)
        others = [word for word in entries if entries[word] and word not in words]
        if others and self.with_neighbours:  # rare in this project
            here = self.reader.frequencies(others, self.project)
            words += affordable(here, POSTINGS_HERE, least=0)
        return self.ask(words, self.limits.max_candidate_scan)

    def pool_of(self, hits: Hits, terms: Sequence[Term], entries: Mapping[str, int]) -> Pool:
        """Return the candidates: hits and neighbours."""
        scores = dict(hits)
        near: Mapping[int, float] = {}
        if hits and not self.timer.is_over:
            shares = {num: score / hits[0][1] for num, score in hits[:FIRST_HITS]}
            near = lent(shares, self.reader.company(list(shares)))
        lent_here = near if self.with_neighbours else {}
        chosen = _worth_reading(hits, scores, lent_here, self.most)
        if not self.with_neighbours:
            near = {num: share for num, share in near.items() if num in scores}
        images = [
            image
            for image in self.reader.sketches(chosen)
            if image["num"] in scores
            or (image["retired_at"] is None and image["project"] in (self.project, ""))
        ]
        return Pool(images, scores, near, tuple(terms), entries)


def rarity(term: Term, entries: Mapping[str, int]) -> float:
    """Return how specific a term is, by its kind and by how few memories have it: 0.06 to 2.0.

    The minimum is reached at a quarter of `COMMON`, where the index stops counting.
    """
    share = log(1 + min(entries.get(term.text, 0), COMMON)) / log(1 + COMMON)
    return term.weight * max(0.15, 1 - share)


def lent(scores: Mapping[int, float], sessions: Iterable[Sequence[int]]) -> dict[int, float]:
    """Return the part of each memory's score from its session, 0.0 to the best score.

    `scores` are the first hits'. `sessions` list row numbers in order.
    """
    shares: dict[int, float] = {}
    for session in sessions:
        for num in scores.keys() & session:
            position, score = session.index(num), scores[num]
            first = max(position - REACH, 0)
            near = session[first : position + REACH + 1]
            for other, remaining in zip(near, _FADED[first - position + REACH :], strict=False):
                share = score * remaining
                if share > shares.get(other, 0.0):
                    shares[other] = share
    return shares


def _worth_reading(
    hits: Hits, scores: Mapping[int, float], near: Mapping[int, float], most: int
) -> list[int]:
    """Return row numbers by their own score and their neighbours', best first.

    `hits` beyond `most` come in only by a neighbour's score. `scores` are theirs by number.
    """
    best = hits[0][1] if hits else 1.0
    worth = {num: score / best for num, score in hits[:most]}
    new = []
    for num, share in near.items():
        if num in worth:
            worth[num] += LENT * share
        elif num in scores:
            worth[num] = scores[num] / best + LENT * share
        else:
            new.append((LENT * share, num))
    own = [(value, num) for num, value in worth.items()]
    if len(own) >= most:  # hundreds of neighbours lend less than the last of these have
        least = min(own)
        new = [item for item in new if item > least]
    new.sort(reverse=True)  # `heapq` takes longer to load than to sort these
    foremost = sorted((*own, *new[:NEW_NEIGHBOURS]), reverse=True)[:most]
    return [num for _, num in foremost]


def widened(
    reader: Reader,
    terms: Sequence[Term],
    entries: Mapping[str, int],
    own: Mapping[str, Sequence[str]],
    question: str,
) -> tuple[tuple[Term, ...], Mapping[str, int]] | None:
    """Return the terms with further words that some memory has, and the number of memories by word.

    None without any. `own` are the project's aliases, which win.
    """
    from . import expansion  # most questions are answered without

    words, counts = question.lower().split() if terms else (), dict(entries)
    wide = (
        *terms,
        *(
            Term(word, "question", synonyms=expansion.QUESTIONS[word])
            for word in expansion.QUESTIONS
            if word in words
        ),
    )
    for others in (
        expansion.everyday_words([term.text for term in terms], own),
        _joined_words(terms),
    ):
        wide = _with_others(wide, others)
    counts |= _counted(reader, wide, counts)
    wide = _with_others(wide, expansion.begun_words(reader, wide, counts))
    counts |= _counted(reader, wide, counts)
    alternatives = {
        word: expansion.meant_by(word, reader.near_words)
        for word in expansion.unknown(wide, counts)
    }
    wide = _with_others(wide, alternatives)
    counts |= _counted(reader, wide, counts)
    wide = tuple(
        term._replace(synonyms=tuple(other for other in term.synonyms if counts.get(other.lower())))
        for term in wide
    )
    wide = tuple(term for term in wide if term.kind != "question" or term.synonyms)
    if all(count == 0 for word, count in counts.items() if word not in entries):
        return None
    return wide, counts


def _joined_words(terms: Sequence[Term]) -> Mapping[str, Sequence[str]]:
    """Return pairs of words joined: `retry budget` for `retryBudget`, `waiting list` for
    `waitlist`."""
    joined: dict[str, list[str]] = {}
    for pair in pairwise(terms):
        if all(term.kind in ("word", "common") and term.text.isalpha() for term in pair):
            item, other = (term.text for term in pair)
            for word in pair:
                joined.setdefault(word.text, []).extend((item + other, stem(item) + other))
    return joined


def _with_others(terms: Sequence[Term], others: Mapping[str, Sequence[str]]) -> tuple[Term, ...]:
    """Return the terms with their further words added."""
    return tuple(
        term._replace(synonyms=tuple(dict.fromkeys((*term.synonyms, *others[term.text]))))
        if term.text in others
        else term
        for term in terms
    )


def _counted(reader: Reader, terms: Sequence[Term], counts: Mapping[str, int]) -> Mapping[str, int]:
    new = [word for term in terms for word in term.synonyms if word not in counts]
    return reader.frequencies(new[:MAX_WORDS]) if new else {}
