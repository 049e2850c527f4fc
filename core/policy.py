"""Everything that can be configured, checked where it enters.

Settings are TOML: the home's `config.toml`, then a project's `.memdeck.toml`, which overrides it.
They hold values, never commands. `load_policy` reads them once; everyone else gets the value.
The docstring under a field is its manual.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..db.errors import BadInput
from .limits import RANGES, RecallLimits

Preset = Literal["conservative", "balanced", "aggressive"]

PRESETS: Mapping[str, Mapping[str, float]] = {
    "conservative": {"min_points": 4, "min_importance": 0.4, "min_length": 50},
    "balanced": {"min_points": 3, "min_importance": 0.25, "min_length": 30},
    "aggressive": {"min_points": 2, "min_importance": 0.15, "min_length": 20},
}
"""What each preset means for promotion (002-05)."""

_DEFAULTS = RecallLimits()


class Section(BaseModel):
    """A table of the settings file: fixed once read, and unknown keys are errors."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


def _limit(name: str) -> Any:
    """The field of a recall limit: its default and its range, from `core/limits.py`."""
    low, high = RANGES[name]
    return Field(default=getattr(_DEFAULTS, name), ge=low, le=high)


class CapturePolicy(Section):
    """What is taken down from a session."""

    min_length: int = Field(default=50, ge=0, le=500)
    """Captured texts with fewer characters are too short to keep (000-22)."""

    max_length: int = Field(default=500, ge=50, le=4_000)
    """Longest text captured automatically, in characters (002-06)."""

    max_written_length: int = Field(default=4_000, ge=500, le=100_000)
    """Longest text a person may write, in characters; longer is refused with the reason."""


class PromotionPolicy(Section):
    """What a finding needs to become a memory of the project. Unset values follow the preset."""

    min_points: int = Field(default=3, ge=1, le=20)
    """Points from the promotion signals (002-08)."""

    min_importance: float = Field(default=0.25, ge=0, le=1)
    """Findings of less importance (0-1) are passed over (002-20)."""

    min_length: int = Field(default=30, ge=0, le=500)
    """Findings with fewer characters are passed over (002-20)."""


class ReviewPolicy(Section):
    """How captures are judged."""

    rule: Literal["panel", "consensus"] = "panel"
    """`panel` counts votes and means as in 000-29; `consensus` asks for a mean score of at least
    `consensus_score` (001-02)."""

    consensus_score: float = Field(default=6.0, ge=0, le=10)
    """Mean score (0-10) from which `consensus` accepts (001-02)."""

    timeout_s: float = Field(default=2.0, ge=0.1, le=30)
    """Longest time one reviewer may take, in seconds (000-28)."""


class RecallPolicy(Section):
    """How much recall looks at, and how much it may say. The hook clamps what is out of range."""

    max_candidate_scan: int = _limit("max_candidate_scan")
    """Memories the index may rank for one prompt (002-16)."""

    max_retrieval_ms: int = _limit("max_retrieval_ms")
    """Milliseconds the index may take (002-16)."""

    top_k: int = _limit("top_k")
    """Ranked memories that stay in the running (002-16)."""

    injection_top_n: int = _limit("injection_top_n")
    """Memories that are injected with a prompt, beside the pinned ones (002-16)."""

    max_pinned: int = _limit("max_pinned")
    """Pinned memories that are always injected (002-16, 002-18)."""

    max_per_source: int = _limit("max_per_source")
    """Injected memories that may come from one session (002-16)."""

    drop_bottom_share: float = _limit("drop_bottom_share")
    """The weakest part of the running, 0-0.9, that is dropped (002-15)."""

    context_share: float = _limit("context_share")
    """Part of the remaining context that memory may use; 0.08 is 8 % (002-19)."""

    max_budget_tokens: int = _limit("max_budget_tokens")
    """Ceiling of the budget in tokens, whatever the context leaves (002-19)."""

    default_context_tokens: int = _limit("default_context_tokens")
    """Remaining context that is assumed when the host does not say, in tokens (000-40)."""

    five_type_tokens: int = _limit("five_type_tokens")
    """Total of the policy `five-type`, in tokens (000-40)."""

    working_tokens: int = _limit("working_tokens")
    """Working memory's own allocation under `five-type`, in tokens (000-18)."""

    min_importance: int = _limit("min_importance")
    """Importance (1-10) from which a memory is told at the start of a session (000-35)."""

    max_output_units: int = _limit("max_output_units")
    """Longest text handed to a host: UTF-16 units for Claude, bytes for the others."""

    budget_policy: Literal["adaptive", "five-type", "tiered"] = "adaptive"
    """`adaptive` shares 8 % of the remaining context by tier (002-19), `five-type` 8,000 tokens
    by memory type (000-42), `tiered` 40/40/20 by task, project and global (004-10)."""

    ranking: Literal["blend", "multiplicative", "additive"] = "blend"
    """How a hit's parts become its score: `multiplicative` (002-15), `additive` (000-36), or
    `blend`, in which the words decide and the rest tips the scales."""

    def limits(self) -> RecallLimits:
        """The same as the value that recall takes."""
        names = (field.name for field in fields(RecallLimits))
        return RecallLimits(**{name: getattr(self, name) for name in names})


