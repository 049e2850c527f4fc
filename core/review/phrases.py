"""Turns of phrase that tell what lasts from what is of the moment, as data.

Each pattern is one idea in all the languages we know; a further language adds its alternatives.
Patterns look at one sentence, small letters, code already replaced by `·`.
"""

from __future__ import annotations

import re


def _rx(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in alternatives))


# --- what lasts

STANDING = _rx(
    r"\b(?:always|never|must|may not|cannot|can't|only|every|each|whenever|unless|forbidden"
    r"|not allowed|mandatory|at most|at least|no longer|by default|by hand|as a rule)\b",
    r"\b(?:from now on|going forward|in (?:the )?future|each time|by convention|before (?:you )?"
    r"(?:every|each|any|\w+ing)\b)",
    r"\b(?:don't|do not|avoid|prefers?|refuses?|rejects?|ignores?|requires?|needs?|has to|have to"
    r"|should(?:n't| not)?|stays?|remains?|belongs?|policy|convention|rule)\b",
    r"\bi (?:like|prefer|hate|dislike) \w|\bi'd rather (?:have|see|use|keep)\b|\bmy preference\b",
    r"\bno \w+(?: \w+){0,3} (?:in|on|for|without|here)\b",
    r"\b(?:immer|nie|niemals|müssen|muss|darf|dürfen|jeder|jede|jedes|keine|ausschließlich)\b",
    r"\b(?:toujours|jamais|doit|doivent|chaque|uniquement|interdit)\b",
    r"\b(?:siempre|nunca|debe|deben|cada|solo|prohibido)\b",
)
LAID_DOWN = _rx(r"^(?:always|never|do not|don't|only|whenever|from now on)\b", r"\bmust\b")
"""A rule so plain that words of status in it ("before you say it is done") are part of it."""

REASON = _rx(
    r"\b(?:because|since|due to|so that|so the|so it|otherwise|therefore|hence|thus|which is why"
    r"|as (?:the|it|they|our)|in order to|that's why|depends? on|or else)\b",
    r", so\b|; \w+",
    r"\b(?:weil|damit|sonst|denn|wegen|deshalb|parce que|car|sinon|porque|ya que|para que)\b",
)
DECISION = _rx(
    r"\b(?:decided|decision|agreed|settled on|chose|opted|went with|moved (?:from|to|the|away)"
    r"|switched|standardi[sz]ed|instead of|rather than|in favou?r of|kept)\b",
    r"\b(?:entschieden|beschlossen|décidé|choisi|decidimos|elegimos)\b",
)
CONTRAST = _rx(
    r"\bnot\b|\bunlike\b|\brather than\b|\binstead\b|\bwhereas\b|\bwhile\b|\bbut\b|\bexcept\b"
    r"|\bnever\b|\bthough\b|\bno\b",
    r"\b(?:nicht|sondern|statt|pas|au lieu|pero|sino)\b",
)
CAUSE = _rx(
    r"\b(?:root )?cause\b|\bculprit\b|\bdue to\b|\b(?:came|comes) from\b|\bcaused by\b"
    r"|\bturn(?:s|ed) out\b|\bbecause\b|\bsince\b|\bthe (?:reason|bug|problem|issue) (?:is|was)\b",
    r"\b(?:ursache|grund|cause|causa)\b",
)
FIX = _rx(
    r"\bfailed with\b.*\b(?:fixed|worked|works|solved|had to)\b",
    r"\b(?:fixed|solved|works?|worked|helps?) (?:by|with|after|once|when)\b",
)
LIMIT = _rx(
    r"\b\d[\d.,]*\s?(?:%|ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?"
    r"|[kmgt]i?b|bytes?|px|hz|[kmg]hz|[kmg]bit|fps|requests?|times|rows|users|euros?|dollars?"
    r"|cents|attempts?|retries)\b",
    r"\b(?:limit(?:ed|s)?|caps?|capped|maximum|minimum|max|min|quota|budget|expires?)\b",
)
PLAN = _rx(
    r"\b(?:todo|fixme|remind(?:er)?|follow-?up|later|before (?:the|we|\w+ \d)|by (?:the )?(?:end"
    r"|\d{4}|monday|tuesday|wednesday|thursday|friday|next)|until|due|still (?:need|have|missing)"
    r"|we (?:need|have|plan|want|should)|need to|plan to|left open|open (?:question|point|in)"
    r"|undecided)\b",
)
WARNING = _rx(
    r"\b(?:careful|beware|heads up|caution|warning|gotcha|danger(?:ous)?|silently|by accident"
    r"|race condition|leaks?|corrupts?|breaks?|wipes?|destroys?)\b",
)

