"""OpenCode."""

from __future__ import annotations

import json

from ..dialects import Call
from ..surroundings import Place
from .agent import Agent, todos, write


class OpenCode(Agent):
    """OpenCode, with the Messages API that it carries along."""

    host = "opencode"
    name = "OpenCode"
    package = "opencode-ai"
    version = "1.18.33"
    program = "opencode"
    tools = "memdeck_"
    settings = ".config/opencode/plugins/memdeck.js"

    def prepare(self, place: Place) -> None:
        """Its folders of settings look set up: without a network it would wait for a package."""
        plugin = {"@opencode-ai/plugin": self.version}
        lock = {"name": "opencode", "lockfileVersion": 3, "requires": True}
        for folder in (place.person / ".config" / "opencode", place.project / ".opencode"):
            (folder / "node_modules").mkdir(mode=0o700, parents=True)
            write(folder / "package.json", {"dependencies": plugin})
            whole = {**lock, "packages": {"": {"dependencies": plugin}}}
            write(folder / "package-lock.json", whole)

    def command(self, prompt: str, url: str) -> list[str]:
        return ["run", "--format", "json", "-m", "stand-in/stand-in", prompt]

    def slash(self, name: str, words: str, url: str) -> list[str]:
        # Word by word: it puts quotes around an argument that holds spaces.
        return [*self.command("", url)[:-1], "--command", name, *words.split()]

    def on_screen(self, url: str) -> list[str]:
        return ["-m", "stand-in/stand-in"]

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
        return Call("todowrite", todos("content", "in_progress", "pending", priority="high"))

    def planned(self) -> Call:
        return Call("todowrite", todos("content", "completed", "completed", priority="high"))

    def send(self, task: str) -> list[Call]:
        about = {"description": "Look", "subagent_type": "general"}
        return [Call("task", {**about, "prompt": task})]
