"""What commands take: store, project, form, kinds of values, text from pipes, completions."""

from __future__ import annotations

import functools
import io
import json
import math
import os
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ..core.text.clean import clean, decoded
from ..core.text.times import moment
from ..core.values import CATEGORIES, PRIVACIES, SCOPES, TYPES, importance_from_10
from .output import Ink, narrate, one_line

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from ..core.context import Context
    from ..core.errors import ManagerError
    from ..core.memdeck import Memdeck


T = TypeVar("T")

COMPLETED = 200
"""Memories among which an id is completed."""

_TAKES = {
    "restore": "is:retired",
    "unpin": "is:pinned",
    "done": "type:prospective",
}
"""Of which memories a command, or those of a group, take the ids."""

TYPED = "memdeck.typed"  # that the user typed a slash command, among what its context holds
_STORE = "memdeck.store"  # what a command opened last, among what its context holds


@dataclass(frozen=True, slots=True)
class Door:
    """What was asked of the command as a whole: where, which project, and in which form."""

    as_json: bool = False
    project: str | None = None  # a folder or a project's name; None is the current folder's
    home: str | None = None  # None is MEMDECK_HOME or the platform's place
    is_typed: bool = False  # the user's slash command, which their agent runs for them

    @property
    def folder(self) -> str | None:
        """The folder whose settings are meant; None, the current one, for a project's name."""
        folder = os.path.expanduser(self.project) if self.project else ""
        return folder if os.path.isdir(folder) else None

    @contextmanager
    def memory(self, *, yes: bool = False, asks: bool = True) -> Iterator[MemoryCoordinator]:
        """The project's memory, open for a person; raises ManagerError when it cannot be.

        What needs a person's yes is asked on the terminal, if there is one and the command
        `asks`; with `yes` it is agreed to.
        """
        from ..core.compat import open_memory

        self._must_exist()
        agree = (lambda _: True) if yes else _ask if asks and is_asking() else None
        with open_memory(
            self.home, self.project, confirmation_callback=agree, is_typed=self.is_typed
        ) as memory:
            self._opened(memory.context)
            point_out(memory.problems_at_opening())
            yield memory

    @contextmanager
    def services(self) -> Iterator[Memdeck]:
        """The same for a command that only looks: it imports what it asks, and is there sooner."""
        from ..core.memdeck import open_services

        self._must_exist()
        with open_services(self.home, self.project, is_typed=self.is_typed) as services:
            self._opened(services.context)
            point_out(services.context.store.skipped)
            yield services

    def prints_json(self, *values: Any, **more: Any) -> bool:
        """Print each value, and `more` in it, as an object, if JSON is asked for; whether it is."""
        if self.as_json:
            from .encoder import emit_all, encode

            emit_all({**encode(value), **more} if more else value for value in values)
        return self.as_json

    def _must_exist(self) -> None:
        """Raise NotFound for a store that `--home` names and that there is not."""
        if self.home and not self._creates() and not os.path.exists(os.path.expanduser(self.home)):
            from ..core.errors import NotFound

            raise NotFound(
                f"There is no store in {one_line(self.home)}.",
                hint="--home takes a store's folder. `memdeck remember` and `import` make one.",
            )

    def _creates(self) -> bool:
        context = click.get_current_context(silent=True)
        return context is not None and context.info_name in _CREATE

    def _opened(self, context: Context) -> None:
        """Keep what was opened for `has_written`. Raises NotFound for a project that never was."""
        if (
            current_context := click.get_current_context(silent=True)
        ) is not None:  # a completion has none
            current_context.meta[_STORE] = context.store
        if not self.project or self.folder is not None:
            return
        is_path = os.sep in self.project
        if not is_path and self._creates():
            return
        projects = {project.id: project.name for project in context.projects()}
        if context.project_id not in projects:
            from difflib import get_close_matches

            from ..core.errors import NotFound

            near = get_close_matches(self.project, [*projects.values(), *projects])
            raise NotFound(
                f"There is no folder {one_line(self.project)}, and no memory from one."
                if is_path
                else f"No project is called {one_line(self.project)!r}.",
                hint=f"Did you mean {one_line(near[0])}?"
                if near
                else "--project takes a folder, or a project's name.",
            )


