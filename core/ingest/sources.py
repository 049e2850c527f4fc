"""Read the memories that agents keep by themselves, and change their text, without a model.

A folder of memories has an index, whose lines name one file a fact. Claude Code, Qwen Code and
Gemini CLI call it `MEMORY.md`, Codex `memory_summary.md`. A file of rules is a list of facts, as is
Copilot's import (JSON Lines). Only regular files are read: no links, at most 256 kB each.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from ...db.images import headline
from ..redaction.redact import EVERYTHING, Choice, redact
from ..text.words import SECTIONS, clean, fingerprint, letters_and_digits
from .importers import MOST_ENTRIES, entries_in

if TYPE_CHECKING:
    from ..values import Memory

MOST_BYTES = 256 * 1024  # of a file: Claude Code's own limit for what it rewrites
MOST_FILES = 1_000  # of a folder; further ones are listed as not read
DEEPEST = 4  # folders below the memory's own
GENERATED = ("raw_memories.md", "phase2_workspace_diff.md")  # by a client from its database
NO_TOPICS = ("team", "logs", "sessions", "proposals")
"""Folders whose files the client itself leaves out of the index that it makes."""

_HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|\Z)")
_FIELD = re.compile(r"^ *([\w.-]+):[ \t]*(.*?)[ \t]*$")
_QUOTED = re.compile(r"^([\"'])(.*)\1$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s[^\w\[`]*$")
_LINK = re.compile(
    r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
    r"\(\s*(?:<([^>\n]+)>|([^()\s]+(?:\([^()\s]*\))?[^()\s]*))(?:\s+\"[^\"\n]*\")?\s*\)"
)
_NUMBER = re.compile(r"^\s*\d+[.)]\s")
_ITEM = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|[#|>])")
_CODE = re.compile(r"`[^`\n]+`")
_SUMMARY_LINE = re.compile(r"^\s*-\s+((?:rollout_summaries|skills)/[^\s—]+)[ \t]*(.*)$")
_CODEX_INDEX = re.compile(r"(#+) (?:What's in Memory|rollout_summary_files|keywords)\s*$")
_CODEX_FIELD = re.compile(r"(?:scope|applies_to): ")
_CWD = re.compile(r"\bcwd(?:=|: )([^;,\n)]+)")
_THREAD = re.compile(r";?\s*thread_id=\S+\s*$")
_HEADINGS = frozenset(SECTIONS["headings"].split())
_REASONS = re.compile(r"^\s*\*\*(?:why|how to apply)\b", re.IGNORECASE | re.MULTILINE)


class Unreadable(Exception):
    """A file is not read; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    data: bytes = field(repr=False)
    text: str = field(repr=False)  # every byte of it: line ends and a mark at the start included
    mode: int
    at_ms: int  # when it was last changed

    @property
    def digest(self) -> str:
        return digest_of(self.data)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that an agent remembers. Its texts are without secrets."""

    key: str  # SOURCE:FOLDER/file, and #HASH in a file of several
    source: str
    title: str
    text: str
    path: str
    line: int  # from 1
    at_ms: int
    is_loaded: bool  # a start loads it, or the line that names it
    agents: tuple[str, ...]  # that know it by themselves
    is_whole_file: bool = False
    name: str = ""  # by which the client knows it, wherever the file is
    kind: str = ""  # the client's type: user, feedback, project, reference
    seen: str = ""  # the digest of the file

    @property
    def id(self) -> str:
        """Return the eight digits by which a command names it."""
        return hashlib.sha256(self.key.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def worth(self) -> float:
        """Return its rank in an index that is cut: the user's words first, then the newest."""
        return self.at_ms + (self.kind in ("user", "feedback")) * 1e15

    @property
    def statement(self) -> str:
        return statement_of(self.text)


@dataclass
class Reading:
    path: str
    facts: list[Fact] = field(default_factory=list)
    lines: int = 0  # of the index
    loaded_lines: int = 0
    index: Page | None = None
    without_line: list[str] = field(default_factory=list)  # files, below the folder
    dead: list[tuple[int, str]] = field(default_factory=list)  # line, the file that is missing
    secrets: list[tuple[str, int, str]] = field(default_factory=list)  # path, line, kind
    problems: list[tuple[str, str]] = field(default_factory=list)  # path, why it is not read
    proposals: int = 0  # that wait for the user in the client
    others: int = 0  # files of other projects

    @property
    def holds_something(self) -> bool:
        return bool(self.facts or self.problems or self.index or self.proposals)


