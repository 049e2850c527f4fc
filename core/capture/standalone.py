"""Does a sentence say what it is about, a month later and on its own?

A sentence that leans on the one before it ("It must stay so.") is joined with that one or
refused. A bare noun ("keys") takes the fuller name that the session used before
("Idempotency-Key"), if it used only one.
"""

from __future__ import annotations

import re

from .prose import Sentence
from .subjects import PROGRAMS, words

_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yep|yeah|yup|sure|right|great|good|nice|cool|perfect|thanks|thank you|"
    r"hm+|hey|hi|hello|well|oh|ah|look|listen|fine|done|fixed|all done|sorry|p\.?s\.?|summary|"
    r"tl;?dr|alright|agreed|exactly|(?:one|two) (?:more )?things?|another thing|last thing|"
    r"and another one)\b\s*(?:[,.!:;—–-]|\s-)+\s*"
    r"|(?:yes|yep|yeah|ok(?:ay)?) (?=(?:keep|use|leave|store|put|always|never|we|the)\b)"
    r"|(?:also|and|but|so(?! that\b)|then|plus|please|pls|btw|by the way|one (?:more )?thing:?|"
    r"again|anyway|finally|additionally|however|therefore|in short|to be clear|oh and|oh,? also|"
    r"just so you know|first of all)"
    r"\b[,:]?\s+)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^(?:this|that|these|those|it|its|it's|that's|they|them|their|he|she|there|here|such|"
    r"otherwise|both|neither|which|the (?:latter|former|same|other)|same|instead|doing so|"
    r"as (?:above|before|said))\b",
    re.IGNORECASE,
)
_KNOWN_THIS = re.compile(
    r"\b(?:this|that) (?:repo(?:sitory)?|project|code ?base|team|company|machine|package|monorepo|"
    r"app|service)\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"\b(?:this|these|those) (?!(?:repo|project|code ?base|team|company|machine|package|monorepo|"
    r"app\b|service|is\b|are\b|was\b|were\b|means?\b|has\b|have\b|must\b|should\b|will\b|can\b))\w+"
    r"|\bthat (?:one|pr|file|function|test|branch|line|method|class|way|thing|issue|bug|commit|"
    r"change|error|code|part|case|script|command|again)\b"
    r"|\b(?:old|new|other|first|second|last|same|previous|right|wrong|latter) ones?\b"
    r"|\bthe (?:other|same) (?:way|thing)\b|\b(?:above|below)\b(?! (?:the limit|zero|\d))"
    r"|\bas (?:before|usual|discussed|said)\b|\blike (?:this|that|so)\b|\bover there\b|\b(?:right|"
    r"in|over) here\b"
    r"|\boptions? [a-z0-9]\b|\b(?:your|the) (?:suggestion|proposal|(?:first|second|"
    r"last) (?:option|approach|variant|version))\b",
    re.IGNORECASE,
)
_CLAUSE_THAT = re.compile(
    r"\b(?:that|this|it)(?= (?:the|a|an|we|our|all|no|every|each)\b)", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:it|them|they|this|that|those|these)\b(?!['’]s (?:ok|fine))", re.IGNORECASE
)
_EMPTY_IT = re.compile(
    r"\bit (?:turn(?:s|ed) out|seems|takes|makes sense|(?:is|'s|was) (?:important|necessary|"
    r"better|best|fine|ok|essential|critical|forbidden|not allowed))\b",
    re.IGNORECASE,
)
_ENDS = (".", "!", "?", "…", '."', ".”", ".)", "”)", "。", "！", "？", "」")
_SHOUTED = re.compile(r"!{2,}$")
_SPOKEN = re.compile(r"[^\W\d_]{2,}|`[^`]+`")
_WORD = re.compile(r"[\w·/.-]*\w[\w·/.-]*|`[^`]*`")
_NO_NOUN = words(
    """
    a an and always any are as at be before after because but by can could do does don't dont for
    from had has have if in into is just make never no not now of off on only or our out please run
    runs running should so stop sure than that the them then this to up use used uses using was we
    were when whenever will with would you your i my must keep put store remember avoid add commit
    push call write read let's also ever again all check ask change edit touch remove delete set get
    give take go try decided decision don t s ll ve re won let save pin place log cache retain
    install deploy publish mock label host serve name prefer choose pick fix create explain find
    implement list look make open print refactor rename replace rerun restart revert show tell test
    undo update verify
    """
)

_HEADS = words(
    """
    key token header table job field column queue event service client server cache session record
    row file migration test setting flag price order log message image worker limit timeout window
    rule endpoint import export report lock hash code value name label entry bucket topic schema
    request response retry template account customer tenant user invoice payment
    """
)
_HEAD = "|".join(f"{head}(?:s|es)?" for head in sorted(_HEADS))
_COMPOUNDS = (
    re.compile(rf"(?<![\w/.-])([A-Z][a-z]{{2,}}-[A-Z][a-z]{{1,}}) ({_HEAD})\b"),
    re.compile(rf"(?<![\w/.-])([A-Za-z]{{3,}})[-_]({_HEAD})\b(?![-/.(]\w)", re.IGNORECASE),
)
_BARE = re.compile(
    r"(^|\b(?:the|these|those|all|each|every|our|store|stores|keep|retain|save|put|cache|expire|"
    rf"for|of)\s)({_HEAD})\b",
    re.IGNORECASE,
)
_PREFIXES = words(
    """
    pre post non sub multi read write well low high full self long short real end per one two three
    new old last first next auto semi super cross inter intra built
    """
)


class Topics:
    """The compound names that the session has used so far, by their last word."""

    def __init__(self) -> None:
        self._modifiers: dict[str, dict[str, str]] = {}

    def learn(self, text: str) -> None:
        """Note the compounds in `text`: `idempotency_keys`, "Idempotency-Key header"."""
        pairs = (found.groups() for form in _COMPOUNDS for found in form.finditer(text))
        for modifier, head in pairs:
            if modifier.lower() in _PREFIXES:
                continue
            shown = modifier if "-" in modifier or modifier.isupper() else modifier.lower()
            self._modifiers.setdefault(_singular(head), {}).setdefault(shown.lower(), shown)

    def expand(self, text: str) -> str:
        """`text` with its first bare noun under its full name, if just one is known."""
        found = _BARE.search(text)
        if not found:
            return text
        known = self._modifiers.get(_singular(found[2]), {})
        if len(known) != 1:
            return text
        ((plain, shown),) = known.items()
        if plain.split("-")[0] in text.lower():
            return text
        head = found[2] if found[1] else found[2].lower()
        named = f"{shown} {head.lower()}" if found[1] else capital(f"{shown} {head}")
        return text[: found.start(2)] + named + text[found.end() :]


def without_filler(text: str) -> str:
    """`text` without "OK," "also" and the like in front."""
    while True:
        match = _FILLER.match(text)
        if not match or match.end() >= len(text):
            return text
        text = text[match.end() :]


def leans_back(masked: str) -> bool:
    """Whether the sentence cannot be understood without the one before it."""
    text = _KNOWN_THIS.sub("the project", masked.strip())
    if _POINTS_BACK.match(text) and not _EMPTY_IT.match(text):
        return True
    return points_elsewhere(text) or _has_loose_pronoun(text)


def points_elsewhere(masked: str) -> bool:
    """Whether it points at something only the session could show: "the other one", "above"."""
    return _DEICTIC.search(_KNOWN_THIS.sub("the project", masked)) is not None


def joined_with(before: Sentence | None, text: str) -> str | None:
    """`text` after the sentence before it, or None where that does not help."""
    if before is None or before.is_question:
        return None
    lead = without_filler(before.text)
    if leans_back(mask_of(before, lead)) or len(lead.split()) < 3 or len(lead) + len(text) > 480:
        return None
    return f"{finished(lead)} {capital(text)}"


def has_words(text: str) -> bool:
    """Whether `text` is more than a single word and punctuation."""
    return len(_SPOKEN.findall(text)) >= 2


def mask_of(sentence: Sentence, tail: str) -> str:
    """The masked form of `tail`, which ends `sentence`."""
    return sentence.masked[len(sentence.masked) - len(tail) :] if tail else ""


def finished(text: str) -> str:
    """`text` with a capital in front and a full stop at its end."""
    text = _SHOUTED.sub("!", capital(text.strip().rstrip(" ,;:—–-")))
    return text if text.endswith(_ENDS) else f"{text}."


def _has_loose_pronoun(text: str) -> bool:
    """Whether a pronoun comes before anything it could stand for."""
    text = _CLAUSE_THAT.sub("···", _EMPTY_IT.sub("···", text))
    for pronoun in _PRONOUN.finditer(text):
        if pronoun[0].lower() in ("that", "this") and re.match(r"\s+\w", text[pronoun.end() :]):
            continue  # "the job that runs at night"; "this week" is judged elsewhere
        words = (w.lower() for w in _WORD.findall(text[: pronoun.start()]))
        return not any(w not in _NO_NOUN and not w.endswith("ly") for w in words)
    return False


def _singular(noun: str) -> str:
    noun = noun.lower()
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("shes", "xes")) else noun.removesuffix("s")


def capital(text: str) -> str:
    """`text` with a capital in front, unless a name begins it."""
    return text[:1].upper() + text[1:] if text[:1].isalpha() and not _is_name(text) else text


def _is_name(text: str) -> bool:
    """Whether it starts with a name written small on purpose: a file, a function, a program."""
    first = text.split(" ", 1)[0]
    return first in PROGRAMS or (any(c in first for c in "_/.(=") and not first.endswith("."))
