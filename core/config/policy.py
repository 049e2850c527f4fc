"""Everything that can be configured, checked where it enters.

`core/config/settings.py` reads the files; everyone else gets the value. The docstring under a field
is its manual.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ..redaction.redact import Choice
from .defaults import EVENTS, Habits
from .limits import UNPROVEN
from .sections import LifecyclePolicy, RecallPolicy, Section, must_be_known

Preset = Literal["conservative", "balanced", "aggressive"]
ReviewerName = Literal["analyzer", "patterns", "knowledge-archaeologist", "security"]
EngineKind = Literal["claude", "codex", "gemini", "opencode", "program", "openai", "anthropic"]
EventGroup = Literal[
    "sessions",  # a session starts, ends
    "prompts",
    "turns",  # a turn is over, a subagent's work is over
    "todos",
    "compaction",
    "files",  # a tool is about to read or edit a file
    "results",  # a tool has ended, well or not
    "roles",  # a subagent is given its task, and starts
    "errors",  # a turn failed
]
EngineName = Annotated[str, Field(pattern=r"^[\w.-]{1,40}$")]

PRESETS: Mapping[str, Mapping[str, float]] = {
    "conservative": {"min_points": 4, "min_importance": 0.4, "min_length": 50},
    "balanced": {"min_points": 3, "min_importance": 0.25, "min_length": 30},
    "aggressive": {"min_points": 2, "min_importance": 0.15, "min_length": 20},
}
"""What each preset means for promotion."""

AGENT_ENGINES = ("claude", "codex", "gemini", "opencode")
"""Engines that need no table of their own: these agents, each with its small model."""

_HABITS = Habits()


class CapturePolicy(Section):
    """What is taken down from a session."""

    min_length: int = Field(default=50, ge=0, le=500)
    """Captured texts with fewer characters are too short to keep."""

    max_length: int = Field(default=500, ge=50, le=4_000)
    """Longest text captured automatically, in characters."""

    learn: bool = _HABITS.learn
    """Ask agents, as a session starts, to record what is worth it with `memdeck learn`, and let
    them; off does neither."""

    similarity: float = Field(default=0.85, ge=0.5, le=1)
    """From this similarity (0-1) on, two captured texts say the same, and the known one is
    reinforced."""

    @model_validator(mode="before")
    @classmethod
    def _pass_over_retired(cls, given: Any) -> Any:
        """`max_written_length` never had an effect and is gone; files that name it stay good."""
        if isinstance(given, Mapping):
            return {key: value for key, value in given.items() if key != "max_written_length"}
        return given


class WorkingPolicy(Section):
    """What is held for the task at hand."""

    life_minutes: int = Field(default=5, ge=1, le=1_440)
    """Minutes that what is held by hand, for a step or for a prompt lasts, if nobody reports its
    end."""

    task_days: int = Field(default=14, ge=1, le=365)
    """Days an open task of an agent's list is held in its session after its last sign: until it is
    done or replaced, not only while the session writes."""

    prompts: Literal["compaction", "turn", "never"] = "compaction"
    """When to hold what the person asked for last: `compaction` before a context is
    compacted, since it is lost then; `turn` after every turn; `never`."""


class PromotionPolicy(Section):
    """What a finding needs to become a memory of the project. Unset values follow the preset."""

    min_points: int = Field(default=3, ge=1, le=20)
    """Points from the promotion signals."""

    min_importance: float = Field(default=0.25, ge=0, le=1)
    """Findings of less importance (0-1) stay in their session."""

    min_length: int = Field(default=30, ge=0, le=500)
    """Findings with fewer characters stay in their session."""


class EnginePolicy(Section):
    """A model that reviewers can ask: an agent's program, another program, or a server."""

    kind: EngineKind
    """Whose dialect it speaks. `openai` is any server with chat completions, a local one too."""

    model: str = Field(default="", max_length=200, pattern=r"^([\w@][\w./:@+-]*)?$")
    """Name of the model; agents have a small one by default, servers need to be told."""

    program: Sequence[str] = Field(default=(), max_length=100)
    """For the kind `program`: the program and its arguments. It reads the prompt on standard input
    and prints the answer."""

    url: str = Field(default="", max_length=2_000)
    """Base address of a server: https, or http on this machine."""

    key_variable: str = Field(default="", max_length=100, pattern=r"^([A-Za-z_]\w*)?$")
    """Name of the environment variable with the server's key. The key itself never stands here."""

    usd_per_call: float | None = Field(default=None, ge=0, le=100)
    """Dollars a call costs where the host does not say; 0 marks what a subscription covers."""

    usd_per_million_in: float | None = Field(default=None, ge=0, le=10_000)
    """Dollars for a million tokens of prompt, where the host does not say what a call cost."""

    usd_per_million_out: float | None = Field(default=None, ge=0, le=10_000)
    """Dollars for a million tokens of answer, where the host does not say what a call cost."""

    @field_validator("url")
    @classmethod
    def _check_address(cls, url: str) -> str:
        from .addresses import refusal_of_address  # few settings name a server

        if url and (why := refusal_of_address(url)):
            raise PydanticCustomError("address", "{why}", {"why": why.rstrip(".")})
        return url

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        is_server = self.kind in ("openai", "anthropic")
        needed = {"program": ["program"], "openai": ["url", "model"], "anthropic": ["model"]}
        useless = ["program"] if is_server else ["url", "key_variable"]
        if not is_server:
            useless.append("model" if self.kind == "program" else "program")
        for name in needed.get(self.kind, []):
            if not getattr(self, name):
                raise PydanticCustomError(
                    "kind", "kind `{kind}` needs `{name}`", {"kind": self.kind, "name": name}
                )
        for name in useless:
            if getattr(self, name):
                raise PydanticCustomError(
                    "kind", "kind `{kind}` takes no `{name}`", {"kind": self.kind, "name": name}
                )
        if self.program and (not self.program[0] or _is_relative(self.program[0])):
            raise PydanticCustomError(
                "program", "a program is named by its whole path, or by one word on the PATH"
            )
        return self


