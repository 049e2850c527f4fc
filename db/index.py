"""The full-text index: what is in it, and the one function that quotes what a person typed.

One FTS5 table over `memory` (external content, so texts are stored once). Standard library only.
Which trick buys what, at 100,000 memories:

- the `terms` column carries a memory's hard filters as words, which cut the posting lists and not
  the result: ten times quicker than a join;
- only the rarest words of a question are ranked, within a budget of entries (`affordable`): five
  times quicker than all words, and counting stops where a word is common anyway;
- what is common everywhere may be rare in the project: words beyond the budget are counted there,
  and get a budget of their own. In a large store that finds some more of a hundred answers;
- `bm25()` with weights in ORDER BY is quicker than the hidden column `rank`;
- rows are joined for what is shown only, never for ranking;
- positions and sizes stay in the index: without them (`detail=none`, `columnsize=0`) it is
  smaller and four times slower to rank.
"""

from collections.abc import Mapping, Sequence

from . import quick_json
from .images import Image, sqlite3

COLUMNS = ("title", "content", "tags", "files", "category", "terms")
TEXT_COLUMNS = "{title content tags files category}"
WEIGHTS = (2.5, 2.0, 1.5, 1.2, 1.0, 0.0)
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

UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
"""Signs of writing without spaces, as a class of characters: what stands between two stops is one
word of the index, the Latin words inside of it included."""

POSTINGS = 4_000
"""How many entries of the index a ranked question may cost, see `telling`."""

POSTINGS_HERE = 1_000
"""How many entries of one project's words that are common elsewhere may cost beside."""

COUNTED = POSTINGS + 1
"""Entries of a word are counted up to here: beyond, it is too common to be ranked or to tell."""

COUNTED_IF_ALL = 4 * POSTINGS
"""Where all words are as common as that, up to here, to know the rarest of them."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_PLAIN = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûü", "aaaaaaceeeeiiiinooooouuuu")
"""Accents that the index takes off, in the languages that people most often write here."""

MOST_NEAR = 800
"""Words of the index that are compared with a mistyped one."""


def place_term(project: str, *, is_retired: bool = False) -> str:
    """The index word for a project's live (or retired) memories; "" is everywhere.

    Made from the end of the project's id, where the hash stands. It ends in x, which the stemmer
    leaves alone. One word says both, since each word of a question costs a walk through all its
    entries.
    """
    name = _names.get(project)
    if name is None:
        existing = "".join(c for c in project.lower()[-10:] if c.isascii() and c.isalnum())
        name = _names[project] = existing or "global"
    return f"z{'r' if is_retired else 'l'}{name}x"


_names: dict[str, str] = {}  # by project: an act on thousands asks for the same one each time


def terms_of(image: Image) -> str:
    """A memory's hard filters as a word: where it holds, and whether it is retired."""
    return place_term(image["project"], is_retired=image["retired_at"] is not None)


def quote(text: str) -> str:
    """Any text as one FTS5 string, in which nothing is syntax. The only place that quotes."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def has_token(text: str) -> bool:
    """Whether the tokenizer would find a word in `text`; an empty phrase matches nothing."""
    return any(c.isalnum() for c in text)


def match(
    words: Sequence[str],
    *,
    project: str | None,
    phrases: Sequence[str] = (),
    excluded: Sequence[str] = (),
    prefix_last: bool = False,
    retired: bool | None = False,
) -> str | None:
    """An FTS5 expression: any of `words`, every phrase, none excluded.

    `project` None looks everywhere, and then the caller tells live from retired; else into that
    one and into global memories, live or `retired` ones, or both with None. None when there is
    no word to look for.
    """
    usable = [word for word in words if has_token(word)][:MAX_WORDS]
    alternatives = [quote(word) for word in usable]
    if alternatives and prefix_last and len(usable[-1]) > 1:
        alternatives[-1] += "*"
    wanted = [quote(phrase) for phrase in phrases if has_token(phrase)][:MAX_WORDS]
    if alternatives:
        wanted.append("(" + " OR ".join(alternatives) + ")")
    if not wanted:
        return None
    parts = [f"{TEXT_COLUMNS} : ({' AND '.join(wanted)})"]
    if project is not None:
        parts.insert(0, _places(project, (False, True) if retired is None else (retired,)))
    expression = " AND ".join(f"({part})" for part in parts)
    for text in [text for text in excluded if has_token(text)][:MAX_WORDS]:
        expression = f"({expression}) NOT ({TEXT_COLUMNS} : {quote(text)})"
    return expression


def _places(project: str, states: Sequence[bool] = (False,)) -> str:
    """What holds in the project or everywhere, live or (True) retired, as an expression."""
    places = [place_term(name, is_retired=state) for name in (project, "") for state in states]
    return f"terms : ({' OR '.join(map(quote, places))})"


Counts = dict[tuple[str, int], int]
"""Counts by what was asked of the index and how far was counted."""


def frequencies(
    connection: sqlite3.Connection,
    words: Sequence[str],
    project: str | None = None,
    counts: Counts | None = None,
) -> dict[str, int]:
    """How many memories have each word, counted up to `COUNTED`; in the order given.

    Where no word is rarer they are counted on, up to `COUNTED_IF_ALL`. With a `project`, of its
    live memories and those of everywhere, up to one more than `POSTINGS_HERE`; else of all.
    `counts` holds what was counted before, and gets what is counted now.
    """
    retained: Counts = {} if counts is None else counts
    here = "" if project is None else f"({_places(project)}) AND "

    def count(word: str, most: int) -> int:
        request = (here + quote(word), most)
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


def telling(
    connection: sqlite3.Connection, words: Sequence[str], budget: int = POSTINGS
) -> list[str]:
    """The rarest of `words`, as many as `budget` entries of the index allow, at least one.

    Ranking a word costs in proportion to its entries, and common words tell the least: at
    100,000 memories this is five times quicker than all words, and nine in ten of the first ten
    answers stay. What the common words say counts when the few candidates are ranked again.
    """
    return affordable(frequencies(connection, words), budget)


def words_near(connection: sqlite3.Connection, word: str) -> list[str]:
    """Words of the index that `word` (lower case, from four letters) may be a slip of.

    They begin as it does, or would without one slip in its first letters, and are about as long;
    the index holds stems, so shorter ones count as well. At most `MOST_NEAR`, and none when the
    index has the word itself. A range of the vocabulary costs what its entries cost, so that
    sixty ranges of three and four letters cost less than one of two.
    """
    if connection.execute(
        "SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? LIMIT 1", (quote(word),)
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


def beginnings(word: str) -> tuple[str, ...]:
    """How a word may begin that somebody typed as `word`, the likeliest first; none begins another.

    As typed; with two neighbours the other way round; without one letter; with any letter in the
    third place, put in or instead. A missing or a wrong letter before that is not made good.
    """
    item, two, three, four = tuple(word[:4].translate(_PLAIN))
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

    It is the connection's own and leaves the file as it is, but a connection that only reads has
    to be allowed even that, and is not allowed more than before when this is done.
    """
    if connection.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'near_words'").fetchone():
        return
    [before] = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = 0")
    try:
        connection.execute(
            "CREATE VIRTUAL TABLE temp.near_words USING fts5vocab(main, memory_fts, row)"
        )
    finally:
        connection.execute(f"PRAGMA query_only = {before:d}")


