"""Codex's rollout."""

import json
from collections.abc import Iterator
from typing import Any

from .dialogue import Step
from .writer import Line, Writer


class Codex(Writer):
    """Codex 0.169, or the form with `user_message` events that came before (`codex-old`)."""

    def lines(self) -> Iterator[Line]:
        self.at = self.time(0)
        self.turn = self.name()
        self.is_old = self.dialogue.host == "codex-old"
        version = "0.128.0" if self.is_old else "0.169.0"
        about = {"id": self.session, "timestamp": self.at, "cwd": self.root, "source": "cli"}
        rules = {"text": "You are a coding agent. Always be concise. Never guess. " * 40}
        about |= {"cli_version": version, "base_instructions": rules}
        yield self.line("session_meta", **about)
        yield self.message("developer", "<permissions instructions>\nAlways ask.\n</permissions>")
        yield self.message("user", f"<environment_context>\n  <cwd>{self.root}</cwd>\n</…>")
        for position, step in enumerate(self.steps):
            self.at = self.time(position)
            if step.kind in ("prompt", "queued"):
                self.turn = self.name()
                yield self.event("task_started", turn_id=self.turn)
                yield self.line("turn_context", turn_id=self.turn, cwd=self.root, model="gpt-5.5")
                yield self.message("user", step.text)
                yield self.said("UserMessage", "user_message", step.text)
            elif step.kind == "answer":
                yield self.said("AgentMessage", "agent_message", step.text)
                yield self.message("assistant", step.text)
                yield self.event("token_count", info={"total_token_usage": {"total_tokens": 1}})
                if self.is_last_words(position):
                    done = {"turn_id": self.turn, "last_agent_message": step.text}
                    yield self.event("task_complete", **done)
            elif step.kind == "injected":
                yield self.message("developer", step.text)
            elif step.kind == "thought":
                summary = [{"type": "summary_text", "text": step.text}]
                yield self.item("reasoning", summary=summary, encrypted_content="gAAAA")
            elif step.kind == "compaction":
                yield self.line("compacted", message=step.text)
            else:
                yield from self.tool(step)

    def tool(self, step: Step) -> Iterator[Line]:
        call, output = f"call_{self.name()[:18]}", "\n".join(step.output)
        if step.kind in ("run", "read"):
            command = step.text if step.kind == "run" else f"sed -n 1,200p {step.path}"
            yield self.run(command, call)
            told = (
                f"Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code {step.code}\n"
                f"Original token count: {len(output) // 4}\nOutput:\n{output}\n"
            )
            if self.is_old:
                told = json.dumps({"output": output, "metadata": {"exit_code": step.code}})
            else:
                yield self.executed(command, call, output, step.code)
            yield self.output(call, told)
        elif step.kind in ("edit", "write"):
            yield self.item(
                "custom_tool_call", name="apply_patch", call_id=call, input=self.patch(step)
            )
            done = (
                f"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated:\nM {step.path}\n"
            )
            yield self.item("custom_tool_call_output", call_id=call, output=done)
        elif step.kind == "todos":
            plan = [{"step": subject, "status": status} for subject, status in step.todos]
            yield self.call("update_plan", call, plan=plan)
            yield self.output(call, "Plan updated")
        elif step.kind == "subagent":
            agent = self.name()
            yield self.call("spawn_agent", call, message=step.text, agent_type=step.path)
            yield self.output(call, json.dumps({"agent_id": agent}))
            wait = f"call_{self.name()[:18]}"
            yield self.call("wait", wait, ids=[agent])
            status = {"status": {agent: {"completed": output}}, "timed_out": False}
            yield self.output(wait, json.dumps(status))

    def run(self, command: str, call: str) -> Line:
        if self.is_old:
            return self.call("shell", call, command=["bash", "-lc", command], workdir=self.root)
        return self.call("exec_command", call, cmd=command, workdir=self.root)

    def executed(self, command: str, call: str, output: str, code: int) -> Line:
        item = {
            "type": "CommandExecution",
            "id": call,
            "command": ["/bin/bash", "-lc", command],
            "cwd": f"file://{self.root}",
            "status": "failed" if code else "completed",
            "aggregated_output": output,
            "exit_code": code,
        }
        return self.event("item_completed", turn_id=self.turn, item=item)

    def patch(self, step: Step) -> str:
        lines = [f"-{line}" for line in step.before] + [f"+{line}" for line in step.after]
        head = f"*** Add File: {step.path}" if step.kind == "write" else ""
        head = head or f"*** Update File: {step.path}\n@@"
        return "\n".join(["*** Begin Patch", head, *lines, "*** End Patch", ""])

    def said(self, new: str, old: str, text: str) -> Line:
        if self.is_old:
            return self.event(old, message=text, images=[])
        sort = "text" if new == "UserMessage" else "Text"
        item = {"type": new, "id": self.name(), "content": [{"type": sort, "text": text}]}
        return self.event("item_completed", turn_id=self.turn, item=item)

    def message(self, role: str, text: str) -> Line:
        sort = "output_text" if role == "assistant" else "input_text"
        return self.item("message", role=role, content=[{"type": sort, "text": text}])

    def call(self, name: str, call: str, **arguments: Any) -> Line:
        given = json.dumps(arguments, ensure_ascii=False)
        return self.item("function_call", name=name, call_id=call, arguments=given)

    def output(self, call: str, text: str) -> Line:
        return self.item("function_call_output", call_id=call, output=text)

    def item(self, kind: str, **fields: Any) -> Line:
        named = {} if self.is_old else {"id": f"{kind[:3]}_{self.name()}"}
        return self.line("response_item", type=kind, **named, **fields)

    def event(self, kind: str, **fields: Any) -> Line:
        return self.line("event_msg", type=kind, **fields)

    def line(self, kind: str, /, **payload: Any) -> Line:
        return {"timestamp": self.at, "type": kind, "payload": payload}
