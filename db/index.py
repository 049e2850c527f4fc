"""The full-text index: its contents, and the one function that quotes what the user typed.

One FTS5 table over `memory` (external content). The column `terms` carries a memory's hard filters
as words: at 100,000 memories that is ten times quicker than a join. Only the rarest words of a
question are ranked (`affordable`). Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from .images import Image, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    import sqlite3

COLUMNS = ("title", "content", "tags", "files", "category", "terms", "parts")
TEXT_COLUMNS = "- terms"
WEIGHTS = (2.5, 2.0, 1.5, 1.2, 1.0, 0.0, 1.0)
"""BM25 weights by column, with the title a little above the content."""

RANK = f"bm25(memory_fts, {', '.join(map(str, WEIGHTS))})"
MAX_WORDS = 64

_LIST = ", ".join(COLUMNS)
CREATE = (
    f"CREATE VIRTUAL TABLE memory_fts USING fts5({_LIST}, content='memory', content_rowid='num',"
    " tokenize='porter unicode61 remove_diacritics 2')"
)
_THESE = (
    "FROM memory WHERE num IN (SELECT value FROM json_each(?)) ORDER BY num"  # as the index likes
)
_REMOVE = (
    f"INSERT INTO memory_fts(memory_fts, rowid, {_LIST}) SELECT 'delete', num, {_LIST} {_THESE}"
)
_ADD = f"INSERT INTO memory_fts(rowid, {_LIST}) SELECT num, {_LIST} {_THESE}"

POSTINGS = 4_000  # how many entries of the index a ranked question may cost, see `ranked_words`

POSTINGS_HERE = 1_000
"""How many more entries the project's words may cost that are common elsewhere."""

COUNTED = POSTINGS + 1
"""Entries of a word are counted up to here: beyond, it is too common to rank by."""

COUNTED_IF_ALL = 4 * POSTINGS
"""Where all words are as common as that, up to here, to know the rarest of them."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
PLAIN = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûü", "aaaaaaceeeeiiiinooooouuuu")
"""Accents that the index takes off, in the languages that people most often write here."""

MOST_NEAR = 800  # words of the index that are compared with a mistyped one


def place_term(project: str, *, is_retired: bool = False) -> str:
    """Return the index word for a project's live (or retired) memories; "" is everywhere.

    Made from the end of the project's id, which is a hash. The stemmer leaves words in x alone.
    """
    name = _names.get(project)
    if name is None:
        existing = "".join(c for c in project.lower()[-10:] if c.isascii() and c.isalnum())
        name = _names[project] = existing or "global"
    return f"z{'r' if is_retired else 'l'}{name}x"


_names: dict[str, str] = {}  # by project: an act on thousands asks for the same one each time


def terms_of(image: Image) -> str:
    """Return a memory's hard filters as a word: where it holds, and whether it is retired."""
    return place_term(image["project"], is_retired=image["retired_at"] is not None)


def quote(text: str) -> str:
    """Any text as one FTS5 string, in which nothing is syntax. The only place that quotes."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def has_token(text: str) -> bool:
    """Return True if the tokenizer would find a word in `text`; an empty phrase matches nothing."""
    return any(c.isalnum() for c in text)


_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_BEFORE_A_HUMP = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_SMALL_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_HEX = frozenset("0123456789abcdefABCDEF")

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Signs of writing without spaces, or with particles at the word, as a class of characters: Thai,
Lao, Burmese, Khmer, Chinese, Japanese, Korean. They are indexed as pairs."""

_PARTICLES = tuple(
    "에서는 에게서 으로는 이라는 입니다 에서 에게 으로 부터 까지 처럼 보다 하고 한테 이나 마다 조차"
    " 은 는 이 가 을 를 의 에 로 와 과 도 만 나 랑".split()
)
"""Korean particles, the longest first."""

