"""The standing instructions in a file that agents read, as texts that stand alone.

CLAUDE.md, AGENTS.md and GEMINI.md are Markdown. A bullet without a subject takes its heading along,
prose is cut into sentences, and short code stays with its introduction.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...db.errors import BadInput, NotFound
from ..sessions.echo import without_echo
from ..text.sentences import Block, blocks
from ..text.words import clean, decoded, normalised
from .drafts import captured_content

Statement = tuple[str, str]  # (its context or "", its text); code begins with a line feed

LONGEST = 500  # characters of a statement that is kept, as of everything that is captured

LONGEST_CONTEXT = 120

WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff]|[^\\W_\u3040-\u30ff\u3400-\u9fff]+")  # or a sign
IMPORT = re.compile(r"^@[^\s`]+$")  # a line for another file's text, which is imported from there
_INLINE = re.compile(r"(?<![\w@])@[\w./~-]*\w\.(?:md|mdc|markdown)\b")  # the same within a sentence

_WORDS_ALONE = 5  # with fewer, a bullet takes its heading along
_MOST_CODE_LINES = 8
_MOST_COMMANDS = 4  # commands without comments in one statement
_MOST_ITEM_CODE = 3  # lines of code that a list item takes in

_CODE_SPAN = re.compile(r"(``[^`\n]+``|`[^`\n]+`)")
_MASK = re.compile("\0")
_STRONG = re.compile(r"(\*\*|(?<!\w)__(?!\w+__))(?=\S)(.{1,500}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]{1,300}?)(?<=\S)\1(?![\w*])")
_STOP = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s+[^a-z\s]|\s*$)|[。！？｡।॥]+[」』”）]*")
_SHORTENED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|[A-Z])\.$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:unless|except|but|only|if|when|while|until|because|since|instead|otherwise|außer"
    r"|es sei denn|nur|wenn|salvo|excepto|sauf|除非|但)\b|(?:除非|但|除了)",
    re.IGNORECASE,
)
"""Beginnings of a line below an item that narrows it, and alone would mean something else."""

_POINTS_BACK = re.compile(
    r"^(?:this|that|these|those|it|its|they|them|their|there|here|such|otherwise|both|neither|"
    r"same|also|then|instead|doing so|if so|if not|in (?:that|this|which|both) cases?|"
    r"the (?:latter|former|same|other))\b",
    re.IGNORECASE,
)
_GENERIC_HEADING = re.compile(
    r"^\W*(?:(?:claude|agents|gemini)(?:\.local)?\.md\b.*|overview|introduction|about|notes?|rules?|"
    r"(?:(?:general|important|key|core|critical|project|additional|other|agent|my|our|the)\s+)*"
    r"(?:instructions?|guidelines?|guidance|rules?|notes?|reminders?|preferences|memor(?:y|ies)|"
    r"information|principles?|context|details|points?|things to know)|general|important|misc\w*|"
    r"remember|reminders?|summary|tl;?dr|other|(?:hinweise|regeln|anweisungen)(?: für \w+)?)\W*$",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"[,;]?\s*\b(?:(?:please|always|you (?:must|should|can)|it is important (?:to|that you)|we)"
    r"\s+)*"
    r"(?:(?:run|use|do|follow|execute|apply|observe|keep to|remember|note|here (?:is|are))\s+)?"
    r"(?:(?:all\s+)?(?:the following|these|this)(?:\s+\w+)?(?:\s+below)?|as follows|"
    r"like (?:this|so)|below)$|^\W*(?:notes?|remember|important)$",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:how to|steps?|procedure|process|workflow|checklist|runbook|deploy\w*|releas\w+|setup|"
    r"set up|install\w*|migrat\w+|before|after|when|whenever|to \w+|adding|creating)\b",
    re.IGNORECASE,
)
_SHELL = frozenset(("", "sh", "bash", "zsh", "fish", "shell", "console", "shell-session"))
_PROMPT = re.compile(r"^\s*(?:\$|❯|➜)\s+")
_REMARK = re.compile(r"^(\S.*?)\s+#\s+(\S.*)$")
_NO_COMMAND = re.compile(r"[├└│]|^\s*[{}\[\]<]|^[A-Z][\w ]*:")
_NAMED = re.compile(r"(?<![\w@])@(?=(?:[\w.~-]*/)+[\w.-]+\.\w+)")  # the same within a sentence
_ANCHOR = re.compile(r"^\[[^\]\n]*\]\(#[^)\n]*\)$")  # a line of a table of contents
_IMAGE = re.compile(r"\[?!\[[^\]\n]*\]\([^)\n]*\)(?:\]\([^)\n]*\))?")
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\(\s*<?([^)\s>]{0,500})>?(?:\s+\"[^\"\n]*\")?\)")


def _with_code(matches: Sequence[Block]) -> list[Block]:
    """The same, with short commands inside a list item and its exceptions as parts of the item."""
    made: list[Block] = []
    for block in matches:
        last = made[-1] if made else None
        is_inside = block.kind == "code" and block.level > 0
        lines = _commands(block.text) if is_inside and _is_shell(block) else []
        if last and last.kind == "item" and 0 < len(lines) <= _MOST_ITEM_CODE:
            details = _joined(command for _, command in lines if f"`{command}`" not in last.text)
            text = f"{last.text} {details}".strip().removesuffix(":")
            made[-1] = Block("item", text, last.level, last.is_ordered)
        elif block.kind == "item" and block.level and _GOES_ON.match(_plain(block.text)):
            at = max((n for n, other in enumerate(made) if other.level < block.level), default=0)
            parent = made[at] if made else block
            if parent.kind != "item" or parent.text.endswith(":"):
                made.append(block)
                continue
            made[at] = replace(parent, text=f"{parent.text.rstrip(' .;')} – {block.text}")
        else:
            made.append(block)
    return made


def statements(matches: Sequence[Block]) -> Iterator[Statement]:
    """Yield the statements of a text's blocks in order, each with its context; code unchanged."""
    for context, text in _in_context(_with_code(matches)):
        yield _plain(context), _plain(text)


