"""Rules of the code's structure that no linter and no import contract can check."""

import re
import tomllib
from pathlib import Path

import pytest

from memdeck.hosts import registry as hosts

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = [
    *ROOT.glob("*.py"),
    *(
        path
        for folder in ("agents", "cli", "core", "db", "demo", "hosts", "themes", "tui")
        for path in (ROOT / folder).rglob("*.py")
    ),
]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "GLOSSARY.md", "CONTRIBUTING.md"])
def test_a_page_names_only_files_that_exist(page):
    text = (ROOT / page).read_text("utf-8")
    names = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|toml|md|jsonl|tcss))`", text)
    assert len(names) > 5
    stored = ("memory.db", "config.toml", ".memdeck.toml", "journal/", "spool/", "backups/", "log/")
    missing = [n for n in names if not n.startswith(stored) and not (ROOT / n).exists()]
    assert not missing


def test_every_write_transaction_is_immediate():
    """A deferred transaction that reads before it writes fails under load."""
    for path in PRODUCT:
        if path.is_relative_to(ROOT / "db"):
            text = path.read_text("utf-8")
            assert not re.search(r"\.atomic\(\)|\.begin\(\)|\.transaction\(\)", text), path


def test_pyproject_lists_the_packages_that_exist():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = {
        ".".join(("memdeck", *path.parent.relative_to(ROOT).parts))
        for path in PRODUCT
        if path.name == "__init__.py"
    }
    assert set(settings["tool"]["setuptools"]["packages"]) == packages


def test_every_dependency_has_a_reason():
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    dependencies = [line for line in lines if re.match(r'\s+"[a-z-]+>=[\d.]+', line)]
    assert len(dependencies) >= 12
    assert all("#" in line for line in dependencies)


def test_benchmarks_import_no_tests():
    for path in (ROOT / "benchmarks").rglob("*.py"):
        assert not re.search(r"^\s*(from|import) .*\btests\b", path.read_text("utf-8"), re.M), path


def test_only_a_hosts_own_folder_names_it():
    """Exceptions: the engines that settings may name, and the default agent of recall."""
    allowed = {"settings.py", "pipeline.py", "recall.py", "prompts.py"}
    quoted = re.compile(rf"""["']({"|".join(hosts.names())})["']""")
    for path in PRODUCT:
        if "hosts" not in path.parts and "demo" not in path.parts and path.name not in allowed:
            assert not quoted.search(path.read_text("utf-8")), path.relative_to(ROOT)
