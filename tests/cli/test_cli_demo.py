"""The demo: a store of invented memories, and nothing of the person's own is touched."""

import shutil
import tempfile
from dataclasses import replace

import pytest


@pytest.fixture
def drafts(tmp_path, monkeypatch):
    """Where temporary folders go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def built_before(demo_template, monkeypatch):
    """The store need not be built once more, for a test of what is done with it."""

    def build_demo_store(home, *, progress=None):
        shutil.copytree(demo_template.home, home, dirs_exist_ok=True)
        return replace(demo_template, home=home)

    monkeypatch.setattr("memdeck.demo.template.build_demo_store", build_demo_store)


def test_without_a_terminal_the_demo_is_a_tour_and_leaves_nothing(
    cli, no_home, drafts, built_before
):
    answer = cli("demo")
    assert answer.code == 0
    assert "memories" in answer.out
    assert list(drafts.iterdir()) == []
    assert not no_home.exists()


def test_a_demo_store_can_be_kept_and_looked_at(cli, tmp_path, built_before):
    folder = tmp_path / "demo"
    answer = cli("demo", "--keep", str(folder), "--json")
    assert answer.code == 0
    assert str(folder) in answer.err
    store = answer.json
    listed = cli("list", "--json", "--home", str(folder), "--project", store["project"]).lines
    assert 0 < len(listed) <= store["memories"]
    assert cli("verify", "--home", str(folder)).code == 0


def test_a_demo_never_goes_into_a_folder_that_holds_something(cli, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    answer = cli("demo", "--keep", str(tmp_path / "mine"))
    assert (answer.code, answer.out) == (1, "")
    assert "not empty" in answer.err
    assert (tmp_path / "mine" / "file").read_text() == "precious"
