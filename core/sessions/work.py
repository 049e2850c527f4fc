"""Cut a session into pieces of work, and return the captures of each piece.

A piece of work is a prompt and all that follows until the next one that is no mere nod. It gives
the envelope of what was learned in it, a procedure when a long list of tasks was finished, and an
event when a command failed because of its surroundings and later worked. What the agent's own list
still holds when the session ends is a task.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..answers import Capture, Envelope, FileChange
from ..language.phrases import denies
from ..recall.start import held_back_because
from ..text.sameness import ALIKE, content_of, likeness
from ..text.sentences import sentences
from ..text.words import (
    SECTIONS,
    has_words,
    is_stop_word,
    normalised,
    program_of,
    steps_of,
)
from ..values import VERIFIED, to_ms
from .echo import is_trace, without_echo
from .shape import (
    ERROR_FIX,
    OPEN_TODO,
    PROGRAMS,
    TASKS_DONE,
    capture,
    digest,
    files_in,
    points,
    relative,
    shortened,
    unique,
)
from .turns import Call, Session, Turn, calls_in, reference
from .utterances import Sources, is_others, rule_in_name

TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")
BEGUN = "in_progress"
OPEN = ("pending", BEGUN)
ENDED = ("completed", "cancelled")
LEFT_OPEN = "Todo left open: "  # how the memory of an item begins
MAX_TODOS = 20  # of one session
MOST_LISTED = 500  # items of a list; each call that writes it is compared with all of them
LEFT_BEHIND = 10
"""Calls after the last update of the list, from which on its open items do not count. Of 14
labelled sessions that ended with open items, four updated it in the last 3 calls. In ten the
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
    id: str
    subject: str
    description: str
    status: str  # pending, in_progress, completed or deleted
    priority: int  # 1-5, 3 where nothing was said
    turn: Turn  # that wrote it last


def todo_lists(calls: Iterable[Call]) -> Iterator[tuple[Call, Sequence[Todo]]]:
    """Yield each of `calls` that wrote the list, with the list at that time, deleted items too.

    TodoWrite gives it whole, TaskCreate and TaskUpdate in pieces.
    """
    listed: dict[str, Todo] = {}
    for call in calls:
        result = call.result
        was_refused = result and (result.is_error or result.details.get("success") is False)
        if call.tool not in TODO_TOOLS or was_refused:
            continue
        if call.tool == "TodoWrite":
            listed = _written(call, listed)
        elif call.tool == "TaskCreate" and len(listed) < MOST_LISTED:
            name = result.details.get("task_id") if result else None
            if not isinstance(name, str):
                named = _NUMBER.search(result.text) if result else None
                name = named[1] if named else str(len(listed) + 1)
            if subject := call.argument("subject", "title", "content"):
                report = call.argument("description")
                listed[name] = Todo(name, subject, report, "pending", 3, call.turn)
        else:
            values = (call.turn.tool_input.get(name) for name in ("taskId", "task_id", "id"))
            names = (str(value) for value in values if isinstance(value, str | int))
            if (name := next(names, "")) in listed:
                todo = listed[name]
                listed[name] = replace(
                    todo,
                    subject=call.argument("subject", "title") or todo.subject,
                    description=call.argument("description") or todo.description,
                    status=call.argument("status") or todo.status,
                    turn=call.turn,
                )
        yield call, tuple(listed.values())


def todo_list(calls: Iterable[Call]) -> tuple[Todo, ...]:
    last: Sequence[Todo] = ()
    for _, listed in todo_lists(calls):
        last = listed
    return tuple(todo for todo in last if todo.status != "deleted")


def moved_todos(calls: Iterable[Call]) -> tuple[Todo, ...]:
    """Return the items that were begun, completed or cancelled in their last listing, each with the
    first such turn. Items that merely vanished are not included."""
    last: dict[str, Todo] = {}
    for _, listed in todo_lists(calls):
        for todo in listed:
            existing = last.get(normalised(todo.subject))
            if existing is None or existing.status != todo.status:
                last[normalised(todo.subject)] = todo
    return tuple(todo for todo in last.values() if todo.status in (BEGUN, *ENDED))


