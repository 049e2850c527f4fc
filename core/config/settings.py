"""Reads the settings files, TOML, and says what in them cannot be used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...db.errors import BadInput
from .policy import PROJECT_FILE, Policy, usable_policy
from .schema import Mistake, Path, Rule, merged, rule_at, rules_of, tightened

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
    """Return the policy that these files make together; the first is the user's.

    A `preset` that was chosen in the store wins. Raises BadInput for a file that cannot be
    read.
    """
    chosen = {} if preset is None else {"preset": preset}
    values = read_settings(paths[0])[0]
    for path in paths[1:]:
        own = Policy.with_preset({**values, **chosen})
        values = merged(values, read_settings(path, own)[0])
    return Policy.with_preset({**values, **chosen})


def problems_in(paths: Sequence[str]) -> list[Ignored]:
    """All that cannot be used in these files, also a whole file that cannot be read."""
    problems: list[Ignored] = []
    own: Policy | None = None
    for path in paths:
        try:
            values, ignored = read_settings(path, own)
            own, problems = own or Policy.with_preset(values), problems + ignored
        except BadInput as error:
            message = f"{str(error).rstrip('.')}. Nothing is captured until then."
            problems.append(Ignored(message, error.hint))
            own = own or Policy()
    return problems


def read_settings(path: str, own: Policy | None = None) -> tuple[dict[str, Any], list[Ignored]]:
    """The settings in one file that can be used, and those that cannot; none without the file.

    A project's file comes with the repository: it may tighten `own`, the user's policy, and
    nothing else. Raises BadInput for a file that cannot be read.
    """
    mistakes = list[Mistake]()
    usable = usable_policy(_toml_of(read_text(path), path), mistakes)
    loose = list[Path]()
    if own is not None:
        usable = tightened(Policy, usable, own, loose)
        for mistake in mistakes[:]:
            rule = rule_at(Policy, mistake.path[:2])
            if rule is not None and rule.kind != "table" and not rule.tighter:
                loose.append(mistake.path[:2])
                mistakes.remove(mistake)
    ignored = [_loose(path, position) for position in loose]
    return usable, [*ignored, *(_explained(path, mistake) for mistake in mistakes)]


def _loose(path: str, position: Path) -> Ignored:
    rule, key = rule_at(Policy, position), ".".join(position)
    if rule is None or not rule.tighter:
        return Ignored(
            f"{path}: `{key}` counts in your own config.toml only.",
            "Remove it here: a project's file must not decide it.",
            position,
        )
    which = {"switch": "off", "choice": "earlier in its list"}.get(rule.kind, "lower")
    which = which if rule.tighter < 0 else "higher"
    return Ignored(
        f"{path}: `{key}` would loosen yours, so it does not count.",
        f"A project's file can only set it {which}. Remove it here.",
        position,
    )


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


def _explained(path: str, mistake: Mistake) -> Ignored:
    key = ".".join(mistake.path)
    if not mistake.why:
        near = mistake.near
        hint = (
            f"Did you mean `{near}`?"
            if near
            else "Remove it. `memdeck config --all` lists the settings."
        )
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
