"""One demo store for all tests that only look at it: building it takes seconds."""

import shutil
from collections.abc import Iterator
from dataclasses import replace

import pytest

from memdeck import MemoryCoordinator
from memdeck.tests.demo_store import DemoStore


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory, demo_template: DemoStore) -> DemoStore:
    home = str(tmp_path_factory.mktemp("demo") / "home")
    shutil.copytree(demo_template.home, home)
    return replace(demo_template, home=home)


@pytest.fixture
def memory(demo_store: DemoStore) -> Iterator[MemoryCoordinator]:
    with MemoryCoordinator.open(
        demo_store.home, demo_store.project_root, clock=lambda: demo_store.now
    ) as core:
        yield core
