"""What each host says to its hook, in the shapes that were recorded from it."""

from dataclasses import dataclass
from typing import Any

Todo = dict[str, str]


@dataclass(frozen=True)
class Said:
    """One event: its name at the host, and the fields that are its own."""

    event: str
    fields: dict[str, Any]


class Claude:
    """Claude Code; what the others share."""

    start, asked, answered, done = "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"
    tool_done, tool_starts = "PostToolUse", "PreToolUse"

    def about(self, session: str, file: str, root: str) -> dict[str, Any]:
        return {"session_id": session, "transcript_path": file, "cwd": root}

    def whole(self, said: Said, about: dict[str, Any]) -> dict[str, Any]:
        return {**about, "hook_event_name": said.event, **said.fields}

    def started(self, source: str = "startup") -> Said:
        return Said(self.start, {"source": source})

    def prompt(self, text: str) -> Said:
        return Said(self.asked, {"prompt": text})

    def turn_ended(self) -> Said:
        return Said(self.answered, {"stop_hook_active": False, "last_assistant_message": "…"})

    def compacting(self) -> Said | None:
        return Said("PreCompact", {"trigger": "auto"})

    def todos(self, old: list[Todo], new: list[Todo]) -> Said | None:
        answer = {"oldTodos": old, "newTodos": new}
        return self.tool("TodoWrite", {"todos": new}, answer)

    def touches(self, path: str) -> Said:
        """The agent is about to edit a file."""
        return Said(self.tool_starts, {"tool_name": "Edit", "tool_input": {"file_path": path}})

    def tool(self, name: str, given: dict[str, Any], answer: Any) -> Said:
        return Said(
            self.tool_done, {"tool_name": name, "tool_input": given, "tool_response": answer}
        )

    def ended(self) -> Said:
        return Said(self.done, {"reason": "prompt_input_exit"})

    def heard(self, reply: dict[str, Any]) -> str:
        """The text that the model is given."""
        return str(reply["hookSpecificOutput"]["additionalContext"])


class Codex(Claude):
    """Codex 0.169."""

    def about(self, session: str, file: str, root: str) -> dict[str, Any]:
        shared = super().about(session, file, root)
        return {**shared, "model": "gpt-5.5", "permission_mode": "default", "turn_id": "t1"}

    def todos(self, _old: list[Todo], new: list[Todo]) -> Said:
        plan = [{"step": todo["content"], "status": todo["status"]} for todo in new]
        return self.tool("update_plan", {"plan": plan}, "Plan updated")

    def touches(self, path: str) -> Said:
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch\n"
        return Said(
            self.tool_starts, {"tool_name": "apply_patch", "tool_input": {"command": patch}}
        )

    def ended(self) -> Said:
        return Said(self.done, {"reason": "other"})


class Gemini(Claude):
    """Gemini CLI 0.61."""

    asked, answered, tool_done, tool_starts = "BeforeAgent", "AfterAgent", "AfterTool", "BeforeTool"

    def about(self, session: str, file: str, root: str) -> dict[str, Any]:
        shared = super().about(session, file, root)
        return {**shared, "timestamp": "2026-03-20T09:30:00.000Z"}

    def turn_ended(self) -> Said:
        fields = {"prompt": "…", "prompt_response": "…", "stop_hook_active": False}
        return Said(self.answered, fields)

    def compacting(self) -> Said | None:
        return None  # its event comes before every request

    def todos(self, _old: list[Todo], new: list[Todo]) -> Said:
        listed = [{"description": todo["content"], "status": todo["status"]} for todo in new]
        return self.tool("write_todos", {"todos": listed}, {"llmContent": "ok"})

    def touches(self, path: str) -> Said:
        return Said(self.tool_starts, {"tool_name": "replace", "tool_input": {"file_path": path}})

    def ended(self) -> Said:
        return Said(self.done, {"reason": "exit"})


class OpenCode(Claude):
    """OpenCode 1.18, as the plugin wraps what it is given."""

    def about(self, session: str, _file: str, root: str) -> dict[str, Any]:
        place = {"api": "v1", "directory": root, "worktree": root}
        return {**place, "session": session}

    def whole(self, said: Said, about: dict[str, Any]) -> dict[str, Any]:
        place = {name: value for name, value in about.items() if name != "session"}
        given = {"sessionID": about["session"], **said.fields.get("input", {})}
        rest = {name: value for name, value in said.fields.items() if name != "input"}
        return {**place, **rest, "input": given, "hook": said.event}

    def started(self, source: str = "startup") -> Said:
        return Said("session.created", {"source": source})

    def prompt(self, text: str) -> Said:
        return Said("chat.message", {"output": {"parts": [{"type": "text", "text": text}]}})

    def turn_ended(self) -> Said:
        return Said("session.idle", {})

    def compacting(self) -> Said | None:
        return Said("experimental.session.compacting", {})

    def todos(self, _old: list[Todo], new: list[Todo]) -> Said:
        listed = [{**todo, "priority": "high"} for todo in new]
        return Said("todo.updated", {"input": {"todos": listed}})

    def touches(self, path: str) -> Said:
        fields = {"input": {"tool": "edit", "callID": "c1"}, "output": {"args": {"filePath": path}}}
        return Said("tool.execute.before", fields)

    def ended(self) -> Said:
        return Said("dispose", {})

    def heard(self, reply: dict[str, Any]) -> str:
        return str(reply["text"])


class Copilot(Claude):
    """GitHub Copilot CLI, as its documentation has it."""

    def about(self, session: str, file: str, root: str) -> dict[str, Any]:
        place = {"sessionId": session, "timestamp": 1_774_000_000_000, "cwd": root}
        return {**place, "transcriptPath": file}

    def whole(self, said: Said, about: dict[str, Any]) -> dict[str, Any]:
        return {**about, **said.fields}

    def started(self, source: str = "startup") -> Said:
        return Said("sessionStart", {"source": source})

    def prompt(self, text: str) -> Said:
        return Said("userPromptSubmitted", {"prompt": text})

    def turn_ended(self) -> Said:
        return Said("agentStop", {"stopReason": "end_turn"})

    def compacting(self) -> Said | None:
        return Said("preCompact", {"trigger": "auto", "customInstructions": ""})

    def todos(self, _old: list[Todo], _new: list[Todo]) -> Said | None:
        return None  # it reports none

    def touches(self, path: str) -> Said:
        return Said("preToolUse", {"toolName": "edit", "toolArgs": {"path": path}})

    def ended(self) -> Said:
        return Said("sessionEnd", {"reason": "user_exit"})

    def heard(self, reply: dict[str, Any]) -> str:
        return str(reply["additionalContext"])


DIALECTS: dict[str, Claude] = {
    "claude": Claude(),
    "codex": Codex(),
    "copilot": Copilot(),
    "gemini": Gemini(),
    "opencode": OpenCode(),
}
"""By the name of the host."""
