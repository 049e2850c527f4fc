"""The coordinator names each act of a service once, and belongs to one thread."""

import threading

import pytest

from memdeck import ManagerError, WrongThread


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
