"""The words and ranges of a type's own fields are those that the tables hold to."""

import re

import pytest

from memdeck.core.details import NUMBERS, WORDS
from memdeck.db import tables


def constraints_of(kind):
    """What the table of a type allows, by column: its words, or its two ends."""
    words, ends = {}, {}
    for name, field in tables.DETAILS[kind]._meta.fields.items():
        for constraint in field.constraints or ():
            sql = constraint.sql if hasattr(constraint, "sql") else str(constraint.nodes[0].sql)
            if found := re.search(r"IN \((.*?)\)", sql):
                words[name] = tuple(re.findall(r"'(.*?)'", found[1]))
            if found := re.search(r"BETWEEN (\S+) AND (\S+?)\)?$", sql):
                ends[name] = (float(found[1]), float(found[2]))
    return words, ends


@pytest.mark.parametrize("kind", tables.DETAILS)
def test_the_rule_and_the_table_say_the_same(kind):
    words, ends = constraints_of(kind)
    assert words == dict(WORDS.get(kind, {}))
    assert words
    for name, pair in ends.items():
        assert NUMBERS[name] == pair
