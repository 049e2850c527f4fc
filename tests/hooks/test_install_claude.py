"""Our entries go into Claude Code's settings and come out again; nothing else changes."""

import json
import os
import stat
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.db.errors import Refused
from memdeck.hooks import claude, install_claude, json_edit, settings_file

PROGRAM = "/opt/mem deck/bin/memdeck-hook"

FOREIGN = {
    "model": "opus",
    "permissions": {"allow": ["Bash(make *)"], "deny": []},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PostToolUse": [
            {
                "matcher": "TodoWrite|TaskCreate|TaskUpdate",
                "hooks": [{"type": "command", "command": "/usr/bin/other-tool todo", "timeout": 3}],
            }
        ],
    },
    "env": {"A": 'é ☕ \\ " /'},
}

LAYOUTS = {
    "two blanks": json.dumps(FOREIGN, indent=2) + "\n",
    "four blanks": json.dumps(FOREIGN, indent=4, ensure_ascii=False),
    "tabs": json.dumps(FOREIGN, indent="\t") + "\n\n",
    "one line": json.dumps(FOREIGN),
    "compact": json.dumps(FOREIGN, separators=(",", ":")) + "\n",
    "windows": (json.dumps(FOREIGN, indent=2) + "\n").replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + json.dumps(FOREIGN, indent=2),
    "empty object": "{}",
    "spacious empty object": "{ \n }\n",
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "empty lists": '{\n  "hooks": {"Stop": [ ], "SessionEnd": []},\n  "a": 1}\n',
    "odd spacing": '{"a" :1 ,\n\n   "hooks":{ "Stop" :[\n] } }',
}


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(project):
    """The project's settings file, not yet there."""
    return project / ".claude" / "settings.json"


@pytest.fixture
def install(home, project):
    def _install(scope="project", program=PROGRAM):
        planned = install_claude.plan(scope, str(project), home, executable=program)
        install_claude.apply(planned, home)
        return planned

    return _install


@pytest.fixture
def uninstall(home, project):
    def _uninstall(scope="project"):
        planned = install_claude.plan_uninstall(scope, str(project))
        install_claude.apply(planned, home)
        return planned

    return _uninstall


def put(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())


