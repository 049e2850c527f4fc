"""Gemini CLI's chat file and OpenCode's export."""

import json
from collections.abc import Iterator
from typing import Any

from .dialogue import Step
from .writer import Line, Writer, jsonl


class Gemini(Writer):
    """Gemini CLI 0.61: a message first with its text, then again with its calls."""

    def messages(self) -> Iterator[Line]:
        context, injected = "<session_context>\nThis is the Gemini CLI.\n</session_context>", ""
        yield self.message(0, "user", [{"text": context}])
        for position, step in enumerate(self.steps):
            if step.kind in ("prompt", "queued"):
                parts = [{"text": step.text}]
                if injected:
                    parts.append({"text": f"<hook_context>{injected}</hook_context>"})
                    injected = ""
                yield self.message(position, "user", parts)
            elif step.kind == "injected":
                injected = step.text
            elif step.kind == "answer":
                yield self.message(position, "gemini", step.text)
            elif step.kind == "compaction":
                text = f"<state_snapshot>{step.text}</state_snapshot>"
                yield self.message(position, "user", [{"text": text}])
            elif step.kind == "trace":
                yield self.message(position, "info", step.text)
            elif step.kind != "thought":
                yield from self.tool(position, step)

    def tool(self, position: int, step: Step) -> Iterator[Line]:
        name, given, output = self.told(step)
        call = f"{name}__call_{self.name()[:8]}"
        response = {"id": call, "name": name, "response": {"output": output}}
        told = {"id": call, "name": name, "args": given, "status": "success"}
        told |= {"timestamp": self.time(position), "result": [{"functionResponse": response}]}
        message = self.message(position, "gemini", "")
        yield message
        yield {**message, "toolCalls": [told]}
        yield self.message(position, "user", [{"functionResponse": response}])

    def told(self, step: Step) -> tuple[str, Line, str]:
        output, path = "\n".join(step.output), self.full(step)
        if step.kind == "run":
            code = f"\nExit Code: {step.code}" if step.code else ""
            fenced = f"Output: {output}{code}\nProcess Group PGID: 4242"
            text = f"<untrusted_context>\n{fenced}\n</untrusted_context>"
            return "run_shell_command", {"command": step.text, "description": "Run it"}, text
        if step.kind == "read":
            return "read_file", {"file_path": path}, output
        if step.kind == "edit":
            old, new = "\n".join(step.before), "\n".join(step.after)
            given = {"file_path": path, "instruction": "Change it"}
            given |= {"old_string": old, "new_string": new}
            return "replace", given, f"Successfully modified file: {path} (1 replacements)."
        if step.kind == "write":
            text = f"Successfully created and wrote to new file: {path}."
            return "write_file", {"file_path": path, "content": "\n".join(step.after)}, text
        if step.kind == "todos":
            todos = [{"description": subject, "status": status} for subject, status in step.todos]
            return "write_todos", {"todos": todos}, "Successfully updated the todo list."
        return "invoke_agent", {"agent_name": step.path, "prompt": step.text}, output

    def message(self, position: int, kind: str, content: Any) -> Line:
        about = {"id": self.name(), "timestamp": self.time(position), "type": kind}
        more = {"thoughts": [], "model": "gemini-2.5-pro"} if kind == "gemini" else {}
        return {**about, "content": content, **more}


def gemini_text(writer: Gemini) -> str:
    messages = list(writer.messages())
    start = writer.time(0)
    header = {"sessionId": writer.session, "projectHash": "0" * 64, "startTime": start}
    header |= {"lastUpdated": start, "kind": "main"}
    if writer.dialogue.host == "gemini-json":
        latest = {message["id"]: message for message in messages}
        whole = {**header, "messages": list(latest.values())}
        return json.dumps(whole, indent=2, ensure_ascii=False)
    first, *rest = messages
    lines: list[Line] = [header, {"$set": {"messages": [first], "lastUpdated": start}}]
    for message in rest:
        lines += [message, {"$set": {"lastUpdated": message["timestamp"]}}]
    return jsonl(lines)


class OpenCode(Writer):
    """OpenCode 1.18, as `opencode export` prints a session."""

    def export(self) -> Line:
        info = {"id": f"ses_{self.session[:26]}", "directory": self.root, "version": "1.18.33"}
        info |= {"time": {"created": self.ms(0), "updated": self.ms(len(self.steps))}}
        return {"info": info, "messages": list(self.messages())}

    def messages(self) -> Iterator[Line]:
        injected = ""
        for position, step in enumerate(self.steps):
            text = {"type": "text", "text": step.text}
            if step.kind in ("prompt", "queued"):
                parts = [text]
                if injected:
                    parts.append({"type": "text", "text": injected, "synthetic": True})
                    injected = ""
                yield self.message(position, "user", parts)
            elif step.kind == "injected":
                injected = step.text
            elif step.kind == "answer":
                end = {"type": "step-finish", "reason": "stop", "cost": 0}
                yield self.message(position, "assistant", [{"type": "step-start"}, text, end])
            elif step.kind == "thought":
                yield self.message(position, "assistant", [{**text, "type": "reasoning"}])
            elif step.kind == "compaction":
                yield self.message(position, "user", [{"type": "compaction", "auto": True}])
                yield self.message(position, "assistant", [text], summary=True, mode="compaction")
            elif step.kind != "trace":
                yield self.message(position, "assistant", [self.tool(position, step)])

    def tool(self, position: int, step: Step) -> Line:
        tool, given, output = self.told(step)
        times = {"start": self.ms(position), "end": self.ms(position)}
        metadata = {"exit": step.code, "truncated": False} if step.kind == "run" else {}
        state: Line = {"status": "completed", "input": given, "output": output}
        if step.refusal:
            said = "The user rejected permission to use this specific tool call with the following"
            state = {"status": "error", "input": given}
            state["error"] = f"{said} feedback: {step.refusal}"
        state |= {"metadata": metadata, "title": tool, "time": times}
        return {"type": "tool", "tool": tool, "callID": f"toolu_{self.name()[:18]}", "state": state}

    def told(self, step: Step) -> tuple[str, Line, str]:
        output, path = "\n".join(step.output), self.full(step)
        if step.kind == "run":
            return "bash", {"command": step.text, "description": "Run it"}, output
        if step.kind == "read":
            return (
                "read",
                {"filePath": path},
                f"<path>{path}</path>\n<content>\n{output}\n</content>",
            )
        if step.kind == "edit":
            old, new = "\n".join(step.before), "\n".join(step.after)
            given = {"filePath": path, "oldString": old, "newString": new}
            return "edit", given, "Edit applied successfully."
        if step.kind == "write":
            given = {"filePath": path, "content": "\n".join(step.after)}
            return "write", given, "Wrote file successfully."
        if step.kind == "todos":
            todos = [{"content": s, "status": x, "priority": "medium"} for s, x in step.todos]
            return "todowrite", {"todos": todos}, json.dumps(todos)
        return "task", {"prompt": step.text, "subagent_type": step.path}, output

    def message(self, position: int, role: str, parts: list[Line], **more: Any) -> Line:
        name = f"msg_{self.name()[:26]}"
        about = {"role": role, "id": name, "time": {"created": self.ms(position)}}
        about |= {"path": {"cwd": self.root, "root": self.root}} if role == "assistant" else {}
        named = [{**part, "id": f"prt_{self.name()[:26]}", "messageID": name} for part in parts]
        return {"info": {**about, **more}, "parts": named}
