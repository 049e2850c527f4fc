"""What kind of thing a sentence is that is kept: by a handful of signs, in any language.

The signs are those of the score (`core/judgement/salience`). A statement of fact is no
preference, whoever made it, and an agent has none. A request for one piece of work is a task of its
session; what lays down a rule says what must not be, or what holds always, never, only.
"""

from __future__ import annotations

import re

from ...judgement.signs import signs_of
from ...text.sentences import cut
from ..kinds import category_of
from .rules import CAUSE, DECISION, Rule

_NOT_AN_AGENTS = ("preference", "task_progress")
_PASSES = frozenset(("asks", "requests"))
_LIMIT = re.compile(
    r"""\b(?:never|always|ever|without|instead|rather\ than|default|nobody|nothing|nowhere
    |(?:may|should|shall)\ only|only\ (?:if|when|after)
    |immer|nie|niemals|kein\w*|nicht|ohne|statt|siempre|nunca|nadie|sin|toujours|jamais|sans
    |всегда|никогда|нельзя|без|не)\b
    |^\W*(?:only|nur|solo)\b
    |\b(?:do|must|should|may|shall)(?:n't|\ not)\b(?!\ (?:just|only|merely|know|think|have\ to)\b)
    |(?<=\w\ )no\ (?!idea\b|need\b|problem\b)\w
    |总是|永远|必须|一定要|不要|不能|不得|不可|禁止|一律|绝不
    |必ず|しない(?:で|こと)|てはいけない|てはならない|べきではない|絶対に|(?<!非)常に""",
    re.IGNORECASE | re.VERBOSE,
)
_TELLS = frozenset(("orders", "wants"))
_BINDS = frozenset(("modal", "contrast"))
_DECIDES = frozenset(("modal", "universal", "contrast", "choice"))
_REPORTS = frozenset(("trouble", "hedges"))


def named(text: str, *, is_person: bool) -> Rule:
    """The name, category and nature of a sentence that the score admits.

    The user's is an `instruction` if it holds a limit (never, always, only), else only `said`.
    The importance is the least for its kind, 0 where the score alone decides.
    """
    signs = signs_of(text)
    if not is_person:
        if "cause" in signs and "hedges" not in signs:  # what may be the cause explains nothing
            return Rule("said", "discovery", "semantic", CAUSE, nature="fact")
        category = category_of(text)
        if category == "decision":
            return Rule("said", category, "semantic", DECISION, nature="principle")
        if category == "error" and "reason" in signs:  # it failed because of that
            return Rule("said", category, None, CAUSE)
        return Rule("said", "discovery" if category in _NOT_AN_AGENTS else category, None, 0.0)
    name = "instruction" if any(map(holds_limit, (text, *cut(text)))) else "said"
    if signs & _TELLS or ("universal" in signs and signs & _BINDS):
        category = "decision" if "choice" in signs else "preference"
        return Rule(name, category, None, 0.0, nature="principle", tags=("instruction",))
    category = category_of(text)
    if category in ("preference", "discovery"):  # they tell what they decided, or how things are
        is_decided = bool(signs & _DECIDES) and not signs & _REPORTS
        category = "decision" if is_decided else "architecture"
    return Rule(name, category, None, 0.0)


def holds_limit(text: str) -> bool:
    """Return True if a sentence holds a word of limit and asks for no single piece of work."""
    return bool(_LIMIT.search(text.replace("’", "'"))) and not signs_of(text) & _PASSES
