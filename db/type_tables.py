"""The tables that hold what only one type of memory has, one class each."""

from peewee import FloatField, IntegerField, TextField
from playhouse.sqlite_ext import JSONField

from .model import Table, between, one_of


class EpisodicRow(Table):
    """What happened."""

    memory = IntegerField(primary_key=True)
    timestamp = IntegerField(index=True)
    event_type = TextField(
        constraints=[one_of("event_type", "user_query", "agent_response", "decision", "error")]
    )
    context = JSONField(default=dict)
    emotional_valence = IntegerField(default=0, constraints=[between("emotional_valence", -2, 2)])


class SemanticRow(Table):
    """What is so."""

    memory = IntegerField(primary_key=True)
    concept = TextField(index=True)
    category = TextField(
        index=True,
        constraints=[one_of("category", "pattern", "fact", "principle", "domain_knowledge")],
    )
    source_sessions = JSONField(default=list)
    evidence_count = IntegerField(default=1)
    related_concepts = JSONField(default=list)


class ProspectiveRow(Table):
    """What is to be done."""

    memory = IntegerField(primary_key=True)
    intention_type = TextField(
        constraints=[one_of("intention_type", "todo", "reminder", "followup", "commitment")]
    )
    trigger_condition = TextField(null=True)
    trigger_type = TextField(
        null=True, constraints=[one_of("trigger_type", "time", "event", "context")]
    )
    priority = IntegerField(default=3, index=True, constraints=[between("priority", 1, 5)])
    status = TextField(
        default="pending",
        index=True,
        constraints=[one_of("status", "pending", "active", "completed", "cancelled")],
    )
    due_at = IntegerField(null=True, index=True)
    completed_at = IntegerField(null=True)


class ProceduralRow(Table):
    """How it is done."""

    memory = IntegerField(primary_key=True)
    procedure_name = TextField(index=True)
    category = TextField(
        index=True,
        constraints=[one_of("category", "workflow", "pattern", "technique", "tool_usage")],
    )
    steps = JSONField(default=list)
    prerequisites = JSONField(default=list)
    success_conditions = JSONField(default=list)
    failure_patterns = JSONField(default=list)
    performance_metrics = JSONField(default=dict)
    usage_count = IntegerField(default=0, index=True)
    success_rate = FloatField(default=1.0, index=True, constraints=[between("success_rate", 0, 1)])
    last_used_at = IntegerField(null=True)


class WorkingRow(Table):
    """What the task at hand needs."""

    memory = IntegerField(primary_key=True)
    todo_id = TextField(null=True, index=True)
    context_type = TextField(
        constraints=[one_of("context_type", "task_context", "variables", "state", "references")]
    )
    scope = TextField(default="task", constraints=[one_of("scope", "task", "subtask", "session")])
    priority = IntegerField(default=3, constraints=[between("priority", 1, 5)])
    expires_at = IntegerField(index=True)
    cleared_at = IntegerField(null=True, index=True)


class ExtraRow(Table):
    """What a caller keeps with a memory, and no table of a type has a column for."""

    memory = IntegerField(primary_key=True)
    fields = JSONField(default=dict)


DETAILS: dict[str, type[Table]] = {
    "episodic": EpisodicRow,
    "semantic": SemanticRow,
    "prospective": ProspectiveRow,
    "procedural": ProceduralRow,
    "working": WorkingRow,
}
"""The table that holds a type's own fields. A further type is one class and one line here."""
