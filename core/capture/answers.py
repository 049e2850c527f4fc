"""What an agent reported: findings, and in its closing words decisions, warnings and outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..answers import Capture
from .echo import without_echo
from .edits import Edit
from .intentions import intention
from .languages import LANGUAGES, Language, Languages, language_of
from .prose import Sentence, sentences
from .rules import Rule, first_match
from .shape import Session, capture
from .standalone import Topics, finished, has_words, joined_with, mask_of
from .subjects import files_in, is_concrete, tags_in
from .turns import Turn

MAX_FINDINGS = 4  # of one answer
MAX_OUTCOMES = 2  # of one closing answer
_MAX_GROUP = 3  # sentences in one outcome

_MIDWAY = ("turned-out", "cause", "decision", "explained")
_EXPLAINING = ("turned-out", "cause", "because", "explained")
_ANNOUNCED = ("warning", "decision", "follow-up")  # they name themselves: "Next steps: …"
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
    asked: str  # what the person wanted, for a cause that no trouble was told of
    edits: Sequence[Edit]  # since the prompt
    homes: Mapping[str, str]  # name -> the file that defines it
    is_last: bool = False  # nothing follows in the whole session


def from_answer(
    turn: Turn,
    work: Work,
    topics: Topics,
    session: Session,
    languages: Languages = LANGUAGES,
) -> list[Capture]:
    """The captures of one answer: findings anywhere, outcomes only from a final one.

    None where no rules are known for the language it is written in.
    """
    text = without_echo(turn.text)
    language = language_of(text, languages)
    if language is None:
        return []
    said = sentences(text)
    found: list[Capture] = []
    taken: set[int] = set()
    for place, sentence in enumerate(said):
        before = said[place - 1] if place else None
        if before and before.paragraph != sentence.paragraph:
            before = None
        made = _finding(sentence, before, work, turn, topics, session, language)
        if made and len(found) < MAX_FINDINGS:
            taken.add(place)
            found.append(made)
    if work.is_final:
        rest = [s for place, s in enumerate(said) if place not in taken]
        if not work.has_acted:  # an explanation; only what it says of a file is the project's
            rest = [s for s in rest if files_in(s.text, session.root)]
        found += _outcomes(rest, turn, work, topics, session, language)
    return found


def causes_in(turn: Turn, languages: Languages = LANGUAGES) -> Iterator[str]:
    """The sentences of an answer that explain a failure, as one can quote them."""
    said = without_echo(turn.text)
    language = language_of(said, languages)
    if language is None:
        return
    for sentence in sentences(said):
        judged = _judged(sentence, language)
        if judged and judged[0].name in _EXPLAINING:
            rule, text, masked = judged
            leans = language.points_elsewhere if rule.name == "explained" else language.leans_back
            if not leans(masked) and len(text) <= 300:
                yield text if rule.name != "turned-out" else text[:1].upper() + text[1:]


def _judged(sentence: Sentence, language: Language) -> tuple[Rule, str, str] | None:
    """The rule that a sentence fits, with what it says, if it is neither talk nor a guess."""
    text = language.without_filler(sentence.text)
    masked = mask_of(sentence, text)
    if sentence.is_question or language.asks(masked) or language.hedged.search(masked):
        return None
    match = first_match(language.agent, text, masked)
    if match is None or (match[0].name not in _EXPLAINING and language.status.search(masked)):
        return None
    if language.talk.search(masked) and match[0].name not in _ANNOUNCED:
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
    language: Language,
) -> Capture | None:
    judged = _judged(sentence, language)
    if judged is None:
        return None
    rule, text, masked = judged
    if (not work.is_final and rule.name not in _MIDWAY) or language.points_elsewhere(masked):
        return None
    if rule.type == "prospective" and not work.is_last:
        return None  # it may have been done since
    text = _FIRST_PERSON.sub("", text)
    if language.leans_back(masked):
        joined = joined_with(before, text)
        if joined is None and rule.name == "explained":
            joined = _told_of(text, before, work, language)
        if joined is None:
            return None
        text = joined
    elif rule.name == "cause" and _NAMES_ITSELF.match(masked):
        text = _explained(text, before, work.trouble, language)
    text = topics.expand(text)
    if rule.type != "prospective":
        return capture(rule, text, turn, sentence.index, session)
    planned = intention(text, turn.at)
    details = {**planned.details(), "intention_type": "followup"}
    made = capture(rule, planned.text, turn, sentence.index, session, details=details)
    return replace(made, due=planned.due)


def _told_of(text: str, before: Sentence | None, work: Work, language: Language) -> str | None:
    """ "It comes from …" together with what comes from there, None where nobody said it."""
    whole = _explained(text, before, work.trouble, language)
    if whole != text:
        return whole
    asked = work.asked.rstrip(" .!")
    if len(asked.split()) < 3 or len(asked) + len(text) > 450:
        return None
    return f"{finished(text)} (Asked: “{asked}”)"


def _explained(text: str, before: Sentence | None, trouble: str, language: Language) -> str:
    """A cause together with what it caused: the sentence before, or what the person reported."""
    effect = trouble
    if before and language.trouble.search(before.masked) and not before.is_question:
        lead = language.without_filler(before.text)
        head = mask_of(before, lead)
        if not language.leans_back(head) and not language.talk.search(head):
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
    language: Language,
) -> list[Capture]:
    """How things are now, neighbouring sentences together, as one often explains the other."""
    groups: list[list[tuple[Sentence, Rule, str]]] = []
    for sentence in said:
        judged = _outcome(sentence, topics, language)
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
        files = _files_of(text, work.edits, work.homes)
        first, rule = group[0][0], group[0][1]
        found.append(capture(rule, text, turn, first.index, session, files=files))
    return found


def _outcome(sentence: Sentence, topics: Topics, language: Language) -> tuple[Rule, str] | None:
    text = language.without_filler(sentence.text)
    masked = mask_of(sentence, text)
    status = _STATUS_TAIL.search(masked)
    if status:
        text, masked = text[: status.start()], masked[: status.start()]
    if sentence.is_question or language.asks(masked):
        return None
    refusals = (language.talk, language.status, language.hedged)
    if any(refusal.search(masked) for refusal in refusals):
        return None
    match = first_match(language.reports, text, masked)
    if match is None or (match[0].name == "outcome" and _ACTED.match(masked)):
        return None
    rule, text, masked = match
    text = topics.expand(text[:1].upper() + text[1:] if rule.name == "change" else text)
    if not is_concrete(text) or language.leans_back(text) or language.points_elsewhere(masked):
        return None
    return (rule, text) if len(text.split()) >= 3 else None


def _files_of(text: str, edits: Sequence[Edit], homes: Mapping[str, str]) -> tuple[str, ...]:
    """The file of the function that `text` names, else the one file that was changed.

    It is kept beside the sentence, never put into it.
    """
    for named in _CALL_NAME.finditer(text):
        if path := homes.get(named[1]):
            return (path,)
    paths = {edit.path for edit in edits}
    return tuple(paths) if len(paths) == 1 and not tags_in(text) else ()


def _stopped(text: str) -> str:
    text = text.strip().rstrip(",;:")
    return text if text.endswith((".", "!", "?")) else f"{text}."
