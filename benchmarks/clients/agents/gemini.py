"""Gemini CLI."""

from __future__ import annotations

from ..dialects import Call
from ..surroundings import Place
from .agent import Agent, others, todos, write


class Gemini(Agent):
    """Gemini CLI, with a model that has a list of todos."""

    host = "gemini"
    name = "Gemini CLI"
    package = "@google/gemini-cli"
    version = "0.61.0"
    program = "gemini"
    tools = "mcp_memdeck_"
    settings = ".gemini/settings.json"
    leaving = "/quit"

    def prepare(self, place: Place) -> None:
        """The user has chosen a key to sign in with, no reports, and another tool's hook."""
        settings = {
            "hooks": others("AfterAgent"),
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        }
        write(place.person / self.settings, settings)

    def command(self, prompt: str, url: str) -> list[str]:
        how = ["--approval-mode", "yolo", "--output-format", "json"]
        return ["-m", "gemini-2.5-flash", *how, "-p", prompt]

    def on_screen(self, url: str) -> list[str]:
        return ["-m", "gemini-2.5-flash", "--approval-mode", "yolo"]

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
        return Call("write_todos", todos("description", "in_progress", "pending"))

    def planned(self) -> Call:
        return Call("write_todos", todos("description", "completed", "completed"))