class Line(NamedTuple):
    number: int  # from 1
    target: str  # below the folder
    hook: str  # or its title
    end: int  # the last line of the entry, which may go on over several; 0 in a sentence


def statement_of(text: str) -> str:
    """A memory's text without its reasons and a heading that says nothing, at most 600 signs."""
    statement = _REASONS.split(text, maxsplit=1)[0].strip() or text
    head, _, rest = statement.partition(": ")
    if rest and _HEADINGS.issuperset(letters_and_digits(head.lower())):
        statement = rest
    return statement.lstrip("#-* ")[:600]


def digest_of(data: bytes | None) -> str:
    """Return the mark of a file's bytes; "" for no file."""
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def read_page(path: str) -> Page:
    """Return a regular file. Raises Unreadable, and FileNotFoundError."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if os.path.islink(path):
            raise Unreadable("it is a link")
        with open(os.open(path, flags), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Unreadable("it is no regular file")
            if about.st_size > MOST_BYTES:
                raise Unreadable(f"it is larger than {MOST_BYTES // 1024} kB")
            data = file.read(MOST_BYTES + 1)
            if os.fstat(file.fileno()).st_mtime_ns != about.st_mtime_ns:
                raise Unreadable("it is being written")
        if "\0" in (text := data.decode("utf-8")):
            raise Unreadable("it is no text")
    except FileNotFoundError:
        raise
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8, or half-written") from None
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be opened") from error
    mode = stat.S_IMODE(about.st_mode)
    return Page(path, data, text, mode, about.st_mtime_ns // 1_000_000)


def files_below(folder: str, reading: Reading) -> list[str]:
    """Return the files of a folder by their paths below it, in order; skipped ones are problems."""
    paths: list[str] = []
    problems = reading.problems
    if os.path.islink(folder):
        problems.append((folder, "it is a link"))
        return paths
    fail = lambda error: problems.append((error.filename, error.strerror))  # noqa: E731
    for at, folders, names in os.walk(folder, onerror=fail):
        below = os.path.relpath(at, folder)
        for name in sorted(folders + names):
            path = f"{at}/{name}"
            if name.startswith("."):
                continue
            if (shown := path.encode("utf-8", "replace").decode()) != path:
                problems.append((shown, "its name is not UTF-8"))
            elif os.path.islink(path):
                problems.append((path, "it is a link"))
            elif name in names and len(paths) < MOST_FILES:
                paths.append(os.path.normpath(f"{below}/{name}"))
            elif name in names:
                problems.append((folder, f"only {MOST_FILES:,} files are read"))
                return paths
        is_deep = below.count("/") + 2 > DEEPEST
        folders[:] = [] if is_deep else sorted(name for name in folders if name[0] != ".")
    return sorted(paths)


def fields_of(text: str) -> tuple[dict[str, str], str]:
    """Return the fields of a text's front matter, nested ones as `metadata.type`, and the body."""
    head, fields, above, last = _HEAD.match(text), dict[str, str](), "", ""
    for line in head[1].splitlines() if head else ():
        match, is_inner = _FIELD.match(line), line[:1] == " "
        if is_inner and last and not above:
            fields[last] = f"{fields[last]} {line.strip()}".strip()
        elif match:
            last = f"{above}.{match[1]}" if is_inner and above else match[1]
            above = above if is_inner else "" if match[2] else match[1]
            fields[last] = "" if match[2][:1] in ("|", ">") else _QUOTED.sub(r"\2", match[2])
    return fields, text[head.end() :] if head else text


