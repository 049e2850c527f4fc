"""Options of commands: store, project, form, kinds of values, text from pipes, completions."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..core.text.times import moment
from ..core.text.words import clean, decoded
from ..core.values import CATEGORIES, PRIVACIES, SCOPES, TYPES, importance_from_10
from .output import Ink, narrate, one_line

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from ..core.context import Context
    from ..core.memdeck import Memdeck
    from ..db.errors import ManagerError


T = TypeVar("T")

TYPED = "memdeck.typed"  # key in click's context: the user typed a slash command
_STORE = "memdeck.store"  # key in click's context: the store that a command opened last


class Door(NamedTuple):
    """The options of every command: home, project and output form."""

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
    def memory(
        self, *, yes: bool = False, asks: bool = True, patience: float = 120.0
    ) -> Iterator[MemoryCoordinator]:
        """Open the project's memory for the user; raises ManagerError if that fails.

        Questions to the user appear on the terminal, if there is one and the command `asks`;
        with `yes` they are agreed to. Other writers are waited for, `patience` seconds.
        """
        from ..core.compat import open_memory
        from ..db.connection import PATIENCE

        self._must_exist()
        agree = (lambda _: True) if yes else _ask if asks and is_asking() else None
        who = {"confirmation_callback": agree, "is_typed": self.is_typed}
        with (
            PATIENCE.of(patience, _say_waiting),
            open_memory(self.home, self.project, **who) as memory,
        ):
            self._opened(memory.context)
            point_out(memory.problems_at_opening())
            yield memory

    @contextmanager
    def services(self) -> Iterator[Memdeck]:
        """The same for a command that only reads: it imports less, and starts sooner."""
        from ..core.memdeck import open_services
        from ..db.connection import PATIENCE, READING_S

        self._must_exist()
        with (
            PATIENCE.of(READING_S),
            open_services(self.home, self.project, is_typed=self.is_typed) as services,
        ):
            self._opened(services.context)
            point_out(services.context.store.skipped)
            yield services

    def prints_json(self, *values: Any, **more: Any) -> bool:
        """With `--json`, print each value, and `more` in it, as an object; return True then."""
        if self.as_json:
            from .output import emit_all, encode

            emit_all({**encode(value), **more} if more else value for value in values)
        return self.as_json

    def _must_exist(self) -> None:
        """Raise NotFound for a store that `--home` names and that there is not."""
        context = click.get_current_context(silent=True)
        creates = context is not None and context.info_name in _CREATE
        if self.home and not creates and not os.path.exists(os.path.expanduser(self.home)):
            from ..db.errors import NotFound

            hint = "--home takes a store's folder. `memdeck remember` and `import` make one."
            raise NotFound(f"There is no store in {one_line(self.home)}.", hint=hint)

    def _opened(self, context: Context) -> None:
        """Keep the store for `has_written`. Raises NotFound for an unknown project."""
        if (
            current_context := click.get_current_context(silent=True)
        ) is not None:  # a completion has none
            current_context.meta[_STORE] = context.store
        if self.project and self.folder is None:
            context.must_be_known(self.project)


_CREATE = ("remember", "import", "learn", "auto", "incognito", "budget", "config", "new")
"""Commands that may name a store which is new."""


def has_written() -> bool:
    """Return True if the command wrote a journal entry, which can be undone."""
    store = click.get_current_context().meta.get(_STORE)
    return store is None or store.has_written


def point_out(problems: Iterable[str]) -> None:
    """Print the problems of the store at opening."""
    for problem in problems:
        narrate(Ink("memdeck: ", "warn"), f"In the store: {problem}.")


def print_error(error: ManagerError | click.ClickException) -> int:
    """Print an error with its hint; return the exit code."""
    text, hint = str(error), getattr(error, "hint", "")
    if isinstance(error, click.ClickException):
        text, hint = error.format_message().replace("\n\t", " "), ""  # it lists choices in lines
        text = text.replace("a valid integer range", "a whole number")
    narrate(Ink("memdeck: ", "bad"), text)
    if hint:
        narrate("  ", hint)
    return error.exit_code


def _say_waiting() -> None:
    narrate(Ink("Waiting for another process that writes to the store …", "dim"))


def is_asking() -> bool:
    """Return True if there is a terminal for questions and answers."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _ask(question: str) -> bool:
    return click.confirm(f"{question} Go on?", err=True)


