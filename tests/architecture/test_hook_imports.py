"""A prompt waits for us: a fresh interpreter shows what each path of the hook loads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memdeck.agents.spool import GUARD, DrainLock
from memdeck.db.home import Home

ROOT = Path(__file__).parent.parent.parent

# The package itself is a stand-in, so that only what the hook imports is counted; without
# `site`, so that nothing which this environment loads at its start hides an import of ours.
SCRIPT = """
import sys, types, io, json
package = types.ModuleType("memdeck")
package.__path__ = [{root!r}]
package.__version__ = "0"
sys.modules["memdeck"] = package
before = set(sys.modules)
from memdeck.core import hosts
from memdeck.hosts import registry
hosts.registry = registry  # as the package does
from memdeck.agents.main import main
{more}
main(["claude", {event!r}], io.BytesIO({data!r}))
print(*sorted(set(sys.modules) - before))
"""

NEVER = {"pydantic", "rapidfuzz", "click", "platformdirs", "peewee", "playhouse", "textual", "rich"}
NEVER |= {"numpy", "onnxruntime", "tokenizers", "memdeck.core.services.meaning"}
NEVER |= {"asyncio", "logging", "subprocess", "http", "urllib.request", "socket", "unittest"}
NOT_FOR_A_NOTE = NEVER | {"json", "re", "enum", "collections", "sqlite3", "pathlib", "dataclasses"}
NOT_FOR_A_NOTE |= {"datetime", "typing", "inspect", "shutil", "tempfile", "fcntl", "signal"}


@pytest.fixture
def home(home_path, monkeypatch):
    """An empty home that the hooks find by themselves."""
    monkeypatch.setenv("MEMDECK_HOME", str(home_path))
    monkeypatch.delenv(GUARD, raising=False)
    return Home()


@pytest.fixture
def quiet_home(home):
    """A home where a drain seems to run, so that no hook starts one."""
    home.prepare()
    with DrainLock(home) as is_held:
        assert is_held
        yield home


def loaded(event, more="", **fields):
    payload = {"session_id": "s", "cwd": "/p", "hook_event_name": event, **fields}
    script = SCRIPT.format(
        root=str(ROOT), event=event, data=json.dumps(payload).encode(), more=more
    )
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("PostToolUse", {"tool_name": "TodoWrite", "tool_input": {"todos": []}}),
        ("TaskCompleted", {"task_id": "1"}),
        ("Stop", {}),
        ("SubagentStop", {"agent_type": "x", "agent_transcript_path": "/t"}),
        ("PreCompact", {}),
        ("SessionEnd", {}),
        ("Notification", {}),
    ],
)
def test_an_event_that_is_only_noted_loads_next_to_nothing(event, fields, quiet_home):
    names = loaded(event, **fields)
    assert "memdeck.agents.main" in names
    starts_the_drain = event in ("Stop", "PreCompact", "SessionEnd", "PostToolUse")
    allowed = {"fcntl"} if starts_the_drain else set()  # a changed list of tasks does
    assert not names & (NOT_FOR_A_NOTE - allowed)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
def test_recall_loads_the_standard_library_and_its_own_rooms(event, quiet_home):
    names = loaded(event, prompt="how do I run the tests?", source="startup")
    assert "memdeck.core.recall.pipeline" in names
    assert not names & NEVER
    assert not any(name.startswith(("memdeck.tui", "memdeck.cli")) for name in names)
    ours = {name.partition(".")[0] for name in names}
    assert ours <= set(sys.stdlib_module_names) | {"memdeck"}


def test_a_slash_command_costs_no_more_than_a_note(quiet_home):
    names = loaded("UserPromptSubmit", prompt="/clear")
    assert not names & NOT_FOR_A_NOTE


def test_the_drain_is_started_without_loading_it(home):
    more = "import memdeck.agents.spool as d; d.start_drain = lambda home: print('start')"
    names = loaded("SessionEnd", more=more)
    assert "memdeck.agents.drain" not in names
    assert not any(name.endswith(".compat") for name in names)
