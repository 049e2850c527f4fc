"""The clients: their packages, what each needs to run alone, how it names its tools.

agent     what a story must know of a client, and what several have in common
claude    Claude Code
codex     Codex CLI
copilot   Copilot CLI, which plays in `sharing` alone
gemini    Gemini CLI
opencode  OpenCode
"""

from __future__ import annotations

from .agent import TRACE, Agent
from .claude import Claude
from .codex import Codex
from .copilot import Copilot
from .gemini import Gemini
from .opencode import OpenCode

AGENTS: tuple[Agent, ...] = (Claude(), Codex(), Gemini(), OpenCode())

__all__ = ["AGENTS", "TRACE", "Agent", "Claude", "Codex", "Copilot", "Gemini", "OpenCode"]
