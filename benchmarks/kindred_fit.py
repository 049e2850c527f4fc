"""`python -m benchmarks.kindred_fit`: which words go together, counted on the tuning halves only.

The subject of a commit says in a few words what its body tells in many. How likely a word of the
subject is where the body has some other word is estimated over the logs of the repositories that
may be tuned on, as translations are: IBM's model 1 (Brown et al. 1993, "The Mathematics of
Statistical Machine Translation"), six rounds, one word for "none of them". Each repository counts
the same, and a word counts that many of them have, so that no project's own vocabulary comes in.
What makes a word likelier is kept, the pairs that say most first. Needs numpy, which comes with
what `training/` needs. Writes `core/recall/kindred.txt`.
"""

import os
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memdeck.core.recall import kindred
from memdeck.core.recall.relevance import stem
from memdeck.core.recall.vocabulary import STOP_WORDS

from . import retrieval_set
from .retrieval_sets import REPOSITORIES, clone_of, is_left_out, notes_of

LOGGED = 8_000
"""Notes of one repository that are counted, the newest."""

KNOWN_TO = 8
"""A word counts that so many repositories have, on its side."""

ROUNDS = 6

OFTEN = 5
"""Pairs count that stand together in so many notes."""

LIKELIER = 0.3
"""Pairs are kept by which a word becomes likelier, by this logarithm at least."""

PAIRS = 10_000

Pair = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of a subject and of its body, by their stems."""


def main() -> None:
    """Count, write the table, and say how large it is."""
    lines = table(logged())
    _write(lines, kindred.TABLE)
    print(f"{len(lines):,} words, {os.path.getsize(kindred.TABLE):,} bytes")


@contextmanager
def in_use(lines: Sequence[str]) -> Iterator[None]:
    """While it lasts, `kindred` reads this table."""
    with tempfile.TemporaryDirectory(prefix="memdeck-kindred-") as folder:
        shipped, kindred.TABLE = kindred.TABLE, os.path.join(folder, "kindred.txt")
        _write(lines, kindred.TABLE)
        try:
            yield
        finally:
            kindred.TABLE = shipped


def _write(lines: Sequence[str], place: str) -> None:
    Path(place).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def logged() -> dict[str, list[Pair]]:
    """The pairs of each repository that may be tuned on and is at hand."""
    listed = tomllib.loads((retrieval_set.DATA / "retrieval_repositories.toml").read_text("utf-8"))
    folder = Path(os.environ[REPOSITORIES])
    found = {}
    for name in listed["notes"]:
        if not is_left_out(name) and (clone := clone_of(folder, name)):
            notes = notes_of(clone, LOGGED)
            found[name] = [(stems(subject), stems(memory["content"])) for subject, memory in notes]
    return found


def stems(text: str) -> tuple[str, ...]:
    """The words of a text that say something, by their stems, each once."""
    words = (word for word in kindred.words_of(text) if word not in STOP_WORDS)
    return tuple(sorted({stem(word) for word in words if not word.isdigit()}))


def table(repositories: Mapping[str, Sequence[Pair]]) -> list[str]:
    """The lines of the table, in the order of their words."""
    import numpy as np

    ours = _numbers({name: [one for one, _ in found] for name, found in repositories.items()})
    theirs = _numbers({name: [two for _, two in found] for name, found in repositories.items()})
    word, beside, group, weight = _indexed(repositories, ours, theirs)
    key, place = np.unique(word.astype(np.int64) * (len(theirs) + 1) + beside, return_inverse=True)
    pair_word, pair_beside = np.divmod(key, len(theirs) + 1)
    often = np.bincount(place)
    likely = np.ones(len(key))
    for _ in range(ROUNDS):
        share = likely[place]
        share *= (weight / np.bincount(group, share))[group]
        count = np.bincount(place, share, len(key))
        likely = count / np.bincount(pair_beside, count)[pair_beside]
    plain = np.bincount(word[beside == 0], weight, len(ours)) / weight.sum()
    likelier = likely / plain[pair_word]
    told = count * np.log(np.maximum(likelier, 1e-12))
    told[(pair_beside == 0) | (often < OFTEN) | (np.log(likelier + 1e-12) < LIKELIER)] = 0
    lines, kept = dict[str, list[str]](), 0
    our_words, their_words = list(ours), ["", *theirs]
    for at in np.argsort(-told)[: np.count_nonzero(told)]:
        word, other = our_words[pair_word[at]], their_words[pair_beside[at]]
        if word != other and kept < PAIRS:
            lines.setdefault(word, []).append(f"{other} {round(float(likelier[at]))}")
            kept += 1
    return [f"{name}\t{' '.join(words)}" for name, words in sorted(lines.items())]


def _numbers(texts: Mapping[str, Iterable[Iterable[str]]]) -> dict[str, int]:
    """A number for each word of these texts that enough repositories have."""
    known: Counter[str] = Counter()
    for found in texts.values():
        known.update({word for text in found for word in text})
    return {word: n for n, word in enumerate(sorted(w for w in known if known[w] >= KNOWN_TO))}


def _indexed(
    repositories: Mapping[str, Sequence[Pair]], ours: Mapping[str, int], theirs: Mapping[str, int]
) -> tuple[Any, Any, Any, Any]:
    """Every word of a subject beside each of its body, and beside 0 for none of them.

    Three arrays of one length: the word, the other (from 1), and which word of which note it is;
    and the weight of each such word.
    """
    import numpy as np

    words, others, groups, weights = [], [], [], []
    for pairs in repositories.values():
        for subject, body in pairs:
            beside = np.array([0, *(theirs[word] + 1 for word in body if word in theirs)], np.int32)
            for name in subject:
                if name in ours:
                    words.append(np.full(len(beside), ours[name], np.int32))
                    others.append(beside)
                    groups.append(np.full(len(beside), len(weights), np.int32))
                    weights.append(1 / len(pairs))
    return (*map(np.concatenate, (words, others, groups)), np.array(weights))


if __name__ == "__main__":
    main()
