"""The settings one by one: their values, where these come from, and how one is changed.

A change is written into the home's `config.toml`, where layout and comments stay, and is an entry
of the journal: undo brings the file back with it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db import sessions
from ...db.home import replace_file
from ..config.policy import PROJECT_FILE, Policy, usable_policy
from ..config.schema import Mistake, Path, Rule, merged, rule_at
from ..config.settings import files_of, load_policy, read_settings, read_text, settings_in
from ..context import must_be_a_person
from ..errors import BadInput, NotFound, Refused
from .preferences import EDIT, EVERYWHERE

if TYPE_CHECKING:
    from ...db.store import Allowed
    from ..context import Context

FILE = "file|"
"""The start of the key of a settings row that stands for a value in the home's file."""

ESSENTIAL = tuple(
    """preset auto_memory capture.learn extractor.engine extractor.max_cost_usd_per_day
    recall.injection_top_n recall.max_pinned recall.max_budget_tokens recall.budget_policy
    recall.unproven lifecycle.max_memories lifecycle.profile redaction.emails hooks.events
    app.theme""".split()
)
"""The settings that most people may want to change."""

SOURCES: Mapping[str, str] = {
    "default": "default",
    "yours": "your config.toml",
    "project": f"this project's {PROJECT_FILE}",
    "chosen": "chosen for this project",
    "environment": "the environment",
}
"""Where a value may come from."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is now."""

    key: str  # as TOML writes it: `recall.top_k`
    rule: Rule
    about: str  # its manual
    value: Any
    default: Any  # under the current preset
    source: str = "default"  # a key of SOURCES
    written: Any = None  # the value in the home's file; None where it says nothing
    problem: str = ""  # why the value in a file cannot be used
    overridden: str = ""  # what wins over the home's file, and how to end that

    @property
    def is_essential(self) -> bool:
        return self.key in ESSENTIAL


@dataclass(frozen=True, slots=True)
class SettingsBook:
    """Every setting of this project, and the home's file."""

    _context: Context

    @property
    def path(self) -> str:
        """The home's file, whether or not it exists."""
        return self._context.home.config

    def settings(self) -> list[Setting]:
        """All settings, the essential ones first. Raises BadInput for an unreadable file."""
        context = self._context
        files = files_of(self.path, context.root)
        own = load_policy(files[:1], context.setting("preset"))
        read = [read_settings(path, own if number else None) for number, path in enumerate(files)]
        written = _values_in(read_text(self.path))
        context.read_policy_anew()
        policy = context.policy
        usual = Policy.with_preset({"preset": policy.preset})
        problems = [problem for _, ignored in read for problem in ignored]
        matches = []
        for path, rule, about in settings_in():
            sources = [
                source
                for source, (values, _) in zip(("yours", "project"), read, strict=False)
                if _value_at(values, path) is not None
            ]
            source = sources[-1] if sources else "default"
            value, source, overridden = self._in_force(key_of(path), _inner(policy, path), source)
            matches.append(
                Setting(
                    key_of(path),
                    rule,
                    about,
                    value,
                    _inner(usual, path),
                    source,
                    _value_at(written, path),
                    next((str(item) for item in problems if item.path[: len(path)] == path), ""),
                    overridden,
                )
            )
        order = {key: number for number, key in enumerate(ESSENTIAL)}
        return sorted(matches, key=lambda item: order.get(item.key, len(order)))

    def setting(self, key: str) -> Setting:
        """One setting. Raises NotFound, with the nearest key."""
        existing = {setting.key: setting for setting in self.settings()}
        if key in existing:
            return existing[key]
        path = path_of(key)
        for setting in existing.values():
            if setting.rule.kind == "map" and path[:-1] == path_of(setting.key):
                rule, own = setting.rule.inner, setting.value.get(path[-1])
                return Setting(key, rule, setting.about, own, None, setting.source, own)
        from ..query.language import nearest  # only a mistake pays for it

        near = nearest(key, list(existing))
        hint = f"Did you mean `{near}`?" if near else "`memdeck config --all` lists all."
        raise NotFound(f"There is no setting `{key[:60]}`.", hint=hint)

    def _in_force(self, key: str, value: Any, source: str) -> tuple[Any, str, str]:
        """What wins over the files: a choice in the store, or the environment."""
        setting = self._context.setting
        everywhere = sessions.setting(self._context.database, f"auto_memory|{EVERYWHERE}")
        default = f"Chosen for this project: `memdeck config {key} default` ends that."
        match key:
            case "preset" if chosen := setting("preset"):
                return chosen, "chosen", default
            case "recall.max_budget_tokens" if isinstance(chosen := setting("ceiling"), int):
                return chosen, "chosen", default
            case "auto_memory" if value and setting("auto_memory") is False:
                return False, "chosen", "`memdeck memory auto on` switches it on in this project."
            case "auto_memory" if value and everywhere is False:
                return False, "chosen", "`memdeck memory auto on --everywhere` switches it on."
            case "app.motion" if os.environ.get("NO_MOTION"):
                return "none", "environment", "NO_MOTION is set in the environment."
        says = f"This project's {PROJECT_FILE} sets it: change it there."
        return value, source, says if source == "project" else ""

    def put(self, key: str, text: str) -> bool:
        """Set a setting to what `text` means; `default` takes it out. True if anything changed.

        One entry, one undo. Raises BadInput for a value that does not fit, NotFound for no setting,
        Refused where the file cannot be changed, and for what looks like a secret.
        """
        must_be_a_person(self._context.actor)
        setting, path = self.setting(key), path_of(key)
        if text.strip() == "default":
            was_chosen = self._without_choice(setting)
            return self._write(path, None) or was_chosen
        value = value_of(setting.key, setting.rule, text)
        mistakes = list[Mistake]()
        usable_policy(merged(read_settings(self.path)[0], _nested(path, value)), mistakes)
        for mistake in mistakes:
            why = f"but {mistake.why}" if mistake.why else "which is no setting"
            raise BadInput(f"`{'.'.join(mistake.path)}` is {text_of(mistake.value)!r}, {why}.")
        return self._write(path, value)

    def _without_choice(self, setting: Setting) -> bool:
        """End what was chosen for this project in the store."""
        name = {"preset": "preset", "recall.max_budget_tokens": "ceiling"}.get(setting.key)
        if name is None or setting.source != "chosen":
            return False
        key = f"{name}|{self._context.project_id}"
        self._context.choose("config", f"{name}: as the settings say", key, None)
        self._context.read_policy_anew()
        return True

    def _write(self, path: Path, value: Any) -> bool:
        file, key = _SettingsFile(self.path), key_of(path)
        old, new = file.toml_at(path), None if value is None else _toml_of(value)
        if _is_same(old, new):
            return False
        from ..redaction.redact import redact  # only a change pays for it

        kinds = {kind for text in (old, new) if text for kind in redact(text).removed}
        if kinds := kinds - {"email"}:  # `keep_emails` names some
            raise Refused(
                f"`{key}` looks like a secret ({', '.join(sorted(kinds))}): it is not written.",
                hint="Name an environment variable that holds it.",
            )
        reason = f"{key}: {_short(old)} → {_short(new)}"
        with file.restored_on_failure(), self._context.change("config", reason) as change:
            row = {"key": f"{FILE}{key}", "value": {"before": old, "now": new}}
            change.put("setting", row)  # first: it is what the entry is about
            self._context.ensure_project(change)
            file.put(path, expected=old, value=new)
        self._context.read_policy_anew()
        return True