# --- what is of the moment

QUESTION = _rx(
    r"\?\s*[\"”’)]*$",
    r"^\W{0,3}(?:(?:and|so|but|ok|okay|hm+|well|hey|sorry|hi|please)\b[\s,]{1,3}){0,4}"
    r"(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|has|have|why|how|what|which"
    r"|who|where|when|any) (?:you|we|i|it|this|that|there|they|the|to|about|of|chance|idea|come)\b"
    r"(?![^,]*, )",
    r"^(?:kannst|können|könntest|warum|wieso|was|wie|est-ce|pourquoi|puedes|por qué|cómo)\b",
)
NARRATION = _rx(
    r"\b(?:let me|let'?s (?!never|always|use|not|keep|stick|only)|i'll|i will|i'm (?:going|now"
    r"|currently|still|about|making|getting|looking|working|trying)"
    r"|i am (?:going|now|currently|ready|still|about|looking|working)"
    r"|i'd like to|i can (?:see|now)|i see|i need to (?:look|check|see|find|read|understand)"
    r"|i was able|we can (?:now|then)|next up|first, i|here(?:'s| is| are) (?:what|the|a|my)"
    r"|now i|now let|going to|go ahead|get back to you|report back|be right back|brb)\b",
    r"^(?:looking|checking|reading|waiting|working|searching|running|starting|trying|analy[sz]ing"
    r"|investigating|examining|reviewing|updating|fixing|moving on|continuing) (?:at|into|for|on"
    r"|the|through|it|now|with|to|up)\b",
    r"\b(?:ich (?:schaue|mache|werde|prüfe|melde|kümmere)|lass mich|je vais|laisse-moi|voy a"
    r"|déjame)\b",
)
SOCIAL = _rx(
    r"\b(?:thanks|thank you|thx|sorry|apologi[sz]e|apologies|you're (?:right|welcome|absolutely)"
    r"|you were right|good (?:morning|evening|catch|point|job|idea|question|work|luck)|well done"
    r"|great (?:question|job|work|idea|point|catch)|nice (?:work|job|one|catch)|no (?:worries"
    r"|problem|rush)|sounds (?:good|great|like)|looks (?:good|great|nice|fine)|of course"
    r"|hello|hi there|hey|haha|lol|cool|awesome|perfect|excellent|wonderful|certainly|absolutely"
    r"|sure thing|got it|makes sense|happy to|glad|hope (?:you|this|that)|take your time|i trust"
    r"|well done|see you|my bad|congrat\w*|cheers|appreciate|honest(?:ly)?)\b",
    r"^(?:great|perfect|nice|cool|excellent|awesome|alright|all right|sure|hm+|interesting|wow)\b"
    r"(?=[\s,.!:-])",
    r"(?:^|\s)[:;]-?[)(d](?:\s|$)",
    r"\b(?:danke|vielen dank|bitteschön|super|alles klar|entschuldigung|merci|parfait|désolé"
    r"|gracias|perfecto|perdón|listo|avísame)\b",
)
OPENER = re.compile(
    r"^(?:(?:ok|okay|yes|yeah|yep|no|nope|nah|well|right|so|and|but|done)\b[\s,.:!-]*)+"
)
"""Words in front of a sentence that are neither talk nor part of what it says."""