def lines_in(text: str) -> Iterator[Line]:
    """Yield the lines of an index that name a file below its folder."""
    lines = text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        if match := _SUMMARY_LINE.match(line):
            yield Line(number, match[1], _THREAD.sub("", match[2].strip(" \t—–-:")), number)
        bare = _CODE.sub(lambda match: "`" * len(match[0]), line)
        links = [(match, _target_of(match)) for match in _LINK.finditer(bare)]
        is_alone = len({target for _, target in links if target}) == 1
        for match, target in links:
            if target:
                more = takewhile(_goes_on, lines[number:])
                is_entry = is_alone and _BULLET.match(line[: match.start()])
                end = number + sum(1 for _ in more) if is_entry else 0
                hook = line[match.end() :].strip().lstrip(" \t*—–-:")
                yield Line(number, target, hook or match[1].strip("*` "), end)


def _target_of(match: re.Match[str]) -> str:
    """Return the file below the folder that a link names; "" for another one."""
    target = os.path.normpath(unquote(match[2] or match[3]).partition("#")[0] or ".")
    return "" if ":" in target or target.startswith((".", "/", "~")) else target


def _goes_on(line: str) -> bool:
    return line[:1] in (" ", "\t") and bool(line.strip()) and line.lstrip()[0] not in "-*+#|"


def index_of_codex(text: str, is_here: Callable[[str], bool]) -> set[int]:
    """Return the lines of Codex's files that point to more, and those of other projects' groups."""
    numbers, level, number = set[int](), 0, 0
    for group in re.split(r"^(?=# )", text, flags=re.MULTILINE):
        folders = _CWD.findall("".join(re.findall(r"^applies_to:.*", group, re.MULTILINE)))
        is_others = bool(folders) and not any(map(is_here, folders))
        for line in lines_of(group):
            number, depth = number + 1, len(line) - len(line.lstrip("#"))
            if depth and depth <= level:
                level = 0
            if _CODEX_INDEX.match(line):
                level = depth
            if is_others or level or _CODEX_FIELD.match(line):
                numbers.add(number)
    return numbers


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends. Only a line feed ends one."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def lines_loaded(text: str, limit: tuple[int, int] | None) -> int:
    """Return the number of an index's lines that a start loads, without a cut one."""
    lines = lines_of(text)
    most, signs = limit or (len(lines), len(text))
    lengths = accumulate(len(line) for line in lines[:most])
    return sum(length <= signs + 1 for length in lengths)  # the last line end may be cut