def is_same_task(subject: str, memory: str) -> bool:
    """Return True if the item `subject` is the task of a memory's text.

    In the same words, in whatever form and order; a long one may have one word more ("later"),
    but no other name or value: "the docs for v2" is another task than "the docs for v1".
    """
    plain = without_echo(subject).strip().rstrip(". ")
    rstrip = memory.removeprefix(LEFT_OPEN).rstrip(". ")
    item, text = normalised(plain), normalised(rstrip)
    if item == text or text.startswith(f"{item}. "):  # the rest describes it
        return bool(item)
    element, other = content_of(plain), content_of(rstrip)
    mine, theirs = (
        {word for word in each.weights if not is_stop_word(word)} for each in (element, other)
    )
    odd = mine ^ theirs
    if (
        odd & (element.marks | element.numbers | other.marks | other.numbers)
        or len(odd) > 1
        or likeness(plain, rstrip) < ALIKE
    ):
        return False
    return not odd or min(len(mine), len(theirs)) >= LONG


def open_todos(calls: Sequence[Call], session: Session) -> list[Capture]:
    """Return a capture for each open item that stands alone. Done items and items of a list that is
    no longer updated give none."""
    touched = max(
        (position for position, call in enumerate(calls) if call.tool in TODO_TOOLS), default=0
    )
    if len(calls) - 1 - touched >= LEFT_BEHIND:
        return []
    matches = []
    for todo in todo_list(calls):
        subject = " ".join(without_echo(todo.subject).split()).rstrip(". ")
        if todo.status not in OPEN or ROUTINE.match(subject) or points(subject):
            continue
        if not (has_words(subject, 3) or todo.description):
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
        matches.append(replace(made, origin=origin))
    return matches[:MAX_TODOS]


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


VALENCE = {"success": 1, "partial": -1, "failure": -2}  # of an event in work that went so
MAX_INTENT = 200  # characters
MAX_ENTRIES = 8  # of each list of an envelope
MAX_ENTRY = 200  # characters of one entry
MANY_TASKS = 5  # finished tasks of one list; more are a procedure
LEAST_SPECIAL = 3  # of them that are no routine
MAX_ATTEMPTS = 40  # commands between a failure and the one that worked
EDITING = ("Edit", "MultiEdit", "Write", "NotebookEdit")

_NODS = frozenset(SECTIONS["nods"].split())
_MAX_NOD = 6  # words
_WORDS = re.compile(r"[^\W\d_]+")
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_EXIT_CODE = re.compile(r"^(?:Error: )?Exit code [1-9]\d*\s*")
_REFUSED = re.compile(
    r"^\s*(?:The user doesn't want to|User rejected|Permission to use|<tool_use_error>|"
    r"\[Request interrupted|Command was aborted|Tool use was rejected|Claude requested permissions)"
)
_SURROUNDINGS = re.compile(
    r"\b(?:no module|modulenotfound\w*|not found|does not exist|no such|cannot find|can't find|"
    r"refused|permission|denied|not installed|missing|unable to (?:connect|locate|find)|"
    r"could not (?:connect|find|resolve|read|load)|already (?:in use|allocated)|"
    r"unknown (?:command|option|database|host)|unrecognized|unexpected argument|not running|"
    r"expired|out of date|E(?:RESOLVE|NOENT|ACCES|PERM|CONN\w+|ADDRINUSE|NOTFOUND|TIMEDOUT))\b",
    re.IGNORECASE,
)
"""Words of a failure whose remedy is outside of the code at hand: only that is worth keeping."""

