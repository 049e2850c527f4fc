"""One demo store for all tests that only look at it: building it takes seconds."""

from collections.abc import Iterator

import pytest

from memdeck.core.coordinator import MemoryCoordinator
from memdeck.demo.build import DemoStore, build_demo_store


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> DemoStore:
    return build_demo_store(str(tmp_path_factory.mktemp("demo")))


@pytest.fixture
def memory(demo_store: DemoStore) -> Iterator[MemoryCoordinator]:
    with MemoryCoordinator.open(
        demo_store.home, demo_store.project_root, clock=lambda: demo_store.now
    ) as core:
        yield core
