"""One folder a host: `wire` (its payload, our reply), `install` (its settings files).

json_install   installing into a JSON file of hooks: one way for Claude Code, Codex and Gemini CLI
registry       whose payload is it?
"""
