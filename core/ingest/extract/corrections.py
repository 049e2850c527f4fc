"""What a person corrects or an agent takes back: what holds instead, and what no longer does.

A cue ("no, …", "scratch that", "from now on": `correction_cues`) corrects only what is found
beside it: a claim that it denies, or of which it gives another value (`judgement.replacement`). A
denial that names nothing concerns the agent's last claim; one that speaks of something else, none.
An agent corrects agents only. Of a series the last holds. What is quoted, pasted, asked or guessed
is no correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...answers import Capture
from ...judgement.replacement import affirmed_in, denied_in, replaces, says_instead, speaks_of
from ...judgement.signs import signs_of
from ...judgement.weights import DamagedWeights
from ...text.sentences import masked_quotes
from ..kinds import category_of
from ..promotion import UNNAMED
from . import correction_cues as known
from .correction_cues import Cue, cue_of, filled, has_content, is_revoked, revoked_in
from .rules import Rule, rx
from .shape import capture
from .stretches import is_nod, request_in
from .turns import Session, Turn, reference
from .utterances import Spoken
from .wording import capital, letters, shares_words

LEAST = 2
"""Content words of a correction that is kept as a memory of its own."""

_NO_DECISION = rx(r"^\W*(?:no\W+)?(?:we|i|nobody)\ (?:never\ )?(?:decided|agreed|chose)\b")
_WISHES = frozenset(("modal", "orders", "wants"))
_REFUSES = frozenset(("denies", "withdraws"))
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
    is_sure: bool = True  # worth keeping even where the store knows of nothing that it replaces
    revoked: str = ""  # a statement that is said again, to hold no longer
    otherwise: Capture | None = None  # what is kept of that where nothing known says the same
    denial: Capture | None = None  # an agent's words that revoke: beside what it may not retire

    def each(self, change: Callable[[Capture], Capture]) -> Correction:
        """The same, each of its captures changed."""

        def changed(one: Capture | None) -> Capture | None:
            return change(one) if one is not None else None

        holds, otherwise = changed(self.holds), changed(self.otherwise)
        return replace(self, holds=holds, otherwise=otherwise, denial=changed(self.denial))


def corrections(
    turns: Sequence[Turn], spoken: Sequence[Spoken], found: Sequence[Capture], session: Session
) -> list[Correction]:
    """The corrections in `turns`, in order; with damaged weights there are none.

    `spoken` are their sentences, `found` is what else was captured there.
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
            here = (c for c in found if c.origin.line == one.line)
            gone.update(id(c) for c in here if shares_words(c.content, one.quote))
    return [c for c in found if id(c) not in gone]


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
        revoked_at = -1  # what follows there may be what holds instead
        for place, one in enumerate(self._spoken):
            if 0 <= revoked_at == place - 1 and self._made[revoked_at].holds is not None:
                continue
            if one.sentence.kind in ("text", "item") and (said := revoked_in(one.sentence.text)):
                self._revoke(place, said)
                revoked_at = place
            elif cue := cue_of(one):
                self._correct(cue, place)
        return [self._made[place] for place in sorted(self._made)]

    def _correct(self, cue: Cue, place: int) -> None:
        words, at = self._words(cue, place)
        if known.DOUBTS.search(masked_quotes(words)):
            return
        near = list(self._near(place))
        if not has_content(words):
            self._deny(cue, place, near)
            return
        full, base = self._in_full(cue, words, near)
        refuses = bool(cue.kinds & _REFUSES)
        is_report = not refuses and base is None and bool(full) and not says_instead(full)

        def goes(claim: str, *, is_near: bool) -> bool:
            is_wish = is_report and _WISHES & signs_of(claim)  # it shall be so all the same
            return bool(full) and not is_wish and replaces(full, claim, is_near=is_near)

        gone = [n for n in near if full and (n == base or goes(self._text(n), is_near=True))]
        denied = [n for n in self._denied(words, near) if n not in gone] if refuses else []
        far = [c for c in self._earlier(cue.spoken) if goes(c.content, is_near=False)]
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
                is_loose = refuses and same.rule == UNNAMED
                told = holds if is_loose else same
                holds = replace(same, content=told.content, title=told.title)
        if is_report and (same is None or same.salience):
            holds = same  # "both are not aligned": that is a report, unless it is worth keeping
        self._stated[at] = self._stated[place] = full
        made = self._correction(self._spoken[at], words, holds, withdrawn)
        self._made[at] = replace(made, is_sure=is_sure or same is not None)

    def _words(self, cue: Cue, place: int) -> tuple[str, int]:
        """What a cue says to hold, and where: behind it, or in the sentence that follows."""
        following = self._next(place)
        if following is None or has_content(cue.rest):
            return cue.rest, place
        after = cue_of(following)
        if after and after.kinds & _REFUSES:
            return cue.rest, place
        return after.rest if after else following.sentence.text, place + 1

    def _next(self, place: int) -> Spoken | None:
        """The sentence after it, where the same speaker goes on."""
        following = self._spoken[place + 1] if place + 1 < len(self._spoken) else None
        is_same = following and following.position == self._spoken[place].position
        return following if is_same else None

    def _denied(self, words: str, near: Sequence[int]) -> Iterator[int]:
        """The claims of an agent's that a denial in these words is about."""
        denial = known.BUT.split(words, maxsplit=1)[0]
        for n in near:
            one = self._spoken[n]
            is_claim = not (one.utterance.is_person or one.sentence.is_question)
            if is_claim and speaks_of(denial, self._text(n)):
                yield n

    def _revoke(self, place: int, said: str) -> None:
        """A statement that is said again, to hold no longer.

        What holds instead is the sentence after it, where it is worth keeping by itself, or speaks
        of the same.
        """
        one, following = self._spoken[place], self._next(place)
        text = following.sentence.text if following else ""
        denial, holds = self._found_at(one), None
        if following and not (following.sentence.is_question or revoked_in(text)):
            same = self._found_at(following)
            is_same = same is not None and same is not denial and said not in same.content
            if same is not None and is_same and not is_revoked(said, same.content):
                holds = same
            elif known.is_of_the_same(text, said):
                holds = self._held(text, following, None)
        learned = [
            Withdrawn(found.origin.ref or "-", found.content)
            for found in self._earlier(one)
            if is_revoked(said, found.content)
        ]
        self._made[place] = replace(
            self._correction(one, one.sentence.text, holds, learned),
            revoked=said,
            otherwise=denial,
            denial=None if one.utterance.is_person else self._held(one.sentence.text, one, denial),
        )

    def _deny(self, cue: Cue, place: int, near: Sequence[int]) -> None:
        """A denial that names nothing: of the agent's last claim, unless it answers a question."""
        by_agent = [n for n in near if not self._spoken[n].utterance.is_person]
        if "denies" not in cue.kinds or not by_agent:
            return
        last = self._spoken[by_agent[0]]
        if last.said.rstrip().endswith("?"):
            return
        text = cue.spoken.sentence.text
        category = "decision" if _NO_DECISION.search(text) else ""
        gone = Withdrawn(self._place_of(last), "", category)
        self._made[place] = self._correction(cue.spoken, text, None, [gone])

    def _correction(
        self, one: Spoken, quote: str, holds: Capture | None, withdrawn: Sequence[Withdrawn]
    ) -> Correction:
        gone = tuple(dict.fromkeys(withdrawn))
        is_person, agent = one.utterance.is_person, self._session.agent
        return Correction(is_person, agent, quote, one.turn.line, holds, gone)

    def _earlier(self, one: Spoken) -> Iterator[Capture]:
        """What was captured before, of whom its speaker may correct."""
        for found in self._found:
            may = one.utterance.is_person or not found.rule.startswith("person.")
            if may and (found.origin.line or 0) < one.turn.line:
                yield found

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
            kinds = {earlier.sentence.kind, one.sentence.kind}
            is_beside = earlier.position == one.position and kinds == {"item"}  # of one list
            if not is_beside and (one.utterance.is_person or not earlier.utterance.is_person):
                yield n

    def _text(self, n: int) -> str:
        return self._stated.get(n) or self._spoken[n].sentence.text

    def _in_full(self, cue: Cue, words: str, near: Sequence[int]) -> tuple[str, int | None]:
        """`words` as they stand alone, and what they were filled from; "" where they do not."""
        for n in sorted(near, key=lambda n: not self._spoken[n].utterance.is_person):
            said, is_person = self._text(n), self._spoken[n].utterance.is_person
            if cue.kinds == {"sets"} and not is_person:
                break  # a number alone often chooses from what the agent offers
            if self._spoken[n].sentence.is_question:
                said = request_in(said) if is_person else ""
            if text := filled(words, said):
                return text, n
        bare = known.CHANGES_AT_END.sub("", words)
        tokens = len(affirmed_in(bare).tokens) + len(denied_in(bare).tokens)
        if tokens < LEAST or len(bare.split()) <= LEAST or known.POINTS.match(bare):
            return "", None
        return words, None

    def _withdrawn(self, n: int) -> Withdrawn:
        return Withdrawn(self._place_of(self._spoken[n]), self._spoken[n].sentence.text)

    def _place_of(self, one: Spoken) -> str:
        return reference(self._session, one.turn.uuid, "")

    def _found_at(self, one: Spoken) -> Capture | None:
        """What else was captured with these words."""
        text = one.sentence.text
        here = [c for c in self._found if c.origin.line == one.turn.line]
        exact = (c for c in here if letters(text) in letters(c.content))
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
        rule = Rule("correction", category_of(text), None, *_MADE[is_person], tags=("correction",))
        index = f"s{one.sentence.index}"
        made = capture(rule, text, one.turn, index, self._session, is_person=is_person)
        return replace(made, salience=same.salience, exchange=same.exchange) if same else made
