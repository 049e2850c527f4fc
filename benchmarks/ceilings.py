"""Print the numbers that may only fall, and exit with 1 if one is above its ceiling.

`python -m benchmarks.ceilings` compares with `ceilings.toml`. `--lower` writes each number that is
below its ceiling as the new ceiling. `--list NAME` prints what `private_names`, `upward_imports`,
`long_subjects` or `vague_names_per_1000` counts.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from .walks import WALKS

ROOT = Path(__file__).resolve().parents[1]
CEILINGS = Path(__file__).with_suffix(".toml")
SUITE_SECONDS = ROOT / ".venv" / "suite_seconds"  # written by `make test`
PACKAGES = ("agents", "cli", "core", "db", "demo", "hosts", "themes", "tui")
LIBRARIES = ("textual", "rich", "pytest", "_pytest", "hypothesis", *sys.stdlib_module_names)
PUBLIC = {"_asdict", "_fields", "_replace", "_make", "_exit", "_meta"}  # documented underscores
VAGUE = set("one found told place known said asked given heard meant shown kept left".split())
FIRST_COMMIT = "c59f9709"  # subjects since then
LONGEST_SUBJECT = 72


def product() -> list[Path]:
    inside = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return [*sorted(ROOT.glob("*.py")), *sorted(inside)]


def tests() -> list[Path]:
    return sorted((ROOT / "tests").rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def lines(paths: list[Path]) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def walk(name: str) -> int:
    """Return how many product files one request flow enters."""
    with tempfile.TemporaryDirectory(prefix="memdeck-walk-") as folder:
        command = [sys.executable, "-m", "benchmarks.walks", name, folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The walk {name!r} failed:\n{done.stderr}")
    return len(done.stdout.splitlines())


def upward_imports(package: str) -> list[str]:
    """Return the imports that close a ring between modules of one package.

    Imports inside functions count, imports for type checkers do not. Without such an import the
    modules have an order in which each imports only modules below it. A module's name in a call of
    `__import__` or `import_module` counts as well.
    """
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in product()
        if path.is_relative_to(ROOT / package)
    }
    graph = {name: sorted(set(_imports(name, path, set(paths)))) for name, path in paths.items()}
    upward, done, active = [], set[str](), list[str]()

    def visit(name: str) -> None:
        active.append(name)
        for below in graph[name]:
            if below in active:
                upward.append(f"{name} -> {below}")
            elif below not in done:
                visit(below)
        done.add(active.pop())

    sys.setrecursionlimit(10_000)
    for name in sorted(graph):
        if name not in done:
            visit(name)
    calls = (
        f"{name}: {ast.unparse(node)}"
        for name, path in paths.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "__import__"
    )
    return [*upward, *calls]


def _imports(name: str, path: Path, modules: set[str]) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in _executed(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                for target in (".".join([*base, alias.name]), ".".join(base)):
                    if target in modules:
                        if target != name:
                            yield target
                        break


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but those below `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        yield child
        yield from _executed(child)


def private_names() -> list[str]:
    """Return uses of names that begin with an underscore and that we do not define.

    Counts imports of private modules or names of libraries, and attributes of that form. An import
    whose `except ImportError` imports the public module is not counted: hooks have these.
    """
    every = [*product(), *tests(), *sorted((ROOT / "benchmarks").glob("*.py"))]
    own = {name for path in every for name in _defined(tree(path))}
    uses = []
    for path in every:
        optional = set(_optional_imports(tree(path)))
        for node in ast.walk(tree(path)):
            names: list[str] = []
            if node in optional:
                continue
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names if _is_private_module(alias.name)]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                if _is_private_module(node.module):
                    names = [node.module]
                elif node.module.partition(".")[0] in LIBRARIES:
                    names = [alias.name for alias in node.names if _is_private(alias.name)]
            elif isinstance(node, ast.Attribute) and node.attr not in own:
                names = [node.attr] if _is_private(node.attr) else []
            uses += [f"{path.relative_to(ROOT)}:{node.lineno} {name}" for name in names]
    return uses


def _optional_imports(module: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(module):
        if isinstance(node, ast.Try) and any(
            "ImportError" in ast.unparse(handler.type)
            for handler in node.handlers
            if handler.type is not None
        ):
            yield from (inner for part in node.body for inner in ast.walk(part))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def _is_private_module(name: str) -> bool:
    parts = name.split(".")
    is_inside = any(_is_private(part) for part in parts) or "internal" in parts
    return parts[0] in LIBRARIES and is_inside


def _defined(module: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines or sets on an object of its own."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def vague_names() -> list[str]:
    """Return where product code binds a name that says nothing."""
    bound = []
    for path in product():
        for node in ast.walk(tree(path)):
            name = ""
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            elif isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = node.name
            if name in VAGUE:
                bound.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
    return bound


def long_subjects() -> list[str]:
    """Return commit subjects over 72 characters; none where the history is not present."""
    command = ["git", "log", "--no-merges", "--format=%s", f"{FIRST_COMMIT}..HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    subjects = done.stdout.splitlines() if done.returncode == 0 else []
    return [subject for subject in subjects if len(subject) > LONGEST_SUBJECT]


LISTS = {
    "upward_imports": lambda: [*upward_imports("core"), *upward_imports("tui")],
    "private_names": private_names,
    "vague_names_per_1000": vague_names,
    "long_subjects": long_subjects,
}


def measure() -> dict[str, float]:
    code, own = product(), lines(product())
    with ThreadPoolExecutor(2) as pool:
        walks = dict(zip(WALKS, pool.map(walk, WALKS), strict=True))
    return {
        "product_lines": own,
        "product_files": len(code),
        "test_lines": lines(tests()),
        **{f"walk_{name}": files for name, files in walks.items()},
        "upward_imports_core": len(upward_imports("core")),
        "upward_imports_tui": len(upward_imports("tui")),
        "private_names": len(private_names()),
        "vague_names_per_1000": round(1000 * len(vague_names()) / own, 1),
        "long_subjects": len(long_subjects()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the numbers that may only fall.")
    parser.add_argument("--lower", action="store_true", help="write lower numbers as ceilings")
    parser.add_argument("--list", choices=LISTS, help="print what this number counts")
    options = parser.parse_args()
    if options.list:
        print("\n".join(LISTS[options.list]()))
        return
    ceilings, numbers = tomllib.loads(CEILINGS.read_text("utf-8")), measure()
    for name, number in numbers.items():
        mark = "  above" if number > ceilings[name] else ""
        print(f"{name:24}{number:>10,} of {ceilings[name]:>7,}{mark}")
    if SUITE_SECONDS.exists():
        print(f"{'suite_seconds':24}{SUITE_SECONDS.read_text().strip():>10}")
    if options.lower:
        lowest = {name: min(number, ceilings[name]) for name, number in numbers.items()}
        text = "".join(f"{name} = {number}\n" for name, number in lowest.items())
        CEILINGS.write_text(
            "# Numbers that may only fall: `make ceilings LOWER=1`.\n" + text, "utf-8"
        )
    if any(number > ceilings[name] for name, number in numbers.items()):
        sys.exit("A number is above its ceiling in benchmarks/ceilings.toml.")


if __name__ == "__main__":
    main()