_NO_REMEDY = frozenset(SECTIONS["no remedy"].split())
"""Programs that only look, prepare or check: running them first repairs nothing."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One piece of work. Its texts are redacted, but not cleaned."""

    prompt: Turn | None  # that began it; None for turns before the first one
    turns: Sequence[Turn]  # the prompt and its nods included
    calls: Sequence[Call] = ()
    reaction: Turn | None = None  # the prompt that came next

    @property
    def intent(self) -> str:
        """Return the user's request, one line of at most MAX_INTENT characters."""
        text = sentences(without_echo(self.prompt.text)) if self.prompt else ()
        own = [item.text for item in text if not is_others(item.text)]
        return shortened(" ".join(own[:3]), MAX_INTENT)

    @property
    def edited(self) -> tuple[str, ...]:
        return unique(path for call in self.calls if (path := edited_file(call, None)))

    @property
    def outcome(self) -> str:
        """success, failure or partial; "" if nothing was done.

        The user's denial is a failure. A command that failed last is a partial success if
        anything else worked.
        """
        done = [call for call in self.calls if call.tool == "Bash" or call.tool in EDITING]
        done = [call for call in done if call.result and not _REFUSED.match(call.result.text)]
        if not done:
            return ""
        if self.reaction is not None and denies(without_echo(self.reaction.text)):
            return "failure"
        if not error_of(done[-1]):
            return "success"
        return "partial" if any(not error_of(call) for call in done) else "failure"

    def milliseconds(self) -> int | None:
        """Return its duration in milliseconds; None if the file has no times."""
        moments = [turn.at for turn in self.turns if turn.at is not None]
        if len(moments) < 2:
            return None
        return round((max(moments) - min(moments)).total_seconds() * 1000)

    def envelope(self) -> Envelope:
        """Return the envelope of memories learned here: the work and its outcome."""
        spent = {
            turn.message_id or str(position): turn.tokens
            for position, turn in enumerate(self.turns)
            if turn.tokens is not None
        }
        return Envelope(
            intent=self.intent,
            actions=_bounded([action for call in self.calls if (action := _action(call))]),
            outcome=self.outcome,
            artifacts=_bounded(self.edited),
            errors=_bounded(unique(map(error_of, self.calls))),
            tokens=sum(spent.values()) if spent else None,
            time_ms=self.milliseconds(),
        )


