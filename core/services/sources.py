"""The agents' own memories: read, compared, imported, and changed by planned diffs."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any

from ...db import memories
from ...db.errors import BadInput, NotFound, Refused
from ...db.home import replace_file
from ...db.images import headline
from .. import hosts
from ..agents import FileChange
from ..answers import ImportReport, Neighbour
from ..context import must_not_be_agent
from ..ingest import sources as forms
from ..ingest.conflicts import oppositions
from ..ingest.kinds import category_of
from ..ingest.sources import Fact, Page, Reader, Reading, digest_of
from ..projects import identify, whereabouts
from ..redaction.redact import EVERYTHING, Choice, redact
from ..text.sameness import content_of, says_the_same, values
from .preferences import EDIT

if TYPE_CHECKING:
    from ...db.store import Allowed
    from ..context import Context
    from .curation import Curation
    from .search import Search
    from .transfer import Imports

MOST_COMPARED = 40
"""Facts with the same word, from which on the word is no sign of a common subject."""

LONGEST_STATEMENT = 300
"""Characters of a first paragraph that is compared: a longer one is a report of many things."""

_KINDS = {"preference": "user", "warning": "feedback", "pattern": "feedback"}
"""Claude Code's type of a memory, by category; any other is `project`."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    source: Any  # a row of `hosts/sources.py`
    reading: Reading

    @property
    def loaded(self) -> int:
        """Return how many facts a start loads, or the lines that name them."""
        return sum(fact.is_loaded for fact in self.reading.facts)

    @property
    def notes(self) -> tuple[str, ...]:
        reading, notes = self.reading, list[str]()
        if beyond := reading.lines - reading.loaded_lines:
            notes.append(f"{beyond:,} of {reading.lines:,} lines are never loaded.")
        if files := reading.without_line:
            more = f" and {len(files) - 5} more" if len(files) > 5 else ""
            names = f"{', '.join(files[:5])}{more}"
            notes.append(
                f"{len(files)} file{'s'[len(files) == 1 :]} without an index line: {names}."
            )
        for number, target in reading.dead:
            notes.append(f"Line {number} of the index names {target}, which does not exist.")
        for path, number, kind in reading.secrets:
            notes.append(f"A secret ({kind}) is in line {number} of {os.path.basename(path)}.")
        for path, why in reading.problems:
            verb = "" if why.startswith("only") else " is not read"
            notes.append(f"{os.path.basename(path)}{verb}: {why}.")
        if reading.others:
            notes.append(f"Of other projects, not listed: {reading.others}.")
        if reading.proposals:
            notes.append(f"Proposals that wait for you in the agent: {reading.proposals}.")
        return tuple(notes)


@dataclass(frozen=True, slots=True)
class FactGroup:
    """One fact, with each place that has it."""

    facts: tuple[Fact, ...]
    memory: str = ""  # the id of memdeck's own that says the same

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(sorted({agent for fact in self.facts for agent in fact.agents}))


@dataclass(frozen=True, slots=True)
class FactConflict:
    """A fact that contradicts a newer one; either may be a memory of memdeck (by its id)."""

    older: Fact
    newer: Fact
    reason: str


@dataclass(frozen=True, slots=True)
class Survey:
    """All memories that agents keep for one project by themselves."""

    sources: tuple[SourceReport, ...]
    groups: tuple[FactGroup, ...]
    conflicts: tuple[FactConflict, ...]
    elsewhere: tuple[str, ...]  # memory folders of a checkout of the same name

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for source in self.sources for fact in source.reading.facts)


@dataclass(frozen=True, slots=True)
class SourcePlan:
    act: str  # as the history says it
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]  # of the journal

    @property
    def can_be_undone(self) -> bool:
        """Return False if a text holds a secret, of which no copy is kept."""
        return all(row["back"] is not None for row in self.rows)


def reports(folder: str, root: str, choice: Choice = EVERYTHING) -> list[SourceReport]:
    """Return the agents' own memories of the project at `root`, seen from `folder`."""
    room = hosts.registry.sources()
    loaders, made = room.hosts_of(folder, root), list[SourceReport]()
    remote = identify(root).remote

    @cache
    def is_here(path: str) -> bool:
        if os.path.isabs(path := path.strip()):
            return whereabouts(path)[0] == os.path.realpath(root)
        return not PureWindowsPath(path).drive

    for source in room.SOURCES:
        for path in source.folders(folder, root):
            is_on = source.is_loaded(path, root)
            reader = Reader(source, loaders, is_here, choice, is_on, remote)
            if reading := reader.read(path):
                made.append(SourceReport(source, reading))
    read = {report.reading.path for report in made if report.reading.facts}
    for report in made:  # a link to another file that is read
        if os.path.islink(path := report.reading.path) and os.path.realpath(path) in read:
            report.reading.problems.clear()
    return [report for report in made if report.reading.holds_something]


