"""What the hosts' writers have in common: steps with their times, and names that never change."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from .dialogue import Dialogue, Step

Line = dict[str, Any]


def session_id(dialogue: Dialogue) -> str:
    made = uuid5(NAMESPACE_URL, f"gallery/{dialogue.name}")
    return f"ses_{made.hex[:26]}" if dialogue.agent == "opencode" else str(made)


def jsonl(lines: Iterable[Line]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


class Writer:
    """The first steps of a dialogue, for one host."""

    def __init__(self, dialogue: Dialogue, root: str, upto: int | None) -> None:
        self.dialogue = dialogue
        self.root = root
        self.session = session_id(dialogue)
        self.steps = dialogue.steps[:upto]
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return str(uuid5(NAMESPACE_URL, f"{self.session}/{self.count}"))

    def time(self, position: int) -> str:
        moment = self.dialogue.at(position).isoformat(timespec="milliseconds")
        return moment.replace("+00:00", "Z")

    def ms(self, position: int) -> int:
        return int(self.dialogue.at(position).timestamp() * 1000)

    def full(self, step: Step) -> str:
        return f"{self.root}/{step.path}"

    def is_last_words(self, position: int) -> bool:
        rest = self.dialogue.steps[position + 1 :]
        return not rest or rest[0].kind in ("prompt", "compaction", "trace")
