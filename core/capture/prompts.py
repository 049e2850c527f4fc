"""What a person said that should outlast the session."""

from __future__ import annotations

import re
from dataclasses import replace

from ..answers import Capture
from .echo import without_echo
from .intentions import INTENTION, intention
from .prose import Sentence, mask, sentences
from .refusals import EMPTY, ONE_OFF, TROUBLE, asks
from .rules import Rule, first_match
from .rules_facts import CORRECTED, CORRECTION, FACTS
from .rules_person import INSTRUCTIONS
from .shape import Session, capture
from .shell import shown
from .standalone import (
    Topics,
    finished,
    has_words,
    joined_with,
    leans_back,
    mask_of,
    points_elsewhere,
    without_filler,
)
from .subjects import is_concrete
from .turns import Call, Turn

PERSON_RULES = (*INSTRUCTIONS, *FACTS)
_REQUESTS = ("remember", "remember-that")
_LEANS_ON_NEXT = re.compile(r"\b(?:first|beforehand)[.!]?$", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"^(?:always|never|only|do not|don't|run|use|start|call|keep|put|store|set|open|check|ask|log|"
    r"write|wait|restart|install|build|deploy|seed|migrate|read|treat|avoid|prefer)\b",
    re.IGNORECASE,
)
_LOOSE_INSTEAD = re.compile(r",?\s\binstead[.!]?$", re.IGNORECASE)
_TELLS_A_FACT = re.compile(
    r"^(?:the|our|we|all|every|each|\w+s?)\b.*?\b(?:is|are|lives?|runs?|needs?|requires?|uses?|"
    r"has|have|must|expects?|takes?|costs?|deploys?|belongs?)\b",
    re.IGNORECASE,
)
_ORDINARY = re.compile(r"^(?:the|a|an|our|we|use|run|not|no|to|in|it|instead|of|is|with|and|for)$")
MAX_OF_A_PROMPT = 12  # a pasted rule book must not fill the inbox
_SHORT = 90  # characters; a correction under this is told with what it corrected


def from_prompt(
    turn: Turn, topics: Topics, corrected: Call | None, session: Session
) -> list[Capture]:
    """The captures of one prompt, in order; the `MAX_OF_A_PROMPT` weightiest.

    `corrected` is the call that the prompt may object to. `topics` learns the prompt's names.
    """
    text = without_echo(turn.text)
    said = sentences(text, may_paste=True)
    topics.learn(" ".join(s.text for s in said))
    found: list[Capture] = []
    used: set[int] = set()
    for place, sentence in enumerate(said):
        if sentence.is_question or place in used:
            continue
        before = said[place - 1] if place and _are_close(said[place - 1], sentence) else None
        after = said[place + 1] if place + 1 < len(said) else None
        made = _judge(sentence, before, after, turn, topics, corrected, session)
        if made is None:
            continue
        memory, taken = made
        if taken is before and before is not None and found and place - 1 in used:
            found.pop()  # the sentence before says it together with this one
        used.add(place)
        if taken is not None:
            used.add(place - 1 if taken is before else place + 1)
        found.append(memory)
    weightiest = sorted(found, key=lambda c: -c.importance)[:MAX_OF_A_PROMPT]
    return [c for c in found if c in weightiest]


def trouble_in(turn: Turn) -> str:
    """The sentence of a prompt that describes what is wrong, or an empty text."""
    for sentence in sentences(without_echo(turn.text), may_paste=True):
        bare = without_filler(sentence.text)
        masked = mask_of(sentence, bare)
        if sentence.is_question or asks(masked) or leans_back(masked):
            continue
        if TROUBLE.search(masked) and 4 <= len(bare.split()) <= 40:
            return bare.rstrip(" .!")
    return ""


def _judge(
    sentence: Sentence,
    before: Sentence | None,
    after: Sentence | None,
    turn: Turn,
    topics: Topics,
    corrected: Call | None,
    session: Session,
) -> tuple[Capture, Sentence | None] | None:
    """The capture of one sentence and the neighbour it took in, or None."""
    text = without_filler(sentence.text)
    masked = mask_of(sentence, text)
    correction = CORRECTION.match(masked)
    if correction:
        text = without_filler(text[correction.start("said") :])
        masked = mask_of(sentence, text)
    if asks(masked):
        return None
    match = first_match((INTENTION, *PERSON_RULES), text, masked)
    if match is None and correction:
        match = first_match(CORRECTED, text, masked)
    if match is None:
        return None
    rule, text, masked = match
    if rule is INTENTION:
        made = _put_off(rule, text, masked, sentence, turn, topics, session)
        return (made, None) if made else None
    rule, text, masked = _within(rule, text, masked)
    if not rule.lasts and (ONE_OFF.search(masked) or EMPTY.search(masked)):
        return None
    title = ""
    if correction:
        rule = replace(
            rule,
            name="correction",
            importance=max(rule.importance, 0.8),
            tags=("correction", *rule.tags) if "correction" not in rule.tags else rule.tags,
        )
        title = text if len(text) <= 60 else ""
        text = _with_what_was_corrected(text, corrected)
        title = finished(title).rstrip(".") if text.startswith(title) else ""
        masked = mask(text)
    if rule.needs_fact and (not is_concrete(text) or TROUBLE.search(masked)):
        return None
    whole = _made_whole(rule, text, masked, before, after)
    if whole is None or not has_words(whole[0]):
        return None
    text, taken = whole
    made = capture(
        rule, topics.expand(text), turn, sentence.index, session, title=title, is_person=True
    )
    return made, taken