_SPELLINGS = tuple(
    tuple(pair.split("/"))
    for pair in """
colour/color favour/favor flavour/flavor behaviour/behavior honour/honor neighbour/neighbor
labour/labor harbour/harbor rumour/rumor armour/armor humour/humor centre/center theatre/theater
fibre/fiber defence/defense licence/license offence/offense catalogue/catalog dialogue/dialog
analogue/analog programme/program judgement/judgment artefact/artifact sceptic/skeptic grey/gray
""".split()
)
_ISE = tuple("e ed es er ers ing ation ations able".split())
"""Endings behind -is-, -iz-, -ys- and -yz-."""

_LONGEST_NAME = 64
_MOST_PIECES = 16


def has_hump(word: str) -> bool:
    """Return True if a capital follows a small letter or a digit: `[a-z0-9][A-Z]`."""
    tail = word[1:]
    return tail != tail.lower() and any(
        sign in _CAPITALS and before in _BEFORE_A_HUMP
        for before, sign in zip(word, tail, strict=False)
    )


def parts_of(name: str) -> list[str]:
    r"""The words and numbers in a name, as written: `[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+`."""
    matches = []
    start, most = 0, len(name)
    while start < most:
        end = _end_of(name, start, "capitals")
        if end > start and end < most and name[end] in _SMALL_LETTERS:
            end -= 1  # its last capital begins a word
        if end == start:
            end += name[start] in _CAPITALS
            end = _end_of(name, end, "letters")
        if end == start:
            end = _end_of(name, start, "digits")
        if end > start:
            matches.append(name[start:end])
        start = max(end, start + 1)
    return matches


def _end_of(name: str, position: int, kind: str) -> int:
    """Return the end of the run of signs of one kind that begins at `position`."""
    while position < len(name) and _kind_of(name[position]) == kind:
        position += 1
    return position


def _kind_of(sign: str) -> str:
    if sign in _CAPITALS:
        return "capitals"
    if sign.isdecimal():
        return "digits"
    return "letters" if sign.isalnum() else ""


def name_words(token: str) -> tuple[list[str], list[str]]:
    """The parts of a run of letters and digits, lower case, and words made of neighbouring parts.

    `OAuth2Client` gives o, auth, 2, client, and oauth, 2, client, oauth, auth2, 2client, oauth2,
    2client. Empty for a plain word, and for a hash.
    """
    is_plain = token.isalpha() and (token.islower() or token[1:].islower())
    if is_plain or len(token) > _LONGEST_NAME or (len(token) > 6 and _HEX.issuperset(token)):
        return [], []
    parts = [part.lower() for part in parts_of(token)][:_MOST_PIECES]
    if len(parts) < 2:
        return [], []
    whole = with_letters(parts)
    both = [parts, whole] if whole != parts else [parts]
    pairs = [first + other for words in both for first, other in pairwise(words)]
    return parts, [*(whole if whole != parts else ()), *(pairs if len(parts) > 2 else ())]


def with_letters(parts: Sequence[str]) -> list[str]:
    """The parts of a name with single letters put to the next part: o, auth, 2 is oauth, 2."""
    words, letter = list[str](), ""
    for part in parts:
        if len(part) == 1 and part.isalpha():
            letter += part
        else:
            is_word = part[:1].isalpha()
            words += [letter + part] if is_word or not letter else [letter, part]
            letter = ""
    return [*words, letter] if letter else words


def _pairs(run: str, *, is_whole: bool) -> list[str]:
    """The pairs of signs in a run of writing without spaces, in ASCII, as the tokenizer drops the
    vowel signs of some. With the last sign by itself, unless the run goes on (`is_whole` False)."""
    points = [f"{ord(sign):05x}" for sign in run]
    pairs = [f"{first}{other}x" for first, other in pairwise(points)]
    return [*pairs, points[-1]] if is_whole or not pairs else pairs


@lru_cache(maxsize=1)
def _tokens() -> re.Pattern[str]:
    """Return the pattern. Cached: so wide a range takes milliseconds to compile."""
    import re

    return re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")


@lru_cache(maxsize=1)
def _grammar() -> re.Pattern[str]:
    """Kana of grammar and Chinese particles, which separate words."""
    import re

    return re.compile("[\u3041-\u309f]+|为什么|什么|怎么|如何|多少|可以|哪里|[的是吗呢吧了么]")


