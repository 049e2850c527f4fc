"""The demo store is built once, kept and copied; any other code builds it anew."""

import json
import os
import shutil
import time

import pytest

from memdeck import open_memory
from memdeck.cli.main import run
from memdeck.demo import history

ABANDONED = 600
"""Seconds after which a template that nobody finished is built anew."""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Where templates are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "memdeck" / "demo"


@pytest.fixture
def builds(monkeypatch):
    """A story of one memory; grows by one with each time it is told."""
    lines, told = history._lines, []

    def of_one_memory(name):
        if name != "history_7_notes.jsonl":
            return
        told.append(name)
        head, memory, *_ = lines(name)
        yield head
        yield {key: value for key, value in memory.items() if key not in ("link", "supersedes")}

    monkeypatch.setattr(history, "_lines", of_one_memory)
    return lambda: len(told) // 2  # sittings and notes are read from the same file


@pytest.fixture
def demo(cache, tmp_path, capsys):
    """Have a demo store; its home, its project, and the day of the story."""

    def demo_in(name):
        home = str(tmp_path / name)
        assert run(["demo", "--keep", home, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        return home, told["project_root"], told["now"]

    return demo_in


def count(home, project, _now):
    with open_memory(home, project) as memory:
        assert memory.verify().ok
        return len(memory.list())


def test_it_is_built_once_and_each_copy_is_whole_and_its_own(builds, demo, cache):
    first = demo("one")
    with open_memory(*first[:2]) as memory:
        memory.remember("The crane at the ferry pier lifts forty tonnes, tested each Monday")
    second = demo("two")
    assert builds() == 1
    assert len(os.listdir(cache)) == 1
    assert (count(*first), count(*second)) == (2, 1)
    assert first[2] == second[2]


def test_other_code_builds_it_anew_and_takes_the_old_one_away(builds, demo, cache, monkeypatch):
    demo("one")
    before, looked = os.listdir(cache), os.stat

    def changed(path, **how):
        about = looked(path, **how)
        if str(path).endswith("history_7_notes.jsonl"):
            return os.stat_result((*about[:6], about.st_size + 1, *about[7:]))
        return about

    monkeypatch.setattr(os, "stat", changed)
    demo("two")
    assert builds() == 2
    [after] = os.listdir(cache)
    assert after not in before


@pytest.mark.parametrize(("age", "is_kept"), [(ABANDONED - 60, False), (ABANDONED + 60, True)])
def test_what_another_is_building_is_not_waited_for(builds, demo, cache, age, is_kept):
    demo("one")
    [claimed] = cache.iterdir()
    shutil.rmtree(claimed)
    claimed.mkdir()
    os.utime(claimed, (time.time() - age,) * 2)
    assert count(*demo("two")) == 1
    assert builds() == 2
    assert any(claimed.iterdir()) is is_kept


def test_where_nothing_can_be_kept_it_is_built_in_its_place(builds, demo, cache):
    cache.parent.mkdir()
    cache.write_text("a file, no folder")
    assert count(*demo("two")) == 1


def test_a_build_that_fails_leaves_no_template(cache, tmp_path, monkeypatch):
    def interrupted(_name):
        raise KeyboardInterrupt

    monkeypatch.setattr(history, "_lines", interrupted)
    assert run(["demo", "--keep", str(tmp_path / "one"), "--json"]) != 0
    assert os.listdir(cache) == []
