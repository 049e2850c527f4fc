"""A dialogue as the session file of its host, with that host's own bookkeeping around it.

`render(dialogue, root, upto)` is the file after `upto` steps. Where the host's file grows by
lines, the text for fewer steps is the start of the text for more.
"""

import json
import re

from .dialogue import Dialogue
from .write_claude import Claude
from .write_codex import Codex
from .write_copilot import Copilot
from .write_others import Gemini, OpenCode, gemini_text
from .writer import jsonl, session_id


def file_of(dialogue: Dialogue, root: str) -> str:
    """The name of the file, relative to the folder where the host keeps its files."""
    session, day = session_id(dialogue), dialogue.starts.strftime("%Y-%m-%dT%H-%M-%S")
    if dialogue.agent == "claude":
        return f"projects/{re.sub(r'[^A-Za-z0-9]', '-', root)}/{session}.jsonl"
    if dialogue.agent == "codex":
        return f"sessions/{dialogue.starts:%Y/%m/%d}/rollout-{day}-{session}.jsonl"
    if dialogue.agent == "copilot":
        return f"session-state/{session}/events.jsonl"
    if dialogue.agent == "gemini":
        ending = "json" if dialogue.host == "gemini-json" else "jsonl"
        return f"tmp/{dialogue.project}/chats/session-{day[:16]}-{session[:8]}.{ending}"
    return f"export/{session}.json"


def render(dialogue: Dialogue, root: str, upto: int | None = None) -> str:
    """The text of the file after the first `upto` steps."""
    if dialogue.agent == "claude":
        return jsonl(Claude(dialogue, root, upto).lines())
    if dialogue.agent == "codex":
        return jsonl(Codex(dialogue, root, upto).lines())
    if dialogue.agent == "copilot":
        return jsonl(Copilot(dialogue, root, upto).lines())
    if dialogue.agent == "gemini":
        return gemini_text(Gemini(dialogue, root, upto))
    return json.dumps(OpenCode(dialogue, root, upto).export(), indent=2, ensure_ascii=False)
