"""The coordinator names each act of a service once, and belongs to one thread."""

import threading
from pathlib import Path

import pytest

from memdeck import BadInput, ManagerError, MemoryCoordinator, WrongThread


def in_another_thread(act):
    """What `act` raised there; None when it came back."""
    raised = []

    def run():
        try:
            act()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0] if raised else None


@pytest.mark.parametrize(
    "act",
    [
        lambda core: core.list(),
        lambda core: core.remember("The tide table is printed on Mondays"),
        lambda core: core.search("tide"),
        lambda core: core.projects(),
        lambda core: core.ceiling,
        lambda core: core.switches,
    ],
)
def test_a_second_thread_is_told_what_to_do(core, act):
    act(core)
    raised = in_another_thread(lambda: act(core))
    assert isinstance(raised, WrongThread)
    assert isinstance(raised, ManagerError)
    assert "open_memory" in raised.hint
    act(core)  # and the thread that opened it goes on


def test_a_query_may_be_stopped_from_a_second_thread(core):
    assert in_another_thread(core.interrupt) is None
    assert core.count() == 0


def test_a_store_in_memory_is_nobody_elses_and_leaves_nothing(tmp_path):
    with MemoryCoordinator(":memory:") as one, MemoryCoordinator(":memory:") as other:
        one.remember("Berth 12 floods at spring tide")
        assert (one.count(), other.count()) == (1, 0)
        path = Path(one.home.path)
        assert path.is_dir()
    assert not path.exists()


def test_a_path_names_the_home_or_the_database_in_it(tmp_path):
    with MemoryCoordinator(tmp_path / "home", "harbour") as core:
        core.remember("Berth 12 floods at spring tide")
    with MemoryCoordinator(str(tmp_path / "home" / "memory.db"), "harbour") as core:
        assert core.count() == 1
    with pytest.raises(BadInput, match=r"memory\.db"):
        MemoryCoordinator(str(tmp_path / "other.db"))