class RedactionPolicy(Section):
    """What is taken out of texts beside keys, tokens and passwords, which always go. Only in the
    home's file: a repository must not decide what may be written down."""

    entropy: bool = True
    """Take out what merely looks random: more than 20 characters with more than 4.0 bits each,
    unless its shape or the words before it explain it."""

    emails: bool = True
    """Take out e-mail addresses of people."""

    cards: bool = True
    """Take out numbers of payment cards."""

    keep_emails: Sequence[str] = Field(default_factory=list, max_length=100)
    """Addresses to leave, such as your own: `git config user.email`."""

    def choice(self) -> Choice:
        """The same as the value that redaction takes."""
        return Choice(
            use_entropy=self.entropy,
            use_emails=self.emails,
            use_cards=self.cards,
            keep_emails=frozenset(address.strip().lower() for address in self.keep_emails),
        )


class ReviewPolicy(Section):
    """How captures are judged."""

    rule: Literal["panel", "consensus"] = "panel"
    """`panel` counts votes and means ; `consensus` asks for a mean score of at least
    `consensus_score`."""

    consensus_score: float = Field(default=6.0, ge=0, le=10)
    """Mean score (0-10) from which `consensus` accepts."""

    teaching: bool = _HABITS.teaching
    """Whether what you accept and reject in a project moves the bar of what is captured there
    next."""

    timeout_s: float = Field(default=2.0, ge=0.1, le=30)
    """Longest time one reviewer may take, in seconds."""

    reviewers: Sequence[str] = Field(
        default_factory=lambda: list(get_args(ReviewerName)[:3]), min_length=1, max_length=8
    )
    """Who votes; `security` may be added, and what installed packages bring."""

    engines: Mapping[EngineName, EnginePolicy] = Field(default_factory=dict)
    """Models that reviewers can ask, by a name of your choice. Only in the home's file."""

    engine_by_reviewer: Mapping[ReviewerName, str] = Field(default_factory=dict)
    """Which engine a reviewer asks; `built-in`, the default, asks no model. Only in the home's
    file."""

    max_cost_usd_per_day: float = Field(default=0.5, ge=0, le=1_000)
    """Dollars that reviews may cost in a day; 0 asks nothing that costs. Only in the home's
    file."""

    max_calls_per_day: int = Field(default=300, ge=0, le=100_000)
    """Times a day that models may be asked, free ones too. Only in the home's file."""

    @field_validator("reviewers")
    @classmethod
    def _check_once(cls, names: Sequence[str]) -> Sequence[str]:
        if len(set(names)) < len(names):
            raise PydanticCustomError("reviewers", "each reviewer votes once")
        return must_be_known("reviewer", get_args(ReviewerName), names)

    @field_validator("engine_by_reviewer")
    @classmethod
    def _check_engines(cls, chosen: Mapping[str, str], info: ValidationInfo) -> Mapping[str, str]:
        known = ["built-in", *info.data.get("engines", ())]
        for engine in chosen.values():
            if engine not in known and "engines" in info.data:
                raise PydanticCustomError(
                    "engine",
                    "no engine is called `{engine}`; there are {known}",
                    {"engine": engine, "known": ", ".join(f"`{name}`" for name in known)},
                )
        return chosen


