"""Our entries go into each host's file of hooks and come out again; nothing else changes."""

import json
import os
import stat
import subprocess
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memdeck import Refused
from memdeck.benchmarks.gallery.programs import put_program

from .agents_bench import (
    JSON_HOSTS,
    LAYOUTS,
    PROGRAM,
    TOOL_EVENT,
    TURN_EVENT,
    Bench,
    events_of,
    ours_in,
)


@pytest.fixture(params=JSON_HOSTS)
def bench(request, home, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    return Bench(request.param, home, project)


def without_ours(value, host):
    """The settings as another program sees them when ours are thought away."""
    ours = ours_in(value, host)
    hooks = {
        event: kept
        for event, groups in value.get("hooks", {}).items()
        if (kept := [group for group in groups if (event, group) not in ours])
    }
    return {
        **{k: v for k, v in value.items() if k != "hooks"},
        **({"hooks": hooks} if hooks else {}),
    }


def test_others_stay_and_stand_first_a_second_install_changes_nothing_and_the_bytes_come_back(
    bench, subtests
):
    for layout in LAYOUTS:
        with subtests.test(layout=layout):
            bench.put(LAYOUTS[layout])
            tree, before = bench.tree(), json.loads(LAYOUTS[layout].removeprefix("\ufeff"))
            bench.install()
            assert [event for event, _ in sorted(bench.ours())] == sorted(events_of(bench.host))
            written = bench.file.read_bytes().decode("utf-8-sig")
            if layout == "windows":
                assert "\n" not in written.replace("\r\n", "")
            if layout in ("one line", "compact"):
                assert "\n" not in written.rstrip()
            after = json.loads(written)
            assert without_ours(after, bench.host) == without_ours(before, bench.host)
            assert [key for key in after if key in before] == list(before)
            for event, groups in before.get("hooks", {}).items():
                assert after["hooks"][event][: len(groups)] == groups
                assert len(after["hooks"][event]) == len(groups) + (event in events_of(bench.host))

            once, state = bench.tree(), os.stat(bench.file)
            assert not bench.install().is_needed
            assert bench.tree() == once
            assert os.stat(bench.file).st_ino == state.st_ino

            bench.uninstall()
            assert bench.tree() == tree
            assert sorted(os.listdir(bench.project)) == [bench.file.parent.name]


def test_each_command_starts_without_a_path_and_cannot_block(bench):
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert list(hooks) == events_of(bench.host)
    for event, [group] in hooks.items():
        [handler] = group["hooks"]
        assert handler["type"] == "command"
        assert handler["command"].endswith(f"'{PROGRAM}' {bench.host} {event} || exit 0")


def test_the_settings_say_which_events_are_asked_for(bench):
    bench.home.prepare()
    with open(bench.home.config, "w", encoding="utf-8") as file:
        file.write('[hooks]\nevents = ["prompts", "todos", "results"]\n')
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert TURN_EVENT[bench.host] not in hooks
    [group] = hooks[TOOL_EVENT[bench.host]]
    assert "matcher" not in group  # results are of any tool


@pytest.mark.parametrize("ending", ["exit 2", "exit 1", "kill -9 $$", None])
def test_the_command_never_exits_other_than_zero(bench, ending, tmp_path):
    program = tmp_path / 'it\'s a $(tool) "here"' / "memdeck-hook"
    if ending is not None:  # else it is gone
        program.parent.mkdir()
        put_program(program, f"#!/bin/sh\n{ending}\n")
    bench.install(program=str(program))
    _, group = bench.ours()[-1]
    command = group["hooks"][0]["command"]
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_what_was_installed_runs_as_it_stands(bench, tmp_path, monkeypatch):
    """Through a shell, without a PATH, from a folder with blanks and quotes in its name."""
    folder = tmp_path / 'it\'s a "bin" $HOME'
    folder.mkdir()
    script = folder / "memdeck-hook"
    put_program(script, '#!/bin/sh\nprintf "%s|" "$MEMDECK_HOME" "$@"\n')
    bench.install(program=str(script))
    monkeypatch.delenv("MEMDECK_HOME")
    for event, [group] in json.loads(bench.file.read_bytes())["hooks"].items():
        done = subprocess.run(
            ["/bin/sh", "-c", group["hooks"][0]["command"]],
            capture_output=True,
            check=False,
            cwd="/",
            env={"PATH": ""},
        )
        assert done.stdout.decode() == f"{bench.home.path}|{bench.host}|{event}|"


def test_what_cannot_be_understood_is_left_as_it_is(bench, subtests):
    rows = [
        "",
        "{",
        "not json",
        '{"a": 1, // comment\n}',
        '{"a": 1,}',
        "[1]",
        "null",
        '{"hooks": []}',
        '{"hooks": {"Stop": {}}}',
        '{"hooks": {}, "hooks": {}}',
        '{"hooks": {"Stop": [], "Stop": []}}',
        '{"a": NaN}',
        "[" * 100_000,
        b'{"a": "\xff"}',
    ]
    for text in rows:
        with subtests.test(text=text):
            bench.put(text)
            before = bench.tree()
            for planned in (bench.plan(), bench.desk.plan(bench.host, "project", remove=True)):
                assert planned.problems
                assert not planned.is_needed
                with pytest.raises(Refused):
                    bench.desk.apply(planned)
            assert bench.tree() == before


def test_a_plan_alone_writes_nothing(bench):
    bench.put(LAYOUTS["two blanks"])
    before = bench.tree()
    assert bench.plan().changes[0].diff
    assert bench.tree() == before
    assert not os.path.exists(bench.home.path)


def test_a_change_between_plan_and_act_is_noticed(bench):
    bench.put("{}")
    planned = bench.plan()
    bench.put('{"mine": 1}')
    with pytest.raises(Refused, match="meanwhile"):
        bench.desk.apply(planned)
    assert bench.file.read_text() == '{"mine": 1}'


def test_the_mode_is_kept(bench, subtests):
    for mode in [0o600, 0o640, 0o644, 0o444]:
        with subtests.test(mode=mode):
            bench.put(LAYOUTS["tabs"]).chmod(mode)
            bench.install()
            assert stat.S_IMODE(bench.file.stat().st_mode) == mode
            backup = bench.file.with_name(bench.file.name + ".memdeck.bak")
            assert stat.S_IMODE(backup.stat().st_mode) == 0o600
            bench.uninstall()
            assert stat.S_IMODE(bench.file.stat().st_mode) == mode


def test_the_backup_is_from_before_the_first_change(bench):
    bench.put(LAYOUTS["tabs"])
    bench.install()
    bench.install(program="/new/memdeck-hook")
    backup = bench.file.with_name(bench.file.name + ".memdeck.bak")
    assert backup.read_text() == LAYOUTS["tabs"]


def test_a_moved_program_replaces_the_old_entries(bench):
    bench.put(LAYOUTS["odd spacing"])
    bench.install(program="/old/memdeck-hook")
    bench.install(program="/new/memdeck-hook")
    text = bench.file.read_text()
    assert "/old/" not in text
    assert text.count("/new/memdeck-hook") == len(events_of(bench.host))
    bench.uninstall()
    assert bench.file.read_text() == LAYOUTS["odd spacing"]


def test_uninstall_after_other_changes_takes_out_only_ours(bench):
    bench.put(LAYOUTS["four blanks"])
    bench.install()
    change = ('"model": "opus"', '"model": "sonnet",\n    "new":   [1 ]')
    bench.file.write_text(bench.file.read_text().replace(*change))
    assert any("keeps the file" in note for note in bench.uninstall().notes)
    assert bench.file.read_text() == LAYOUTS["four blanks"].replace(*change)


def test_a_full_disk_leaves_the_old_file(bench, monkeypatch):
    bench.put(LAYOUTS["tabs"])
    before = bench.tree()
    planned = bench.plan()

    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(Refused, match="cannot be written: No space left"):
        bench.desk.apply(planned)
    assert bench.tree() == before


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=9)}), max_size=2)}
    ),
    max_size=3,
)
SETTINGS = st.dictionaries(
    st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES, max_size=4
)
EVENTS = sorted({event for host in JSON_HOSTS for event in events_of(host)})


