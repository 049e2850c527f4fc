"""What an agent does in its own shell is an agent's act: nothing becomes a person's by it."""

import io
import json
import os
import tomllib

import pytest

from memdeck.agents.main import main
from memdeck.hosts import commands, registry
from memdeck.hosts.install import host_of

RULE = "Never deploy on Fridays, since nobody is at the harbour on Saturday."
FOUND = "The tide table is read from `tides.csv`, of which column 4 is in feet."
MINE = "The crane at pier C is locked by its key switch whenever the wind is above 7."
ONLY = "Only the user does this: nothing was changed."


@pytest.fixture
def begins(start, repo, settle, inside):
    """What a session is told as it begins; the agent's shell is entered."""

    def begin(name):
        inside(None)
        told = start(name, repo).tell("SessionStart", source="startup")
        settle()
        inside(name)
        return told

    return begin


def trust(cli, ref):
    shown = cli("show", ref, "--json").json
    return shown["status"], shown["provenance"], shown["degree"]


def test_what_an_agent_remembers_is_told_unasked_only_once_a_person_accepts_it(cli, begins, inside):
    persons = cli("remember", RULE, "--json").json["id"]
    assert trust(cli, persons) == ("confirmed", "person", "person")

    begins("s1")
    found = cli("remember", FOUND, "--json").json["id"]
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    for refused in (
        ("remember", MINE, "--pin"),
        ("pin", found),
        ("promote", found, "--to", "project"),
        ("review", "accept", found),
        ("edit", persons, "--content", "Always deploy on Fridays, whatever the weather is like."),
        ("merge", found, persons),
        ("merge", persons, found),
        ("edit", persons, "--add-tag", "deploys"),
        ("edit", persons, "--importance", "1"),
        ("forget", persons),
        ("link", found, persons, "--as", "superseded_by"),
        ("memory", "auto", "off"),
        ("memory", "incognito", "on", "--everywhere"),
        ("memory", "config", "aggressive"),
        ("memory", "budget", "100"),
        ("config", "preset", "aggressive"),
        ("extract", "--use", "claude"),
        ("check", "--secrets", "--fix"),
        ("memory", "slash", "pin", found),
        ("memory", "slash", "forget", persons),
        ("memory", "slash", "mem", "auto", "off"),
        ("install", "claude"),
    ):
        answer = cli(*refused)
        assert (answer.code, ONLY in answer.err + answer.out) == (1, True), (refused, answer)
    assert cli("edit", found, "--content", f"{FOUND} So divide it by 3.28.").code == 0
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    assert trust(cli, persons) == ("confirmed", "person", "person")

    told = begins("s2")
    assert RULE in told
    assert "tides.csv" not in told
    inside(None)
    assert [one["memories"][0]["id"] for one in cli("review", "--json").lines] == [found]
    assert cli("review", "accept", found).code == 0
    assert trust(cli, found)[::2] == ("confirmed", "person")
    assert "tides.csv" in begins("s3")


MARKS = [
    *[("environment", mark) for mark in ("CLAUDECODE", "CODEX_THREAD_ID", "CODEX_SANDBOX",
      "GEMINI_CLI", "COPILOT_CLI", "OPENCODE")],
    *[("environment above", mark) for mark in ("CLAUDECODE", "CODEX_THREAD_ID", "COPILOT_CLI")],
    *[("program", line) for line in ("claude", "/usr/bin/codex exec", "gemini", "copilot -p x",
      "opencode run", "node --no-warnings /usr/local/bin/gemini", "bun /opt/x/opencode.js",
      "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
      "node /usr/lib/node_modules/@github/copilot/index.js")],
]  # fmt: skip
OF_THE_USER = ["bash", "vim claude.md", "tmux", "code .", "node server.js", "make codex", "-zsh"]


@pytest.fixture
def above(monkeypatch, tmp_path):
    """The processes above us, as the system lists them: the parent is this command line."""

    def runs(line, environment="", folder="/"):
        for pid, above, command in ((os.getppid(), 77, "bash"), (77, 1, line)):
            place = tmp_path / "proc" / str(pid)
            place.mkdir(parents=True, exist_ok=True)
            (place / "stat").write_text(f"{pid} (a) b) S {above} 1 1")
            (place / "cmdline").write_text("\0".join(command.split()))
            (place / "environ").write_text(f"A=b\0{environment}=1\0" if environment else "A=b")
            (place / "cwd").unlink(missing_ok=True)
            (place / "cwd").symlink_to(folder)
        monkeypatch.setattr(registry, "PROCESSES", str(tmp_path / "proc"))

    return runs


def test_every_agents_shell_is_known_and_no_others(cli, repo, monkeypatch, above, subtests):
    kept = cli("remember", MINE, "--json").json["id"]
    for kind, what in MARKS:
        with subtests.test(kind=kind, what=what), monkeypatch.context() as patch:
            if kind == "environment":
                patch.setenv(what, "1")
            elif kind == "program":
                above(what, folder=str(repo))
            else:
                above("bash", what)
            assert ONLY in cli("pin", kept).err
            assert "An agent cannot agree" in cli("promote", kept, "--to", "global", "--yes").err
        above("bash")
    for line in OF_THE_USER:
        above(line)
        assert cli("pin", kept).code == 0, line
        assert cli("unpin", kept).code == 0


