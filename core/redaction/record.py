"""The fields of one record, redacted together, and what may be said of it afterwards.

A secret that one field gives away (`password: …` in the text) goes from all of them (the title that
was cut from it, a tag). Mappings and lists are walked; their keys are texts like the others, and a
key such as "password" says what its value is. Where, what and how often is counted, never which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..text.clean import clean
from .named import kind_of_name
from .redact import EVERYTHING, Choice, CleanText, redact_together

_MARKER = "[REDACTED:secret]"

Counts = Mapping[tuple[str, str], int]
"""(field, kind) -> places."""


@dataclass(frozen=True, slots=True)
class RedactedRecord:
    """A record without secrets, of the same shape."""

    fields: dict[str, Any]
    counts: Counts

    @property
    def removed(self) -> tuple[str, ...]:
        """The kinds that were taken out, each once."""
        return tuple(dict.fromkeys(kind for _, kind in self.counts))


def redact_record(
    fields: Mapping[str, Any], *, names: Collection[str] = (), choice: Choice = EVERYTHING
) -> RedactedRecord:
    """Every text in `fields` redacted, whatever it is nested in; numbers and None stay.

    Fields in `names`, at any depth, hold names that others gave, ids or paths: what is merely
    random stays there.
    """
    walk = _Walk(names)
    for name, value in fields.items():
        if not isinstance(value, int | float | None):  # most fields of a row
            walk.gather(name, value)
    made = redact_together(walk.texts, names=walk.plain, choice=choice)
    counts: Counter[tuple[str, str]] = Counter()
    for field, one in zip(walk.owners, made, strict=True):
        for kind, number in one.counts:
            counts[field, kind] += number
    if not counts and not walk.was_cleaned and all(map(_is_same, walk.texts, made)):
        return RedactedRecord(dict(fields), {})
    walk.take_up(made)
    return RedactedRecord({name: walk.rebuild(value) for name, value in fields.items()}, counts)


def _is_same(text: str, clean: CleanText) -> bool:
    return text == clean.value


class _Walk:
    """The texts of a record in the order in which they are met, and their way back."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self.plain: set[int] = set()  # places of names that others gave
        self.texts: list[str] = []
        self.owners: list[str] = []  # the field each text belongs to
        self.was_cleaned = False  # a text came with what `clean` takes out
        self._leads: list[str] = []  # what was put before it, to say what it is
        self._made: list[str] = []
        self._next = 0

    def gather(self, field: str, value: Any, name: str = "") -> None:
        if isinstance(value, str):
            given, value = value, clean(value)
            self.was_cleaned = self.was_cleaned or value != given
            says = name and not any(sign in value for sign in '"\\\n') and kind_of_name(name)
            lead = f'{name}="' if says else ""
            if field in self._names or name in self._names:
                self.plain.add(len(self.texts))
            self.texts.append(f'{lead}{value}"' if lead else value)
            self._leads.append(lead)
            self.owners.append(field)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                self.gather(field, str(key))
                self.gather(field, item, str(key))
        elif isinstance(value, list | tuple):
            for item in value:
                self.gather(field, item, name)

    def take_up(self, made: list[CleanText]) -> None:
        """What became of the texts, without what was put around them."""
        for lead, one in zip(self._leads, made, strict=True):
            text = one.value
            if lead and not text.startswith(lead):  # the name itself held a secret
                lead, text = "", _MARKER
            self._made.append(text[len(lead) :].removesuffix('"') if lead else text)

    def rebuild(self, value: Any) -> Any:
        """`value` with its texts exchanged; called in the order of `gather`."""
        if isinstance(value, str):
            self._next += 1
            return self._made[self._next - 1]
        if isinstance(value, Mapping):
            return {self.rebuild(str(key)): self.rebuild(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.rebuild(item) for item in value]
        return value


def worded(counts: Counts) -> str:
    """What an entry of the journal says of it: "redacted: content github-token ×1, tags email ×2".

    "" when nothing was taken out. Never the value, nor its length, nor a piece of it.
    """
    told = ", ".join(f"{field} {kind} ×{number}" for (field, kind), number in counts.items())
    return f"redacted: {told}" if told else ""
