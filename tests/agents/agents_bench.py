"""What the tests of the installers share: other people's settings, and one host in one project."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from pathlib import Path

import pytest

from memdeck.agents.desk import Desk
from memdeck.core.agents import Host, Scope, SetupPlan
from memdeck.db.home import Home

PROGRAM = "/opt/mem deck/bin/memdeck-hook"

JSON_HOSTS: tuple[Host, ...] = ("claude", "codex", "gemini")
"""Those that keep hooks in a JSON file of one form."""

TOOL_EVENT = {"claude": "PostToolUse", "codex": "PostToolUse", "gemini": "AfterTool"}
TURN_EVENT = {"claude": "Stop", "codex": "Stop", "gemini": "AfterAgent"}

EVENTS = {
    "claude": "SessionStart UserPromptSubmit PreToolUse PostToolUse TaskCompleted Stop"
    " SubagentStart SubagentStop PreCompact SessionEnd",
    "codex": "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart SubagentStop"
    " PreCompact Stop SessionEnd",
    "gemini": "SessionStart BeforeAgent AfterTool AfterAgent SessionEnd",
    "copilot": "sessionStart userPromptSubmitted postToolUse subagentStart preCompact agentStop"
    " sessionEnd",
    "opencode": "session.created subagent.created chat.message tool.execute.before command.failed"
    " todo.updated session.idle experimental.session.compacting session.compacted session.deleted"
    " dispose",
}

FOREIGN = {
    "model": "opus",
    "permissions": {"allow": ["Bash(make *)"], "deny": []},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "AfterAgent": [{"hooks": [{"type": "command", "command": "say done", "timeout": 900}]}],
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


def events_of(host: Host) -> list[str]:
    """The events that a host is asked for when the settings say nothing."""
    return EVENTS[host].split()


def ours_in(settings: dict, host: Host) -> list[tuple[str, dict]]:
    """(event, group) of every group that calls our hook for this host."""
    return [
        (event, group)
        for event, groups in settings.get("hooks", {}).items()
        for group in groups
        for handler in group["hooks"]
        if f"memdeck-hook {host} " in handler["command"].replace("'", "")
    ]


def trusted_by_codex(path: Path) -> str:
    """Codex's config.toml as it is when a person trusts those of our hooks that stand in `path`.

    It knows a hook by its place in the file, and by a hash of what it shows of it.
    """
    lines = []
    for event, groups in json.loads(path.read_bytes())["hooks"].items():
        label = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        for at, group in enumerate(groups):
            for inner, hook in enumerate(group["hooks"]):
                if "memdeck-hook" not in hook["command"]:
                    continue
                shown = {"async": False, "timeout": 600, **hook}  # what it takes where nothing is
                about = {"event_name": label, "hooks": [shown]}
                about |= {"matcher": group["matcher"]} if "matcher" in group else {}
                text = json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                digest = hashlib.sha256(text.encode()).hexdigest()
                lines.append(f"[hooks.state.{json.dumps(f'{path}:{label}:{at}:{inner}')}]")
                lines.append(f'trusted_hash = "sha256:{digest}"')
    return "\n".join(lines) + "\n"


class Bench:
    """One host in one project, with a home of its own."""

    def __init__(self, host: Host, home: Home, project: Path) -> None:
        self.host = host
        self.home = home
        self.project = project
        self.desk = Desk(home, str(project))
        self._file: Path | None = None

    def path(self, scope: Scope = "project") -> Path:
        return Path(self.desk.plan(self.host, scope, remove=True).changes[0].path)

    @property
    def file(self) -> Path:
        """The project's file, whether it is there or not."""
        self._file = self._file or self.path()
        return self._file

    def put(self, text: str | bytes, scope: Scope = "project") -> Path:
        path = self.file if scope == "project" else self.path(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def plan(self, scope: Scope = "project", program: str = PROGRAM) -> SetupPlan:
        """What connecting would change, where the hook's program lies beside the interpreter."""
        is_there = os.access
        with pytest.MonkeyPatch.context() as machine:
            machine.setattr(sys, "executable", f"{os.path.dirname(program)}/python")
            machine.setattr(os, "access", lambda *of: of[0] == program or is_there(*of))
            return self.desk.plan(self.host, scope)

    def install(self, scope: Scope = "project", program: str = PROGRAM) -> SetupPlan:
        planned = self.plan(scope, program)
        self.desk.apply(planned)
        return planned

    def uninstall(self, scope: Scope = "project") -> SetupPlan:
        planned = self.desk.plan(self.host, scope, remove=True)
        self.desk.apply(planned)
        return planned

    def ours(self, scope: Scope = "project") -> list[tuple[str, dict]]:
        path = self.file if scope == "project" else self.path(scope)
        return ours_in(json.loads(path.read_bytes().decode("utf-8-sig")), self.host)

    def tree(self) -> dict[str, bytes]:
        """Every file below the project, by its path there."""
        return {
            os.path.relpath(path, self.project): path.read_bytes()
            for path in sorted(self.project.rglob("*"))
            if path.is_file()
        }
