"""How people and agents begin to correct, by kind: English, German, Spanish.

A cue alone corrects nothing: what it corrects must be found beside it (`corrections`). Patterns
look at a sentence with code and quotations masked; "~" stands for a space.
"""

from __future__ import annotations

import re

_GAP = r"[\s,.!:;…—–-]*"


def _any(*words: str) -> str:
    return "(?:" + "|".join(words).replace("~", r"\s") + ")"


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FROM_NOW_ON = _any(
    "from~now~on|from~today~on",
    "ab~(?:jetzt|sofort|heute)|von~nun~an|künftig",
    "(?:a~partir~de|de)~(?:ahora|hoy)(?:~en~adelante)?",
)

FILLER = _rx(
    "^(?:"
    + _any(
        "ok|okay|oh|ah|hm+|well|and|so|but|wait|hold~on|stop|sorry|please|yes|hey",
        "also|aber|und|ach|na|halt|warte|moment|bitte|ja",
        "pero|y|bueno|espera|perdón|perdona|por~favor",
    )
    + rf"\b{_GAP})+(?=\S)"
)
"""Stands before a cue and means nothing."""

DENIES = _rx(
    "^"
    + _any(
        r"(?:no+|nope|nah|nein|nee)(?=\s*[,.!:;…—–-]|$|~(?:that|this|it|we|i|you|the|das|wir)\b)",
        r"(?:(?:that|this|it)(?:'s|~is|~was)|you(?:'re|~are))~(?:\w+ly~|just~|all~)?"
        "(?:wrong|false|incorrect|nonsense|mistaken|guessing|made~up|making~(?:it|that|this)~up"
        "|not~(?:true|right|correct|so|it|(?:the|a)~(?:case|cause|reason|problem)"
        r"|what~(?:we|i)~\w+))\b",
        r"(?:wrong|incorrect|false|not~true|nonsense|you~made~(?:that|this|it)~up)\b",
        r"(?:we|i)~never~(?:decided|agreed|said|chose|asked)(?:~(?:anything|that|this|it|so))?"
        r"(?:~of~the~kind)?|nobody~(?:decided|said|agreed)(?:~(?:that|so))?\b",
        r"(?:please~)?(?:revert|undo)~(?:that|this|it)\b",
        r"(?:das~)?(?:stimmt~(?:so~)?nicht|ist~(?:falsch|nicht~(?:wahr|richtig)))|falsch\b",
        "(?:eso~)?(?:no~es~(?:así|cierto|verdad|correcto)|es~(?:falso|mentira|incorrecto)|está~mal)",
        r"(?:incorrecto|falso)\b",
    )
    + rf"{_GAP}(?:please|bitte|por\sfavor)?[.!]*"
)
"""What the other one said is not so."""

TAKES_BACK = _rx(
    "^"
    + _any(
        r"(?:scratch|strike|forget|ignore|disregard)~(?:that|this|it|what~i~(?:just~)?\w+)",
        "i~(?:was|am|got~(?:that|it|this))~(?:wrong|mistaken)(?:~(?:here|there|earlier|before))?",
        "my~(?:mistake|bad|error)|(?:small~|one~)?correction(?=~*[:,—–-])",
        "i~(?:take~(?:that|it)~back|misspoke|misread~(?:that|it)|stand~corrected|meant)",
        r"my~(?:earlier|previous|first|initial)~\w+(?:~\w+)?~was~(?:wrong|incorrect|mistaken)",
        "on~second~thought",
        "ich~(?:lag|liege)~(?:da~)?falsch|ich~habe?~mich~(?:geirrt|vertan)|mein~fehler",
        "vergiss~(?:das|es)|korrektur(?=~*[:,—–-])|ich~meinte|doch~nicht",
        "me~equivoqué|estaba~equivocad[oa]|mi~error|olvida~(?:eso|lo~que~dije)",
        "corrección(?=~*[:,—–-])|quise~decir|rectifico",
    )
    + rf"\b{_GAP}"
)
"""The speaker takes their own word back."""

_OVER = _any(
    "no~longer~(?:holds?|appl(?:y|ies)|counts?|stands?)",
    "(?:does~not|doesn't|do~not|don't)~(?:hold|apply|count|stand)~(?:any~?more|any~longer)",
    "(?:is|are)~(?:no~longer|not)~(?:true|valid|so|the~case|current)(?:~any~?more)?",
    "(?:is|are)~(?:now~)?(?:obsolete|outdated|out~of~date|superseded|revoked|overturned)(?:~now)?",
    "(?:gilt|gelten|stimmt|stimmen|zählt)~(?:so~)?nicht~(?:mehr|länger)",
    "(?:ist|sind)~(?:überholt|hinfällig|veraltet|nicht~mehr~(?:gültig|aktuell|so))",
    "ya~no~(?:vale|es~así|se~aplica|aplica|rige|cuenta)|(?:está|queda)~(?:obsolet[oa]|superad[oa])",
)

