"""A dialogue as GitHub Copilot CLI logs it: an event a line, each call twice."""

from collections.abc import Iterator
from typing import Any

from .dialogue import Step
from .writer import Line, Writer


class Copilot(Writer):
    """Copilot CLI 0.0.4x, as public readers of its logs describe them."""

    def lines(self) -> Iterator[Line]:
        yield self.line(
            0,
            "session.start",
            {
                "sessionId": self.session,
                "version": 1,
                "producer": "copilot-agent",
                "copilotVersion": "0.0.407",
                "startTime": self.time(0),
                "context": {"cwd": self.root, "gitRoot": self.root, "branch": "main"},
            },
        )
        for position, step in enumerate(self.steps):
            yield from self.of(position, step)

    def of(self, position: int, step: Step) -> Iterator[Line]:
        if step.kind in ("prompt", "queued"):
            said = {"content": step.text, "transformedContent": step.text, "attachments": []}
            yield self.line(position, "user.message", said)
        elif step.kind == "answer":
            told = {"messageId": self.name(), "content": step.text, "toolRequests": []}
            yield self.line(position, "assistant.message", told)
        elif step.kind == "thought":
            yield self.line(position, "assistant.reasoning", {"content": step.text})
        elif step.kind == "compaction":
            yield self.line(position, "session.compaction_start", {})
            yield self.line(position, "session.compaction_complete", {"success": True})
        elif step.kind in ("run", "read", "edit", "write"):
            yield from self.tool(position, step)

    def tool(self, position: int, step: Step) -> Iterator[Line]:
        name, given, output = self.told(step)
        call = f"toolu_{self.name()[:18]}"
        request = {"toolCallId": call, "name": name, "arguments": given, "type": "function"}
        answer = {"messageId": self.name(), "content": "", "toolRequests": [request]}
        yield self.line(position, "assistant.message", answer)
        started = {"toolCallId": call, "toolName": name, "arguments": given}
        yield self.line(position, "tool.execution_start", started)
        has_failed = bool(step.code or step.refusal)
        done: dict[str, Any] = {"toolCallId": call, "success": not has_failed}
        if has_failed:
            done["error"] = {"message": step.refusal or output}
        else:
            done["result"] = {"content": output}
        yield self.line(position, "tool.execution_complete", done)

    def told(self, step: Step) -> tuple[str, Line, str]:
        output, path = "\n".join(step.output), self.full(step)
        if step.kind == "run":
            return "bash", {"command": step.text, "description": "Run it"}, output
        if step.kind == "read":
            return "view", {"path": path}, output
        if step.kind == "write":
            return "create", {"path": path, "file_text": "\n".join(step.after)}, "Created."
        before, after = "\n".join(step.before), "\n".join(step.after)
        return "edit", {"path": path, "old_str": before, "new_str": after}, "File updated."

    def line(self, position: int, kind: str, data: Line) -> Line:
        about = {"id": self.name(), "timestamp": self.time(position), "parentId": None}
        return {"type": kind, "data": data, **about}