def unspaced_words(run: str) -> list[str]:
    """Return the words in a run of writing without spaces, as far as grammar separates them."""
    return [piece for piece in _grammar().split(run) if len(piece) > 1]


def without_particle(run: str) -> str:
    """Return a run without the Korean particle at its end, unless a single sign would remain."""
    ending = next((end for end in _PARTICLES if run.endswith(end)), "")
    return run.removesuffix(ending) if len(run) > len(ending) + 1 else run


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    import re

    return re.compile(f"[{UNSPACED}]")


def is_unspaced(sign: str) -> bool:
    """Return True if a sign is of a writing without spaces."""
    return sign >= "\u0e00" and _unspaced().match(sign) is not None


def usual_width(text: str) -> str:
    """`text` with its full-width letters and half-width kana in their usual width."""
    if text.isascii() or not any("\uff00" <= sign <= "\uffef" for sign in text):
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


@lru_cache(maxsize=64)  # a writer asks before others wait for it
def further_words(text: str) -> str:
    """The index words that a text has beside those between its signs: parts of names, joined words
    (`retryBudget` for `retry-budget`), and pairs of signs of writing without spaces.

    Neighbouring parts of a name stay neighbours here, so that a phrase finds them.
    """
    if (usual := usual_width(text)) != text:
        return f"{further_words(usual)} {usual}"
    words: list[str] = []
    group: list[str] = []
    joined: list[str] = []
    end, before, is_further = -1, "", False
    for match in _tokens().finditer(text):
        token, gap = match[0], text[end : match.start()] if end >= 0 else " "
        if gap not in ("", ".", "-", "_"):
            words += (*group, *joined) if is_further else joined
            group, joined, before, is_further = [], [], "", False
        end = match.end()
        if is_unspaced(token[0]):
            group += _pairs(token, is_whole=True)
            before, is_further = "", True
            continue
        parts, others = name_words(token)
        group += parts or [token.lower()]
        joined += others
        is_further = is_further or bool(parts)
        if gap in ("-", "_") and before and len(before) + len(token) <= 32:
            joined.append(before + token.lower())
        before = token.lower()
    words += (*group, *joined) if is_further else joined
    return " ".join(words)


def parts_in(image: Image) -> str:
    """Return the further words of a memory's text, tags and files."""
    title, content = image["title"], image["content"]
    lines = (content, *image["tags"], *image["files"])
    return further_words("\n".join(lines if content.startswith(title) else (title, *lines)))


@lru_cache(maxsize=4_096)
def forms(text: str) -> tuple[str, ...]:
    """Return the index expressions for a search text: as typed, in its parts, respelled."""
    if text.isascii() and text.isalpha() and not has_hump(text):
        return (quote(text), *map(quote, spellings(text.lower())))
    expressions = [quote(text)]
    for reading in _readings(usual_width(text)):
        tokens, matches = list[str](), _runs(reading)
        for number, token in enumerate(matches, 1):
            if is_unspaced(token[0]):
                tokens += _pairs(token, is_whole=number < len(matches))
            else:
                tokens += [part.lower() for part in parts_of(token)] or [token]
        if tokens and tokens != [token.lower() for token in matches]:
            is_sign = is_unspaced(matches[-1][0]) and len(matches[-1]) == 1
            expressions.append(quote(" ".join(tokens)) + ("*" if is_sign else ""))
            expressions.append(quote(" ".join(with_letters(tokens))))  # OAuth is one word, too
    return tuple(dict.fromkeys(expressions))


def _runs(text: str) -> list[str]:
    """Return the tokens of a text. Of most, without an expression: `re` takes long to load."""
    if any(map(is_unspaced, text)):
        return _tokens().findall(text)
    return "".join(sign if sign.isalnum() else " " for sign in text).split()


def _readings(text: str) -> list[str]:
    """Return a text, and the words in its writing without spaces."""
    readings = [text]
    if any(map(is_unspaced, text)):
        for match in _tokens().finditer(text):
            run = match[0]
            if is_unspaced(run[0]):
                readings += (*unspaced_words(run), without_particle(run))
    return readings