REVOKES_BEFORE = _rx(
    "^(?:"
    + _any(
        rf"(?:(?:that|this|it|the~following|das|dies(?:es)?|folgendes|es|eso|esto)~)?{_OVER}",
        "not~(?:any~?more|any~longer)|no~longer(?:~(?:true|valid|so|the~case))?|nicht~mehr|ya~no",
        "(?:now~)?(?:obsolete|outdated|out~of~date|superseded|revoked|overturned)|überholt"
        "|hinfällig|veraltet",
        "(?:please~)?(?:forget|drop|ignore|disregard|revoke|scratch|strike)~(?:this|that|it)",
        "(?:bitte~)?vergiss~(?:das|dies)|olvida~(?:esto|eso)",
    )
    + r"\s*(?::|\s[–—-]+\s)|"
    + _any(
        "(?:please~)?(?:forget|drop|ignore|disregard|revoke)~the~(?:rule|decision|note|convention"
        "|policy)~that",
        "it~is~(?:no~longer~(?:true|so|the~case)|not~(?:true|so|the~case)~any~?more)~that",
        "(?:die~regel|die~entscheidung)~gilt~nicht~mehr,~dass|ya~no~(?:vale|rige)~que",
    )
    + r"\b)[\s,]*"
)
"""Stands before a statement that holds no longer, which is said again."""

REVOKES_AFTER = _rx(
    r"[\s,;:—–-]+(?:(?:this|that|it|which|das|dies|eso|esto)~)?".replace("~", r"\s")
    + _OVER
    + r"[\s.!]*$"
)
"""The same behind it."""

CHANGES = _rx(
    "^"
    + _any(
        _FROM_NOW_ON,
        "actually|in~fact|rather|instead|now",
        "eigentlich|tatsächlich|stattdessen|lieber",
        "en~realidad|de~hecho|mejor|en~su~lugar",
    )
    + r"\b[\s,:—–-]*"
)
"""Another thing holds now."""

CHANGES_AT_END = _rx(
    r"[\s,;—–-]*\b"
    + _any(
        _FROM_NOW_ON,
        "instead|please|actually|then|after~all|thanks",
        "stattdessen|bitte|mejor|en~su~lugar|por~favor",
    )
    + r"[\s.!,;]*$"
)
"""The same at the end of a sentence, with courtesies."""

IS_CHANGE = _rx(
    r"\b"
    + _any(
        _FROM_NOW_ON,
        r"instead(?!~of)|after~all|no~longer|not~(?:any~?more|\S+~but)",
        r"(?:not|\w+n't)\b[^.;:!?]{1,80}?~any~?more",
        "stattdessen|nicht~mehr|sondern",
        "en~su~lugar|ya~no|sino",
    )
    + r"\b"
)
"""Says anywhere in a sentence that things changed."""

SETS = _rx(
    "^"
    + _any(
        "(?:let's~)?make~(?:it|that)|set~(?:it|that)~to|let's~(?:do|say|use|take)|use|take",
        "(?:it|that|they)(?:'s|~is|~are|~should~be|~must~be)",
        "(?:mach|nimm|setz)(?:~(?:es|das))?(?:~auf)?|es~(?:ist|sind)",
        r"(?:que~)?(?:sean?|son|es)|pon(?:lo)?(?:~en)?",
    )
    + r"\s+(?=\S)"
)
"""Puts a value in the place of another without saying of what: "make it 14"."""

DOUBTS = _rx(
    _any(
        r"\?\s*$",
        r"\b(?:maybe|perhaps|probably|i~(?:think|guess)|not~sure|might|wonder(?:ing)?|what~if)\b",
        r"\b(?:vielleicht|wahrscheinlich|ich~glaube|quizás?|tal~vez|creo)\b",
        r"^(?:if|unless|imagine|suppose|wenn|falls|si)\b",
        r"^(?:does|do(?!~not|n't)|did|is|are|can|could|should|would|will|shall|why|what|how|which"
        r"|where|when|who|warum|wie|wann|wo|kannst|qué|cómo|por~qué|cuál)\b",
        r"(?:^|\s)/s\b|\b(?:yeah,?~right|oh~sure|sure,~because|na~klar|claro~que~sí,)",
        "🙄|🙃|😏",
    )
)
"""A question, a guess, a case that is only supposed, or the very opposite of what is meant."""

BUT = _rx(r"\b(?:but|aber|pero)\b")
"""What follows is granted."""

POINTS = _rx(r"^(?:it|this|that|they|those|these|he|she|es|das|sie|eso|esto|esa?)\b")
"""Begins with what only the sentence before it names."""
