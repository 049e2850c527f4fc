"""The explicit words of each language, read when the first transcript is: one value a file.

Another language is one more file in `language/`, without other changes. For languages without a
file, only the fitted score works.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..text.sentences import masked_quotes, sentences
from ..text.times import WEEKDAYS
from ..text.words import MONTHS, patterns_in

FOLDER = os.path.dirname(os.path.abspath(__file__))  # every TOML file here is one language

GAP = r"[\s,.!:;，、。…—–-]*"
NOTHING = r"(?!)"  # matches no text: for phrases that a language lacks


class Phrases:
    """The patterns of explicit wishes in one language. Patterns of a beginning need `match`, the
    others `search`.

    Each is compiled on first use: all patterns of all languages take most of a second.
    """

    filler: re.Pattern[str]  # a beginning that says nothing
    points: re.Pattern[str]  # a beginning that needs the sentence before
    vague: re.Pattern[str]  # the same, unless the sentence names something
    order: re.Pattern[str]  # a beginning that asks for one piece of work
    question: re.Pattern[str]  # anywhere: it asks something, where no question mark need say so
    limit: re.Pattern[str]  # anywhere: a limit, as "never" or "no longer"
    wish: re.Pattern[str]  # a beginning that asks to remember: `ask`, `colon`, `said` behind it
    asks: re.Pattern[str]  # anywhere: a `verb` that asks to remember
    announces: re.Pattern[str]  # behind it, where more follows: `that`, `said`
    ends: re.Pattern[str]  # behind it, where it ends the sentence
    preface: re.Pattern[str]  # a beginning that makes the rest a wish for sure
    denied: re.Pattern[str]  # an end before it that makes it no wish
    verb_last: re.Pattern[str]  # verbs that end their sentence: anything may stand before them
    behind: re.Pattern[str]  # a sentence that asks to remember it: `said` is before the wish
    this: re.Pattern[str]  # a sentence that asks to remember the text before it
    rules: re.Pattern[str]  # a beginning that names rules: `said` behind a colon
    important: re.Pattern[str]  # the same of a word that stands before orders for now, too
    everywhere: re.Pattern[str]  # anywhere: it is meant for all projects
    material: re.Pattern[str]  # a beginning that asks to work on the text that follows
    reports: re.Pattern[str]  # before a wish: someone else's wish is reported
    thanks: re.Pattern[str]  # a whole sentence
    unkept: re.Pattern[str]  # anywhere: nothing of its line is to be kept
    from_now_on: re.Pattern[str]  # anywhere
    in_future: re.Pattern[str]  # the same in words that seldom set a rule: only as they stand
    label: re.Pattern[str]  # whole sentences; `said` is put off
    reminder: re.Pattern[str]
    put_off: re.Pattern[str]  # a beginning that puts off by its own words
    we_must: re.Pattern[str]  # a beginning that names a task
    must: re.Pattern[str]  # the same anywhere, where an occasion begins the sentence
    occasion: re.Pattern[str]  # anywhere: when, though no day is named
    chat: re.Pattern[str]  # anywhere: it is not put off
    trigger: re.Pattern[str]  # anywhere: the place in the work that it waits for
    event: re.Pattern[str]  # anywhere: the awaited event
    any_day: re.Pattern[str]  # anywhere: one of its words for days
    days: tuple[tuple[re.Pattern[str], str], ...]  # its words for days -> English ones

    def __init__(self, details: Mapping[str, Any]) -> None:
        ends = {"b": "", "e": "", "least": "4"}  # `least`: characters of a statement
        if not details.get("spaceless"):
            ends = {"b": r"(?!\w)", "e": r"(?<!\w)", "least": "8"}
        self._words = {**ends, **details}
        self._days = dict(details.get("days", {}))
        for name, english in (("weekdays", WEEKDAYS), ("months", MONTHS)):
            self._days |= dict(zip(details.get(name, "").split(), english, strict=False))

    def __getattr__(self, name: str) -> Any:
        if name not in Phrases.__annotations__:
            raise AttributeError(name)
        day = "(?:{})" if self._words.get("spaceless") else r"\b(?:{})(?!\w)"
        if name == "days":
            made: Any = tuple((_pattern(day.format(it)), self._days[it]) for it in self._days)
        elif name == "any_day":
            made = _pattern("|".join(map(day.format, self._days)) or NOTHING)
        elif name in _SHAPES:
            made = _pattern(re.sub(r"(?<!P)<(\w+)>", self._filled, _SHAPES[name]))
        else:
            made = _pattern(self._words.get(name, NOTHING))
        setattr(self, name, made)
        return made

    def _filled(self, name: re.Match[str]) -> str:
        return str(self._words.get(name[1], NOTHING))

    def in_english(self, text: str) -> str:
        """`text` with its words for days as `core/text/times` knows them."""
        if not self.any_day.search(text):
            return text
        for words, english in self.days:
            text = words.sub(english, text)
        return text


_SHAPES = dict(patterns_in(os.path.join(FOLDER, "shapes.tsv")))
BEGINS = re.compile(_SHAPES.pop("begins"), re.IGNORECASE)
PARTED = re.compile(r"(?P<said>.{8,400}?)\s?[,，、.;:：(–—-]+\s*(?:(?:and|so)\s)?$", re.IGNORECASE)
"""The words before a wish in its sentence, to which it refers."""


_EDGE = re.compile(r"[,，、،;…)）。.–—-]\s*(?:and|und|et|y|en|i|и|та|ve|och|og|ja|és)?\s*$")
_MARKED = re.compile(r"[,，、;:：.…–—→➡\"“«「]|\s[-=]>?\s")  # without one of them no wish follows
_SALUTE = re.compile(r"(?:@|(?:hi|hello|hey|dear|hallo|liebe[rs]?|hola|cher|olá|ciao)\s).*$", re.I)


def is_reported(lead: str, phrase: Phrases) -> bool:
    """Return True if `lead` reports the words of someone else."""
    report = phrase.reports.search(lead)
    own = report and re.search(r"\bI\b(?!.*(?:\bnot\b|n't\b|\bnever\b))", lead[: report.start()])
    return report is not None and own is None


@lru_cache(maxsize=512)  # a sentence is asked by each way of reading it
def prefaced(masked: str, phrase: Phrases) -> tuple[re.Match[str], bool] | None:
    """Return a wish behind other words, and True if they surely belong to it ("As a note, …")."""
    doubtful = None
    for verb in phrase.asks.finditer(masked, 1, 200) if _MARKED.search(masked) else ():
        match = phrase.announces.match(masked, verb.end())
        before = masked[: verb.start()]
        lead = before.strip()
        if not match or phrase.denied.search(before):
            continue
        is_parted = _EDGE.search(lead) and (" " in lead or not lead.isascii())
        begins = phrase.preface.match(masked[: verb.start("verb")])
        is_own = not (_SALUTE.match(lead) or is_reported(lead, phrase))
        is_first = begins or (is_parted and not lead.istitle())
        is_sure = is_own and bool(is_first or phrase.verb_last.match(verb["verb"]))
        is_that = match["that"] and not (is_sure and re.search(r"\w", match["said"]))
        if is_that or (match["comma"] and not begins):
            continue  # "he has to remember that …", "it broke, remember, when …"
        if is_sure or (is_own and not match["said"]):
            return match, True
        doubtful = doubtful or (match, False)
    return doubtful


def before_bare(masked: str, phrase: Phrases) -> str | None:
    """Return the text before a verb that ends its sentence: "… Please don't forget." """
    for verb in phrase.asks.finditer(masked, max(0, len(masked) - 60)):
        if phrase.ends.match(masked, verb.end()):
            return masked[: verb.start()]
    return None


@lru_cache(maxsize=1)
def languages() -> tuple[Mapping[str, Any], ...]:
    """Return the content of each language's file, English first."""
    matches = []
    listed = (name for name in os.listdir(FOLDER) if name.endswith(".toml"))
    for name in sorted(listed, key=lambda name: (name != "english.toml", name)):
        with open(os.path.join(FOLDER, name), "rb") as file:
            matches.append(tomllib.load(file))
    return tuple(matches)