class Work:
    """The pieces of work of a session, with the calls before a place in it."""

    def __init__(self, turns: Sequence[Turn], calls: Sequence[Call], session: Session) -> None:
        self.turns, self.calls, self._session = turns, calls, session
        self._prompts = [position for position, turn in enumerate(turns) if turn.is_prompt]
        self._lists = list(todo_lists(calls))
        starts = []
        for position, turn in enumerate(turns):
            if turn.kind == "user":
                spoken = _WORDS.findall(without_echo(turn.text).lower())
                # a nod only lets the work go on: "yes, please do that"
                if not 0 < len(spoken) <= _MAX_NOD or not _NODS.issuperset(spoken):
                    starts.append(position)
        if turns and (not starts or starts[0] > 0):
            starts.insert(0, 0)
        self.items = [
            WorkItem(
                turns[start] if turns[start].kind == "user" else None,
                turns[start:end],
                calls[self._place(start) : self._place(end)],
                turns[end] if end < len(turns) else None,
            )
            for start, end in pairwise([*starts, len(turns)])
        ]
        self._lines = [item.turns[0].line for item in self.items]
        self._envelopes: dict[int, Envelope] = {}

    def _place(self, position: int) -> int:
        """Return the number of calls before `position`."""
        return bisect_left(self.calls, position, key=lambda call: call.position)

    def enclosed(self, item: Capture) -> Capture:
        """Return a capture with its envelope; an event also gets the work around it."""
        if not self.items or item.origin.line is None:
            return item
        number = max(bisect_right(self._lines, item.origin.line) - 1, 0)
        if number not in self._envelopes:
            self._envelopes[number] = self.items[number].envelope()
        begun = [
            todo.subject
            for call, listed in self._lists
            if call.turn.line <= item.origin.line
            for todo in listed
            if todo.status == BEGUN
        ]
        task = shortened(" ".join(without_echo(begun[-1]).split()), MAX_ENTRY) if begun else ""
        envelope = replace(self._envelopes[number], task=task)
        around = {"asked": envelope.intent, "task": task, "outcome": envelope.outcome}
        context = {name: value for name, value in around.items() if value}
        details = item.details
        if item.type == "episodic" and context:
            valence = VALENCE.get(envelope.outcome, 0)
            details = {"emotional_valence": valence, **details, "context": context}
        return replace(item, envelope=envelope, details=details)

    def file_before(self, position: int) -> str:
        """The one file of the project that was changed since the prompt before; "" for none."""
        root = self._session.root
        paths = {path for call in self._since(position) if (path := edited_file(call, root))}
        only = paths.pop() if len(paths) == 1 else ""
        return "" if os.path.isabs(only) else only

    def command_before(self, position: int) -> str:
        """The command that was run last since that prompt, if the last call was one; else ""."""
        since = self._since(position)
        steps = commands_in(since[-1]) if since else []
        steps = [step for step in steps if step.split()[0] not in ("cd", "export", "source")]
        return f"`{shortened(' && '.join(steps), 100)}`" if steps else ""

    def _since(self, position: int) -> Sequence[Call]:
        number = bisect_left(self._prompts, position)
        start = self._prompts[number - 1] if number else -1
        return [call for call in self.calls if start < call.position < position]

    def captures(self) -> list[Capture]:
        return [*self._procedures(), *self._resolved()]

    # --- a finished list of more than five tasks is a procedure

    def _procedures(self) -> Iterator[Capture]:
        existing: frozenset[str] = frozenset()  # tasks that an earlier list had finished
        for number, item in enumerate(self.items):
            own = {call.position for call in item.calls}
            lists = [listed for call, listed in self._lists if call.position in own]
            todos = [todo for todo in (lists[-1] if lists else ()) if todo.status != "deleted"]
            done = todos if all(todo.status == "completed" for todo in todos) else []
            fresh = [todo for todo in done if todo.subject not in existing]
            existing |= {todo.subject for todo in done}
            special = [todo for todo in fresh if not ROUTINE.match(todo.subject)]
            is_closed = item.reaction is not None or item.turns[-1].kind == "assistant"
            is_done = is_closed and item.prompt is not None and item.outcome != "failure"
            if is_done and len(fresh) > MANY_TASKS and len(special) >= LEAST_SPECIAL:
                yield self._procedure(self.items[number], fresh, special)

    def _procedure(self, item: WorkItem, done: Sequence[Todo], special: Sequence[Todo]) -> Capture:
        steps = [" ".join(without_echo(todo.subject).split()).rstrip(". ") for todo in done]
        last = next((t for t in reversed(item.turns) if t.kind == "assistant"), item.turns[-1])
        spent = item.milliseconds()
        metrics = {"task_type": "feature", "success": True}
        minutes = {} if spent is None else {"duration_minutes": round(spent / 60_000, 1)}
        made = capture(
            TASKS_DONE,
            f"Worked off in this order: {'; '.join(steps)}",
            last,
            TASKS_DONE.name,
            self._session,
            title=shortened(f"How to: {'; '.join(steps)}", 80),
            details={
                "procedure_name": shortened("; ".join(todo.subject for todo in special), 80),
                "category": "workflow",
                "steps": [shortened(step, MAX_ENTRY) for step in steps],
                "failure_patterns": list(unique(map(error_of, item.calls)))[:4],
                "performance_metrics": {**metrics, **minutes},
                "usage_count": 1,
                "success_rate": 1.0,
                "last_used_at": round(last.at.timestamp() * 1000) if last.at else None,
            },
            files=item.edited[:MAX_ENTRIES],
            kind="procedural",
        )
        ref = reference(self._session, (item.prompt or last).uuid, TASKS_DONE.name)
        return replace(made, origin=replace(made.origin, ref=ref))

    # --- an error of the surroundings with its resolution is one event

    def _resolved(self) -> Iterator[Capture]:
        runs = [c for c in self.calls if c.tool == "Bash" and c.result and commands_in(c)]
        existing: set[str] = set()
        for number, failure in enumerate(runs):
            error = error_of(failure)
            if not error or error in existing or not _SURROUNDINGS.search(error):
                continue
            later = runs[number + 1 : number + 1 + MAX_ATTEMPTS]
            last = program_of(commands_in(failure)[-1])
            same = (run for run in later if last and last in map(program_of, commands_in(run)))
            answer = next(same, None)
            if answer is None or error_of(answer) == error:
                continue  # that later failure is the one to explain
            how = _resolution(failure, answer, later[: later.index(answer)])
            if how:
                existing.add(error)
                yield capture(
                    ERROR_FIX,
                    f"`{shortened(commands_in(failure)[-1], 100)}` failed with “{error}”; {how}",
                    answer.result or answer.turn,
                    "fix",
                    self._session,
                    title=shortened(f"Fix for: {error}", 80),
                )


