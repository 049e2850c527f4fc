"""Reading the settings files, and saying what is wrong with one.

Settings are TOML: the home's `config.toml`, then a project's `.memdeck.toml`, which overrides it.
A project's file holds values, never commands: it comes with the repository.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ..db.errors import BadInput
from .policy import Policy

OWN_ONLY = ("engines", "engine_by_reviewer", "max_cost_usd_per_day", "max_calls_per_day")
"""Settings of [review] that start programs, send notes away or spend money: the home's alone."""


def load_policy(paths: Sequence[str], preset: str | None = None) -> Policy:
    """The policy that these TOML files make together, a later one overriding an earlier.

    The first is the person's own, the others are projects', which may set less (`OWN_ONLY`). A
    file that does not exist counts as empty. A `preset` that a person chose in the store wins
    over the files'. Raises BadInput, naming file and key.
    """
    merged: dict[str, Any] = {}
    for number, path in enumerate(paths):
        merged = _merged(merged, read_settings(path, is_project=number > 0))
    if preset is not None:
        merged["preset"] = preset
    return Policy.model_validate(merged)


def read_settings(path: str, *, is_project: bool = False) -> dict[str, Any]:
    """The settings in one file, checked by themselves; empty without the file. Raises BadInput."""
    try:
        with open(path, "rb") as file:
            settings = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is not valid TOML: {error}", hint="Correct that line.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BadInput(
            f"{path} cannot be read: {reason}.", hint="Make it a readable file, or remove it."
        ) from error
    if is_project:
        _refuse_own(path, settings)
    try:
        Policy.model_validate(settings)
    except ValidationError as error:
        message, hint = _explained(error)
        raise BadInput(f"{path}: {message}", hint=hint) from error
    return settings


def _refuse_own(path: str, settings: Mapping[str, Any]) -> None:
    """Raise BadInput for what a project may not decide: its file comes with the repository."""
    if "redaction" in settings:
        raise BadInput(
            f"{path}: `redaction` counts in your own config.toml only.",
            hint="Remove it here: a project must not decide what may be written down.",
        )
    if "hooks" in settings:
        raise BadInput(
            f"{path}: `hooks` counts in your own config.toml only.",
            hint="Remove it here: agents are connected once, for all projects.",
        )
    recall = settings.get("recall")
    if isinstance(recall, Mapping) and recall.get("keep_prompts") is True:
        raise BadInput(
            f"{path}: `recall.keep_prompts` can only be switched off here.",
            hint="Remove it here: a project must not decide that prompts are written down.",
        )
    review = settings.get("review")
    for name in OWN_ONLY:
        if isinstance(review, Mapping) and name in review:
            raise BadInput(
                f"{path}: `review.{name}` counts in your own config.toml only.",
                hint="Remove it here: a project must not decide what runs or what is spent.",
            )


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two settings tables as one; tables in both are merged, anything else `above` decides."""
    result = dict(below)
    for name, value in above.items():
        known = result.get(name)
        both = isinstance(known, Mapping) and isinstance(value, Mapping)
        result[name] = _merged(known, value) if both else value  # type: ignore[arg-type]
    return result


def _explained(error: ValidationError) -> tuple[str, str]:
    """The first thing that is wrong with a settings table, and what to do about it."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"`{key}` is no setting.", _spelling_hint(first["loc"])
    message = first["msg"][:1].lower() + first["msg"][1:]
    given = _without_secrets(repr(first["input"]))
    if len(given) > 60:
        given = f"{given[:60]}…"
    return f"`{key}` is {given}, but {message}.", f"Change `{key}`, or remove it for the default."


def _without_secrets(given: str) -> str:
    """A refused value as a message may show it: a key may have been put where its name belongs."""
    from .storage.redaction import redact  # only a mistake pays for it

    return redact(given).value


def _spelling_hint(place: tuple[int | str, ...]) -> str:
    """The nearest setting to one that does not exist."""
    from .query_keys import nearest  # only a mistake pays for it

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
