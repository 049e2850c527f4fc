"""The house's own rules: rooms that exist, sizes, one SQL, no bare transactions."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_is_over_500_lines(path):
    assert len(path.read_text("utf-8").splitlines()) <= 500


def test_every_folder_says_which_rooms_it_has_and_imports_nothing():
    for path in ROOMS:
        if path.name == "__init__.py" and "migrations" not in path.parts:
            tree = ast.parse(path.read_text("utf-8"))
            assert ast.get_docstring(tree), path
            assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body), (
                path
            )


def _own_classes(folder):
    """The classes of a folder by name: (path, node)."""
    classes = {}
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = path, node
    return classes


def test_services_are_composed_and_not_inherited():
    """A class of the core has at most one own base: what is split by inheritance is one thing."""
    classes = _own_classes("core")

    def floors(name):
        bases = [base.id for base in classes[name][1].bases if isinstance(base, ast.Name)]
        return 1 + max((floors(base) for base in bases if base in classes), default=0)

    assert len(classes) > 100
    for name, (path, _) in classes.items():
        assert floors(name) <= 2, f"{name} in {path.relative_to(ROOT)}"


def test_no_class_of_the_core_has_more_than_25_public_methods():
    for name, (path, node) in _own_classes("core").items():
        methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        parts = {"cached_property"}  # a facade's parts are no acts of its own
        public = [
            one.name
            for one in methods
            if not one.name.startswith("_")
            and not parts & {ast.unparse(mark) for mark in one.decorator_list}
        ]
        if name != "MemoryCoordinator":  # which only names what services do
            assert len(public) <= 25, f"{name} in {path.relative_to(ROOT)}"


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
