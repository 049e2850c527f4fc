"""What users rely on: each command's arguments and options, and the fields of each JSON output.

`contract.json` was recorded from a version that is in use. What it names must be there, in that
order; what is new is added to it by `MEMDECK_RECORD=1 pytest tests/cli/test_cli_contract.py`.
"""

import json
import os
import subprocess
from pathlib import Path

import click
import pytest

from memdeck import open_memory

from .tree import ROOT

RECORD = Path(__file__).with_name("contract.json")
IS_RECORDING = bool(os.environ.get("MEMDECK_RECORD"))

WITHOUT_JSON = {
    "hook",  # answers in the words of the host that calls
    "memory slash",  # answers an agent in plain text
    "pick",  # asks on a terminal: test_cli_terminal.py has its refusal
    "demo",  # builds a whole history: test_cli_demo.py has its output
}
COUNTS = {  # objects whose names are data: counts by a word of the store
    *("by_type", "by_status", "by_category", "categories", "kinds", "parts", "per_tier", "limits"),
    *("details", "signals", "weight", "dropped", "answers", "hooks", "left"),
}


def commands():
    """Each command of the tree by its words, and the root as ""."""
    found = {"": ROOT}

    def walk(group, words):
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            found[" ".join((*words, name))] = command
            if isinstance(command, click.Group):
                walk(command, (*words, name))

    walk(ROOT, ())
    return found


def described(parameter):
    """An argument or an option, as far as somebody's script can depend on it."""
    choices = getattr(parameter.type, "choices", None)
    about = {
        "names": [*parameter.opts, *parameter.secondary_opts],
        "nargs": parameter.nargs,
        "required": parameter.required,
        "choices": list(choices) if choices else [],
    }
    if isinstance(parameter, click.Option):
        about |= {"flag": parameter.is_flag, "repeatable": parameter.multiple}
    return about


def interface():
    """By command: its arguments, in order, and its options by name."""
    told = {}
    for name, command in commands().items():
        arguments = [described(one) for one in command.params if isinstance(one, click.Argument)]
        options = {one.opts[0]: described(one) for one in command.params if one.opts[0][0] == "-"}
        told[name] = {"arguments": arguments, "options": dict(sorted(options.items()))}
    return told


def shape(values):
    """The paths of all fields of some JSON values, in the order in which they come."""
    paths = dict[str, None]()

    def walk(value, path):
        if isinstance(value, dict):
            for name, part in value.items():
                paths[f"{path}.{name}".lstrip(".")] = None
                if name not in COUNTS:
                    walk(part, f"{path}.{name}")
        elif isinstance(value, list):
            for part in value:
                walk(part, f"{path}[]")

    for value in values:
        walk(value, "")
    return list(paths)


def test_no_argument_or_option_disappears(recorded):
    before, now = recorded["interface"], interface()
    assert set(before) <= set(now)
    for name, told in before.items():
        assert now[name]["arguments"] == told["arguments"], name
        for option, was in told["options"].items():
            after = now[name]["options"].get(option)
            assert after is not None, f"{name} {option} is gone"
            assert set(was["names"]) <= set(after["names"]), f"{name} {option}"
            assert set(was["choices"]) <= set(after["choices"]), f"{name} {option}"
            for fact in ("nargs", "required", "flag", "repeatable"):
                assert was[fact] == after[fact], f"{name} {option}: {fact}"


@pytest.mark.slow
def test_no_field_of_a_json_output_disappears_or_moves(recorded, outputs):
    before = recorded["json"]
    assert set(before) <= set(outputs)
    for words, fields in before.items():
        now = shape(outputs[words])
        assert [path for path in fields if path not in now] == [], words
        assert [path for path in now if path in set(fields)] == fields, f"{words}: order"


def test_every_command_with_json_is_held():
    for name, command in commands().items():
        is_group = isinstance(command, click.Group) and not command.invoke_without_command
        if name and name not in WITHOUT_JSON and not is_group and name != "memory alias":
            assert any(f"{words} ".startswith(f"{name} ") for words in ASKED), name


def test_the_record_is_no_comparison_of_nothing_with_nothing(recorded):
    assert len(recorded["interface"]) > 70
    assert len(recorded["interface"]["remember"]["options"]) > 14
    assert len(recorded["json"]["show MEMORY --history"]) > 90


