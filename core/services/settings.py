"""The settings one by one: their values and sources, and changes of them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db.errors import BadInput, NotFound, Refused
from ..config import settings
from ..config.limits import Mistake, Path, Rule, merged, rule_at
from ..context import must_not_be_agent
from .preferences import EVERYWHERE

if TYPE_CHECKING:
    from ..context import Context

ESSENTIAL = tuple(
    """preset auto_memory capture.learn extractor.engine extractor.max_cost_usd_per_day
    recall.injection_top_n recall.max_pinned recall.max_budget_tokens recall.budget_policy
    recall.unproven lifecycle.max_memories recall.profile_share redaction.emails hooks.events
    app.theme""".split()
)
"""The settings that most people may want to change."""

SOURCES: Mapping[str, str] = {
    "default": "default",
    "yours": "your config.toml",
    "project": f"this project's {settings.PROJECT_FILE}",
    "chosen": "chosen for this project",
}
"""The sources of a value."""


@dataclass(frozen=True, slots=True)
class Setting:
    key: str  # as TOML writes it: `recall.top_k`
    rule: Rule
    about: str  # its manual
    value: Any
    default: Any  # under the current preset
    source: str = "default"  # a key of SOURCES
    problem: str = ""  # why the value in a file cannot be used
    overridden: str = ""  # the source that wins over the home's file, and how to end that

    @property
    def is_essential(self) -> bool:
        return self.key in ESSENTIAL


class SettingsBook:
    """Every setting of this project, and the home's file."""

    _context: Context

    @property
    def path(self) -> str:
        """Return the home's file, whether or not it exists."""
        return self._context.home.config

    def settings(self) -> list[Setting]:
        """Return all settings, the essential ones first. Raises BadInput for an unreadable file."""
        context = self._context
        files = settings.files_of(self.path, context.root)
        own = settings.load_policy(files[:1], context.setting("preset"))
        read = [
            settings.read_settings(path, own if number else None)
            for number, path in enumerate(files)
        ]
        context.reload_policy()
        policy = context.policy
        usual = settings.Policy.with_preset({"preset": policy.preset})
        problems = [problem for _, ignored in read for problem in ignored]
        matches = []
        for path, rule, about in settings.settings_in():
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
                value = setting.value.get(path[-1])
                return Setting(key, setting.rule.inner, setting.about, value, None, setting.source)
        from ..query.language import nearest  # only a mistake pays for it

        near = nearest(key, list(existing))
        hint = f"Did you mean `{near}`?" if near else "`memdeck config --all` lists all."
        raise NotFound(f"There is no setting `{key[:60]}`.", hint=hint)

    def _in_force(self, key: str, value: Any, source: str) -> tuple[Any, str, str]:
        """Return value, source and hint of a choice in the store, which wins over the files."""
        setting = self._context.setting
        everywhere = self._context.reader().projects.setting(f"auto_memory|{EVERYWHERE}")
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
        says = f"This project's {settings.PROJECT_FILE} sets it: change it there."
        return value, source, says if source == "project" else ""

    def put(self, key: str, text: str) -> bool:
        """Set a setting to the value of `text`; `default` removes it. Return True after a change.

        One entry, one undo. Raises BadInput for an invalid value, NotFound for no setting, Refused
        if the file cannot be changed, and for a value that looks like a secret.
        """
        must_not_be_agent(self._context.actor)
        setting, path = self.setting(key), path_of(key)
        if text.strip() == "default":
            was_chosen = self._without_choice(setting)
            return self._write(path, None) or was_chosen
        value = value_of(setting.key, setting.rule, text)
        mistakes = list[Mistake]()
        settings.usable_policy(
            merged(settings.read_settings(self.path)[0], _nested(path, value)), mistakes
        )
        for mistake in mistakes:
            why = f"but {mistake.why}" if mistake.why else "which is no setting"
            raise BadInput(f"`{'.'.join(mistake.path)}` is {text_of(mistake.value)!r}, {why}.")
        return self._write(path, value)

    def _without_choice(self, setting: Setting) -> bool:
        """Remove the choice for this project in the store."""
        name = {"preset": "preset", "recall.max_budget_tokens": "ceiling"}.get(setting.key)
        if name is None or setting.source != "chosen":
            return False
        key = f"{name}|{self._context.project_id}"
        self._context.choose("config", f"{name}: as the settings say", key, None)
        self._context.reload_policy()
        return True

    def _write(self, path: Path, value: Any) -> bool:
        from .sources import Texts, carry_out  # only a change pays for it

        context, key = self._context, key_of(path)
        file, texts = os.path.realpath(self.path), Texts(context.redaction_choice())
        text = texts.of(file)
        changed = _with_value(text, path, value)
        old = _value_at(tomllib.loads(text), path)
        if _value_at(tomllib.loads(changed), path) == old:
            return False
        from ..redaction.redact import redact

        was, will_be = (None if item is None else _toml_of(item) for item in (old, value))
        kinds = {kind for item in (was, will_be) if item for kind in redact(item).removed}
        if kinds := kinds - {"email"}:  # `keep_emails` names some
            raise Refused(
                f"`{key}` looks like a secret ({', '.join(sorted(kinds))}): it is not written.",
                hint="Name an environment variable that holds it.",
            )
        texts.put(file, changed)
        carry_out(context, texts.plan(f"{key}: {_short(was)} → {_short(will_be)}", ()), "config")
        context.reload_policy()
        return True


# -- keys and values as people write them


def path_of(key: str) -> Path:
    """The names down to a setting: `app.keymap.memory.forget` -> (app, keymap, memory.forget)."""
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
        rule = rule_at(settings.Policy, tuple(path))
        is_last = rule is not None and rule.kind == "map" and rule.inner.kind != "table"
        name, _, rest = (rest, "", "") if is_last else rest.partition(".")
        path.append(name)
    return tuple(path)


def key_of(path: Path) -> str:
    """Return the same as TOML writes it: a name with other characters is in quotes."""
    return ".".join(
        name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else f'"{name}"'
        for name in path
    )


def value_of(key: str, rule: Rule, text: str) -> Any:
    """The value that `text` means for a setting. Raises BadInput if it is none of the kind."""
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
    """Return a value as the user reads and writes it."""
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


def _with_value(text: str, path: Path, value: Any) -> str:
    """The file's text with this value at `path`; None takes it out. All else stays as it is."""
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
        tables[-1][path[-1]] = tomlkit.value(_toml_of(value))
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
