"""Words and turns of phrase that several rules share."""

from __future__ import annotations

# Verbs that choose between ways to do things.
CHOICE = (
    r"(?:always\ |only\ )?(?:use|store|keep|put|prefer|choose|pick|pin|stick\ (?:with|to)|"
    r"go\ with|target|name|write|place|save|log|cache|retain|install|deploy|publish|mock|label|"
    r"host|serve)"
)
# Verbs that ask for work to be done now.
WORK = (
    r"(?:add|fix|change|check|create|explain|find|give|implement|list|look|make|open|print|"
    r"refactor|remove|rename|replace|rerun|restart|revert|run|show|tell|test|try|undo|update|"
    r"verify|write)"
)
REASON = (
    r"(?:\s?[:;—–]\s|\s-\s|,?\s\b(?:because|since|as\s(?:we|the|it|our)|so\sthat|otherwise|"
    r"or\selse|due\sto)\b)"
)
CONTRAST = (
    r"(?:\bnot\b|\binstead\sof\b|\brather\sthan\b|[,;–—-]\s?never\b|\bover\b(?=\s\S+\s*(?:$|"
    r"[,.;:]|because|since)))"
)
# "In this repo …", "on CI, …": where it holds.
PLACE = (
    r"(?:(?:in|on|for|at|inside|within)\ (?:\S+\ ){0,3}?(?:repo(?:sitory)?|project|code\ ?base|"
    r"monorepo|prod(?:uction)?|staging|ci|tests?|dev|code|docs)\b,?\ "
    r"|(?:in|on|for|at|with|when|under)\b[^,]{2,60},\ )?"
)
# What a rule is about, other than somebody or something only the session knows.
NO_ONE = (
    r"(?!(?:i|you|we|us|it|this|that|these|those|they|he|she|there|what|who|which|let's|please|"
    rf"can|could|{WORK})\b(?!-))"
)
# What troubles somebody does not "have to be" so; it was guessed to be.
NO_TROUBLE = r"(?!(?:the|an?)\ (?:error|bug|problem|issue|cause|reason|failure|fault|crash)\b)"
# "all handlers", "migrations", "the API": of what one says how it has to be in general. A single
# button or function that "must" is the task of the hour.
LASTING_SUBJECT = (
    r"(?:(?:all|every|each|any|new|our|no)\ (?:\S+\ ){0,4}?\S+|(?:any|every)(?:thing|one|"
    r"body)(?:\ \S+){0,4}?|(?:\S+\ ){0,4}?(?:\w*[^s\W]s|\S*\d|`[^`]+`|(?<=\ )(?-i:[A-Z]\w+)|"
    r"\w+_\w+|apis?|worker|service|repo|database|schema|gateway|client|backend|frontend|server|"
    r"cli|package|library|sdk|pipeline|cluster|bucket|code|money|documentation|data|"
    r"app)(?:\ \S+){0,3}?)"
)
OBLIGED = (
    r"(?:(?:must(?:\ not|n't)?|shall)\b(?!\ be\ (?:somewhere|something|wrong|broken|missing|"
    r"because|the|a)\b)|may\ (?:only|not)|(?:has|have)\ to|can\ only|(?:is|are)\ not\ allowed|"
    r"should\ (?:all\ )?(?:not|only))"
)
# "Use a set, not a list" is about one place in the code.
ONE_THING = r"(?!\ (?:an?|the\ new|it|tests?\ for\ the)\b)"
UNIT = (
    r"\d[\d.,_]*\s?(?:%|x\b|(?:ms|s|sec|seconds?|min|minutes?|h|hrs?|hours?|days?|weeks?|months?|"
    r"years?|[kmgt]i?b|bytes?|chars?|characters|lines?|rows?|retries|attempts|tries|times|"
    r"requests?|connections?|workers?|threads?|items?|entries|columns?|users?|tokens?|versions?|"
    r"copies|replicas)\b)"
)
# What a limit is counted in, beyond the units of software.
QUANTITY = (
    r"\d[\d.,_]*\s?(?:%|x\b|(?:ms|s|sec|seconds?|min|minutes?|h|hrs?|hours?|days?|weeks?|months?|"
    r"years?|[kmgt]i?b|bytes?|bits?|[kmg]?bit/s|[kmg]bit|baud|[kmg]?hz|fps|px|gpus?|cpus?|cores?|"
    r"nodes?|seats?|calls?|requests?|messages?|events?|records?|rows?|items?|users?|tokens?|"
    r"connections?|workers?|threads?|volts?|watts?|km|cm|mm|points?|credits?|pages?|slots?|"
    r"retries|attempts|copies|replicas|characters|lines|licen[cs]es)\b)"
)
CIDR = r"\d{1,3}(?:\.\d{1,3}){3}/\d{1,2}\b"
ADDRESS = (
    r"https?://\S{4,200}|\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{2,5})?\b|(?:tcp\ |udp\ )?port\ "
    r"\d{2,5}\b|"
    r"(?<=on\ )\d{4,5}\b(?!\s\w+s\b)|"
    r"[a-z][\w-]{0,60}(?:\.[a-z0-9-]{1,60}){1,6}(?::\d{2,5})?(?<!\.py)(?<!\.js)(?<!\.ts)(?<!\.go)(?<!\.rs)"
    r"(?<!\.md)(?=[\s.,;)]|$)"
)
# A sentence that complains is none that lays down.
BROKEN = (
    r"(?!.*\b(?:broken|fails?|failed|failing|crash\w*|is\ (?:wrong|down|missing|stuck|gone|slow)|"
    r"are\ (?:wrong|down|missing|stuck|gone|slow)|doesn't\ work|not\ working|hangs?|why|blank|"
    r"(?:returns?|got|get|gives?|a|an|shows?)\ (?:[45]\d\d|errors?)|at\ 404)\b)"
)