def without_ours(value):
    """The settings as another program sees them when ours are thought away."""
    hooks = {
        event: kept
        for event, groups in value.get("hooks", {}).items()
        if (kept := [g for g in groups if not any(map(install_claude.is_ours, g["hooks"]))])
    }
    return {
        **{k: v for k, v in value.items() if k != "hooks"},
        **({"hooks": hooks} if hooks else {}),
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_install_then_uninstall_gives_the_very_bytes_back(layout, settings, install, uninstall):
    put(settings, LAYOUTS[layout])
    install()
    assert len(install_claude.entries_in(settings.read_bytes().decode())) == len(claude.EVENTS)
    uninstall()
    assert settings.read_bytes() == LAYOUTS[layout].encode()
    assert os.listdir(settings.parent) == ["settings.json"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_installing_twice_changes_nothing(layout, settings, install):
    put(settings, LAYOUTS[layout])
    install()
    once = settings.read_bytes()
    state = os.stat(settings)
    assert not install().is_needed
    assert settings.read_bytes() == once
    assert os.stat(settings).st_ino == state.st_ino


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_belongs_to_others_stays_and_stands_first(layout, settings, install):
    put(settings, LAYOUTS[layout])
    before = json.loads(LAYOUTS[layout].removeprefix("\ufeff"))
    install()
    after = json.loads(settings.read_bytes().decode("utf-8-sig"))
    assert without_ours(after) == without_ours(before)
    assert [key for key in after if key in before] == list(before)
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
        assert len(after["hooks"][event]) == len(groups) + (event in claude.EVENTS)


def test_only_the_inserted_lines_differ(settings, install):
    put(settings, LAYOUTS["four blanks"])
    planned = install()
    removed = [
        line[1:]
        for line in planned.diff.splitlines()
        if line.startswith("-") and not line.startswith("---")
    ]
    assert all(line + "," in planned.diff for line in removed)  # a comma was added, no more


def test_a_file_that_was_not_there_is_removed_again(project, settings, install, uninstall):
    assert install().before is None
    assert settings.exists()
    assert uninstall().after is None
    assert os.listdir(project) == []


def test_each_event_is_asked_for_with_a_time_limit_and_cannot_block(settings, install):
    install()
    hooks = json.loads(settings.read_bytes())["hooks"]
    assert list(hooks) == list(claude.EVENTS)
    for event, [group] in hooks.items():
        [handler] = group["hooks"]
        assert handler["timeout"] == 10
        assert handler["command"].endswith(f"'{PROGRAM}' claude {event} || exit 0")
    assert hooks["PostToolUse"][0]["matcher"] == "TodoWrite|TaskCreate|TaskUpdate"


@pytest.mark.parametrize("ending", ["exit 2", "exit 1", "kill -9 $$"])
def test_the_command_never_exits_other_than_zero(ending, home, tmp_path):
    program = tmp_path / "it's a $(tool)"
    program.write_text(f"#!/bin/sh\n{ending}\n")
    program.chmod(0o755)
    for path in (str(program), str(tmp_path / "gone")):
        command = install_claude.command(path, "Stop", home)
        done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"")


def test_a_home_of_its_own_travels_with_the_command(home, tmp_path, monkeypatch):
    script = tmp_path / "memdeck-hook"
    script.write_text('#!/bin/sh\nprintf %s "$MEMDECK_HOME $*"\n')
    script.chmod(0o755)
    command = install_claude.command(str(script), "Stop", home)
    monkeypatch.delenv("MEMDECK_HOME")
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert done.stdout.decode() == f"{home.path} claude Stop"


def test_the_default_home_is_not_mentioned(monkeypatch):
    monkeypatch.delenv("MEMDECK_HOME", raising=False)
    assert "MEMDECK_HOME" not in install_claude.command(
        "/x/memdeck-hook", "Stop", install_claude.Home()
    )


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_what_cannot_be_understood_is_left_as_it_is(text, settings, home, project):
    put(settings, text)
    planned = install_claude.plan("project", str(project), home, executable=PROGRAM)
    assert planned.problems
    with pytest.raises(Refused):
        install_claude.apply(planned, home)
    assert settings.read_bytes() == text.encode()
    assert os.listdir(settings.parent) == ["settings.json"]


def test_bytes_that_are_no_utf8_are_left_as_they_are(settings, home, project):
    settings.parent.mkdir()
    settings.write_bytes(b'{"a": "\xff"}')
    assert install_claude.plan("project", str(project), home, executable=PROGRAM).problems


def test_a_folder_in_the_files_place_is_refused(settings, home, project):
    settings.mkdir(parents=True)
    assert install_claude.plan("project", str(project), home, executable=PROGRAM).problems


def test_a_missing_program_is_a_problem(home, project, monkeypatch):
    monkeypatch.setattr(install_claude, "find_executable", lambda: None)
    assert install_claude.plan("project", str(project), home).problems


def test_the_program_beside_the_interpreter_is_found_first(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert install_claude.find_executable() is None
    for folder in ("path", "."):
        program = tmp_path / folder / "memdeck-hook"
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        assert install_claude.find_executable() == str(program)


def test_a_change_between_plan_and_act_is_noticed(settings, home, project):
    put(settings, "{}")
    planned = install_claude.plan("project", str(project), home, executable=PROGRAM)
    settings.write_text('{"mine": 1}')
    with pytest.raises(Refused, match="meanwhile"):
        install_claude.apply(planned, home)
    assert settings.read_text() == '{"mine": 1}'


def test_a_second_installer_waits_its_turn(settings, home, project):
    planned = install_claude.plan("project", str(project), home, executable=PROGRAM)
    home.prepare()
    with settings_file.installing(home), pytest.raises(Refused, match="Another"):
        install_claude.apply(planned, home)
    assert not settings.exists()


def test_a_link_is_written_through_and_stays_a_link(tmp_path, settings, install, uninstall):
    target = tmp_path / "dotfiles.json"
    target.write_text(LAYOUTS["tabs"])
    settings.parent.mkdir()
    settings.symlink_to(target)

    planned = install()
    assert settings.is_symlink()
    assert "memdeck-hook" in target.read_text()
    assert any(str(target) in note for note in planned.notes)
    uninstall()
    assert settings.is_symlink()
    assert target.read_text() == LAYOUTS["tabs"]


def test_a_link_to_nowhere_is_refused(tmp_path, settings, home, project):
    settings.parent.mkdir()
    settings.symlink_to(tmp_path / "gone" / "settings.json")
    assert install_claude.plan("project", str(project), home, executable=PROGRAM).problems


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o444])
def test_the_mode_is_kept(mode, settings, install, uninstall):
    put(settings, LAYOUTS["tabs"])
    settings.chmod(mode)
    install()
    assert stat.S_IMODE(settings.stat().st_mode) == mode
    assert stat.S_IMODE((settings.parent / "settings.json.memdeck.bak").stat().st_mode) == 0o600
    uninstall()
    assert stat.S_IMODE(settings.stat().st_mode) == mode


def test_the_backup_is_from_before_the_first_change(settings, install):
    put(settings, LAYOUTS["tabs"])
    install()
    install(program="/new/memdeck-hook")
    backup = settings.parent / "settings.json.memdeck.bak"
    assert backup.read_text() == LAYOUTS["tabs"]


def test_a_moved_program_replaces_the_old_entries(settings, install, uninstall):
    put(settings, LAYOUTS["odd spacing"])
    install(program="/old/memdeck-hook")
    install(program="/new/memdeck-hook")
    text = settings.read_text()
    assert "/old/" not in text
    assert text.count("/new/memdeck-hook") == len(claude.EVENTS)
    uninstall()
    assert settings.read_text() == LAYOUTS["odd spacing"]


