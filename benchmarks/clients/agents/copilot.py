"""GitHub Copilot CLI."""

from __future__ import annotations

from ..dialects import Call
from ..surroundings import Place
from .agent import Agent, write


class Copilot(Agent):
    """Copilot CLI without a login, with a provider of its own."""

    host = "copilot"
    name = "Copilot CLI"
    package = "@github/copilot"
    version = "1.0.102"
    program = "copilot"
    tools = "memdeck-"
    settings = ".copilot/hooks/memdeck.json"

    def prepare(self, place: Place) -> None:
        """The user trusts the folder."""
        write(
            place.person / ".copilot" / "config.json",
            {"trusted_folders": [str(place.project)], "trustedFolders": [str(place.project)]},
        )

    def command(self, prompt: str, url: str) -> list[str]:
        return ["-p", prompt, "--allow-all-tools", "--no-color"]

    def environment(self, url: str) -> dict[str, str]:
        return {
            "COPILOT_PROVIDER_BASE_URL": url,
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_API_KEY": "stand-in",
            "COPILOT_MODEL": "claude-sonnet-4",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "Run the checks"})

    def open(self, path: str) -> Call:
        return Call("view", {"path": path})
