"""A Claude Code transcript, written line by line as the session goes on.

The form is the client's own (2.1): one compact JSON object a line, `parentUuid` chains them, an
answer and each tool call are lines of their own, a result comes back in a `user` line.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .history import Conversation

VERSION = "2.1.197"


class Transcript:
    """The file of one session. The same conversation always gives the same lines."""

    def __init__(self, folder: str, conversation: Conversation, project_root: str) -> None:
        slug = re.sub(r"[^A-Za-z0-9]", "-", project_root)
        self.path = os.path.join(folder, "projects", slug, f"{conversation.id}.jsonl")
        self._conversation = conversation
        self._root = project_root
        self._count = 0
        self._parent: str | None = None
        self._prompts = 0
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        with open(self.path, "w", encoding="utf-8"):
            pass  # a session that is built again starts anew

    @property
    def prompt_id(self) -> str:
        """The id of the prompt that is being answered."""
        return self._id(f"prompt-{self._prompts}")

    def prompt(self, text: str, at: datetime) -> None:
        """What the person typed."""
        self._prompts += 1
        self._line(
            at,
            "user",
            message={"role": "user", "content": text},
            promptId=self.prompt_id,
            permissionMode="default",
        )

    def answer(self, text: str, at: datetime) -> None:
        """What the agent said."""
        self._assistant({"type": "text", "text": text}, "end_turn", at)

    def call(self, tool: str, given: Mapping[str, Any], at: datetime) -> str:
        """A tool call; its id."""
        name = f"toolu_{self._id(f'call-{self._count}').replace('-', '')[:22]}"
        block = {"type": "tool_use", "id": name, "name": tool, "input": dict(given)}
        self._assistant(block, "tool_use", at)
        return name

    def result(
        self, call: str, text: str, structured: Any, at: datetime, *, failed: bool = False
    ) -> None:
        """What the tool answered, as the model read it and as the client kept it."""
        block = {"tool_use_id": call, "type": "tool_result", "content": text, "is_error": failed}
        self._line(
            at,
            "user",
            message={"role": "user", "content": [block]},
            promptId=self.prompt_id,
            toolUseResult=f"Error: {text}" if failed else structured,
        )

    def _assistant(self, block: Mapping[str, Any], stop: str, at: datetime) -> None:
        self._line(
            at,
            "assistant",
            message={
                "id": f"msg_{self._id(f'message-{self._count}').replace('-', '')[:20]}",
                "type": "message",
                "role": "assistant",
                "model": self._conversation.model,
                "content": [block],
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {"input_tokens": 1200, "output_tokens": 80},
            },
        )

    def _line(self, at: datetime, kind: str, **fields: Any) -> None:
        self._count += 1
        name = self._id(f"line-{self._count}")
        moment = at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self._root,
            "sessionId": self._conversation.id,
            "version": VERSION,
            "gitBranch": self._conversation.branch,
            "type": kind,
            **fields,
            "uuid": name,
            "timestamp": moment,
        }
        self._parent = name
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _id(self, place: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self._conversation.id}/{place}"))
