"""What a statement is about, as a noun phrase, and what else it touches (000-11)."""

from __future__ import annotations

import os
import re

from ...text.sentences import masked_quotes
from .rules import rx
from .subjects import files_in, tags_in, unique, words
from .wording import without_filler

MAX_CONCEPT = 60  # characters
MAX_RELATED = 8
_MAX_WORDS = 4  # of a phrase
_LOOKS_AT = 300  # characters

_PLACE = rx(
    r"^(?:in|on|for|at|with|when|if|under|before|after|whenever|every\ time|from\ now\ on|"
    r"as\ a\ rule|by\ default)\b[^,]{0,60},\s*"
)
_FIXED = rx(
    r"^(?:todo\ left\ open:\s*|it\ (?:turns\ out|is\ \w+)\ (?:that|to)\ |"
    r"we\ (?:decided|agreed|chose|settled|opted)\ (?:to|on|that|for|against)\s|"
    r"(?:i|we)\ (?:really\ |much\ |strongly\ )?(?:prefer|like|love|hate|dislike|want|use|keep|run|"
    r"deploy|host|ship|store|need|plan|must|have)\ (?:to\ )?|"
    r"(?:don't|do\ not|please|always|never|only|let's|make\ sure|ensure|must\ not|avoid|stop)\s)+"
)
_TOKEN = re.compile(r"`[^`\n]{1,60}`|[^\W_][\w·./'-]*\w|[^\W_]|[,;:()“”\"—–!?.]")
_ARTICLES = words(
    """
    the a an our this that these those all every each any no your my their its two three four some
    several both
    """
)
_STOPS = words(
    """
    , ; : ( ) “ ” " — – ! ? . and or but nor is are was were be been being am has have had do does
    did can could may might must shall should will would cannot can't isn't aren't don't doesn't
    didn't won't of in on at to from by with without for as into onto over under above below
    between through during until till before after since because so that which who whose when
    where while if than then not never always only also just now still again instead rather per via
    against about around across within outside inside there here it they we you i he she this once
    """
)
_VERBS = words(
    """
    live lives run runs need needs use uses require requires expect expects allow allows accept
    accepts support supports handle handles take takes cost costs deploy deploys belong belongs go
    goes come comes return returns fail fails crash crashes break breaks read reads write writes
    store stores keep keeps send sends get gets give gives make makes hold holds talk talks listen
    listens depend depends start starts stop stops expire expires reset resets contain contains
    honours honors rejects supports failed worked lies lie stay stays sits changes becomes became
    retry retries
    """
)
_DOING = words(
    """
    use run store keep put prefer choose pick pin target name write place save log cache retain
    install deploy publish mock label host serve add fix change check create make open remove rename
    replace restart revert update push commit call read set get give avoid ask edit touch delete
    build test treat format document answer reply seed migrate move switch split drop cap limit
    wait import export merge rebase force stream validate escape wrap return raise handle start
    rotate rate-limit ship adopt enable disable bump regenerate register follow remind upgrade
    """
)
_DOMAIN = rx(
    r"\b(?:customers?|tenants?|patients?|orders?|invoices?|"
    r"payments?|billing|tax(?:es)?|vat|gdpr|hipaa|law|legal|contracts?|sla|regulat\w+|audit\w*|"
    r"suppliers?|vendors?|prices?|amounts?|currenc(?:y|ies)|refunds?|subscriptions?|shipments?|"
    r"warehouses?|bookings?|accounts?\ payable|ledger|insur\w+|finance|marketing|sales)\b"
)
_CONVENTION = rx(
    r"^(?:every|each|all)\b|\bby\ convention\b|\b(?:pattern|convention|idiom|naming)s?\b|"
    r"\b(?:are|is)\ (?:named|prefixed|suffixed)\b"
)


def concept_of(text: str) -> str:
    """The noun phrase that `text` is about, at most `MAX_CONCEPT` characters, never empty.

    The subject of a statement ("Amounts are stored …": amounts), the object of an instruction
    ("Never mock the billing service": billing service). Where no phrase can be told, the words
    that `text` begins with.
    """
    bare = without_filler(" ".join(text[:_LOOKS_AT].split()))
    masked = masked_quotes(bare).lower()
    start = 0
    for lead in (_PLACE, _FIXED):
        found = lead.match(masked[start:])
        if found and start + len(found[0]) < len(bare):
            start += len(found[0])
    phrase = _phrase(_TOKEN.findall(bare[start:]), is_whole=start == 0)
    return phrase or " ".join(bare.split()[:6])[:MAX_CONCEPT].rstrip(" .,;:") or "statement"


def related_concepts(text: str, concept: str, root: str | None = None) -> tuple[str, ...]:
    """What else `text` names: technologies, files by their name, code; at most `MAX_RELATED`."""
    code = (name.strip("`()") for name in re.findall(r"`[^`\s]{2,40}`", text))
    files = (os.path.basename(path) for path in files_in(text, root))
    named = unique([*tags_in(text), *files, *code])
    known = concept.lower()
    return tuple(name for name in named if name.lower() not in known)[:MAX_RELATED]


def nature_of(text: str, nature: str) -> str:
    """semantic.category: a fact that tells how all of a kind are made is a pattern, one about
    the business rather than the code is domain knowledge; what a rule says otherwise stays."""
    if nature != "fact":
        return nature
    if _CONVENTION.search(text):
        return "pattern"
    is_code = any(mark in text for mark in ("`", "()", "_", "/"))
    return "domain_knowledge" if _DOMAIN.search(text) and not is_code else "fact"


def _phrase(tokens: list[str], *, is_whole: bool) -> str:
    """The first run of words that can be one noun phrase; "" where there is none.

    `is_whole` says that the tokens begin a sentence, whose capital is no name's.
    """
    run: list[str] = []
    verb = ""  # of an instruction, while nothing follows it
    for place, token in enumerate(tokens[:40]):
        small = token.lower()
        if token.startswith("`"):
            if run:
                break
            return token.strip("`").removesuffix("()")[:MAX_CONCEPT]
        if not run:
            if small in _DOING and not verb:
                verb = small
                continue
            if small in _ARTICLES:
                continue
            if small in _STOPS:
                if verb:
                    return verb  # "push without asking": there is no object
                continue
        elif small in _STOPS or small in _ARTICLES or small in _VERBS:
            break
        is_sentences = place == 0 and is_whole and token[1:] == token[1:].lower()
        run.append(small if is_sentences and len(token) > 1 else token)
        if len(run) == _MAX_WORDS:
            break
    return " ".join(run)[:MAX_CONCEPT].rstrip() or verb
