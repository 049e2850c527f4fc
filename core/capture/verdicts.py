"""What a person's next words make of an agent's: a claim denied, a proposal approved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from ..answers import Capture
from .echo import without_echo
from .feelings import valence_of
from .prose import Sentence, sentences
from .refusals import HEDGED
from .rules import Rule, rx
from .rules_facts import CORRECTION
from .shape import Session, capture
from .standalone import capital, leans_back, mask_of, points_elsewhere, without_filler
from .stop_words import STOP_WORDS
from .stretches import is_nod
from .subjects import is_concrete, words
from .turns import Turn
from .weights import importance_of

CLAIMS = (
    "decision", "turned-out", "cause", "because", "explained", "warning", "outcome", "change",
    "follow-up", "said",
)  # fmt: skip
"""Rules that take an agent's word for something."""

_DEEDS = ("outcome", "change")
_DENIAL = rx(
    r"^(?:(?:no|nope|nah)\b(?!\ (?:problem|worries|need|idea|one|longer|more|matter|way|rush|"
    r"thanks?))|(?:wait|stop|hold\ on)[,.!]*\ no\b|"
    r"(?:please\ )?(?:revert|undo)\ (?:that|this|it|your)\b|"
    r"(?:that|this|it)(?:'s|\ is|\ was)\ (?:simply\ |just\ |completely\ )?(?:wrong|false|incorrect|"
    r"nonsense|made\ up|not\ (?:true|right|correct|so|the\ (?:case|cause|reason|problem)|"
    r"what\ (?:we|i)))|(?:wrong|incorrect|false|not\ true|nonsense)\b|"
    r"you(?:'re|\ are)\ (?:wrong|mistaken|guessing|making)|you\ made\ (?:that|this|it)\ up|"
    r"(?:we|i)\ never\ (?:decided|agreed|said|chose|asked|had|used)|"
    r"nobody\ (?:decided|said|agreed)|there\ (?:is|was)\ no\ such)\b"
)
_UNDO = rx(r"\b(?:revert|undo|(?:put|bring|roll)\ (?:it|that|this|them)\ back|restore)\b")
_NO_DECISION = rx(r"\b(?:never|nobody|not)\ (?:decided|agreed|said|chose)\b")
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
_GRANTING = re.compile(r"\bbut\b", re.IGNORECASE)
_LOOKS_AT = 8000  # characters of a prompt
_LEAST = 4  # words of a proposal
_APPROVED = Rule(
    "approval",
    rx(r"(?!)"),
    "decision",
    "episodic",
    importance_of("approval"),
    0.92,
    "decision",
    ("decision", "approved"),
)
_WORD = re.compile(r"[^\W_]{2,}")
_LITTLE = STOP_WORDS["en"] | words(
    """
    yes no nope wrong right true actually said told never decided agreed because now please sorry
    correct incorrect instead still really think thing things one way
    """
)


def denies(text: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = _first(text)
    return first is not None and _DENIAL.match(first.masked) is not None


def without_denied(
    found: Sequence[Capture], turns: Sequence[Turn]
) -> tuple[list[Capture], list[Capture]]:
    """`found` without the claims of the agent that the person took back, and these claims.

    A denial hits what it speaks of. Where it speaks of nothing ("No, that's wrong.") or of
    something else altogether, it hits what the agent had just said. A milder correction hits
    only what shares words with it.
    """
    claims = [c for c in found if c.rule.startswith("agent.") and c.rule[6:] in CLAIMS]
    denied: list[Capture] = []
    answered = -1  # line of the last answer before a prompt
    for place, turn in enumerate(turns):
        if turn.is_prompt:
            answered = _line_of_answer(turns, place)
            denied += _denied_by(turn, answered, turns, place, claims) if claims else []
    gone = {id(one) for one in denied}
    return [one for one in found if id(one) not in gone], denied


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
    if first is None or first.is_question or _RESERVED.search(first.masked):
        return frozenset()
    named = _CHOICE_NAMED.match(without_filler(first.text))
    return _stems(named["what"]) if named else frozenset()


def approves(text: str) -> bool:
    """Whether a prompt says yes and means it: "Yes, do that." and not "Yes, but …"."""
    first = _first(text)
    if first is None or first.is_question or _RESERVED.search(first.masked):
        return False
    return _APPROVAL.match(first.masked) is not None or (
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


def _denied_by(
    prompt: Turn, answered: int, turns: Sequence[Turn], place: int, claims: Sequence[Capture]
) -> list[Capture]:
    first = _first(prompt.text)
    if first is None:
        return []
    is_direct = _DENIAL.match(first.masked) is not None
    if not is_direct and not CORRECTION.match(first.masked):
        return []
    said = _what_is_denied(prompt.text)
    earlier = [c for c in claims if (c.origin.line or 0) < prompt.line]
    fresh = [c for c in earlier if c.origin.line == answered]
    hit = [c for c in earlier if _is_about(c, said, 3)]
    hit += [c for c in fresh if _is_about(c, said, 1 if is_direct else 2)]
    if is_direct and _UNDO.search(prompt.text[:_LOOKS_AT]):
        return [*hit, *fresh]
    if not is_direct or hit:
        return hit
    if _NO_DECISION.search(first.masked):
        return [c for c in fresh if c.rule == "agent.decision"]
    if any(turn.text.rstrip().endswith("?") for turn in turns[max(place - 1, 0) : place]):
        return []  # "no" answers a question
    return fresh if len(said) < 3 else [c for c in fresh if c.rule[6:] not in _DEEDS]


def _what_is_denied(text: str) -> frozenset[str]:
    """The telling words of a denial: its first sentences, up to a "but" that grants something."""
    stems: frozenset[str] = frozenset()
    for sentence in sentences(without_echo(text[:_LOOKS_AT]), may_paste=True)[:3]:
        stems |= _stems(_GRANTING.split(sentence.text, maxsplit=1)[0])
        if len(stems) >= 3:
            break
    return stems


def _is_about(claim: Capture, said: frozenset[str], least: int) -> bool:
    own = _stems(claim.content)
    shared = len(own & said)
    return shared >= least and (least < 3 or shared >= 0.4 * len(own))


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
        masked = mask_of(sentence, text)
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
            refusals = (HEDGED.search, leans_back, points_elsewhere)
            is_sound = is_concrete(bare) and not any(refuses(hidden) for refuses in refusals)
            return f"{capital(bare)}." if is_sound else ""
    return ""


def _first(text: str) -> Sentence | None:
    return next(iter(sentences(without_echo(text[:_LOOKS_AT]), may_paste=True)), None)


def _stems(text: str) -> frozenset[str]:
    """The telling words of `text`, cut to five letters: "migrations" and "migrated" are alike."""
    found = (word.lower() for word in _WORD.findall(text))
    return frozenset(word[:5] for word in found if word not in _LITTLE)
