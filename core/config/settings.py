"""Reading the settings files, and saying what in one cannot be used.

Settings are TOML: the home's `config.toml`, then a project's `.memdeck.toml`, which overrides it.
A project's file holds values, never commands: it comes with the repository. One mistake costs one
setting: the rest of its file counts.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ...db.errors import BadInput
from .policy import Policy
from .toml_text import read_bytes

OWN_ONLY = ("engines", "engine_by_reviewer", "max_cost_usd_per_day", "max_calls_per_day")
"""Settings of [review] that start programs, send notes away or spend money: the home's alone."""

OWN_TABLES: Mapping[str, str] = {
    "redaction": "a project must not decide what may be written down",
    "extractor": "a project must not decide what is sent away or spent",
    "hooks": "agents are connected once, for all projects",
    "app": "how the app looks is yours, not the project's",
}
"""Tables that are the home's alone, each with the reason."""

_IN_OUR_WORDS: Mapping[str, str] = {
    "sequence_str": 'it is a list, as in ["…"]',
    "model_type": "it is a table",
    "dict_type": "it is a table",
    "bool_type": "it is true or false",
    "bool_parsing": "it is true or false",
}
"""What the library says of mistakes in the words of its own language."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A setting that does not count, in words for the person: why, and what to do."""

    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


@dataclass(frozen=True, slots=True)
class Settings:
    """What settings files say, as far as it can be used, and what in them cannot."""

    policy: Policy
    ignored: tuple[Ignored, ...] = ()


def load_settings(paths: Sequence[str], preset: str | None = None) -> Settings:
    """The policy that these TOML files make together, a later one overriding an earlier.

    The first is the person's own, the others are projects', which may set less (`OWN_ONLY`). A
    file that does not exist counts as empty; a setting that does not exist, or whose value does
    not fit, is ignored, and the others count. A `preset` that a person chose in the store wins
    over the files'. Raises BadInput for a file that cannot be read at all, naming file and line.
    """
    merged: dict[str, Any] = {}
    ignored: list[Ignored] = []
    for number, path in enumerate(paths):
        settings, unfit = read_settings(path, is_project=number > 0)
        merged = _merged(merged, settings)
        ignored += unfit
    if preset is not None:
        merged["preset"] = preset
    return Settings(Policy.model_validate(merged), tuple(ignored))


def problems_in(paths: Sequence[str]) -> list[Ignored]:
    """All that cannot be used in these files, a whole file that cannot be read among it."""
    found: list[Ignored] = []
    for number, path in enumerate(paths):
        try:
            found += read_settings(path, is_project=number > 0)[1]
        except BadInput as error:
            message = f"{str(error).rstrip('.')}. Nothing is captured until then."
            found.append(Ignored(message, error.hint))
    return found


def load_policy(paths: Sequence[str], preset: str | None = None) -> Policy:
    """The policy of `load_settings`."""
    return load_settings(paths, preset).policy