_CREATE = ("remember", "import", "learn", "auto", "incognito", "budget", "config")
"""Commands that may name a project or store which is new."""


def has_written() -> bool:
    """Whether the command has put an entry into the journal, which an undo would take back."""
    store = click.get_current_context().meta.get(_STORE)
    return store is None or store.has_written


def point_out(problems: Iterable[str]) -> None:
    """Say what was wrong with the store when it was opened."""
    for problem in problems:
        narrate(Ink("memdeck: ", "warn"), f"In the store: {problem}.")


def tell_error(error: ManagerError | click.ClickException) -> int:
    """Say what is wrong, and what helps; the exit code."""
    text, hint = str(error), getattr(error, "hint", "")
    if isinstance(error, click.ClickException):
        text, hint = error.format_message().replace("\n\t", " "), ""  # it lists choices in lines
    narrate(Ink("memdeck: ", "bad"), text)
    if hint:
        narrate("  ", hint)
    return error.exit_code


def is_asking() -> bool:
    """Whether there is a terminal to ask on, and to answer on."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _ask(question: str) -> bool:
    return click.confirm(f"{question} Go on?", err=True)


def all_of(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one, in this order in help."""
    return functools.partial(functools.reduce, lambda made, option: option(made), options[::-1])


_DOOR = all_of(
    click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line."),
    click.option("--project", metavar="NAME|FOLDER", help="Not this folder's project."),
    click.option("--home", metavar="FOLDER", help="The store to use, instead of MEMDECK_HOME."),
)


