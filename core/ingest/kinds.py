"""Which of the five types a text is, and which of the nine categories.

Cues, as data: each adds its weight to what it speaks for, however often it occurs; the highest
sum wins, and a tie goes to what stands first in the table. The same text always gets the same
answer, and a reviewer may correct it later. Both questions look at the lower-cased text only.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

LOOKS_AT = 4000  # characters; a person's memory holds no more
NEARLY = 1
"""The two best types are tied, or nearly so, when their sums are at most this far apart."""


class Cue(NamedTuple):
    """A turn of phrase, and what it speaks for. The weights are whole numbers from 1 to 4."""

    speaks_for: str
    weight: int
    pattern: str


_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FILE = r"[\w./-]*[\w-]\.(?:[a-z]{1,4}|[jt]sx|json[lc5]?|ya?ml|toml|proto|swift|scala)\b"

# fmt: off
TYPE_CUES = (
    # Something is still to be done (000-12, 001-10).
    Cue("prospective", 4, r"^\W*(?:todo|fixme|reminder|follow[- ]?up|open item|next steps?)\b"),
    Cue("prospective", 3, r"\b(?:todo|fixme|remind (?:me|us)|don'?t forget|remember to)\b"),
    Cue("prospective", 3, r"\b(?:need|needs|(?<!the )plans?|planning|still has|still have) to\b"),
    Cue("prospective", 2, r"\b(?:later|tomorrow|eventually|next (?:week|month|sprint|release"
        r"|time))\b"),
    Cue("prospective", 2, rf"\b(?:by|before|until) (?:tomorrow|tonight|next|{_DAY}|\d{{4}}-\d\d)"),
    Cue("prospective", 2, r"\b(?:deadline|due (?:on|by|date)|pending|follow[- ]?up|backlog"
        r"|not yet)\b"),
    Cue("prospective", 2, r"\b(?:we|i)(?:'ll| will| should| must| have to)\b(?! always| never"
        r"| not use)"),
    Cue("prospective", 2, r"\b(?:remains|remaining|left) to (?:be )?\w|\bstill (?:missing|open"
        r"|to do)\b"),
    # How something is done, step by step (000-13).
    Cue("procedural", 4, r"\bhow (?:to|we|i) (?!much|many|long)\w"),
    Cue("procedural", 4, r"(?:^|\n)\s*(?:1[.)]|step 1)\s[^\n]*\n+\s*(?:2[.)]|step 2)\s"),
    Cue("procedural", 3, r"^\W*(?:in order )?to \w+[^.\n]{0,80}[,:] (?:first |you |please "
        r"|always )?(?:run|call|use|open|start|stop|set|create|delete|edit|go|check|copy|execute"
        r"|type|add)\b"),
    Cue("procedural", 3, r"\b(?:run|call|execute|start|stop|build|open|edit|create|set|install"
        r"|first|commit|push|tag)\b[^.\n]{1,120}(?:\bthen\b|\bafterwards\b|\band finally\b|&&)"),
    Cue("procedural", 2, r"\b(?:steps?:|steps (?:to|for|are)|procedure|workflow|runbook|recipe"
        r"|checklist|walkthrough)"),
    Cue("procedural", 2, r"\b(?:run|use|execute|call|type) `[^`\n]{2,120}` (?:to|before|after"
        r"|when|if|for)\b"),
    Cue("procedural", 2, r"\bto (?:deploy|build|release|install|reset|set up|rebuild|migrate"
        r"|restart|publish|debug|reproduce|roll back|regenerate|run the tests)\b"),
    Cue("procedural", 2, r"\b(?:worked|works) (?:with|by|after running|when (?:you )?run)"),
    # Something happened, at a time (000-10).
    Cue("episodic", 3, r"\b(?:we|i|they|the team|the user|claude) (?:have |has |had |just |also "
        r"|then )?(?:decided|chose|agreed|settled|picked|switched|moved|went|tried|found|fixed"
        r"|added|removed|changed|broke|learned|discovered|noticed|merged|deployed|released"
        r"|rejected|approved|asked|replaced|rewrote)\b"),
    Cue("episodic", 3, r"\b(?:decided|agreed|settled) (?:to|on|that|against)\b|\bdecision:"),
    Cue("episodic", 3, rf"\b(?:created|renamed|deleted|edited|modified|rewrote|refactored"
        rf"|updated)\b[^.\n]{{0,60}}{_FILE}"),
    Cue("episodic", 3, r"\b(?:fixed|resolved|solved|reverted|rolled back|migrated|deployed"
        r"|released|merged|broke)\b"),
    Cue("episodic", 3, r"\b(?:failed|fails|crashed|crashes|crashing|timed out|hung|segfault\w*"
        r"|threw|raised)\b"),
    Cue("episodic", 3, r"\btraceback\b|\b\w*(?:error|exception):|\bexit code [1-9]"
        r"|\bexited with\b|\bpanic:"),
    Cue("episodic", 2, r"\b(?:error|bug|outage|incident|regression|root cause|caused by"
        r"|turned out|happened)\b"),
    Cue("episodic", 2, r"\b(?:yesterday|today|this morning|last (?:week|month|night|sprint)"
        r"|ago)\b"),
    Cue("episodic", 2, r"\b(?:on|since) (?:20\d\d-\d\d-\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug"
        r"|sep|oct|nov|dec)\w*)\b"),
    # What holds: facts, preferences, standing instructions (000-11).
    Cue("semantic", 4, r"\b(?:always|never|from now on|under no circumstances|as a rule"
        r"|by convention)\b"),
    Cue("semantic", 3, r"\b(?:prefers?|preferred|preference|i (?:like|want|love|hate)"
        r"|i'd rather)\b"),
    Cue("semantic", 3, r"^\W*(?:please |do not |don't |avoid |use |keep |write |prefer |name "
        r"|put )(?!`)"),
    Cue("semantic", 2, r"\b(?:must|must not|do not|don't|should|shouldn't|avoid|only ever)\b"),
    Cue("semantic", 2, r"\b(?:convention|rule|policy|standard|guideline|principle|requirement"
        r"|default)s?\b"),
    Cue("semantic", 2, r"\b(?:is|are) (?:an? |the |in |at |on |under |kept|stored|written|called"
        r"|named|located|based|built)"),
    Cue("semantic", 1, r"\b(?:is|are|uses?|lives?|contains?|requires?|depends?|supports?|means"
        r"|stands for|has|have)\b"),
)
# fmt: on
"""Cues for the type, with facts last: the type of what nothing else claims."""

_TYPE_ORDER = ("prospective", "procedural", "episodic", "semantic")

CATEGORY_LEANS: dict[str, tuple[str, int]] = {
    "decision": ("episodic", 1),
    "architecture": ("semantic", 3),
    "pattern": ("semantic", 1),
    "warning": ("semantic", 3),
    "discovery": ("semantic", 2),
    "error": ("episodic", 4),
    "preference": ("semantic", 6),
    "file_change": ("episodic", 6),
    "task_progress": ("prospective", 3),
}
"""Where a category pulls its type, and how hard: a decision stays semantic when it is phrased as
what holds ("we always use tabs"), a pattern procedural when it is a sequence of steps, and task
progress episodic when it tells only what was done."""

# fmt: off
CATEGORY_CUES = (
    Cue("preference", 4, r"\b(?:i (?:like|prefer|want|love|hate|dislike)|i'd rather|my preference"
        r"|(?:user|he|she) prefers)\b"),
    Cue("preference", 3, r"\b(?:prefers?|preferred|from now on|please (?:always|never|use|don'?t"
        r"|do not))\b"),
    Cue("preference", 2, r"^\W*(?:always|never|please)\b"),
    Cue("preference", 2, r"\balways (?:use|write|add|run|ask|put|name|import|commit|push|answer"
        r"|reply|keep)\b|\bnever (?:use|write|add|ask|put|name|import|answer|reply|keep)\b"),
    Cue("warning", 4, r"^\W*(?:warning|careful|caution|beware|danger|attention|gotcha|pitfall)\b"),
    Cue("warning", 3, r"\b(?:beware|watch out|be careful|careful with|pitfall|gotcha|footgun"
        r"|dangerous|caution)\b"),
    Cue("warning", 4, r"\bnever (?:run|delete|commit|push|deploy|drop|force|edit|touch|call"
        r"|expose|log|store|restart)\b"),
    Cue("warning", 3, r"\b(?:do not|don'?t|must not|avoid|should(?: not|n't)) \w+[^.\n]{0,80}"
        r"(?:because|since|or (?:it|you)|it (?:breaks|will))"),
    Cue("warning", 2, r"\b(?:do not|don'?t|must not|avoid|deprecated|unsafe|breaks (?:if|when"
        r"|the)|will break|silently)\b"),
    Cue("error", 4, r"\btraceback\b|\b\w*(?:error|exception):|\bpanic:|\bexit code [1-9]"
        r"|\bsegfault|\bstack trace\b"),
    Cue("error", 3, r"\b(?:fixed|fix for|resolved|solved)\b|\broot cause\b|\bcaused by\b"),
    Cue("error", 3, r"\b(?:failed|fails|failing|failure|crash\w*|timed out|broke|broken|bug"
        r"|exception|regression|outage)\b"),
    Cue("error", 2, r"\berrors?\b|\b(?:ran|runs|running|run) out of\b|\bcorrupt\w*|\b(?:5\d\d|404"
        r"|403|401) (?:from|when|on)\b"),
    Cue("decision", 4, r"\b(?:decided|decision|we (?:chose|agreed|settled|picked|opted)|went with"
        r"|opted for|settled on)\b"),
    Cue("decision", 3, r"\b(?:instead of|rather than|in favou?r of|over (?:using )?[a-z]+ because"
        r"|trade-?off)\b"),
    Cue("decision", 2, r"\b(?:we(?:'ll| will) (?:use|go with|keep|stick|switch|move)"
        r"|switched (?:from|to)|chose|choose|going with)\b"),
    Cue("file_change", 4, rf"\b(?:created|renamed|moved|deleted|edited|modified|rewrote"
        rf"|refactored|split)\b[^.\n]{{0,60}}{_FILE}"),
    Cue("file_change", 3, rf"\b(?:added|updated|changed|removed|replaced)\b[^.\n]{{0,60}}{_FILE}"),
    Cue("file_change", 2, r"\b(?:renamed|moved|deleted|edited|modified) (?:the )?(?:file|folder"
        r"|directory|module|class|function)"),
    Cue("task_progress", 4, r"^\W*(?:todo|fixme|done:|in progress|next steps?|status:|progress:"
        r"|remaining:|open:)"),
    Cue("task_progress", 3, r"\b(?:todo|fixme|in progress|next steps?|remaining|milestone"
        r"|still (?:open|missing|to do)|half done|wip)\b"),
    Cue("task_progress", 3, r"\b(?:need|needs|(?<!the )plans?|planning|remember|still has"
        r"|still have|have) to\b|\bremind (?:me|us)\b|\bfollow[- ]?up\b"),
    Cue("task_progress", 2, r"\b(?:completed|finished|started|blocked|pending|later|tomorrow"
        r"|next (?:week|sprint|release))\b"),
    Cue("pattern", 4, r"\b(?:convention|idiom|pattern|naming|by convention|code style"
        r"|best practice)s?\b"),
    Cue("pattern", 3, r"\bhow to\b|(?:^|\n)\s*(?:1[.)]|step 1)\s[^\n]*\n+\s*(?:2[.)]|step 2)\s"
        r"|\bsteps? (?:to|for|are)\b|\b(?:workflow|procedure|recipe|runbook)\b"),
    Cue("pattern", 3, r"\b(?:every|each|all) (?:[\w-]+ ){1,2}(?:has|have|must|should|is|are|gets?"
        r"|starts?|ends?|lives?|goes|go|returns?|extends?)\b"),
    Cue("pattern", 2, r"\b(?:to (?:deploy|build|release|install|reset|rebuild|migrate|restart"
        r"|publish)|run [^.\n]{1,80} then)\b"),
    Cue("pattern", 2, r"\b(?:we (?:name|write|use|wrap|put|prefix|suffix)|is done (?:by|with"
        r"|through))\b"),
    Cue("architecture", 4, r"\b(?:architecture|microservice|monolith|layers?|bounded context"
        r"|data flow|topology|event[- ]driven)\b"),
    Cue("architecture", 3, r"\b(?:module|service|component|package|backend|frontend|gateway|queue"
        r"|database|schema|api|daemon|worker|cache)s?\b[^.\n]{0,60}\b(?:depends? on|talks? to"
        r"|calls?|imports?|reads? from|writes? to|lives? in|is split|owns?|sits?|runs? (?:on|in"
        r"|as)|is built|are built|consists?)\b"),
    Cue("architecture", 2, r"\b(?:depends on|talks to|is split into|boundary|boundaries"
        r"|single source of truth|entry point)\b"),
    Cue("discovery", 3, r"\b(?:found (?:out )?that|turns? out|turned out|discovered|noticed"
        r"|realised|realized|it seems|apparently)\b"),
    Cue("discovery", 2, r"\b(?:actually|interesting(?:ly)?|learned|because|the reason|measured"
        r"|benchmark\w*)\b"),
    Cue("discovery", 1, r"\b(?:is|are|has|have|lives?|uses?|contains?|supports?)\b"),
)
# fmt: on
"""Cues for the category, with discovery last: the category of what nothing else claims."""


def memory_type(content: str, category: str | None = None) -> str:
    """One of `TYPES`, never "working": working memory is made from todos, not from a text.

    Prospective is what is still to be done, procedural how something is done, episodic what
    happened (events, errors, decisions made), semantic what holds (facts, preferences, standing
    instructions) and whatever shows no cue. A known `category` adds its weight, so that it
    decides where the text is silent and yields where the text is plain (`CATEGORY_LEANS`).
    """
    return memory_type_with_doubt(content, category)[0]


def memory_type_with_doubt(content: str, category: str | None = None) -> tuple[str, bool]:
    """`memory_type`, and whether another type has `NEARLY` as good a claim (000-21).

    A text that shows no cue at all leaves no doubt: nothing speaks for anything but a fact.
    """
    sums = _weigh(content, TYPE_CUES)
    if category in CATEGORY_LEANS:
        leaning, weight = CATEGORY_LEANS[category]
        sums[leaning] = sums.get(leaning, 0) + weight
    first, second = sorted((sums.get(one, 0) for one in _TYPE_ORDER), reverse=True)[:2]
    return _first_best(sums, _TYPE_ORDER, "semantic"), second > 0 and first - second <= NEARLY


def category_of(content: str) -> str:
    """One of `CATEGORIES`; "discovery" where nothing says otherwise."""
    order = tuple(dict.fromkeys(cue.speaks_for for cue in CATEGORY_CUES))
    return _first_best(_weigh(content, CATEGORY_CUES), order, "discovery")


def _weigh(content: str, cues: tuple[Cue, ...]) -> dict[str, int]:
    text = content[:LOOKS_AT].lower().replace("’", "'")
    sums: dict[str, int] = {}
    for cue in cues:
        if _pattern(cue.pattern).search(text):
            sums[cue.speaks_for] = sums.get(cue.speaks_for, 0) + cue.weight
    return sums


def _first_best(sums: dict[str, int], order: tuple[str, ...], default: str) -> str:
    return max(order, key=lambda one: sums.get(one, 0)) if sums else default


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