def remembered(made: Sequence[SourceReport]) -> list[str]:
    """Return by agent the number of its memories, and of unloaded ones; then the rules."""
    totals: dict[str, list[int]] = {}
    for report in made:
        name = report.source.title.partition("'")[0] if report.source.agent else ""
        total, count = totals.setdefault(name, [0, 0]), len(report.reading.facts)
        total[:] = total[0] + count, total[1] + count - report.loaded
    rules, _ = totals.pop("", (0, 0))
    texts = [
        f"{name} remembers {count} thing{'s'[count == 1 :]} here"
        + (f"; {missing} {'is' if missing == 1 else 'are'} never loaded." if missing else ".")
        for name, (count, missing) in totals.items()
        if count
    ]
    holds = f"Instruction files hold {rules} rule{'s'[rules == 1 :]}."
    return [*texts, holds] if rules else texts


class Sources:
    _context: Context
    _imports: Imports
    _curation: Curation
    _search: Search
    _last: tuple[str, Survey] | None = None

    @property
    def _folders(self) -> tuple[str, str]:
        """Return the folder in which an agent works, and the main checkout."""
        if not (root := self._context.root):
            raise Refused("This project has no folder.", hint="Run it in the project's folder.")
        here = os.path.realpath(os.getcwd())
        return (here if whereabouts(here)[0] == os.path.realpath(root) else root), root

    def reports(self) -> list[SourceReport]:
        return reports(*self._folders, self._context.redaction_choice())

    def mark(self) -> str:
        """Return a mark that changes with any file of a source: for polling. Nothing is read."""
        seen: list[str] = []
        for source in hosts.registry.sources().SOURCES:
            for path in source.folders(*self._folders):
                below = forms.files_below(path, Reading(path)) if os.path.isdir(path) else []
                for name in (path, *(f"{path}/{name}" for name in below)):
                    with suppress(OSError):
                        about = os.lstat(name)
                        seen.append(f"{name} {about.st_mtime_ns} {about.st_ctime_ns}")
        return digest_of("\n".join(seen).encode("utf-8", "surrogateescape"))

    def survey(self) -> Survey:
        """Return everything, compared, with memdeck's memories too; made again after a change."""
        store = self._context.store
        version = f"{self.mark()} {store.data_version()} {store.connection.total_changes}"
        if self._last is None or self._last[0] != version:
            self._last = version, self._compared(self.reports())
        return self._last[1]

    def _compared(self, made: list[SourceReport]) -> Survey:
        facts = [fact for report in made for fact in report.reading.facts]
        groups, pairs = _groups(facts)
        conflicts, with_memory = [*_conflicts(pairs), *_renamed(facts)], list[FactGroup]()
        for group in groups:
            fact = group.facts[0]
            near = self._search.sharing_words(fact.statement)
            taken = (self._taken_from(item.key) for item in group.facts)
            memory = next((other.id for other in near if _says(fact, other.content)), "")
            memory = memory or next(filter(None, taken), "")
            with_memory.append(replace(group, memory=memory))
            own = [
                Fact(item.id, "", item.title, item.content, "", 0, item.created_ms, False, ())
                for item in near
                if item.id != memory
            ]
            conflicts += _conflicts((fact, item) for item in own)
        elsewhere = hosts.registry.sources().elsewhere(self._folders[1])
        once = {frozenset((item.older.statement, item.newer.statement)): item for item in conflicts}
        return Survey(tuple(made), tuple(with_memory), tuple(once.values()), tuple(elsewhere))

    def _taken_from(self, key: str) -> str:
        """Return the id of the live memory that was imported from there, or ""."""
        rows = memories.by_name(self._context.database, key, self._context.project_id)
        matches = self._context.memories([row["num"] for row in rows])
        return next((item.id for item in matches if item.key == key and not item.retired_at), "")

    def facts(self, refs: Sequence[str]) -> list[Fact]:
        facts, matches = self.survey().facts, list[Fact]()
        for ref in refs:
            path = os.path.abspath(os.path.expanduser(ref))
            named = [fact for fact in facts if len(ref) > 3 and fact.id.startswith(ref)]
            named = named or [fact for fact in facts if path == fact.path]
            if not named:
                hint = "`memdeck sources` lists the ids."
                raise NotFound(f"No agent remembers {ref[:60]!r}.", hint=hint)
            matches += named
        return list(dict.fromkeys(matches))

    def take(self, refs: Sequence[str] = (), *, share: bool = False) -> ImportReport:
        """Take facts over, by default all new ones; `share` confirms them. Raises NotFound."""
        must_not_be_agent(self._context.actor)
        new = [group.facts[0] for group in self.survey().groups if not group.memory]
        chosen = self.facts(refs) if refs else new
        with self._context.as_one_act():
            report = self._imports.import_memories(map(self._object_of, chosen))
            if share and (ids := [memory for memory in report.ids if memory]):
                self._curation.keep(ids)
        return report

    def _object_of(self, fact: Fact) -> dict[str, Any]:
        is_rule = _source(fact.source).form == "rules"
        folders = hosts.registry.upwards(self._folders[0])
        is_users = is_rule and not any(fact.path.startswith(f"{folder}/") for folder in folders)
        return {
            "content": fact.text if len(fact.text) <= 4_000 else f"{fact.text[:3_990]} …",
            "title": fact.title,
            "category": category_of(fact.statement),
            "scope": "global" if is_users else "project",
            "status": "confirmed" if is_rule else "candidate",
            "importance": 0.7 if is_rule else 0.5,
            "tags": ["instructions"] if is_rule else [],
            "agent": None if is_rule else fact.source,
            "created_at": datetime.fromtimestamp(fact.at_ms / 1000, UTC),
            "key": fact.key,
        }

    # --- acts on files, planned

    def plan_repair(self, folder: str = "") -> SourcePlan:
        """Plan to complete the indexes, of a `folder` or all, and drop and order their lines."""
        wanted = os.path.abspath(os.path.expanduser(folder)) if folder else ""
        texts, notes = self._texts(), list[str]()
        for report in self.reports():
            reading, source = report.reading, report.source
            if source.form not in ("index", "notes") or wanted not in ("", reading.path):
                continue
            if not (index := reading.index):
                notes.append(f"{reading.path} has no index: {source.title} makes it by itself.")
                continue
            topics = {os.path.relpath(fact.path, reading.path): fact for fact in reading.facts}
            lines = [
                forms.index_line(fact.name or name.removesuffix(".md"), name, fact.title)
                for name in reading.without_line
                if (fact := topics.get(name))
            ]
            worth = {name: fact.worth for name, fact in topics.items()}
            text = texts.of(index.path, seen=index.digest)
            texts.put(index.path, forms.repaired(text, reading, lines, worth, source.limit))
        return texts.plan("index repaired", notes)

    def plan_forget(self, refs: Sequence[str]) -> SourcePlan:
        """Plan to remove facts from an agent's own memory. Raises Refused if it cannot."""
        texts, notes, numbers = self._texts(), list[str](), dict[str, set[int]]()
        for fact in self.facts(refs):
            if (source := _source(fact.source)).form == "summary":
                notes.append(self._note(source, texts, f"Forget this: {fact.text}"))
            elif fact.is_whole_file:
                texts.of(fact.path, seen=fact.seen)
                texts.put(fact.path, None)
                for report in self.survey().sources:
                    if (index := report.reading.index) and fact in report.reading.facts:
                        below = os.path.relpath(fact.path, report.reading.path)
                        lines = forms.lines_in(texts.of(index.path, seen=index.digest))
                        entries = [forms.lines_of_entry(x) for x in lines if x.target == below]
                        numbers.setdefault(index.path, set()).update(*entries)
            else:
                text = texts.of(fact.path, seen=fact.seen)
                is_object = source.form == "objects"  # a line each
                lines_of_fact = {fact.line} if is_object else forms.own_lines(text, fact)
                if not lines_of_fact:
                    text = f"Line {fact.line} of {fact.path} says more than this."
                    raise Refused(text, hint="Edit it by hand.")
                numbers.setdefault(fact.path, set()).update(lines_of_fact)
        for path, wanted in numbers.items():
            texts.put(path, forms.without_lines(texts.of(path), wanted))
        return texts.plan("forgotten where an agent keeps it", dict.fromkeys(notes))

    def plan_write(self, ref: str, to: str) -> SourcePlan:
        """Write a memory into an agent's own memory: claude, qwen, codex, gemini or copilot.

        Raises Refused for a private memory, one that is there already, and an agent without a
        memory for this project.
        """
        memory = self._context.resolve(ref)
        self._context.must_be_here(memory)
        if memory.privacy != "public" or memory.retired_at:
            raise Refused(f"“{memory.title}” is not for every agent.", hint="Choose another one.")
        if to not in own_memories():
            hint = f"Use: {', '.join(own_memories())}."
            raise BadInput(f"{to!r} has no memory to write to.", hint=hint)
        texts, source = self._texts(), _source(to)
        own = [fact for fact in self.survey().facts if fact.source == to]
        if any(
            fact.text == memory.content if fact.key == memory.key else _says(fact, memory.content)
            for fact in own
        ):
            raise Refused(f"{source.title} says this already.", hint="Nothing was changed.")
        if not (path := source.to_write(*self._folders)):
            raise Refused(
                f"{source.title} is off, or has no folder for this project yet.",
                hint="Start the agent here once, with its memory switched on.",
            )
        note = "The agent reads it at its next start."
        if source.form == "summary":
            note = self._note(source, texts, memory.content)
        elif source.form == "notes":
            texts.add_line(f"{path}/MEMORY.md", f"- {' '.join(memory.content.split())}")
        elif source.form == "objects":
            remote = self._context.project.remote if memory.scope != "global" else ""
            texts.add_line(path, forms.object_line(memory, remote or ""))
            note = f"Now run: copilot memories import {path} --on-conflict skip"
        elif same := [fact for fact in own if fact.key == memory.key and fact.is_whole_file]:
            text = texts.of(same[0].path, seen=same[0].seen)
            texts.put(same[0].path, forms.with_body(text, memory.content))
        else:
            name = forms.slug_of(memory.title)
            while os.path.lexists(f"{path}/{name}.md"):
                name += "-2"
            hook = headline("", memory.content)
            kind = _KINDS.get(memory.category, "project")
            page = forms.topic(name, hook, kind, memory.content, is_nested=source.is_nested)
            texts.put(f"{path}/{name}.md", page)
            if os.path.lexists(f"{path}/MEMORY.md"):
                line = forms.index_line(memory.title or name, f"{name}.md", hook)
                texts.add_line(f"{path}/MEMORY.md", line)
        return texts.plan(f"“{memory.title}” written to the memory of {to}", [note])

    def _note(self, source: Any, texts: Texts, content: str) -> str:
        """Leave a note for Codex, its interface for other programs; return the consequence."""
        if not (folder := source.to_write(*self._folders)):
            hint = "Set `memories = true` below `[features]` in its config.toml."
            raise Refused("Codex's memory is off.", hint=hint)
        mark = digest_of(content.encode("utf-8"))[:6]  # two notes of one second may begin alike
        name = f"{self._context.now():%Y-%m-%dT%H-%M-%S}-{forms.slug_of(content)}-{mark}.md"
        texts.put(f"{folder}/extensions/ad_hoc/notes/{name}", f"{content.strip()}\n")
        return "Codex takes the note over at its next consolidation."

    def _texts(self) -> Texts:
        return Texts(self._context.redaction_choice())

    def carry_out(self, plan: SourcePlan) -> None:
        carry_out(self._context, plan, "sources")