@dataclass
class Reader:
    source: Any  # a row of `hosts/sources.py`
    hosts_of: Mapping[str, Sequence[str]]  # the hosts that load a file, by its real path
    is_here: Callable[[str], bool]  # a folder is of this project
    choice: Choice = EVERYTHING
    is_on: bool = True  # the agent's start loads its memory
    remote: str | None = None  # of the project

    def read(self, path: str) -> Reading | None:
        reading = Reading(path)
        if not os.path.lexists(path):
            return None
        if self.source.form not in ("rules", "objects"):
            self._folder(path, reading)
        elif (page := self._page(path, reading)) and self.source.form == "objects":
            self._objects(page, reading)
        elif page:
            agents = tuple(dict.fromkeys(self.hosts_of.get(os.path.realpath(path), ())))
            self._entries(page, reading, len(lines_of(page.text)) if agents else 0, agents)
        return reading

    def _page(self, path: str, reading: Reading) -> Page | None:
        try:
            page = read_page(path)
        except (Unreadable, FileNotFoundError) as error:
            reason = str(error) if isinstance(error, Unreadable) else "it went meanwhile"
            reading.problems.append((path, reason))
            return None
        if kinds := self._secrets(page.text):
            for number, line in enumerate(page.text.split("\n"), 1):
                reading.secrets += ((path, number, kind) for kind in self._secrets(line))
            named = {kind for at, _, kind in reading.secrets if at == path}
            reading.secrets += ((path, 1, kind) for kind in kinds if kind not in named)
        return page

    def _secrets(self, text: str) -> tuple[str, ...]:
        return tuple(k for k in redact(text, choice=self.choice).removed if k != "email")

    def _folder(self, folder: str, reading: Reading) -> None:
        is_codex, agents = self.source.form == "summary", (self.source.agent,)
        index_name = "memory_summary.md" if is_codex else "MEMORY.md"
        names = files_below(folder, reading)
        pages = {
            name: self._page(f"{folder}/{name}", reading)
            for name in names
            if name.endswith(".md") and name not in GENERATED
            if not (is_codex and name.endswith("/instructions.md"))
        }
        index, loaded = pages.pop(index_name, None), 0
        lines = dict[str, tuple[int, str]]()  # of the index and its hook, by the file it names
        if index is not None:
            reading.index, reading.lines = index, len(lines_of(index.text))
            reading.loaded_lines = loaded = lines_loaded(index.text, self.source.limit)
            for line in lines_in(index.text):
                lines.setdefault(line.target, (line.number, line.hook))
                is_file = bool(line.end) or re.fullmatch(r"[^/]+\.md", line.target)
                if is_file and not os.path.lexists(f"{folder}/{line.target}"):
                    reading.dead.append((line.number, line.target))
            for name in set(pages) - set(lines):  # named in another way
                stem = re.escape(os.path.basename(name).removesuffix(".md"))
                if named := re.search(rf"(?<![\w.-]){stem}(?:\.md\b|\]\])", index.text):
                    lines[name] = index.text.count("\n", 0, named.start()) + 1, ""
            self._entries(index, reading, loaded, agents)
        for name, page in pages.items():
            if page is None:
                continue
            if is_codex and name == "MEMORY.md":
                self._entries(page, reading, 0, agents)
                continue
            cwd = _CWD.search(page.text.partition("\n\n")[0]) if is_codex else None
            if cwd and not self.is_here(cwd[1]):
                reading.others += 1
                continue
            at, hook = lines.get(name, (0, ""))  # without an index, the client makes a whole one
            is_loaded = at <= loaded if at else not (is_codex or index_name in names)
            reading.facts.append(self._topic(folder, name, page, hook, is_loaded=is_loaded))
            is_listed = at or is_codex or name.partition("/")[0] in NO_TOPICS
            if index is not None and not is_listed:
                reading.without_line.append(name)
        for box in ("private", "global", "."):
            with suppress(OSError):
                patches = os.listdir(f"{folder}/.inbox/{box}")
                reading.proposals += sum(name.endswith(".patch") for name in patches)

    def _topic(self, folder: str, name: str, page: Page, hook: str, *, is_loaded: bool) -> Fact:
        fields, body = fields_of(page.text)
        if name.startswith("rollout_summaries/"):
            body = body.replace("\r\n", "\n").partition("\n\n")[2] or body
        title = fields.get("description") or hook or headline("", statement_of(clean(body)))
        title = title or fields.get("name") or name
        return self._fact(
            f"{_mark_of(folder)}/{name}",
            page,
            clean(body).strip() or title,
            title,
            line=page.text[: len(page.text) - len(body)].count("\n") + 1,
            is_loaded=is_loaded and self.is_on,
            agents=(self.source.agent,),
            is_whole_file=True,
            name=clean(fields.get("name", ""))[:200],
            kind=fields.get("metadata.type") or fields.get("type", ""),
        )

    def _entries(self, page: Page, reading: Reading, loaded: int, agents: tuple[str, ...]) -> None:
        """The facts in a text that is a list of them, without the entries that name files."""
        text = page.text
        named = set[int]().union(*map(lines_of_entry, lines_in(text)))
        if self.source.form == "summary":
            named |= index_of_codex(text, self.is_here)
        if named:
            numbered = enumerate(text.split("\n"), 1)
            text = "\n".join("" if number in named else line for number, line in numbered)
        words = [frozenset(letters_and_digits(line.lower())) for line in text.split("\n")]
        for entry in (entries := entries_in(text)):
            wanted = frozenset(letters_and_digits(entry.lower()))
            # the line that has most of its words, and fewest others
            ranks = [(len(line & wanted), -len(line - wanted), -n) for n, line in enumerate(words)]
            number, mark = 1 - max(ranks)[2], self._mark(page, entry)
            is_loaded = number <= loaded and self.is_on
            reading.facts.append(
                self._fact(mark, page, entry, line=number, is_loaded=is_loaded, agents=agents)
            )
        if len(entries) >= MOST_ENTRIES:
            reading.problems.append((page.path, f"only {MOST_ENTRIES} of its entries are listed"))

    def _objects(self, page: Page, reading: Reading) -> None:
        for number, line in enumerate(page.text.removeprefix("\ufeff").split("\n"), 1):
            try:
                item = json.loads(line or "{}")
                title, text = str(item.get("subject", "")), item.get("fact")
            except (ValueError, RecursionError, AttributeError):
                item, title, text = None, "", None
            scope = item.get("scope") if item else None
            if isinstance(scope, dict) and scope.get("type") == "repository":
                repository = "/".join(str(scope.get(name)) for name in ("host", "owner", "name"))
                if repository.lower() != (self.remote or "").lower():
                    reading.others += 1
                    continue
            if isinstance(text, str) and text.strip() and item.get("type") == "memory":
                more = {"line": number, "is_loaded": False, "agents": (self.source.agent,)}
                reading.facts.append(self._fact(self._mark(page, text), page, text, title, **more))
            elif line.strip():
                reading.problems.append((page.path, f"line {number} holds no memory"))

    def _mark(self, page: Page, entry: str) -> str:
        return f"{_mark_of(page.path, 3)}#{fingerprint(entry)[:12]}"

    def _fact(self, mark: str, page: Page, text: str, title: str = "", **more: Any) -> Fact:
        title = " ".join(redact(title, choice=self.choice).value.split())[:200]
        text = redact(text, choice=self.choice).value
        name, more = self.source.name, {**more, "seen": page.digest, "at_ms": page.at_ms}
        return Fact(f"{name}:{mark}", name, title, text, page.path, **more)