STATUS = _rx(
    r"\b(?:tests?|checks?|builds?|everything|all|it|this|that|which|the [\w-]+(?: [\w-]+)?)\b"
    r"(?: \w+){0,3}? (?:pass(?:es|ed|ing)?|succeed(?:s|ed)|works? (?:again|now|fine|as|correctly"
    r"|well|like|properly|perfectly|great)|work(?:s|ed|ing)?[.!]?$|green|happy|cleaner|compiles"
    r"|(?:builds?|loads?|starts?|runs?|opens?|renders?) (?:again|fine|now|properly|correctly"
    r"|without)|is (?:now )?(?:finished|complete|done|ready|fine|gone|fixed)|are (?:now )?"
    r"(?:finished|complete|done|ready|fine|gone|fixed)|(?:is|are|still) running|went (?:through"
    r"|fine|well|smoothly)|looks? (?:good|fine|reasonable|great|correct)|good now|in progress"
    r"|(?:has|have) been (?:\w+ly )?(?:resolved|preserved|verified|deployed|merged|applied|fixed"
    r"|completed|updated|corrected|tested))\b",
    r"\b(?:works|working|fine|green|passing|good|clean|compiles|up|back|smooth|nicely|promising)"
    r" (?:now|again|as expected|correctly|properly|and running)\b|\bnow (?:works|passes|builds"
    r"|compiles|looks)\b",
    r"\b(?:succeeded|successfully|without (?:any )?(?:errors?|problems?|warnings?|issues?)"
    r"|no (?:errors?|changes (?:were|are)|issues|warnings)|all set|as requested|as you (?:asked"
    r"|wanted|said)|so far|good progress|nothing (?:left|else|more)|as expected|should be (?:fine"
    r"|working|good|ok|done)|should (?:now )?work|ready for|good to go)\b",
    r"\b\d+ (?:tests? )?(?:passed|passing|skipped|failed|failures|vulnerabilities)\b"
    r"|\b\d+\s?(?:%|percent) (?:complete|done|finished)\b|\b(?:epoch|step) \d+ of \d+\b",
    r"\b(?:fertig|funktioniert|läuft wieder|terminé|ça marche|funciona|ya (?:está|terminé))\b",
)
DONE_REPORT = _rx(
    r"^(?:also |then |and |so |now |ok,? |done[:,.]? )?(?:i |i've |i have |we |we've |have )?"
    r"(?:just |now |also |already |successfully )?"
    r"(?:added|bumped|changed|checked|cleaned|committed|completed|copied|corrected|created"
    r"|deleted|deployed|edited|executed|extended|extracted|finished|fixed|flashed|generated"
    r"|implemented|improved|installed|made|merged|modified|moved|opened|plotted|printed|pushed|ran"
    r"|read|rebased|refactored|released|removed|renamed|replaced|reran|restarted|reverted|rewrote"
    r"|saved|shortened|started|tested|tidied|uninstalled|updated|uploaded|verified|wrote)\b",
    r"\bi (?:have |'ve )?(?:\w+ly )?(?:ran|pushed|committed|updated|restarted|plotted|added|fixed"
    r"|saved|created|cleaned|implemented|completed|corrected)\b|\bi've\b|\bi have (?:\w+ly )?"
    r"(?:\w+ed|made|run|read|written)\b",
    r"^(?:the |this )?(?:query|file|command|script|run|job|build|upload|import|export|request|call"
    r"|search)\b[^,]{0,40}\b(?:returned|finished|was read|were read|took|printed|has \d+|have \d+"
    r"|exited|produced)\b",
)
MOMENT = _rx(
    r"\b(?:for now|right now|at the moment|today|tonight|this (?:session|morning|afternoon|time)"
    r"|in (?:a|ten|five|a few|a couple of) (?:minutes?|moments?|seconds?|while|bit)|yesterday"
    r"|just now|meanwhile|is (?:stuck|down|red|green)|since (?:ten|five|a couple|a few|an hour)"
    r"|lunch|coffee|weekend|next (?:step|ticket|one|task|item)"
    r"|later on|when (?:it|you|they) (?:is|are|have) (?:done|ready|finished))\b",
    r"\b(?:gerade|jetzt|heute|gleich|danach|nochmal|maintenant|aujourd'hui|ahora|hoy)\b",
)
STEPS = _rx(r"\bfirst\b.*\bthen\b", r",? (?:and )?then\b", r"\b1[.)] .*\b2[.)] ")
TRUISMS = re.compile(
    r"\b(?:clean(?:er)?|readable|readability|maintain(?:able)?|best practices?|good|better|quality"
    r"|careful(?:ly)?|proper(?:ly)?|meaningful|clear(?:ly)?|concise|complete|up to date|robust"
    r"|scalable|simple|elegant|professional(?:ly)?|correct(?:ly)?|important|everything|problems"
    r"|bugs|strong|secure|efficient|effective|think|understandable|well[- ](?:tested|documented"
    r"|structured|written)|consistent|reliable|modern|as possible|matters|ignore it|performant"
    r"|easy|high|appropriate|thorough(?:ly)?|details?)\b"
)
"""What nobody would deny. Two of them, and little else, make a truism."""

