"""The agents' own memories and the instruction files: one row a source.

Core reads and writes them by their form (`core/ingest/sources.py`).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from . import registry
from .wire import in_folder

LIMIT = registry.wire("claude").INDEX_LIMIT


@dataclass(frozen=True, slots=True)
class Source:
    name: str  # in `source:` of a query
    title: str
    form: str  # index, notes, summary, objects or rules
    agent: str  # the host that loads it; "" of rules, for which `LOADS` names the hosts
    paths: str
    """Its folders, or files of rules and objects, by blanks: in the project, in a host's folder
    (`@HOST/…`), or the host's memory for the project (`memory:HOST`). One `*` matches a name."""

    limit: tuple[int, int] | None = None  # lines and characters of the index that a start loads
    is_nested: bool = False  # the type of a memory is below `metadata`

    def folders(self, folder: str, root: str) -> list[str]:
        """Its folders or files, whether or not they exist.

        `folder` is where an agent works, `root` the main checkout of its repository.
        """
        paths = (path for text in self.paths.split() for path in _paths(text, folder, root))
        return list(dict.fromkeys(paths))

    def is_loaded(self, path: str, root: str) -> bool:
        """Return False if the user switched off that a start loads it, or its version."""
        if self.form in ("rules", "objects"):
            return True
        memory = memory_of(self.agent, root)
        return memory == path if self.form == "summary" else bool(memory)

    def to_write(self, folder: str, root: str) -> str:
        """Return the folder, or file, that new memories go to; "" while it is switched off."""
        if self.form == "objects":
            return self.folders(folder, root)[-1]
        return memory_of(self.agent, root)


SOURCES = (
    Source("claude", "Claude Code's memory", "index", "claude",
           "memory:claude @claude/agent-memory/* .claude/agent-memory/*"
           " .claude/agent-memory-local/*", LIMIT, is_nested=True),
    Source("codex", "Codex's memory", "summary", "codex", "@codex/memories @codex/memories_v2"),
    Source("gemini", "Gemini CLI's memory", "notes", "gemini", "memory:gemini"),
    Source("qwen", "Qwen Code's memory", "index", "qwen",
           "memory:qwen @qwen/memories .qwen/team-memory", LIMIT),
    Source("copilot", "Copilot CLI's import", "objects", "copilot",
           "copilot-memories.jsonl @copilot/copilot-memories.jsonl"),
    Source("claude-rules", "CLAUDE.md and rules", "rules", "",
           "CLAUDE.md .claude/CLAUDE.md CLAUDE.local.md .claude/rules/*.md"
           " @claude/CLAUDE.md @claude/rules/*.md"),
    Source("agents-rules", "AGENTS.md", "rules", "",
           "AGENTS.md AGENTS.override.md fallbacks"
           " @codex/AGENTS.md @codex/AGENTS.override.md @opencode/AGENTS.md"),
    Source("gemini-rules", "GEMINI.md", "rules", "", "GEMINI.md @gemini/GEMINI.md"),
    Source("qwen-rules", "QWEN.md", "rules", "", "QWEN.md @qwen/QWEN.md"),
    Source("copilot-rules", "Copilot's instructions", "rules", "",
           ".github/copilot-instructions.md .github/instructions/*.instructions.md"
           " @copilot/copilot-instructions.md"),
    Source("cursor-rules", "Cursor's rules", "rules", "", ".cursor/rules/*.mdc .cursorrules"),
)  # fmt: skip
"""Every source, in the order in which they are listed."""


def memory_of(host: str, root: str) -> str:
    """Return the folder of a host's own memory for the project at `root`; "" while it is off."""
    base = _base(host)
    if host == "qwen":
        settings = registry.text_at(f"{base}/settings.json")
        is_off = re.search(r'"enableManagedAutoMemory"\s*:\s*false', settings)
        return "" if is_off else f"{in_folder(f'{base}/projects', root)}/memory"
    folder = str(registry.wire(host).memory_folder(base, root, registry.text_at))
    for mark in registry.matching(f"{base}/tmp", "*/.project_root") if host == "gemini" else ():
        if not folder and registry.text_at(mark).strip() == root:  # `projects.json` has lost it
            return f"{os.path.dirname(mark)}/memory"
    return folder


def _base(host: str) -> str:
    if host == "qwen":
        return registry.folder_of((("QWEN_HOME", ""),), "~/.qwen")
    return registry.folder_of(*registry.wire(host).HOOK_FILES[:2])


def _paths(text: str, folder: str, root: str) -> list[str]:
    kind, _, name = text.partition(":")
    if kind == "memory":
        path = memory_of(name, root)
        if not path and name == "claude":  # switched off: earlier memories are still there
            path = f"{in_folder(f'{_base(name)}/projects', root)}/memory"
        return [path] if path else []
    if text.startswith("@"):
        host, _, below = text[1:].partition("/")
        return registry.matching(_base(host), below)
    if text == "fallbacks":  # of Codex, for a project without AGENTS.md
        settings = registry.text_at(f"{_base('codex')}/config.toml")
        names = re.search(r"^project_doc_fallback_filenames\s*=\s*\[([^\]]*)\]", settings, re.M)
        return [f"{folder}/{name}" for name in re.findall(r"[\w. -]+", names[1] if names else "")]
    return [path for at in registry.upwards(folder) for path in registry.matching(at, text)]


def elsewhere(root: str) -> list[str]:
    """Claude Code's memory folders of a checkout of the same name at another path.

    The checkout was moved, or the folder comes from another machine.
    """
    parent = f"{_base('claude')}/projects"
    tail = os.path.basename(in_folder("", f"/{os.path.basename(root)}"))
    own = f"{in_folder(parent, root)}/memory"
    paths = registry.matching(parent, f"*{tail}/memory") if len(tail) > 1 else []
    return [path for path in paths if path != own and os.path.isdir(path)]


def hosts_of(folder: str, root: str) -> dict[str, list[str]]:
    """Return the agents that load a file at a start in `folder`, by its real path."""
    agents: dict[str, list[str]] = {}
    for host in registry.names():
        for path in registry.loaded(host, folder, root):
            agents.setdefault(os.path.realpath(path), []).append(host)
    for path in _paths("AGENTS.md", folder, root) + _paths("QWEN.md", folder, root):
        agents.setdefault(os.path.realpath(path), []).append("qwen")
    agents.setdefault(os.path.realpath(f"{_base('qwen')}/QWEN.md"), []).append("qwen")
    return agents
