"""The rules of promotion to the project: signals, points, filters, trial.

Pure rules; the coordinator asks the store and writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sized
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..answers import Capture
    from ..config.settings import PromotionPolicy

SIGNALS: Mapping[str, int] = {
    "user-intent": 5,
    "explicit-pin": 5,
    "worth-keeping": 3,  # above the established threshold (`judgement`)
    "multi-session": 2,
    "error-resolution": 2,
    "multi-agent": 1,
    "verified": 1,  # recorded by an agent and supported by its transcript
    "high-importance": 1,
}
"""Points that each signal is worth."""

LASTING = SIGNALS.keys() - {"multi-session", "multi-agent", "high-importance"}
"""Signals that stay once they were given; the others are counted again."""

ERROR_FIX = "agent.error-fix"  # the rule whose captures name the resolution of an error
RECORDED = "agent.recorded"  # the rule of agents' own records (`memdeck learn`)

UNPROVEN = "recorded by an agent, and not supported by its session"
"""The reason why such a memory stays in its session at any points."""

SECOND_HAND = "second-hand"
"""The tag of an agent's sentence that a tool's result or a paste had first."""

CORRECTION = "person.correction"  # the rule of a correction by the user that needed no score

WISH_RULES = ("person.remember", "person.from-now-on")
"""The rules of explicit wishes, which no length and no score filters."""

QUOTED_WISH_RULES = ("quoted.remember", "quoted.from-now-on")
"""The same for words of uncertain origin: no length filters them, and they wait in Review."""

CORRECTS = "correction"  # the tag of a capture that begins as a correction

INSTRUCTION = "person.instruction"
"""A sentence of the user that the score admits and that sets a limit."""

ORDER = "person.order"  # a sentence of the user that asks for one piece of work, or asks something
HIGH_IMPORTANCE = 0.7  # importance from which a finding counts as important by itself
SEVERAL = 2  # sessions, or agents, that make a signal of a repetition
QUARANTINE_MS = 24 * 3600 * 1000  # how long a promoted candidate is on trial
UNUSED_FACTOR = 0.8  # factor of the importance if it was not used in that time
LASTING_SESSIONS = 3  # sessions in which the same thing happened, from which it is a fact


def is_lasting(capture: Capture) -> bool:
    """Return True if the user stated something that lasts.

    Explicit wishes do. A sentence that the score admits does if it sets a limit (never, always,
    only) or is established. An order for one piece of work never does: it ends with its session.
    """
    salience = capture.salience
    if not capture.rule.startswith("person.") or capture.rule == ORDER:
        return False
    return salience is None or salience.is_established or capture.rule == INSTRUCTION


def is_explicit(capture: Capture) -> bool:
    """Return True for an explicit wish of the user, which needed no score."""
    return capture.rule.startswith("person.") and capture.salience is None


def is_asked_again(capture: Capture) -> bool:
    """Return True for words of the user that do not last, so support no sentence of the user.

    They are the same user's words again, in any agent: most are prompts sent again.
    """
    return capture.rule.startswith("person.") and not is_lasting(capture)


def unestablished_because(text: str, tags: Collection[str]) -> str:
    """Return why an agent's words are no evidence however often they come, or ""."""
    from ..language.phrases import guesses

    if SECOND_HAND in tags:
        return "a tool's result or a paste said it first"
    return "it is a guess" if guesses(text) else ""


def given_by(capture: Capture) -> set[str]:
    salience = capture.salience
    is_established = salience is not None and salience.is_established
    values = {
        "user-intent": is_lasting(capture),
        "worth-keeping": is_established and capture.rule != ORDER,
        "error-resolution": capture.rule == ERROR_FIX,
        "verified": capture.rule == RECORDED,
    }
    return {signal for signal, is_given in values.items() if is_given}


def signals_of(
    arguments: Iterable[str], *, importance: float, sessions: Sized = (), agents: Sized = ()
) -> dict[str, int]:
    """Return the signals in `arguments`, and those that follow from the rest, each with its points.

    `sessions` in which it came up (a fork and its parent are one), `importance` 0-1.
    """
    values = {
        "multi-session": len(sessions) >= SEVERAL,
        "multi-agent": len(agents) >= SEVERAL,
        "high-importance": importance >= HIGH_IMPORTANCE,
    }
    names = {*arguments, *(signal for signal, is_given in values.items() if is_given)}
    return {signal: points for signal, points in SIGNALS.items() if signal in names}


def held_back_because(
    policy: PromotionPolicy, *, points: float, length: int, importance: float
) -> str:
    """Return why a memory stays in its session; "" if it is promoted.

    `length` in characters, `importance` 0-1. The filters hold whatever the points say.
    """
    if length < policy.min_length:
        return f"{length} characters, {policy.min_length} are needed"
    if importance < policy.min_importance:
        return f"importance {importance:.2f}, {policy.min_importance:.2f} is needed"
    if points < policy.min_points:
        return f"{points:g} of {policy.min_points} points"
    return ""


def in_words(signals: Mapping[str, float]) -> str:
    """Return the signals as history shows them: `user-intent 5, high-importance 1`."""
    return ", ".join(f"{signal} {points:g}" for signal, points in signals.items())
