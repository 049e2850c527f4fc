"""From the turns of a session to captures: the order of the steps, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..answers import Capture
from .admission import MOMENTARY, admitted
from .answers import Work, causes_in, from_answer
from .changes import file_changes
from .echo import without_incognito
from .edits import Edit, definitions, edits_between, edits_in
from .envelopes import Enveloper
from .findings import findings, findings_of
from .fixes import fixes
from .languages import LANGUAGES, Languages
from .prompts import from_prompt, trouble_in
from .shape import Session, shortened
from .standalone import Topics
from .stretches import Stretches, intent_of
from .subjects import words
from .todos import TODO_TOOLS, open_todos, todo_list
from .turns import Call, Turn, calls_in
from .utterances import closing_answers
from .verdicts import approvals, with_approved, without_denied
from .workflows import workflows

MAX_CAPTURES = 100  # of one reading; the most important ones stay

_BUILT_IN = ("Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "Task", "Agent")
_ACTING = ("Bash", "Edit", "MultiEdit", "Write", "NotebookEdit")
_REFUSED = re.compile(
    r"^The user doesn't want to (?:proceed|take this action).*?the user said:\s*(?P<said>\S.*)$",
    re.S,
)
_WORD = re.compile(r"[a-z0-9][a-z0-9_./-]*[a-z0-9]|[a-z0-9]")
_DENIAL = re.compile(r"\b(?:no|not|never|without|avoid|stop)\b|n['’]t\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|never|instead of|rather than|over)\s+(\w+)")
_NAMING = re.compile(r"[\d_./]")  # another number or name makes another statement
_FROM_SUBAGENT = "agent.subagent-finding"
_PASSING_ON = frozenset(
    f"agent.{name}"
    for name in ("cause", "because", "explained", "turned-out", "outcome", "warning")
)
_EMPTY = words(
    """
    a an and are as at be because by for from had has have in into is it its no not of on only or so
    that the their this to was were will with we our us use uses used now
    """
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reading gave."""

    captures: list[Capture]  # in the order in which they came up
    denied: tuple[str, ...]  # refs of claims that the person took back; an earlier reading may
    # have offered them, so that a candidate with such a ref had better go


def extract(
    turns: Iterable[Turn],
    *,
    session: str,
    agent: str = "claude",
    transcript: str = "",
    project_root: str | None = None,
    since_line: int = 0,
    is_over: bool = True,
    starts_incognito: bool = False,
    languages: Languages = LANGUAGES,
) -> list[Capture]:
    """What the rules alone find in these turns, in the order it came up: the mechanics.

    What of it is kept, and what no rule finds, `read_session` judges.
    Turns up to `since_line` give context only: a command may have failed in one reading and
    work in the next. Todos are captured when the session `is_over`. A transcript whose turns
    all belong to a subagent has no person in it, so it gives findings only. `starts_incognito`
    says that the first turns belong to a prompt that was not to be kept.
    """
    place = Session(session, agent, transcript, project_root)
    listed = list(without_incognito(turns, starts_inside=starts_incognito))
    return _read(listed, place, since_line, is_over, languages, is_judged=False).captures


def read_session(
    turns: Iterable[Turn],
    place: Session,
    *,
    since_line: int = 0,
    is_over: bool = True,
    starts_incognito: bool = False,
    languages: Languages = LANGUAGES,
) -> Extraction:
    """What a careful colleague would write down, and the claims that the person denied."""
    listed = list(without_incognito(turns, starts_inside=starts_incognito))
    return _read(listed, place, since_line, is_over, languages, is_judged=True)


def _read(
    listed: Sequence[Turn],
    place: Session,
    since_line: int,
    is_over: bool,
    languages: Languages,
    *,
    is_judged: bool,
) -> Extraction:
    is_subagents = bool(listed) and all(turn.agent_id for turn in listed)
    main = listed if is_subagents else [turn for turn in listed if not turn.agent_id]
    calls = calls_in(main)
    edits = edits_in(calls, place.root)
    stretches = Stretches(main, calls, edits)
    denied: list[Capture] = []
    if is_subagents:
        found = findings_of(listed, place)
    else:
        found = _from_main(main, calls, edits, place, is_over, languages)
        claimed = without_denied(found, main)[1]  # an earlier reading may have kept them
        if is_judged:
            found = admitted(found, main, place)
        found, denied = without_denied(found, main)
        denied += [one for one in claimed if one not in denied]
        found = with_approved(found, main) + approvals(main, place)
        changed, reported = ([], []) if is_judged else file_changes(stretches.all, found, place)
        procedures = workflows(stretches.all, place)
        if is_judged:
            procedures = [one for one in procedures if one.rule not in MOMENTARY]
        gone = {id(one) for one in (*reported, *_told_by(procedures, found))}
        found = [one for one in found if id(one) not in gone] + changed + procedures
        found.sort(key=lambda c: c.origin.line or 0)
    # A todo may be older than the reading in which the session ends.
    fresh = [c for c in found if (c.origin.line or 0) > since_line or c.type == "prospective"]
    best = without_repeats(_most_important(fresh, 5 * MAX_CAPTURES))
    enveloper = Enveloper(stretches, found)
    kept = [enveloper.enclosed(one) for one in _most_important(best, MAX_CAPTURES)]
    return Extraction(kept, tuple(c.origin.ref for c in denied if c.origin.ref))


