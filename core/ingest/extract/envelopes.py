"""What surrounded a memory when it was learned: the work, and how it went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...answers import Capture, Envelope
from ...text.sentences import masked_quotes
from .echo import without_echo
from .feelings import denies, valence_of
from .rules import rx
from .runs import unanswered
from .shape import shortened
from .stretches import Stretch, Stretches
from .subjects import unique
from .todos import BEGUN, todo_lists

MAX_ENTRIES = 8  # of each list
MAX_ENTRY = 200  # characters of one entry

_LESSONS = ("error-fix", "cause", "because", "turned-out", "correction")

FAILED = rx(
    r"\b(?:(?:i|we)\ (?:could\ not|couldn't|cannot|can't|was\ not\ able\ to|failed\ to)|unable\ to|"
    r"(?:did\ not|didn't|does\ not|doesn't)\ work|g(?:a|i)ve(?:n)?\ up|blocked\ (?:by|on)|no\ luck|"
    r"still\ (?:fails?|failing|broken|crash\w*))\b"
)
PARTIAL = rx(
    r"\b(?:partial(?:ly)?|except\ (?:for|that)|all\ but|half\ (?:done|of)|"
    r"(?:not|isn't)\ (?:yet\ |fully\ )?(?:done|finished|complete)|remains?\ to|"
    r"still\ (?:needs?|missing|open|to\ do|remains?)|left\ (?:open|out|to\ do)|skipped|"
    r"some\ (?:tests?|checks?)\ (?:still\ )?fail\w*)\b"
)
"""How an agent's closing words own up to it. Code and quotations are masked."""


class Enveloper:
    """Puts captures into what surrounded them. Each piece of work is looked at once."""

    def __init__(self, stretches: Stretches, found: Sequence[Capture]) -> None:
        self._stretches = stretches
        self._made: dict[int, Envelope] = {}
        self._lessons: dict[int, list[str]] = {}
        self._listed: list[tuple[int, str]] = _active_todos(stretches)
        for one in found:
            stretch = stretches.at_line(one.origin.line)
            if stretch is not None and one.rule.split(".")[-1] in _LESSONS:
                self._lessons.setdefault(id(stretch), []).append(one.content)

    def enclosed(self, one: Capture) -> Capture:
        """`one` with its envelope, and, if it tells what happened, with what was going on."""
        stretch = self._stretches.at_line(one.origin.line)
        if stretch is None:
            return one
        if id(stretch) not in self._made:
            self._made[id(stretch)] = _envelope(stretch, self._lessons.get(id(stretch), ()))
        envelope = self._made[id(stretch)]
        task = next((s for n, s in reversed(self._listed) if n <= (one.origin.line or 0)), "")
        own = shortened(one.content, MAX_ENTRY)
        lessons = tuple(lesson for lesson in envelope.lessons if lesson != own)
        envelope = replace(envelope, task=task, lessons=lessons)
        return replace(one, envelope=envelope, details=_situated(one, stretch, envelope))


def outcome_of(stretch: Stretch) -> str:
    """How a piece of work ended: success, failure or partial; "" where nothing was done.

    Exit codes come first: a failure that nothing answered outweighs what was said. Then the
    agent's closing words. Above all stands the person who says that it was wrong.
    """
    if not stretch.runs and not stretch.edits:
        return ""
    said = masked_quotes(stretch.closing)
    is_asked = said.rstrip().endswith("?")  # then a "no" is the answer
    if stretch.reaction is not None and not is_asked and denies(stretch.reaction.text):
        return "failure"
    open_failures, gave_up = unanswered(stretch.runs), FAILED.search(said)
    has_worked = bool(stretch.edits) or any(not run.failed for run in stretch.runs)
    if open_failures and gave_up:
        return "failure"
    if gave_up or (open_failures and stretch.runs[-1].failed):
        return "partial" if has_worked else "failure"
    return "partial" if open_failures or PARTIAL.search(said) else "success"


def _envelope(stretch: Stretch, lessons: Iterable[str]) -> Envelope:
    spent: dict[str, int] = {}
    for place, turn in enumerate(stretch.turns):
        if turn.tokens is not None:
            spent[turn.message_id or str(place)] = turn.tokens
    return Envelope(
        intent=stretch.intent,
        actions=_bounded(_actions(stretch)),
        outcome=outcome_of(stretch),
        artifacts=_bounded(unique(edit.path for edit in stretch.edits)),
        errors=_bounded(unique(run.error for run in stretch.runs)),
        lessons=_bounded(unique(lessons)),
        tokens=sum(spent.values()) if spent else None,
        time_ms=stretch.milliseconds(),
    )


def _actions(stretch: Stretch) -> tuple[str, ...]:
    """Commands and edits in the order in which they were done, each once."""
    done: list[tuple[int, str]] = []
    for run in stretch.runs:
        ending = " (failed)" if run.failed else ""
        done += [(run.call.position, f"ran {' '.join(s.text.split())}{ending}") for s in run.steps]
    for edit in stretch.edits:
        done.append((edit.position, f"{'wrote' if edit.is_new else 'edited'} {edit.path}"))
    for call in stretch.calls:
        if call.tool in ("Agent", "Task"):
            asked = without_echo(call.argument("description") or call.argument("prompt"))
            done.append((call.position, f"asked a subagent: {' '.join(asked.split())}"))
    return unique(text for _, text in sorted(done, key=lambda one: one[0]))


def _situated(one: Capture, stretch: Stretch, envelope: Envelope) -> Mapping[str, object]:
    """The details of `one`; what happened also gets its context and the person's feeling."""
    if one.type != "episodic":
        return one.details
    around = {"asked": envelope.intent, "task": envelope.task, "outcome": envelope.outcome}
    context = {name: value for name, value in around.items() if value}
    told = {"context": context} if context else {}
    return {**one.details, **told, "emotional_valence": _feeling(stretch)}


def _feeling(stretch: Stretch) -> int:
    """How the person took it, else how they felt when they asked."""
    prompts = [turn for turn in stretch.turns if turn.is_prompt]
    said = [stretch.reaction, *reversed(prompts)]
    felt = (valence_of(turn.text) for turn in said if turn is not None)
    return next((valence for valence in felt if valence), 0)


def _active_todos(stretches: Stretches) -> list[tuple[int, str]]:
    """From which line on an item of the agent's list was being worked on, and which."""
    found: list[tuple[int, str]] = []
    for call, listed in todo_lists(stretches.calls):
        active = [todo for todo in listed if todo.status == BEGUN]
        subject = " ".join(without_echo(active[-1].subject).split()) if active else ""
        found.append((call.turn.line, shortened(subject, MAX_ENTRY)))
    return found


def _bounded(entries: Sequence[str]) -> tuple[str, ...]:
    """The last `MAX_ENTRIES`, each on one line of at most `MAX_ENTRY` characters."""
    return tuple(shortened(" ".join(one.split()), MAX_ENTRY) for one in entries[-MAX_ENTRIES:])
