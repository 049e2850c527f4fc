"""Claude Code's transcript."""

import re
from collections.abc import Iterator
from typing import Any

from .dialogue import Step
from .writer import Line, Writer


class Claude(Writer):
    """Claude Code 2.1: blocks of an answer on lines of their own, results as `user` lines."""

    def lines(self) -> Iterator[Line]:
        self.parent: str | None = None
        reminder = ""
        for position, step in enumerate(self.steps):
            self.at = self.time(position)
            if step.kind == "prompt":
                yield self.mark("queue-operation", operation="enqueue", content=step.text)
                yield self.mark("queue-operation", operation="dequeue")
                content: Any = step.text
                if reminder:
                    told = {"type": "text", "text": reminder}
                    content, reminder = [told, {"type": "text", "text": step.text}], ""
                yield self.user(content, permissionMode="default", promptId=self.name())
                yield self.mark("file-history-snapshot", isSnapshotUpdate=False, snapshot={})
            elif step.kind == "queued":
                attachment = {
                    "type": "queued_command",
                    "prompt": step.text,
                    "commandMode": "prompt",
                }
                yield self.line("attachment", attachment=attachment)
            elif step.kind == "injected":
                told = f"SessionStart hook additional context: {step.text}"
                reminder = f"<system-reminder>\n{told}\n</system-reminder>"
                attachment = {"type": "hook_additional_context", "content": [step.text]}
                yield self.line("attachment", attachment=attachment)
            elif step.kind == "compaction":
                yield self.line(
                    "system",
                    subtype="compact_boundary",
                    content="Conversation compacted",
                    compactMetadata={"trigger": "auto", "preTokens": 151_000},
                )
                yield self.user(step.text, isCompactSummary=True, isVisibleInTranscriptOnly=True)
            elif step.kind == "trace":
                command = step.text if step.text.startswith("[") else self.command(step.text)
                yield self.user(command)
            elif step.kind == "thought":
                yield self.assistant({"type": "thinking", "thinking": step.text, "signature": "s"})
            elif step.kind == "answer":
                stop = "end_turn" if self.is_last_words(position) else None
                yield self.assistant({"type": "text", "text": step.text}, stop)
                if stop:
                    yield self.line("system", subtype="turn_duration", durationMs=81_230)
                    yield self.mark("last-prompt", lastPrompt="…", leafUuid=self.parent)
            else:
                yield from self.tool(step)

    def tool(self, step: Step) -> Iterator[Line]:
        tool, given, text, kept = self.told(step)
        call = f"toolu_{self.name()[:18]}"
        yield self.assistant({"type": "tool_use", "id": call, "name": tool, "input": given})
        failed = bool(step.code or step.refusal)
        if step.refusal:
            text = (
                "The user doesn't want to proceed with this tool use. The tool use was rejected. "
                f"To tell you how to proceed, the user said:\n{step.refusal}"
            )
        block = {"tool_use_id": call, "type": "tool_result", "content": text}
        result = block | ({"is_error": True} if failed else {})
        yield self.user([result], toolUseResult=f"Error: {text}" if failed else kept)

    def told(self, step: Step) -> tuple[str, Line, Any, Any]:
        """(tool, input, what the model read, what the client kept)."""
        output = "\n".join(step.output)
        if step.kind == "run" and re.match(r"WebFetch |WebSearch |mcp__", step.text):
            tool, _, asked = step.text.partition(" ")
            return tool, {"query": asked}, output, output
        if step.kind == "run":
            kept = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
            text = f"Exit code {step.code}\n{output}" if step.code else output
            return "Bash", {"command": step.text, "description": "Run a command"}, text, kept
        if step.kind == "read":
            given = {"file_path": self.full(step)}
            numbered = "\n".join(f"{n:6}→{line}" for n, line in enumerate(step.output, 1))
            return "Read", given, numbered, {"type": "text", "file": {"content": output}}
        if step.kind == "edit":
            old, new = "\n".join(step.before), "\n".join(step.after)
            given = {"file_path": self.full(step), "old_string": old, "new_string": new}
            text = f"The file {self.full(step)} has been updated successfully."
            return "Edit", given, text, {"filePath": self.full(step), "structuredPatch": []}
        if step.kind == "write":
            given = {"file_path": self.full(step), "content": "\n".join(step.after)}
            text = f"File created successfully at: {self.full(step)}"
            return "Write", given, text, {"type": "create", "filePath": self.full(step)}
        if step.kind == "todos":
            todos = [{"content": s, "status": x, "activeForm": s} for s, x in step.todos]
            text = "Todos have been modified successfully. Ensure that you continue to use them."
            return "TodoWrite", {"todos": todos}, text, {"oldTodos": [], "newTodos": todos}
        given = {"description": "Look", "prompt": step.text, "subagent_type": step.path}
        kept = {"status": "completed", "agentId": "a0c1d2e3f4a5b6c70", "agentType": step.path}
        return "Agent", given, [{"type": "text", "text": output}], kept

    def command(self, text: str) -> str:
        return (
            f"<command-name>{text}</command-name>\n            <command-message>{text[1:]}"
            "</command-message>\n            <command-args></command-args>"
        )

    def user(self, content: Any, **more: Any) -> Line:
        return self.line("user", message={"role": "user", "content": content}, **more)

    def assistant(self, block: Line, stop: str | None = "tool_use") -> Line:
        message = {
            "id": f"msg_{self.name()[:18]}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [block],
            "stop_reason": stop,
            "usage": {"input_tokens": 1200, "output_tokens": 25},
        }
        return self.line("assistant", message=message, requestId="req_1")

    def line(self, kind: str, **fields: Any) -> Line:
        parent, self.parent = self.parent, self.name()
        return {
            "parentUuid": parent,
            "isSidechain": False,
            "type": kind,
            **fields,
            "uuid": self.parent,
            "timestamp": self.at,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.root,
            "sessionId": self.session,
            "version": "2.1.197",
            "gitBranch": self.dialogue.branch,
        }

    def mark(self, kind: str, **fields: Any) -> Line:
        """A line of bookkeeping, which is no part of the conversation."""
        return {"type": kind, "timestamp": self.at, "sessionId": self.session, **fields}