# -- keys and values as people write them


def path_of(key: str) -> Path:
    """The names down to a setting: `app.keymap.memory.forget` -> (app, keymap, memory.forget)."""
    import tomllib

    if '"' in key:
        try:
            inner: Any = tomllib.loads(f"{key} = 0")
        except tomllib.TOMLDecodeError:
            raise NotFound(f"There is no setting `{key[:60]}`.") from None
        path: list[str] = []
        while isinstance(inner, dict):
            [(name, inner)] = inner.items()
            path.append(name)
        return tuple(path)
    path, rest = [], key
    while rest:
        rule = rule_at(Policy, tuple(path))
        is_last = rule is not None and rule.kind == "map" and rule.inner.kind != "table"
        name, _, rest = (rest, "", "") if is_last else rest.partition(".")
        path.append(name)
    return tuple(path)


def key_of(path: Path) -> str:
    """The same as TOML writes it: a name with other characters stands in quotes."""
    return ".".join(
        name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else f'"{name}"'
        for name in path
    )


def value_of(key: str, rule: Rule, text: str) -> Any:
    """The value that `text` means for a setting. Raises BadInput if it is none of the kind."""
    import tomllib

    text = text.strip()
    match rule.kind:
        case "switch":
            if text.lower() in ("true", "on", "yes", "false", "off", "no"):
                return text.lower() in ("true", "on", "yes")
        case "whole" | "number":
            digits = text.replace(",", "").replace("_", "")
            with suppress(ValueError):
                return int(digits) if rule.kind == "whole" else float(digits)
        case "words":
            return [part.strip() for part in text.strip("[]").split(",") if part.strip()]
        case "map" | "table":
            with suppress(tomllib.TOMLDecodeError):
                return tomllib.loads(f"v = {text or '{}'}")["v"]
        case _:
            return text
    raise BadInput(f"{key} is {rule.allowed}, not {text[:60]!r}.", hint="")