def spellings(word: str) -> list[str]:
    """Return the other spelling of an English word (lower case): organise and organize."""
    others = list[str]()
    if len(word) > 5:
        for sign, other in (("is", "iz"), ("iz", "is"), ("ys", "yz"), ("yz", "ys")):
            for ending in _ISE:
                if word.endswith(sign + ending):
                    others.append(word.removesuffix(sign + ending) + other + ending)
    for british, american in _SPELLINGS:
        if british in word:
            others.append(word.replace(british, american))
        elif american in word:
            others.append(word.replace(american, british))
    return others


def any_of(word: str) -> str:
    """Return the expression for a memory that has one of the forms of `word`."""
    return " OR ".join(forms(word))


def match(
    words: Sequence[str],
    *,
    project: str | None,
    phrases: Sequence[str] = (),
    excluded: Sequence[str] = (),
    prefix_last: bool = False,
    retired: bool | None = False,
) -> str | None:
    """Return an FTS5 expression: any of `words`, every phrase, none excluded.

    `project` None searches everywhere, and the caller then filters retired ones. Else it searches
    that project and global memories, live or `retired` ones, or both with None. Returns None
    without a word to search for.
    """
    usable = [word for word in words if has_token(word)][:MAX_WORDS]
    alternatives = [form for word in usable for form in forms(word)]
    if alternatives and prefix_last and sum(map(str.isalnum, usable[-1])) > 1:
        alternatives.append(quote(usable[-1]) + "*")
    wanted = [f"({any_of(phrase)})" for phrase in phrases if has_token(phrase)][:MAX_WORDS]
    if alternatives:
        wanted.append("(" + " OR ".join(alternatives) + ")")
    if not wanted:
        return None
    parts = [f"{TEXT_COLUMNS} : ({' AND '.join(wanted)})"]
    if project is not None:
        parts.insert(0, _places(project, (False, True) if retired is None else (retired,)))
    expression = " AND ".join(f"({part})" for part in parts)
    for text in [text for text in excluded if has_token(text)][:MAX_WORDS]:
        expression = f"({expression}) NOT ({TEXT_COLUMNS} : ({any_of(text)}))"
    return expression


def _places(project: str, states: Sequence[bool] = (False,)) -> str:
    """Return the expression for the project's and global memories, live or (True) retired."""
    places = [place_term(name, is_retired=state) for name in (project, "") for state in states]
    return f"terms : ({' OR '.join(map(quote, places))})"


Counts = dict[tuple[str, int], int]  # counts by expression and limit


def frequencies(
    connection: sqlite3.Connection,
    words: Sequence[str],
    project: str | None = None,
    counts: Counts | None = None,
) -> dict[str, int]:
    """Map each word to the number of memories that have it, up to `COUNTED`, in the order given.

    If no word is rarer, counting goes on up to `COUNTED_IF_ALL`. With a `project`, counts its live
    memories and the global ones, up to one more than `POSTINGS_HERE`; else all memories.
    `counts` holds earlier counts, and receives the new ones.
    """
    retained: Counts = {} if counts is None else counts
    here = "" if project is None else f"({_places(project)}) AND "

    def count(word: str, most: int) -> int:
        request = (f"{here}({any_of(word)})", most)
        if request not in retained:
            [retained[request]] = connection.execute(
                "SELECT count(*) FROM (SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? LIMIT ?)",
                request,
            ).fetchone()
        return retained[request]

    usable = list(dict.fromkeys(word for word in words if has_token(word)))[:MAX_WORDS]
    if project is not None:
        return {word: count(word, POSTINGS_HERE + 1) for word in usable}
    matches = {word: count(word, COUNTED) for word in usable}
    existing = [word for word in usable if matches[word]]
    if len(existing) > 1 and min(matches[word] for word in existing) == COUNTED:
        matches.update((word, count(word, COUNTED_IF_ALL)) for word in existing)
    return matches


