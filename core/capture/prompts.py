"""What a person said that should outlast the session."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from ..answers import Capture
from ..storage.kinds import category_of
from .echo import without_echo
from .intentions import Intention, intention
from .languages import LANGUAGES, Language, Languages, language_of
from .prose import Sentence, mask, sentences
from .recipes import recipes
from .rules import Rule, first_match, matches
from .shape import Session, capture
from .shell import shown
from .standalone import Topics, finished, has_words, joined_with, mask_of
from .subjects import is_concrete
from .times import due_date, holds_until
from .turns import Call, Turn
from .vocabulary import WORK

_OF_OTHERS = "their-service"
_WORK = re.compile(rf"^(?:(?:can|could|would) you |please |now )*{WORK}\b", re.IGNORECASE)
_REQUESTS = ("remember", "remember-that")
_LEANS_ON_NEXT = re.compile(r"\b(?:first|beforehand)[.!]?$", re.IGNORECASE)
_LOOSE_INSTEAD = re.compile(r",?\s\binstead[.!]?$", re.IGNORECASE)
_IT = re.compile(
    r"^(?:it|they|that|this)('s|'re| (?:is|are|was|were|has|have|needs?|must|runs?|lives?)\b)",
    re.IGNORECASE,
)
_FULL = {"'s": "is", "'re": "are"}
_PRONOUNS = re.compile(r"^(?:it|that|this|them|everything|all|one|which)\b", re.IGNORECASE)
_ORDINARY = re.compile(r"^(?:the|a|an|our|we|use|run|not|no|to|in|it|instead|of|is|with|and|for)$")
MAX_OF_A_PROMPT = 12  # a pasted rule book must not fill the inbox
_PLAINLY = 2  # small words of a language that no other one has so many of
_SHORT = 90  # characters; a correction under this is told with what it corrected


def from_prompt(
    turn: Turn,
    topics: Topics,
    corrected: Call | None,
    session: Session,
    languages: Languages = LANGUAGES,
) -> list[Capture]:
    """The captures of one prompt, in order; the `MAX_OF_A_PROMPT` weightiest.

    None where no rules are known for the language it is written in, save for sentences that are
    plainly in another one. `corrected` is the call
    that the prompt may object to. `topics` learns the prompt's names.
    """
    plain = without_echo(turn.text)
    said = sentences(plain, may_paste=True)
    own = " ".join(s.text for s in said)
    topics.learn(own)
    whole = language_of(own, languages)
    has_recipes = whole is not None and whole.has_recipes
    found: list[Capture] = recipes(turn, plain, session) if has_recipes else []
    listed = " ".join(f"{one.details['procedure_name']} {one.content}" for one in found).lower()
    used: set[int] = set()
    for place, sentence in enumerate(said):
        if sentence.is_question or place in used or _is_part(sentence, listed):
            continue
        language = language_of(sentence.text, languages, least=_PLAINLY) or whole
        if language is None:
            continue
        before = said[place - 1] if place and _are_close(said[place - 1], sentence) else None
        after = said[place + 1] if place + 1 < len(said) else None
        made = _judge(sentence, before, after, turn, topics, corrected, session, language)
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


def trouble_in(turn: Turn, languages: Languages = LANGUAGES) -> str:
    """The sentence of a prompt that describes what is wrong, or an empty text."""
    text = without_echo(turn.text)
    language = language_of(text, languages)
    if language is None:
        return ""
    for sentence in sentences(text, may_paste=True):
        bare = language.without_filler(sentence.text)
        masked = mask_of(sentence, bare)
        if sentence.is_question or language.asks(masked) or language.leans_back(masked):
            continue
        if language.trouble.search(masked) and 4 <= len(bare.split()) <= 40:
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
    language: Language,
) -> tuple[Capture, Sentence | None] | None:
    """The capture of one sentence and the neighbour it took in, or None."""
    text = language.without_filler(sentence.text)
    masked = mask_of(sentence, text)
    correction = language.correction.match(masked)
    if correction:
        text = language.without_filler(text[correction.start("said") :])
        masked = mask_of(sentence, text)
        named = _named_in(correction)
        if named and _IT.match(text):
            text = _IT.sub(lambda it: f"{named} {_FULL.get(it[1].lower(), it[1].strip())}", text)
            masked = mask(text)
    if language.asks(masked):
        return None
    if language.intention and (put_off := first_match((language.intention,), text, masked)):
        made = _put_off(*put_off, sentence, turn, topics, session, language)
        return (made, None) if made else None
    rules = (*language.person, *language.corrected) if correction else language.person
    told = corrected if correction else None
    accepted = (
        (*match, limit)
        for match in (_within(*one, language) for one in matches(rules, text, masked))
        for limit in (holds_until(match[2], turn.at),)
        if _is_accepted(*match, limit, told, language)
    )
    chosen = next(accepted, None)
    if chosen is None:
        return None
    rule, text, masked, limit = chosen
    if limit:
        text = text.replace(limit[0], _with_its_end(*limit), 1)
        masked = mask(text)
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
    whole = _made_whole(rule, text, masked, before, after, language)
    if whole is None or not has_words(whole[0]):
        return None
    text, taken = whole
    made = capture(
        rule, topics.expand(text), turn, sentence.index, session, title=title, is_person=True
    )
    return (replace(made, expires=limit[1]) if limit else made), taken


def _is_accepted(
    rule: Rule,
    text: str,
    masked: str,
    limit: tuple[str, datetime] | None,
    corrected: Call | None,
    language: Language,
) -> bool:
    """Whether what a rule found is neither of the moment nor too vague for it."""
    lasting = masked.replace(limit[0], "", 1) if limit else masked
    if not rule.lasts and (language.one_off.search(lasting) or language.empty.search(lasting)):
        return False
    if not rule.needs_fact:
        return True
    whole = _with_what_was_corrected(text, corrected)
    return is_concrete(whole) and language.trouble.search(masked) is None


def _named_in(correction: re.Match[str]) -> str:
    """What "I was wrong about …" speaks of, "" where it names nothing."""
    found = correction.groupdict().get("about") or ""
    return "" if _PRONOUNS.search(found) else found.strip()


def _with_its_end(words: str, end: datetime) -> str:
    """ "until Friday (2026-11-20)": a month later nobody knows which Friday it was."""
    day = f"{end:%Y-%m-%d}"
    small = words.lower()
    if day in words:
        return words
    if small.startswith("this "):
        return f"until {day}"
    words = re.sub(r"\bthis\b", "the", words)
    return (
        f"{words} ({day})"
        if small.startswith(("un", "ti", "up", "th"))
        else f"{words} (until {day})"
    )


def _within(rule: Rule, text: str, masked: str, language: Language) -> tuple[Rule, str, str]:
    """What "remember that …" says, judged by its own words but with the weight of the request."""
    if rule.name not in _REQUESTS:
        return rule, text, masked
    bare = language.without_filler(text)
    masked = masked[len(masked) - len(bare) :]
    inner = first_match(language.person, bare, masked)
    if inner and inner[0].name not in _REQUESTS:
        category = inner[0].category
    elif language.orders.match(masked):
        category = "preference"
    elif language.tells_a_fact.match(masked):
        category = "architecture"
    else:
        category = category_of(bare) if language.has_recipes else rule.category
    return replace(rule, category=category), bare, masked


def _made_whole(
    rule: Rule,
    text: str,
    masked: str,
    before: Sentence | None,
    after: Sentence | None,
    language: Language,
) -> tuple[str, Sentence | None] | None:
    """`text` so that it stands alone, with the neighbour that was needed, or None."""
    if language.points_elsewhere(masked):
        return None
    if language.leans_back(masked):
        joined = joined_with(before, text) if before and not _WORK.match(before.masked) else None
        if joined is None and rule.name == _OF_OTHERS:
            return text, None  # whose service it is, the project knows
        return (joined, before) if joined else None
    if rule.name == "remember-that" and before is not None and _is_meant_too(before, language):
        return _linked(language.without_filler(before.text), text), before
    if _LEANS_ON_NEXT.search(masked) and after is not None and not after.is_question:
        stands = not language.leans_back(after.masked)
        return (_linked(text, after.text), after) if stands else None
    return text, None


def _is_meant_too(before: Sentence, language: Language) -> bool:
    """Whether "…, remember that" speaks of the instruction before it as well."""
    lead = language.without_filler(before.text)
    head = mask_of(before, lead)
    if before.is_question or language.leans_back(head) or language.one_off.search(head):
        return False
    stands = first_match(language.person, lead, head) is not None
    return bool(_LEANS_ON_NEXT.search(head) or (language.orders.match(head) and not stands))


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
    language: Language,
) -> Capture | None:
    planned = _planned(text, turn.at, language)
    if language.points_elsewhere(masked) or language.leans_back(planned.text):
        return None
    if not has_words(planned.text):
        return None
    made = capture(
        rule,
        topics.expand(planned.text),
        turn,
        sentence.index,
        session,
        is_person=True,
        details=planned.details(),
    )
    return replace(made, due=planned.due)


def _planned(text: str, said_at: datetime | None, language: Language) -> Intention:
    """What `text` puts off; the day that it names in another language is told behind it."""
    planned = intention(text, said_at)
    if planned.due is not None or not language.days:
        return planned
    day = text
    for words, english in language.days:
        day = words.sub(english, day)
    due = due_date(day, said_at)
    if due is None:
        return planned
    told = f"{planned.text.rstrip(' .!')} ({due:%Y-%m-%d})"
    trigger = f"by {due:%Y-%m-%d}"
    return replace(planned, text=told, due=due, trigger_type="time", trigger=trigger)


def _is_part(sentence: Sentence, listed: str) -> bool:
    """Whether a list of steps that is kept has this sentence: as a step or as its heading."""
    said = sentence.text.lower().rstrip(" .:")
    return bool(listed) and (said in listed or said.split(": ", 1)[-1] in listed)


def _are_close(one: Sentence, other: Sentence) -> bool:
    return one.paragraph == other.paragraph and other.index - one.index == 1
