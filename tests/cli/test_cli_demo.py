"""The demo: a store of invented memories, and nothing of the person's own is touched."""

import io
import os
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import _NamedTextIOWrapper

from memdeck.agents.main import main as answer_hook
from memdeck.tui.app import MemoryApp


def test_without_a_terminal_the_demo_says_how_to_keep_it_and_leaves_nothing(
    cli, no_home, tmp_path, monkeypatch
):
    drafts = tmp_path / "temporary"
    drafts.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(drafts))
    assert "394 memories" in cli("demo", code=0).err
    assert list(drafts.iterdir()) == []
    assert not no_home.exists()


def test_a_demo_store_can_be_kept_and_looked_at(cli, tmp_path):
    folder = tmp_path / "demo"
    answer = cli("demo", "--keep", str(folder), "--json", code=0)
    assert str(folder) in answer.err
    store = answer.json
    listed = cli("list", "--json", "--home", str(folder), "--project", store["project"]).lines
    assert 0 < len(listed) <= store["memories"]
    assert cli("verify", "--home", str(folder)).code == 0
    looked = cli("doctor", "--home", str(folder), "--json").lines
    assert [one["ok"] for one in looked if one["name"] == "home"] == [True]


def test_a_demo_never_goes_into_a_folder_that_holds_something(cli, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    answer = cli("demo", "--keep", str(tmp_path / "mine"))
    assert (answer.code, answer.out) == (1, "")
    assert "not empty" in answer.err
    assert (tmp_path / "mine" / "file").read_text() == "precious"


def test_the_demo_looks_truly_at_the_agents_and_writes_nothing(cli, monkeypatch):
    opened_app = []
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    monkeypatch.setattr(MemoryApp, "run", lambda app, **_: opened_app.append(app))
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    assert cli("install", "claude").code == 0
    monkeypatch.setattr(os, "posix_spawn", lambda *_, **__: 0)  # what follows a hook by itself
    answer_hook(["claude", "SessionStart"], io.BytesIO(b'{"session_id": "s-1"}'))
    assert cli("demo").code == 0
    [app] = opened_app
    agents = app.setup.agents
    claude = agents.survey()[0]
    marks = {one.name: one.at_ms for one in claude.events}
    assert marks["SessionStart"] is not None
    assert marks["PreCompact"] is None

    plan = agents.plan("codex")
    assert plan.is_needed
    for act in (lambda: agents.apply(plan), lambda: agents.fix(claude.findings[-1])):
        with pytest.raises(Exception, match="This is the demo"):
            act()
    assert not any(Path(change.path).exists() for change in plan.changes)
