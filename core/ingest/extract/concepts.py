"""What a statement is about, as a noun phrase, and what else it touches."""

from __future__ import annotations

import os
import re

from ...judgement.signs import signs_of
from ...text.content import DENIALS, TURNS
from ...text.sentences import masked_quotes
from ...text.words import is_common, is_stop_word, is_trade
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
_TURNING = DENIALS | TURNS
_ARTICLES = words("the a an our your this that these all every any no")
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
    rest = bare[start:]
    is_order = "orders" in signs_of(bare) | signs_of(rest)
    phrase = _phrase(_TOKEN.findall(rest), is_order=is_order, is_whole=start == 0)
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


def _phrase(tokens: list[str], *, is_order: bool, is_whole: bool) -> str:
    """The first run of words that can be one noun phrase; "" where there is none.

    `is_order` says that the first one is a verb, `is_whole` that they begin a sentence, whose
    capital is no name's.
    """
    run: list[str] = []
    verb = ""
    for place, token in enumerate(tokens[:40]):
        small = token.lower()
        if token.startswith("`"):
            return " ".join(run) or token.strip("`").removesuffix("()")[:MAX_CONCEPT]
        is_plain = token[0].isalnum() and "'" not in token and small not in _TURNING
        is_plain = is_plain and not is_stop_word(small)
        if not is_plain or (run and is_common(small) and not is_trade(small)):
            if run or (verb and small not in _ARTICLES):
                break  # "push without asking": there is no object
        elif is_order and place == 0:
            verb = small
        else:
            is_sentences = place == 0 and is_whole and token[1:] == token[1:].lower()
            run.append(small if is_sentences and len(token) > 1 else token)
            if len(run) == _MAX_WORDS:
                break
    return " ".join(run)[:MAX_CONCEPT].rstrip() or verb
