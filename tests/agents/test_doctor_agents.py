"""Each agent's standing: absent is no fault; what hinders a connected one is named and mended."""

import json
import os
import time
from pathlib import Path

import pytest

from memdeck import Refused, open_memory
from memdeck.agents import spool
from memdeck.agents.desk import Desk
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.cli.main import run as run_command_line
from memdeck.core.agents import HOSTS, Finding
from memdeck.db.home import Home

from .agents_bench import (
    JSON_HOSTS,
    TURN_EVENT,
    Bench,
    events_of,
    forget_surroundings,
    trusted_by_codex,
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    folder = tmp_path / "acme-api"
    folder.mkdir()
    return folder


@pytest.fixture
def desk(home, project):
    return Desk(home, str(project))


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "memdeck-hook"
    put_program(path, "#!/bin/sh\n")
    return path


@pytest.fixture
def bench(home, project, program):
    """Connect a host; returns its bench."""

    def connect(host, scope="user"):
        made = Bench(host, home, project)
        made.install(scope, program=str(program))
        return made

    return connect


@pytest.fixture
def state(desk):
    def of(host):
        return next(one for one in desk.survey() if one.host == host)

    return of


def wrong(state):
    return [finding for finding in state.findings if not finding.ok]


def trust_all(path):
    """Codex's config.toml as it is when the person trusts what stands in `path`."""
    Path(path.parent, "config.toml").write_text(trusted_by_codex(path))


def test_a_machine_without_agents_has_four_states_and_no_fault(desk):
    states = desk.survey()
    assert tuple(state.host for state in states) == HOSTS
    for state in states:
        assert not state.is_present
        assert (state.program, state.scopes, state.is_trusted) == ("", (), None)
        assert (state.latency_p50_ms, state.last_error, state.last_fired_ms) == (None, "", None)
        assert [finding.ok for finding in state.findings] == [True]


def test_looking_changes_nothing(desk, home, tmp_path):
    desk.survey()
    assert not os.path.exists(home.path)
    assert not (tmp_path / "person").exists()


def test_a_program_or_a_folder_of_settings_shows_that_an_agent_is_here(state, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    codex = folder / "codex"
    put_program(codex, "#!/bin/sh\n")
    own = Path(os.environ["HOME"], ".gemini")
    own.mkdir(parents=True)
    assert not state("gemini").is_present  # what an uninstall leaves behind
    (own / "installation_id").touch()
    assert (state("codex").is_present, state("codex").program) == (True, str(codex))
    assert (state("gemini").is_present, state("gemini").program) == (True, "")
    assert "not connected" in state("codex").findings[0].message
    assert state("codex").findings[0].ok


@pytest.mark.parametrize("host", HOSTS)
def test_a_connected_agent_is_well_and_says_where(host, bench, state):
    made = bench(host)
    if host == "codex":
        trust_all(made.path("user"))
    found = state(host)
    assert found.scopes == ("user",)
    assert wrong(found) == []
    assert [mark.name for mark in found.events] == events_of(host)
    assert f"Installed in {made.path('user')}" in found.findings[0].message
    assert "Nothing has come" in found.findings[0].message


def test_what_came_when_and_how_quickly_it_was_answered(bench, state, home, project, note_error):
    bench("claude")
    for heard in ("claude.Stop", "codex.SessionStart"):
        mark = Path(home.log, "fired", heard)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    with open_memory(home, "harbour") as store:
        for number, milliseconds in enumerate((10.0, 20.0, 90.0)):
            store.keep_receipt(
                {
                    "id": f"receipt{number}",
                    "at": 1_774_000_000_000 + number,
                    "host": "claude",
                    "project": store.project_id,
                    "session": None,
                    "event": "UserPromptSubmit",
                    "prompt_fingerprint": "0" * 16,
                    "tokens": 0,
                    "budget": 5_000,
                    "per_tier": {},
                    "items": [],
                    "left_out": [],
                    "latency_ms": milliseconds,
                }
            )
    note_error("claude Stop OSError[ENOSPC]")
    note_error("codex Stop ValueError x.py:1")
    found = state("claude")
    marks = {mark.name: mark.at_ms for mark in found.events}
    assert abs(marks["Stop"] / 1000 - time.time()) < 600
    assert (marks["SessionStart"], found.last_fired_ms) == (None, marks["Stop"])
    assert (found.latency_p50_ms, found.latency_p95_ms) == (20.0, 90.0)
    assert found.last_error.endswith("claude Stop OSError[ENOSPC]")
    message = found.findings[0].message
    assert "Last heard of just now, answered within 20 ms (95 %: 90 ms); never of" in message
    assert "SessionStart" in message
    assert state("gemini").latency_p50_ms is None


@pytest.mark.parametrize("host", JSON_HOSTS)
def test_missing_events_are_named_and_put_back(host, bench, state, desk):
    made = bench(host)
    event = TURN_EVENT[host]
    whole = made.path("user").read_text()
    made.put(whole.replace(f"{host} {event} ", f"other {event} "), "user")
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert f"lacks {event}" in finding.message
    assert f"memdeck install {host} --scope user" in finding.mend
    assert "whole again" in desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


EARLIER = ("sessions", "prompts", "turns", "todos", "compaction")
"""The groups that `memdeck install` asked for before files and subagents were told by default."""


@pytest.mark.parametrize("host", HOSTS)
def test_what_an_earlier_version_asked_for_is_named_and_made_whole(host, bench, state, home, desk):
    home.prepare()
    with open(home.config, "w", encoding="utf-8") as file:
        file.write(f"[hooks]\nevents = {json.dumps(EARLIER)}\n")
    bench(host)
    assert [one for one in wrong(state(host)) if one.fix] == []
    os.unlink(home.config)
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert "lacks" in finding.message or "asks for other events" in finding.message
    desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_program_that_is_gone_is_named_and_replaced(host, bench, state, desk, program):
    bench(host)
    program.unlink()
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert str(program) in finding.message
    desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_projects_file_is_named_and_left_to_those_who_share_it(
    host, bench, state, project, program
):
    """It may be a colleague's, whose program stands somewhere else."""
    made = bench(host, "project")
    program.unlink()
    before = made.path("project").read_bytes()
    [finding] = [one for one in wrong(state(host)) if str(program) in one.message]
    assert (finding.ok, finding.fix) == (False, "")
    assert finding.mend == f"Run `memdeck install {host} --scope project`."
    assert run_command_line(["doctor", "--fix", "--project", str(project)]) == 1
    assert made.path("project").read_bytes() == before


@pytest.mark.parametrize("host", HOSTS)
def test_hooks_that_write_to_another_home_are_named_and_left(host, bench, project, tmp_path):
    """Which of the two is meant is the person's to say: a copy may be looked at."""
    made = bench(host)
    before, other = made.path("user").read_bytes(), Desk(Home(tmp_path / "other"), str(project))
    [state] = [one for one in other.survey() if one.host == host]
    [finding] = [one for one in state.findings if made.home.path in one.message]
    assert (finding.ok, finding.fix) == (False, "")
    assert f"memdeck install {host} --scope user" in finding.mend
    assert made.path("user").read_bytes() == before


@pytest.mark.parametrize("host", HOSTS)
def test_other_events_than_the_settings_want_are_named(host, bench, state, home, desk):
    bench(host)
    with open(home.config, "w", encoding="utf-8") as file:
        file.write('[hooks]\nevents = ["prompts"]\n')
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert "other events" in finding.message
    desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


def test_settings_of_ours_that_cannot_be_read_count_as_none(bench, state, home):
    bench("claude")
    with open(home.config, "w", encoding="utf-8") as file:
        file.write("[nonsense")
    assert wrong(state("claude")) == []


@pytest.mark.parametrize("host", HOSTS)
def test_two_installations_are_one_too_many(host, bench, state):
    bench(host)
    bench(host, "project")
    found = state(host)
    assert found.scopes == ("user", "project")
    [finding] = [one for one in wrong(found) if "several scopes" in one.message]
    assert f"memdeck uninstall {host} --scope project" in finding.mend


@pytest.mark.parametrize("host", HOSTS)
def test_a_file_that_cannot_be_understood_is_named(host, bench, state, home, project):
    made = Bench(host, home, project)
    made.install("project")
    made.put(made.file.read_text()[1:], "project")
    [finding] = wrong(state(host))
    assert finding.name == f"{host} (project)"
    assert finding.mend == "Mend the file, or move it away."


def test_comments_in_geminis_settings_are_none_of_our_business(state, home, project):
    Bench("gemini", home, project).put("{} // mine", "user")
    assert wrong(state("gemini")) == []
    Bench("claude", home, project).put("{} // mine", "user")
    assert len(wrong(state("claude"))) == 1


@pytest.mark.parametrize("host", HOSTS)
def test_in_the_home_folder_two_scopes_can_be_one_file(host, home, project, program):
    person = Path(os.environ["HOME"])
    person.mkdir(exist_ok=True)
    made = Bench(host, home, person)
    made.install("user", program=str(program))
    found = next(one for one in Desk(home, str(person)).survey() if one.host == host)
    assert len(found.scopes) == 1
    assert not any("several scopes" in one.message for one in found.findings)


@pytest.mark.parametrize(
    ("user", "local", "is_off"),
    [(True, None, True), (True, False, False), (False, True, True), (None, None, False)],
)
def test_the_nearest_switch_of_claude_code_decides(user, local, is_off, bench, state):
    made = bench("claude")
    path = made.path("user")
    if user is not None:
        path.write_text(json.dumps({**json.loads(path.read_text()), "disableAllHooks": user}))
    if local is not None:
        made.put(json.dumps({"disableAllHooks": local}), "local")
    assert any("disableAllHooks" in one.message for one in wrong(state("claude"))) is is_off


def test_codex_is_trusted_when_it_knows_every_hook(bench, state):
    made = bench("codex")
    assert state("codex").is_trusted is False
    [finding] = wrong(state("codex"))
    assert f"not trusted: {', '.join(events_of('codex'))}." in finding.message
    assert "`memdeck install codex --trust`" in finding.mend
    assert finding.fix == ""  # only a person trusts
    trust_all(made.path("user"))
    assert state("codex").is_trusted is True


def test_a_hook_that_changed_since_it_was_trusted_is_named(bench, state, tmp_path):
    made = bench("codex")
    trust_all(made.path("user"))
    other = tmp_path / "other" / "memdeck-hook"
    other.parent.mkdir()
    put_program(other, "#!/bin/sh\n")
    made.install("user", program=str(other))
    [finding] = wrong(state("codex"))
    assert f"changed since you trusted them: {', '.join(events_of('codex'))}." in finding.message


def test_a_hook_that_was_switched_off_in_codex_is_named(bench, state):
    made = bench("codex")
    trust_all(made.path("user"))
    config = made.path("user").parent / "config.toml"
    config.write_text(config.read_text() + "enabled = false\n")
    [finding] = wrong(state("codex"))
    assert "switched off in Codex: SessionEnd" in finding.message


def test_trust_is_looked_for_where_a_hook_stands_and_by_what_codex_shows_of_it(
    home, project, program
):
    """Behind others' hooks, with a sign beyond ASCII and a limit that the person took out."""
    made = Bench("codex", home, project)
    other = program.parent / "größe" / program.name
    other.parent.mkdir()
    put_program(other, "#!/bin/sh\n")
    made.put('{"hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}}', "user")
    made.install("user", program=str(other))
    hooks = json.loads(made.path("user").read_bytes())
    assert "größe" in hooks["hooks"]["Stop"][1]["hooks"][0]["command"]
    del hooks["hooks"]["Stop"][1]["hooks"][0]["timeout"]
    made.put(json.dumps(hooks), "user")
    trust_all(made.path("user"))
    [state] = [one for one in made.desk.survey() if one.host == "codex"]
    assert state.is_trusted is True


def test_codex_needs_its_feature(bench, state, subtests):
    made = bench("codex")
    trust_all(made.path("user"))
    config = made.path("user").parent / "config.toml"
    trusted = config.read_text()
    rows = [
        ("", False),
        ("[features]\nhooks = true", False),
        ("[features]\nhooks = false", True),
        ("[features]\ncodex_hooks = false", True),
        ("features = 3", False),
    ]
    for text, is_off in rows:
        with subtests.test(text=text):
            config.write_text(f"{text}\n{trusted}")
            said = [one.message for one in wrong(state("codex"))]
            assert any("features.hooks is false" in one for one in said) is is_off


def test_codex_needs_a_trusted_project(bench, home, state, project):
    made = bench("codex", "project")
    trusted = trusted_by_codex(made.path("project"))
    config = Path(os.environ["HOME"], ".codex", "config.toml")
    config.parent.mkdir(parents=True)

    def says(text, folder=project):
        config.write_text(trusted + text)
        [found] = [one for one in Desk(home, str(folder)).survey() if one.host == "codex"]
        told = any(f"does not trust {folder}" in one.message for one in wrong(found))
        assert told is (found.is_trusted is False)
        return not told

    def as_trusted(folder, level="trusted"):
        return f"[projects.{json.dumps(str(folder))}]\ntrust_level = '{level}'\n"

    assert not says("")
    assert not says(as_trusted(f"{project}2"))
    assert not says(as_trusted(project, "no"))
    assert says(as_trusted(project))
    assert wrong(state("codex")) == []
    inner = project / "src"
    inner.mkdir()
    Bench("codex", home, inner).put(made.path("project").read_bytes())
    trusted += trusted_by_codex(inner / ".codex" / "hooks.json")
    assert not says(as_trusted(project), inner)
    (project / ".git").mkdir()
    assert says(as_trusted(project), inner)  # its top is the repository's


def test_a_broken_config_of_codex_is_named(bench, state):
    made = bench("codex")
    (made.path("user").parent / "config.toml").write_text("[[")
    [finding] = wrong(state("codex"))
    assert "not valid TOML" in finding.message
    assert state("codex").is_trusted is None


def test_hooks_that_gemini_does_not_run_are_named(bench, state):
    made = bench("gemini")
    path = made.path("user")
    value = {**json.loads(path.read_text()), "hooksConfig": {"enabled": False}}
    path.write_text(json.dumps(value))
    [finding] = wrong(state("gemini"))
    assert "hooksConfig.enabled" in finding.message


@pytest.mark.parametrize(
    ("rules", "is_trusted"),
    [
        ({}, None),
        ({"/elsewhere": "TRUST_FOLDER"}, None),
        ({"HERE": "TRUST_FOLDER"}, True),
        ({"ABOVE": "TRUST_FOLDER"}, True),
        ({"BESIDE": "TRUST_PARENT"}, True),
        ({"HERE": "DO_NOT_TRUST"}, False),
        ({"ABOVE": "TRUST_FOLDER", "HERE": "DO_NOT_TRUST"}, False),
        ([], None),
    ],
)
def test_the_nearest_rule_of_gemini_says_whether_a_folder_is_trusted(
    rules, is_trusted, bench, state, project
):
    made = bench("gemini")
    places = {"HERE": project, "ABOVE": project.parent, "BESIDE": project.parent / "other"}
    if isinstance(rules, dict):
        rules = {str(places.get(path, path)): rule for path, rule in rules.items()}
    trusted = made.path("user").parent / "trustedFolders.json"
    trusted.write_text(json.dumps(rules))
    assert state("gemini").is_trusted is is_trusted
    assert bool(wrong(state("gemini"))) is (is_trusted is False)
    value = {**json.loads(made.path("user").read_text())}
    value["security"] = {"folderTrust": {"enabled": False}}
    made.path("user").write_text(json.dumps(value))
    assert state("gemini").is_trusted is None


@pytest.mark.parametrize(
    ("line", "rival"),
    [
        ("node /opt/claude-mem/hook.js", "claude-mem"),
        ("mem0 hook", "mem0"),
        ("/usr/bin/other-tool todo", None),
        ("echo mem0rial", None),
        ("/x/notclaude-mem run", None),
    ],
)
@pytest.mark.parametrize("host", ["claude", "gemini"])
def test_another_memory_for_the_same_agent_is_named(host, line, rival, bench, state):
    made = bench(host)
    value = json.loads(made.path("user").read_text())
    value["hooks"]["Notification"] = [{"hooks": [{"type": "command", "command": line}]}]
    made.path("user").write_text(json.dumps(value))
    assert [one.message.split(" ")[0] for one in wrong(state(host))] == ([rival] if rival else [])


def test_a_plugin_that_is_another_memory_is_named_while_it_is_on(bench, state):
    made = bench("claude")
    for is_on in (True, False):
        value = json.loads(made.path("user").read_text())
        value["enabledPlugins"] = {"claude-mem@thedotmack": is_on}
        made.path("user").write_text(json.dumps(value))
        assert bool(wrong(state("claude"))) is is_on


def test_the_desk_plans_and_carries_out(desk, home, project):
    planned = desk.plan("claude", "project")
    assert not planned.is_removal
    assert not Path(planned.changes[0].path).exists()
    desk.apply(planned)
    assert Path(planned.changes[0].path).exists()
    desk.apply(desk.plan("claude", "project", remove=True))
    assert list(project.iterdir()) == []


def test_instruction_files_of_the_project_and_the_person_are_read(desk, project):
    own = Path(os.environ["HOME"], ".codex", "AGENTS.md")
    own.parent.mkdir(parents=True)
    own.write_text("- Answer in English, briefly.\n")
    (project / "CLAUDE.md").write_text("# Rules\n\n- Deploy with make deploy only.\n")
    (project / "AGENTS.md").symlink_to(project / "CLAUDE.md")
    (project / "GEMINI.md").write_bytes(b"no text: \0")
    found = desk.instructions()
    assert [os.path.basename(file.path) for file in found] == ["CLAUDE.md", "AGENTS.md"]
    assert "Deploy with make deploy only." in found[0].entries[0]
    assert found[1].path == str(own)


def test_only_what_is_safe_is_mended(desk, home):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    Path(home.config).touch(0o644)
    assert "1 files and folders" in desk.fix(Finding("home", False, "", "", "permissions"))
    assert os.stat(home.config).st_mode & 0o777 == 0o600
    assert "worked off" in desk.fix(Finding("spool", False, "", "", "drain"))
    assert spool.read_spool(home) == []
    for fix in ("", "trust codex", "install"):
        with pytest.raises(Refused):
            desk.fix(Finding("codex", False, "", "", fix))
