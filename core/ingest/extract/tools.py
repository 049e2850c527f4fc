"""Other hosts' tools in Claude Code's words, as the rules know these (see `turns`)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from .transcript_reader import clipped, list_of, mapping_of, text_of

MAX_PATCH_FILES = 50  # of one patch; a larger one renames things

_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")
_SHELLS = re.compile(r"(?:^|/)(?:ba|z|da|k)?sh(?:\.exe)?$")
_NAMES = {
    "exec_command": "Bash",  # Codex
    "shell": "Bash",  # Codex of old, OpenCode 2
    "shell_command": "Bash",
    "local_shell": "Bash",
    "container.exec": "Bash",
    "run_shell_command": "Bash",  # Gemini
    "bash": "Bash",  # OpenCode
    "read_file": "Read",
    "read": "Read",
    "replace": "Edit",
    "edit": "Edit",
    "multiedit": "MultiEdit",
    "write_file": "Write",
    "write": "Write",
    "update_plan": "TodoWrite",
    "write_todos": "TodoWrite",
    "todowrite": "TodoWrite",
    "spawn_agent": "Agent",  # Codex
    "request_user_input": "AskUserQuestion",
    "invoke_agent": "Agent",  # Gemini
    "delegate_to_agent": "Agent",
    "codebase_investigator": "Agent",
    "task": "Agent",  # OpenCode
    "subagent": "Agent",
}
_PATCHES = ("apply_patch", "patch")
_SPELLINGS = {
    "file_path": ("file_path", "filePath", "absolute_path", "path"),
    "old_string": ("old_string", "oldString", "old_str"),
    "new_string": ("new_string", "newString", "new_str"),
    "content": ("content", "contents", "file_text"),
    "prompt": ("prompt", "message", "objective", "task"),
    "subagent_type": ("subagent_type", "agent_type", "agent_name", "agent"),
    "description": ("description", "instruction"),
}
_STATES = {"blocked": "pending", "in-progress": "in_progress", "done": "completed"}


def translated(
    name: str, given: Mapping[str, Any], cwd: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tool, input) of the calls that one call of another host's tool amounts to.

    A patch is one call for each file. A tool that has no counterpart keeps its name and input.
    `cwd` is the folder of the session: a command run elsewhere says so.
    """
    if name in _PATCHES:
        yield from patched(text_of(given.get("input") or given.get("patchText")))
        return
    tool = _NAMES.get(name, name)
    if tool == "Bash":
        command = command_of(given.get("command", given.get("cmd")))
        if command.startswith("apply_patch") and "*** Begin Patch" in command:
            yield from patched(command)
            return
        folder = text_of(given.get("workdir") or given.get("dir_path") or given.get("directory"))
        yield tool, clipped({"command": _in_folder(command, folder, cwd)})
    elif tool == "TodoWrite":
        yield tool, {"todos": _todos(given)}
    elif tool in ("Read", "Edit", "MultiEdit", "Write", "Agent"):
        yield tool, clipped(_respelled(given))
    else:
        yield tool, clipped(given)


def command_of(value: Any) -> str:
    """A command as a person would type it: a list of words joined, the shell around it left out."""
    if not isinstance(value, list):
        return text_of(value)
    listed = [word for word in value if isinstance(word, str)]
    if len(listed) == 3 and _SHELLS.search(listed[0]) and listed[1].startswith("-"):
        return listed[2]
    if len(listed) == 2 and listed[0] == "apply_patch":
        return "\n".join(listed)
    return shlex.join(listed)


def patched(patch: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One call for each file of a patch in the form "*** Begin Patch"."""
    kind = path = ""
    lines: list[str] = []
    files = 0
    for line in [*patch.split("\n"), "*** End of File List"]:
        opened = _FILE.match(line)
        if opened or line.startswith("*** End"):
            if path and files < MAX_PATCH_FILES:
                files += 1
                yield _changed(kind, path, lines)
            kind, path = (opened[1], opened[2].strip()) if opened else ("", "")
            lines = []
        elif moved := _MOVED.match(line):
            path = moved[1].strip()
        elif path:
            lines.append(line)


def from_diff(path: str, diff: str) -> tuple[str, dict[str, Any]]:
    """The call that a unified diff of one file amounts to."""
    lines = [line for line in diff.split("\n") if not line.startswith(("--- ", "+++ "))]
    return _changed("Update", path, lines)


def _changed(kind: str, path: str, lines: list[str]) -> tuple[str, dict[str, Any]]:
    if kind == "Delete":
        return "Delete", {"file_path": path}
    if kind == "Add":
        content = "\n".join(line[1:] for line in lines if line.startswith("+"))
        return "Write", clipped({"file_path": path, "content": content})
    edits = list(_hunks(lines))
    if len(edits) == 1:
        return "Edit", clipped({"file_path": path, **edits[0]})
    return "MultiEdit", clipped({"file_path": path, "edits": edits})


def _hunks(lines: list[str]) -> Iterator[dict[str, str]]:
    """What each hunk takes out and puts in, without the lines around."""
    before: list[str] = []
    after: list[str] = []
    for line in [*lines, "@@"]:
        if line.startswith("@@"):
            if before or after:
                yield {"old_string": "\n".join(before), "new_string": "\n".join(after)}
            before, after = [], []
        elif line.startswith("-"):
            before.append(line[1:])
        elif line.startswith("+"):
            after.append(line[1:])


def _in_folder(command: str, folder: str, cwd: str) -> str:
    """`command`, led there by `cd` where it ran outside of the session's folder."""
    if not command or not folder or not cwd or folder.rstrip("/") in (cwd.rstrip("/"), "", "."):
        return command
    return f"cd {shlex.quote(folder)} && {command}"


def _respelled(given: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(given)
    for name, spellings in _SPELLINGS.items():
        for spelling in spellings:
            if isinstance(given.get(spelling), str):
                made.pop(spelling, None)
                made[name] = given[spelling]
                break
    if isinstance(made.get("edits"), list):
        made["edits"] = [_respelled(edit) for edit in made["edits"] if isinstance(edit, dict)]
    return made


def _todos(given: Mapping[str, Any]) -> list[dict[str, str]]:
    listed = []
    for item in map(mapping_of, list_of(given.get("todos", given.get("plan")))):
        texts = (text_of(item.get(key)) for key in ("content", "step", "description"))
        status = text_of(item.get("status")) or "pending"
        todo = {"content": next(filter(None, texts), ""), "status": _STATES.get(status, status)}
        if isinstance(item.get("priority"), str):
            todo["priority"] = item["priority"]
        if todo["content"]:
            listed.append(todo)
    return listed