@pytest.mark.parametrize(
    "command",
    [
        "/a/b/memdeck-hook claude Stop || exit 0",
        "'/a b/memdeck-hook' claude Stop",
        "memdeck-hook claude Stop",
        "memdeck hook claude Stop",
        "MEMDECK_HOME=/x /a/memdeck-hook --cli claude Stop",
        '"C:\\Program Files\\memdeck-hook.exe" claude Stop',
    ],
)
def test_older_spellings_of_our_command_are_recognised(command):
    assert install_claude.is_ours({"type": "command", "command": command})


@pytest.mark.parametrize(
    "command",
    [
        "other-memdeck-hook claude Stop",
        "/a/memdeck-hooks claude Stop",
        "/a/memdeck-hook codex Stop",
        "memdeck status",
        "echo claude",
        "",
        None,
        3,
    ],
)
def test_other_peoples_commands_are_not_ours(command):
    assert not install_claude.is_ours({"type": "command", "command": command})
    assert not install_claude.is_ours(command)


def test_uninstall_after_other_changes_takes_out_only_ours(settings, install, uninstall):
    put(settings, LAYOUTS["four blanks"])
    install()
    text = settings.read_text()
    settings.write_text(text.replace('"model": "opus"', '"model": "sonnet",\n    "new":   [1 ]'))
    uninstall()
    expected = LAYOUTS["four blanks"].replace(
        '"model": "opus"', '"model": "sonnet",\n    "new":   [1 ]'
    )
    assert settings.read_text() == expected


def test_a_handler_that_was_moved_into_another_group_is_taken_out_alone(settings, uninstall):
    ours = {"type": "command", "command": "/x/memdeck-hook claude Stop || exit 0"}
    theirs = {"type": "command", "command": "say done"}
    put(settings, json.dumps({"hooks": {"Stop": [{"hooks": [ours, theirs]}]}}, indent=2))
    uninstall()
    assert json.loads(settings.read_text()) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


def test_uninstall_without_an_installation_changes_nothing(settings, uninstall):
    put(settings, LAYOUTS["tabs"])
    assert not uninstall().is_needed
    assert settings.read_text() == LAYOUTS["tabs"]


def test_uninstall_without_a_file_makes_none(project, uninstall):
    assert not uninstall().is_needed
    assert os.listdir(project) == []


def test_the_scopes_are_three_files(home, project, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "conf"))
    paths = [install_claude.settings_path(scope, str(project)) for scope in install_claude.SCOPES]
    assert paths == [
        str(tmp_path / "conf" / "settings.json"),
        str(project / ".claude" / "settings.json"),
        str(project / ".claude" / "settings.local.json"),
    ]
    with pytest.raises(Refused):
        install_claude.settings_path("planet")


def test_the_user_scope_keeps_its_folder(tmp_path, monkeypatch, install, uninstall):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "conf"))
    install("user")
    uninstall("user")
    assert os.listdir(tmp_path / "conf") == []


def test_switched_off_hooks_are_pointed_out(settings, install):
    put(settings, '{"disableAllHooks": true}')
    assert any("disableAllHooks" in note for note in install().notes)


def test_a_full_disk_leaves_the_old_file(settings, home, project, monkeypatch):
    put(settings, LAYOUTS["tabs"])
    planned = install_claude.plan("project", str(project), home, executable=PROGRAM)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="space"):
        install_claude.apply(planned, home)
    assert settings.read_text() == LAYOUTS["tabs"]
    assert os.listdir(settings.parent) == ["settings.json"]


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


@given(
    settings=SETTINGS,
    hooks=st.none() | st.dictionaries(st.sampled_from(claude.EVENTS), GROUPS, max_size=4),
    indent=st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_settings_keep_their_meaning_with_us_and_without_us(
    our_entries, settings, hooks, indent
):
    value = settings if hooks is None else {**settings, "hooks": hooks}
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    with_us = install_claude.with_entries(text, our_entries)

    again = json.loads(with_us)
    assert sorted(install_claude.entries_in(with_us), key=str) == sorted(our_entries, key=str)
    assert {k: v for k, v in again.items() if k != "hooks"} == settings
    for event, groups in (hooks or {}).items():
        assert again["hooks"][event][: len(groups)] == groups

    back = json.loads(install_claude.without_entries(with_us))
    kept = {event: groups for event, groups in (hooks or {}).items() if groups}
    expected = {**settings, **({"hooks": kept} if kept else {})}
    assert back == expected


@pytest.fixture(scope="module")
def our_entries():
    """Our entries, made without any home."""
    return [
        (event, {"hooks": [{"command": f"/x/memdeck-hook claude {event}"}]})
        for event in claude.EVENTS
    ]


@given(VALUES)
def test_the_position_parser_reads_what_json_reads(value):
    for indent in (None, 2):
        text = json.dumps(value, indent=indent, ensure_ascii=False)
        node = json_edit.parse(text)
        assert node.value == value
        assert (node.start, node.end) == (0, len(text))