def all_of(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one, in this order in help."""
    return functools.partial(functools.reduce, lambda made, option: option(made), options[::-1])


DOOR = all_of(
    click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line."),
    click.option(
        "--project", metavar="NAME|FOLDER", help="Use this project instead of the current folder's."
    ),
    click.option("--home", metavar="FOLDER", help="Use this store instead of MEMDECK_HOME."),
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


class _Group(click.Group):
    """Commands of one subject. Without the name of one, the first is meant, with its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not {"-h", "--help", *self.commands} & set(args):
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


def group(
    *examples: str, of: click.Group | None = None
) -> Callable[[Callable[..., None]], click.Group]:
    """Make a group of a function with only a docstring."""

    def made(function: Callable[..., None]) -> click.Group:
        @functools.wraps(function)
        def answer(_context: click.Context, /, **_options: Any) -> None:
            pass

        create = of.group if of is not None else click.group
        of_door: click.Group = create(function.__name__, cls=_Group, epilog=example(*examples))(
            _with_door(answer)
        )
        return of_door

    return made


def _with_door(answer: Callable[..., Any]) -> Callable[..., Any]:
    """`answer`, whose options are given already, with those of every command last in its help."""
    own = answer.__dict__.pop("__click_params__", [])
    with_door: Callable[..., Any] = DOOR(click.pass_context(answer))
    with_door.__dict__["__click_params__"] += own
    return with_door


def _door_of(context: click.Context, options: dict[str, Any]) -> Door:
    """Return the door by a command's options, which are removed, and those of its groups."""
    values = {name: options.pop(name) for name in ("as_json", "project", "home")}
    above = context.parent
    while above is not None:
        for name in values:
            values[name] = values[name] or above.params.get(name)
        above = above.parent
    is_typed = bool(context.meta.get(TYPED))
    return Door(**{**values, "as_json": bool(values["as_json"]), "is_typed": is_typed})


def agreeable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--yes`: the user's consent to changes of global memories."""
    words = "Agree to changes of global memories without being asked."
    return click.option("--yes", is_flag=True, help=words)(function)


def example(*lines: str) -> str:
    """Return the `epilog` of a command's help: one or more examples, each on a line of its own."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def session_called(core: MemoryCoordinator, ref: str | None) -> str | None:
    """Return the whole id of the session that `ref` begins; an unknown id is returned unchanged."""
    from ..db.errors import NotFound

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


def one_of(name: str, choices: Sequence[str]) -> Callable[[Any], Any]:
    """Return an option `--name` whose help lists its choices in a line that wraps."""
    return click.option(
        f"--{name}",
        type=click.Choice(choices),
        metavar=name.upper(),
        help=f"{', '.join(choices)}.",
    )


TYPE = click.option(
    "--type", metavar="TYPE", help=f"{', '.join(TYPES)}, or one that a package brings."
)
CATEGORY = one_of("category", CATEGORIES)
SCOPE = one_of("scope", SCOPES)
PRIVACY = one_of("privacy", PRIVACIES)
PAST = Moment()
COUNT = click.IntRange(1)
FUTURE = Moment(ahead=True, is_start=True)
DEADLINE = Moment(ahead=True)
IMPORTANCE = click.option(
    "--importance",
    type=click.IntRange(1, 10),
    metavar="1-10",
    callback=lambda _context, _parameter, value: value and importance_from_10(value),
    help="Importance from 1 to 10.",
)


LONGEST_LINE = 1 << 20  # bytes; a memory is at most 4,000 characters


class BadLine(ValueError):
    """An invalid line; the message says why."""


def text_argument(words: tuple[str, ...], name: str) -> str:
    """Return the words of an argument as one text; `-` alone reads standard input.

    Raises click.UsageError for an empty or unreadable text.
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
    """Raise click.UsageError if standard input is a keyboard, since then no text is piped."""
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
    """Yield each line's number, from 1, and its JSON object, or its error.

    Empty lines are passed over. A line is handed on as soon as it is there.
    """
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(LONGEST_LINE)
            yield number, BadLine(f"the line is longer than {LONGEST_LINE:,} bytes")
        elif raw.strip():
            yield number, _object(raw)


def _object(raw: bytes) -> dict[str, Any] | BadLine:
    try:
        text = raw.decode("utf-8-sig").strip()
        value = _cleaned(json.loads(text, parse_float=_finite, parse_constant=_finite))
    except UnicodeDecodeError:
        return BadLine("the line is not UTF-8")
    except json.JSONDecodeError as error:
        message = error.msg.removesuffix(" at")
        return BadLine(f"the line is not JSON: {message} at column {error.colno}")
    except (RecursionError, ValueError):  # too deep, too many digits, or not finite
        return BadLine("the line is not JSON that can be read")
    return value if isinstance(value, dict) else BadLine("the line is not a JSON object")


def _cleaned(value: Any) -> Any:
    """Return the value with every text in it made safe: all input passes `clean` once."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(part) for name, part in value.items()}
    return value


def _finite(text: str) -> float:
    """Return the number that `text` is. Raises ValueError for one that JSON does not know."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number
