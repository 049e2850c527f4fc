"""OpenCode gets a plugin of ours, whole; one that is not ours is left alone."""

import json
import os
import re

import pytest

from .agents_bench import PROGRAM, Bench, events_of, forget_surroundings


@pytest.fixture
def bench(home, tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    project = tmp_path / "project"
    project.mkdir()
    return Bench("opencode", home, project)


def constant(text, name):
    """What a constant of the plugin holds."""
    return json.loads(re.search(rf"^const {name} = (.*)$", text, re.MULTILINE)[1])


def test_the_plugin_comes_whole_and_goes_whole(bench):
    assert bench.install().changes[0].before is None
    assert bench.file == bench.project / ".opencode" / "plugins" / "memdeck.js"
    text = bench.file.read_text()
    assert constant(text, "HOOK") == PROGRAM
    assert constant(text, "HOME") == bench.home.path
    assert constant(text, "ASKED").split(" ") == events_of("opencode")
    assert not re.search("@[A-Z]+@", text)
    bench.uninstall()
    assert os.listdir(bench.project) == []


def test_installing_twice_changes_nothing(bench):
    bench.install()
    before = bench.tree()
    assert not bench.install().is_needed
    assert bench.tree() == before
