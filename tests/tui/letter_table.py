"""The letter table: a letter means one act in the whole app, or nothing.

An act is known by its name, the last part of its id: `memory.forget` and `home.forget` are one
act, and only `x` may do it. Dialogs that stand in front of everything show their own letters.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Letter:
    """What a key means, and the names of the acts that are this in some view."""

    means: str
    names: frozenset[str]
    writes: bool = False  # it may change what is stored; each such change is one undo


def _letter(means: str, names: str, *, writes: bool = False) -> Letter:
    return Letter(means, frozenset(names.split()), writes)


LETTERS: Mapping[str, Letter] = {
    "j": _letter("down", "down next"),
    "k": _letter("up", "up previous"),
    "g": _letter("first", "first top"),
    "G": _letter("last", "last bottom"),
    "h": _letter("pane to the left", "left"),
    "l": _letter("pane to the right", "right"),
    "/": _letter("filter", "filter focus"),
    "n": _letter("next match; in Conflicts and Tidy the next one", "next next_match"),
    "N": _letter("match before; in Conflicts and Tidy the one before", "previous previous_match"),
    "[": _letter("previous memory", "previous"),
    "]": _letter("next memory", "next"),
    "space": _letter("mark and go on; in Inbox and Tidy skip", "mark skip"),
    "v": _letter("range", "range"),
    "A": _letter("mark all", "mark_all"),
    "*": _letter("invert what is marked", "invert"),
    "o": _letter("sort", "sort"),
    "m": _letter("group by", "group"),
    "f": _letter("facets: only a part of what there is", "facets refused waiting decided only"),
    "S": _letter("save this view", "save save_view"),
    "'": _letter("what was saved: views; in Recall past prompts", "saved views past"),
    "z": _letter("zoom", "zoom"),
    "R": _letter("show what is new", "fresh refresh replay again"),
    "a": _letter("accept: yes, it stands", "accept both keep", writes=True),
    "p": _letter("pin", "pin", writes=True),
    "e": _letter("edit", "edit", writes=True),
    "E": _letter("edit in $EDITOR", "editor", writes=True),
    "x": _letter("take away", "forget reject retire neither uninstall default", writes=True),
    "r": _letter("restore, mend", "restore rescue fix", writes=True),
    "M": _letter("merge", "merge", writes=True),
    "t": _letter("tags, category", "tags move", writes=True),
    "d": _letter("done", "done", writes=True),
    "s": _letter("later, or still true", "snooze still_true keep none", writes=True),
    "c": _letter("new", "new ask try", writes=True),
    "L": _letter("links: to what it is tied to", "links near open decide"),
    "H": _letter("history", "life history"),
    "w": _letter("why", "why"),
    "y": _letter("copy", "copy"),
    "b": _letter("open the file it names", "file open_file transcript"),
    "I": _letter("receipts that told it", "injections receipts preview"),
    "T": _letter("Tidy", "tidy"),
    "u": _letter("undo the newest", "undo", writes=True),
    "U": _letter("undo this one", "undo reopen", writes=True),
    "i": _letter("connect an agent", "install", writes=True),
    "F": _letter("mend all", "fix_all", writes=True),
    "W": _letter("welcome", "welcome", writes=True),
    "C": _letter("clear a category", "clear", writes=True),
    "+": _letter("it helped", "helpful", writes=True),
    "-": _letter("less of it: not helpful; in facets not these", "unhelpful exclude", writes=True),
    ">": _letter("raise", "more", writes=True),
    "<": _letter("lower", "less", writes=True),
    "P": _letter("the Deck as it was then", "then"),
    "?": _letter("help", "help"),
    ":": _letter("command line", "command"),
    "q": _letter("quit", "quit"),
}
"""Every printable key but digits and `,`, which are views."""

NAMES = {
    "slash": "/", "question_mark": "?", "colon": ":", "asterisk": "*", "apostrophe": "'",
    "left_square_bracket": "[", "right_square_bracket": "]", "minus": "-", "plus": "+",
    "greater_than_sign": ">", "less_than_sign": "<", "comma": ",",
}  # fmt: skip


def printed(key: str) -> str:
    """A key by what is printed on it: `slash` is `/`; others stay as they are."""
    return NAMES.get(key, key)


def is_in_table(key: str, act: str) -> bool:
    """Whether the table lets this key do the act of this id; keys that print nothing are free."""
    shown = printed(key)
    if len(shown) > 1 and shown != "space":
        return True
    if shown.isdigit() or shown == ",":
        return act.partition(".")[0] == "view"
    if shown == "T" and act == "view.tidy":
        return True
    letter = LETTERS.get(shown)
    return letter is not None and act.rpartition(".")[2] in letter.names
