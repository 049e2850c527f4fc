"""A plugin of pytest: the project's folder is no package of tests, whatever its name."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]  # `memdeck` is a link to it


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    """Return the project's folder as a plain one: pytest cannot import a `memdeck-main`."""
    return pytest.Dir.from_parent(parent, path=path) if path == ROOT else None