def carry_out(context: Context, plan: SourcePlan, action: str) -> None:
    """Carry out a plan, as one undo. Raises Refused if a file changed since."""
    must_not_be_agent(context.actor)
    edits = FileEdits()
    with edits.restored_on_failure(), context.change(action, plan.act) as change:
        for number, row in enumerate(plan.rows):
            change.put("setting", {"key": f"{EDIT}{context.new_id()}|{number}", "value": row})
        context.ensure_project(change)
        for item, row in zip(plan.changes, plan.rows, strict=True):
            edits.put(item.path, row["before"], item.after, row["mode"])


def own_memories() -> dict[str, str]:
    """Return the title of each agent's own memory that can be written to, by its name."""
    return {row.name: row.title for row in hosts.registry.sources().SOURCES if row.agent}


def _source(name: str) -> Any:
    return next(row for row in hosts.registry.sources().SOURCES if row.name == name)


# -- texts that an act changes


class Texts:
    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._pages: dict[str, Page | None] = {}
        self._new: dict[str, str | None] = {}

    def of(self, path: str, *, seen: str = "") -> str:
        """Return the text of a file, with the changes so far; "" without one. Raises Refused."""
        if path not in self._pages:
            self._pages[path] = page = page_to_change(path)
            if seen and (page is None or page.digest != seen):
                raise _is_changed(path)
            self._new[path] = page.text if page else None
        return self._new[path] or ""

    def put(self, path: str, text: str | None) -> None:
        self.of(path)
        self._new[path] = text

    def add_line(self, path: str, line: str) -> None:
        self.put(path, forms.with_line(self.of(path), line))

    def plan(self, act: str, notes: Iterable[str]) -> SourcePlan:
        changes, rows, notes = list[FileChange](), list[dict[str, Any]](), list(notes)
        for path, text in self._new.items():
            page = self._pages[path]
            before = page.data if page else None
            after = None if text is None else text.encode("utf-8")
            if before != after:
                old, new = page.text if page else None, text
                changes.append(FileChange(path, before, after, self._diff(path, old, new)))
                row: dict[str, Any] = {
                    "path": path,
                    "before": digest_of(before),
                    "after": digest_of(after),
                }
                row |= {"back": self._recipe(new, old), "forth": self._recipe(old, new)}
                rows.append({**row, "mode": page.mode if page else 0o600})
        if not changes:
            raise NotFound("There is nothing to change.", hint=" ".join(notes))
        plan = SourcePlan(act, tuple(changes), tuple(notes), tuple(rows))
        if not plan.can_be_undone:
            secret = "A secret is in the text: memdeck keeps no copy, so this cannot be undone."
            return replace(plan, notes=(*notes, secret))
        return plan

    def _diff(self, path: str, old: str | None, new: str | None) -> str:
        before, after = (redact(text or "", choice=self._choice).value for text in (old, new))
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), path, path, lineterm=""
        )
        return "\n".join(lines)

    def _recipe(self, source: str | None, target: str | None) -> Any:
        """Return the recipe of one text from the other; False: no file, None: it has a secret."""
        if target is None:
            return False
        parts = forms.recipe(source or "", target)
        text = "\n".join(part for part in parts if isinstance(part, str))
        return None if redact(text, choice=self._choice).removed else parts


