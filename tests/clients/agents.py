"""The four clients: their packages, what each needs to run alone, how it names its tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from .dialects import Call, Json
from .surroundings import Place

LIST = ("Raise the retry budget", "Run the checks")
"""What the agent plans to do; its tools for that differ."""

TRACE = "others.log"
"""Where the hook of another tool writes, in the person's folder."""


class Agent(Protocol):
    """One client."""

    host: str
    name: str
    package: str
    version: str
    program: str  # in the package's folder of programs
    asks_trust: bool  # runs a hook only when the person has said that they trust it
    runs_slash: bool  # runs a slash command's program itself; elsewhere the model does
    settings: str  # the file that our hooks go into, below the person's folder

    def prepare(self, place: Place) -> None:
        """Write what the client has from its person, before memdeck is installed."""

    def command(self, prompt: str, url: str) -> list[str]:
        """The words after the program's name for one turn without a screen."""

    def slash(self, name: str, words: str, url: str) -> list[str]:
        """The same for one of our slash commands and what the person writes after it."""

    def environment(self, url: str) -> dict[str, str]:
        """What the client is told beside `Place.environment`."""

    def shell(self, command: str) -> Call:
        """The call that runs `command`."""

    def open(self, path: str) -> Call:
        """The call that reads the file at `path`, or changes it where a tool for reading lacks."""

    def plan(self) -> Call:
        """The call that writes down what is to do."""

    def planned(self) -> Call:
        """The call that ticks it off."""


class Claude:
    """Claude Code, with its list of tasks."""

    host = "claude"
    name = "Claude Code"
    package = "@anthropic-ai/claude-code"
    version = "2.1.197"
    program = "claude"
    asks_trust = False
    runs_slash = False
    settings = ".claude/settings.json"

    def prepare(self, place: Place) -> None:
        """Another tool's hook stands in the settings; the environment says the rest."""
        _write(place.person / self.settings, {"hooks": _others("Stop")})

    def command(self, prompt: str, url: str) -> list[str]:
        tools = ["--allowedTools", "Bash", "Read", "TaskCreate", "TaskUpdate"]
        return ["-p", prompt, "--output-format", "json", *tools]

    def slash(self, name: str, words: str, url: str) -> list[str]:
        return self.command(f"/{name} {words}", url)

    def environment(self, url: str) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "stand-in",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }

    def shell(self, command: str) -> Call:
        return Call("Bash", {"command": command, "description": "Run the checks"})

    def open(self, path: str) -> Call:
        return Call("Read", {"file_path": path})

    def plan(self) -> Call:
        return Call("TaskCreate", {"subject": LIST[0], "description": LIST[0]})

    def planned(self) -> Call:
        return Call("TaskUpdate", {"taskId": "1", "status": "completed"})


class Codex:
    """Codex CLI, with its plan tool switched on and a provider of its own."""

    host = "codex"
    name = "Codex"
    package = "@openai/codex"
    version = "0.169.0"
    program = "codex"
    asks_trust = True
    runs_slash = False
    settings = ".codex/hooks.json"

    def prepare(self, place: Place) -> None:
        """A provider, the list of plans, and another tool's hook that nobody has trusted."""
        _write(place.person / self.settings, {"hooks": _others("Stop")})
        (place.person / ".codex" / "config.toml").write_text(
            'model = "gpt-5.5"\n'
            'model_provider = "stand_in"\n\n'
            "[model_providers.stand_in]\n"
            'name = "Stand-in"\n'
            'base_url = "http://127.0.0.1/v1"\n'
            'wire_api = "responses"\n'
            "request_max_retries = 0\n\n"
            "[tools.update_plan]\n"
            "enabled = true\n\n"
            "[analytics]\n"
            "enabled = false\n\n"
            f'[projects."{place.project}"]\n'
            'trust_level = "trusted"\n'
        )

    def command(self, prompt: str, url: str) -> list[str]:
        free = "--dangerously-bypass-approvals-and-sandbox"
        model = f'model_providers.stand_in.base_url="{url}/v1"'
        return ["exec", "--json", free, "-c", model, prompt]

    def slash(self, name: str, words: str, url: str) -> list[str]:
        return self.command(f"${name} {words}", url)

    def sandboxed(self, prompt: str, url: str, *more: str) -> list[str]:
        """A turn whose commands may write in the project alone; `more` stands before the prompt."""
        narrow = [
            word
            for name in ("exclude_slash_tmp", "exclude_tmpdir_env_var")  # where the stories play
            for word in ("-c", f"sandbox_workspace_write.{name}=true")
        ]
        model = f'model_providers.stand_in.base_url="{url}/v1"'
        head = ["exec", "--json", "-s", "workspace-write", *narrow]
        return [*head, "-c", model, *more, prompt]

    def environment(self, url: str) -> dict[str, str]:
        return {}

    def shell(self, command: str) -> Call:
        return Call("exec_command", {"cmd": command})

    def open(self, path: str) -> Call:
        lines = ("*** Begin Patch", f"*** Update File: {path}", "@@", "+# checked", "*** End Patch")
        return Call("apply_patch", "\n".join(lines))

    def plan(self) -> Call:
        return Call("update_plan", _plan("in_progress", "pending"))

    def planned(self) -> Call:
        return Call("update_plan", _plan("completed", "completed"))


