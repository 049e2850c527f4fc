"""The standing instructions in a file that agents read, as texts that stand alone.

CLAUDE.md, AGENTS.md and GEMINI.md are Markdown. A bullet that does not say what it is about takes
its heading along, prose is cut into sentences, and short code stays with what introduces it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from ..errors import BadInput, NotFound
from ..sessions.echo import without_echo
from ..text.clean import clean, decoded
from ..text.sentences import blocks
from .drafts import captured_content
from .fingerprint import normalised
from .statements import IMPORT, LONGEST, LONGEST_CONTEXT, WORD, sentences, statements

MOST_ENTRIES = 200
MOST_BYTES = 512_000
"""Of one file. No agent is given as much; what is larger is no instruction file."""

OF_PROJECT = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md")
OF_PERSON = (".claude/CLAUDE.md", ".codex/AGENTS.md", ".gemini/GEMINI.md")

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


def instruction_files(root: str | os.PathLike[str] | None, home_dir: str) -> list[str]:
    """The instruction files that there are: the project's, then the person's own.

    A file that is another's link is named once. `root` is the project's folder, if it has one.
    """
    paths = [os.path.join(os.fspath(root), name) for name in OF_PROJECT] if root else []
    paths += [os.path.join(home_dir, name) for name in OF_PERSON]
    found: dict[tuple[int, int], str] = {}
    for path in paths:
        try:
            about = os.stat(path)
        except OSError:
            continue
        if stat.S_ISREG(about.st_mode):
            found.setdefault((about.st_dev, about.st_ino), os.path.normpath(path))
    return list(found.values())


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of an instruction file. Raises NotFound, or BadInput for what is none."""
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
            hint="Save it as UTF-8; `iconv -f latin1 -t utf-8` makes it so.",
        ) from None
    if "\0" in text[:4096]:
        raise BadInput(f"{name} is not a text.")
    return text


def entries_in(text: str) -> tuple[str, ...]:
    """The instructions in `text`, each of at most 500 characters; at most 200, without doubles.

    What memdeck itself injected, comments, private passages, bare imports and what is ticked off
    are passed over.
    """
    found: dict[str, str] = {}
    to_keep = [block for block in blocks(_own_words(text)) if block.box != "[x]"]
    for context, statement in statements(to_keep):
        for piece in _within(context, statement):
            if _says_something(piece):
                found.setdefault(normalised(piece), piece)
            if len(found) == MOST_ENTRIES:
                return tuple(found.values())
    return tuple(found.values())


# --- what is the author's


def _own_words(text: str) -> str:
    text = clean(text[: 2 * MOST_BYTES]).lstrip("\ufeff")
    text = _COMMENT.sub("", _FRONTMATTER.sub("", _EXPORTED.sub("", text)))
    return _TAG_LINE.sub("", without_echo(text))


# --- from statements to texts


def _within(context: str, text: str) -> Iterator[str]:
    """The statement, cut at its sentences where it is too long; each part has the context."""
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
        part = captured_content(f"{part} {sentence}".strip(), room)
    if part:
        yield f"{head}{part}"


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def _says_something(text: str) -> bool:
    return (
        len(WORD.findall(text)) >= _LEAST_WORDS
        and not text.endswith(("?", ":"))
        and not _BOILERPLATE.match(text)
        and not IMPORT.match(text)
    )
