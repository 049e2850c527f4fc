"""Declare settings, each once with its default and allowed values, and those of recall.

    @dataclass(frozen=True, slots=True)
    @table
    class LifecyclePolicy:
        max_memories: int = number(3_000, 100, 1_000_000)
        \"\"\"Automatic memories of a project.\"\"\"

The text below a setting is its manual (`settings.py` reads it). Standard library only,
without `typing` and `dataclasses`: hooks read settings too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...frozen import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, TypeVar

    T = TypeVar("T")

Path = tuple[str, ...]
"""The names down to a setting, as TOML nests them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The allowed values of one setting, and its default."""

    kind: str  # switch, whole, number, choice, text, words, map or table
    default: Any = None
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()  # of a choice, of each of the words, of the keys of a map
    least: int = 0  # characters of a text, or items
    most: int = 0  # the same; 0 is any number
    pattern: str = ""  # of a text, or of the keys of a map
    inner: Any = None  # the rule of each value of a map, or the class of a table
    check: Callable[[Any], str] | None = None  # returns a further error of a value
    is_required: bool = False
    tighter: int = 0  # -1: less, off or an earlier word is tighter; 1: more; 0: yours alone

    @property
    def allowed(self) -> str:
        """Return its allowed values, in words."""
        match self.kind:
            case "switch":
                return "true or false"
            case "whole" | "number":
                return f"{_figure(self.low)} to {_figure(self.high)}"
            case "choice":
                return ", ".join(self.choices)
            case "words":
                return f"any of {', '.join(self.choices)}" if self.choices else "a list of words"
            case "map" | "table":
                return "a table"
            case _:
                return "text"


def _figure(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A value in a settings file that cannot be used."""

    path: Path
    value: Any
    why: str  # "" where there is no setting of that name
    near: str = ""  # a setting with almost that name


_RULES: dict[str, dict[str, Rule]] = {}


def table(cls: type[T]) -> type[T]:
    """Note the rules of a table's settings, and leave the defaults in their places."""
    rules = _RULES[cls.__name__] = {name: vars(cls)[name] for name in cls.__annotations__}
    for name, rule in rules.items():
        if rule.is_required:
            delattr(cls, name)
        else:
            setattr(cls, name, field(default_factory=dict) if rule.kind == "map" else rule.default)
    return cls


def rules_of(cls: type) -> Mapping[str, Rule]:
    return _RULES[cls.__name__]


def switch(default: bool, *, tighter: int = 0) -> Any:
    return Rule("switch", default, tighter=tighter)


def number(default: float, low: float, high: float, *, tighter: int = 0) -> Any:
    """Return a number from `low` to `high`; a whole one if the default is."""
    kind = "whole" if isinstance(default, int) else "number"
    return Rule(kind, default, low, high, tighter=tighter)


def choice(*words: str, default: str = "", tighter: int = 0) -> Any:
    """One of these words; the first unless another is the default."""
    return Rule("choice", default or words[0], choices=words, tighter=tighter)


def required(*words: str) -> Any:
    return Rule("choice", choices=words, is_required=True)


def text(
    default: str = "",
    *,
    least: int = 0,
    most: int = 200,
    pattern: str = "",
    check: Callable[[str], str] | None = None,
) -> Any:
    return Rule("text", default, least=least, most=most, pattern=pattern, check=check)


def words(
    *default: str,
    choices: Sequence[str] = (),
    least: int = 0,
    most: int = 100,
    check: Callable[[Sequence[str]], str] | None = None,
) -> Any:
    """Return a list of words, of `choices` where there are any."""
    return Rule("words", default, choices=tuple(choices), least=least, most=most, check=check)


def mapping(
    inner: Rule | type,
    *,
    keys: Sequence[str] = (),
    pattern: str = "",
) -> Any:
    """Values by names of the user's choice, or by `keys`."""
    rule = inner if isinstance(inner, Rule) else Rule("table", inner=inner)
    return Rule("map", {}, choices=tuple(keys), pattern=pattern, inner=rule)


def section(cls: type[T]) -> T:
    return Rule("table", cls(), inner=cls)  # type: ignore[return-value]  # `table` takes it out


# -- reading