def _within(rule: Rule, text: str, masked: str) -> tuple[Rule, str, str]:
    """What "remember that …" says, judged by its own words but with the weight of the request."""
    if rule.name not in _REQUESTS:
        return rule, text, masked
    bare = without_filler(text)
    masked = masked[len(masked) - len(bare) :]
    inner = first_match(PERSON_RULES, bare, masked)
    if inner and inner[0].name not in _REQUESTS:
        category = inner[0].category
    elif _TELLS_A_FACT.match(masked) and not _IMPERATIVE.match(masked):
        category = "architecture"
    else:
        category = "preference"
    return replace(rule, category=category), bare, masked


def _made_whole(
    rule: Rule, text: str, masked: str, before: Sentence | None, after: Sentence | None
) -> tuple[str, Sentence | None] | None:
    """`text` so that it stands alone, with the neighbour that was needed, or None."""
    if points_elsewhere(masked):
        return None
    if leans_back(masked):
        joined = joined_with(before, text)
        return (joined, before) if joined else None
    if rule.name == "remember-that" and before is not None and _is_meant_too(before):
        return _linked(without_filler(before.text), text), before
    if _LEANS_ON_NEXT.search(masked) and after is not None and not after.is_question:
        return (_linked(text, after.text), after) if not leans_back(after.masked) else None
    return text, None


def _is_meant_too(before: Sentence) -> bool:
    """Whether "…, remember that" speaks of the instruction before it as well."""
    lead = without_filler(before.text)
    head = mask_of(before, lead)
    if before.is_question or leans_back(head) or ONE_OFF.search(head):
        return False
    stands = first_match(PERSON_RULES, lead, head) is not None
    return bool(_LEANS_ON_NEXT.search(head) or (_IMPERATIVE.match(head) and not stands))


def _linked(lead: str, reason: str) -> str:
    """Two sentences as one thought: "Run X first: the tests need Y"."""
    if _LEANS_ON_NEXT.search(lead):
        first = reason.split(" ", 1)[0]
        lower = reason[:1].lower() + reason[1:] if _ORDINARY.match(first.lower()) else reason
        return f"{finished(lead).rstrip('.!')}: {lower}"
    return f"{finished(lead)} {reason}"


def _with_what_was_corrected(text: str, corrected: Call | None) -> str:
    """A short correction together with the command that it corrects."""
    command = corrected.argument("command") if corrected else ""
    if not command or len(text) > _SHORT or "\n" in command or len(command) > 80:
        return text
    if _LOOSE_INSTEAD.search(text):
        return f"{_LOOSE_INSTEAD.sub('', text)} instead of {shown(command)}"
    spoken = {w.lower() for w in re.findall(r"[\w.-]+", text) if not _ORDINARY.match(w.lower())}
    if spoken & {w.lower() for w in re.findall(r"[\w.-]+", command)}:
        return f"{text.rstrip(' .!')} (the agent had run {shown(command)})"
    return text


def _put_off(
    rule: Rule,
    text: str,
    masked: str,
    sentence: Sentence,
    turn: Turn,
    topics: Topics,
    session: Session,
) -> Capture | None:
    planned = intention(text, turn.at)
    if points_elsewhere(masked) or leans_back(planned.text) or not has_words(planned.text):
        return None
    made = capture(
        rule,
        topics.expand(planned.text),
        turn,
        sentence.index,
        session,
        is_person=True,
        details={
            "intention_type": planned.kind,
            "trigger_type": planned.trigger_type,
            "trigger_condition": planned.trigger,
            "priority": planned.priority,
            "status": "pending",
        },
    )
    return replace(made, due=planned.due)


def _are_close(one: Sentence, other: Sentence) -> bool:
    return one.paragraph == other.paragraph and other.index - one.index == 1