def _in_context(matches: Sequence[Block]) -> Iterator[Statement]:
    headings: list[Block] = []
    titles = sum(block.kind == "heading" and block.level == 1 for block in matches)
    at = 0
    while at < len(matches):
        block = matches[at]
        if block.kind == "heading":
            headings = [heading for heading in headings if heading.level < block.level] + [block]
            at += 1
            continue
        # the nearest with content; a document's title only gives the place
        names = (
            _plain(heading.text).rstrip(" :.")
            for heading in reversed(headings)
            if heading.level > 1 or titles != 1
        )
        context = next((name for name in names if not _GENERIC_HEADING.match(name)), "")
        if block.kind == "text":
            following = matches[at + 1].kind if at + 1 < len(matches) else "heading"
            details, lead = _prose(block.text, leads=following in ("item", "code", "table"))
            for sentence in details:
                yield (context if _needs_context(sentence) else ""), sentence
            at += 1
            if not lead:
                continue
            # a lead introduces a block, whose parts all need it if it says something
            block, says = matches[at], _LEADS_ON.sub("", lead).rstrip(" ,:")
            must = bool(says)
            if context and says and len(WORD.findall(says)) < 2:
                context = f"{context} – {says}"
            else:
                context = says or context
        else:
            must = False
        end = at + 1
        if block.kind == "item":
            while end < len(matches) and matches[end].kind == "item":
                end += 1
            yield from _list(matches[at:end], context, must=must)
        elif block.kind == "code":
            yield from _code(block, context)
        elif block.kind == "table":
            yield from _table(block, context)
        at = end


def _prose(text: str, *, leads: bool) -> tuple[list[str], str]:
    """Return (sentences, the introduction of the next block or ""). Dependent ones are joined."""
    made: list[str] = []
    for line in text.split("\n"):
        details = [] if IMPORT.match(line.strip()) else sentences(line)
        for position, sentence in enumerate(details):
            leans = position > 0 and _needs_context(sentence) and not sentence.endswith(":")
            if made and (leans or _POINTS_BACK.match(sentence)):
                made[-1] = f"{made[-1]} {sentence}"
            else:
                made.append(sentence)
    lead = made.pop().rstrip(" :") if made and made[-1].endswith(":") else ""
    return made, lead if leads else ""


