"""How a capture becomes a memory, or does not.

pipeline    the checks in order: trivial, forgotten, told, known, reviewed
kinds       which of the five types, which of the nine categories (`kinds.toml`)
conflicts   what contradicts it, or restates it
promotion   when a finding leaves its session for the project
drafts      from a draft or an edit to a memory's image, redacted
importers   the instructions in CLAUDE.md and its kin
"""
