"""OpenCode gets a plugin of ours, whole; one that is not ours is left alone."""

import json
import os
import re

import pytest

from memdeck import Refused
from memdeck.cli.main import run

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


def test_a_plugin_of_an_older_memdeck_is_replaced(bench):
    bench.install()
    now = bench.file.read_bytes()
    bench.put(now.splitlines(keepends=True)[0] + b"export const Memdeck = 1\n")
    assert bench.install().is_needed
    assert bench.file.read_bytes() == now
    assert sorted(os.listdir(bench.file.parent)) == ["memdeck.js"]


@pytest.mark.parametrize(
    ("ahead", "behind"), [(b"// mine\n", b""), (b"", b"// caf\xe9\nexport const Mine = 1\n")]
)
def test_what_somebody_wrote_into_the_plugin_is_kept_beside_it(ahead, behind, bench, capsys):
    bench.install()
    ours = bench.file.read_bytes()
    bench.put(edited := ahead + ours + behind)
    assert run(["doctor", "--project", str(bench.project)]) == 1
    assert "memdeck install opencode --scope project" in capsys.readouterr().out
    kept = bench.file.with_name("memdeck.js.memdeck.bak")
    assert str(kept) in "".join(bench.install().notes)
    assert (bench.file.read_bytes(), kept.read_bytes()) == (ours, edited)
    kept.unlink()
    bench.put(edited)
    assert str(kept) in "".join(bench.uninstall().notes)
    assert bench.tree() == {".opencode/plugins/memdeck.js.memdeck.bak": edited}


def test_a_folder_in_the_files_place_is_refused(bench):
    bench.file.mkdir(parents=True)
    assert bench.plan().problems
    with pytest.raises(Refused, match="cannot be read"):
        bench.uninstall()


def test_any_path_stands_in_the_plugin_as_it_is(bench, subtests):
    rows = ["it's", 'the "real" one', "back\\slash", "$(tool) `x`", "é ☕"]
    for name in rows:
        with subtests.test(name=name):
            program = f"/opt/{name}/memdeck-hook"
            bench.install(program=program)
            text = bench.file.read_text()
            assert constant(text, "HOOK") == program
            line = next(line for line in text.splitlines() if line.startswith("const HOOK"))
            assert not set("'`$") & set(line)
            assert not bench.plan(program=program).is_needed
            assert bench.plan(program="/opt/other/memdeck-hook").is_needed


def test_the_folder_is_opencodes_own(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert bench.path("user") == tmp_path / "me/.config/opencode/plugins/memdeck.js"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert bench.path("user") == tmp_path / "xdg/opencode/plugins/memdeck.js"
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "own"))
    assert bench.path("user") == tmp_path / "own/plugins/memdeck.js"
    with pytest.raises(Refused) as refused:
        bench.plan("local")
    assert refused.value.hint == "Use user or project."


def test_the_person_s_folder_stays_when_ours_go(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "own"))
    bench.install("user")
    bench.uninstall("user")
    assert os.listdir(tmp_path / "own") == []