def test_an_agent_reads_the_project_that_it_runs_in_and_what_is_below(cli, repo, above, tmp_path):
    other = tmp_path / "elsewhere" / "notes"
    for folder in (other, repo / "vendor" / "lib"):
        (folder / ".git").mkdir(parents=True)
        assert cli("remember", f"Kept in {folder.name}", cwd=folder).code == 0
    above("claude", folder=str(repo))
    assert "no other project" in cli("list", cwd=other).err
    assert "Kept in lib" in cli("list", cwd=repo / "vendor" / "lib").out
    above("claude", folder=str(other.parent))
    assert "Kept in notes" in cli("list", cwd=other).out


def test_a_slash_command_is_the_users_once_and_word_by_word(cli, repo, start, inside, monkeypatch):
    session = start("s1", repo)
    cli("remember", MINE)

    def typed(prompt):
        inside(None)
        session.tell("UserPromptSubmit", prompt=prompt)
        inside("s1")

    def slash(name, words):
        return cli("memory", "slash", name, "--stdin", stdin=f"{words}\n")

    typed("/remember Never deploy on\n  Fridays.")
    assert "counts as the agent's" in slash("remember", "Never deploy on Sundays.").out
    assert slash("remember", "Never deploy on\n  Fridays.").code == 0
    found = {one["content"]: one["status"] for one in cli("list", "deploy", "--json").lines}
    assert sorted(found.values()) == ["candidate", "confirmed"]
    typed("/pin crane key switch")
    assert ONLY in slash("pin", "crane locked").out
    assert slash("pin", "crane key switch").out.startswith("pinned")
    assert ONLY in slash("pin", "crane key switch").out  # the word counts once
    typed("/mem auto off")
    assert slash("mem", "auto off").code == 0
    # a tool of the agent that calls the hook lays no word
    session.tell("UserPromptSubmit", prompt="/pin crane key switch")
    assert ONLY in slash("pin", "crane key switch").out


EXPANDED = [("codex", "UserPromptSubmit", "$"), ("gemini", "BeforeAgent", "/")]


@pytest.mark.parametrize(("host", "event", "sign"), EXPANDED)
def test_each_hosts_hook_knows_the_words_of_a_command(host, event, sign, cli, repo, monkeypatch):
    words = "The crane is locked above 7 Beaufort.\nMEMDECK_WORDS is a word."
    made = commands.files(host_of(host).commands, "project", "/src/acme", "/bin/memdeck", "")
    prompt = f"{sign}remember {words}"
    if host == "gemini":
        prompt = tomllib.loads(made[0][1].decode())["prompt"].replace("{{args}}", words)
    payload = {"session_id": "s1", "cwd": str(repo), "hook_event_name": event, "prompt": prompt}
    assert main([host, event], io.BytesIO(json.dumps(payload).encode())) == 0
    monkeypatch.setenv("CODEX_THREAD_ID", "1")
    assert cli("memory", "slash", "remember", "--stdin", stdin=f"{words}\n").code == 0
    assert [one["status"] for one in cli("list", "--json").lines] == ["confirmed"]


def test_what_an_agent_imports_waits_and_what_a_person_took_out_stays_out(
    cli, begins, inside, tmp_path
):
    kept = cli("remember", MINE, "--key", "crane", "--json").json["id"]
    gone = cli("remember", RULE, "--json").json["id"]
    assert cli("forget", gone).code == 0
    [forgot] = [one["seq"] for one in cli("audit", "--json").lines if one["action"] == "forget"]
    lines = (
        {"content": FOUND, "status": "pinned", "key": "tide"},
        {"content": RULE},
        {"content": "The crane is never locked.", "key": "crane"},
        {"content": "Every project deploys at noon.", "scope": "global"},
    )
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    written = tmp_path / "CLAUDE.md"
    written.write_text(f"- {RULE}\n- Ropes are checked with `make ropes` before each release.\n")

    begins("s1")
    brought = json.loads(cli("import", str(path), "--json").out)
    assert (brought["added"], [one["line"] for one in brought["refused"]]) == (1, [2, 3, 4])
    found = cli("show", "tide", "--json").json["id"]
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    assert cli("import", str(written), "--json").json["added"] == 1
    for refused in (("remember", RULE), ("restore", gone), ("undo", str(forgot))):
        answer = cli(*refused)
        assert (answer.code, "Only the user" in answer.err) == (1, True), (refused, answer)
    assert cli("forget", found).code == 0
    assert cli("restore", found).code == 0

    told = begins("s2")
    assert MINE in told
    assert not {"tides.csv", "Fridays", "ropes"} & {*told.replace("`", " ").split()}
    inside(None)
    assert trust(cli, kept) == ("confirmed", "person", "person")
    assert len(cli("review", "list", "--json").lines) == 2
    assert json.loads(cli("import", str(path), "--json").out)["added"] == 2  # a person may
    assert cli("show", "crane", "--json").json["content"] == "The crane is never locked."
