"""The kinds of values that options have: moments, importance, a memory's own choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import click

from ..core.text.moments import moment
from ..core.values import CATEGORIES, PRIVACIES, SCOPES, TYPES, importance_from_10


class Moment(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic from 8.4 on
    """A point in time: ISO 8601 (`2026-03-01`, `2026-03-01T12:00`) or a distance from now.

    A distance such as `7d`, `3h` or `2w` points backwards, or forwards with `ahead`, and so does a
    day that is named: `monday`, `yesterday 14:30`. Times without a zone are the reader's own.
    """

    name = "when"

    def __init__(self, *, ahead: bool = False) -> None:
        self.ahead = ahead

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return moment(str(value), ahead=self.ahead)
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
FUTURE = Moment(ahead=True)
IMPORTANCE = Importance()