class AppPolicy(Section):
    """How the app looks and which keys it listens to."""

    theme: str = Field(default="memdeck-dark", min_length=1, max_length=64, pattern=r"^[\w.-]+$")
    """Name of a theme, built in or one of your own."""

    ascii_glyphs: bool = False
    """Draw signs from ASCII only, for terminals or fonts without the others."""

    motion: Literal["full", "basic", "none"] = "none"
    """How much moves on the screen; NO_MOTION in the environment means `none` always."""

    keymap: Mapping[str, str] = Field(default_factory=dict)
    """Keys by the id of their binding, several parted by commas: `"memory.forget" = "x,delete"`."""


class Policy(Section):
    """All settings. A table that is not given has its defaults."""

    preset: Preset = "balanced"
    """How eagerly findings become memories: `conservative`, `balanced` or `aggressive` (002-05).
    Values set in [promotion] win over the preset."""

    auto_memory: bool = True
    """Capture from sessions automatically; off leaves only what a person writes (002-22)."""

    capture: CapturePolicy = CapturePolicy()
    """What is taken down from a session."""

    promotion: PromotionPolicy = PromotionPolicy()
    """What a finding needs to become a memory of the project."""

    review: ReviewPolicy = ReviewPolicy()
    """How captures are judged."""

    recall: RecallPolicy = RecallPolicy()
    """How much recall looks at, and how much it may say."""

    app: AppPolicy = AppPolicy()
    """How the app looks and which keys it listens to."""

    @model_validator(mode="before")
    @classmethod
    def _apply_preset(cls, settings: Any) -> Any:
        """Fill what [promotion] leaves open from the preset."""
        if not isinstance(settings, Mapping):
            return settings
        preset, own = settings.get("preset", "balanced"), settings.get("promotion", {})
        if preset not in get_args(Preset) or not isinstance(own, Mapping):
            return settings  # the checks of the fields say what is wrong
        return {**settings, "promotion": {**PRESETS[preset], **own}}


def load_policy(paths: Sequence[str]) -> Policy:
    """The policy that these TOML files make together, a later one overriding an earlier.

    A file that does not exist counts as empty. Raises BadInput, naming file and key.
    """
    merged: dict[str, Any] = {}
    for path in paths:
        merged = _merged(merged, read_settings(path))
    return Policy.model_validate(merged)


def read_settings(path: str) -> dict[str, Any]:
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
    try:
        Policy.model_validate(settings)
    except ValidationError as error:
        message, hint = _explained(error)
        raise BadInput(f"{path}: {message}", hint=hint) from error
    return settings


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
    given = repr(first["input"])
    if len(given) > 60:
        given = f"{given[:60]}…"
    return f"`{key}` is {given}, but {message}.", f"Change `{key}`, or remove it for the default."


def _spelling_hint(place: tuple[int | str, ...]) -> str:
    """The nearest setting to one that does not exist."""
    from .query_keys import nearest  # only a mistake pays for it

    model: type[BaseModel] = Policy
    for part in place[:-1]:
        annotation = model.model_fields[str(part)].annotation
        assert isinstance(annotation, type)  # only tables forbid keys, and tables are models
        assert issubclass(annotation, BaseModel)
        model = annotation
    near = nearest(str(place[-1]), list(model.model_fields))
    path = ".".join(str(part) for part in (*place[:-1], near))
    return f"Did you mean `{path}`?" if near else "Remove it; docs/settings.md lists all."