def _list(items: Sequence[Block], context: str, *, must: bool) -> Iterator[Statement]:
    """Yield the items, nested ones with their parents; steps of one procedure as one statement."""
    if steps := _steps(items, context):
        yield steps
        return
    parents: list[tuple[str, bool]] = [(context, must)]  # by level: context, and is it needed?
    for at, item in enumerate(items):
        parents = parents[: item.level + 1]
        around, is_needed = parents[-1]
        text = _plain(item.text)
        if is_needed or _needs_context(text):
            entry = (around, text)
        else:
            entry = ("", text)
        has_parts = at + 1 < len(items) and items[at + 1].level > item.level
        is_label = has_parts and (text.endswith(":") or len(WORD.findall(text)) <= 3)
        label = text.rstrip(" :.")
        if has_parts and len(label) <= LONGEST_CONTEXT:
            parents.append((label, is_label))
        elif has_parts:
            parents.append((around, False))
        if not is_label and not IMPORT.match(item.text) and not _ANCHOR.match(item.text):
            yield entry


def _steps(items: Sequence[Block], context: str) -> Statement | None:
    """Return a numbered list under its goal as one statement; None if it is no such list."""
    top = [item for item in items if item.level == 0]
    if len(top) < 2 or not all(item.is_ordered for item in top) or not _STEPS.search(context):
        return None
    details: list[str] = []
    for item in items:
        text = _plain(item.text).rstrip(" .;:")
        if item.level == 0:
            details.append(f"{len(details) + 1}) {text}")
        elif details:
            details[-1] = f"{details[-1]}{' – ' if ' – ' not in details[-1] else ', '}{text}"
    whole = "; ".join(details)
    return (context, whole) if len(context) + 2 + len(whole) <= LONGEST else None


def _code(block: Block, context: str) -> Iterator[Statement]:
    if _is_shell(block):
        commands = _commands(block.text)
        bare = [command for remark, command in commands if not remark]
        for remark in dict.fromkeys(remark for remark, _ in commands if remark):
            details = _joined(command for of, command in commands if of == remark)
            yield remark[:1].upper() + remark[1:], details
        if context and bare:
            groups = [bare] if len(bare) <= _MOST_COMMANDS else [[command] for command in bare]
            for group in groups:
                yield context, _joined(group)
    elif (
        context
        and block.text.count("\n") < _MOST_CODE_LINES
        and len(block.text) <= LONGEST - LONGEST_CONTEXT - 2
    ):
        yield context, f"\n{block.text}"


def _is_shell(block: Block) -> bool:
    return block.language in _SHELL and not any(
        _NO_COMMAND.search(line) for line in block.text.split("\n")
    )


def _commands(text: str) -> list[tuple[str, str]]:
    """Return (the comment beside or above or "", the command) for each line of a script."""
    matches: list[tuple[str, str]] = []
    remark = ""
    for raw in text.replace("\\\n", " ").split("\n"):
        line = " ".join(_PROMPT.sub("", raw).split())
        if not line:
            remark = ""
        elif line.startswith("#"):
            remark = line.lstrip("# ").rstrip(" :.")
        elif beside := _REMARK.match(line):
            matches.append((beside[2].rstrip(" :."), beside[1]))
        else:
            matches.append((remark, line))
    return matches


def _joined(commands: Iterable[str]) -> str:
    return ", ".join(f"`{command.replace('`', chr(39))}`" for command in commands)


def _table(block: Block, context: str) -> Iterator[Statement]:
    names = [_plain(cell) for cell in block.rows[0]]
    for row in block.rows[1:]:
        cells = [_plain(cell) for cell in row]
        text = [
            f"{name}: {cell}" if name else cell
            for name, cell in zip(names[1:], cells[1:], strict=False)
            if cell
        ]
        if cells[0] and text:
            yield context, f"{cells[0]} – {'; '.join(text)}"


# --- words


def _plain(text: str) -> str:
    """`text` without Markdown's signs outside of code, on one line; code keeps its lines."""
    if text.startswith("\n"):
        return text
    spans = iter(_CODE_SPAN.findall(text))
    masked = _NAMED.sub("", _CODE_SPAN.sub("\0", text))
    masked = _LINK.sub(_link, _IMAGE.sub("", masked))
    for sign in (_STRONG, _EMPHASIS):
        masked = sign.sub(r"\2", masked)
    return " ".join(_MASK.sub(lambda _: next(spans, ""), masked).split())