class ExtractorPolicy(Section):
    """A model of yours that reads each session once and proposes what is worth keeping. Off unless
    `engine` names one. Only in the home's file: a repository must not decide what is sent away."""

    engine: str = Field(default=_HABITS.engine, max_length=40)
    """Which of [review.engines] is asked, or `claude`, `codex`, `gemini`, `opencode` for that agent
    with its small model; empty asks nobody. What was chosen in the app or with
    `memdeck extract --use` counts before it."""

    timeout_s: float = Field(default=180.0, ge=1, le=900)
    """Longest time one session may take, in seconds. Nothing waits for it."""

    max_calls_per_day: int = Field(default=_HABITS.max_calls_per_day, ge=0, le=1_000)
    """Calls a day, of which each reads a session, judges a batch of pairs or words a summary; 0
    asks nothing."""

    max_tokens_per_day: int = Field(default=_HABITS.max_tokens_per_day, ge=0, le=100_000_000)
    """Tokens a day, sent and answered together, as the host counts them or else estimated."""

    max_cost_usd_per_day: float = Field(default=_HABITS.max_cost_usd_per_day, ge=0, le=1_000)
    """Dollars it may cost in a day; 0 asks nothing that costs."""

    pairs_per_call: int = Field(default=20, ge=0, le=50)
    """Pairs of Conflicts that one call judges, of those that agents are not told of; 0 asks about
    none. A call is made when so many wait, or one has waited for a day."""

    marks_conflicts: bool = False
    """Whether agents are told of a contradiction that the model is sure of, as of one that the
    fitted judge is sure of: both stay, marked, until you have decided."""


def _default_events() -> list[EventGroup]:
    return [name for name in get_args(EventGroup) if name in EVENTS]


class HooksPolicy(Section):
    """Which events of the agents are asked for, and handled."""

    events: Sequence[EventGroup] = Field(
        default_factory=_default_events, max_length=len(get_args(EventGroup))
    )
    """The kinds of events that `memdeck install` registers, in groups: `sessions`, `prompts`,
    `turns`, `todos`, `compaction`, `files` and `roles` are the default. `files` tells what is known
    of a file when it is first read or edited, `roles` tells a subagent what fits its task; not by
    default `results` notes how tools ended, and `errors` turns that failed. Once set, events of
    other groups are ignored as well when they come."""


ListColumn = Literal[
    "type", "status", "category", "importance", "scope",
    "agent", "session", "tags", "files", "age",
]  # fmt: skip
"""What can stand beside a title in the Deck's list."""


