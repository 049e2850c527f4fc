"""How an agent reports: findings, decisions, warnings, and how things are now."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import CONTRAST, REASON

AGENT_RULES: tuple[Rule, ...] = (
    Rule(
        "decision",
        rx(r"^(?:decision|decided|design\ decision)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "decision",
        "semantic",
        0.65,
        0.8,
        "principle",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "decision",
        rx(
            r"\b(?:we|i)(?:'ve|\ have)?\s(?:decided|chose|picked|opted\ for|went\ with|"
            r"settled\ on|kept|used)\b"
            rf".+?(?:{REASON}|{CONTRAST})"
        ),
        "decision",
        "semantic",
        0.6,
        0.7,
        "principle",
        ("decision",),
        needs_fact=True,
    ),
    Rule(
        "turned-out",
        rx(r"^(?:it\ )?turn(?:s|ed)\ out(?:\ that|,|:)?\s(?P<said>\S.*)$"),
        "discovery",
        "semantic",
        0.6,
        0.75,
        "fact",
        ("discovery",),
        lasts=True,
    ),
    Rule(
        "cause",
        rx(
            r"^(?:found\ (?:it|the\ \w+)\s?[:.–—-]\s*)?(?:the\ |root\ )*(?:cause|culprit|"
            r"underlying\ (?:problem|issue)|actual\ (?:problem|issue|bug)|real\ (?:problem|issue|"
            r"cause)|problem|issue|bug|failure|reason)"
            r"\b[^:.]{0,80}?(?:\s(?:was|is|were|came\ from|comes\ from)\b|\s?:)\s\S+(?:\s\S+){2,}"
        ),
        "discovery",
        "semantic",
        0.6,
        0.75,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    Rule(
        "because",
        rx(
            r"^(?!i\b|let\b|we\b|you\b).+?\b(?:fail(?:s|ed)|crash(?:es|ed)|hang(?:s)?|hung|"
            r"br(?:eaks|oke)|time[sd]?\ out|leak(?:s|ed)|deadlock(?:s|ed)|error(?:s|ed)|"
            r"return(?:s|ed)|miss(?:es|ed)|los(?:es|t)|ignor(?:es|ed)|(?:was|is|were|are|"
            r"does\ not|did\ not|doesn't|didn't)\s\S+)\b.*?,?\s(?:because|since|"
            r"due\ to)\s\S+(?:\s\S+){2,}"
        ),
        "discovery",
        "semantic",
        0.55,
        0.65,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    Rule(
        "warning",
        rx(
            r"^(?:note|caution|warning|beware|careful|caveat|gotcha|heads\ up|important|be\ aware|"
            r"keep\ in\ mind)"
            r"(?:\ that|\s?[:,–—-])\s*(?P<said>\S.*)$"
        ),
        "warning",
        "semantic",
        0.6,
        0.7,
        "fact",
        ("warning",),
        needs_fact=True,
    ),
)


OUTCOME = Rule(
    "outcome",
    rx(
        r"\b(?:now|returns?|lives?|(?:is|are|gets?)\ (?:now\ |only\ |always\ |"
        r"no\ longer\ )?(?:\w+ed|kept|run|read|sent|built|written|set|held|shown)|no\ longer|"
        r"uses?|supports?|honou?rs?|accepts?|rejects?|reads?|writes?|requires?|needs?|"
        r"defaults?\ to|falls?\ back|retries|expires?|retained|raises?|validates?|depends?\ on|"
        r"expects?)\b"
    ),
    "task_progress",
    "episodic",
    0.45,
    0.65,
    "agent_response",
    ("outcome",),
    needs_fact=True,
)
"""What an agent's closing words say about how things are now."""