class Correcting:
    """A pattern of corrections: `<name>` is replaced by the words so named, of all languages.

    Compiled on first use, since most commands need none.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = _pattern(re.sub(r"(?<!P)<(\w+)>", self._words, self._pattern))
        self.match, self.search, self.sub = compiled.match, compiled.search, compiled.sub
        return getattr(compiled, name)

    def _words(self, name: re.Match[str]) -> str:
        details = (each.get("corrects", {}).get(name[1], ()) for each in languages())
        words = [word for each in details for word in ([each] if isinstance(each, str) else each)]
        return "(?:" + "|".join(words).replace("~", r"\s") + ")"


@lru_cache
def _anywhere(name: str) -> re.Pattern[str]:
    return _pattern("|".join(language.get(name, NOTHING) for language in languages()))


def is_refuted(text: str) -> bool:
    """Return True if `text` says that something was tried and did not work."""
    return not text.rstrip().endswith(("?", "？")) and bool(_anywhere("refuted").search(text))


def says(kind: str, text: str) -> bool:
    """Return True if `text` says a `limit` ("never"), one that it orders (`governs`: "commit only
    when I ask", not "list all"), `only`, what is `passing`: "for now", "in this branch"; that
    something `breaks`; or if the speaker `ponders` or asks for one thing: "perhaps", "let's"."""
    text = text.replace("’", "'")
    return _anywhere(kind).search(without_foreign_no(text)) is not None


_ROMANCE = re.compile(
    r"(?<!\w)(?:el|la|los|las|una?|uma|del?|da|das|em|en|que|com|con|por|para|na|ao|não|está|este"
    r"|cuando|quando)(?!\w)",
    re.IGNORECASE,
)
_NO = re.compile(r"\bno\b", re.IGNORECASE)


def without_foreign_no(text: str) -> str:
    """`text` without the "no" of Spanish ("not") and Portuguese ("in the"), which is no limit."""
    return _NO.sub("··", text) if _ROMANCE.search(text) else text


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrases, ...]:
    """Return the phrases of every language, English first."""
    return tuple(map(Phrases, languages()))


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


# --- how users and agents correct or revoke, in every language that has a file: `corrects` in each
# file, where "~" is a space. A question, a guess and what is only supposed correct nothing, and
# quoted words are masked first.

MOST_CUES = 4  # at the beginning of one sentence: "Wait, no, wrong: …"
READ = 8_000  # characters of a prompt; notices may stand before its words
LEAST_REVOKED = 4  # words of a statement that is named to be revoked: fewer name nothing

_QUOTES = " \t\"'`“”„‚‘’«»"

_FILLER = Correcting(rf"^(?:<filler>\b{GAP})+(?=\S)")
_DENIES = Correcting(rf"^<denies>{GAP}<please>?[.!]*")
_CUE = Correcting(
    rf"^(?:<denies>{GAP}<please>?[.!]*|<takes_back>(?!\w){GAP}|<from_now_on>[\s,:—–-]*)"
)
_FROM_NOW_ON = Correcting(r"\b<from_now_on>\b[\s,:—–-]*")
_INSIDE = Correcting(r"\b(?:<from_now_on>|<is_change>)\b")
_TAKES_BACK = Correcting(r"^<takes_back>(?!\w)")
_WITHDRAWS = Correcting(
    rf"^(?:(?:<denies>|<filler>\b){GAP})*<takes_back>(?!\w)(?:\s(?:<please>|again|wieder))?"
    r"\s*(?:$|[.,;!—–。！，、।])"
)
_REVOKES_BEFORE = Correcting(
    r"^(?:(?:(?:<following>\s)?<over>|<revoked>)\s*(?::|\s[–—-]+\s)|<revokes>\b)[\s,]*"
)
_REVOKES_AFTER = Correcting(r"[\s,;:—–-]+(?:<it>\s)?<over>[\s.!]*$")
_DOUBTS = Correcting(r"\?\s*$|\b<doubts>\b|^<supposes>\b|<mocks>|🙄|🙃|😏")


@lru_cache(maxsize=1024)
def begins_correction(text: str) -> bool:
    """Return True if `text` corrects something: "no, …", "from now on …", "… no longer …"."""
    masked, rest = masked_quotes(text), after_cues(text)
    if _DOUBTS.search(masked) or _DOUBTS.search(masked_quotes(rest)):
        return False
    return len(rest) < len(text) or bool(_INSIDE.search(masked) or revoked_in(text))


def only_sets_a_rule(text: str) -> bool:
    """Return True if a correcting sentence says "from now on", and refuses nothing."""
    masked = masked_quotes(text)
    bare = _FROM_NOW_ON.sub("", masked)
    return bare != masked and not begins_correction(bare)


def takes_back(text: str) -> bool:
    """Return True if a speaker withdraws their own words: "scratch that", "I was wrong: …"."""
    masked = masked_quotes(text)
    return not _DOUBTS.search(masked) and bool(_TAKES_BACK.match(masked[_filler(masked) :]))


def guesses(text: str) -> bool:
    """Return True if a statement is hedged: "my guess is …", "probably", "I assume"."""
    return says("guesses", masked_quotes(text))


def withdraws(text: str) -> bool:
    """Return True if a sentence only withdraws the words before it."""
    masked = masked_quotes(text)
    return _WITHDRAWS.match(masked[_filler(masked) :]) is not None


def denies(prompt: str) -> bool:
    """Return True if a prompt begins by rejecting the agent's words or acts."""
    first = next(iter(sentences(prompt[:READ])), None)
    masked = masked_quotes(first.text) if first else ""
    return _DENIES.match(masked[_filler(masked) :]) is not None


def after_cues(text: str) -> str:
    """Return a sentence without the cues that it begins with."""
    masked, start = masked_quotes(text), 0
    for _ in range(MOST_CUES):
        at = start + _filler(masked[start:])
        match = _CUE.match(masked[at:])
        if not match or not match.end():
            break
        start = at + match.end()
    return text[start:].strip()


def revoked_in(text: str) -> str:
    """Return the statement that a sentence says to hold no longer; "" if it says no such thing."""
    masked = masked_quotes(text)
    start = _filler(masked)
    if before := _REVOKES_BEFORE.match(masked[start:]):
        lead, rest = text[: start + before.end()], text[start + before.end() :]
    elif after := _REVOKES_AFTER.search(masked):
        lead, rest = text[after.start() :], text[start : after.start()]
    else:
        return ""
    rest = rest.strip(_QUOTES)
    is_doubted = _DOUBTS.search(lead) or text.rstrip(_QUOTES).endswith("?")
    return "" if is_doubted or len(rest.split()) < LEAST_REVOKED else rest


def _filler(masked: str) -> int:
    """Return the end of the filler words before a cue."""
    match = _FILLER.match(masked)
    return match.end() if match else 0
