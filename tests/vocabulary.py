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
