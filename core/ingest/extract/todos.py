"""What the agent's own list still holds when a session ends, and what it saw done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...answers import Capture
from ...text.sameness import ALIKE, content_of, likeness
from ...text.words import is_stop_word
from ..fingerprint import normalised
from .echo import without_echo
from .rules import OPEN_TODO
from .shape import capture, digest, shortened
from .turns import Call, Session, Turn, reference
from .wording import points

TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")
BEGUN = "in_progress"
OPEN = ("pending", BEGUN)
ENDED = ("completed", "cancelled")
LEFT_OPEN = "Todo left open: "  # how the memory of an item begins
MAX_TODOS = 20  # of one session
MOST_LISTED = 500  # items of a list; each call that writes it is looked at with all of them
LEFT_BEHIND = 10
"""Calls after the list was last touched, from which on it tells nothing of what is open. Of 14
labelled sessions that ended with open items, four touched the list in the last 3 calls; in ten the
work went on for 23 to 201 calls, and most of the items were done by then."""

LONG = 4  # words that count, from which on one more does not make another task
ROUTINE = re.compile(
    r"^(?:re-?)?(?:run|execute|verify|check|test|commit|push|review|clean ?up|finish|finali[sz]e|"
    r"summari[sz]e|report|investigate|explore|understand|read|look at|analy[sz]e|plan|explain|"
    r"format|lint)\b"
    r"(?:\s(?:all|the|and|new|full|final|it|everything|changes?|tests?|checks?|suite|linters?|"
    r"types?|code|results?|work|codebase|project|output|fix|up|mypy|ruff|pytest|everything|"
    r"works?))*\s*[.!]?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[Tt]ask #?([\w-]+)")
_PRIORITIES = {"high": 5, "medium": 3, "low": 1}


@dataclass(frozen=True, slots=True)
class Todo:
    """One item of the list as it was last seen."""

    id: str
    subject: str
    description: str
    status: str  # pending, in_progress, completed or deleted
    priority: int  # 1-5, 3 where nothing was said
    turn: Turn  # that wrote it last


def todo_lists(calls: Iterable[Call]) -> Iterator[tuple[Call, Sequence[Todo]]]:
    """Each of `calls` that wrote the list, with the list as it stood then, deleted items too.

    TodoWrite gives it whole, TaskCreate and TaskUpdate in pieces.
    """
    listed: dict[str, Todo] = {}
    for call in calls:
        if call.tool not in TODO_TOOLS or _was_refused(call):
            continue
        if call.tool == "TodoWrite":
            listed = _written(call, listed)
        elif call.tool == "TaskCreate" and len(listed) < MOST_LISTED:
            listed |= {todo.id: todo for todo in _created(call, len(listed) + 1)}
        elif (name := _name(call)) in listed:
            listed[name] = _updated(listed[name], call)
        yield call, tuple(listed.values())


def todo_list(calls: Iterable[Call]) -> tuple[Todo, ...]:
    """The list after `calls`, in order."""
    last: Sequence[Todo] = ()
    for _, listed in todo_lists(calls):
        last = listed
    return tuple(todo for todo in last if todo.status != "deleted")


def moved_todos(calls: Iterable[Call]) -> tuple[Todo, ...]:
    """The items that were begun, completed or cancelled when they were last listed, each with the
    turn that said so first. What merely vanished from the list is not among them."""
    last: dict[str, Todo] = {}
    for _, listed in todo_lists(calls):
        for todo in listed:
            known = last.get(normalised(todo.subject))
            if known is None or known.status != todo.status:
                last[normalised(todo.subject)] = todo
    return tuple(todo for todo in last.values() if todo.status in (BEGUN, *ENDED))


def is_same_task(subject: str, memory: str) -> bool:
    """Whether the item `subject` is what a memory's text says is to be done.

    In the same words, in whatever form and order; a long one may have one word more ("later"),
    but no other name or value: "the docs for v2" is another task than "the docs for v1".
    """
    plain = without_echo(subject).strip().rstrip(". ")
    told = memory.removeprefix(LEFT_OPEN).rstrip(". ")
    item, text = normalised(plain), normalised(told)
    if item == text or text.startswith(f"{item}. "):  # what follows describes it
        return bool(item)
    one, other = content_of(plain), content_of(told)
    mine, theirs = (
        {word for word in each.weights if not is_stop_word(word)} for each in (one, other)
    )
    odd = mine ^ theirs
    if (
        odd & (one.marks | one.numbers | other.marks | other.numbers)
        or len(odd) > 1
        or likeness(plain, told) < ALIKE
    ):
        return False
    return not odd or min(len(mine), len(theirs)) >= LONG


def open_todos(calls: Sequence[Call], session: Session) -> list[Capture]:
    """A capture for each open item that says enough by itself; done ones are no memories, nor are
    those of a list that the work left behind."""
    touched = max((place for place, one in enumerate(calls) if one.tool in TODO_TOOLS), default=0)
    if len(calls) - 1 - touched >= LEFT_BEHIND:
        return []
    found = []
    for todo in todo_list(calls):
        subject = " ".join(without_echo(todo.subject).split()).rstrip(". ")
        if todo.status not in OPEN or ROUTINE.match(subject) or points(subject):
            continue
        if len(subject.split()) < 3 and not todo.description:
            continue
        text = f"{LEFT_OPEN}{subject}"
        description = " ".join(without_echo(todo.description).split())
        if description and description.lower().rstrip(".") not in text.lower():
            text += f". {description}"
        made = capture(
            OPEN_TODO,
            text,
            todo.turn,
            "todo",
            session,
            title=shortened(f"Todo: {subject}", 80),
            details={
                "intention_type": "todo",
                "trigger_type": "context",
                "priority": todo.priority,
                "status": "active" if todo.status == BEGUN else "pending",
            },
        )
        # The same item is written again and again; its name is its subject, not its place.
        ref = reference(session, "todo", digest(subject.lower(), 6))
        origin = replace(made.origin, ref=ref)
        found.append(replace(made, origin=origin))
    return found[:MAX_TODOS]


def _was_refused(call: Call) -> bool:
    result = call.result
    return result is not None and (result.is_error or result.details.get("success") is False)


def _written(call: Call, before: dict[str, Todo]) -> dict[str, Todo]:
    items = call.turn.tool_input.get("todos")
    if not isinstance(items, list):
        return before
    listed = {}
    for number, item in enumerate(items[:MOST_LISTED]):
        if isinstance(item, dict) and isinstance(item.get("content"), str):
            status, priority = item.get("status"), item.get("priority")
            listed[str(number)] = Todo(
                str(number),
                item["content"],
                "",
                status if isinstance(status, str) else "pending",
                _PRIORITIES.get(priority, 3) if isinstance(priority, str) else 3,
                call.turn,
            )
    return listed


def _created(call: Call, number: int) -> Iterator[Todo]:
    name = call.result.details.get("task_id") if call.result else None
    if not isinstance(name, str):
        named = _NUMBER.search(call.result.text) if call.result else None
        name = named[1] if named else str(number)
    if subject := call.argument("subject", "title", "content"):
        yield Todo(name, subject, call.argument("description"), "pending", 3, call.turn)


def _updated(todo: Todo, call: Call) -> Todo:
    return replace(
        todo,
        subject=call.argument("subject", "title") or todo.subject,
        description=call.argument("description") or todo.description,
        status=call.argument("status") or todo.status,
        turn=call.turn,
    )


def _name(call: Call) -> str:
    """Which item it updates; models use all three spellings."""
    values = (call.turn.tool_input.get(spelling) for spelling in ("taskId", "task_id", "id"))
    return next((str(value) for value in values if isinstance(value, str | int)), "")
