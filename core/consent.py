"""What every project is told is a person's to decide: when they are asked, and how.

An act that makes a memory global, changes a global one or takes it away is carried out up to the
moment before it is written. There it stops, and the person is asked, outside of any transaction;
after a yes it is done again. So an act asks only what it would really do, and none can forget to.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ..db.images import headline_of
from .errors import ConsentNeeded, Refused

T = TypeVar("T")

Confirm = Callable[[str], bool]
"""Is asked what only a person may agree to; whether they did."""

TOLD = ("content", "title", "privacy")
"""Fields of a memory that decide what agents are told by it."""

COUNTED = ("usage_count", "success_rate", "last_used_at", "evidence_count", "source_sessions")
"""Fields of a type's own that merely count what happened; `updated_at` follows from any change."""

_NO_MORE = "Agents of every project will no longer be told"


def must_be_a_person(actor: str) -> None:
    """Raise Refused where an agent acts: nothing becomes a person's by that (invariant 9)."""
    if actor == "agent":
        raise Refused(
            "Only a person pins, accepts and rewords what is theirs.",
            hint="Ask them to; `memdeck learn TEXT --replaces ID` records what you found.",
        )


def question_about(what: str) -> str:
    """The question, without what follows from a yes or a no."""
    return f"Agents of every project will be told {what}."


def _nobody(_ids: Collection[str]) -> Mapping[str, str]:
    return {}


def question_of(
    changes: Sequence[Mapping[str, Any]],
    global_count: Callable[[], int] = lambda: 0,
    of_others: Callable[[Collection[str]], Mapping[str, str]] = _nobody,
) -> str:
    """What a person is asked before these rows are written; "" where it is not theirs to decide.

    `changes` are rows as the journal has them; `global_count` tells how many live global
    memories there were, `of_others` the titles of those of some memories that every project is
    told and that are not the person's so far: to stand for one changes what agents are told to keep
    to. Whoever clears them all is warned.
    """
    vouched = {row["after"]["memory"] for row in changes if _is_vouching(row)}
    raised = dict(of_others(vouched)) if vouched else {}
    details, dropped, changed = list[str](), list[str](), list[str]()
    for row in changes:
        if row["table"] != "memory":
            continue
        before, after = row["before"], row["after"]
        was, will_be = _is_told(before), _is_told(after)
        if will_be and (not was or any(before[name] != after[name] for name in TOLD)):
            details.append(headline_of(after))
        elif was and not will_be:
            dropped.append(headline_of(before))
        elif was and will_be and _decided(before) != _decided(after):
            changed.append(headline_of(after))
        else:
            continue
        raised.pop((after or before)["id"], None)  # asked about already
    if len(dropped) > 1 and not details and len(dropped) == global_count():
        return (
            f"DANGER: this clears ALL {len(dropped):,} global memories. {_NO_MORE} any of them."
            " What they do without them cannot be undone."
        )
    sentences = (
        question_about(_named(details)) if details else "",
        f"{_NO_MORE} {_named(dropped)}." if dropped else "",
        f"This changes {_named(changed)}, which agents of every project are told."
        if changed
        else "",
        f"Agents of every project will be told to keep to {_named([*raised.values()])}."
        if raised
        else "",
    )
    return " ".join(filter(None, sentences))


def _is_told(image: Mapping[str, Any] | None) -> bool:
    return image is not None and image["scope"] == "global" and image["retired_at"] is None


def _is_vouching(row: Mapping[str, Any]) -> bool:
    """Whether with this row a person stands for a memory (`db/trust.py`)."""
    after = row["after"]
    return row["table"] == "memory_trust" and after is not None and after["vouched_at"] is not None


def _decided(image: Mapping[str, Any]) -> dict[str, Any]:
    """What of a memory somebody decided, without what merely counts."""
    details = {name: value for name, value in image["details"].items() if name not in COUNTED}
    return {**image, "details": details, "updated_at": None}


def _named(titles: Sequence[str]) -> str:
    return f"“{titles[0]}”" if len(titles) == 1 else f"{len(titles):,} memories"


class Consent:
    """The person who is asked; `callback` None: there is nobody."""

    def __init__(self, callback: Confirm | None) -> None:
        self.callback = callback
        self._is_given = False

    def agree(self, question: str) -> bool:
        """True once a person has said yes. Raises ConsentNeeded, or Refused for a no.

        Never called inside a change: while a person thinks, others must be able to write.
        """
        if self.callback is None:
            raise ConsentNeeded(question)
        if not self.callback(question):
            raise Refused("It was not agreed to: nothing was changed.")
        return True

    def must_cover(
        self,
        changes: Sequence[Mapping[str, Any]],
        global_count: Callable[[], int] = lambda: 0,
        of_others: Callable[[Collection[str]], Mapping[str, str]] = _nobody,
    ) -> None:
        """Raise ConsentNeeded where these rows need a person's yes and there was none."""
        if not self._is_given and (question := question_of(changes, global_count, of_others)):
            raise ConsentNeeded(question)

    def asked(self, act: Callable[[], T]) -> T:
        """The answer of an act of one change, done again with the person's yes where it needs one.

        Raises ConsentNeeded where there is nobody, Refused for a no.
        """
        try:
            return act()
        except ConsentNeeded as needed:
            if self.callback is None or self._is_given:
                raise
            self.agree(needed.question)
        self._is_given = True
        try:
            return act()
        finally:
            self._is_given = False

    @contextmanager
    def given(self) -> Iterator[None]:
        """What needs a person's yes in here has it, and is not asked."""
        callback, is_given = self.callback, self._is_given
        self.callback, self._is_given = (lambda _: True), True
        try:
            yield
        finally:
            self.callback, self._is_given = callback, is_given

    @contextmanager
    def agreeing(self, callback: Confirm) -> Iterator[None]:
        """What needs a person's yes in here is asked of `callback`."""
        before, self.callback = self.callback, callback
        try:
            yield
        finally:
            self.callback = before