def _is_changed(path: str) -> Refused:
    return Refused(f"{path} was changed since you saw it.", hint="Look at it, then repeat.")


def page_to_change(path: str) -> Page | None:
    """Return a file, or None. Raises Refused for a link, hard links, and unreadable files."""
    try:
        if os.path.islink(folder := os.path.dirname(path)):
            raise Refused(f"{folder} is a link.", hint="memdeck does not write through links.")
        page = forms.read_page(path)
        if os.lstat(path).st_nlink > 1:
            raise forms.Unreadable("it has several names (hard links)")
        return page
    except FileNotFoundError:
        return None
    except forms.Unreadable as error:
        raise Refused(f"{path} is not changed: {error}.", hint="Edit it by hand.") from None


class FileEdits:
    """Files that are changed together with the journal, or not at all."""

    def __init__(self) -> None:
        self._done: list[tuple[str, bytes | None, int]] = []

    def follow(self, row: Mapping[str, Any]) -> None:
        """Apply a row of an undo or a redo to its file. Raises Refused."""
        value = (row["after"] or row["before"])["value"]
        names = ("before", "after", "forth") if row["after"] else ("after", "before", "back")
        seen, wanted, parts = (value[name] for name in names)
        path, page = value["path"], page_to_change(value["path"])
        if parts is None:
            why = f"The text in {path} held a secret, of which memdeck keeps no copy."
            raise Refused(why, hint="Write it again by hand.")
        text = None if parts is False else forms.made_by(parts, page.text if page else "")
        made = None if text is None else text.encode("utf-8")
        if digest_of(made) != wanted:
            raise _is_changed(path)
        self.put(path, seen, made, value["mode"])

    def put(self, path: str, seen: str, data: bytes | None, mode: int) -> None:
        """Give a file other bytes; `seen` is the digest of those before, `mode` a new file's."""
        page = page_to_change(path)
        if digest_of(page.data if page else None) != seen:
            raise _is_changed(path)
        try:
            self._write(path, data, page.mode if page else mode)
        except OSError as error:
            hint = "Check its permissions."
            raise Refused(f"{path} cannot be written: {error.strerror}.", hint=hint) from error
        self._done.append((path, page.data if page else None, mode))

    @contextmanager
    def restored_on_failure(self) -> Iterator[None]:
        """Restore the files if the journal does not accept the changes of this block."""
        try:
            yield
        except BaseException:
            for path, data, mode in reversed(self._done):
                with suppress(OSError):
                    self._write(path, data, mode)
            raise

    def _write(self, path: str, data: bytes | None, mode: int) -> None:
        if data is None:
            os.unlink(path)
        else:
            replace_file(path, data, mode)