@pytest.mark.slow
@hypothesis_settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    host=st.sampled_from(JSON_HOSTS),
    settings=SETTINGS,
    hooks=st.none() | st.dictionaries(st.sampled_from(EVENTS), GROUPS, max_size=4),
    indent=st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_settings_keep_their_meaning_with_us_and_without_us(
    home, tmp_path_factory, host, settings, hooks, indent
):
    bench = Bench(host, home, tmp_path_factory.mktemp("project"))
    value = settings if hooks is None else {**settings, "hooks": hooks}
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    bench.put(text)
    bench.install()

    again = json.loads(bench.file.read_text())
    assert sorted(event for event, _ in bench.ours()) == sorted(events_of(host))
    assert {k: v for k, v in again.items() if k != "hooks"} == settings
    for event, groups in (hooks or {}).items():
        assert again["hooks"][event][: len(groups)] == groups
    bench.uninstall()
    assert bench.file.read_text() == text

    bench.install()
    bench.file.with_name(bench.file.name + ".memdeck.bak").unlink()
    bench.uninstall()
    used = events_of(host)  # an empty list in our way goes with us
    kept = {event: groups for event, groups in (hooks or {}).items() if groups or event not in used}
    expected = {**settings, **({"hooks": kept} if kept else {})}
    assert json.loads(bench.file.read_text()) == expected
