"""What is declared twice agrees: of tables, of agents, of what a weight is called."""

from memdeck.core.config.limits import rules_of
from memdeck.core.config.settings import EnginePolicy
from memdeck.db import tables
from memdeck.db.images import EXTRA, JSON_COLUMNS
from memdeck.db.keepers import keepers
from memdeck.hosts import registry as hosts


def test_json_columns_are_known_to_the_reader_that_does_without_models():
    declared = {
        name
        for model in tables.ALL
        for name, field in model._meta.fields.items()
        if isinstance(field, tables.JSONField)
    }
    assert declared == JSON_COLUMNS


def test_the_journal_carries_every_kind_of_row_it_answers_for():
    parts = {"memory_tag", "memory_file", EXTRA, *tables.DETAILS}
    assert {model._meta.table_name for model in tables.JOURNALED} - parts == set(keepers())


def test_every_agent_that_answers_without_a_terminal_is_a_kind_of_engine():
    agents = [one.name for one in hosts.hosts() if one.headless is not None]
    assert set(rules_of(EnginePolicy)["kind"].choices) == {*agents, "openai", "program"}
