"""A rule of redaction is data that fits the engine, and stands beside its example."""

import re

from memdeck.core.redaction.redact import KINDS
from memdeck.core.redaction.rules import FIRST, PLACES, TOKENS
from memdeck.core.redaction.shapes import CHECKS
from memdeck.tests.core.test_redaction import VECTORS


def test_every_marked_kind_has_a_vector():
    assert {rule.kind for rule in TOKENS} == {kind for kind, _ in VECTORS}


def test_a_rule_is_data_that_fits_the_engine():
    for rule in (*FIRST, *TOKENS, *PLACES):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.kind), rule
        assert rule.kind in KINDS, rule
        assert all(literal == literal.lower() and literal for literal in rule.literals), rule
        assert rule.check in CHECKS, rule
        assert -1 <= rule.group <= re.compile(rule.pattern).groups, rule
