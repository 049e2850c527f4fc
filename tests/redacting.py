"""Texts passed through the rules that every memory passes, as `memdeck redact --jsonl` does it."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from memdeck.tests.answers import answer_of


class Clean(NamedTuple):
    """What is left of a text, and the kinds of what was taken out."""

    value: str
    removed: tuple[str, ...] = ()


def redact_all(texts: Iterable[str], *, home: str = "") -> list[Clean]:
    """Each of the texts, in one command, by the settings of `home`."""
    given = "".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(texts))
    place = ("--home", home) if home else ()
    answers = answer_of(*place, "redact", "--jsonl", stdin=given, code=0).lines
    assert [answer["id"] for answer in answers] == list(range(len(answers)))
    return [Clean(answer["text"], tuple(answer["removed"])) for answer in answers]


def redact(text: str) -> Clean:
    """One text, by the settings of the test's home."""
    [clean] = redact_all([text])
    return clean
