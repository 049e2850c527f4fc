"""The words that stores, settings and queries know, as the requirements list them."""

TYPES = ("episodic", "semantic", "prospective", "procedural", "working")
"""000-10 to 000-14."""

CATEGORIES = (
    *("decision", "architecture", "pattern", "warning", "discovery"),
    *("error", "preference", "file_change", "task_progress"),
)
"""002-07."""

STATUSES = ("candidate", "confirmed", "pinned")
SCOPES = ("task", "session", "project", "global")
LINK_KINDS = ("reinforces", "contradicts", "extends", "refines", "superseded_by")
"""000-15."""

RETIREMENTS = (
    *("forgotten", "rejected", "merged", "superseded", "expired", "evicted", "cleared"),
    *("completed", "cancelled", "folded"),
)
REACTIONS = ("interrupted", "rejected", "contested")
"""How a person's next act can speak against what an agent said."""
