"""One sentence affirms what the other denies: use and don't use, enable and disable (002-24)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .conflict_reading import Item, Sentence, says_no
from .conflict_subjects import (
    ENOUGH,
    Found,
    is_conditional,
    is_named,
    jaccard,
    roots_of,
    same_thing,
    shown_of,
)
from .conflict_values import FAMILY_WORDS


def by_denial(new: Sentence, known: Sentence) -> Found | None:
    """Which words one affirms and the other denies of the same thing; None if there are none."""
    if new.lows[0] == "not" or known.lows[0] == "not":
        return None  # a piece of a sentence
    mine, theirs = new.claims, known.claims
    signs, other_signs = _signs(mine), _signs(theirs)
    shared = signs.keys() & other_signs.keys()
    opposed = {
        root
        for root in shared
        if signs[root] and other_signs[root] and not signs[root] & other_signs[root]
    }
    kinds = {item.stem: item for item in (*mine, *theirs)}
    if not opposed or _both_deny(mine, theirs, opposed):
        return None
    if all(kinds[root].weight < 1 and kinds[root].kind != "polar" for root in opposed) and (
        jaccard(mine, theirs) < ENOUGH
    ):
        return None
    if not _is_head_shared(mine, shared) or not _is_head_shared(theirs, shared):
        return None
    rest_mine = _rest(mine, opposed, shared, kinds)
    rest_theirs = _rest(theirs, opposed, shared, kinds)
    denying, affirming = rest_theirs, rest_mine
    if any(signs[root] == {-1} for root in opposed):
        denying, affirming = rest_mine, rest_theirs
    is_broader = not (roots_of(denying) - roots_of(affirming))  # what it denies, it denies at all
    is_partial = same_thing(rest_mine, rest_theirs, is_broader)
    core = _core(rest_mine, opposed) & _core(rest_theirs, opposed)
    if is_partial is None or not _is_telling(core, opposed, kinds, {*new.lows, *known.lows}):
        return None
    named = {root for root in opposed if is_named(kinds[root])}
    denies = any(signs[root] == {-1} for root in named)
    plain = {root for root in shared if kinds[root].kind != "polar"}
    return Found(
        said=_denial_shown(new, mine, opposed),
        other=_denial_shown(known, theirs, opposed),
        subject=shown_of(theirs, plain - (opposed if denies else set()))
        or shown_of(theirs, shared),
        is_value=False,
        is_partial=(is_partial and not _are_universal(new, known))
        or new.excepts
        or known.excepts
        or is_conditional(new, known),
        denies_known=denies,
    )


def _both_deny(mine: Sequence[Item], theirs: Sequence[Item], opposed: set[str]) -> bool:
    """Whether both say no, perhaps in different ways: "disable it", "it is off"."""
    kinds = {item.stem: item for item in (*mine, *theirs)}
    acts = {item.stem for item in (*mine, *theirs) if item.is_act}
    polar = {root for root, item in kinds.items() if item.kind == "polar"}
    signs, other_signs = _signs(mine), _signs(theirs)
    both = {root for root in signs if signs[root] == {-1} == other_signs.get(root)}
    return bool(both - polar) or (not polar & opposed and bool(both & acts))


def _is_telling(
    core: set[str], opposed: set[str], kinds: Mapping[str, Item], lows: set[str]
) -> bool:
    """Whether enough is shared to be a subject: one plain word, as in "no table", is none."""
    telling = [root for root in core if kinds[root].weight == 1 and kinds[root].kind != "polar"]
    if len(telling) != 1 or "no" not in lows:
        return bool(telling)
    return any(is_named(kinds[root]) or kinds[root].kind == "polar" for root in opposed)


def _core(items: Sequence[Item], opposed: set[str]) -> set[str]:
    """What a sentence is about, and not merely where it holds; all of it if it says no more."""
    core = [
        item for item in items if item.part == "main" or (item.stem in opposed and is_named(item))
    ]
    if not any(item.weight == 1 and item.kind != "polar" for item in core):
        core = list(items)
    return {item.stem for item in core}


def _is_head_shared(items: Sequence[Item], shared: set[str]) -> bool:
    """Whether the first word under each denial is in both: "never covers the row" needs covers."""
    before = 1
    for item in items:
        if item.sign < 0 and before >= 0 and item.weight == 1 and item.kind != "polar":
            if item.stem in shared:
                return True
            before = -1
        elif item.sign > 0:
            before = 1
    return all(item.sign >= 0 or item.kind == "polar" or item.weight < 1 for item in items)


def _rest(
    items: Sequence[Item], opposed: set[str], shared: set[str], kinds: Mapping[str, Item]
) -> list[Item]:
    """`items` without what the opposing tools imply, and without what is named in their place:
    "not pip but uv", "never in localStorage but in a cookie".
    """
    families = {family for root in opposed for family in kinds[root].families}
    implied = {word for family in families for word in FAMILY_WORDS[family]}
    denied = [
        at
        for at, item in enumerate(items)
        if item.sign < 0 and item.stem in opposed and (item.kind != "polar" or item.is_act)
    ]
    end = denied[-1] if denied else len(items)
    return [
        item
        for at, item in enumerate(items)
        if item.stem not in implied
        and (item.stem in opposed or not item.families & families)
        and (at <= end or item.sign < 0 or item.stem in shared)
    ]


def _are_universal(new: Sentence, known: Sentence) -> bool:
    """Whether one says always and the other never: then there is no other case."""
    lows = {*new.lows, *known.lows}
    return {"always", "never"} <= lows


def _signs(items: Iterable[Item]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for item in items:
        found.setdefault(item.stem, set())
        if item.sign:
            found[item.stem].add(item.sign)
    return found


_DENIERS = ("never", "not", "no", "without", "avoid")


def _denial_shown(sentence: Sentence, items: Sequence[Item], opposed: set[str]) -> str:
    """The opposing words as that sentence has them: "never tabs", "disable", "pip"."""
    mine = [item for item in items if item.stem in opposed]
    polar = [item for item in mine if item.kind == "polar"]
    if polar:
        denied = (polar[0].sign < 0) != says_no(polar[0])
        return ("not " if denied else "") + polar[0].shown.lower()
    shown = " ".join(dict.fromkeys(item.shown for item in mine[:4]))
    if any(item.sign < 0 for item in mine):
        word = next((low for low in sentence.lows if low in _DENIERS), "not")
        return f"{word} {shown}"
    return f"always {shown}" if "always" in sentence.lows else shown
