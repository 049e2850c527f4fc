"""The Python code that the design documents print, as it stands in `000.md` to `004.md`."""

import asyncio
import dataclasses
import datetime
import enum
import hashlib
import json
import re
import typing
import uuid
from pathlib import Path

import memdeck

BLOCKS = {
    (path.stem, title): code
    for path in sorted(Path(__file__).parent.glob("00?.md"))
    for title, code in re.findall(
        r"^## ([^\n]+)\n\n```python\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
}
"""By document and title."""

CHANGES = (
    ("from amplihack.memory import", "from memdeck import"),  # the package's name
    ("from agent_engine.schemas import", "from memdeck import"),
    # its contract two pages on returns a pair
    (
        "memory_context = pipeline.retrieve_relevant(",
        "memory_context, _ = pipeline.retrieve_relevant(",
    ),
)
"""What is run instead of what is printed."""

NOT_RUN = {
    ("000", "Session-Scoped vs Global Memories"): "a rule of maintenance: core/test_promotion.py",
    ("001", "Add extraction logic"): "no Python: a bare `...` among the parameters",
    ("001", "agent_review.py"): "its methods are empty; core/models/reviewers.py has the reviewers",
}


def namespace(**more):
    """What printed code may take for granted: our public names, and the library's that it uses."""
    ours = {name: getattr(memdeck, name) for name in memdeck.__all__}
    library = {**vars(typing), **vars(dataclasses), "asyncio": asyncio, "Enum": enum.Enum}
    library |= {"hashlib": hashlib, "json": json, "uuid4": uuid.uuid4}
    return {**library, "datetime": datetime.datetime, **ours, **more}


def run(document, title, **more):
    """Run a block; return its namespace, which a function of it can still be given names in."""
    code = BLOCKS[document, title]
    for printed, instead in CHANGES:
        code = code.replace(printed, instead)
    names = namespace(**more)
    exec(compile(code, f"{document}, {title}", "exec"), names)
    return names
