"""What a person's next words make of an agent's: a proposal approved, work refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from ...answers import Capture
from ...judgement.salience_features import signs_of
from ...text.sentences import Sentence, masked_quotes, sentences
from ...text.words import is_stop_word
from . import correction_words
from .echo import without_echo
from .feelings import valence_of
from .rules import Rule, rx
from .shape import Session, capture
from .stretches import is_nod
from .subjects import is_concrete, words
from .turns import Turn
from .weights import importance_of
from .wording import capital, points, without_filler

_APPROVAL = rx(
    r"^(?:(?:yes|yep|yeah|yup)\b(?!\s\w+\s(?:but|though))|agreed|approved|go\ (?:ahead|for\ it)|"
    r"(?:please\ )?do\ (?:it|that|so)\b|sounds\ (?:good|great|right)|"
    r"let's\ (?:do|go\ with)\ (?:it|that)|i\ agree|good\ (?:idea|plan|call)|exactly|"
    r"makes\ sense|works\ for\ me|ship\ it|lgtm)\b"
)
_CHOICE_NAMED = rx(
    r"^(?:(?:ok(?:ay)?|yes|alright|right|good|then),?\ )?(?:let's|we(?:'ll|\ will)?|i'd)\ "
    r"(?:go\ (?:with|for)|use|take|do|pick|choose)\ (?P<what>\S.{2,80}?)(?:\ then)?[.!]*$"
)
_RESERVED = rx(
    r"\b(?:but|except|instead|however|though|although|only\ if|unless|not|don't|rather)\b"
)
_GERUNDS = {
    "using": "use", "storing": "store", "keeping": "keep", "moving": "move", "putting": "put",
    "switching": "switch", "splitting": "split", "replacing": "replace", "dropping": "drop",
    "pinning": "pin", "caching": "cache", "merging": "merge", "adopting": "adopt",
    "migrating": "migrate", "limiting": "limit", "capping": "cap", "disabling": "disable",
    "enabling": "enable", "encrypting": "encrypt", "extracting": "extract",
    "separating": "separate", "going": "go", "sticking": "stick", "versioning": "version",
}  # fmt: skip
_ADOPTING = (
    rf"(?:(?:{'|'.join(_GERUNDS)})|{'|'.join(_GERUNDS.values())}|standardi[sz]e|support|deprecate|"
    r"name|host|serve|treat|validate|sign|hash|expire|retain|require|forbid|allow)"
)
_PROPOSALS = (
    rx(
        r"^(?:i|we)(?:'d|\ would)?\ (?:suggest|propose|recommend)(?:\ that\ we|\ that|\ we|\ to)?\s"
        rf"(?P<said>{_ADOPTING}\s\S.*)$"
    ),
    rx(
        r"^(?:my\ |the\ )?(?:proposal|recommendation|suggestion|plan)\s?(?:is\ to|is\ that\ we|is|"
        rf"would\ be\ to|[:–—-])\s?(?P<said>{_ADOPTING}\s\S.*)$"
    ),
    rx(
        r"^(?:shall|should|can|may)\ (?:i|we)\s(?:just\ |then\ )?"
        rf"(?P<said>{_ADOPTING}\s\S.*)\?$"
    ),
    rx(
        r"^(?:do\ you\ want|want|would\ you\ like)\ me\ to\s"
        rf"(?P<said>{_ADOPTING}\s\S.*)\?$"
    ),
    rx(
        r"^(?:i|we)(?:'d|\ would|\ could|\ should|'ll|\ will)\ (?:rather\ |then\ )?"
        rf"(?P<said>{_ADOPTING}\s\S.*)$"
    ),
)
_CHOOSES = rx(r"\bor\b(?!\ (?:more|less|so|later|not)\b)")
_LOOKS_AT = 8000  # characters of a prompt
_LEAST = 4  # words of a proposal
_APPROVED = Rule(
    "approval",
    "decision",
    "episodic",
    importance_of("approval"),
    0.92,
    "decision",
    ("decision", "approved"),
)
_WORD = re.compile(r"[^\W_]{2,}")
_LITTLE = words(
    """
    yes no nope wrong right true actually said told never decided agreed because now please sorry
    correct incorrect instead still really think thing things one way
    """
)


def denies(text: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = _first(text)
    if first is None:
        return False
    masked = masked_quotes(first.text)
    skipped = correction_words.FILLER.match(masked)
    return correction_words.DENIES.match(masked[skipped.end() if skipped else 0 :]) is not None


def approvals(turns: Sequence[Turn], session: Session) -> list[Capture]:
    """A decision for each proposal of the agent that the person approved in so many words."""
    found = []
    for place, turn in enumerate(turns):
        if not turn.is_prompt:
            continue
        chosen = _chosen_in(turn.text)
        if not chosen and not approves(turn.text):
            continue
        lately = reversed(turns[max(place - 8, 0) : place])
        before = takewhile(lambda turn: turn.kind == "assistant", lately)
        answers = [without_echo(answer.text) for answer in before]
        proposed = _last_proposal(sentences("\n\n".join(reversed(answers))))
        if proposed and chosen <= _stems(proposed):
            text = f"{proposed} (The agent proposed it, the person agreed.)"
            details = {
                "event_type": "decision",
                "context": {"approved_with": " ".join(turn.text.split())[:80]},
                "emotional_valence": max(valence_of(turn.text), 0),
            }
            made = capture(
                _APPROVED,
                text,
                turn,
                "approval",
                session,
                title=proposed.rstrip(".")[:80],
                details=details,
                is_person=True,
            )
            found.append(made)
    return found


def _chosen_in(text: str) -> frozenset[str]:
    """The telling words of what a prompt names as its choice: "let's go with URL versioning"."""
    first = _first(text)
    if first is None or first.is_question or _RESERVED.search(masked_quotes(first.text)):
        return frozenset()
    named = _CHOICE_NAMED.match(without_filler(first.text))
    return _stems(named["what"]) if named else frozenset()


def approves(text: str) -> bool:
    """Whether a prompt says yes and means it: "Yes, do that." and not "Yes, but …"."""
    first = _first(text)
    if first is None or first.is_question or _RESERVED.search(masked_quotes(first.text)):
        return False
    return _APPROVAL.match(masked_quotes(first.text)) is not None or (
        is_nod(without_echo(text)) and valence_of(text) > 0
    )


def with_approved(found: Sequence[Capture], turns: Sequence[Turn]) -> list[Capture]:
    """`found`, with more confidence in the agent's decisions that the person then approved."""
    lines = {
        _line_of_answer(turns, place)
        for place, turn in enumerate(turns)
        if turn.is_prompt and approves(turn.text)
    }
    return [
        replace(one, confidence=max(one.confidence, 0.9))
        if one.rule == "agent.decision" and one.origin.line in lines
        else one
        for one in found
    ]