@pytest.fixture
def recorded(request):
    """What was recorded, or on demand what is now."""
    if not IS_RECORDING:
        return json.loads(RECORD.read_text("utf-8"))
    outputs = request.getfixturevalue("outputs")
    told = {
        "interface": interface(),
        "json": {words: shape(values) for words, values in outputs.items()},
    }
    parts = [
        f"{json.dumps(part)}: {{\n"
        + ",\n".join(f" {json.dumps(name)}: {json.dumps(one)}" for name, one in lines.items())
        + "\n}"
        for part, lines in told.items()
    ]
    RECORD.write_text("{" + ",\n".join(parts) + "}\n", "utf-8")
    return told


def _move_files(project, names, remembered):
    """Memories of files that a later commit moves: one to list, one for each answer."""

    def git(*words, when="2020-01-01T00:00:00Z"):
        about = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        surroundings = {**os.environ, **dates, "GIT_CONFIG_GLOBAL": os.devnull}
        subprocess.run(["git", *about, *words], cwd=project, check=True, env=surroundings)

    git("init", "-q")
    (project / "feed").mkdir()
    for name in ("LISTED", "CONFIRMED", "FOLLOWED", "RETIRED"):
        file = f"feed/{name.lower()}.py"
        (project / file).write_text(f"{name}\n" * 40)
        names[name] = remembered(f"The {name} prices of the feed are printed by {file} alone")
    git("add", "-A")
    git("commit", "-q", "-m", "feed")
    git("mv", "feed", "sources")
    git("commit", "-q", "-m", "sources", when="2037-01-01T00:00:00Z")


@pytest.fixture
def store(cli, remembered, captured, home, tmp_path):
    """A small store in which each command has something to tell; names for what is in it."""
    names = {
        "MEMORY": remembered(
            *("Staging lives on host db-7", "--category", "discovery", "--pin", "--tag", "infra"),
            *("--file", "deploy/hosts.yml", "--due", "3d", "--expires", "30d", "--key", "note-1"),
        ),
        "SECOND": remembered("The retry budget is three attempts", "--category", "decision"),
        "THIRD": remembered("The queue tests need redis on port 6380", "--type", "procedural"),
        "TASK": remembered("Renew the certificate of the feed", "--type", "prospective"),
        "FOURTH": remembered("Retries stop after three attempts", "--scope", "global", "--yes"),
        "CANDIDATE": captured("Never deploy on a Friday afternoon"),
        "OTHER": captured("The billing service owns the tax tables", "s-2"),
        "THIRD_CANDIDATE": captured("Keep the worker's pool at four threads", "s-2"),
        "NEAR": captured("Backups of the ledger are kept for ninety days", "s-2"),
        "REFUSED": captured("ok"),
    }
    names["WIDE"] = remembered("Feeds are drained by hand", "--scope", "global", "--yes")
    names["OFFERED"] = remembered("Renew the crane's licence in March", "--type", "prospective")
    for _ in range(3):
        cli("recall", "renew the licence of the crane in March")
    if not names["REFUSED"].isdigit():
        names["REFUSED"] = captured("done")
    assert names["REFUSED"].isdigit()
    _move_files(tmp_path / "acme-api", names, remembered)
    assert cli("maintain").code == 0
    assert cli("link", names["SECOND"], names["THIRD"], "--as", "refines").code == 0
    marked = cli("conflicts", "mark", names["SECOND"], names["THIRD"], "--reason", "x", "--json")
    names["CONFLICT"] = marked.json["id"]
    told = cli("recall", "where does staging live?", "--session", "s-1", "--json").json
    names["RECEIPT"] = told["receipt"]
    cli("receipts", "helpful", names["RECEIPT"], names["MEMORY"])
    with open_memory(home, actor="rule") as core:
        core.session_seen("s-1", "claude")
        core.finalize_session("s-1")
    (tmp_path / "notes.jsonl").write_text(
        '{"content": "Invoices are sent on the first"}\n{"a": 1}\n'
    )
    (tmp_path / "RULES.md").write_text("# Rules\n\n- Use decimals for money.\n- ok\n")
    queries = '{"id": 1, "query": "redis"}\n{"id": 2}\n{"id": 3, "query": "rediss"}\n'
    (tmp_path / "queries.jsonl").write_text(queries)
    return names


