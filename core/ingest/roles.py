"""What an agent is there for, in five words. No imports: a hook asks this."""

ROLES = ("orchestrator", "executor", "reasoner", "researcher", "general")

_BY_TYPE = {
    "explore": "researcher",
    "explorer": "researcher",
    "plan": "reasoner",
    "general-purpose": "general",
    "general": "general",
    "default": "general",
}


def role_of(agent_type: str) -> str:
    """The role of a subagent of this type, as its host calls it; "" has none of its own."""
    return _BY_TYPE.get(agent_type.lower(), "executor" if agent_type else "general")