def _mark_of(path: str, parts: int = 2) -> str:
    """Return the part of a path that names its project: of `…/FOLDER/memory` it is `FOLDER`."""
    names = path.split("/")[-parts:]
    return "/".join(name for name in names if name not in ("memory", "memories"))


# -- texts changed: each keeps every byte outside the change


def newline_of(text: str) -> str:
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def with_line(text: str, line: str) -> str:
    end = newline_of(text)
    gap = "" if not text or text.endswith("\n") else end
    return f"{text}{gap}{line}{end}"


def without_lines(text: str, numbers: Collection[int]) -> str:
    numbered = enumerate(lines_of(text), 1)
    return "".join(line for number, line in numbered if number not in numbers)


def index_line(title: str, name: str, hook: str) -> str:
    title = " ".join(title.replace("[", "(").replace("]", ")").split())[:60]
    target = f"<{name}>" if set(" ()") & {*name} else name
    return f"- [{title}]({target}) — {' '.join(hook.split())[:150]}"


def repaired(
    text: str,
    reading: Reading,
    new_lines: Sequence[str],
    worth: Mapping[str, float],
    limit: tuple[int, int] | None,
) -> str:
    """An index without dead entries and with `new_lines`; above the limit, the best lines first.

    Then the entries of least worth go to the end, where the cut hits them, if the rest fits.
    `worth` is a file's usefulness.
    """
    dead = [line for line in lines_in(text) if (line.number, line.target) in reading.dead]
    text = without_lines(text, set[int]().union(*map(lines_of_entry, dead)))
    for line in new_lines:
        text = with_line(text, line)
    lines, entries = lines_of(text), [line for line in lines_in(text) if line.end]
    entries.sort(key=lambda line: worth.get(line.target, 0.0))
    cut, is_open, end = lines_loaded(text, limit), not text.endswith("\n"), newline_of(text)
    least = next((worth.get(line.target, 0.0) for line in entries if line.number <= cut), inf)
    if not any(worth.get(line.target, 0.0) > least for line in entries if line.number > cut):
        return text
    lines[-1] = lines[-1].rstrip("\r\n") + end
    moved = set[int]()
    for entry in entries:
        moved.update(lines_of_entry(entry))
        loaded = [line for number, line in enumerate(lines, 1) if number not in moved]
        if lines_loaded("".join(loaded), limit) == len(loaded):
            made = "".join([*loaded, *(lines[number - 1] for number in sorted(moved))])
            return made.removesuffix(end) if is_open else made
    return text


def lines_of_entry(line: Line) -> range:
    """Return the numbers of an entry's lines; none of a sentence that names a file."""
    return range(line.number, line.end + 1)


