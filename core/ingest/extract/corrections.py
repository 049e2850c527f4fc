"""What a person corrects or an agent takes back: what holds instead, and what no longer does.

A cue ("no, …", "scratch that", "from now on": `correction_words`) corrects only what is found
beside it: a claim that it denies, or of which it gives another value (`judgement.replacement`). A
denial that names nothing concerns the agent's last claim; one that speaks of something else, none.
An agent corrects agents only. Of a series the last holds. What is quoted, pasted, asked or guessed
is no correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...answers import Capture
from ...judgement.replacement import affirmed_in, denied_in, replaces, says_instead, speaks_of
from ...judgement.signs import signs_of
from ...judgement.weights import DamagedWeights
from ...text.sentences import masked_quotes
from ..kinds import category_of
from ..promotion import UNNAMED
from . import correction_words as known
from .correction_cues import Cue, cue_of, has_content
from .correction_values import filled
from .revocations import is_of_the_same, is_revoked, revoked_in
from .rules import Rule, rx
from .shape import Session, capture, reference
from .stretches import is_nod, request_in
from .turns import Turn
from .utterances import Spoken
from .wording import capital, shares_words

LEAST = 2
"""Content words of a correction that is kept as a memory of its own."""

_NO_DECISION = rx(r"^\W*(?:no\W+)?(?:we|i|nobody)\ (?:never\ )?(?:decided|agreed|chose)\b")
_WORD = re.compile(r"\w+")
_WISHES = frozenset(("modal", "orders", "wants"))
_MADE = {True: (0.8, 0.9), False: (0.65, 0.75)}  # by a person: importance, confidence


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Words of this session that no longer hold."""

    place: str  # how the references of all that was learned there begin
    text: str  # the words; "" for the last that was learned there
    category: str = ""  # only of this one


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction."""

    is_person: bool
    agent: str  # the program in whose session it was said
    quote: str  # the words that correct
    line: int  # where they stand
    holds: Capture | None  # what holds instead; None where only something was denied
    withdrawn: tuple[Withdrawn, ...]
    is_sure: bool  # worth keeping even where the store knows of nothing that it replaces
    revoked: str = ""  # a statement that is said again, to hold no longer
    otherwise: Capture | None = None  # what is kept of that where nothing known says the same
    denial: Capture | None = None  # an agent's words that revoke: beside what it may not retire


def corrections(
    turns: Sequence[Turn], spoken: Sequence[Spoken], found: Sequence[Capture], session: Session
) -> list[Correction]:
    """The corrections in `turns`, in order: `spoken` are their sentences, `found` is what else was
    captured there.

    With damaged weights there are none.
    """
    try:
        return _Reader(turns, spoken, found, session).read()
    except DamagedWeights:
        return []


def after_corrections(found: Sequence[Capture], corrected: Sequence[Correction]) -> list[Capture]:
    """`found` without what was withdrawn and without second readings of what corrects it."""
    gone: set[int] = set()
    for one in corrected:
        for words in one.withdrawn:
            learned = [c for c in found if _was_learned_there(c, words)]
            gone.update(id(c) for c in (learned if words.text else learned[-1:]))
        if one.revoked:
            gone.update(id(c) for c in (one.holds, one.otherwise) if c is not None)
        elif one.holds is not None and one.is_sure:
            gone.update(
                id(c)
                for c in found
                if c.origin.line == one.line and shares_words(c.content, one.quote)
            )
    return [c for c in found if id(c) not in gone]


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))


def _was_learned_there(found: Capture, words: Withdrawn) -> bool:
    return (
        (found.origin.ref or "").startswith(words.place)
        and found.type not in ("procedural", "prospective")
        and words.category in ("", found.category)
        and (not words.text or shares_words(found.content, words.text))
    )


class _Reader:
    """One session, read from its first sentence to its last."""

    def __init__(
        self,
        turns: Sequence[Turn],
        spoken: Sequence[Spoken],
        found: Sequence[Capture],
        session: Session,
    ) -> None:
        self._found, self._session = found, session
        self._spoken = [one for one in spoken if one.is_own]
        self._prompts = [
            n for n, turn in enumerate(turns) if turn.is_prompt and not is_nod(turn.text)
        ]
        self._stated: dict[int, str] = {}  # place -> what a correction says in full
        self._made: dict[int, Correction] = {}  # by the place of its words

    def read(self) -> list[Correction]:
        taken = set[int]()  # what stands in the place of a statement that was revoked
        for place, one in enumerate(self._spoken):
            if place in taken:
                continue
            if one.sentence.kind in ("text", "item") and (said := revoked_in(one.sentence.text)):
                taken |= self._revoke(place, said)
                continue
            cue = cue_of(one)
            if cue is None:
                continue
            following = self._spoken[place + 1] if place + 1 < len(self._spoken) else None
            words, at = cue.rest, place
            if not has_content(words) and following and following.position == one.position:
                after = cue_of(following)
                if not (after and after.kinds & {"denies", "withdraws"}):
                    words = after.rest if after else following.sentence.text
                    at = place + 1
            if not known.DOUBTS.search(masked_quotes(words)):
                self._correct(cue, place, words, at)
        return [self._made[place] for place in sorted(self._made)]

    def _correct(self, cue: Cue, place: int, words: str, at: int) -> None:
        near = list(self._near(place))
        if not has_content(words):
            self._deny(cue, place, near)
            return
        full, base = self._in_full(cue, words, near)
        is_denial = bool(cue.kinds & {"denies", "withdraws"})
        is_report = not is_denial and base is None and bool(full) and not says_instead(full)

        def goes(claim: str, *, is_near: bool) -> bool:
            is_wish = is_report and _WISHES & signs_of(claim)  # it shall be so all the same
            return not is_wish and replaces(full, claim, is_near=is_near)

        gone = [n for n in near if full and (n == base or goes(self._text(n), is_near=True))]
        denied = [n for n in self._denied(words, near) if n not in gone] if is_denial else []
        far = [
            one
            for one in self._found
            if full and (one.origin.line or 0) < cue.spoken.turn.line
            and (cue.spoken.utterance.is_person or not one.rule.startswith("person."))
            and goes(one.content, is_near=False)
        ]  # fmt: skip
        if not full and not denied:
            return
        withdrawn = [self._withdrawn(n) for n in (*gone, *denied)]
        withdrawn += [Withdrawn(one.origin.ref or "-", one.content) for one in far]
        is_known = any(_was_learned_there(c, w) for c in self._found for w in withdrawn)
        for n in [n for n in self._made if n in gone or n in denied]:
            withdrawn += self._made.pop(n).withdrawn  # of a series the last holds
            is_known = True
        is_sure = is_known or bool((gone or far) and cue.kinds - {"sets"})
        same = self._found_at(self._spoken[at])
        holds = self._held(full, self._spoken[at], same) if full else None
        if same is not None and holds is not None:
            is_worded = same.rule == holds.rule or same.salience is None
            if is_sure and is_worded and base is None:
                holds = same  # a rule has worded it already
            elif not is_sure:
                is_loose = is_denial and same.rule == UNNAMED
                holds = replace(
                    same,
                    content=holds.content if is_loose else same.content,
                    title=holds.title if is_loose else same.title,
                )
        if is_report and (same is None or same.salience):
            holds = same  # "both are not aligned": that is a report, unless it is worth keeping
        self._stated[at] = self._stated[place] = full
        self._made[at] = Correction(
            cue.spoken.utterance.is_person,
            self._session.agent,
            words,
            self._spoken[at].turn.line,
            holds,
            tuple(dict.fromkeys(withdrawn)),
            is_sure or same is not None,
        )

    def _denied(self, words: str, near: Sequence[int]) -> Iterator[int]:
        """The claims of an agent's that a denial in these words is about."""
        denial = known.BUT.split(words, maxsplit=1)[0]
        for n in near:
            one = self._spoken[n]
            is_claim = not (one.utterance.is_person or one.sentence.is_question)
            if is_claim and speaks_of(denial, self._text(n)):
                yield n

    def _revoke(self, place: int, said: str) -> set[int]:
        """A statement that is said again, to hold no longer; the places of what holds instead.

        That is the sentence after it, where it is worth keeping by itself, or speaks of the same.
        """
        one, after = self._spoken[place], place + 1
        denial, holds = self._found_at(one), None
        following = self._spoken[after] if after < len(self._spoken) else None
        if (
            following is not None
            and following.position == one.position
            and not following.sentence.is_question
            and not revoked_in(following.sentence.text)
        ):
            text = following.sentence.text
            same = self._found_at(following)
            if same is not None and is_revoked(said, same.content):
                same = None
            if same is not None and same is not denial and said not in same.content:
                holds = same
            elif is_of_the_same(text, said):
                holds = self._held(text, following, None)
        learned = [
            Withdrawn(found.origin.ref or "-", found.content)
            for found in self._found
            if (found.origin.line or 0) < one.turn.line
            and (one.utterance.is_person or not found.rule.startswith("person."))
            and is_revoked(said, found.content)
        ]
        self._made[place] = Correction(
            one.utterance.is_person,
            self._session.agent,
            one.sentence.text,
            one.turn.line,
            holds,
            tuple(dict.fromkeys(learned)),
            is_sure=True,
            revoked=said,
            otherwise=denial,
            denial=None if one.utterance.is_person else self._held(one.sentence.text, one, denial),
        )
        return {after} if holds is not None else set()

    def _deny(self, cue: Cue, place: int, near: Sequence[int]) -> None:
        """A denial that names nothing: of the agent's last claim, unless it answers a question."""
        by_agent = [n for n in near if not self._spoken[n].utterance.is_person]
        if "denies" not in cue.kinds or not by_agent:
            return
        last = self._spoken[by_agent[0]]
        if last.said.rstrip().endswith("?"):
            return
        category = "decision" if _NO_DECISION.search(cue.spoken.sentence.text) else ""
        gone = Withdrawn(self._place_of(last), "", category)
        self._made[place] = Correction(
            True,
            self._session.agent,
            cue.spoken.sentence.text,
            cue.spoken.turn.line,
            None,
            (gone,),
            is_sure=True,
        )

    def _near(self, place: int) -> Iterator[int]:
        """What was said in the exchange before, the latest first, by whom it may be corrected."""
        one = self._spoken[place]
        before = [n for n in self._prompts if n < one.position]
        reach = 1 if one.utterance.is_person else 2
        start = before[-reach] if len(before) >= reach else 0
        for n in range(place - 1, -1, -1):
            earlier = self._spoken[n]
            if earlier.position < start:
                return
            if earlier.position == one.position and {earlier.sentence.kind, one.sentence.kind} == {
                "item"
            }:
                continue  # the items of a list stand beside each other
            if one.utterance.is_person or not earlier.utterance.is_person:
                yield n

    def _text(self, n: int) -> str:
        one = self._spoken[n].sentence
        return self._stated.get(n) or one.text

    def _in_full(self, cue: Cue, words: str, near: Sequence[int]) -> tuple[str, int | None]:
        """`words` as they stand alone, and what they were filled from; "" where they do not."""
        for n in sorted(near, key=lambda n: not self._spoken[n].utterance.is_person):
            said = self._text(n)
            if cue.kinds == {"sets"} and not self._spoken[n].utterance.is_person:
                break  # a number alone often chooses from what the agent offers
            if self._spoken[n].sentence.is_question:
                said = request_in(said) if self._spoken[n].utterance.is_person else ""
            if text := filled(words, said):
                return text, n
        bare = known.CHANGES_AT_END.sub("", words)
        tokens = len(affirmed_in(bare).tokens) + len(denied_in(bare).tokens)
        if tokens < LEAST or len(bare.split()) <= LEAST or known.POINTS.match(bare):
            return "", None
        return words, None

    def _withdrawn(self, n: int) -> Withdrawn:
        one = self._spoken[n]
        return Withdrawn(self._place_of(one), one.sentence.text)

    def _place_of(self, one: Spoken) -> str:
        return reference(self._session, one.turn.uuid, "")

    def _found_at(self, one: Spoken) -> Capture | None:
        """What else was captured with these words."""
        text = one.sentence.text
        here = [c for c in self._found if c.origin.line == one.turn.line]
        exact = (c for c in here if _letters(text) in _letters(c.content))
        # the items of a list are worded alike
        alike = (c for c in here if one.sentence.kind != "item" and shares_words(c.content, text))
        return next(exact, None) or next(alike, None)

    def _held(self, text: str, one: Spoken, same: Capture | None) -> Capture:
        """The memory of what holds, with the sentences that were captured beside it."""
        said, full, text = one.sentence.text, text, f"{capital(text).rstrip(' .')}."
        if same is not None and len(same.content) > len(said) + LEAST:
            if said in same.content:
                text = same.content.replace(said, text)
            elif full in same.content:
                text = same.content  # it names what was corrected, too: the command before it
        is_person = one.utterance.is_person
        importance, confidence = _MADE[is_person]
        rule = Rule(
            "correction", category_of(text), None, importance, confidence, tags=("correction",)
        )
        index = f"s{one.sentence.index}"
        made = capture(rule, text, one.turn, index, self._session, is_person=is_person)
        if same is None:
            return made
        return replace(made, salience=same.salience, exchange=same.exchange)
