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
        "law",
        rx(
            rf"^{NO_ONE}(?=.*\b(?:by\ law|legally|for\ (?:legal|compliance|audit)\ reasons|(?:gdpr|"
            r"hipaa|pci(?:-dss)?|sox)\ (?:requires?|forbids?|demands?|says))\b)(?:\S+\s){4,}"
        ),
        "architecture",
        "semantic",
        0.75,
        0.85,
        "domain_knowledge",
        ("project",),
    ),
    Rule(
        "for-a-time",
        rx(
            r"^(?=.*\b(?:until|till|through|for\ the\ next|this\ (?:week|sprint|month|quarter))\b)"
            r"(?!.*\b(?:i|you)\b).*\b(?:freeze|frozen|locked|read-only|disabled|switched\ off|"
            r"closed|unavailable|on\ hold|embargo|maintenance\ window)\b"
        ),
        "warning",
        "semantic",
        0.7,
        0.85,
        "fact",
        ("project",),
        lasts=True,
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
    r"(?:(?:one|a|small|quick|another)\ ){0,2}correction(?:\ (?:to|of|about|regarding|on)\ "
    r"[^:;,–—]{2,60})?|"
    r"(?:sorry,?\ )?i\ was\ (?:wrong|mistaken)(?:\ (?:about|with|on)\ (?P<about>[^:;,–—.]{2,60}))?|"
    r"i\ (?:misspoke|misremembered|misread\ \w+|mixed\ (?:that|it|this|them|those)\ up|"
    r"got\ (?:that|it|this)\ wrong)(?:\ [^:;,–—.]{2,40})?|to\ correct\ (?:myself|that)|"
    r"let\ me\ correct\ (?:myself|that)|my\ mistake|i\ take\ (?:it|that)\ back|"
    r"(?:scratch|forget|ignore|disregard)\ what\ i\ (?:said|told\ you|wrote)(?:\ [^:;,–—]{2,60})?|"
    r"(?:that|this|it)(?:'s|\ was|\ is)\ (?:never\ (?:been\ )?(?:decided|agreed|said|the\ plan|"
    r"approved)|outdated|out\ of\ date|no\ longer\ (?:true|so|the\ case))|"
    r"(?:nobody|no\ one|we\ never|i\ never)\ (?:ever\ )?(?:decided|agreed|asked|approved|wanted|"
    r"chose)(?:\ [^,;:–—.]{2,60})?)"
    r"(?:\s?[,.:;!–—-]+\s*(?:actually,?\ |please\ |so\ |and\ )*|\s(?=use\b|we\b|always\b|never\b|"
    r"don't\b|it's\b))"
    r"(?P<said>\S.*)$"
)
_STATES = (
    rf"^{NO_ONE}[\w·`/.-]+(?:\s\S+){{0,6}}?\s(?:is|are|was|were|lives?|runs?|uses?|belongs?|goes|"
    r"go|needs?|requires?|comes?|happens?|starts?|returns?|takes?|has|have|works?|means?|expires?|"
    r"contains?|accepts?|allows?|expects?|reads?|writes?|sends?|gets?|keeps?|stays?|remains?|"
    r"wants?|"
    r"costs?|ends?|counts?|pays?|opens?|closes?|moved)\b\s\S+"
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
        rx(
            rf"^(?:we\ (?:still\ )?(?:stay|stick|remain|keep|go|run|use|want|have)|{NO_ONE}(?:\S+\ "
            rf"){{1,5}}?"
            r"(?:stays?|remains?))\b\s\S+"
        ),
        "decision",
        "semantic",
        0.8,
        0.9,
        "principle",
        ("correction", "decision"),
    ),
    Rule(
        "correction",
        rx(rf"^(?=.*(?:{CONTRAST}|\b(?:at\ (?:most|least)|exactly|no\ more\ than)\b)){_STATES}"),
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