def _link(match: re.Match[str]) -> str:
    text, target = match[1], match[2]
    return text if not target or target.startswith("#") or target in text else f"{text} ({target})"


def sentences(text: str) -> list[str]:
    """Return the sentences of one line; a full stop inside code or a short form ends none."""
    text = _plain(text)
    masked = _CODE_SPAN.sub(lambda span: "`" + "·" * (len(span[0]) - 2) + "`", text)
    matches, start = [], 0
    for stop in _STOP.finditer(masked):
        if _SHORTENED.search(masked[max(start, stop.end() - 8) : stop.end()]):
            continue
        matches.append(text[start : stop.end()].strip())
        start = stop.end()
    matches.append(text[start:].strip())
    return [sentence for sentence in matches if sentence]


def _needs_context(text: str) -> bool:
    return len(WORD.findall(text)) < _WORDS_ALONE or _POINTS_BACK.match(text) is not None


MOST_ENTRIES = 1_000
MOST_BYTES = 512_000
"""Size of one file. No agent reads as much, so a larger one is no instruction file."""

_LEAST_WORDS = 2

_FRONTMATTER = re.compile(r"\A---\n.*?\n---\s*(?:\n|\Z)", re.DOTALL)
_EXPORTED = re.compile(  # the line below each memory of `memdeck export --format markdown`
    r"^_\w+ · (?:candidate|confirmed|pinned) · \d{4}-\d\d-\d\d(?: · .*)?_$", re.MULTILINE
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG_LINE = re.compile(r"^[ \t]*(?:</?[A-Za-z][^<>\n]{0,200}>[ \t]*)+$", re.MULTILINE)
_BOILERPLATE = re.compile(
    r"^this (?:file|document) (?:provides?|contains?|gives?|documents?|is (?:for|read)|guides?)\b"
    r"|^(?:see|read|refer to) (?:below|above)\b|^table of contents\b",
    re.IGNORECASE,
)


def read_file(path: str | os.PathLike[str]) -> str:
    """Return the text of an instruction file. Raises NotFound, or BadInput if it is none."""
    name = os.fspath(path)
    try:
        about = os.stat(name)
        if not stat.S_ISREG(about.st_mode):
            raise BadInput(f"{name} is no file.")
        if about.st_size > MOST_BYTES:
            raise BadInput(f"{name} is larger than {MOST_BYTES // 1000:,} kB.")
        with open(name, "rb") as stream:
            data = stream.read(MOST_BYTES)
    except FileNotFoundError:
        raise NotFound(f"There is no file {name}.", hint="Check its name and folder.") from None
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from error
    try:
        text = decoded(data)
    except UnicodeDecodeError:
        raise BadInput(
            f"{name} is not UTF-8.",
            hint="Save it as UTF-8, or convert it with `iconv -f latin1 -t utf-8`.",
        ) from None
    if "\0" in text[:4096]:
        raise BadInput(f"{name} is not a text.")
    return text


MOST_IMPORTS = 5  # how deep a file that another imports may import others

_FOR_FILES = re.compile(
    r"^(?:paths|globs|applyTo)\s*:[ \t]*(.*(?:\n[ \t]*-[ \t].*)*)", re.MULTILINE
)
_EVERYTHING = ("*", "**", "**/*", "")


class Page(NamedTuple):
    """One file of instructions, and the files to which it applies."""

    text: str
    files: tuple[str, ...]  # patterns; none: for all


def pages_of(path: str) -> tuple[list[Page], list[tuple[str, str]]]:
    """Return a file and those that its `@path` lines import, and skipped ones with reasons.

    Only Markdown in the same project is read. Raises as `read_file` for the first file.
    """
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.basename(folder).startswith("."):  # .claude, .github
        folder = os.path.dirname(folder)
    pages, problems, seen = list[Page](), list[tuple[str, str]](), set[str]()

    def read(name: str, depth: int) -> None:
        seen.add(os.path.realpath(name))
        text = read_file(name)
        front = _FRONTMATTER.match(text)
        listed = _FOR_FILES.search(front[0]) if front else None
        patterns = re.split(r"[,\n]", listed[1]) if listed else []
        cleaned = (name.strip().removeprefix("- ").strip("[]\"' ") for name in patterns)
        files = dict.fromkeys(name for name in cleaned if name not in _EVERYTHING)
        pages.append(Page(text, tuple(files)[:8]))
        for line in _imports(text):
            target = os.path.join(os.path.dirname(name), os.path.expanduser(line[1:]))
            whole = os.path.realpath(target)
            if whole in seen:
                continue
            why = ""
            if not whole.startswith(os.path.join(os.path.realpath(folder), "")):
                why = "it lies outside of the project, import it by its name"
            elif not whole.lower().endswith((".md", ".mdc", ".markdown")):
                why = "it is no Markdown"
            elif depth == MOST_IMPORTS:
                why = f"imports are followed {MOST_IMPORTS} deep"
            else:
                try:
                    read(whole, depth + 1)
                except (BadInput, NotFound) as error:
                    why = str(error)
            problems.extend([(line, why)] if why else [])

    read(os.path.abspath(path), 0)
    return pages, problems


def _imports(text: str) -> Iterator[str]:
    """Yield each `@path` outside of code: a line of its own, or a path within a sentence."""
    is_code = False
    for raw in text.splitlines():
        is_code ^= raw.lstrip().startswith(("```", "~~~"))
        line = raw.strip().removeprefix("- ").removeprefix("* ")
        if is_code:
            continue
        elif IMPORT.match(line):
            yield line
        else:
            yield from (match[0] for match in _INLINE.finditer(_CODE_SPAN.sub("", line)))


def entries_in(text: str) -> tuple[str, ...]:
    """Return the instructions in `text`, at most 1,000, once each, long ones cut at sentences.

    Injected text, comments and private passages are left out, and `passed_over` names the others.
    """
    return tuple(piece for piece, why in _judged(text) if not why)


def passed_over(text: str) -> list[tuple[str, str]]:
    """Return the parts of `text` that are no instructions, each with the reason."""
    return [(piece, why) for piece, why in _judged(text) if why]


def _judged(text: str) -> Iterator[tuple[str, str]]:
    """Yield each part of a text once, with the reason why it is no instruction, or ""."""
    instructions = set[str]()
    text = clean(text[: 2 * MOST_BYTES]).lstrip("\ufeff")
    text = _COMMENT.sub("", _FRONTMATTER.sub("", _EXPORTED.sub("", text)))
    parts = blocks(_TAG_LINE.sub("", without_echo(text)))
    yield from ((_plain(block.text), "it is ticked off") for block in parts if block.box == "[x]")
    for context, statement in statements([block for block in parts if block.box != "[x]"]):
        for piece in _within(context, statement):
            if IMPORT.match(piece) or normalised(piece) in instructions:
                continue
            why = _why_nothing(piece)
            if not why and len(instructions) == MOST_ENTRIES:
                why = f"the file has more than {MOST_ENTRIES} instructions"
            elif not why:
                instructions.add(normalised(piece))
            yield piece, why


# --- the author's own parts


# --- from statements to texts


def _within(context: str, text: str) -> Iterator[str]:
    """Yield the statement, cut at its sentences where it is too long; each part has the context."""
    head = captured_content(context.rstrip(" :"), LONGEST_CONTEXT)
    if text.startswith("\n"):
        head = f"{head}:"
    elif head:
        head = "" if _words(head) <= _words(text) else f"{head}: "  # does the text say as much?
    room = LONGEST - len(head)
    if len(text) <= room:
        yield f"{head}{text}".strip()
        return
    part = ""
    for sentence in sentences(text):
        if part and len(part) + 1 + len(sentence) > room:
            yield f"{head}{part}"
            part = ""
        part = f"{part} {sentence}".strip()
    if part:
        yield f"{head}{part}"


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def _why_nothing(text: str) -> str:
    if len(WORD.findall(text)) < _LEAST_WORDS:
        return "a single word has no meaning without its context"
    if text.endswith(("?", ":")):
        return "it is a question" if text.endswith("?") else "nothing follows it"
    return "it describes the file" if _BOILERPLATE.match(text) else ""
