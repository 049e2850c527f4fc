"""What an agent reported: findings, and in its closing words decisions, warnings and outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..answers import Capture
from .echo import without_echo
from .edits import Edit
from .prose import Sentence, sentences
from .refusals import HEDGED, STATUS, TALK, TROUBLE, asks
from .rules import Rule, first_match, rx
from .rules_agent import AGENT_RULES, OUTCOME
from .shape import Session, capture
from .standalone import (
    Topics,
    has_words,
    joined_with,
    leans_back,
    mask_of,
    points_elsewhere,
    without_filler,
)
from .subjects import files_in, is_concrete, tags_in
from .turns import Turn

MAX_FINDINGS = 4  # of one answer
MAX_OUTCOMES = 2  # of one closing answer
_MAX_GROUP = 3  # sentences in one outcome

_MIDWAY = ("turned-out", "cause", "decision")
_EXPLAINING = ("turned-out", "cause", "because")
_CHANGE = Rule(
    "change",
    rx(
        r"^(?:i|we|i've|we've|i\ have|we\ have)\s(?:also\s|then\s)?(?P<said>(?:added|changed|"
        r"moved|renamed|replaced|removed|switched|rewrote|introduced|extracted|split|made|capped|"
        r"raised|lowered|pinned|dropped|disabled|enabled)\b.*"
        r"\b(?:so\ that|because|since|instead\ of|rather\ than|from\ \S+\ to|in\ order\ to|which|"
        r"with|to\ (?:avoid|prevent|keep|stop|make|allow))\b.*)$"
    ),
    "file_change",
    "episodic",
    0.45,
    0.65,
    "agent_response",
    ("change",),
    needs_fact=True,
)
_FIRST_PERSON = re.compile(r"^(?:I|We)(?:'ve| have)?\s(?=\w+(?:ed|ose|ent|ept|ched|cked|used)\b)")
_ACTED = re.compile(r"^(?:I|We)\b")
_NAMES_ITSELF = re.compile(
    r"^(?:the )?(?:root |actual |real |underlying )*(?:cause|problem|issue|bug|failure|reason|"
    r"culprit)\b\s*(?:was|is|were|came from|comes from|:)",
    re.IGNORECASE,
)
_STATUS_TAIL = re.compile(
    r",?\s(?:and|with)\s(?:all\s)?(?:\d+\s)?(?:\w+\s){0,3}"
    r"(?:tests?|checks?|suite|build|lint)\s(?:\w+\s)?(?:pass(?:es|ed|ing)?|green|succeeds?|clean)\b.*$",
    re.IGNORECASE,
)
_CALL_NAME = re.compile(r"`?\b([A-Za-z_]\w{2,})(?:\(\)`?|`)")


@dataclass(frozen=True, slots=True)
class Work:
    """What surrounds an answer."""

    is_final: bool  # it closes the work on a prompt; before that an agent thinks aloud
    has_acted: bool  # something was run or changed since the prompt
    trouble: str  # what the person said was wrong; a cause explains it
    edits: Sequence[Edit]  # since the prompt
    homes: Mapping[str, str]  # name -> the file that defines it


def from_answer(turn: Turn, work: Work, topics: Topics, session: Session) -> list[Capture]:
    """The captures of one answer: findings anywhere, outcomes only from a final one."""
    said = sentences(without_echo(turn.text))
    found: list[Capture] = []
    taken: set[int] = set()
    for place, sentence in enumerate(said):
        before = said[place - 1] if place else None
        if before and before.paragraph != sentence.paragraph:
            before = None
        made = _finding(sentence, before, work, turn, topics, session)
        if made and len(found) < MAX_FINDINGS:
            taken.add(place)
            found.append(made)
    if work.is_final:
        rest = [s for place, s in enumerate(said) if place not in taken]
        if not work.has_acted:  # an explanation; only what it says of a file is the project's
            rest = [s for s in rest if files_in(s.text, session.root)]
        found += _outcomes(rest, turn, work, topics, session)
    return found


def causes_in(turn: Turn) -> Iterator[str]:
    """The sentences of an answer that explain a failure, as one can quote them."""
    for sentence in sentences(without_echo(turn.text)):
        judged = _judged(sentence)
        if judged and judged[0].name in _EXPLAINING:
            rule, text, masked = judged
            if not leans_back(masked) and len(text) <= 300:
                yield text if rule.name != "turned-out" else text[:1].upper() + text[1:]


def _judged(sentence: Sentence) -> tuple[Rule, str, str] | None:
    """The rule that a sentence fits, with what it says, if it is neither talk nor a guess."""
    text = without_filler(sentence.text)
    masked = mask_of(sentence, text)
    if sentence.is_question or asks(masked) or HEDGED.search(masked):
        return None
    match = first_match(AGENT_RULES, text, masked)
    if match is None or (match[0].name not in _EXPLAINING and STATUS.search(masked)):
        return None
    if TALK.search(masked) and match[0].name not in ("warning", "decision"):
        return None
    rule, text, masked = match
    if (rule.needs_fact and not is_concrete(text)) or not has_words(text):
        return None
    return match


def _finding(
    sentence: Sentence,
    before: Sentence | None,
    work: Work,
    turn: Turn,
    topics: Topics,
    session: Session,
) -> Capture | None:
    judged = _judged(sentence)
    if judged is None:
        return None
    rule, text, masked = judged
    if (not work.is_final and rule.name not in _MIDWAY) or points_elsewhere(masked):
        return None
    text = _FIRST_PERSON.sub("", text)
    if leans_back(masked):
        joined = joined_with(before, text)
        if joined is None:
            return None
        text = joined
    elif rule.name == "cause" and _NAMES_ITSELF.match(masked):
        text = _explained(text, before, work.trouble)
    return capture(rule, topics.expand(text), turn, sentence.index, session)


def _explained(text: str, before: Sentence | None, trouble: str) -> str:
    """A cause together with what it caused: the sentence before, or what the person reported."""
    effect = trouble
    if before and TROUBLE.search(before.masked) and not before.is_question:
        lead = without_filler(before.text)
        if not leans_back(mask_of(before, lead)) and not TALK.search(mask_of(before, lead)):
            effect = lead.rstrip(" .!:")
    if not effect or len(effect) + len(text) > 450 or effect.lower() in text.lower():
        return text
    return f"{effect}: {text[:1].lower()}{text[1:]}"


def _outcomes(
    said: Sequence[Sentence],
    turn: Turn,
    work: Work,
    topics: Topics,
    session: Session,
) -> list[Capture]:
    """How things are now, neighbouring sentences together, as one often explains the other."""
    groups: list[list[tuple[Sentence, Rule, str]]] = []
    for sentence in said:
        judged = _outcome(sentence, topics)
        if judged is None:
            continue
        last = groups[-1][-1][0] if groups else None
        is_next = last is not None and last.paragraph == sentence.paragraph
        if is_next and last and sentence.index - last.index == 1 and len(groups[-1]) < _MAX_GROUP:
            groups[-1].append((sentence, *judged))
        else:
            groups.append([(sentence, *judged)])
    found = []
    for group in groups[:MAX_OUTCOMES]:
        text = " ".join(_stopped(part) for _, _, part in group)
        if len(text) > 450:
            text = group[0][2]
        placed = _placed(text, work.edits, work.homes)
        first, rule = group[0][0], group[0][1]
        found.append(capture(rule, placed[0], turn, first.index, session, files=placed[1]))
    return found


def _outcome(sentence: Sentence, topics: Topics) -> tuple[Rule, str] | None:
    text = without_filler(sentence.text)
    masked = mask_of(sentence, text)
    status = _STATUS_TAIL.search(masked)
    if status:
        text, masked = text[: status.start()], masked[: status.start()]
    if sentence.is_question or asks(masked):
        return None
    if any(refusal.search(masked) for refusal in (TALK, STATUS, HEDGED)):
        return None
    match = first_match((_CHANGE, OUTCOME), text, masked)
    if match is None or (match[0] is OUTCOME and _ACTED.match(masked)):
        return None
    rule, text, masked = match
    text = topics.expand(text[:1].upper() + text[1:] if rule is _CHANGE else text)
    if not is_concrete(text) or leans_back(text) or points_elsewhere(masked):
        return None
    return (rule, text) if len(text.split()) >= 3 else None


def _placed(
    text: str, edits: Sequence[Edit], homes: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """`text` with the file of the function it names, and how that file was changed."""
    for named in _CALL_NAME.finditer(text):
        path = homes.get(named[1])
        if path is None:
            continue
        code = named[0] if named[0].startswith("`") else f"`{named[0]}`"
        where = "" if path in text else f" in {path}"
        text = f"{text[: named.start()]}{code}{where}{text[named.end() :]}"
        changes = [edit for edit in edits if edit.path == path]
        words = changes[0].as_words() if len(changes) == 1 else ""
        if words and len(text) < 120:
            text = f"{text.rstrip(' .')}: {words}"
        return text, (path,)
    paths = {edit.path for edit in edits}
    return text, tuple(paths) if len(paths) == 1 and not tags_in(text) else ()


def _stopped(text: str) -> str:
    text = text.strip().rstrip(",;:")
    return text if text.endswith((".", "!", "?")) else f"{text}."
