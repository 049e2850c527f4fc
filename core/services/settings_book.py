"""The settings one by one: what is in force and where it comes from, and how one is changed.

A change is written into the home's `config.toml`, where its comments stay, and is an entry of the
journal like any other: undo brings the file back with it. What is in force may come from elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...db import projects
from ..config import catalogue
from ..config.catalogue import Knob
from ..config.defaults import PROJECT_FILE, files_of
from ..config.settings import read_settings, why_unfit
from ..config.toml_text import Place, place_of, text_at, toml_of
from ..errors import BadInput, Refused
from .preferences import EVERYWHERE
from .settings_file import FILE, SettingsFile, same

if TYPE_CHECKING:
    from ..context import Context

Source = Literal["default", "yours", "project", "chosen", "environment"]

WORDS: Mapping[Source, str] = {
    "default": "default",
    "yours": "config.toml",
    "project": PROJECT_FILE,
    "chosen": "chosen here",
    "environment": "environment",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it stands."""

    knob: Knob
    default: Any  # under the preset in force
    value: Any  # in force
    source: Source
    written: str | None  # what stands in the home's file, as TOML
    problem: str = ""  # why what stands there does not count
    wins: str = ""  # what wins over the home's file, and how to end it; "" where nothing does


@dataclass(frozen=True, slots=True)
class SettingsBook:
    """Every setting of this project, and the home's file."""

    _context: Context

    @property
    def path(self) -> str:
        """The home's file, whether or not it is there."""
        return self._context.home.config

    def settings(self) -> list[Setting]:
        """All of them, in the manual's order. Raises BadInput for a file that cannot be read."""
        text = SettingsFile(self.path).read()
        files = files_of(self.path, self._context.root)
        read = [read_settings(path, is_project=at > 0) for at, path in enumerate(files)]
        self._context.read_policy_anew()
        policy = self._context.policy
        usual = type(policy)(preset=policy.preset)
        problems = [one for _, unfit in read for one in unfit]
        found = []
        for knob in catalogue.knobs():
            place = place_of(knob.place)
            value = _inner(policy, place)
            source: Source = "default"
            for (settings, _), where in zip(read, ("yours", "project"), strict=False):
                if _stands(settings, place):
                    source = where  # type: ignore[assignment]
            wins = ""
            if source == "project":
                wins = f"This project's {PROJECT_FILE} says so: change it there."
            value, source, wins = self._chosen(knob, value, source, wins)
            mine = [one for one in problems if _is_about(one.message, knob)]
            found.append(
                Setting(
                    knob,
                    default=_inner(usual, place),
                    value=value,
                    source=source,
                    written=text_at(text, place),
                    problem=str(mine[0]) if mine else "",
                    wins=wins,
                )
            )
        return found

    def _chosen(self, knob: Knob, value: Any, source: Source, wins: str) -> tuple[Any, Source, str]:
        """What counts before the files: a choice kept in the store, or the environment."""
        setting = self._context.setting
        match knob.place:
            case "preset" if chosen := setting("preset"):
                return chosen, "chosen", "Chosen for this project: x takes the choice back."
            case "recall.max_budget_tokens" if isinstance(chosen := setting("ceiling"), int):
                return chosen, "chosen", "Chosen for this project: x takes the choice back."
            case "auto_memory" if value and setting("auto_memory") is False:
                return False, "chosen", "Switched off in this project: :auto switches it on."
            case "auto_memory" if value and self._everywhere("auto_memory") is False:
                return False, "chosen", "Switched off everywhere: :auto switches it on."
            case "app.motion" if os.environ.get("NO_MOTION"):
                return "none", "environment", "NO_MOTION is set in the environment."
        return value, source, wins

    def _everywhere(self, name: str) -> Any:
        return projects.setting(self._context.database, f"{name}|{EVERYWHERE}")

    def checked(self, knob: Knob, text: str) -> Any:
        """The value that `text` means for this setting. Raises BadInput that says what would do."""
        value = catalogue.value_of(knob, text)
        self.must_fit(knob.place, value)
        return value

    def must_fit(self, place: str, value: Any) -> None:
        """Raise BadInput unless the home's file may say so."""
        settings, _ = read_settings(self.path)
        if why := why_unfit(settings, place_of(place), value):
            raise BadInput(why, hint="")

    def put(self, place: str, value: Any) -> bool:
        """Write a value into the home's file; None takes it out. Whether anything changed.

        `place` is TOML's: `recall.top_k`, `app.keymap."memory.forget"`. One entry, one undo.
        Raises BadInput for what does not fit, Refused where the file cannot be changed by a
        program, and for what looks like a secret.
        """
        if self._context.actor != "person":
            raise Refused("Settings are a person's to change.")
        at = place_of(place)
        if value is not None:
            self.must_fit(place, value)
        new = None if value is None else toml_of(value)
        file = SettingsFile(self.path)
        old = text_at(file.read(), at)
        if same(old, new):
            return False
        for said in (old, new):
            _must_be_no_secret(place, said)
        reason = f"{place}: {_short(old)} → {_short(new)}"
        with file.restored_on_failure(), self._context.change("config", reason) as change:
            row = {"key": f"{FILE}{place}", "value": {"before": old, "now": new}}
            change.put("setting", row)  # first: it is what the entry is about
            self._context.ensure_project(change)
            file.put(place, expected=old, value=new)
        self._context.read_policy_anew()
        return True

    def take_back_choice(self, place: str) -> None:
        """End what was chosen for this project in the store. Raises Refused where nothing was."""
        name = {"preset": "preset", "recall.max_budget_tokens": "ceiling"}.get(place)
        if name is None:
            raise Refused("Nothing is chosen for this project that could be taken back here.")
        key = f"{name}|{self._context.project_id}"
        self._context.choose("config", f"{name}: as the settings say", key, None)
        self._context.read_policy_anew()


def _must_be_no_secret(place: str, text: str | None) -> None:
    from ..redaction.redact import redact  # only who writes pays for it

    kinds = set(redact(text).removed if text else ()) - {"email"}  # `keep_emails` names some
    if kinds:
        raise Refused(
            f"`{place}` looks like a secret ({', '.join(sorted(kinds))}): it is not written down.",
            hint="Name an environment variable that holds it.",
        )


def _stands(settings: Mapping[str, Any], place: Place) -> bool:
    inner: Any = settings
    for name in place:
        if not isinstance(inner, Mapping) or name not in inner:
            return False
        inner = inner[name]
    return True


def _inner(policy: Any, place: Sequence[str]) -> Any:
    for name in place:
        policy = getattr(policy, name)
    return policy


def _is_about(problem: str, knob: Knob) -> bool:
    return any(f"`{place}`" in problem for place in (knob.place, knob.section) if place)


def _short(text: str | None) -> str:
    said = "default" if text is None else " ".join(text.split())
    return said if len(said) <= 60 else f"{said[:59]}…"