def usable(
    cls: type, values: Mapping[str, Any], path: Path = (), mistakes: list[Mistake] | None = None
) -> dict[str, Any]:
    """Return the settings among `values` that can be used, nested as they are; note the others."""
    mistakes = [] if mistakes is None else mistakes
    rules = rules_of(cls)
    matches: dict[str, Any] = {}
    for name, value in values.items():
        if (rule := rules.get(name)) is None:
            from ..query.language import nearest  # only a mistake pays for it

            near = nearest(name, list(rules))
            near = ".".join((*path, near)) if near else ""
            mistakes.append(Mistake((*path, name), value, "", near))
            continue
        try:
            matches[name] = _usable(rule, value, (*path, name), mistakes)
        except _Unusable as error:
            mistakes.append(error.mistake)
    return matches


class _Unusable(Exception):
    def __init__(self, path: Path, value: object, why: str) -> None:
        self.mistake = Mistake(path, value, why)


def _usable(rule: Rule, value: Any, path: Path, mistakes: list[Mistake]) -> Any:
    result: object
    if rule.kind not in ("table", "map"):
        for position, wrong, why in _wrong(rule, value):
            raise _Unusable((*path, *position), wrong, why)
        result = tuple(value) if rule.kind == "words" else value
    elif not isinstance(value, Mapping):
        raise _Unusable(path, value, "it is a table")
    elif rule.kind == "table":
        result = usable(rule.inner, value, path, mistakes)
    else:
        result = _of_map(rule, value, path, mistakes)
    if rule.check is not None and (why := rule.check(result)):
        raise _Unusable(path, value, why)
    return result


def _of_map(
    rule: Rule, values: Mapping[str, Any], path: Path, mistakes: list[Mistake]
) -> dict[str, Any]:
    matches = {}
    for key, value in values.items():
        at = (*path, key)
        if rule.choices and key not in rule.choices:
            mistakes.append(Mistake(at, key, f"it is one of {', '.join(rule.choices)}"))
            continue
        if rule.pattern and not _matches(rule.pattern, key):
            mistakes.append(Mistake(at, key, "it is a name of letters, digits, `.`, `-` and `_`"))
            continue
        before = len(mistakes)
        try:
            inner = _usable(rule.inner, value, at, mistakes)
        except _Unusable as error:
            mistakes.append(error.mistake)
            continue
        if rule.inner.kind == "table":
            lacking = [
                name
                for name, item in rules_of(rule.inner.inner).items()
                if item.is_required and name not in inner
            ]
            if not any(mistake.why for mistake in mistakes[before:]):
                why = (
                    f"it needs `{lacking[0]}`"
                    if lacking
                    else made(rule.inner.inner, inner).problem_of()
                )
                mistakes += [Mistake(at, value, why)] if why else []
            if any(mistake.why for mistake in mistakes[before:]):
                continue  # texts are sent there: one half understood is not used
        matches[key] = inner
    return matches


def _wrong(rule: Rule, value: Any) -> Iterator[tuple[Path, Any, str]]:
    """Yield the errors of a value: the path in it, the wrong part, the reason."""
    match rule.kind:
        case "switch":
            if not isinstance(value, bool):
                yield (), value, "it is true or false"
        case "whole" | "number":
            is_number = isinstance(value, int if rule.kind == "whole" else (int, float))
            if not is_number or isinstance(value, bool) or not rule.low <= value <= rule.high:
                yield (), value, f"it is {rule.allowed}"
        case "words":
            if not isinstance(value, (list, tuple)):
                yield (), value, 'it is a list, as in ["…"]'
                return
            for position, word in enumerate(value):
                if not isinstance(word, str):
                    yield (str(position),), word, "it is a text"
                elif rule.choices and word not in rule.choices:
                    yield (str(position),), word, f"it is one of {', '.join(rule.choices)}"
            if not rule.least <= len(value) <= rule.most:
                yield (), value, f"it has {rule.least} to {rule.most} items"
        case "choice":
            if value not in rule.choices:
                yield (), value, f"it is one of {', '.join(rule.choices)}"
        case _:
            if not isinstance(value, str):
                yield (), value, "it is a text"
            elif not rule.least <= len(value) <= rule.most:
                yield (), value, f"it has {rule.least} to {rule.most} characters"
            elif rule.pattern and not _matches(rule.pattern, value):
                yield (), value, "it has other characters than allowed"


def _matches(pattern: str, value: str) -> bool:
    import re  # few settings have a pattern

    return re.fullmatch(pattern, value) is not None


def made(cls: type[T], values: Mapping[str, Any]) -> T:
    """Return a table of values that `usable` returned; unset ones have their defaults."""
    arguments = {}
    for name, value in values.items():
        rule = rules_of(cls)[name]
        if rule.kind == "table":
            value = made(rule.inner, value)
        elif rule.kind == "map" and rule.inner.kind == "table":
            value = {key: made(rule.inner.inner, item) for key, item in value.items()}
        arguments[name] = float(value) if rule.kind == "number" else value
    return cls(**arguments)


