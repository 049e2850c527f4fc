"""Codex CLI."""

from __future__ import annotations

from ..dialects import Call, Json
from ..surroundings import Place
from .agent import LIST, Agent, others, write

_NARROW = [
    "-s",
    "workspace-write",
    "-c",
    "sandbox_workspace_write.exclude_slash_tmp=true",  # where the stories play
    "-c",
    "sandbox_workspace_write.exclude_tmpdir_env_var=true",
]
"""Codex's sandbox, in which commands may write in the project alone."""


class Codex(Agent):
    """Codex CLI, with its plan tool switched on and a provider of its own."""

    host = "codex"
    name = "Codex"
    package = "@openai/codex"
    version = "0.171.0"
    program = "codex"
    tools = "mcp__memdeck."
    asks_trust = True
    settings = ".codex/hooks.json"
    asks_first = {
        "Hooks need review": "3",  # go on without trusting the other tool's
        "Use existing model": "2",
    }
    leaving = "/quit"
    theirs = "You are now a newly spawned child agent"

    def prepare(self, place: Place) -> None:
        """A provider, the list of plans, and another tool's hook that nobody has trusted."""
        write(place.person / self.settings, {"hooks": others("Stop")})
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
            "[features]\n"
            "multi_agent_v2 = true\n\n"
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
        model = f'model_providers.stand_in.base_url="{url}/v1"'
        return ["exec", "--json", *_NARROW, "-c", model, *more, prompt]

    def on_screen(self, url: str) -> list[str]:
        model = f'model_providers.stand_in.base_url="{url}/v1"'
        return [*_NARROW, "-a", "on-request", "-c", model]

    def outside(self, call: Call) -> Call:
        """The same command, which the user is asked to let run outside the sandbox."""
        assert not isinstance(call.arguments, str)
        asked = {"sandbox_permissions": "require_escalated", "justification": "May it be kept?"}
        return Call(call.tool, {**call.arguments, **asked})

    def shell(self, command: str) -> Call:
        return Call("exec_command", {"cmd": command})

    def open(self, path: str) -> Call:
        lines = ("*** Begin Patch", f"*** Update File: {path}", "@@", "+# checked", "*** End Patch")
        return Call("apply_patch", "\n".join(lines))

    def plan(self) -> Call:
        return Call("update_plan", _plan("in_progress", "pending"))

    def planned(self) -> Call:
        return Call("update_plan", _plan("completed", "completed"))

    def send(self, task: str) -> list[Call]:
        sent = Call("collaboration.spawn_agent", {"message": task, "task_name": "look_up"})
        return [sent, Call("collaboration.wait_agent", {"timeout_ms": 30_000})]


def _plan(*states: str) -> Json:
    steps = zip(LIST, states, strict=True)
    return {"plan": [{"step": text, "status": state} for text, state in steps]}
