"""Whether what a memory names still stands: files, versions, commands, flags of the project.

Only what once stood and no longer does speaks against a memory. A name that was never found is no
evidence: it may belong to another project, or to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

Read = Callable[[str], str | None]
"""The text of a file of the project by its name; None where there is none."""

MOST_FACTS = 20
"""Things a memory may name; what it lists beyond is not looked at."""

MUCH = 0.5
"""Share of a file's lines that are gone or different when it has changed much."""

TELLS_WHAT_WAS = ("file_change", "task_progress")
"""Categories that tell what happened: it stays true when the file is gone."""

GENERAL = "preference"
"""The category of what holds whatever is being worked at."""

_PATH = re.compile(r"(?<![\w/.:@~-])((?:[\w.@+-]+/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7})(?![\w/])")
_NAME = re.compile(r"(?<![\w/.:@~-])(\w[\w@+.-]*\.[A-Za-z]\w{0,7})(?![\w/@-]|\.\w)")
"""What may be a file at the top of the project: told from `os.path` by what git knows."""

_DOT = re.compile(r"\.[A-Za-z]")
"""What each such name has, and few texts: found without trying each word."""

_COMMAND = re.compile(r"(?<![\w-])(make|just|npm run|yarn run|pnpm run) ([a-z][\w:.-]*\w)")
_VERSION = re.compile(
    r"\b(?:us(?:es?|ing)|runs? (?:on|with)|needs?|requires?|(?:written|built) (?:for|on|with)"
    r"|targets?|pinned (?:to|at)|pins?|is on|set to|stays? on|based on|version to)\s+(?:the )?"
    r"([A-Za-z][\w.-]{0,39}?)\s*(?:==|version )?\s?v?(\d+(?:\.\d+)+)(?![\w+]|\.[\w{])"
    r"(?!\s+(?:and|or)\s+(?:earlier|older|later|newer|below|above|up|higher|lower|\d))"
    r"(?!\s+(?:compat|support|onwards?|test))",
    re.IGNORECASE,
)
"""A sentence that says which version the project has; one that only speaks of a version does
not: ten were read of the 17 that it would mark in two projects' histories, and one was right.
"""
_FLAG = re.compile(
    r"(?<![\w-])--(?!(?:an?|and|or|but|if|it|its|so|as|at|in|to|is|not|for|the|this|that|they|we|which"
    r"|who|when|while|with|also|even|especially|usually)\b)[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])"
)
"""A flag, and no dash in a sentence --as some write it--."""
_LEFT = re.compile(
    r"\b(?:delet|remov|renam|mov(?:ed|ing)|replac|dropp?(?:ed|ing)|no longer|gone|obsolete|former"
    r"|used to|instead of|legacy|deprecat|migrat|split|extract)",
    re.IGNORECASE,
)
_TARGET = re.compile(r"^([A-Za-z][\w.-]*(?:[ \t]+[A-Za-z][\w.-]*)*)[ \t]*:(?!=)", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z][\w-]*)(?:[ \t][^:=\n]*)?:(?!=)", re.MULTILINE)
_PINNED = re.compile(
    r"""^[\s"']*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:==|~=|>=|\^)\s*(\d+(?:\.\d+)*)"""
)
_REQUIRES = re.compile(r"""^requires-python\s*=\s*["'][>=~^\s]*(\d+(?:\.\d+)*)""", re.MULTILINE)
_QUOTED = re.compile(r""""((?:[^"\\\n]|\\.)*)\"""")


FILES = ("file", "name")
"""Kinds of facts that are files, the latter where the project has or had one of that name."""