def affordable(entries: Mapping[str, int], budget: int = POSTINGS, *, least: int = 1) -> list[str]:
    """The rarest words that `budget` entries of the index allow; of the known, `least` anyway."""
    chosen: list[str] = []
    spent = 0
    for word in sorted(entries, key=lambda word: entries[word]):
        if not entries[word]:
            continue
        if len(chosen) >= least and spent + entries[word] > budget:
            break
        chosen.append(word)
        spent += entries[word]
    return chosen


def ranked_words(connection: sqlite3.Connection, words: Sequence[str]) -> list[str]:
    """Return the rarest of `words`, as many as `POSTINGS` entries of the index allow, at least one.

    At 100,000 memories this is five times quicker than all words, and nine in ten of the first ten
    answers stay.
    """
    return affordable(frequencies(connection, words), POSTINGS)


def words_near(connection: sqlite3.Connection, word: str) -> list[str]:
    """Return words of the index that `word` (lower case, from four letters) may be a typo of.

    They begin as it does, except for one typo, and are about as long. At most `MOST_NEAR`, and none
    when the index has the word itself.
    """
    if connection.execute(
        "SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? LIMIT 1", (any_of(word),)
    ).fetchone():
        return []
    make_vocabulary(connection)
    starts = beginnings(word)
    matches = connection.execute(
        f"SELECT term FROM (VALUES {', '.join(['(?)'] * len(starts))}) AS start"
        " CROSS JOIN temp.near_words"
        " WHERE term >= start.column1 AND term < start.column1 || '\uffff'"
        " AND length(term) BETWEEN ? AND ? LIMIT ?",
        (*starts, max(len(word) - 5, 3), len(word) + 1, MOST_NEAR),
    )
    return list(dict.fromkeys(term for (term,) in matches))


def words_from(connection: sqlite3.Connection, start: str, most: int) -> list[str]:
    """Return the most common words of the index that begin with `start` (lower case)."""
    make_vocabulary(connection)
    matches = connection.execute(
        "SELECT term FROM temp.near_words WHERE term >= ? AND term < ? || '\uffff'"
        " ORDER BY doc DESC LIMIT ?",
        (start, start, most),
    )
    return [term for (term,) in matches]


def beginnings(word: str) -> tuple[str, ...]:
    """Return beginnings that a typed `word` may mean, the likeliest first; none begins another.

    As typed, with two neighbours exchanged, without one letter, with any letter in the third place.
    """
    item, two, three, four = tuple(word[:4].translate(PLAIN))
    typed = (
        f"{item}{two}{three}",
        f"{two}{item}{three}",
        f"{item}{three}{two}",
        f"{item}{two}{four}",
        f"{item}{three}{four}",
        f"{two}{three}{four}",
    )
    other = (f"{item}{two}{letter}{next_}" for next_ in (three, four) for letter in _LETTERS)
    return (
        *dict.fromkeys(typed),
        *dict.fromkeys(start for start in other if start[:3] not in typed),
    )


def make_vocabulary(connection: sqlite3.Connection) -> None:
    """Make the view of the index's words, which lives as long as the connection.

    It leaves the file as it is. A connection that only reads has to be allowed even that.
    """
    if connection.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'near_words'").fetchone():
        return
    [before] = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = 0")
    try:
        text = "CREATE VIRTUAL TABLE temp.near_words USING fts5vocab(main, memory_fts, row)"
        connection.execute(text)
    finally:
        connection.execute(f"PRAGMA query_only = {before:d}")


def remove(connection: sqlite3.Connection, nums: Sequence[int]) -> None:
    """Remove memories from the index, with their words in the table."""
    if nums:
        connection.execute(_REMOVE, (dumps(list(nums)),))


def add(connection: sqlite3.Connection, nums: Sequence[int]) -> None:
    """Add memories to the index, with their words in the table."""
    if nums:
        connection.execute(_ADD, (dumps(list(nums)),))


def problem(connection: sqlite3.Connection) -> str:
    """Return the problem that the index's own check reports; "" for none.

    The rank 1 form compares with the content; the plain form misses stale words. The check is a
    statement that writes, so a read-only store is not checked and reports "".
    """
    import sqlite3

    try:
        connection.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES('integrity-check', 1)")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return "" if "readonly" in str(error) else str(error)
    return ""