def edited_file(call: Call, root: str | None) -> str:
    """Return the file that a call changed, relative to `root`; "" if it changed none."""
    path = call.argument("file_path", "notebook_path", "path")
    if call.tool not in EDITING or not path or (call.result and call.result.is_error):
        return ""
    return relative(path, root)


_GONE = re.compile(
    r"(?:git )?(?:(mv)|rm) "
    r"|(?:npm|pnpm|yarn|bun|pip3?|poetry|uv(?: pip)?|pdm|cargo|gem|bundle|composer|helm|brew|apt)"
    r" (?:uninstall|remove|rm|un) "
)
_REPLACED = re.compile(r"\bsed\b.*?['\" ]s([/|#])(?:\\b|\\<)?([\w./-]+)(?:\\b|\\>)?\1([^/|#]*)\1")


def changes_in(calls: Iterable[Call], root: str | None) -> Iterator[FileChange]:
    """Yield the changes of successful calls: edits, moves, deletions, uninstalls, renames."""
    for call in calls:
        at, path = to_ms(call.turn.at) or 0, edited_file(call, root)
        if call.result is None or call.result.is_error or os.path.isabs(path):
            continue
        if call.tool == "Delete":
            yield FileChange("", gone=(relative(call.argument("file_path"), root),), at_ms=at)
        edits = call.turn.tool_input.get("edits") if path else ()
        for edit in edits if isinstance(edits, list) else [call.turn.tool_input] * bool(path):
            if not isinstance(edit, Mapping):
                continue
            new = edit.get("new_string", edit.get("content", ""))
            yield FileChange(path, str(edit.get("old_string", "")), str(new), at_ms=at)
        for step in commands_in(call) if call.tool == "Bash" else ():
            gone, after = list[str](), step
            if match := _REPLACED.search(step):
                gone, after = [match[2]], match[3]
            elif match := _GONE.match(step):
                words = (word.strip("'\"") for word in step[match.end() :].split())
                gone = [relative(word, root) for word in words if word[:1] not in "-$>|"]
                after = gone.pop() if match[1] and len(gone) > 1 else ""
            yield FileChange("", after=after, gone=tuple(gone), at_ms=at)


def error_of(call: Call) -> str:
    """Return the line that names a call's error; "" if it succeeded or the user refused it."""
    result = call.result
    if result is None or not result.is_error or _REFUSED.match(result.text):
        return ""
    text = _EXIT_CODE.sub("", _ANSI.sub("", result.text.replace("\r", "\n")))
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    named = next((line for line in reversed(lines) if _SURROUNDINGS.search(line)), "")
    return shortened(named or (lines[-1] if lines else ""), 160)


def commands_in(call: Call) -> list[str]:
    return steps_of(call.argument("command")[:2_000])


def _resolution(failure: Call, answer: Call, between: Sequence[Call]) -> str:
    """Return in words the fix of a command: a command before it, or its other form."""
    tried = commands_in(failure)
    first = [step for run in between if not error_of(run) for step in commands_in(run)]
    first += [step for step in commands_in(answer) if program_of(step) != program_of(tried[-1])]
    first = [
        step
        for step in unique(first)
        if (program := program_of(step)) and _NO_REMEDY.isdisjoint(program) and step not in tried
    ]
    if first:
        visible = " and ".join(f"`{shortened(step, 100)}`" for step in first[-2:])
        return f"running {visible} first fixed it"
    worked = next(c for c in commands_in(answer) if program_of(c) == program_of(tried[-1]))
    return "" if worked == tried[-1] else f"`{shortened(worked, 100)}` worked"