@contextmanager
def following(context: Context) -> Iterator[Allowed]:
    """Yield the check of an undo's rows, which changes their files too: both, or neither."""
    with ExitStack() as edits:

        def allowed(rows: list[dict[str, Any]]) -> None:
            context.consent.must_cover(rows)
            context.must_be_an_agents(rows, "undo")
            for row in rows:
                if row["table"] != "setting":
                    continue
                if row["key"].startswith("file|"):
                    why = "An earlier version of memdeck changed this setting."
                    raise Refused(why, hint=f"Change it in {context.home.config}.")
                if row["key"].startswith(EDIT):
                    edits.enter_context((files := FileEdits()).restored_on_failure())
                    files.follow(row)

        yield allowed
    context.reload_policy()


# -- comparing


def _says(fact: Fact, text: str) -> bool:
    return fact.text == text or says_the_same(fact.statement, forms.statement_of(text))


def _groups(facts: Sequence[Fact]) -> tuple[list[FactGroup], list[tuple[Fact, Fact]]]:
    """Return the facts, each once with all its places, and pairs that differ on one subject."""
    keys: list[frozenset[str]] = []
    by_word: dict[str, list[int]] = {}
    for number, fact in enumerate(facts):
        content = content_of(fact.statement)
        words = frozenset(content.distinctive | content.marks) or frozenset(content.weights)
        attributes = (values()[key][0] for key in content.weights.keys() & values().keys())
        keys.append(words.union(attributes))
        for word in keys[-1]:
            by_word.setdefault(word, []).append(number)
    first = [*range(len(facts))]
    pairs: list[tuple[Fact, Fact]] = []
    for number, fact in enumerate(facts):
        shared: dict[int, int] = {}
        for word in keys[number]:
            rows = by_word[word]
            for other in rows if len(rows) <= MOST_COMPARED else rows[:MOST_COMPARED]:
                if other < number:
                    shared[other] = shared.get(other, 0) + 1
        for other, count in shared.items():
            if 2 * count < min(len(keys[number]), len(keys[other])):
                continue
            if _says(fact, facts[other].text):
                old, new = sorted((first[number], first[other]))
                first = [old if at == new else at for at in first]
            else:
                pairs.append((facts[other], fact))
    places: dict[int, list[Fact]] = {}
    for number, fact in enumerate(facts):
        group = places.setdefault(first[number], [])
        if (fact.path, fact.line) not in ((item.path, item.line) for item in group):
            group.append(fact)
    return [FactGroup(tuple(group)) for group in places.values()], pairs


