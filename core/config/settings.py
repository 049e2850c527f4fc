"""Reads the settings files, and says what in them cannot be used.

Settings are TOML: the home's `config.toml`, then a project's `.memdeck.toml`, which overrides it
value by value. A project's file comes with the repository, so it holds values, never commands. A
mistake costs one setting: the rest of its file counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...db.errors import BadInput
from .policy import PROJECT_FILE, Policy, usable_policy
from .schema import Mistake, Path, Rule, merged, rules_of

OWN_ONLY: Mapping[str, Sequence[str]] = {
    "review": ("engines", "engine_by_reviewer", "max_cost_usd_per_day", "max_calls_per_day")
}
"""Settings that start programs, send texts away or spend money: the home's alone."""

OWN_TABLES: Mapping[str, str] = {
    "redaction": "a project must not decide what may be stored",
    "extractor": "a project must not decide what is sent away or spent",
    "hooks": "agents are connected once, for all projects",
    "app": "how the app looks is yours, not the project's",
}
"""Tables that are the home's alone, each with the reason."""

LARGEST_FILE = 1 << 20  # bytes; settings are a few hundred


@dataclass(frozen=True, slots=True)
class Ignored:
    """A setting that does not count: why, and what to do."""

    message: str
    hint: str
    path: Path = ()

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


def files_of(config: str, root: str) -> list[str]:
    """The settings files that count in a project: the home's, and the one at its root."""
    return [config, os.path.join(root, PROJECT_FILE)] if root else [config]


def load_policy(paths: Sequence[str], preset: str | None = None) -> Policy:
    """The policy that these files make together; the first is the user's, the others projects'.

    A `preset` that was chosen in the store wins over the files'. Raises BadInput for a file that
    cannot be read at all, naming file and line.
    """
    values: dict[str, Any] = {}
    for number, path in enumerate(paths):
        values = merged(values, read_settings(path, is_project=number > 0)[0])
    return Policy.with_preset(values if preset is None else {**values, "preset": preset})


def problems_in(paths: Sequence[str]) -> list[Ignored]:
    """All that cannot be used in these files, also a whole file that cannot be read."""
    problems: list[Ignored] = []
    for number, path in enumerate(paths):
        try:
            problems += read_settings(path, is_project=number > 0)[1]
        except BadInput as error:
            message = f"{str(error).rstrip('.')}. Nothing is captured until then."
            problems.append(Ignored(message, error.hint))
    return problems


def read_settings(path: str, *, is_project: bool = False) -> tuple[dict[str, Any], list[Ignored]]:
    """The settings in one file that can be used, and those that cannot; none without the file.

    Raises BadInput for a file that cannot be read.
    """
    values = _toml_of(read_text(path), path)
    ignored = _without_own(path, values) if is_project else []
    mistakes = list[Mistake]()
    usable = usable_policy(values, mistakes)
    return usable, [*ignored, *(_explained(path, mistake) for mistake in mistakes)]


def read_text(path: str) -> str:
    """What a settings file says; "" where there is none. Raises BadInput."""
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise OSError("it is no file")  # a project's may be a link to what never ends
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise BadInput(f"{path} is too large.", hint="Settings are a few lines.")
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BadInput(
            f"{path} cannot be read: {reason}.", hint="Make it a readable file, or remove it."
        ) from error


def _toml_of(text: str, path: str) -> dict[str, Any]:
    if not text:
        return {}
    import tomllib  # who has no settings file does not pay for it

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        lines = text.count("\n") + 1
        why = str(error).replace("at end of document", f"at line {lines}, the last one")
        raise BadInput(f"{path} is not valid TOML: {why}", hint="Correct that line.") from error
    except RecursionError as error:
        raise BadInput(f"{path} is nested too deeply.", hint="Settings have few levels.") from error


def _without_own(path: str, values: dict[str, Any]) -> list[Ignored]:
    """Take out of a project's settings what it may not decide."""
    ignored: list[Ignored] = []

    def note(position: Path, rule: str, reason: str) -> None:
        message = f"{path}: `{'.'.join(position)}` {rule}."
        ignored.append(Ignored(message, f"Remove it here: {reason}.", position))

    own = "counts in your own config.toml only"
    for name in [name for name in OWN_TABLES if name in values]:
        del values[name]
        note((name,), own, OWN_TABLES[name])
    for name, what in (("keep_prompts", "prompts are"), ("keep_told", "injected texts are")):
        recall = values.get("recall")
        if isinstance(recall, dict) and recall.get(name, False) is not False:
            del recall[name]
            reason = f"a project must not decide that {what} stored"
            note(("recall", name), "can only be switched off here", reason)
    for table, names in OWN_ONLY.items():
        settings = values.get(table)
        for name in names:
            if isinstance(settings, dict) and name in settings:
                del settings[name]
                note((table, name), own, "a project must not decide what runs or what is spent")
    return ignored


def _explained(path: str, mistake: Mistake) -> Ignored:
    key = ".".join(mistake.path)
    if not mistake.why:
        near = mistake.near
        hint = f"Did you mean `{near}`?" if near else "Remove it; `memdeck config` lists all."
        return Ignored(f"{path}: `{key}` is no setting.", hint, mistake.path)
    from ..redaction.redact import redact  # only a mistake pays for it

    value = redact(repr(mistake.value)).value  # a key may stand where its name belongs
    value = value if len(value) <= 60 else f"{value[:60]}…"
    return Ignored(
        f"{path}: `{key}` is {value}, but {mistake.why}.",
        f"Change `{key}`, or remove it for the default.",
        mistake.path,
    )


# -- the list of all settings


def settings_in(table: type = Policy, path: Path = ()) -> Iterable[tuple[Path, Rule, str]]:
    """Every setting with its rule and its manual, those of a table before its inner tables."""
    manual = _manual_of(table.__module__)[table.__name__]
    rules = rules_of(table)
    for name, rule in rules.items():
        if rule.kind != "table":
            yield (*path, name), rule, manual.get(name, "")
    for name, rule in rules.items():
        if rule.kind == "table":
            yield from settings_in(rule.inner, (*path, name))


def about_table(name: str) -> str:
    """What the settings of a table are for: the first sentence of its docstring."""
    rule = rules_of(Policy).get(name)
    text = rule.inner.__doc__ if rule is not None and rule.kind == "table" else ""
    return " ".join((text or "").split()).partition(". ")[0].rstrip(".")


@cache
def _manual_of(module: str) -> Mapping[str, Mapping[str, str]]:
    """The text under each setting, by the names of table and setting."""
    import ast
    import inspect
    import re
    import sys
    from itertools import pairwise

    link = re.compile(r"\[([^\]]+)\]\([^)]+\)")
    texts: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if not isinstance(node, ast.ClassDef):
            continue
        matches = texts.setdefault(node.name, {})
        for pair in pairwise(node.body):
            match pair:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    matches[name] = link.sub(r"\1", " ".join(text.split()).replace("`", ""))
    return texts
