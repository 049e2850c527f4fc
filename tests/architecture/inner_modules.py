"""Which modules behind the doors the tests import: counted from their text, a folder at a time.

`python -m memdeck.tests.architecture.inner_modules` prints the count by folder and takes the names
that no test imports any more out of tests/inner_modules.txt. It never puts one in.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
LIST = TESTS / "inner_modules.txt"
ROOMS = ("agents", "cli", "core", "db", "demo", "themes", "tui")
DOORS = {
    "memdeck.agents.main": "a hook's stdin",
    "memdeck.cli.main": "the command line in process",
    "memdeck.tui.app": "the app, by its keys",
}
"""What a test may always import, beside `memdeck` itself (the Python API)."""

_NAMES_A_ROOM = re.compile(
    r"\bmemdeck(?:\.| import (?:\(|.*))(?:{})\b|\bmemdeck import \(".format("|".join(ROOMS))
)
"""What stands in every text that names a module of a room: most need not be parsed."""


def imported(text: str) -> Iterator[str]:
    """The modules of memdeck's rooms that a test's text imports, or names as a text to patch."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = [node.value]
        else:
            continue
        for name in named:
            if module := _module(name):
                yield module


@cache
def _module(name: str) -> str:
    """The longest beginning of a dotted name that is a module of a room; "" for none."""
    package, *parts = name.split(".")
    if package != "memdeck" or not parts or parts[0] not in ROOMS or "" in parts:
        return ""
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return ".".join(("memdeck", *parts[:length]))
    return ""


@cache
def by_folder() -> dict[str, dict[str, set[str]]]:
    """Of each folder of tests: the inner modules that it imports, and the files that do.

    Not looked through: tests/architecture, which speaks of modules and not of what they do.
    """
    folders: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted(TESTS.rglob("*.py")):
        place = path.relative_to(TESTS)
        if place.parts[0] != "architecture":
            text = path.read_text("utf-8")
            for module in imported(text) if _NAMES_A_ROOM.search(text) else ():
                if module not in DOORS:
                    folders[place.parts[0]][module].add(str(place))
    return folders


def listed() -> list[str]:
    """The names in tests/inner_modules.txt, as they stand there."""
    lines = LIST.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def main() -> None:
    folders = by_folder()
    for folder, modules in sorted(folders.items()):
        print(f"{len(modules):4}  {folder}")
    used = {module for modules in folders.values() for module in modules}
    print(f"{len(used):4}  of all")
    lines = LIST.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line or line.startswith("#") or line in used]
    LIST.write_text("\n".join(kept) + "\n", "utf-8")


if __name__ == "__main__":
    main()
