"""The settings of recall, which hooks read: this needs the standard library alone."""

from __future__ import annotations

from collections.abc import Mapping

from ...frozen import dataclass, replace
from .schema import choice, made, mapping, number, rules_of, switch, table, text, tightened, usable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

PROJECT_FILE = ".memdeck.toml"

UNPROVEN: Mapping[str, str] = {
    "conservative": "never",
    "balanced": "asked",
    "aggressive": "always",
}
"""`recall.unproven` by preset, where the settings leave it open."""

DEGRADED_TOP_K, DEGRADED_SCAN = 5, 100


def _problem_of_strategy(name: str) -> str:
    from ..extensions import STRATEGIES, unknown  # only who names one pays for it

    return unknown("strategy", STRATEGIES, [name])


@dataclass(frozen=True, slots=True)
@table
class RecallLimits:
    """How much recall looks at and injects. Times in milliseconds, sizes in estimated tokens."""

    max_candidate_scan: int = number(500, 20, 5_000, tighter=-1)
    """Memories that the index may rank for one prompt."""

    max_retrieval_ms: int = number(200, 20, 2_000, tighter=-1)
    """Milliseconds the index may take."""

    top_k: int = number(15, 1, 100, tighter=-1)
    """Ranked memories that are considered for injection."""

    injection_top_n: int = number(5, 1, 50, tighter=-1)
    """Memories injected with a prompt, beside the pinned ones."""

    max_pinned: int = number(5, 0, 20, tighter=-1)
    """Pinned memories that are always injected."""

    max_per_source: int = number(2, 1, 50, tighter=-1)
    """Injected memories per session of origin, beside the best matches."""

    drop_bottom_share: float = number(0.3, 0.0, 0.9, tighter=1)
    """Share of the considered memories, the weakest, that is dropped."""

    context_share: float = number(0.08, 0.01, 0.5, tighter=-1)
    """Share of the remaining context that memories may use: 0.08 is 8 %."""

    max_budget_tokens: int = number(5_000, 100, 50_000, tighter=-1)
    """Maximum budget in tokens, however much context remains."""

    default_context_tokens: int = number(100_000, 1_000, 2_000_000, tighter=-1)
    """Remaining context that is assumed if the agent does not say, in tokens."""

    five_type_tokens: int = number(8_000, 100, 50_000, tighter=-1)
    """Total of the policy `five-type`, in tokens."""

    working_tokens: int = number(1_000, 0, 10_000, tighter=-1)
    """Share of working memory under `five-type`, in tokens."""

    min_importance: int = number(6, 1, 10, tighter=1)
    """Importance (1-10) from which a memory is injected when a session starts."""

    max_output_units: int = number(9_900, 500, 9_900, tighter=-1)
    """Longest text handed to an agent: UTF-16 units for Claude Code, bytes for the others."""

    head_tail: int = number(0, 0, 10)
    """Under the policy `tiered`, the number of oldest and of newest matches that come first; 0
    leaves the order to the ranking."""

    task_share: float = number(0.4, 0.0, 1.0)
    """Under the policy `tiered`, the part of the total for the task. The three parts are relative
    to each other."""

    project_share: float = number(0.4, 0.0, 1.0)
    """Under the policy `tiered`, the part for the project."""

    global_share: float = number(0.2, 0.0, 1.0)
    """Under the policy `tiered`, the part for global memories."""

    shares_by_agent: Mapping[str, Mapping[str, float]] = mapping(
        mapping(number(0.0, 0.0, 1.0), keys=("task", "project", "global")), pattern=r"[a-z-]{1,40}"
    )
    """Under the policy `tiered`, other parts for an agent:
    `shares_by_agent.codex = { task = 0.6, project = 0.3, global = 0.1 }`."""

    private_days: int = number(0, 0, 3_650)
    """Days after which a private memory is injected into other sessions as well; 0 is never."""

    profile_share: float = number(0.2, 0.0, 0.5, tighter=-1)
    """Share of the budget that the [profile](profile.md) may use when a session starts; 0 injects
    none of it."""

    budget_policy: str = choice("adaptive", "five-type", "tiered")
    """`adaptive` uses a share of the remaining context, `five-type` fixed tokens by memory type,
    `tiered` shares by task, project and global."""

    ranking: str = choice("blend", "multiplicative", "additive")
    """How the parts of a score are combined. In `blend` the words of the prompt decide and the
    other parts break ties."""

    strategy: str = text("plain", check=_problem_of_strategy)
    """What orders the ranked memories last: plain, time-weighted, reviewed, or one that an
    installed package brings."""

    encoder: str = text()
    """Encoder for search by meaning: `wordllama`, a model2vec folder by its whole path, an engine
    of the kind `openai`, or one that an installed package brings. Empty searches words only. Hooks
    always search words only."""

    repeat: str = choice("never", "always", tighter=-1)
    """Whether a session receives an unchanged memory again. After a compaction, a clear or a
    resume it always does."""

    token_estimate: str = choice("strict", "words")
    """How tokens are estimated: `strict` counts words, code and writing without spaces as
    tokenizers do; `words` x 1.3 counts by white space alone."""

    unproven: str = choice("never", "asked", "always", default="asked", tighter=-1)
    """When other sessions receive unverified memories: `asked`, if they clearly match the prompt;
    `never`; `always`, also when a session starts. Follows the preset: balanced, conservative,
    aggressive."""

    keep_prompts: bool = switch(True, tighter=-1)
    """Store the redacted prompt in its receipt, so that it can be replayed. If false, only its
    fingerprint is stored."""

    keep_told: bool = switch(True, tighter=-1)
    """Store the injected text, redacted, for 30 days beside its receipt. If false, only the
    memories are listed."""

    @classmethod
    def of_preset(cls, values: Mapping[str, Any], preset: object) -> Self:
        """Return the limits of a settings table. What cannot be used has its default."""
        usual = UNPROVEN.get(str(preset))
        return made(cls, usable(cls, {"unproven": usual, **values} if usual else values))

    def tightened(self, values: Mapping[str, Any], preset: object = None) -> Self:
        """The limits with what a project's table and preset tighten."""
        usual = UNPROVEN.get(str(preset))
        values = usable(type(self), {"unproven": usual, **values} if usual else values)
        return replace(self, **tightened(type(self), values, self))

    def degraded(self) -> Self:
        """The limits while recall is too slow: a smaller scan, fewer considered."""
        return replace(
            self,
            top_k=min(self.top_k, DEGRADED_TOP_K),
            max_candidate_scan=min(self.max_candidate_scan, DEGRADED_SCAN),
        )

    def with_ceiling(self, tokens: int) -> Self:
        """The same with another maximum budget, as `memdeck memory budget` sets it."""
        low, high = RANGES["max_budget_tokens"]
        return replace(self, max_budget_tokens=int(min(max(tokens, low), high)))


RANGES: Mapping[str, tuple[float, float]] = {
    name: (rule.low, rule.high)
    for name, rule in rules_of(RecallLimits).items()
    if rule.kind in ("whole", "number")
}
"""Smallest and largest value of each number, both allowed."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    name: rule.choices for name, rule in rules_of(RecallLimits).items() if rule.kind == "choice"
}
"""The words of each choice; the first is the default."""