def _told_by(procedures: Sequence[Capture], found: Sequence[Capture]) -> list[Capture]:
    """The reports among `found` that a procedure holds as the sign of its success."""
    signs = {sign.lower() for one in procedures for sign in one.details["success_conditions"]}
    return [c for c in found if c.rule == "agent.outcome" and c.content.lower() in signs]


def without_repeats(captures: Sequence[Capture]) -> list[Capture]:
    """`captures` without those whose words another one says as well, the weightier one kept."""
    kept: list[tuple[Capture, frozenset[str]]] = []
    for one in sorted(captures, key=lambda c: -c.importance):
        said = _content_words(one.content)
        if not any(_repeats_a_subagent(one, said, more, other) for more, other in kept) and not any(
            _says_as_much(other, said, one, more) for more, other in kept
        ):
            kept.append((one, said))
    chosen = {id(one) for one, _ in kept}
    return [one for one in captures if id(one) in chosen]


def _from_main(
    turns: Sequence[Turn],
    calls: Sequence[Call],
    edits: Sequence[Edit],
    session: Session,
    is_over: bool,
    languages: Languages,
) -> list[Capture]:
    homes = definitions(calls, session.root)
    by_call = {call.position: call for call in calls}
    by_result = {call.answered: call for call in calls}
    finals = closing_answers(turns)
    last_prompt = max((n for n, turn in enumerate(turns) if turn.is_prompt), default=-1)
    topics = Topics()
    found: list[Capture] = []
    causes: list[tuple[int, str]] = []
    trouble, asked, prompted, has_acted = "", "", -1, False
    latest: Call | None = None
    for position, turn in enumerate(turns):
        if position in by_call:
            latest = by_call[position]
            has_acted = has_acted or latest.tool in _ACTING
            topics.learn(" ".join(todo.subject for todo in todo_list([latest])))
        prompt = turn if turn.is_prompt else _refusal(turn, by_result.get(position))
        if prompt is not None:
            found += from_prompt(prompt, topics, latest, session, languages)
            is_nod = len(prompt.text.split()) <= 4  # "ok, go on" changes no subject
            trouble = trouble_in(prompt, languages) or (trouble if is_nod else "")
            asked = asked if is_nod else shortened(intent_of(prompt.text), 120)
            prompted, has_acted, latest = position, False, None
        elif turn.kind == "assistant":
            work = Work(
                is_final=position in finals,
                has_acted=has_acted,
                trouble=trouble,
                asked=asked,
                edits=edits_between(edits, prompted, position),
                homes=homes,
                is_last=is_over and position > last_prompt,
            )
            found += from_answer(turn, work, topics, session, languages)
            causes += [(position, cause) for cause in causes_in(turn, languages)]
    found += fixes(turns, calls, edits, causes, session)
    found += findings(calls, session)
    if is_over:
        found += open_todos(calls, topics, _said_since_todos(turns, calls), session)
    return found


def _said_since_todos(turns: Sequence[Turn], calls: Sequence[Call]) -> str:
    """What the agent said after it last touched its list."""
    touched = (call.position for call in calls if call.tool in TODO_TOOLS)
    start = max(touched, default=len(turns))
    return "\n\n".join(turn.text for turn in turns[start:] if turn.kind == "assistant")


def _refusal(turn: Turn, call: Call | None) -> Turn | None:
    """A prompt made of the words with which a person turned down a tool call.

    Only for the host's own tools: what another tool returns may merely look like this.
    """
    if call is None or not turn.is_error or call.tool not in _BUILT_IN:
        return None
    said = _REFUSED.match(turn.text)
    if not said:
        return None
    return Turn("user", said["said"], line=turn.line, uuid=turn.uuid, at=turn.at, part=turn.part)


def _content_words(text: str) -> frozenset[str]:
    return frozenset(w for w in _WORD.findall(text.lower()) if w not in _EMPTY)


def _repeats_a_subagent(
    one: Capture, said: frozenset[str], more: Capture, other: frozenset[str]
) -> bool:
    """Whether a subagent found it and the agent passed it on, in whichever order they stand."""
    from_subagent = [c.rule == _FROM_SUBAGENT for c in (one, more)]
    if sum(from_subagent) != 1 or not {one.rule, more.rule} & _PASSING_ON:
        return False
    if not {*one.files} & {*more.files}:
        return False
    fewer = min(len(said), len(other))
    return fewer >= 3 and len(said & other) >= 0.6 * fewer


def _says_as_much(
    other: frozenset[str], words: frozenset[str], one: Capture, more: Capture
) -> bool:
    """Whether `more`, with the words `other`, holds all that `one` says, and not its opposite."""
    if one.content == more.content:
        return True
    if one.type == "prospective" or more.type == "prospective" or len(words) < 4:
        return False
    if one.type == "procedural" and not {*one.details["steps"]} <= {*more.details.get("steps", ())}:
        return False
    missing = words - other
    if len(missing) > 0.2 * len(words) or any(_NAMING.search(w) for w in missing):
        return False
    if bool(_DENIAL.search(one.content)) != bool(_DENIAL.search(more.content)):
        return False
    # "Postgres, not Redis" and "Redis, not Postgres" have the same words.
    return {*_DENIED.findall(one.content.lower())} <= {*_DENIED.findall(more.content.lower())}


def _most_important(captures: list[Capture], limit: int) -> list[Capture]:
    if len(captures) <= limit:
        return captures
    chosen = sorted(captures, key=lambda c: -c.importance)[:limit]
    return sorted(chosen, key=lambda c: c.origin.line or 0)