def command(
    *examples: str, of: click.Group | None = None, **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options of every command, a `Door` first, and examples under its help.

    Of a group with `of`: `review_list` is its `list`. The same options before the command count
    too, so `memdeck --json list` works.
    """

    def made(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def answer(context: click.Context, /, **options: Any) -> Any:
            return function(_door_of(context, options), **options)

        if of is not None:
            settings["name"] = function.__name__.removeprefix(f"{of.name}_")
        create = of.command if of is not None else click.command
        return create(epilog=example(*examples), **settings)(_with_door(answer))

    return made


def group(
    *examples: str, of: click.Group | None = None
) -> Callable[[Callable[..., None]], click.Group]:
    """A group of which a docstring is all; without a word it does as the first of its commands.

    Options of its own are that command's, and refused before any other.
    """

    def made(function: Callable[..., None]) -> click.Group:
        own = [str(item.name) for item in getattr(function, "__click_params__", ())]

        @functools.wraps(function)
        def answer(context: click.Context, /, **options: Any) -> int:
            # an empty text was given: it may be a script's empty variable
            values = {name: options[name] for name in own if options[name] not in (None, False, ())}
            first = next(iter(of_door.commands))
            if context.invoked_subcommand is None:
                return int(context.invoke(of_door.commands[first], **values) or 0)
            if values:
                named = ", ".join(f"--{'all' if name == 'every' else name}" for name in values)
                words = f"{context.command_path} {first}"
                context.fail(f"{named} goes with `{words}`; another word has options of its own.")
            return 0

        create = of.group if of is not None else click.group
        of_door: click.Group = create(
            function.__name__, invoke_without_command=True, epilog=example(*examples)
        )(_with_door(answer))
        return of_door

    return made


def _with_door(answer: Callable[..., Any]) -> Callable[..., Any]:
    """`answer`, whose options are given already, with those of every command last in its help."""
    own = answer.__dict__.pop("__click_params__", [])
    with_door: Callable[..., Any] = _DOOR(click.pass_context(answer))
    with_door.__dict__["__click_params__"] += own
    return with_door


def _door_of(context: click.Context, options: dict[str, Any]) -> Door:
    """The door that a command's options, taken out, and those of its groups ask for."""
    values = {name: options.pop(name) for name in ("as_json", "project", "home")}
    above = context.parent
    while above is not None:
        for name in values:
            values[name] = values[name] or above.params.get(name)
        above = above.parent
    is_typed = bool(context.meta.get(TYPED))
    return Door(**{**values, "as_json": bool(values["as_json"]), "is_typed": is_typed})


def agreeable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--yes`: a person's word for what every project is told."""
    words = "You agree to what every project is told by it, unasked."
    return click.option("--yes", is_flag=True, help=words)(function)


def example(*lines: str) -> str:
    """The `epilog` of a command's help: one or more examples, each on a line of its own."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def complete_memory(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Ids that begin so, of memories that the command takes, with their titles, newest first."""
    group = context.parent.info_name if context.parent else None
    taken = _TAKES.get(context.info_name or "") or _TAKES.get(group or "", "")
    memories = _completed(context, lambda services: services.search.list(taken, limit=COMPLETED))
    return [
        CompletionItem(memory.short_id, help=one_line(memory.title))
        for memory in memories
        if memory.id.startswith(incomplete)
    ]


def complete_query(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Filters of the query language and their values."""
    matches = _completed(context, lambda services: services.suggestions.complete(incomplete))
    return [CompletionItem(word, help=f"{number}") for word, number in matches]


def _completed(context: click.Context, ask: Callable[[Memdeck], Iterable[T]]) -> Iterable[T]:
    """What is asked of the services; nothing in case of an error."""
    from ..core.errors import ManagerError

    door = Door(project=context.params.get("project"), home=context.params.get("home"))
    try:
        with door.services() as services:
            return ask(services)
    except ManagerError:
        return ()  # a shell that completes wants silence, not reasons


def session_called(core: MemoryCoordinator, ref: str | None) -> str | None:
    """The whole id of the session that `ref` begins; an id that nobody knows stays as it is."""
    from ..core.errors import NotFound

    if not ref:
        return None
    try:
        return core.session_named(ref).id
    except NotFound:
        return ref


class Moment(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic from 8.4 on
    """A point in time: ISO 8601 (`2026-03-01`, `2026-03-01T12:00`) or a distance from now.

    A distance such as `7d`, `3h` or `2w` points backwards, or forwards with `ahead`, and so does a
    day that is named: `monday`, `yesterday 14:30`. Times without a zone are the reader's own.
    """

    name = "when"

    def __init__(self, *, ahead: bool = False, is_start: bool = False) -> None:
        self.ahead, self.is_start = ahead, is_start

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return moment(str(value), ahead=self.ahead, is_start=self.is_start)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Then(Moment):
    """A point in time that is over, or `#42`: how it was after that entry of the trail."""

    def convert(  # type: ignore[override]  # an entry is a number
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime | int:
        if isinstance(value, str) and value.startswith("#") and value[1:].isdecimal():
            return int(value[1:])
        return super().convert(value, param, ctx)


class Count(click.IntRange):
    """A whole number within bounds, which who gives another value is told."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            bounds = f"from {self.min} to {self.max:,}" if self.max else f"from {self.min} on"
            self.fail(f"{value!r} is not a whole number {bounds}, such as 20.", param, ctx)


class Importance(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A whole number from 1 to 10, handed on as 0-1."""

    name = "1-10"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, float):
            return value
        try:
            number = int(value)
        except ValueError:
            number = 0
        if not 1 <= number <= 10:
            self.fail(f"{value!r} is not a whole number from 1 to 10.", param, ctx)
        return importance_from_10(number)


def one_of(name: str, choices: Sequence[str]) -> Callable[[Any], Any]:
    """An option `--name` whose help lists its choices in a line that wraps."""
    return click.option(
        f"--{name}",
        type=click.Choice(choices),
        metavar=name.upper(),
        help=f"{', '.join(choices)}.",
    )


class TypeName(click.Choice[str]):
    """A type of memory: one of ours, or one that an installed package brings."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The type's name."""
        if value not in self.choices and isinstance(value, str):
            from ..core.extensions import names

            if value in names("type"):
                return value
        return super().convert(value, param, ctx)


TYPE = click.option(
    "--type", type=TypeName(TYPES), metavar="TYPE", help=f"{', '.join(TYPES)}, or a brought one."
)
CATEGORY = one_of("category", CATEGORIES)
SCOPE = one_of("scope", SCOPES)
PRIVACY = one_of("privacy", PRIVACIES)
PAST = Moment()
THEN = Then()
FUTURE = Moment(ahead=True, is_start=True)
DEADLINE = Moment(ahead=True)
IMPORTANCE = Importance()


LONGEST_LINE = 1 << 20  # bytes; a memory is at most 4,000 characters
LONGEST_WHOLE = 1 << 26  # bytes of what cannot be read line by line

_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)