def _action(call: Call) -> str:
    if call.tool == "Bash":
        failed = " (failed)" if error_of(call) else ""
        return f"ran {' '.join(call.argument('command').split())}{failed}"
    path = edited_file(call, None)
    return f"{'wrote' if call.tool == 'Write' else 'edited'} {path}" if path else ""


def _bounded(entries: Sequence[str]) -> tuple[str, ...]:
    """Return the last `MAX_ENTRIES`, each on one line of at most `MAX_ENTRY` characters."""
    return tuple(shortened(" ".join(entry.split()), MAX_ENTRY) for entry in entries[-MAX_ENTRIES:])


# --- steps of the active task

MAX_STEPS = 8  # of one task, the newest
MAX_LINES = 2  # of a tool's answer
_STAGES = {"Bash": "check", **dict.fromkeys(EDITING, "change")}  # by tool; others look


Step = tuple[str, str, str, int]  # stage (plan, look, change, check), kind, text, line


def steps_of_task(
    turns: Sequence[Turn], since_line: int, root: str | None
) -> tuple[Todo | None, list[Step]]:
    """Return the active task at the end of the turns, and its last steps behind a line.

    Of tools' output only lines that name an error, or a file of the task: one that its words
    name, or that was changed for it.
    """
    calls = {call.position: call for call in calls_in(turns)}
    lists = {call.position: listed for call, listed in todo_lists(calls.values())}
    task, stage, steps, files = None, "plan", list[Step](), set[str]()
    for position, turn in enumerate(turns):
        if position in lists:
            before = task
            task = next((todo for todo in lists[position][::-1] if todo.status == BEGUN), None)
            if task is None or before is None or task.subject != before.subject:
                steps, stage = [], "plan"
                files = set(files_in(task.subject, root) if task else ())
        elif task is not None and turn.kind == "assistant" and turn.text.strip():
            steps.append((stage, "reasoning", turn.text, turn.line))
        elif task is not None and position in calls:
            call = calls[position]
            stage = _STAGES.get(call.tool, "look")
            files |= {edited_file(call, root)} - {""}
            if text := _relevant_lines(call, files):
                steps.append((stage, "tool_output", text, (call.result or turn).line))
    return task, [step for step in steps if step[-1] > since_line][-MAX_STEPS:]


def _relevant_lines(call: Call, files: Iterable[str]) -> str:
    """Return the output lines of a tool about an error or `files`; "" for none."""
    lines = [error_of(call)]
    if not lines[0] and call.result:
        names = {os.path.basename(path) for path in files}
        all_lines = (" ".join(line.split()) for line in call.result.text.splitlines())
        named = [line for line in all_lines if any(name in line for name in names)]
        lines = [shortened(line, MAX_ENTRY) for line in named[-MAX_LINES:]]
    what = (commands_in(call) or [f"{call.tool} {call.argument('file_path', 'path')}".strip()])[-1]
    return f"`{shortened(what, 100)}`: {'; '.join(lines)}" if any(lines) else ""


# --- handover

MAX_HANDED = 3  # unsolved issues, and next steps
LONGEST_HANDED = 120  # characters of one of them
MAX_SCOPE = 2  # files that are named
_LOOKING = frozenset("git gh sed awk jq rg curl wget ssh rsync bash sh zsh".split())
_NEXT_PHRASES, _UNSOLVED_PHRASES = (
    "|".join(map(re.escape, SECTIONS[name].replace("\n", "/").split("/")))
    for name in ("next", "unsolved")
)
_BEGINS_NEXT = re.compile(rf"(?:{_NEXT_PHRASES})(?![a-z0-9._-])")  # "Next.js" begins nothing
_UNSOLVED = re.compile(_UNSOLVED_PHRASES)
_NONE = re.compile(
    r"(?:there (?:is|are) |i have |es gibt |il n'y a |hay )?"
    r"(?:not? any|no|none|nothing|keine?|nichts|aucune?|rien|nada|ning\w+|なし|无|нет)\b"
)


