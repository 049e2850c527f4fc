"""Gemini CLI takes no text before a tool: what is known of a file comes with the tool's result."""

import json

import pytest

from memdeck import open_memory
from memdeck.agents import spool

pytestmark = pytest.mark.usefixtures("opened_once")

FACT = "The tide gauge is read in metres above the quay, never above the sea."


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "harbour"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def read_file(home, project, tell):
    """Gemini has read a file that a memory names; the text that the model is given with it."""
    with open_memory(home, project) as memory:
        memory.remember(FACT, files=["gauge.py"])

    def _read(groups, name="gauge.py"):
        with open(home.config, "w", encoding="utf-8") as file:
            file.write(f"[hooks]\nevents = {json.dumps(groups)}\n")
        payload = {
            "session_id": "s1",
            "cwd": project,
            "transcript_path": f"{project}/chats/session-1.jsonl",
            "timestamp": "2026-03-20T09:30:00.000Z",
            "hook_event_name": "AfterTool",
            "tool_name": "read_file",
            "tool_input": {"file_path": f"{project}/{name}"},
            "tool_response": {"llmContent": "height = 3", "returnDisplay": ""},
        }
        out = tell(payload, "gemini", "AfterTool")
        return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""

    return _read


def kinds(home):
    return [record["kind"] for record in spool.read_spool(home)]


def test_what_is_known_of_a_file_comes_with_its_content(home, read_file):
    assert FACT in read_file(["files"])
    assert "tool_ended" not in kinds(home)  # nobody asked for results
    assert read_file(["files"]) == ""  # once per file and session


def test_of_an_unknown_file_nothing_is_said(home, read_file):
    assert read_file(["files"], name="crane.py") == ""


def test_without_the_group_the_result_is_noted_and_nothing_is_told(home, read_file):
    assert read_file(["results"]) == ""
    assert kinds(home) == ["tool_ended"]


def test_with_both_groups_it_is_told_and_noted(home, read_file):
    assert FACT in read_file(["files", "results"])
    assert sorted(kinds(home)) == sorted([spool.RECEIPT, "tool_ended"])
