"""What all tables of the settings have in common, and two of them: `[recall]` and `[lifecycle]`.

The docstring under a field is its manual; the other tables are in `policy`.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from ..extensions import STRATEGIES, unknown
from .limits import RANGES, RecallLimits


class Section(BaseModel):
    """A table of the settings file: fixed once read, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def must_be_known(kind: str, ours: Sequence[str], wanted: Sequence[str]) -> Sequence[str]:
    """`wanted`. Raises PydanticCustomError for a name that nobody brings."""
    if why := unknown(kind, ours, wanted):
        raise PydanticCustomError("unknown", "{why}", {"why": why})
    return wanted


_DEFAULTS = RecallLimits()


def _limit(name: str) -> Any:
    """The field of a recall limit: its default and its range, from `core/config/limits.py`."""
    low, high = RANGES[name]
    return Field(default=getattr(_DEFAULTS, name), ge=low, le=high)


class RecallPolicy(Section):
    """How much recall looks at, and how much it may say. The hook clamps what is out of range."""

    max_candidate_scan: int = _limit("max_candidate_scan")
    """Memories the index may rank for one prompt."""

    max_retrieval_ms: int = _limit("max_retrieval_ms")
    """Milliseconds the index may take."""

    top_k: int = _limit("top_k")
    """Ranked memories that stay in the running."""

    injection_top_n: int = _limit("injection_top_n")
    """Memories that are injected with a prompt, beside the pinned ones."""

    max_pinned: int = _limit("max_pinned")
    """Pinned memories that are always injected."""

    max_per_source: int = _limit("max_per_source")
    """Injected memories that may come from one session, beside those that answer, and
    those that are stronger than what is told of others."""

    drop_bottom_share: float = _limit("drop_bottom_share")
    """The weakest part of the running, 0-0.9, that is dropped."""

    context_share: float = _limit("context_share")
    """Part of the remaining context that memory may use; 0.08 is 8 %."""

    max_budget_tokens: int = _limit("max_budget_tokens")
    """Ceiling of the budget in tokens, whatever the context leaves."""

    default_context_tokens: int = _limit("default_context_tokens")
    """Remaining context that is assumed when the host does not say, in tokens."""

    five_type_tokens: int = _limit("five_type_tokens")
    """Total of the policy `five-type`, in tokens."""

    working_tokens: int = _limit("working_tokens")
    """Working memory's own allocation under `five-type`, in tokens."""

    min_importance: int = _limit("min_importance")
    """Importance (1-10) from which a memory is told at the start of a session."""

    max_output_units: int = _limit("max_output_units")
    """Longest text handed to a host: UTF-16 units for Claude, bytes for the others."""

    head_tail: int = _limit("head_tail")
    """Under the policy `tiered`, so many of the oldest and of the newest answers get their place
    before the others; 0 leaves it to the ranking."""

    task_share: float = _limit("task_share")
    """Under the policy `tiered`, the part of the total that is for the task; the three parts are
    relative to each other."""

    project_share: float = _limit("project_share")
    """Likewise, the part that is for the project."""

    global_share: float = _limit("global_share")
    """Likewise, the part that is for what holds everywhere."""

    private_days: int = _limit("private_days")
    """Days after which a private memory is told to other sessions as well; 0 is never."""

    profile_share: float = _limit("profile_share")
    """Part of the budget that the [profile](profile.md) may use as a session starts; 0
    tells none of it."""

    budget_policy: Literal["adaptive", "five-type", "tiered"] = "adaptive"
    """`adaptive` shares 8 % of the remaining context by tier, `five-type` 8,000 tokens
    by memory type, `tiered` 40/40/20 by task, project and global."""

    ranking: Literal["blend", "multiplicative", "additive"] = "blend"
    """How a hit's parts become its score: `multiplicative`, `additive`, or
    `blend`, in which the words decide and the rest tips the scales."""

    strategy: str = "plain"
    """Who has the last word on the order: plain, time-weighted, reviewed, another's."""

    @field_validator("strategy")
    @classmethod
    def _check_strategy(cls, name: str) -> str:
        return must_be_known("strategy", STRATEGIES, [name])[0]

    repeat: Literal["never", "always"] = "never"
    """Whether a session is told a memory again that it was told and that has not changed since.
    After a compaction, a clear or a resume it always is."""

    token_estimate: Literal["words", "strict"] = "words"
    """How tokens are estimated: `words` x 1.3, or `strict`, which counts code and
    writing without spaces as tokenizers do and so fits in less."""

    unproven: Literal["asked", "never", "always"] = "asked"
    """When other sessions are told of what an agent said and nothing bears out: `asked`, when a
    prompt asks for it and it answers well; `never`; `always`, at starts too. Follows the preset:
    balanced, conservative, aggressive."""

    keep_prompts: bool = True
    """Keep the prompt, redacted, in the receipt of what was told with it, so that it can be
    replayed. Off keeps its fingerprint alone."""

    keep_told: bool = True
    """Keep the very text that an agent was told, redacted, for 30 days beside its receipt. Off
    keeps which memories it told alone."""

    def limits(self) -> RecallLimits:
        """The same as the value that recall takes."""
        names = (field.name for field in fields(RecallLimits))
        return RecallLimits(**{name: getattr(self, name) for name in names})


class LifecyclePolicy(Section):
    """How memories age. What is off is left as it is."""

    decay: bool = True
    """Let worth fall with the weeks in which a memory is not used."""

    expiry: bool = True
    """Retire what is past its time: by category, by its own date."""

    eviction: bool = True
    """Keep to `max_memories`: the least worth leave."""

    tiers: bool = True
    """Sort memories into hot, warm and cold; cold ones are told only when asked for."""

    summaries: bool = True
    """Sum up tasks, days, weeks, months and the project, and fold what is old and of little
    importance into the summary of its day."""

    consolidation: bool = True
    """Make a fact of what happened in three sessions or more, with its evidence."""

    staleness: bool = True
    """Look whether what a memory names still stands: files, versions, commands."""

    git_seconds: float = Field(default=20.0, ge=1, le=600)
    """How long git may take over one question about a project's past."""

    profile: bool = True
    """Tell a session that starts who you are, in a share of its own; off, what you
    prefer counts there as any other memory, and `memdeck profile` shows it all the same."""

    max_memories: int = Field(default=3_000, ge=100, le=1_000_000)
    """Automatic memories of a project from which on the least worth leave."""

    keep_memories: int = Field(default=2_700, ge=50, le=1_000_000)
    """How many of them stay then; above `max_memories`, nine tenths of that."""

    @property
    def staying(self) -> int:
        """How many stay when there are too many."""
        most = self.max_memories
        return self.keep_memories if self.keep_memories <= most else 9 * most // 10
