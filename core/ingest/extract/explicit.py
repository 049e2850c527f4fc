"""What a person says in so many words is to be kept: remembered, held to from now on, put off.

This needs no judgement. The words of each language are data (`languages/`), what they weigh stands
here once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...answers import Capture
from ...judgement.signs import signs_of
from ...text.sentences import masked_quotes, sentences
from ...text.times import holds_until
from .echo import without_echo
from .intentions import planned_in
from .labels import named
from .phrases import phrases
from .rules import Rule
from .shape import Session, capture
from .turns import Turn
from .utterances import is_others
from .weights import importance_of
from .wording import finished, has_words, standing, without_filler

MAX_OF_A_PROMPT = 12  # a pasted rule book must not fill the inbox

_REMEMBER = Rule("remember", "preference", None, 0.85, 0.95, "fact", ("instruction",))
_FROM_NOW_ON = Rule("from-now-on", "preference", None, 0.85, 0.9, "principle", ("instruction",))
_INTENTION = Rule(
    "intention", "task_progress", "prospective", importance_of("intention"), 0.8, "", ("todo",)
)
_ORDERS = frozenset(("orders",))
_QUOTED_LINE = re.compile(r"^(?:[ \t]*(?:>|&gt;)| {4}(?! *[-*\d])|\t(?! *[-*\d])).*$", re.MULTILINE)


def explicit_in(turn: Turn, said: str, session: Session) -> list[Capture]:
    """The captures of one prompt, or of the words with which a call was refused, in order."""
    found: list[Capture] = []
    before = ""
    for sentence in sentences(_QUOTED_LINE.sub("", without_echo(said))):
        text = without_filler(sentence.text)
        if not (sentence.is_question or sentence.kind == "heading" or is_others(text)):
            found += _in_sentence(text, before, sentence.index, turn, session)
        before = sentence.text
    return found[:MAX_OF_A_PROMPT]


def expiring(made: Capture, turn: Turn) -> Capture:
    """`made` with the end of the time to which its own words limit it, told behind them."""
    limit = holds_until(made.content, turn.at)
    if limit is None or made.type == "prospective":
        return made
    words, end = limit
    day = f"{end:%Y-%m-%d}"
    told = made.content if day in words else f"{made.content.rstrip(' .')} (until {day})."
    return replace(made, content=told, expires=end)


def _in_sentence(
    text: str, before: str, index: int, turn: Turn, session: Session
) -> Iterator[Capture]:
    masked = masked_quotes(text)
    for one in phrases():
        if planned := planned_in(text, masked, one, turn.at):
            whole = standing(planned.text, "", "")
            if whole and has_words(whole):
                made = capture(
                    _INTENTION, whole, turn, index, session,
                    details=planned.details(), is_person=True,
                )  # fmt: skip
                yield replace(made, due=planned.due)
            return
        said, rule = "", _REMEMBER
        if found := next((f for p in one.remember if (f := p.match(masked))), None):
            start, end = found.span("said")
            said = without_filler(text[start:end])
            if start == 0 and _ORDERS & signs_of(before):
                said = f"{finished(without_filler(before))} {said}"  # that is meant, too
        elif one.from_now_on.search(masked):
            said, rule = text, _FROM_NOW_ON
        if said:
            whole = standing(said, before, "")
            if whole and has_words(whole):
                if rule is _REMEMBER:
                    rule = replace(rule, category=named(said, is_person=True).category)
                made = capture(rule, whole, turn, index, session, is_person=True)
                yield expiring(made, turn)
            return
