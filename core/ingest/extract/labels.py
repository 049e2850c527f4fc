"""What kind of thing a sentence is that is kept: by a handful of signs, in any language.

The signs are those of the score (`core/judgement/salience_features`). A statement of fact is no
preference, whoever made it, and an agent has none.
"""

from __future__ import annotations

from ...judgement.salience_features import signs_of
from ..kinds import category_of
from .rules import Rule
from .weights import importance_of

_NOT_AN_AGENTS = ("preference", "task_progress")
_BINDS = frozenset(("modal", "contrast"))
_DECIDES = frozenset(("modal", "universal", "contrast", "choice"))


def named(text: str, *, is_person: bool) -> Rule:
    """The name, category and nature of a sentence that the score admits.

    A person's is an `instruction` where it tells how something is to be done, else only `said`.
    The importance is the least that 003-02 gives such a thing, 0 where the score alone decides.
    """
    signs = signs_of(text)
    if not is_person:
        if "cause" in signs:
            return Rule("said", "discovery", "semantic", importance_of("cause"), nature="fact")
        category = category_of(text)
        if category == "decision":
            return Rule("said", category, "semantic", importance_of("decision"), nature="principle")
        return Rule("said", "discovery" if category in _NOT_AN_AGENTS else category, None, 0.0)
    lays_down = "orders" in signs or ("universal" in signs and bool(signs & _BINDS))
    if lays_down or "wants" in signs:
        category = "decision" if "choice" in signs else "preference"
        name = "instruction" if lays_down and "asks" not in signs else "said"
        return Rule(name, category, None, 0.0, nature="principle", tags=("instruction",))
    category = category_of(text)
    if category in ("preference", "discovery"):  # they tell what they decided, or how things are
        category = "decision" if signs & _DECIDES else "architecture"
    return Rule("said", category, None, 0.0)