def topic(name: str, description: str, kind: str, body: str, *, is_nested: bool) -> str:
    """A new file of one fact, as Claude Code (`metadata.type`) or Qwen Code (`type`) has it."""
    about = json.dumps(" ".join(description.split())[:150], ensure_ascii=False)
    type_lines = f"metadata:\n  type: {kind}" if is_nested else f"type: {kind}"
    return f"---\nname: {name}\ndescription: {about}\n{type_lines}\n---\n\n{body.strip()}\n"


def with_body(text: str, body: str) -> str:
    """Return a file of one fact with another body; its front matter stays byte for byte."""
    head = _HEAD.match(text)
    start = text[: head.end()] if head else ""
    rest = text[len(start) :]
    gap = rest[: len(rest) - len(rest.lstrip())]
    tail = rest[len(rest.rstrip()) :] if rest.strip() else newline_of(text)
    return start + gap + body.strip().replace("\n", newline_of(text)) + tail


def slug_of(text: str, most: int = 60) -> str:
    signs = (sign if sign.isascii() and sign.isalnum() else " " for sign in text.lower())
    slug = "-".join("".join(signs).split())
    slug = slug if len(slug) <= most else slug[:most].rpartition("-")[0] or slug[:most]
    return slug or f"memory-{fingerprint(text)[:8]}"


def object_line(memory: Memory, remote: str) -> str:
    """A memory as a line of Copilot's import; of a `host/owner/name`, for that repository."""
    scope, parts = {"type": "user"}, remote.split("/")
    if len(parts) == 3:
        scope = {"type": "repository", **dict(zip(("host", "owner", "name"), parts, strict=True))}
    item = {
        "type": "memory", "version": 1, "scope": scope, "externalId": f"memdeck:{memory.id}",
        "subject": memory.category.replace("_", " "), "fact": memory.content,
        "reason": memory.title or memory.content[:80],
        "citations": [{"type": "text", "text": "memdeck"}],
    }  # fmt: skip
    return json.dumps(item, ensure_ascii=False)


def own_lines(text: str, fact: Fact) -> set[int]:
    """Return the lines of the item or paragraph with a fact; none if it has more than that."""
    lines, wanted = ["", *text.split("\n"), ""], _words(fact.text)
    first = last = fact.line
    while not _ITEM.match(lines[first]) and re.match(r"\s*[^\s#]", lines[first - 1]):
        first -= 1
    while lines[last + 1].strip() and not _ITEM.match(lines[last + 1]):
        last += 1
    words, below = _words("\n".join(lines[first : last + 1])), lines[last + 1]
    indent = len(lines[first]) - len(lines[first].lstrip())
    has_items = _ITEM.match(below) and below[: indent + 1].isspace()
    least = _words(fact.text.partition(": ")[2]) or wanted  # without the heading above it
    return set(range(first, last + 1)) if least <= words <= wanted and not has_items else set()


def _words(text: str) -> set[str]:
    return set(letters_and_digits(redact(_NUMBER.sub("", text)).value.lower()))


def recipe(old: str, new: str) -> list[Any]:
    """Return the recipe of `new` from `old`: text, and [first, last] of kept lines, from 0."""
    lines, parts = lines_of(old), list[Any]()
    places = {line: number for number, line in reversed([*enumerate(lines)])}
    for line in lines_of(new):
        last = parts[-1] if parts else None
        if isinstance(last, list) and lines[last[1] + 1 : last[1] + 2] == [line]:
            last[1] += 1
        elif line in places:
            parts.append([places[line]] * 2)
        elif isinstance(last, str):
            parts[-1] += line
        else:
            parts.append(line)
    return parts


def made_by(parts: Sequence[Any], old: str) -> str:
    lines = lines_of(old)
    if parts and isinstance(parts[0], int):  # as an earlier version wrote it: start, end, text
        start, end, text = parts
        return "".join([*lines[:start], text, *lines[len(lines) - end :]])
    stay = (part if isinstance(part, str) else lines[part[0] : part[1] + 1] for part in parts)
    return "".join("".join(piece) for piece in stay)