def held(
    connection: sqlite3.Connection, texts: Sequence[str], beside: Sequence[str]
) -> tuple[str, list[str]]:
    """A condition on a memory, and its values: its text holds one of `texts` (lower case) anywhere.

    Or one of the words of `beside` (lower case, letters and digits), next to writing without
    spaces, where the index knows any. The quick tests come first: patterns are slow.
    """
    whole, signs = "lower(title || ' ' || content)", f"[{UNSPACED}]"
    any_of, values = [f"instr({whole}, ?) > 0"] * len(texts), [*texts]
    if beside and _knows_unspaced(connection):
        padded = f"' ' || {whole} || ' ' GLOB ?"
        alone = " OR ".join([f"instr({whole}, ?) > 0 AND ({padded} OR {padded})"] * len(beside))
        any_of.append(f"length(content) < length(CAST(content AS BLOB)) AND ({alone})")
        for word in beside:
            values += (word, f"*{signs}{word}[^a-z0-9]*", f"*[^a-z0-9]{word}{signs}*")
    return " OR ".join(any_of), values


def _knows_unspaced(connection: sqlite3.Connection) -> bool:
    """Whether a word of the index begins with such writing: a walk of one step."""
    make_vocabulary(connection)
    text = "SELECT 1 FROM temp.near_words WHERE term >= ? LIMIT 1"
    return connection.execute(text, (UNSPACED[-3],)).fetchone() is not None


def remove(connection: sqlite3.Connection, nums: Sequence[int]) -> None:
    """Take memories out of the index, as they stand in the table."""
    if nums:
        connection.execute(_REMOVE, (quick_json.dumps(list(nums)),))


def add(connection: sqlite3.Connection, nums: Sequence[int]) -> None:
    """Put memories into the index, as they stand in the table."""
    if nums:
        connection.execute(_ADD, (quick_json.dumps(list(nums)),))


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the index anew from the table."""
    connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('rebuild')")


def make_terms_anew(connection: sqlite3.Connection) -> None:
    """Write `terms_of` for each memory that says otherwise: older versions made other words.

    Without them no question of this version finds a memory. The caller holds the transaction.
    """
    stale = [
        (terms, num)
        for num, project, retired_at, existing in connection.execute(
            "SELECT num, project, retired_at, terms FROM memory"
        )
        if (terms := terms_of({"project": project, "retired_at": retired_at})) != existing
    ]
    if stale:
        connection.executemany("UPDATE memory SET terms = ? WHERE num = ?", stale)
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('rebuild')")


def problem(connection: sqlite3.Connection) -> str:
    """What the index's own check says against the table; "" when it is sound.

    The rank 1 form compares with the content; the plain form misses stale words. It has the form
    of a change: where nothing can be written it is not made, and says nothing.
    """
    try:
        connection.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES('integrity-check', 1)")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return "" if "readonly" in str(error) else str(error)
    return ""