def read_settings(path: str, *, is_project: bool = False) -> tuple[dict[str, Any], list[Ignored]]:
    """The settings in one file that can be used, and those that cannot; none without the file.

    Raises BadInput for a file that cannot be read.
    """
    try:
        data = read_bytes(path)
        settings = tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError:
        return {}, []
    except tomllib.TOMLDecodeError as error:
        lines = data.count(b"\n") + 1
        why = str(error).replace("at end of document", f"at line {lines}, the last one")
        raise BadInput(f"{path} is not valid TOML: {why}", hint="Correct that line.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from error
    except RecursionError as error:
        raise BadInput(f"{path} is nested too deeply.", hint="Settings have few levels.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BadInput(
            f"{path} cannot be read: {reason}.", hint="Make it a readable file, or remove it."
        ) from error
    ignored = _take_out_own(path, settings) if is_project else []
    while errors := _errors_in(settings):
        for one in errors:
            message, hint = _explained(one)
            ignored.append(Ignored(f"{path}: {message}", hint))
            _take_out(settings, _place(one))
    return settings, ignored


def why_unfit(settings: Mapping[str, Any], place: Sequence[str], value: object) -> str:
    """Why `value` cannot stand at `place` beside the other settings; "" when it can."""
    wanted: dict[str, Any] = {}
    inner = wanted
    for name in place[:-1]:
        inner = inner.setdefault(name, {})
    inner[place[-1]] = value
    errors = _errors_in(_merged(settings, wanted))
    return " ".join(_explained(errors[0])).partition(" Change `")[0] if errors else ""


def _errors_in(settings: Mapping[str, Any]) -> list[ErrorDetails]:
    try:
        Policy.model_validate(settings)
    except ValidationError as error:
        return error.errors()
    return []


def _place(error: ErrorDetails) -> tuple[str, ...]:
    """Where the setting stands that must be taken out for the error to be gone."""
    place: list[str] = []
    for part in error["loc"]:
        if not isinstance(part, str) or part == "[key]":
            break  # a list counts as a whole
        place.append(part)
    if place[:2] == ["review", "engines"] and error["type"] != "extra_forbidden":
        return tuple(place[:3])  # notes are sent to an engine: one half understood is not used
    return tuple(place)


def _take_out(settings: dict[str, Any], place: Sequence[str]) -> None:
    """Take out what stands at `place`; where nothing does, the table that lacks it."""
    tables = [settings]
    for name in place[:-1]:
        inner = tables[-1].get(name)
        if not isinstance(inner, dict):
            break
        tables.append(inner)
    for table, name in reversed(list(zip(tables, place, strict=False))):
        if name in table:
            del table[name]
            return


def _take_out_own(path: str, settings: dict[str, Any]) -> list[Ignored]:
    """Take out what a project may not decide, since its file comes with the repository."""
    ignored: list[Ignored] = []

    def take_out(place: Sequence[str], rule: str, reason: str) -> None:
        _take_out(settings, place)
        message = f"{path}: `{'.'.join(place)}` {rule}."
        ignored.append(Ignored(message, f"Remove it here: {reason}."))

    own = "counts in your own config.toml only"
    for table in (one for one in OWN_TABLES if one in settings):
        take_out([table], own, OWN_TABLES[table])
    recall, review = settings.get("recall"), settings.get("review")
    for name, what in (("keep_prompts", "prompts are"), ("keep_told", "what was told is")):
        if isinstance(recall, dict) and recall.get(name, False) is not False:
            reason = f"a project must not decide that {what} written down"
            take_out(["recall", name], "can only be switched off here", reason)
    for name in OWN_ONLY:
        if isinstance(review, dict) and name in review:
            reason = "a project must not decide what runs or what is spent"
            take_out(["review", name], own, reason)
    return ignored


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two settings tables as one; tables in both are merged, anything else `above` decides."""
    result = dict(below)
    for name, value in above.items():
        known = result.get(name)
        both = isinstance(known, Mapping) and isinstance(value, Mapping)
        result[name] = _merged(known, value) if both else value  # type: ignore[arg-type]
    return result


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """What is wrong with a setting, and what to do about it."""
    key = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "extra_forbidden":
        return f"`{key}` is no setting.", _spelling_hint(error["loc"])
    message = _IN_OUR_WORDS.get(error["type"], error["msg"])
    message = message[:1].lower() + message[1:]
    given = _without_secrets(repr(error["input"]))
    if len(given) > 60:
        given = f"{given[:60]}…"
    return f"`{key}` is {given}, but {message}.", f"Change `{key}`, or remove it for the default."


def _without_secrets(given: str) -> str:
    """A refused value as a message may show it: a key may have been put where its name belongs."""
    from ..redaction.redact import redact  # only a mistake pays for it

    return redact(given).value


def _spelling_hint(place: tuple[int | str, ...]) -> str:
    """The nearest setting to one that does not exist."""
    from ..query.keys import nearest  # only a mistake pays for it

    model: type[BaseModel] = Policy
    parts = iter(place[:-1])
    for part in parts:
        annotation = model.model_fields[str(part)].annotation
        if inner := get_args(annotation):  # tables by name, such as engines: skip the name
            annotation = inner[-1]
            next(parts, None)
        assert isinstance(annotation, type)  # only tables forbid keys, and tables are models
        assert issubclass(annotation, BaseModel)
        model = annotation
    near = nearest(str(place[-1]), list(model.model_fields))
    path = ".".join(str(part) for part in (*place[:-1], near))
    return f"Did you mean `{path}`?" if near else "Remove it; docs/settings.md lists all."