def handover(turns: Sequence[Turn], session: Session, branch: str) -> tuple[str, bool]:
    """Return the handover to the next session, at most three lines, "" for none; True if unsolved.

    Unsolved issues, next steps, and who changed which files, in the words of the agent's last
    answer and of commands that failed since the last prompt: the user went on after earlier ones.
    Words of a tool, a paste or an outside text are left out, and so is the agent's list, since its
    open items are tasks that wait for the user.
    """
    calls = calls_in(turns)
    last = next((n for n in range(len(turns) - 1, -1, -1) if turns[n].kind == "assistant"), -1)
    issues, upcoming = _last_reports(without_echo(turns[last].text) if last >= 0 else "")
    before_it = Sources(turns[: max(last, 0)])

    def own(texts: Iterable[str], sources: Sources = before_it) -> list[str]:
        """Return those in the agent's own words that pass the guard, each on one line."""
        lines = (shortened(" ".join(text.split()).rstrip(". "), LONGEST_HANDED) for text in texts)
        return [
            line
            for line in unique(lines)
            if sources.evidence(line, is_order=True) in VERIFIED
            and not held_back_because(line, "agent")
        ]

    failing = dict[tuple[str, ...], tuple[str, int]]()  # the command, and where it was run
    asked = [n for n, turn in enumerate(turns) if turn.is_prompt and not is_trace(turn.text)]
    for call in (call for call in calls if call.position > max(asked, default=0)):
        if call.tool == "Bash" and call.result and (steps := commands_in(call)):
            program = program_of(steps[-1])
            failing.pop(program, None)
            if error_of(call) and program and program[0] in PROGRAMS - _LOOKING:
                failing[program] = steps[-1], call.position
    failed = [
        f"`{line}` fails"
        for step, position in failing.values()
        for line in own([step], Sources(turns[:position]))
    ]
    unsolved = [*failed[-MAX_HANDED:], *own(issues)][:MAX_HANDED]
    upcoming = own(upcoming)[:MAX_HANDED]
    if not (unsolved or upcoming):
        return "", False
    roles = (call.argument("subagent_type") for call in calls if call.tool in ("Agent", "Task"))
    files = [edited_file(call, session.root) for call in calls]
    plain = [name for name in unique(files[::-1]) if len(name) < 80 and name.split() == [name]]
    plain = [name for name in plain if not rule_in_name(name)]
    plain_roles = (role for role in roles if role.replace("-", "_").isidentifier())
    who = ", ".join(unique((session.agent, *plain_roles)))
    lines = (
        f"The last session did not solve: {'; '.join(unsolved)}" if unsolved else "",
        f"The last session named as next: {'; '.join(upcoming)}" if upcoming else "",
        f"By {who}{f' on {branch}' * bool(branch and not rule_in_name(branch))}"
        + f", changed {', '.join(plain[:MAX_SCOPE])}" * bool(plain),
    )
    return "\n".join(filter(None, lines)), bool(unsolved)


def _last_reports(text: str) -> tuple[list[str], list[str]]:
    """Return the unsolved issues and the next steps that an answer names."""
    issues, upcoming, section = list[str](), list[str](), None
    for sentence in sentences(text):
        low = sentence.text.lower().strip("*_ ")
        is_next, is_issue = _BEGINS_NEXT.match(low), _UNSOLVED.search(low)
        if sentence.kind == "heading" or low.endswith((":", "：")):
            section = upcoming if is_next else issues if is_issue else None
        elif sentence.kind == "item" and section is not None:
            section.append(sentence.text)
        elif not (sentence.is_question or _NONE.match(low) or points(sentence.text)):
            section = section if sentence.kind == "item" else None
            if is_issue:
                issues.append(sentence.text)
            elif is_next and not _NONE.match(low.partition(": ")[2]):
                upcoming.append(sentence.text.partition(": ")[2] or sentence.text)
    return issues, upcoming
