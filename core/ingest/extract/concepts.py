"""What a statement is about in a few words, and what else it names (000-11)."""

from __future__ import annotations

import os
import re

from .subjects import files_in, tags_in, unique
from .wording import without_filler

MAX_CONCEPT = 60  # characters
MAX_RELATED = 8
_FEW = 4  # words
_CODE = re.compile(r"`([^`\n]{2,60})`")


def concept_of(text: str) -> str:
    """The first code that `text` names, else its first words; never empty."""
    bare = without_filler(" ".join(text.split()))
    code = _CODE.search(bare)
    told = code[1].removesuffix("()") if code else " ".join(bare.split()[:_FEW])
    return told[:MAX_CONCEPT].strip(" .,;:`") or "statement"


def related_concepts(text: str, concept: str, root: str | None = None) -> tuple[str, ...]:
    """What else `text` names: technologies, files by their name, code; at most `MAX_RELATED`."""
    code = (name.strip("`()") for name in re.findall(r"`[^`\s]{2,40}`", text))
    files = (os.path.basename(path) for path in files_in(text, root))
    known = concept.lower()
    named = unique([*tags_in(text), *files, *code])
    return tuple(name for name in named if name.lower() not in known)[:MAX_RELATED]
