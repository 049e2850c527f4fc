"""Declares settings: each stands once, with its default and what it may be.

    @dataclass(frozen=True, slots=True)
    @table
    class WorkingPolicy:
        task_days: int = number(14, 1, 365)
        \"\"\"Days an open task is kept.\"\"\"

The text below a setting is its manual (`settings.manual` reads it). Standard library only, without
`typing` and `dataclasses`: hooks read settings too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...frozen import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

Path = tuple[str, ...]
"""The names down to a setting, as TOML nests them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What one setting may be, and what it is where nobody sets it."""

    kind: str  # switch, whole, number, choice, text, words, map or table
    default: Any = None
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()  # of a choice, of each of the words, of the keys of a map
    least: int = 0  # characters of a text, or items
    most: int = 0  # likewise; 0 is any number
    pattern: str = ""  # of a text, or of the keys of a map
    inner: Any = None  # the rule of each value of a map, or the class of a table
    check: Callable[[Any], str] | None = None  # says what else is wrong with a value
    is_required: bool = False
    tighter: int = 0  # -1: less, off or an earlier word is tighter; 1: more; 0: yours alone

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
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
    """A number from `low` to `high`; a whole one if the default is."""
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
    """A list of words, of `choices` where there are any."""
    return Rule("words", default, choices=tuple(choices), least=least, most=most, check=check)


def mapping(
    inner: Rule | type,
    *,
    keys: Sequence[str] = (),
    pattern: str = "",
    check: Callable[[Mapping[str, Any]], str] | None = None,
) -> Any:
    """Values by names of the user's choice, or by `keys`."""
    rule = inner if isinstance(inner, Rule) else Rule("table", inner=inner)
    return Rule("map", {}, choices=tuple(keys), pattern=pattern, inner=rule, check=check)


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
    """What is wrong with a value: where in it, what stands there, and why."""
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
    """A table of values that `usable` returned; what they leave open has its default."""
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
    """Return what of a project's file tightens `base`; add other paths to `loose`."""
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
    """The rule of the setting at `path`; None where there is no such setting."""
    rule: Rule | None = Rule("table", inner=cls)
    for name in path:
        if rule is None or rule.kind not in ("table", "map"):
            return None
        rule = rules_of(rule.inner).get(name) if rule.kind == "table" else rule.inner
    return rule
