"""How a person lays something down for good: instructions, decisions, preferences, limits."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import (
    CHOICE,
    CONTRAST,
    LASTING_SUBJECT,
    NO_ONE,
    NO_TROUBLE,
    OBLIGED,
    ONE_THING,
    PLACE,
    REASON,
    UNIT,
)

INSTRUCTIONS: tuple[Rule, ...] = (
    Rule(
        "remember",
        rx(
            r"^(?:(?:can|could)\ you\ )?(?:remember|keep\ in\ mind|bear\ in\ mind|take\ note|note|"
            r"make\ a\ note|(?:do\ not|don't)\ forget|nb|reminder|for\ the\ records?|"
            r"for\ future\ reference|save\ to\ memory|(?:(?:another|one\ more|new|general|house|"
            r"ground|hard)\ )?(?:lessons?(?:\ learn(?:ed|t))?|rules?|polic(?:y|ies)|constraints?|"
            r"conventions?|guidelines?|principles?|requirements?)(?=\s?[:–—]))"
            r"(?:,?\ that\b|\s?[:,–—-]|(?=\ (?:we|our|the|all|every|each|to\ (?:always|never)|"
            r"always|never)\b))\s*(?:to\ (?=always\b|never\b))?"
            r"(?!(?:i|i'm|i've|you|it|this|that)\b(?!\ (?:want|prefer|need|like|must|should|is\ \w+"
            r"\ (?:to|that))\b))(?P<said>\S.*)$"
        ),
        "preference",
        None,
        0.85,
        0.95,
        "fact",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "remember-that",
        rx(
            r"^(?P<said>.{12,}?)\s?[,.;:(–—-]*\s*\b(?:please\ )?(?:remember|keep|bear|note)\ "
            r"(?:this|that|it)(?:\ in\ mind)?(?:\ (?:for\ (?:the\ future|next\ time|later)|"
            r"please))?[.!)]*$"
        ),
        "preference",
        None,
        0.85,
        0.95,
        "fact",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "remember-that",
        rx(
            r"^.{12,300}?[,.;:(–—-]\s*(?:and\ |so\ )?(?:please\ )?(?:remember|keep|bear|note)\ "
            r"(?:this|"
            r"that|it)(?:\ in\ mind)?,?\ (?:for|when|if|whenever|while|before|in|with|as|during)\ "
            r".{2,120}$"
        ),
        "preference",
        None,
        0.85,
        0.95,
        "fact",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "important",
        rx(
            r"^it(?:'s|\ is)\ (?:\w+\ )?(?:important|essential|critical|vital|crucial)\ (?:that|"
            r"to)\s(?P<said>\S.*)$"
        ),
        "preference",
        None,
        0.75,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "fyi",
        rx(
            r"^(?:heads\ up|fyi|important|psa|be\ aware|attention|warning|careful)(?:\ that|"
            r"\s?[:,–—-])\s*"
            r"(?!i\b|i'|we're\b)(?P<said>\S.*)$"
        ),
        "warning",
        "semantic",
        0.7,
        0.85,
        "fact",
        ("instruction",),
        needs_fact=True,
    ),
    Rule(
        "decision",
        rx(r"^(?:decision|decided|agreed|settled|adr)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "decision",
        "semantic",
        0.8,
        0.95,
        "principle",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "decision",
        rx(
            r"\b(?:we|i|the\ team|\w+)\s?(?:'ve|\ have|\ has|'re|\ are)?\s(?:all\s|already\s|"
            r"finally\s|both\s)?"
            r"(?:decided|agreed|settled\ on|chose|opted|standardi[sz]ed\ on|(?:went|going|"
            r"sticking)\ with|ruled\ out|moved\ (?:away\ )?(?:from|to)|switched\ to)\b"
            rf"(?=.*{REASON}|.*{CONTRAST}|(?:\s\S+){{5,}}|\s\S+(?:\s\S+)*\s(?:for|in|with|by|"
            r"at)\s\S+)"
        ),
        "decision",
        "semantic",
        0.8,
        0.9,
        "principle",
        ("decision",),
    ),
    Rule(
        "from-now-on",
        rx(
            r"\b(?:from\ now\ on|going\ forward|from\ here\ on|"
            r"in\ (?:the\ )?future(?:\ sessions)?|henceforth|every\ time|each\ time|(?:before|"
            r"after|with|on)\ (?:every|each)|whenever|as\ a\ rule|by\ default,|by\ convention|"
            r"our\ convention)\b"
            r"|^(?:please\ )?(?:ask|check\ with|consult|warn|tell|confirm\ with)(?:\s(?:me|"
            r"us)(?:\ first)?)?\s(?:before|when|if)\b(?!\ you\ need\b)"
            r"|^next\ time,?\ (?:please\ )?(?P<said>(?:ask|check|tell|use|run|do|don't|make|wait|"
            r"start|write|keep)\b.*)$"
            r"|^you\ (?:need|have)\ to\b.*\b(?:before|after|when|for)\b"
            r"|^(?:if|when)\s(?:an?|any|you\s(?:add|touch|write|change|create|edit|modify|"
            r"introduce|rename|delete|remove|run|use|need\ to|commit|push|"
            r"deploy))\s[^,]+,\s(?:then\ )?(?:always\s|please\s)?(?:mark|use|add|run|write|put|"
            r"update|ask|call|set|prefer|do|don't|register|bump|include|regenerate|rebuild)\b"
            r"|^(?:answer|reply|respond|speak|talk|write)(?:\ to\ me)?\ in\ (?:english|german|"
            r"french|spanish|italian|portuguese|dutch|polish|chinese|japanese|korean|russian)\b"
        ),
        "preference",
        None,
        0.85,
        0.9,
        "principle",
        ("instruction",),
    ),
    Rule(
        "always-never",
        rx(
            r"(?<!\bi\ )(?<!\byou\ )(?<!\bit\ )(?<!\bthey\ )(?<!\bthis\ )(?<!\bthat\ )(?<!\bhe\ )"
            r"(?<!\bshe\ )"
            r"(?<!\bhas\ )(?<!\bhave\ )(?<!\bhad\ )(?<!\bwas\ )(?<!\bis\ )(?<!\bare\ )"
            r"(?<!\bwere\ )(?<!'ve\ )"
            r"(?<!'s\ )(?<!\balmost\ )(?<!\bnot\ )(?<!\bas\ )(?<!\bdid\ )(?<!\bwhich\ )(?<!\bor\ )"
            r"\b(?:always|never)\b(?!\ \w+[^s\W]s\b)(?!\ (?:mind|happy|glad|good|nice|fun|welcome|"
            r"hard|easy|sure|been|worked|happened|finished|decided|agreed|said|asked|told|chose|"
            r"saw|knew|had|got|seen|ending|fails?|"
            r"gets?|returns?|shows?|crash(?:es)?|happens?)\b)"
            r"|,\ (?:they|it)\ (?:must\ )?never\b|\b(?:is|are)\ (?:always|never)\ (?:in|on|at|"
            r"from)\b|^never\ (?!mind\b)\w+|^let's\ (?:always|never)\b|\b(?:is|are)\ (?:always|"
            r"never)\ (?!(?:started|called|rendered|triggered|executed|reached|displayed|updated|"
            r"loaded|"
            r"fired|invoked|closed|opened|finished|shown|hit)[.!]*$)(?:\w{3,}ed|kept|written|run|"
            r"sent|read|built|set|"
            r"held|shown)\b"
            r"|^(?:the\ )?[\w-]+(?:\ [\w-]+){0,3}\ (?:is|are)\ always\ (?!(?:red|empty|broken|"
            r"wrong|slow|"
            r"late|on|off|null|none|the|reset|failing|missing|gone|down|stuck|there|here|a\ |an\ |"
            r"at|in|too|so|0|zero|\w+ed|\w+ing)\b)\w+"
        ),
        "preference",
        None,
        0.85,
        0.9,
        "principle",
        ("instruction",),
    ),
    Rule(
        "prohibition",
        rx(
            r"^(?:(?:in|for|on|when|before|after|with|inside|under|"
            r"outside)\b[^,]{2,80},\s*)?(?:we\ |you\ (?=must|should))?"
            r"(?:do\ not|should\ not|shouldn't|don't|dont|must\ not|mustn't|avoid|stop|no\ more|"
            r"quit|refrain\ from)\s"
            r"(?!(?:worry|bother|forget|mind|panic|know|think|care|see|understand|get|like|"
            r"hesitate|want|need|have|be|seem|remember|wait|stop|let|show|display|render|hide|"
            r"open|close|make\ sense|do\ (?:it|that|this|anything)|there|right|"
            r"break(?:ing)?\ (?:anything|things)|(?:it|that|this|them)\b)\b)\S+(?:\s+\S+){1,}"
            rf"|^{NO_ONE}.+?\b(?:is|are|has|have|lives?|runs?)\b.+?[,;:–—]\s(?:so\ |"
            r"and\ )?(?:please\ )?"
            r"(?:do\ not|don't|avoid|leave)\b(?!\ (?:it|them|that)[.!]?$)\s\S+"
            r"|\bleave\b.{3,}\balone\b|^no\s(?!(?:one|need|problem|idea|longer|more|matter|way|"
            r"rush|changes?|difference|errors?|results?|output|luck|progress|"
            r"worries)\b)\w+(?:\s\S+){0,3}?\s(?:in|on|without|inside|outside)\s\S+"
        ),
        "preference",
        None,
        0.8,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "contrast",
        rx(
            rf"^{PLACE}(?:let's\ |we\ (?:should\ |will\ |must\ )?|"
            rf"you\ should\ )?{CHOICE}\b{ONE_THING}.+?{CONTRAST}.*$"
        ),
        "decision",
        "semantic",
        0.75,
        0.85,
        "principle",
        ("decision",),
    ),
    Rule(
        "preference",
        rx(
            r"\b(?:(?:i|we)(?:\ (?:really|strongly|generally|usually|much|always|personally|"
            r"would))?\ prefer|(?:i|we)(?:'d|\ would)\ (?:much\ )?rather\b(?!\ not\b)|"
            r"my\ preference\ is|i\ (?:like|love)\ .+\ (?:better|more\ than|over)|i\ (?:hate|"
            r"dislike|can't\ stand|don't\ like)(?!\ (?:this|that|it|you|him|her|them)\b)|"
            r"i\ want\ (?:all|every|each|any)|(?:i|we)\ (?:don't|do\ not)\ want\ "
            r"(?!to\b|you\b|it\b|that\b))\b"
            r"|^prefer\s(?:\S+\s){1,5}?(?:over|to|instead\ of|rather\ than)\s\S+"
        ),
        "preference",
        "semantic",
        0.7,
        0.9,
        "principle",
        ("preference",),
    ),
    Rule(
        "reasoned-choice",
        rx(
            rf"^{PLACE}(?:let's\ |we\ (?:should\ |"
            rf"will\ )?)?{CHOICE}\b.{{8,}}?{REASON}\s?\w+\s\S+.*$"
        ),
        "decision",
        "semantic",
        0.75,
        0.85,
        "principle",
        ("decision",),
    ),
    Rule(
        "choice",
        rx(
            rf"^{PLACE}(?:use|prefer|stick\ (?:with|to)|go\ with|choose)\s(?:\S+\s){{0,3}}?"
            r"(?-i:[A-Z][\w.-]+|`[^`]+`)(?:\s\S+){0,3}?\sfor\s(?!(?:now|this|that|it|me|"
            r"the\ (?:moment|call|first))\b)\S+"
            r"|^(?:please\ )?(?:use|prefer)\s(?:\S+\s){1,4}?for\s(?:anything|everything|all|"
            r"every|each|any)\b\s\S+"
        ),
        "decision",
        "semantic",
        0.6,
        0.7,
        "principle",
        ("decision",),
    ),
    Rule(
        "style",
        rx(
            r"^treat\s\S+.*\sas\s\S+|^(?:write|format|name|document|structure|phrase|"
            r"keep)\s(?:all\s)?(?:\w+\s){0,2}?(?:docstrings|commit\ messages|commits|comments|"
            r"tests|variables|functions|methods|classes|modules|branches|prs|pull\ requests|"
            r"error\ messages|changelogs?)\b(?!\ for\b)(?:\s\S+){2,}"
        ),
        "preference",
        "semantic",
        0.7,
        0.8,
        "principle",
        ("instruction",),
    ),
    Rule(
        "how-to",
        rx(
            r"^to\ (?!(?:be|reproduce|see|verify|check|test|try|recap|answer)\b)"
            r"\w+[^,:]{3,80}[,:]\s(?:first\ |always\ |you\ (?:have\ to\ |need\ to\ |must\ )?)?"
            r"(?:run|use|call|execute|start|stop|type|open|restart)\b\s\S+(?:\s\S+)*"
        ),
        "pattern",
        None,
        0.75,
        0.85,
        "pattern",
        ("instruction",),
        needs_fact=True,
    ),
    Rule(
        "consequence",
        rx(
            rf"^{NO_ONE}.+,\sso\s(?:always\s|please\s)?(?:keep|use|avoid|never|don't|do\ not|"
            r"prefer|put|store|set)\s"
            r"\S+(?:\s\S+){2,}"
        ),
        "preference",
        None,
        0.75,
        0.8,
        "principle",
        ("instruction",),
    ),
    Rule(
        "limit",
        rx(
            r"^(?:(?:let's|we\ (?:should|must)|(?:the|all|our)(?:\s\S+){0,4}\s(?:must|should|"
            r"may))\ )?"
            r"(?:only\ )?(?:keep|retain|limit|cap|expire|store|allow|restrict|cache|set|log|be|"
            r"take|last|stay)\b"
            r"(?=.*(?:\b(?:only|at\ most|at\ least|no\ more\ than|max(?:imum)?|up\ to|not\ more|"
            rf"less|fewer|under|minimum)\b|^(?:retain|limit|cap|expire))).*{UNIT}"
        ),
        "decision",
        "semantic",
        0.7,
        0.85,
        "principle",
        ("decision", "limit"),
    ),
    Rule(
        "must",
        rx(
            rf"^(?:(?:in|for|on|when|before|after|if|with)\b[^,]{{2,80}},\s*)?{NO_TROUBLE}{NO_ONE}"
            rf"(?:{LASTING_SUBJECT}\s{OBLIGED}\s\S+|"
            rf"(?:\S+\s){{0,8}}?{OBLIGED}\s\S+.*{REASON}\s?\S+)"
            rf"|^{NO_ONE}{LASTING_SUBJECT}\sshould\s.*{CONTRAST}"
            r"|^(?:all|every|each|any|new)\s\S+(?:\s\S+){0,4}?\s(?:needs?|requires?|gets?|"
            r"should)\s\S+"
            rf"|^only\s{CHOICE}\b(?:\s\S+){{3,}}"
        ),
        "preference",
        None,
        0.75,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "cannot",
        rx(
            r"^we\ (?:can't|cannot|can\ not|may\ not|are\ not\ allowed\ to|must|have\ to|"
            r"had\ to\ (?:pin|downgrade|disable|vendor|fork|patch|keep|use|avoid|drop|switch|"
            rf"work\ around))\b(?:\s\S+){{2,}}?{REASON}\s\S+"
        ),
        "warning",
        "semantic",
        0.7,
        0.85,
        "fact",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "make-sure",
        rx(
            r"^(?:always\ )?(?:make\ sure|ensure|be\ sure|take\ care)\b"
            r"(?=.*\b(?:always|every|each|all|any|before|whenever|never|after\ each|"
            r"when)\b)(?:\s\S+){4,}"
        ),
        "preference",
        None,
        0.7,
        0.75,
        "principle",
        ("instruction",),
    ),
)
