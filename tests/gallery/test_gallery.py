"""Whole sessions of every host through the real doors: what is kept, and what never is."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from memdeck.benchmarks.gallery.build import file_of, render
from memdeck.benchmarks.gallery.dialogue import NAMES, load
from memdeck.benchmarks.gallery.extract import extract
from memdeck.benchmarks.gallery.play import play
from memdeck.core.sessions.transcript import host_of_file, read_any
from memdeck.tests.conftest import built_once

pytestmark = pytest.mark.slow

ROOT = "/home/dev/project"
EXPLICIT = tuple(f"person.{name}" for name in ("remember", "from-now-on", "intention"))
HOSTS = ("claude", "codex", "codex-old", "gemini", "gemini-json", "opencode")
REWRITTEN = ("gemini-json", "opencode")
TOOLS = ("run", "read", "edit", "write", "todos", "subagent")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The session of that name after its end; each is played once a run."""

    def once(name):
        return built_once(tmp_path_factory, f"gallery-{name}", lambda at: play(load(name), at))

    return cache(once)


@pytest.fixture(scope="module")
def rules_find(tmp_path_factory):
    """What the rules alone take from a session: mechanics. What is worth keeping, the fitted score
    judges, and real sessions measure (`benchmarks/judgement.py`), not these."""

    def find(name):
        file = tmp_path_factory.mktemp(name) / "session"
        file.write_text(render(load(name), ROOT), "utf-8")
        return extract(read_any(str(file), load(name).agent).turns, session="s1", project_root=ROOT)

    return cache(find)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_asked_for_in_so_many_words_is_kept(played, rules_find, name):
    explicit = [one for one in rules_find(name) if one.rule in EXPLICIT]
    told = {memory.content for memory in played(name).memories}
    assert [one.content for one in explicit if one.content not in told] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_takes_what_nobody_would_note(rules_find, name):
    for one in rules_find(name):
        told = json.dumps([one.content, one.title, one.tags], ensure_ascii=False).lower()
        for phrase in load(name).expected["never"]:
            assert phrase.lower() not in told


@pytest.mark.parametrize("name", [name for name in NAMES if "nowhere" in load(name).expected])
def test_what_is_secret_or_private_is_nowhere_under_the_home(played, name):
    files = [path for path in Path(played(name).home.path).rglob("*") if path.is_file()]
    assert any(path.name == "memory.db" for path in files)
    for phrase in played(name).dialogue.expected["nowhere"]:
        assert phrase in render(played(name).dialogue, ROOT)
        assert [path for path in files if phrase.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_memory_says_where_it_comes_from(played, name):
    for memory in played(name).memories:
        assert memory.origin.agent == played(name).dialogue.agent
        assert memory.origin.line


@pytest.mark.parametrize("name", NAMES)
def test_the_same_session_in_another_hosts_file_says_the_same(tmp_path, name):
    """A refusal with words is left out: two of the hosts have no such thing."""
    dialogue = load(name)
    steps = tuple(replace(step, refusal="") for step in dialogue.steps)
    captured = {}
    for host in HOSTS:
        told = replace(dialogue, host=host, steps=steps)
        file = tmp_path / host
        file.write_text(render(told, ROOT), "utf-8")
        turns = read_any(str(file), told.agent).turns
        captures = extract(turns, session="s1", project_root=ROOT, transcript=str(file))
        captured[host] = {capture.content for capture in captures}
    assert all(captured[host] == captured["claude"] for host in HOSTS)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_holds_what_the_dialogue_says(tmp_path, name):
    dialogue = load(name)
    file = tmp_path / Path(file_of(dialogue, ROOT)).name
    file.write_text(render(dialogue, ROOT), "utf-8")
    assert host_of_file(str(file)) == dialogue.agent
    turns = read_any(str(file), dialogue.agent).turns
    steps = Counter(step.kind for step in dialogue.steps)
    words = [turn.text for turn in turns if turn.is_prompt and "system-reminder" not in turn.text]

    assert words == [s.text for s in dialogue.steps if s.kind in ("prompt", "queued")]
    assert sum(turn.kind == "assistant" for turn in turns) == steps["answer"]
    assert sum(turn.kind == "boundary" for turn in turns) == steps["compaction"]
    calls = [turn for turn in turns if turn.kind == "tool_call" and turn.tool != "wait"]
    assert len(calls) == sum(steps[kind] for kind in TOOLS)
    failed = [step for step in dialogue.steps if step.code or step.refusal]
    assert sum(turn.is_error for turn in turns) == len(failed)


def test_a_file_grows_by_lines_where_its_host_appends(subtests):
    rows = [x for x in NAMES if load(x).host not in REWRITTEN]
    for name in rows:
        with subtests.test(name=name):
            dialogue = load(name)
            texts = [render(dialogue, ROOT, upto) for upto in range(len(dialogue.steps) + 1)]
            assert all(more.startswith(text) for text, more in pairwise(texts))
