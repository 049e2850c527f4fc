"""A tour through the app: one line above the keys says what to press next, and sees it done.

It holds nothing up: whoever presses something else goes where that leads, and the line waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

if TYPE_CHECKING:
    from .stage import Stage
    from .view import Desk

LOOK_SECONDS = 0.2  # between two looks at whether it was done
LAST_SECONDS = 8.0  # how long the last line stands


Chosen = tuple[int, str]
"""A memory of the Deck by its key, and its status."""


def _chosen(stage: Stage) -> Chosen | None:
    """What is under the cursor of the Deck."""
    from .views.deck.view import Deck

    deck = stage.shown
    row = deck.memories.current if isinstance(deck, Deck) else None
    return None if row is None else (row.num, row.status)


def _conflicts(stage: Stage) -> int:
    """How many wait for a verdict."""
    return cast("Desk", stage.app).standing.conflicts


@dataclass(frozen=True, slots=True)
class Step:
    """What to press, what that is for, and how it is seen that it was done.

    `is_done` is given what `before` said when the step began: what was under the cursor.
    """

    key: str
    says: str  # fits 60 columns with the key and the number
    is_done: Callable[[Stage, Any], bool]
    before: Callable[[Stage], object] = _chosen


def _is_at(name: str) -> Callable[[Stage, Chosen | None], bool]:
    return lambda stage, _: stage.current == name


def _is_filtered(stage: Stage, _: Chosen | None) -> bool:
    view = stage.shown
    return view is not None and bool(view.box.text.strip()) and not view.is_typed_in()


def _is_changed(stage: Stage, before: Chosen | None) -> bool:
    now = _chosen(stage)
    return now is not None and before is not None and now != before and now[0] == before[0]


def _is_decided(stage: Stage, before: int | None) -> bool:
    """One less than when the step began; or none that can be decided."""
    now = _conflicts(stage)
    return (before is not None and now < before) or (not now and stage.current == "conflicts")


def _is_helped(stage: Stage, _: Chosen | None) -> bool:
    return bool(stage.app.screen.query("#help"))


STEPS = (
    Step("1", "the Deck: all that your agents know", _is_at("deck")),
    Step("/", "and a word, then enter: finds it", _is_filtered),
    Step("p", "pins it: told at every start; again: no more", _is_changed),
    Step("u", "takes the newest act back, whatever it was", _is_changed),
    Step("3", "what contradicts: left or right, then enter", _is_decided, _conflicts),
    Step("4", "what an agent would be told to a prompt", _is_at("recall")),
    Step("5", "every change: who, when, before and after", _is_at("audit")),
    Step("?", "every key that works where you are", _is_helped),
)
LAST = "That was the tour. : finds everything else by its name."


class Tour(Static):
    """The line of the tour; there only while one is on it."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(id="tour", markup=False)
        self._stage = stage
        self._at = 0
        self._before: object = None
        self._looks: Timer | None = None

    def on_mount(self) -> None:
        """Say the first step, and look from now on whether it was done."""
        self._say()
        self._looks = self.set_interval(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        if self._before is None:  # the Deck was not there yet
            self._before = STEPS[self._at].before(self._stage)
        if not STEPS[self._at].is_done(self._stage, self._before):
            return
        self._at += 1
        if self._at < len(STEPS):
            self._say()
            return
        if self._looks is not None:
            self._looks.stop()
        self.update(Content.styled(f" {LAST}", "bold"))
        self.set_timer(LAST_SECONDS, self.remove)

    def _say(self) -> None:
        step = STEPS[self._at]
        self._before = step.before(self._stage)
        self.update(
            Content.assemble(
                (f" Tour {self._at + 1}/{len(STEPS)}  ", "$text-muted"),
                (step.key, "bold $footer-key-foreground"),
                (f"  {step.says}", "$foreground"),
            )
        )
