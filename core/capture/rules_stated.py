"""What a person lays down without a word of command: labels, impersonal rules, terse tastes.

"exit codes: 0 is fine", "tenancies are only ever created by the job", "Plain SQL, no ORM.",
"the gateway is at 10.40.0.12", "the May readings are wrong, exclude them".
"""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import ADDRESS, BROKEN, CIDR, CONTRAST, LASTING_SUBJECT, NO_ONE, QUANTITY, WORK

# What a label announces that is the matter of the hour.
_PASSING_LABEL = (
    r"(?!(?:\S+\ ){0,3}?(?:questions?|status|results?|errors?|plan|tasks?|next|steps?|expected|"
    r"actual|got|inputs?|outputs?|summary|time|ideas?|problems?|issues?|bugs?|symptoms?|logs?|"
    r"trace|traceback|observed|examples?|update|done|me|so|here|see|link|prs?|tickets?|goal|story|"
    r"hint|todos?|what|why|how|is|are|was|were|says?|said|like|following|this|that|it|screenshot|"
    r"design|article|source|reason|cause|subject|re|from|cc|warning|change|changes|fix|today|"
    r"yesterday|now|background|context)\s?:)"
)
# Topics that have a rule rather than a state.
_TOPIC = (
    r"(?:(?:file\ |table\ |variable\ |branch\ )?nam(?:es|ing)|(?:code\ |house\ )?style|"
    r"time\ ?zones?|dates?|timestamps?|currenc(?:y|ies)|money|amounts?|prices?|units?|encodings?|"
    r"caching|images?|logging|exit\ codes?|status\ codes?|error\ codes?|return\ codes?|branch(?:es|"
    r"ing)|"
    r"commits?|commit\ messages?|releases?|version(?:s|ing)|deploy(?:s|ments?)?|backups?|retention|"
    r"secrets|passwords|migrations?|roles|permissions|languages?|spelling|format(?:s|ting)?|"
    r"indentation|imports?|dependencies|hosting|monitoring|alerts?|browsers?|accessibility|"
    r"fonts?|colou?rs|rounding|pagination|sorting|ids?|keys|retries|timeouts?|queues?|storage|"
    r"auth|tests?|testing|api|docs|reviews?)"
)
_NO_WORK = (
    rf"(?!(?:please\ )?(?:{WORK}|rerun|redo|look|done|ok|fine|open|wip|pending|what|why|how)\b)"
)

# The small things that teams have habits about, and words that make a sentence one.
_HABIT = (
    r"(?:commit\ messages?|commits|prs|pull\ requests|branches|tests|docstrings|comments|names|"
    r"identifiers|columns|tables|variables|functions|classes|modules|imports|type\ hints|types|"
    r"annotations|spelling|english|indentation|tabs|spaces|quotes|commas|case|migrations|queries|"
    r"sql|json|yaml|markdown|error\ messages|monospace|utc|metric|units|sentences|paragraphs|"
    r"headings|labels|icons|mood|tense|lines|loops|methods|components|props|hooks|errors)"
)
_UNWANTED = (
    r"(?:emojis?|abbreviations|acronyms|mocks?|orms?|frameworks?|dependencies|packages|libraries|"
    r"globals|global\ state|singletons?|inheritance|semicolons|print\ statements|gradients|shadows|"
    r"animations|modals|popups|toasts|cards|magic\ numbers|(?:star|wildcard|relative)\ imports|"
    r"default\ exports|jargon|exclamation\ marks|passive\ voice|jquery|inline\ \w+|"
    r"(?:new|raw|nested|third-party|hidden|implicit|clever|dynamic)\ [\w-]+[^s\W]s)"
)
_VERBLESS = (
    r"(?!.*\b(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|must|may|i|"
    r"you|it|he|she|they|we|this|that|these|those|now|still|again|yet|left|missing|same|since|"
    r"other|then|more|done)\b)(?!.*(?<!\bin\ )(?<!\bfor\ )(?<!\bon\ )\bthe\b)"
    rf"(?!(?:{WORK}|use|just|only|not|maybe|same|still|all|nice|good|great|both|one|game|"
    r"mouse|hand|hover|move|take|start|turn|see|let|click|put|go)\b)"
)
_STATUS_NOUN = (
    r"(?!(?:errors?|warnings?|failures?|luck|ideas?|problems?|issues?|changes?|rush|hurry|"
    r"results?|output|answers?|reply|difference|effect|success|one|way|logs?|need|tests?|"
    r"conflicts?|commits?|longer|more|worries)\b)"
)