def text_of(value: Any) -> str:
    """A value as a person reads and writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if names := getattr(value, "__match_args__", None):  # an engine
        fields = {name: getattr(value, name) for name in names}
        value = {name: field for name, field in fields.items() if field not in ("", (), None)}
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {text_of(field)}" for name, field in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)


def _values_in(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _value_at(values: Any, path: Path) -> Any:
    for name in path:
        if not isinstance(values, Mapping) or name not in values:
            return None
        values = values[name]
    return values


def _nested(path: Path, value: Any) -> dict[str, Any]:
    return {path[0]: value if len(path) == 1 else _nested(path[1:], value)}


def _inner(policy: Any, path: Path) -> Any:
    for name in path:
        policy = getattr(policy, name)
    return policy


def _short(text: str | None) -> str:
    words = "default" if text is None else " ".join(text.split())
    return words if len(words) <= 60 else f"{words[:59]}…"


# -- the file


class _SettingsFile:
    """The home's `config.toml`: changed as a whole or not at all."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._before: str | None = None  # its text before our first change

    def toml_at(self, path: Path) -> str | None:
        """The value at `path` as TOML on one line; None where it says nothing."""
        value = _value_at(self._values(), path)
        return None if value is None else _toml_of(value)

    def _values(self) -> dict[str, Any]:
        try:
            return _values_in(read_text(self.path))
        except ValueError as error:
            raise BadInput(
                f"{self.path} is not valid TOML: {error}", hint="Correct that line."
            ) from error

    def put(self, path: Path, *, expected: str | None, value: str | None) -> None:
        """Let it say `value`, as TOML, at `path`, where it says `expected`; None is nothing.

        Raises Refused where it says something else, or cannot be changed by a program.
        """
        if not _is_same(self.toml_at(path), expected):
            raise Refused(
                f"`{key_of(path)}` was changed by hand in {os.path.basename(self.path)} since.",
                hint=f"Change it in {self.path}.",
            )
        text = read_text(self.path)
        changed = _with_value(text, path, value)
        wanted = merged(_values_in(text), _nested(path, None if value is None else _toml(value)))
        if _pruned(_values_in(changed)) != _pruned(wanted):
            raise Refused(
                f"`{key_of(path)}` is written in a way that only you can change.",
                hint=f"Change it in {self.path}.",
            )
        if self._before is None:
            self._before = text
        self._write(changed)

    def _write(self, text: str) -> None:
        real = os.path.realpath(self.path)  # a link to a collection of settings stays one
        try:
            mode = stat.S_IMODE(os.stat(real).st_mode) if os.path.exists(real) else 0o600
            replace_file(real, text.encode("utf-8"), mode)
        except OSError as error:
            raise Refused(
                f"{self.path} cannot be written: {error.strerror}.", hint="Check its permissions."
            ) from error

    @contextmanager
    def restored_on_failure(self) -> Iterator[None]:
        """Put the file back if the journal does not take what is done in here."""
        try:
            yield
        except BaseException:
            if self._before is not None:
                with suppress(Refused):
                    self._write(self._before)
            raise


def _with_value(text: str, path: Path, value: str | None) -> str:
    """The file's text with this TOML at `path`; None takes it out. All else stays as it is."""
    import tomlkit  # only who changes a setting pays for it
    from tomlkit.items import InlineTable

    document = tomlkit.parse(text)
    tables: list[Any] = [document]
    for name in path[:-1]:
        if name not in tables[-1]:
            if value is None:
                return text
            is_inline = isinstance(tables[-1], InlineTable)
            tables[-1][name] = tomlkit.inline_table() if is_inline else tomlkit.table()
        tables.append(tables[-1][name])
    if value is not None:
        tables[-1][path[-1]] = tomlkit.value(value)
    elif path[-1] in tables[-1]:
        del tables[-1][path[-1]]
        for table, name in zip(reversed(tables[:-1]), reversed(path[:-1]), strict=True):
            if table[name].as_string().strip() not in ("", "{}"):
                break  # comments in a table without values stay
            del table[name]
    changed = tomlkit.dumps(document)
    return f"{changed.rstrip()}\n" if value is None and changed.endswith("\n\n") else changed


def _toml_of(value: Any) -> str:
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update(value)
        return table.as_string()
    return str(tomlkit.item(list(value) if isinstance(value, tuple) else value).as_string())


def _toml(text: str) -> Any:
    return _values_in(f"v = {text}")["v"]


def _is_same(first: str | None, other: str | None) -> bool:
    """Return True if two values in TOML are equal, however they are written."""
    if first is None or other is None:
        return first is other
    return bool(_toml(first) == _toml(other))


def _pruned(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same without None and without empty tables."""
    inner = {
        name: _pruned(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
    }
    return {name: value for name, value in inner.items() if value not in (None, {})}


# -- undo


@contextmanager
def following(context: Context) -> Iterator[Allowed]:
    """What an undo may write, and the files with it: both change, or neither."""
    file = _SettingsFile(context.home.config)
    is_changed = False

    def allowed(rows: list[dict[str, Any]]) -> None:
        nonlocal is_changed
        context.consent.must_cover(rows)
        context.must_be_an_agents(rows, "undo")
        for row in rows:
            if row["table"] == "setting" and row["key"].startswith(EDIT):
                from .sources import FileEdits  # few acts change such a file

                edits.enter_context((files := FileEdits()).restored_on_failure())
                files.follow(row)
            elif row["table"] == "setting" and row["key"].startswith(FILE):
                before, after = row["before"], row["after"]
                file.put(
                    path_of(row["key"].removeprefix(FILE)),
                    expected=before["value"]["now"] if before else after["value"]["before"],
                    value=after["value"]["now"] if after else before["value"]["before"],
                )
                is_changed = True

    with file.restored_on_failure(), ExitStack() as edits:
        yield allowed
    if is_changed:
        context.read_policy_anew()
