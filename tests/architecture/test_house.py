"""The house's own rules: rooms that exist, sizes, one SQL, no bare transactions."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from memdeck.benchmarks.house import longest_way, tree

from .rooms import PAGE, ROOT, page, rooms

ROOMS = rooms()


def test_the_map_names_only_rooms_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|toml|md|jsonl|tcss))`", text)
    assert len(named) > 40
    generated = {"memory.db", "config.toml", ".memdeck.toml"}
    homes = ("journal/", "spool/", "backups/", "log/", "themes/*.toml")
    for name in named:
        if name in generated or name.startswith(homes):
            continue
        assert (ROOT / name).exists(), f"ARCHITECTURE.md names {name}, which is not there"


def test_the_index_of_rooms_is_made_from_the_rooms():
    assert PAGE.read_text("utf-8") == page(), "docs/rooms.md is old: make rooms"


def test_the_plan_is_read_in_ten_minutes():
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").split()) < 2_000


def test_no_room_is_over_500_lines(subtests):
    for path in ROOMS:
        with subtests.test(path=path):
            assert len(path.read_text("utf-8").splitlines()) <= 500


def test_every_folder_says_which_rooms_it_has_and_imports_nothing():
    for path in ROOMS:
        if path.name == "__init__.py" and "migrations" not in path.parts and path.parent != ROOT:
            package = tree(path)
            assert ast.get_docstring(package), path
            imports = ast.Import | ast.ImportFrom
            assert not any(isinstance(node, imports) for node in package.body), path


@cache
def _own_classes(folder):
    """The classes of a folder: (path, node)."""
    return [
        (path, node)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in tree(path).body
        if isinstance(node, ast.ClassDef)
    ]


def _floors(classes):
    """How many own classes each class stands on, itself included: (path, name) -> count.

    A name that two rooms use counts as the taller of the two.
    """
    nodes = {}
    for _, node in classes:
        nodes.setdefault(node.name, []).append(node)

    def bases(node):
        heads = [one.value if isinstance(one, ast.Subscript) else one for one in node.bases]
        return [head.id for head in heads if isinstance(head, ast.Name) and head.id != node.name]

    def floors(name):
        return max(
            (1 + max(map(floors, bases(node)), default=0) for node in nodes.get(name, ())),
            default=0,
        )

    return {(path, node.name): floors(node.name) for path, node in classes}


def _public_methods(node):
    """The methods that others may call; a facade's parts are no acts of its own."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [
        one.name
        for one in node.body
        if isinstance(one, kinds)
        and not one.name.startswith("_")
        and "cached_property" not in map(ast.unparse, one.decorator_list)
    ]


MOST_FLOORS, MOST_METHODS = 2, 25
FOLDERS = ("core", "db", "agents", "cli", "tui")

NAMES_ONLY = {"MemoryCoordinator"}
"""Classes that only name what others do."""


@pytest.mark.slow
def test_classes_are_composed_and_not_inherited(subtests):
    """A class has at most one own base: what is split by inheritance is one thing."""
    for folder in FOLDERS:
        with subtests.test(folder=folder):
            raised = {"ManagerError"}  # what is raised has kinds, and kinds of these
            classes = [
                (path, node) for path, node in _own_classes(folder) if node.name not in raised
            ]
            floors = _floors(classes)
            assert floors
            high = {
                f"{name} in {path.relative_to(ROOT)}"
                for (path, name), count in floors.items()
                if count > MOST_FLOORS
            }
            assert not high


def test_no_class_has_more_than_25_public_methods(subtests):
    for folder in FOLDERS:
        with subtests.test(folder=folder):
            for path, node in _own_classes(folder):
                if node.name not in NAMES_ONLY:
                    assert len(_public_methods(node)) <= MOST_METHODS, (
                        f"{node.name} in {path.relative_to(ROOT)}"
                    )


