"""The index of rooms, made from the rooms: `make rooms` writes docs/rooms.md, a test compares.

A room is a module; what it is for is the first sentence of its docstring, a package's that of its
`__init__.py`.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rooms.md"
FOLDERS = ("db", "core", "agents", "cli", "tui", "themes", "demo")
HEAD = """# Rooms

Every module of the package, with the first line of its docstring. Made by `make rooms`; the plan
of the house and the walks through it are in [ARCHITECTURE.md](../ARCHITECTURE.md).
"""


def rooms() -> list[Path]:
    """Every module of the package, folder by folder; those at its root come first."""
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [*sorted(ROOT.glob("*.py")), *sorted(inside)]


def purpose(path: Path) -> str:
    """The first line of a module's docstring."""
    quotes, text = '"""', path.read_text("utf-8")
    if not text.startswith(quotes):
        return ""
    told = text[: text.index(quotes, len(quotes)) + len(quotes)]  # alone: quicker than the module
    return (ast.get_docstring(ast.parse(told)) or "").split("\n")[0]


def page() -> str:
    """The index as Markdown: a heading a package, a line a module."""
    parts = [HEAD]
    every = rooms()
    folders = dict.fromkeys(path.parent for path in every)
    for folder in sorted(folders, key=lambda one: one.parts):
        init = folder / "__init__.py"
        name = f"{folder.relative_to(ROOT)}/" if folder != ROOT else "memdeck"
        parts.append(f"## {name}\n\n{purpose(init) if init.exists() else ''}\n")
        lines = [
            f"- `{path.name}`: {purpose(path)}"
            for path in every
            if path.parent == folder and path.name != "__init__.py"
        ]
        parts.append("\n".join(lines) + "\n" if lines else "")
    return "\n".join(part for part in parts if part)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
