"""Claude Code."""

from __future__ import annotations

from ..dialects import Call
from ..surroundings import Place
from .agent import LIST, Agent, others, write

KEY = "stand-in-for-a-key-of-claude"


class Claude(Agent):
    """Claude Code, with its list of tasks."""

    host = "claude"
    name = "Claude Code"
    package = "@anthropic-ai/claude-code"
    version = "2.1.332"
    program = "claude"
    tools = "mcp__memdeck__"
    settings = ".claude/settings.json"

    def prepare(self, place: Place) -> None:
        """Another tool's hook stands in the settings; the user has used it here before."""
        write(place.person / self.settings, {"hooks": others("Stop")})
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        used = {
            "hasCompletedOnboarding": True,
            "lastOnboardingVersion": self.version,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(place.project): trusted},
        }
        write(place.person / ".claude.json", used)

    def command(self, prompt: str, url: str) -> list[str]:
        tools = [
            "--allowedTools",
            "Bash",
            "Read",
            "TaskCreate",
            "TaskUpdate",
            "Agent",
            "mcp__memdeck",
        ]
        return ["-p", prompt, "--output-format", "json", *tools]

    def environment(self, url: str) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
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

    def send(self, task: str) -> list[Call]:
        about = {"description": "Look", "subagent_type": "general-purpose"}
        return [Call("Agent", {**about, "prompt": task})]