class AppPolicy(Section):
    """How the app looks and which keys it listens to."""

    theme: str = Field(default="memdeck-dark", min_length=1, max_length=64, pattern=r"^[\w.-]+$")
    """Name of a theme, built in or one of your own."""

    ascii_glyphs: bool = False
    """Draw signs from ASCII only, for terminals or fonts without the others. Where it is not set,
    the app does so under a locale without Unicode."""

    compact_list: bool = False
    """One line a memory in the Deck's list; otherwise two, the second with text and tags."""

    columns: Sequence[ListColumn] = Field(default_factory=list, max_length=10)
    """What stands beside the titles of the Deck's list; empty: the usual ones."""

    column_widths: Mapping[Literal[ListColumn, "title"], Annotated[int, Field(ge=4, le=99)]] = (
        Field(default_factory=dict)
    )
    """Cells of what stands beside the titles: `{ session = 30, tags = 12 }`; the others have their
    usual ones. That of the title counts where `free_column` is another."""

    free_column: Literal[ListColumn, "title"] = "title"
    """Which of them takes what is free in the Deck's list."""

    motion: Literal["full", "basic", "none"] = "none"
    """How much moves on the screen; NO_MOTION in the environment means `none` always."""

    keymap: Mapping[str, str] = Field(default_factory=dict)
    """Keys by the id of their binding, several parted by commas: `"memory.forget" = "x,delete"`."""


class Policy(Section):
    """All settings. A table that is not given has its defaults."""

    preset: Preset = "balanced"
    """How eagerly findings become memories: `conservative`, `balanced` or `aggressive`.
    Values set in [promotion], and `recall.unproven`, win over the preset."""

    auto_memory: bool = _HABITS.auto_memory
    """Capture from sessions automatically; off leaves only what a person writes."""

    capture: CapturePolicy = CapturePolicy()
    """What is taken down from a session."""

    working: WorkingPolicy = WorkingPolicy()
    """What is held for the task at hand."""

    promotion: PromotionPolicy = PromotionPolicy()
    """What a finding needs to become a memory."""

    redaction: RedactionPolicy = RedactionPolicy()
    """What is taken out of texts beside secrets."""

    review: ReviewPolicy = ReviewPolicy()
    """How captures are judged."""

    extractor: ExtractorPolicy = ExtractorPolicy()
    """The model that reads sessions, if any."""

    recall: RecallPolicy = RecallPolicy()
    """How much recall looks at, and may say."""

    lifecycle: LifecyclePolicy = LifecyclePolicy()
    """How memories age."""

    """What the tokens that agents are told cost."""

    hooks: HooksPolicy = HooksPolicy()
    """Which events of the agents are asked for, and handled."""

    app: AppPolicy = AppPolicy()
    """How the app looks and which keys it listens to."""

    def habits(self) -> Habits:
        """The part that a glance at the project tells."""
        model, limits = self.extractor, self.recall.limits()
        return Habits(
            auto_memory=self.auto_memory,
            learn=self.capture.learn,
            teaching=self.review.teaching,
            engine=model.engine,
            max_calls_per_day=model.max_calls_per_day,
            max_tokens_per_day=model.max_tokens_per_day,
            max_cost_usd_per_day=model.max_cost_usd_per_day,
            max_memories=self.lifecycle.max_memories if self.lifecycle.eviction else 0,
            limits=limits if self.lifecycle.profile else limits.without_profile(),
            decay=self.lifecycle.decay,
            tiers=self.lifecycle.tiers,
        )

    @field_validator("extractor")
    @classmethod
    def _check_extractor(cls, given: ExtractorPolicy, info: ValidationInfo) -> ExtractorPolicy:
        if given.engine and "review" in info.data:
            known = [*info.data["review"].engines, *AGENT_ENGINES]
            if given.engine not in known:
                raise PydanticCustomError(
                    "engine",
                    "no engine is called `{engine}`; there are {known}",
                    {"engine": given.engine, "known": ", ".join(f"`{name}`" for name in known)},
                )
        return given

    @model_validator(mode="before")
    @classmethod
    def _apply_preset(cls, settings: Any) -> Any:
        """Fill what [promotion] and [recall] leave open from the preset."""
        if not isinstance(settings, Mapping):
            return settings
        preset, own = settings.get("preset", "balanced"), settings.get("promotion", {})
        recall = settings.get("recall", {})
        is_known = isinstance(preset, str) and preset in get_args(Preset)
        if not (is_known and isinstance(own, Mapping) and isinstance(recall, Mapping)):
            return settings  # the checks of the fields say what is wrong
        return {
            **settings,
            "promotion": {**PRESETS[preset], **own},
            "recall": {"unproven": UNPROVEN[preset], **recall},
        }


def _is_relative(program: str) -> bool:
    return os.sep in program and not os.path.isabs(os.path.expanduser(program))
