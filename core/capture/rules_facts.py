"""What a person states as a fact or corrects: causes, places, limits, "no, use uv"."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import CHOICE, CONTRAST, NO_ONE, PLACE, UNIT

FACTS: tuple[Rule, ...] = (
    Rule(
        "turned-out",
        rx(r"^(?:it\ )?turn(?:s|ed)\ out(?:\ that|,|:)?\s(?P<said>\S.*)$"),
        "discovery",
        "semantic",
        0.65,
        0.85,
        "fact",
        ("discovery",),
        lasts=True,
    ),
    Rule(
        "cause",
        rx(
            r"\b(?:the\ )?(?:root\ cause|reason|cause|culprit)\b[^:]{0,60}?(?:\ (?:is|was)\b|"
            r":)\s\S+(?:\s\S+){2,}"
        ),
        "discovery",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("discovery",),
    ),
    Rule(
        "behaves",
        rx(rf"^{NO_ONE}.*\b(?:always|never)\ \w+[^s\W]s\b(?:\s\S+){{2,}}"),
        "discovery",
        "semantic",
        0.55,
        0.7,
        "fact",
        ("project",),
        needs_fact=True,
    ),
    Rule(
        "danger",
        rx(
            rf"^{NO_ONE}.*(?=`).*\b(?:wipes|deletes|drops|destroys|overwrites|truncates|erases|"
            r"costs)\b\s\S+"
        ),
        "warning",
        "semantic",
        0.7,
        0.8,
        "fact",
        ("warning",),
        needs_fact=True,
    ),
    Rule(
        "declared",
        rx(
            rf"^{NO_ONE}[\w`·./-]+(?:\s\S+){{0,6}}?\s(?:lives?|runs?|belongs?|uses?|needs?|"
            r"requires?|expects?|goes|go|listens?|speaks?|reads?|writes?)\b.*,\s(?:not|never)\b"
            rf"|^{NO_ONE}[\w`·./-]+(?:\s\S+){{0,3}}?\s(?:happens?|runs?|works?|exists?|"
            r"starts?)\s(?:in|on|at|from|during)\b"
            r".*\bonly\b"
        ),
        "architecture",
        "semantic",
        0.6,
        0.75,
        "fact",
        ("project",),
    ),
    Rule(
        "every",
        rx(
            r"^(?:every|each)\s(?:[\w-]+\s){1,3}?[\w-]+[^s\W]s\s\S+"
            r"|^(?:all|no)\s(?:[\w-]+\s){1,3}?(?:are|is|have|has|use|go|live|run|come|need)\s\S+"
        ),
        "architecture",
        "semantic",
        0.6,
        0.7,
        "fact",
        ("project",),
        needs_fact=True,
    ),
    Rule(
        "limit-fact",
        rx(
            rf"^{NO_ONE}(?:the\ |our\ )?[\w`·./-]+(?:\s\S+){{0,4}}?\s(?:allows?|accepts?|supports?|"
            r"handles?|permits?|caps?|expires?|times\ out|limits?|is\ limited|are\ limited|"
            rf"resets?|runs?|refreshes|rotates?|needs?)\b.*{UNIT}"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project", "limit"),
    ),
    Rule(
        "project-fact",
        rx(
            rf"^{PLACE}(?:"
            r"(?:for\ .{2,40}?\s)?we\ (?:only\ |don't\ |do\ not\ |actually\ |still\ |"
            r"all\ )?(?:use|run|deploy|host|ship|target|support|store|release|pin|require|keep|"
            r"track|monitor|build|serve|manage|publish|document)\b"
            r"|our\ \w+(?:\s\S+){0,4}?\s(?:is|are|runs?|lives?|uses?|needs?|requires?|expects?)\b"
            r"|(?:the\ )?(?:staging|production|prod|dev|ci|test|integration|main|primary|"
            r"release)\s?\w*(?:\s\S+){0,3}?"
            r"\s(?:is|are|runs?|lives?|needs?|requires?|uses?|deploys?)\b"
            rf"|{NO_ONE}\w+(?:\s\w+){{0,3}}\s(?:lives?|belongs?|goes|go)\s(?:in|under|at|on|to|"
            r"into)\b"
            r"|.*\bsource\ of\ truth\b.*\b(?:is|are)\b"
            r")(?:\s\S+){1,}"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project",),
        needs_fact=True,
    ),
)

# Who corrects says "no" first; what follows is judged by the rules above.
CORRECTION = rx(
    r"^(?:(?:no|nope|nah)\b(?!\ (?:one|need|problem|worries|idea|longer|more|matter|way|rush))|"
    r"wrong|not\ quite|actually|that(?:'s|\ is)\ (?:wrong|not\ (?:right|correct|what\ i\ (?:meant|"
    r"said|asked)))|i\ (?:said|meant|told\ you)|stop|wait|"
    r"correction)(?:\s?[,.:;!–—-]+\s*(?:actually,?\ |please\ )?|\s(?=use\b|we\b|always\b|never\b|"
    r"don't\b|it's\b))"
    r"(?P<said>\S.*)$"
)
_STATES = (
    rf"^{NO_ONE}[\w·`/.-]+(?:\s\S+){{0,6}}?\s(?:is|are|was|were|lives?|runs?|uses?|belongs?|goes|"
    r"go|needs?|requires?|comes?)\b\s\S+"
)
CORRECTED = (
    Rule(
        "correction",
        rx(rf"^(?:please\ |we\ |let's\ )?{CHOICE}\b\s\S+"),
        "preference",
        "semantic",
        0.8,
        0.9,
        "principle",
        ("correction",),
    ),
    Rule(
        "correction",
        rx(rf"{_STATES}.*{CONTRAST}"),
        "architecture",
        "semantic",
        0.8,
        0.9,
        "fact",
        ("correction",),
    ),
    Rule(
        "correction",
        rx(_STATES),
        "architecture",
        "semantic",
        0.8,
        0.9,
        "fact",
        ("correction",),
        needs_fact=True,
    ),
)
"""Corrections that no rule recognises by themselves: "no, use uv", "actually, it is port 81"."""