def test_core_is_at_most_ten_floors_high():
    """The longest way of imports, one module a floor: what a reader goes down to see the ground."""
    floors = longest_way("core")
    assert len(floors) <= 10, " > ".join(floors)


def test_no_function_of_the_command_line_is_over_60_lines():
    lengths = [
        (node.end_lineno - node.lineno + 1, f"{path.relative_to(ROOT)}: {node.name}")
        for path in ROOMS
        if path.is_relative_to(ROOT / "cli")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
    ]
    assert len(lengths) > 200
    assert [name for length, name in lengths if length > 60] == []


def test_each_command_stands_in_the_module_of_its_name():
    from memdeck.cli.root import BESIDE, NAMED, SECTIONS

    names = {name for section in SECTIONS.values() for name in section}
    modules = {path.stem for path in (ROOT / "cli" / "commands").glob("*.py")} - {"__init__"}
    standing = {NAMED.get(name, BESIDE.get(name, name)) for name in names}
    assert modules == standing


SCREEN_ROOMS = [path for path in ROOMS if path.is_relative_to(ROOT / "tui")]


def test_no_screen_promises_what_another_room_knows():
    for path in SCREEN_ROOMS:
        assert "NotImplementedError" not in path.read_text("utf-8"), path


def test_no_screen_asks_for_an_attribute_by_its_name():
    for path in SCREEN_ROOMS:
        text = path.read_text("utf-8")
        for node in ast.walk(tree(path)) if "attr" in text else ():
            is_asked = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            assert not (is_asked and node.func.id in {"getattr", "hasattr", "setattr"}), path


def test_no_view_and_no_widget_knows_the_app():
    """They are handed a desk; only the stage knows the views, and only the app the stage."""
    for path in SCREEN_ROOMS:
        text = path.read_text("utf-8")
        may_know = re.search(r"from \..*\b(app|stage)\b", text)
        if may_know and {"views", "widgets"} & set(path.relative_to(ROOT / "tui").parts):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.ImportFrom) and node.level:
                    assert (node.module or "").split(".")[-1] not in {"app", "stage"}, path


def test_sql_lives_in_db_only():
    for path in ROOMS:
        if path.is_relative_to(ROOT / "db"):
            continue
        text = path.read_text("utf-8")
        assert not re.search(r"^\s*(from|import) (peewee|playhouse|sqlite3)\b", text, re.M), path
        assert "execute_sql(" not in text, path


def test_every_write_transaction_is_immediate():
    """A deferred transaction that reads before it writes fails under load, whatever we wait."""
    for path in (ROOT / "db").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r"\.atomic\(\)|\.begin\(\)|\.transaction\(\)", text), path


def test_the_packages_listed_are_the_packages_there():
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = set(settings["tool"]["setuptools"]["packages"])
    there = {"memdeck"} | {
        ".".join(("memdeck", *path.parent.relative_to(ROOT).parts))
        for path in ROOMS
        if path.name == "__init__.py"
    }
    assert listed == there


def test_every_dependency_says_why_it_is_there():
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    needed = [line for line in lines if re.match(r'\s+"[a-z-]+>=[\d.]+', line)]
    assert len(needed) >= 12
    assert all("#" in line for line in needed)


@pytest.mark.slow
def test_the_import_contracts_hold():
    done = subprocess.run(
        [str(Path(ROOT, ".venv/bin/lint-imports")), "--no-cache"]
        if Path(ROOT, ".venv/bin/lint-imports").exists()
        else ["lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_hosts_name_stands_in_its_own_folder_alone():
    """Beside it: the engines that settings may name, and for whom recall answers unless told."""
    from memdeck.core import hosts

    allowed = {"policy.py", "steps.py", "pipeline.py", "recall.py", "recalling.py"}
    quoted = re.compile(rf"""["']({"|".join(hosts.names())})["']""")
    for path in ROOMS:
        if "hosts" not in path.parts and "demo" not in path.parts and path.name not in allowed:
            assert not quoted.search(path.read_text("utf-8")), path.relative_to(ROOT)
