"""How an agent reports: findings, decisions, warnings, open ends, and how things are now."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import CONTRAST, NO_ONE, REASON
from .weights import importance_of

# What an agent did or will do explains nothing about the code.
_OWN = r"(?!(?:i|we|you|let|let's|i'll|i've|now|next|then|all|everything|done|fixed|if|to)\b)"
# The effect that a cause is told with, and not what follows from it for the work.
_EFFECT = (
    r"(?!(?:i|i'll|i've|we|we'll|you|you'll|let|let's|that\b|now|nothing|no\ (?:change|further)|"
    r"(?:all|the)\ (?:\w+\ )?(?:tests?|suite|build|checks?)\ (?:now\ )?(?:pass|is|are)|it(?:'s|\ "
    r"is)\ "
    r"(?:fine|safe|ok)|everything|it\ can\ be)\b)"
)
_NOT_CHANGED = (
    r"(?!.*\b(?:(?:was|were|is|are|been)\ (?:not\ |now\ |just\ |also\ )?(?:changed|updated|fixed|"
    r"added|touched|removed|renamed|created|replaced)|now|unchanged|no\ longer)\b)"
)

EXPLAINED = Rule(
    "explained",
    rx(
        r"^(?:found\ (?:it|the\ \w+)|what\ (?:happens|happened|goes\ wrong)|"
        r"explanation)\s?[:.–—-]\s*"
        r"(?P<said>\S+(?:\s\S+){3,}.*)$"
        r"|^(?:it|this|that|(?:all\ )?(?:the|these|those)\ (?:\S+\ ){1,6}?)\ ?(?:all\ |really\ |"
        r"only\ |actually\ )?"
        r"(?:comes?|came|stems?|originates?|arises?|results?)\ from\b(?:\s\S+){4,}"
        r"|^(?:it|this|that)\ (?:only\ |always\ |just\ )?(?:happens|happened|occurs|occurred|fails|"
        r"failed|"
        r"breaks|broke|goes\ wrong|is|was)\ (?:because|since|due\ to|caused\ by|down\ to|"
        r"triggered\ by|why)\b"
        r"(?:\s\S+){3,}"
        rf"|^{NO_ONE}{_OWN}(?:\S+\ ){{1,12}}?(?:is|are|was|were)\ (?:caused\ by|due\ to|down\ to|"
        rf"triggered\ by|"
        r"a\ consequence\ of|the\ result\ of)\b(?:\s\S+){2,}"
        rf"|^{NO_ONE}{_OWN}(?:\S+\ ){{1,16}}?(?:must|has\ to|have\ to|needs?\ to|can\ only|may\ "
        rf"only|must\ not|"
        r"cannot|can't)\b(?!\ be\ (?:somewhere|something|wrong|"
        r"in))(?:\s\S+){1,24}?,?\s(?:otherwise|or\ else)\b"
        r"(?:\s\S+){2,}"
        rf"|^{NO_ONE}{_OWN}{_NOT_CHANGED}(?=.{{0,80}}?(?:`|\w\(\)|"
        rf"\w[./_]\w))[^:;]{{8,200}}?,\s(?:(?:and\ )?so|hence|"
        r"therefore|which\ (?:is\ why|breaks?|means\ that|makes|causes|lets|leaves|loses|drops|"
        r"leads\ to)|"
        rf"(?:and\ )?(?:that|this)(?:'s|\ is)\ why)\ {_EFFECT}\S+(?:\s\S+){{1,}}"
        rf"|^{NO_ONE}{_OWN}(?=.{{0,200}}?(?:`|\w\(\)|\w[./_]\w))(?:\S+\ ){{1,20}}?\w{{3,}}(?:s|"
        rf"ed)\b"
        r"(?<!passes)(?<!passed)[^;]{0,80}?\ because\ (?!of\b|you\b|i\b|we\b)(?:\S+\s?){4,}"
    ),
    "discovery",
    "semantic",
    importance_of("explained"),
    0.7,
    "fact",
    ("discovery",),
    needs_fact=True,
)
"""A cause told without the word: "it comes from `clock.py`: it rounds to whole seconds"."""

AGENT_RULES: tuple[Rule, ...] = (
    Rule(
        "decision",
        rx(r"^(?:decision|decided|design\ decision)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "decision",
        "semantic",
        importance_of("decision"),
        0.8,
        "principle",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "decision",
        rx(
            r"\b(?:we|i)(?:'ve|\ have)?\s(?:decided|chosen?|picked|opted\ for|went\ with|"
            r"settled\ on|kept|used)\b"
            rf".+?(?:{REASON}|{CONTRAST})"
        ),
        "decision",
        "semantic",
        importance_of("decision"),
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
        importance_of("turned-out"),
        0.75,
        "fact",
        ("discovery",),
        lasts=True,
    ),
    Rule(
        "cause",
        rx(
            r"^(?:(?:found\ (?:it|the\ \w+)|confirmed|diagnosis|analysis)\s?[:.–—-]\s*)?"
            r"(?:the\ |root\ )*(?:cause|culprit|bottleneck|main\ cost|slowdown|"
            r"underlying\ (?:problem|issue)|actual\ (?:problem|issue|bug)|real\ (?:problem|issue|"
            r"cause)|problem|issue|bug|failure|reason|mistake|fault|catch|trick|snag|error)"
            r"\b[^:.]{0,80}?(?:\s(?:was|is|were|came\ from|comes\ from|sits\ in|lies\ in|hides\ in|"
            r"lives\ in)\b|"
            r"\s?:)\s\S+(?:\s\S+){2,}"
        ),
        "discovery",
        "semantic",
        importance_of("cause"),
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
        importance_of("because"),
        0.65,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    EXPLAINED,
    Rule(
        "warning",
        rx(
            r"^(?:note|caution|warning|beware|careful|caveat|gotcha|heads\ up|important|be\ aware|"
            r"keep\ in\ mind|(?:one\ thing\ )?to\ watch(?:\ out\ for)?)"
            r"(?:\ that|\s?[:,–—-])\s*(?P<said>\S.*)$"
        ),
        "warning",
        "semantic",
        importance_of("warning"),
        0.7,
        "fact",
        ("warning",),
        needs_fact=True,
    ),
    Rule(
        "follow-up",
        rx(
            r"^(?:todo|follow[\s-]?ups?|still\ (?:open|missing|to\ do)|not\ done(?:\ yet)?|"
            r"open(?:\ (?:point|item|end|issue)s?)?|left\ (?:open|to\ do)|remaining(?:\ work)?|"
            r"next(?:\ steps?)?|out\ of\ scope)\s?[:–—-]\s*(?P<said>\S.*)$"
            r"|^(?!(?:i|we|you|it|this|that)\b)\S.*\bstill\ (?:needs?|has|have)\ to\ be\ \w+"
            r"|^(?!(?:i|we|you|it|this|that)\b)\S.*\bis\ (?:still|not\ yet)\ (?:missing|to\ do|"
            r"implemented|migrated|covered|documented|handled)\b"
        ),
        "task_progress",
        "prospective",
        importance_of("follow-up"),
        0.7,
        "followup",
        ("todo", "follow-up"),
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
    importance_of("outcome"),
    0.65,
    "agent_response",
    ("outcome",),
    needs_fact=True,
)
"""What an agent's closing words say about how things are now."""

CHANGE = Rule(
    "change",
    rx(
        r"^(?:i|we|i've|we've|i\ have|we\ have)\s(?:also\s|then\s)?(?P<said>(?:added|changed|"
        r"moved|renamed|replaced|removed|switched|rewrote|introduced|extracted|split|made|capped|"
        r"raised|lowered|pinned|dropped|disabled|enabled)\b.*"
        r"\b(?:so\ that|because|since|instead\ of|rather\ than|from\ \S+\ to|in\ order\ to|which|"
        r"with|to\ (?:avoid|prevent|keep|stop|make|allow))\b.*)$"
    ),
    "file_change",
    "episodic",
    importance_of("change"),
    0.65,
    "agent_response",
    ("change",),
    needs_fact=True,
)
"""What an agent's closing words say it did, and what for."""
