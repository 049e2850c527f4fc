"""The examples that the designs print run as they stand on their page (000-08, 000-58, 001)."""

import doctest
from pathlib import Path

import pytest

import memdeck

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dev" / "designs.md"


def test_the_page_of_the_designs_examples_runs():
    found = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert found.attempted > 60
    assert found.failed == 0


def test_every_public_name_can_be_had_and_stands_on_the_page():
    text = PAGE.read_text("utf-8")
    for name in ("MemoryType", "StoragePipeline", "RetrievalPipeline", "AgentReviewCoordinator"):
        assert getattr(memdeck, name).__name__ == name
        assert name in text
    for name in ("MemoryQuery", "ReviewDecision", "AgentReviewResult", "filter_trivial"):
        assert callable(getattr(memdeck, name))
    with pytest.raises(AttributeError):
        memdeck.nothing  # noqa: B018


def test_a_store_in_memory_is_nobody_elses_and_leaves_nothing(tmp_path):
    with (
        memdeck.MemoryCoordinator(":memory:") as one,
        memdeck.MemoryCoordinator(":memory:") as other,
    ):
        one.remember("Berth 12 floods at spring tide")
        assert (one.count(), other.count()) == (1, 0)
        path = Path(one.home.path)
        assert path.is_dir()
    assert not path.exists()


def test_a_path_names_the_home_or_the_database_in_it(tmp_path):
    with memdeck.MemoryCoordinator(tmp_path / "home", "harbour") as core:
        core.remember("Berth 12 floods at spring tide")
    with memdeck.MemoryCoordinator(str(tmp_path / "home" / "memory.db"), "harbour") as core:
        assert core.count() == 1
    with pytest.raises(memdeck.BadInput, match=r"memory\.db"):
        memdeck.MemoryCoordinator(str(tmp_path / "other.db"))


def test_a_query_by_type_importance_and_session():
    with memdeck.MemoryCoordinator(":memory:") as core:
        core.remember("Berth 12 floods at spring tide", importance=0.9)
        core.remember("Berth 3 belongs to the pilots", importance=0.1)
        found = memdeck.MemoryQuery(min_importance=6).of(core)
        assert [memory.content for memory in found] == ["Berth 12 floods at spring tide"]
        assert memdeck.MemoryQuery(session_id="s9").of(core) == []
