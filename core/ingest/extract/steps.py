"""From the turns of a session to captures: the order of the steps, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ...answers import Capture
from ...text.sameness import content_of, says_the_same
from ...values import PRIVACIES
from .admission import admitted
from .conversation import is_machine_started, without_resent
from .corrections import with_corrections
from .echo import is_handed_over, is_trace, markers
from .explicit import explicit_in
from .todos import open_todos
from .turns import Session, Turn, calls_in
from .utterances import speaking_results, spoken_in, words_in_result
from .work import Work

MAX_CAPTURES = 100  # of one reading; the most important ones stay


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reading gave."""

    captures: list[Capture]  # in the order in which they came up
    corrections: list[Capture]  # worth a memory only if the store knows what they correct

    def each(self, change: Callable[[Capture], Capture]) -> Extraction:
        """Return the same with each of its captures changed."""
        return Extraction([*map(change, self.captures)], [*map(change, self.corrections)])


def read_session(
    turns: Iterable[Turn],
    place: Session,
    *,
    since_line: int = 0,
    is_over: bool = True,
    starts: str = "",
    is_judged: bool = True,
) -> Extraction:
    """What a careful colleague would write down, and what was corrected.

    Turns up to `since_line` give context only: a command may have failed in one reading and
    work in the next. Todos are captured when the session `is_over`. A transcript whose turns
    all belong to a subagent has no person in it, so it gives findings only. `starts` is the
    marker that holds before the first turn; a marked turn's captures are for whom it says.
    If not `is_judged`, there is only what needs no judgement.
    """
    given = list(turns)
    marked = list(zip(given, markers(given, starts), strict=True))
    listed = [turn for turn, marker in marked if marker != "incognito"]
    fenced = {turn.line: marker for turn, marker in marked if marker in PRIVACIES}
    is_subagents = bool(listed) and all(turn.agent_id for turn in listed)
    main = listed if is_subagents else [turn for turn in listed if not turn.agent_id]
    if not is_subagents and is_machine_started(main):
        return Extraction([], [])
    if is_subagents:
        return Extraction([], [])
    main = without_resent(main)
    calls = calls_in(main)
    work = Work(main, calls, place)
    corrected: list[Capture] = []
    found = _asked_for(main, place)
    found += open_todos(calls, place) if is_over else []
    spoken = spoken_in(main)
    if is_judged:
        found = admitted(found, work, spoken, place, since_line)
    found, corrected = with_corrections(found, spoken, place)
    found += work.captures()
    found.sort(key=lambda one: one.origin.line or 0)
    # A todo may be older than the reading in which the session ends.
    fresh = [c for c in found if (c.origin.line or 0) > since_line or c.type == "prospective"]
    best = _most_important(without_repeats(_most_important(fresh, 5 * MAX_CAPTURES)), MAX_CAPTURES)
    made = Extraction(best, [c for c in corrected if (c.origin.line or 0) > since_line])
    made = made.each(work.enclosed)

    def for_whom(one: Capture) -> Capture:
        return replace(one, privacy=fenced.get(one.origin.line or 0, one.privacy))

    return made.each(for_whom) if fenced else made


def _asked_for(turns: Sequence[Turn], place: Session) -> list[Capture]:
    """What the person asks to be kept: in prompts, and in the reasons of refused calls."""
    spoken_by = speaking_results(turns)
    found: list[Capture] = []
    for position, turn in enumerate(turns):
        if turn.is_prompt and not (is_trace(turn.text) or is_handed_over(turn.text)):
            found += explicit_in(turn, turn.text, place)
        elif position in spoken_by and turn.is_error:
            found += explicit_in(turn, words_in_result(turn), place)
    return found


def without_repeats(captures: Sequence[Capture]) -> list[Capture]:
    """`captures` without those whose words another one says as well, the weightier one kept."""
    kept: list[Capture] = []
    for one in sorted(captures, key=lambda c: -c.importance):
        if not any(_says_as_much(one, more) for more in kept):
            kept.append(one)
    chosen = {id(one) for one in kept}
    return [one for one in captures if id(one) in chosen]


def _says_as_much(one: Capture, more: Capture) -> bool:
    """Whether the two say the same; tasks and steps only in the same words."""
    if "prospective" in (one.type, more.type) or one.type == "procedural" != more.type:
        return one.content == more.content
    words, other = (content_of(c.content).weights.keys() for c in (one, more))
    if 2 * len(words & other) < min(len(words), len(other)):
        return False  # most captures; comparing costs fifty times more
    return says_the_same(one.content, more.content)


def _most_important(captures: list[Capture], limit: int) -> list[Capture]:
    if len(captures) <= limit:
        return captures
    chosen = sorted(captures, key=lambda c: -c.importance)[:limit]
    return sorted(chosen, key=lambda c: c.origin.line or 0)
