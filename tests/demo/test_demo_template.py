"""The demo store is built once, kept and copied; any other code builds it anew."""

import os
import time

import pytest

from memdeck import open_memory
from memdeck.demo import template
from memdeck.tests.conftest import NOW


def repository(root):
    """A project that is the same wherever it lies."""
    for part in ("objects", "refs"):
        os.makedirs(os.path.join(root, ".git", part))
    for name, text in (
        ("HEAD", "ref: refs/heads/main"),
        ("config", '[remote "origin"]\n\turl = git@example.org:acme/quayside.git'),
    ):
        with open(os.path.join(root, ".git", name), "w") as file:
            print(text, file=file)
    return root


@pytest.fixture
def builds(monkeypatch):
    """Stores of one memory, and where each was built."""
    places = []

    def build_demo_store(home, *, progress=None):
        places.append(home)
        root = repository(template.project_root_of(home))
        with open_memory(home, root) as memory:
            memory.remember("Berth 12 floods at spring tide, so larger boats go to pier C")
            return template.DemoStore(home, root, memory.project_id, 1, NOW)

    monkeypatch.setattr(template, "build_demo_store", build_demo_store)
    return places


def count(store):
    with open_memory(store.home, store.project_root) as memory:
        assert memory.verify().ok
        return len(memory.list())


def test_it_is_built_once_and_each_copy_is_whole_and_its_own(builds, tmp_path):
    cache = str(tmp_path / "cache")
    first = template.copy_demo_store(str(tmp_path / "one"), cache)
    with open_memory(first.home, first.project_root) as memory:
        memory.remember("The crane at the ferry pier lifts forty tonnes, tested each Monday")
    second = template.copy_demo_store(str(tmp_path / "two"), cache)
    assert len(builds) == 1
    assert builds[0].startswith(cache)
    assert (count(first), count(second)) == (2, 1)
    assert second.now == NOW


def test_other_code_builds_it_anew_and_takes_the_old_one_away(builds, tmp_path, monkeypatch):
    cache = str(tmp_path / "cache")
    template.copy_demo_store(str(tmp_path / "one"), cache)
    monkeypatch.setattr(template, "_version", lambda: "later")
    template.copy_demo_store(str(tmp_path / "two"), cache)
    assert len(builds) == 2
    assert os.listdir(cache) == ["later"]


@pytest.mark.parametrize(("age", "place"), [(60, "two"), (template.ABANDONED + 60, "cache")])
def test_what_another_is_building_is_not_waited_for(builds, tmp_path, age, place):
    claimed = tmp_path / "cache" / template._version()
    claimed.mkdir(parents=True)
    os.utime(claimed, (time.time() - age,) * 2)
    template.copy_demo_store(str(tmp_path / "two"), str(tmp_path / "cache"))
    assert builds[0].startswith(str(tmp_path / place))


def test_where_nothing_can_be_kept_it_is_built_in_its_place(builds, tmp_path):
    (tmp_path / "cache").write_text("a file, no folder")
    store = template.copy_demo_store(str(tmp_path / "two"), str(tmp_path / "cache"))
    assert count(store) == 1


def test_a_build_that_fails_leaves_no_template(tmp_path, monkeypatch):
    def build_demo_store(home, *, progress=None):
        os.makedirs(home)
        raise KeyboardInterrupt

    monkeypatch.setattr(template, "build_demo_store", build_demo_store)
    with pytest.raises(KeyboardInterrupt):
        template.copy_demo_store(str(tmp_path / "one"), str(tmp_path / "cache"))
    assert os.listdir(tmp_path / "cache") == []