HEDGE = _rx(
    r"\b(?:might|maybe|perhaps|probably|possibly|i (?:think|guess|suspect|believe|assume)|not sure"
    r"|seems?|apparently|could (?:be|also)|it(?:'s| is) hard to (?:tell|say)|somehow"
    r"|i don't (?:know|really)"
    r"|no idea|looks like|what if|i wonder|or something)\b",
    r"\b(?:vielleicht|wahrscheinlich|peut-être|quizás)\b",
)
REQUEST = _rx(
    r"^(?:ok,? |okay,? |and |then |now |so |please |pls |bitte |hey,? |yes,? |nice,? |cool,? |can "
    r"you |could you |i want you to )*"
    r"(?:add|adjust|align|apply|build|bump|change|check|clean|comment|commit|compare|continue"
    r"|convert|copy|correct|count|create|debug|delete|describe|disable|double|draw|draft|enable"
    r"|explain|export|extend|find|fix|format|generate|give|go|have|hide|implement|import|increase"
    r"|insert|investigate|list|look|lower|make|merge|move|open|paste|plot|print|pull|push|put"
    r"|raise|read|redo|reduce|refactor|remove|rename|reorder|replace|rerun|reset|restart|revert"
    r"|rewrite|run|save|search|send|set|shorten|show|shrink|simplify|sort|split|start|stop"
    r"|summari[sz]e|swap|tell|test|toggle|translate|try|undo|update|upgrade|use|verify|wait|write"
    r"|benenne|füge|lösche|ändere|starte|zeige|ajoute|supprime|montre|añade|borra|cambia)\b",
    r"\b(?:please (?:do|go|continue|fix|correct|check|summari[sz]e|have|ignore|try)|paste me"
    r"|tell me|show me|let me know|give it a try|can you|could you)\b",
)
VAGUE = _rx(
    r"\b(?:something|some(?:how|where|what)?|anything|whatever|things?|stuff|a (?:bit|little|few)"
    r"|various|several|small|minor|nicer?|better|simpler|easier|cleaner|properly|in general"
    r"|where possible|the (?:other|second|first|last) (?:one|part)|expected|such|accordingly"
    r"|the way (?:that )?(?:we|it|i))\b",
)
LEANS = _rx(
    r"^(?:it|this|that|these|those|they|he|she|here|there|so|then|and|but|also|same)\b(?!'s "
    r"(?:important|never|always))",
)
OUTPUT = re.compile(
    r"^\W{0,3}\d{4}-\d\d-\d\d[t ]\d\d:\d\d|^\W{0,2}\[?(?:info|warn(?:ing)?|error|debug|trace"
    r"|fatal)\]?:? \S+: |^</?[a-z][\w-]*[ />]|^file \"[^\"]+\", line \d|^traceback \(most recent"
    r"|^\s*at [\w.$<>]+\([^)]*\)|^(?:return|def|class|const|let|var|import|from|function|public"
    r"|private|if|for|while|#include) [^.]*[;{:)\]]$|^[$>#%] \S|^\+{3} |^-{3} |^@@ "
)
"""A line of a log, a program, a diff or markup, which nobody said."""