def _line_of_answer(turns: Sequence[Turn], place: int) -> int:
    """The line of the last answer before the prompt at `place`, -1 if another prompt is nearer."""
    for turn in reversed(turns[max(place - 40, 0) : place]):
        if turn.kind == "assistant":
            return turn.line
        if turn.is_prompt:
            break
    return -1


def _last_proposal(said: Sequence[Sentence]) -> str:
    """The proposal that a "yes" is the answer to, as an instruction; "" where there is none."""
    for sentence in reversed(said):
        text = without_filler(sentence.text)
        masked = masked_quotes(text)
        for pattern in _PROPOSALS:
            found = pattern.match(masked)
            if not found:
                continue
            start, end = found.span("said")
            bare = text[start:end].rstrip(" .?!")
            verb, _, rest = bare.partition(" ")
            bare = f"{_GERUNDS.get(verb.lower(), verb)} {rest}"
            hidden = masked[start:end]
            if _CHOOSES.search(hidden):
                return ""
            if len(bare.split()) < _LEAST:
                break  # "Shall I go ahead?" asks for what was proposed before
            is_sound = is_concrete(bare) and not points(bare) and "hedges" not in signs_of(bare)
            return f"{capital(bare)}." if is_sound else ""
    return ""


def _first(text: str) -> Sentence | None:
    return next(iter(sentences(without_echo(text[:_LOOKS_AT]))), None)


def _stems(text: str) -> frozenset[str]:
    """The telling words of `text`, cut to five letters: "migrations" and "migrated" are alike."""
    found = (word.lower() for word in _WORD.findall(text))
    return frozenset(word[:5] for word in found if word not in _LITTLE and not is_stop_word(word))
