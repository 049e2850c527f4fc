"""A session's tools say which files are looked at first, but for turns off the record."""

import json

import pytest

from memdeck import open_memory
from memdeck.agents import spool
from memdeck.agents.drain import drain_spool


@pytest.mark.parametrize(
    ("prompt", "files"),
    [("Read the crane's manual.", ("crane.py",)), ("#incognito read the manual.", ())],
)
def test_the_files_of_tools_are_the_next_prompts_but_not_off_the_record(
    prompt, files, home, tell, tmp_path
):
    folder = tmp_path / "harbour"
    folder.mkdir()
    call = {"type": "tool_use", "id": "t1", "name": "Read"}
    call["input"] = {"file_path": f"{folder}/crane.py"}
    path = tmp_path / "projects" / "s1.jsonl"
    path.parent.mkdir()
    with open(path, "w") as file:
        for number, (role, content) in enumerate((("user", prompt), ("assistant", [call]))):
            line = {"type": role, "uuid": f"u{number}", "sessionId": "s1"}
            print(json.dumps({**line, "message": {"role": role, "content": content}}), file=file)
    record = spool.new_record("turn_ended", "claude", "s1", str(folder))
    spool.append(home, {**record, "transcript": str(path)})
    assert drain_spool(home).records == 1
    with open_memory(home, str(folder)) as memory:
        activity = memory.activity("s1")
        assert (activity.files if activity else ()) == files
        memory.remember("The tide gauge is read in metres above the quay.")
    asked = {"session_id": "s1", "cwd": str(folder), "prompt": "how is the tide gauge read?"}
    tell({**asked, "hook_event_name": "UserPromptSubmit"}, "claude", "UserPromptSubmit")
    drain_spool(home)
    with open_memory(home, str(folder)) as memory:
        [receipt] = memory.receipts()
        assert receipt.files == files