def _conflicts(pairs: Iterable[tuple[Fact, Fact]]) -> Iterator[FactConflict]:
    for pair in pairs:
        older, newer = sorted(pair, key=lambda fact: fact.at_ms)
        old, new = (fact.statement.partition("\n\n")[0] for fact in (older, newer))
        if max(len(old), len(new)) > LONGEST_STATEMENT:
            continue
        heads = old.partition(": "), new.partition(": ")
        if older.path == newer.path and heads[0][0] == heads[1][0]:  # of one list: its heading
            old, new = heads[0][2] or old, heads[1][2] or new
        near = Neighbour("", old, created_ms=older.at_ms)
        for item in oppositions(
            new, category=near.category, files=(), neighbours=[near], created_ms=newer.at_ms,
            is_users=True, is_spoken=False,
        ):  # fmt: skip
            yield FactConflict(older, newer, replace(item, kind="contradictory").reason)


def _renamed(facts: Sequence[Fact]) -> Iterator[FactConflict]:
    """Yield files of one folder with the same name inside and other contents."""
    named: dict[tuple[str, str], Fact] = {}
    for fact in sorted(facts, key=lambda item: item.at_ms):
        older = named.get((fact.source, fact.name)) if fact.name else None
        if older and not _says(fact, older.text):
            yield FactConflict(older, fact, f"both are called {fact.name}.")
        named[fact.source, fact.name] = fact