ASKED = [
    "--json",
    "status",
    "stats",
    "value",
    "doctor",
    "list",
    "list --limit 1",
    "search redis",
    "search redis --explain",
    "search redis --filter {}",
    "search --batch TMP/queries.jsonl",
    "show MEMORY",
    "show MEMORY --history",
    "open MEMORY --print",
    "show CANDIDATE --why",
    "recall where does staging live? --session s-1 --files deploy/hosts.yml",
    "recall where does staging live? --explain --no-receipt",
    "recall zebras --no-receipt",
    "receipts",
    "receipts list --limit 5",
    "receipts show RECEIPT",
    "receipts replay RECEIPT",
    "receipts helpful RECEIPT MEMORY",
    "receipts unhelpful RECEIPT MEMORY",
    "sessions",
    "sessions list",
    "sessions show s-1",
    "sessions fork s-1",
    "sessions incognito s-2",
    "extract",
    "extract --print-pairs",
    "extract --use claude",
    "extract --off",
    "inbox",
    "inbox list",
    "inbox --refused",
    "inbox show CANDIDATE",
    "conflicts",
    "conflicts list --all",
    "conflicts show CONFLICT",
    "inbox snooze CANDIDATE --until 3d",
    "inbox edit CANDIDATE --importance 8",
    "inbox accept OTHER --pin",
    "inbox reject THIRD_CANDIDATE",
    "inbox merge NEAR --into SECOND",
    "inbox rescue REFUSED",
    "teaching",
    "teaching --reset",
    "profile",
    "profile show --category style",
    "profile add Answer_in_short_sentences --category verbosity --yes",
    "profile edit SECOND --category policies",
    "profile clear --category verbosity --yes",
    "conflicts resolve CONFLICT --keep both --context x",
    "conflicts mark MEMORY THIRD --reason y",
    "remember The changelog has a sentence for each change",
    "remember --batch TMP/notes.jsonl",
    "learn The feed is cut at midnight. --why seen --session s-1",
    "edit MEMORY --importance 9 --add-tag db",
    "unpin MEMORY",
    "pin MEMORY",
    "link MEMORY SECOND --as refines",
    "promote SECOND --to project",
    "promotions",
    "promotions list --limit 5",
    "promotions offers",
    "promotions decline OFFERED",
    "demote WIDE --yes",
    "merge SECOND FOURTH --yes",
    "forget THIRD --reason done",
    "done TASK",
    "restore TASK",
    "undo",
    "redo",
    "restore THIRD",
    "audit",
    "audit 2",
    "diff #1",
    "digest",
    "list --as-of #2",
    "verify",
    "check",
    "check --secrets --fix",
    "redact",
    "redact --jsonl",
    "memory status",
    "memory list",
    "memory search redis",
    "memory budget 3000",
    "memory auto off",
    "memory incognito off",
    "memory config conservative",
    "memory alias add infra ops hosts",
    "view save stale is:stale group:file",
    "view",
    "view list",
    "view remove stale",
    "memory alias list --built-in",
    "memory alias remove infra",
    "import TMP/notes.jsonl",
    "import TMP/RULES.md --dry-run",
    "import TMP/RULES.md",
    "export",
    "install claude --dry-run",
    "install claude",
    "uninstall claude",
    "drain",
    "completion bash",
    "stale",
    "stale list",
    "stale confirm CONFIRMED",
    "stale follow FOLLOWED",
    "stale retire RETIRED",
    "tidy",
    "maintain",
    "maintain --dry-run",
    "summaries",
    "summaries list --level session",
    "summaries show s-1",
    "rebuild",
    "receipts edit RECEIPT MEMORY --content Staging_lives_in_eu-west-2_now",
    "receipts demote RECEIPT MEMORY",
    "receipts forget RECEIPT MEMORY",
]

SAID = {"redact": "token = abc", "redact --jsonl": '{"id": 1, "text": "x"}\nno\n'}


@pytest.fixture
def outputs(cli, store, tmp_path):
    """By command line: its JSON values."""
    told = {}
    for asked in ASKED:
        words = [store.get(word, word.replace("TMP", str(tmp_path))) for word in asked.split()]
        answer = cli(*words, *(["--json"] if asked != "--json" else []), stdin=SAID.get(asked, ""))
        assert answer.code in (0, 1), (asked, answer.err)
        assert answer.out, (asked, answer.err)
        told[asked] = answer.lines
    return told