_ONLY_BY = r"(?:only\ ever|only\ (?=\w+(?:ed|en|t)\ (?:by|through|via|from)\b)|exclusively|solely)"
_DONE_TO = r"\w{2,}(?:ed|en|wn|pt|nt|ld|ad|de|ne|ut|et|un)\b"
_SUDDENLY = r"(?!.*\b(?:for\ some\ reason|suddenly|somehow|again|today|although|now)\b)"
_PLURAL = (
    r"(?!(?:the|these|those|my|some|many|both|two|three|all\ the)\b)"
    r"(?:[\w'/-]+\ ){0,4}?[\w'-]*[^s\W]s"
)
_FLAW = (
    r"(?:wrong|corrupt(?:ed)?|duplicated?s?|doubled|off|estimated|garbled|broken|unreliable|"
    r"incomplete|invalid|bogus|fake|synthetic|skewed|polluted|bad|unusable|useless|too\ (?:high|"
    r"low)|"
    r"mislabel+ed|miscalibrated|not\ (?:trustworthy|reliable|usable|valid)|test\ data|"
    r"faulty|defective|contaminated|shifted|swapped|noise|noisy|nonsense)"
)
_SETS_ASIDE = (
    r"(?:exclude|ignore|skip|drop|filter|leave|omit|mask|discard|quarantine|disregard|"
    r"(?:do\ not|don't|never)\ (?:use|trust|count|rely|include|show|touch|report))"
)
_DATA = (
    r"(?:data|readings?|numbers|figures?|bookings?|rows|records|samples?|frames|telemetry|"
    r"measurements?|ratings?|games|entries|events|metrics|dumps?|datasets?|values|sensors?|batch|"
    r"prices|rates|photos|labels|batches|series|points|results\ of|statistics|stats|counts|"
    r"orders|invoices|trips|trades|scans|votes|scores|timestamps|files|logs|recordings?|tiles)"
)
_MACHINE = (
    r"(?:cluster|server|machine|node|box|runner|host|board|chip|device|laptop|vm|instance|"
    r"gateway|printer|controller|modem|mcu|gpu|ci|plan|licen[cs]e|contract|account|tier)s?"
)
_CAP = (
    r"(?:limits?|quota|cap|max(?:imum)?|minimum|payload|(?:page|batch|frame|packet|block|chunk|"
    r"pool|heap|buffer|message|upload)\ size|retention|budget|sla|capacity|cut-?off|baud\ rate|"
    r"rate|ttl|interval|grace\ period|notice\ period|deadline)"
)
_SERVICE = (
    r"(?:api|sandbox|endpoints?|webhooks?|sdk|gateway|servers?|feed|importer|portal|support|"
    r"backend|export|system|firewall|rate\ limit|callbacks?|test\ system)"
)

