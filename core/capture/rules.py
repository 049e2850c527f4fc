"""What is worth writing down, as data: one row for each way of saying so.

A pattern looks at a sentence without its opening filler, with quotations and code masked
(`prose.mask`). Where it has a group `said`, that part is the memory, else the whole sentence.
The first rule that fits and is not refused decides. The rows are in `rules_person`, `rules_facts`,
`rules_stated`, `rules_agent`, and for other languages in `rules_german` and `rules_spanish`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something that lasts.

    Importance and confidence go from 0 to 1: what a person lays down outranks what an agent
    found out, which outranks what an agent did.
    """

    name: str
    pattern: re.Pattern[str]
    category: str  # one of the nine (002-07)
    type: str | None  # memory type, or None where the text must decide
    importance: float
    confidence: float
    nature: str = ""  # for the type's own table: semantic.category or episodic.event_type
    tags: tuple[str, ...] = ()
    lasts: bool = False  # says itself that it stands; words like "today" do not make it pass
    needs_fact: bool = False  # must name something concrete: a file, a number, an identifier


def rx(pattern: str) -> re.Pattern[str]:
    """A pattern of a rule: small and capital letters are the same, spaces are written `\\ `."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def first_match(rules: Iterable[Rule], text: str, masked: str) -> tuple[Rule, str, str] | None:
    """The first rule that fits, with what was said and its masked form."""
    return next(matches(rules, text, masked), None)


def matches(rules: Iterable[Rule], text: str, masked: str) -> Iterator[tuple[Rule, str, str]]:
    """Each rule that fits, in order, with what was said and its masked form."""
    for rule in rules:
        found = rule.pattern.search(masked)
        if not found:
            continue
        has_said = "said" in rule.pattern.groupindex and found["said"] is not None
        start, end = found.span("said") if has_said else (0, len(text))
        yield rule, text[start:end], masked[start:end]