DECLARED = ("command", "version")
"""Kinds of facts that the manifests speak of."""


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """Something that a memory names."""

    kind: str  # file, name (what may be a file), command, version, flag
    name: str  # a path; `make test-db`; a library or a language, in lower case; `--dry-run`
    value: str = ""  # of a version: as the memory has it

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}={self.value}" if self.value else f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a project's manifests say."""

    commands: frozenset[str]
    versions: Mapping[str, frozenset[str]]  # by name in lower case

    def holds(self, fact: Fact) -> bool:
        """Whether a command is there, or a version is the one that is asked for."""
        if fact.kind == "command":
            return fact.name in self.commands
        return any(_agree(fact.value, one) for one in self.versions.get(fact.name, ()))

    def denies(self, fact: Fact) -> bool:
        """Whether the manifests speak against it: silence about a version does not."""
        if fact.kind == "command":
            return fact.name not in self.commands
        return bool(self.versions.get(fact.name)) and not self.holds(fact)


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that speaks against a memory."""

    key: str  # the same evidence has the same key
    at: int  # milliseconds since 1970
    words: str
    path: str = ""  # of a file that left
    moved_to: str = ""  # "" where it is gone


def facts_of(content: str, files: Sequence[str], root: str) -> list[Fact]:
    """What a memory names that a project can be asked about, each once.

    A text that speaks of leaving things itself ("removed", "moved to") names no files and no flags:
    it knows. What such a word stands in the name of (`db/migrations/1.sql`) says nothing of that.
    """
    found, names = dict[Fact, None](), list[Fact]()
    content = content.replace(f"{root}/", "") if root else content
    if not _tells_of_leaving(content):
        for path in (*files, *(match[1] for match in _PATH.finditer(content))):
            if inside := _inside(path, root):
                found[Fact("file", inside)] = None
        named = dict.fromkeys(_names_in(content))
        names = [Fact("name", name) for name in named if Fact("file", name) not in found]
        for match in _FLAG.finditer(content):
            found[Fact("flag", match[0])] = None
    for match in _COMMAND.finditer(content):
        found[
            Fact(
                "command",
                f"{match[1]} {match[2]}".replace("yarn run", "npm run").replace(
                    "pnpm run", "npm run"
                ),
            )
        ] = None
    for match in _VERSION.finditer(content):
        found[Fact("version", match[1].lower(), match[2])] = None
    return [*found, *names][:MOST_FACTS]


def _tells_of_leaving(content: str) -> bool:
    """Whether a text speaks of leaving outside of the names in it."""
    if _LEFT.search(content) is None:
        return False
    return _LEFT.search(_FLAG.sub(" ", _NAME.sub(" ", _PATH.sub(" ", content)))) is not None


def _names_in(content: str) -> list[str]:
    """What may be files at the top of the project."""
    return _NAME.findall(content) if _DOT.search(content) else []


def worked_at(
    facts: Sequence[Fact], category: str, changed: Sequence[str], root: str
) -> list[Fact]:
    """The files of the work that a memory was learned at, where it names none itself.

    What holds whatever is being worked at is tied to no work, and what tells what happened to none.
    """
    if category == GENERAL or any(fact.kind == "file" for fact in facts):
        return []
    inside = (_inside(path, root) for path in changed)
    return [Fact("file", path) for path in dict.fromkeys(inside) if path]


def _inside(path: str, root: str) -> str:
    """The path as the project has it; "" for one outside."""
    if root and path.startswith(f"{root}/"):
        path = path[len(root) + 1 :]
    path = path.removeprefix("./")
    is_odd = path.startswith(("/", "~", "-", ":")) or "\0" in path or ".." in path.split("/")
    return "" if is_odd or not path else path


def declared(read: Read) -> Declared:
    """What the manifests say; one that cannot be read says nothing."""
    commands, versions = set[str](), dict[str, set[str]]()

    def pin(name: str, version: str) -> None:
        versions.setdefault(name.lower(), set()).add(version)

    for line in _TARGET.findall(read("Makefile") or ""):
        commands.update(f"make {target}" for target in line.split())
    commands.update(f"just {name}" for name in _RECIPE.findall(read("justfile") or ""))
    _read_package(read("package.json"), commands, pin)
    project = read("pyproject.toml") or ""
    if match := _REQUIRES.search(project):
        pin("python", match[1])
    lines = _QUOTED.findall(project) + (read("requirements.txt") or "").split("\n")
    for line in lines:
        if match := _PINNED.match(line):
            pin(match[1], match[2])
    if match := re.search(r"^go (\d+(?:\.\d+)+)", read("go.mod") or "", re.MULTILINE):
        pin("go", match[1])
    for file, name in ((".python-version", "python"), (".nvmrc", "node")):
        if match := re.match(r"\s*v?(\d+(?:\.\d+)*)", read(file) or ""):
            pin(name, match[1])
    return Declared(
        frozenset(commands), {name: frozenset(found) for name, found in versions.items()}
    )


def _read_package(text: str | None, commands: set[str], pin: Callable[[str, str], None]) -> None:
    """The scripts and versions of a `package.json`."""
    import json

    try:
        package = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return
    if not isinstance(package, dict):
        return
    scripts = package.get("scripts")
    commands.update(f"npm run {name}" for name in (scripts if isinstance(scripts, dict) else ()))
    for table in ("engines", "dependencies", "devDependencies"):
        held = package.get(table)
        for name, wanted in held.items() if isinstance(held, dict) else ():
            if match := re.match(r"[\^~>=v\s]*(\d+(?:\.\d+)*)", str(wanted)):
                pin(name, match[1])


def _agree(one: str, other: str) -> bool:
    """Whether one version is the other, as far as both say: 3.12 and 3.12.4 agree."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))


def command_sign(fact: Fact, at: int) -> Sign:
    """A command that is no longer there."""
    return Sign(fact.key, at, f"`{fact.name}` is no longer among the project's commands")


def version_sign(fact: Fact, now: Declared, at: int) -> Sign:
    """A version that the manifests no longer have."""
    stands = ", ".join(sorted(now.versions[fact.name]))
    words = f"it says {fact.name} {fact.value}, the project has {stands}"
    return Sign(f"{fact.key}/{stands}", at, words)


def moved_sign(path: str, to: str, at: int, commit: str) -> Sign:
    return Sign(f"moved:{path}>{to}@{commit}", at, f"{path} moved to {to} on {_day(at)}", path, to)


def gone_sign(path: str, at: int, commit: str) -> Sign:
    """A file that was deleted; without a commit nobody knows when."""
    words = f"{path} was deleted on {_day(at)}" if commit else f"{path} is no longer there"
    return Sign(f"gone:{path}@{commit}", at, words, path)


def left_work_sign(paths: Sequence[str], at: int, commit: str) -> Sign:
    """That all files are gone which the work changed at which something was learned."""
    names = " and ".join(paths) if len(paths) < 3 else f"{paths[0]} and {len(paths) - 1} more"
    words = f"learned at work on {names}, gone since {_day(at)}"
    return Sign(f"work:{','.join(paths)}@{commit}", at, words)


def flag_sign(fact: Fact, at: int) -> Sign:
    """A flag that stood in the project's files and stands in none now."""
    return Sign(fact.key, at, f"`{fact.name}` is no longer in the project")


def rewritten_sign(path: str, at: int, commit: str) -> Sign:
    """A file of whose lines, as `commit` had them, more than `MUCH` are gone."""
    return Sign(f"rewritten:{path}@{commit}", at, f"most of {path} was rewritten by {_day(at)}")


def told(signs: Iterable[Sign]) -> str:
    """The reason in words: at most three, and how many more."""
    words = [sign.words for sign in signs]
    more = f"; and {len(words) - 3} more" if len(words) > 3 else ""
    return "; ".join(words[:3]) + more


def _day(at: int) -> str:
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return f"{moment.day} {moment:%b %Y}"