class BadLine(ValueError):
    """A line that is not what was asked for; the message says why."""


def text_argument(words: tuple[str, ...], name: str) -> str:
    """The words of an argument as one text; `-` alone reads standard input.

    Raises click.UsageError when there is nothing, or what cannot be read.
    """
    try:
        if words == ("-",):
            refuse_terminal()
            data = sys.stdin.buffer.read(LONGEST_LINE)
            is_cut = len(data) == LONGEST_LINE  # perhaps within a character
            text = data.decode("utf-8", errors="replace") if is_cut else decoded(data)
        else:
            text = " ".join(words)
    except UnicodeDecodeError as error:
        raise click.UsageError(
            f"{name} is not UTF-8; `iconv -f latin1 -t utf-8` in the pipe makes it so."
        ) from error
    if not text.strip():
        raise click.UsageError(f"{name} is empty. Give it as an argument, or pipe it to `-`.")
    return text


def refuse_terminal() -> None:
    """Raise click.UsageError when standard input is a keyboard: nothing is piped to us."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("`-` reads from a pipe, and there is none. Name a file instead.")


@contextmanager
def open_input(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, or of standard input for `-`."""
    if path == "-":
        refuse_terminal()
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below, where its errors are the reader's
    except OSError as error:
        raise click.UsageError(f"Cannot read {path}: {error.strerror}.") from error
    with stream:
        yield stream


def json_lines(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """Each line's number, from 1, and its JSON object, or what is wrong with it.

    Empty lines are passed over. A line is handed on as soon as it is there. A list of objects, over
    as many lines as it likes, counts as its objects.
    """
    number, start = 0, stream.readline(LONGEST_LINE + 1)
    if start.startswith(_WIDE) or start.removeprefix(BOM_UTF8).lstrip().startswith(b"["):
        data = start + stream.read(LONGEST_WHOLE)
        if len(data) > LONGEST_WHOLE:
            yield 1, BadLine(f"more than {LONGEST_WHOLE:,} bytes; give an object a line, in UTF-8")
            return
        try:
            text = decoded(data)
        except UnicodeDecodeError:
            yield 1, BadLine("the text is not UTF-8")
            return
        if text.lstrip().startswith("["):
            yield from _listed(text)
            return
        stream = io.BytesIO(text.encode("utf-8", "surrogatepass"))
        start = stream.readline(LONGEST_LINE + 1)
    raw = start.removeprefix(BOM_UTF8)
    while raw:
        number += 1
        if len(raw) > LONGEST_LINE:
            _skip_line(stream, raw)
            yield number, BadLine(f"the line is longer than {LONGEST_LINE:,} bytes")
        elif raw.strip():
            yield number, _object(raw)
        raw = stream.readline(LONGEST_LINE + 1)


def _listed(text: str) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """The objects of a list, each with its place in it, from 1."""
    value = _value(text, "list")
    if isinstance(value, BadLine):
        yield 1, value
        return
    for number, item in enumerate(value, 1):
        yield number, item if isinstance(item, dict) else BadLine("not a JSON object")


def _skip_line(stream: IO[bytes], part: bytes) -> None:
    while part and not part.endswith(b"\n"):
        part = stream.readline(LONGEST_LINE)


def _object(raw: bytes) -> dict[str, Any] | BadLine:
    try:
        value = _value(raw.rstrip().decode("utf-8"))
    except UnicodeDecodeError:
        return BadLine("the line is not UTF-8")
    if isinstance(value, BadLine | dict):
        return value
    return BadLine("the line is not a JSON object")


def _value(text: str, what: str = "line") -> Any:
    """What a JSON text says, or what is wrong with it."""
    try:
        return _cleaned(json.loads(text, parse_float=_finite, parse_constant=_finite))
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        message = error.msg.removesuffix(" at")
        return BadLine(f"the {what} is not JSON: {message} at {line}column {error.colno}")
    except (RecursionError, ValueError):  # too deep, too many digits, or not finite
        return BadLine(f"the {what} is not JSON that can be read")


def _cleaned(value: Any) -> Any:
    """The same with every text inside made safe: all that comes in passes `clean` once."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(part) for name, part in value.items()}
    return value


def _finite(text: str) -> float:
    """The number that `text` is. Raises ValueError for one that JSON does not know."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number