class Gemini:
    """Gemini CLI, with a model that has a list of todos."""

    host = "gemini"
    name = "Gemini CLI"
    package = "@google/gemini-cli"
    version = "0.61.0"
    program = "gemini"
    asks_trust = False
    runs_slash = True
    settings = ".gemini/settings.json"

    def prepare(self, place: Place) -> None:
        """The person has chosen a key to sign in with, no reports, and another tool's hook."""
        settings = {
            "hooks": _others("AfterAgent"),
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        }
        _write(place.person / self.settings, settings)

    def command(self, prompt: str, url: str) -> list[str]:
        how = ["--approval-mode", "yolo", "--output-format", "json"]
        return ["-m", "gemini-2.5-flash", *how, "-p", prompt]

    def slash(self, name: str, words: str, url: str) -> list[str]:
        return self.command(f"/{name} {words}", url)

    def environment(self, url: str) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "stand-in",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",  # --skip-trust is not enough for project hooks
        }

    def shell(self, command: str) -> Call:
        return Call("run_shell_command", {"command": command, "description": "Run the checks"})

    def open(self, path: str) -> Call:
        return Call("read_file", {"file_path": path})

    def plan(self) -> Call:
        return Call("write_todos", _todos("description", "in_progress", "pending"))

    def planned(self) -> Call:
        return Call("write_todos", _todos("description", "completed", "completed"))


class OpenCode:
    """OpenCode, with the Messages API that it carries along."""

    host = "opencode"
    name = "OpenCode"
    package = "opencode-ai"
    version = "1.18.33"
    program = "opencode"
    asks_trust = False
    runs_slash = False
    settings = ".config/opencode/plugins/memdeck.js"

    def prepare(self, place: Place) -> None:
        """Its folders of settings look set up: without a network it would wait for a package."""
        plugin = {"@opencode-ai/plugin": self.version}
        lock = {"name": "opencode", "lockfileVersion": 3, "requires": True}
        for folder in (place.person / ".config" / "opencode", place.project / ".opencode"):
            (folder / "node_modules").mkdir(mode=0o700, parents=True)
            _write(folder / "package.json", {"dependencies": plugin})
            whole = {**lock, "packages": {"": {"dependencies": plugin}}}
            _write(folder / "package-lock.json", whole)

    def command(self, prompt: str, url: str) -> list[str]:
        return ["run", "--format", "json", "-m", "stand-in/stand-in", prompt]

    def slash(self, name: str, words: str, url: str) -> list[str]:
        # Word by word: it puts quotes around an argument that holds spaces.
        return [*self.command("", url)[:-1], "--command", name, *words.split()]

    def environment(self, url: str) -> dict[str, str]:
        model = {"name": "Stand-in", "limit": {"context": 200_000, "output": 8_000}}
        provider = {
            "npm": "@ai-sdk/anthropic",
            "name": "Stand-in",
            "options": {"baseURL": f"{url}/v1", "apiKey": "stand-in"},
            "models": {"stand-in": model},
        }
        settings = {
            "provider": {"stand-in": provider},
            "autoupdate": False,
            "share": "disabled",
            "permission": {"bash": "allow"},
        }
        return {
            "OPENCODE_CONFIG_CONTENT": json.dumps(settings),
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
        }

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "Run the checks"})

    def open(self, path: str) -> Call:
        return Call("read", {"filePath": path})

    def plan(self) -> Call:
        return Call("todowrite", _todos("content", "in_progress", "pending", priority="high"))

    def planned(self) -> Call:
        return Call("todowrite", _todos("content", "completed", "completed", priority="high"))


AGENTS: tuple[Agent, ...] = (Claude(), Codex(), Gemini(), OpenCode())


def _others(event: str) -> Json:
    """Another tool's hook, which leaves a trace."""
    command = f'echo {event} >> "$HOME/{TRACE}"'
    return {event: [{"hooks": [{"type": "command", "command": command}]}]}


def _plan(*states: str) -> Json:
    steps = zip(LIST, states, strict=True)
    return {"plan": [{"step": text, "status": state} for text, state in steps]}


def _todos(key: str, *states: str, **more: str) -> Json:
    steps = zip(LIST, states, strict=True)
    return {"todos": [{key: text, "status": state, **more} for text, state in steps]}


def _write(path: Path, value: Json) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
    path.chmod(0o600)