STATED: tuple[Rule, ...] = (
    Rule(
        "quarantine",
        rx(
            rf"^{NO_ONE}(?=.*\b{_DATA}\b)[^,;]{{3,160}}?\b(?:(?:is|are|was|were)\ (?:\S+\ ){{0,2}}?"
            rf"{_FLAW}|(?:can't|cannot|can\ not|must\ not|should\ not)\ be\ trusted)\b"
            rf".{{0,80}}?[,;:–—]\s(?:so\ |and\ |please\ )*{_SETS_ASIDE}\b\s\S+"
            rf"|^(?:please\ )?{_SETS_ASIDE}\s(?=.*\b{_DATA}\b)[^,;]{{6,120}}(?:[,;:–—]|\ "
            rf"(?:because|"
            rf"since|as))\s(?:(?:they|it|their|its|the|these)\b.{{0,60}}?)\b(?:{_FLAW}|off)\b"
            rf"|^(?:please\ "
            rf")?{_SETS_ASIDE}\s(?=.*\b{_DATA}\b).{{6,120}}?\buntil\b\s\S+(?:\s\S+){{2,}}"
        ),
        "warning",
        "semantic",
        0.8,
        0.85,
        "fact",
        ("warning", "quarantine"),
        lasts=True,
    ),
    Rule(
        "owner",
        rx(
            r"^(?:please\ )?(?:always\ )?(?:ask|check\ with|consult|tell|inform|involve|ping)\s"
            r"(?!me\b|us\b)\S+(?:\s\S+){0,8}?\s(?:before|whenever)\s(?:you\s|we\s|any\w*\s)?"
            r"(?!lunch|noon|you\ go)\w+"
            rf"|^{NO_ONE}.{{2,80}}?\b(?:belongs?\ to|(?:is|are)\ (?:owned|maintained|kept|run)\ by|"
            r"(?:is|are)\ \w+'s\b).{0,80}?[,;:–—]\s(?:who|so|and|ask|they|don't|do\ not|he|she|"
            r"never)\b"
            rf"|^{NO_ONE}[^,;]{{2,80}}?\b(?:go|goes|has\ to\ go|have\ to\ go|must\ go)\ (?:through|"
            rf"past|"
            r"via)\ (?:(?-i:[A-Z][a-z]+)\b|the\ (?:\w+\ )?(?:team|desk|office)\b)"
            r"|^(?-i:[A-Z])\w+,\ who\ (?:owns?|maintains?|runs?|signs?|looks\ after|keeps?|"
            r"approves?|"
            r"is\ responsible)\b[^,]{2,80},\s(?:wants?|decides?|must|has\ to|needs?|prefers?|"
            r"insists?|"
            r"doesn't\ want|does\ not\ want|approves?|asked)\b\s\S+"
        ),
        "preference",
        None,
        0.75,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "address",
        rx(
            rf"^{BROKEN}{NO_ONE}(?!(?:connect|ssh|ping|curl|call|open|go|log|point|visit|browse|"
            rf"send|"
            r"deploy|push|start)\b)(?:"
            rf"(?:the\ |our\ |their\ )?[^,;:]{{2,70}}?\s(?:is|are|lives?|runs?|sits?|listens?|"
            rf"answers?|"
            r"stays?|resolves?|(?:is|are)\ (?:scraped|served|exposed|hosted|reachable|found))\ "
            r"(?:only\ |"
            rf"always\ )?(?:at|on|under|behind|from|to|via)?\s?(?:{ADDRESS})"
            rf"|(?=.*\b{CIDR})[^,;:]{{2,60}}?\s(?:is|are|uses?|lets|gets?|has|have|routes?|allows?|"
            r"covers?|only|accepts?|owns?|lives?)\b"
            rf"|{_PASSING_LABEL}(?:[\w'/-]+\ ){{0,3}}[\w'/-]+\s?:\s(?:{ADDRESS})[.!]?$"
            r")"
        ),
        "architecture",
        "semantic",
        0.65,
        0.85,
        "fact",
        ("project", "address"),
    ),
    Rule(
        "their-service",
        rx(
            rf"^{BROKEN}(?:their|the\ (?:partner|vendor|provider|supplier|bank|carrier|customer|"
            rf"publisher|agency|authority|client)(?:'s|s')?)\ (?:[\w-]+\ ){{0,3}}?{_SERVICE}\ "
            r"(?:only\ |always\ |never\ |also\ |just\ |still\ )?(?:returns?|wants?|expects?|needs?|"
            r"answers?|"
            r"sends?|rejects?|requires?|speaks?|accepts?|allows?|uses?|signs?|counts?|rounds?|"
            r"supports?|"
            r"limits?|caps?|drops?|retries|delivers?|closes|goes|refuses|throttles|has|is\ (?:only|"
            r"limited|read-only|eventually|case-sensitive|capped))\b(?:\s\S+){2,}"
            rf"|^{BROKEN}(?:their|the\ \w+(?:'s|s'))\ (?:[\w-]+\ ){{0,2}}?{_SERVICE}\ (?:is|are)\ "
            rf"(?:(?:at|on|under)\ )?(?:{ADDRESS})"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project",),
        needs_fact=False,
    ),
    Rule(
        "limit-number",
        rx(
            rf"^{BROKEN}{NO_ONE}(?:"
            rf"(?:[\w'/·`-]+\ ){{0,6}}?{_CAP}\b(?:\s\S+){{0,4}}?\s(?:is|are)\s(?:\S+\s){{0,4}}?\d"
            rf"|(?:[\w'/·`-]+\ ){{1,6}}?(?:is|are)\ (?:capped|limited|restricted|throttled)\ (?:at|"
            rf"to)\s"
            r"(?:\S+\s){0,3}?\d"
            rf"|(?:[\w'/·`-]+\ ){{1,5}}?(?:runs?|sends?|samples?|talks?|transmits?|ticks?)\ (?:at|"
            rf"with|"
            rf"every)\ (?:\S+\s){{0,2}}?{QUANTITY}"
            rf"|(?:the|our|every|each|their)\ (?:[\w'/-]+\ ){{0,3}}?{_MACHINE}\ (?:only\ |just\ "
            rf")?(?:has|"
            rf"have|comes?\ with|allows?|includes?|offers?)\s(?:\S+\s){{0,3}}?{QUANTITY}"
            r")"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project", "limit"),
    ),
    Rule(
        "impersonal",
        rx(
            rf"^{BROKEN}{_SUDDENLY}(?:"
            rf"{NO_ONE}[^,;]{{2,90}}?\b(?:is|are|gets?|may\ be|can\ be|must\ be)\ {_ONLY_BY}\ ?\w+"
            rf"|{NO_ONE}[^,;]{{2,70}}?\ (?:is|are|stays?|remains?|must\ be|has\ to\ be)\ "
            rf"(?:always\ |"
            r"strictly\ )?(?:append[\ -]only|immutable|read[\ -]only|write[\ -]once|idempotent|"
            r"case[\ -](?:in)?sensitive|(?:one|zero|1|0)[\ -](?:based|indexed)|write[\ -]only)\b"
            r"|(?:nobody|no[\ -]?one|nothing)\ (?!(?:knows?|knew|told|likes?|said|asked|answered|"
            r"is|was|"
            r"cares?|noticed|decided|agreed|wants?|understands?|seems?|had|has|replied|works?|"
            r"worked|"
            r"happens?|happened|changes|changed|helps?|helped|else|wrong|new|left|looks?|came|did|"
            r"does|"
            r"could|can\ (?:see|tell|know)|reads|saw)\b)\w+(?:\s\S+){1,10}?\s(?:by\ hand|manually|"
            r"directly|"
            r"without|except|but|other\ than|outside|during|before|unless|until|twice|alone|on\ "
            r"(?:\w+days?|"
            r"prod\w*))\b"
            r"|only\ (?:the|our|\w+s?)\ (?:[\w-]+\ ){0,3}?(?:writes?|reads?|talks?|creates?|"
            r"deletes?|may|"
            r"is\ allowed|are\ allowed|has\ access|have\ access|publish(?:es)?|deploys?|owns?|"
            r"signs?|"
            r"approves?|updates?)\s\S+(?:\s\S+){1,}"
            rf"|{NO_ONE}[^,;]{{2,90}}?\b(?:is|are|may\ be|can\ be)\ {_DONE_TO}\ (?:and\ \w+\ "
            rf")?by\s.{{2,60}}?"
            r"\s(?:alone|only|and\ nobody\ else|and\ no\ one\ else)[.!]?$"
            rf"|{_PLURAL}\ are\ (?:kept\ |stored\ )?{_DONE_TO}.{{2,80}}?\s(?:only|"
            rf"exclusively)[.!]?$"
            rf"|{_PLURAL}\ (?:are|do|may|can|get)\ (?:not|never)\ (?:be\ )?\w+\ (?:automatically|"
            rf"manually|"
            r"by\ hand|without|outside|directly|until|before|unless|between|across|on|during)\b"
            rf"|{_PLURAL}\ are\ (?:[\w-]+\ ){{0,3}}?[\w-]+,\s(?:even\ (?:if|when|though)|"
            rf"never)\b\s\S+"
            rf"|{NO_ONE}[^,;]{{2,60}}?\ is\ (?:[\w-]+\ ){{0,3}}?[\w-]+,\s(?:even\ (?:if|when|"
            rf"though)|never)\b"
            r"\s\S+"
            rf"|{LASTING_SUBJECT}\ (?:stays?|remains?)\ (?:in|on|out|under|below|at|with|within|"
            r"backwards?|stable|synchronous|public|private|free|plain|as|SVG|read)\b"
            r")"
        ),
        "architecture",
        None,
        0.7,
        0.8,
        "principle",
        ("project",),
    ),
    Rule(
        "labelled",
        rx(
            rf"^{BROKEN}{_PASSING_LABEL}(?:"
            rf"{_TOPIC}\s?:\s{NO_ONE}{_NO_WORK}(?=\S+(?:\s\S+){{2,}})(?:.*\b(?:is|are|means?|use|"
            rf"in|for|"
            r"with|only|never|always|not|no|under|over|as|at|up)\b)"
            r"|(?:[\w'/-]+\ ){0,3}[\w'/-]+\s?:\s(?:we\ (?:only\ |all\ |always\ |never\ )?(?:use|"
            r"keep|run|"
            r"store|write|name|prefer|host|ship|want|take|put|send|round|count|deploy|have|"
            r"publish)\b"
            r"(?!\ (?:the\ wrong|a\ problem|to))(?:\s\S+){1,}"
            r"|(?:never|always|only|nothing|everything|nobody|at\ most|at\ least|no\ more\ than|"
            r"not\ (?:more|longer)\ than)\b(?!\ (?:works?|fails?|is))(?:\s\S+){2,}"
            r"|\d+\s(?:is|are|means?|=|stands\ for)\s.{2,60}?,\s(?:and\ )?\d+\b.*"
            rf"|{NO_ONE}\S+(?:\s\S+){{0,6}}?{CONTRAST}\s\S+.*)"
            r")"
        ),
        "preference",
        None,
        0.7,
        0.75,
        "principle",
        ("project",),
    ),
    Rule(
        "terse",
        rx(
            rf"^(?=.{{8,90}}$){_VERBLESS}(?:"
            rf"no\ {_UNWANTED}\b(?:\ (?:or|and)\ [\w-]+(?:\ [\w-]+)?)?(?:,?\ (?:please|anywhere|"
            rf"ever|in|on|"
            r"for|without|outside)\b.{0,50})?[.!]?$"
            rf"|(?:[\w-]+\ ){{0,3}}?{_HABIT}\ (?:everywhere|throughout|only|first,\ always|"
            rf"always)\b"
            r"(?:,?\ (?:please|in|for|even)\b.{0,50})?[.!]?$"
            rf"|(?!no\b)(?:[\w-]+\ ){{0,3}}?[\w-]+,\ (?:no|never)\ {_STATUS_NOUN}[\w-]+(?:\ "
            rf"[\w-]+){{0,3}}"
            r"[.!]?$"
            r"|(?:[\w-]+\ ){0,2}?[\w-]+\ over\ (?!there|here|again)[\w-]+(?:\ [\w-]+){0,2}"
            r"(?:,\ .{0,50})?[.!]?$"
            r"|(?:(?:two|four|2|4|snake|camel|kebab|pascal|title|british|american|single|double|"
            r"straight|"
            r"trailing|oxford|present|past|imperative|dark|light|sentence|absolute|relative|"
            r"tabular|"
            r"plain|metric|named)(?:-\w+)?\ (?:[\w-]+\ )?|)(?:indentation|case|spelling|monospace|"
            r"quotes|"
            r"tabs|spaces|commas|units|mood|tense|numerals|exports|imports|english)\ (?:in|for|"
            r"on)\ "
            r"[\w-]+.{0,50}$"
            r"|(?:short|small|plain|clear|meaningful|descriptive|conventional|concise|tiny|atomic|"
            r"signed|"
            rf"lower-?case|imperative|long|flat|pure|early|explicit)\ (?:[\w-]+\ )?{_HABIT}"
            r"(?:[,;]\ .{3,60})?[.!]?$"
            r")"
        ),
        "preference",
        "semantic",
        0.65,
        0.75,
        "principle",
        ("preference",),
    ),
    Rule(
        "kept-so",
        rx(
            r"^(?:please\ )?(?:keep|leave|store)\ (?:the\ |our\ |all\ )?(?:[\w-]+\ ){1,4}?(?:in|"
            r"out\ of|"
            r"under|at|as|on|away\ from|below)\ [^,;]{2,60}(?:[,;:–—]|\ -)\ (?!(?:please|then|and|"
            r"thanks|"
            r"not|but|so)\b)[\w-]+\ (?:[\w-]+\ ){0,3}?\w+[.!]?$"
        ),
        "decision",
        "semantic",
        0.7,
        0.75,
        "principle",
        ("decision",),
    ),
    Rule(
        "therefore",
        rx(
            rf"^{BROKEN}(?:the|our|a|an|each|every)\ (?:[\w-]+\ ){{1,4}}?(?:is|are|has|have|needs?|"
            rf"takes?)\ "
            r"[^,;]{2,80},\s(?:so|hence|therefore)\ (?:every|each|all|no|any|only|\w+s|the\ \w+)\ "
            r"(?:[\w-]+\ ){0,4}?(?:must|has\ to|have\ to|may|can\ only|cannot|can't|should)\b\s\S+"
        ),
        "architecture",
        "semantic",
        0.7,
        0.8,
        "principle",
        ("project",),
        needs_fact=True,
    ),
    Rule(
        "stays",
        rx(r"^(?:we|they)\ (?:stay|stick|remain)\ (?:on|with|at|in)\ (?!it\b|this\b|that\b)\S+"),
        "decision",
        "semantic",
        0.75,
        0.85,
        "principle",
        ("decision",),
        needs_fact=True,
    ),
)