def tightened(
    cls: type, values: Mapping[str, Any], base: Any, loose: list[Path] | None = None
) -> dict[str, Any]:
    """Return the settings of a project's file that tighten `base`; add other paths to `loose`."""
    result: dict[str, Any] = {}
    for name, value in values.items():
        rule, own = rules_of(cls)[name], getattr(base, name)
        below: list[Path] = []
        if rule.kind == "table":
            result[name] = tightened(rule.inner, value, own, below)
        elif rule.tighter and (_rank(rule, value) - _rank(rule, own)) * rule.tighter >= 0:
            result[name] = value
        else:
            below.append(())
        if loose is not None:
            loose += [(name, *path) for path in below]
    return result


def _rank(rule: Rule, value: Any) -> float:
    return rule.choices.index(value) if rule.kind == "choice" else value


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two nested tables as one; tables in both are merged, of anything else `above` counts."""
    result = dict(below)
    for name, value in above.items():
        other = result.get(name)
        both = isinstance(other, Mapping) and isinstance(value, Mapping)
        result[name] = merged(other, value) if both else value  # type: ignore[arg-type]
    return result


def rule_at(cls: type, path: Path) -> Rule | None:
    """Return the rule of the setting at `path`; None where there is no such setting."""
    rule: Rule | None = Rule("table", inner=cls)
    for name in path:
        if rule is None or rule.kind not in ("table", "map"):
            return None
        rule = rules_of(rule.inner).get(name) if rule.kind == "table" else rule.inner
    return rule


# -- recall, for hooks

PROJECT_FILE = ".memdeck.toml"

UNPROVEN: Mapping[str, str] = {
    "conservative": "never",
    "balanced": "asked",
    "aggressive": "always",
}
"""`recall.unproven` by preset, where the settings leave it open."""

DEGRADED_TOP_K, DEGRADED_SCAN = 5, 100
SCOPES = ("task", "project", "global")  # the parts of a budget under `tiered`


def _problem_of_strategy(name: str) -> str:
    from ..extensions import STRATEGIES, unknown  # only who names one pays for it

    return unknown("strategy", STRATEGIES, [name])


@dataclass(frozen=True, slots=True)
@table
class RecallLimits:
    """Limits of reading and injection. Times in milliseconds, sizes in estimated tokens."""

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

    min_importance: int = number(6, 1, 10, tighter=1)
    """Importance (1-10) from which a memory is injected when a session starts."""

    max_output_units: int = number(9_900, 500, 9_900, tighter=-1)
    """Longest text handed to an agent: UTF-16 units for Claude Code, bytes for the others."""

    head_tail: int = number(0, 0, 10)
    """Under the policy `tiered`, the number of oldest and of newest matches that come first; 0
    leaves the order to the ranking."""

    shares: Mapping[str, float] = mapping(number(0.0, 0.0, 1.0), keys=SCOPES)
    """Under the policy `tiered`, the parts of the total, relative to each other. The default is
    `shares = { task = 0.4, project = 0.4, global = 0.2 }`."""

    shares_by_agent: Mapping[str, Mapping[str, float]] = mapping(
        mapping(number(0.0, 0.0, 1.0), keys=SCOPES), pattern=r"[a-z-]{1,40}"
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
    """Encoder for search by meaning: `minilm`, a folder with a model by its whole path, an engine
    of the kind `openai`, or one that an installed package brings. Empty searches words only. Hooks
    always search words only."""

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
        """Return the limits of a settings table. Invalid values have their defaults."""
        usual = UNPROVEN.get(str(preset))
        return made(cls, usable(cls, {"unproven": usual, **values} if usual else values))

    def tightened(self, values: Mapping[str, Any], preset: object = None) -> Self:
        """Return the limits, tightened by a project's table and preset."""
        usual = UNPROVEN.get(str(preset))
        values = usable(type(self), {"unproven": usual, **values} if usual else values)
        return replace(self, **tightened(type(self), values, self))

    def degraded(self) -> Self:
        """Return the limits while recall is too slow: a smaller scan, fewer considered."""
        return replace(
            self,
            top_k=min(self.top_k, DEGRADED_TOP_K),
            max_candidate_scan=min(self.max_candidate_scan, DEGRADED_SCAN),
        )

    def with_ceiling(self, tokens: int) -> Self:
        """Return the same with another maximum budget, as `memdeck memory budget` sets it."""
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
