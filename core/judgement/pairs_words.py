"""The closed classes that reading a pair of notes needs: denials, opposites, small words, endings.

Nothing here knows a tool, a synonym or an opposite; what words are worth is fitted. English,
German, Spanish and French, the languages of the labelled pairs.
"""

from __future__ import annotations

from functools import lru_cache

DENIALS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot"
    " nicht kein keine keinen keiner keinem nie niemals nichts ohne"
    " sin nunca jamás ningún ninguna nadie aucun aucune jamais sans ne pas non".split()
)

OPPOSITES = {
    word: (axis, side)
    for axis, sides in enumerate(
        (
            ("always immer siempre toujours", "never nie niemals nunca jamás jamais"),
            ("before vor vorher bevor antes avant", "after nach nachdem después après"),
            ("on enable enabled enables", "off disable disabled disables"),
            ("allow allowed allows permitted", "forbid forbidden forbids banned prohibited"),
            ("required mandatory must", "optional"),
            ("include included includes including", "exclude excluded excludes excluding"),
            ("least minimum minimal min mindestens", "most maximum maximal max höchstens"),
            ("more mehr más", "less fewer weniger menos moins"),
            ("above über", "below under unter"),
            ("increase increased increases", "decrease decreased decreases"),
            ("first erst primero", "last zuletzt último"),
            ("newer newest", "older oldest"),
            ("inside within innerhalb", "outside außerhalb"),
            ("public", "private"),
            ("true", "false"),
            ("with mit con avec", "without ohne sin sans"),
            ("all every each both alle todos", "only nur sólo"),
        )
    )
    for side, words in enumerate(sides)
    for word in words.split()
}
"""Closed-class words that turn a sentence round -> what they speak of, and which end of it."""

STOPS = frozenset(
    "a an the of to in on at by for with from as is are was were be been being it its this that"
    " these those and or we our us you your i my they their them he she his her who which what when"
    " where there here do does did has have had will would can could may might shall should must"
    " then than so if into out up over off about after before until since via per one own just also"
    " too very most more it's let let's get gets got go goes"
    " der die das den dem des ein eine einen einem einer und oder ist sind war wird werden wir uns"
    " zu im am auf mit von für bei als es sie er man sich dass"
    " el la los las un una de del en y o se son que por para con al lo le les du et est sont dans"
    " sur pour par au aux nous qui il elle ce cette".split()
)

PLAIN = (
    "only all any every each both always ever some several many no not never none nobody nothing"
    " without cannot must may can should might allowed forbidden banned required optional needed"
    " need prefer avoid instead rather but except unless anymore longer more still yet already now"
    " since until before after then first last again old new was were used default own same other"
    " another also than least most maximum minimum limit up under over above below and or even just"
    " enough because so too nicht kein nur jetzt mehr no sin ya sólo ne pas plus que"
).split()
"""Words of closed classes: which of them stand in one note, or in both, is a sign."""

PREPOSITIONS = frozenset(
    "in on at for of under within during from by to via with per before after until since inside"
    " outside beside im bei für auf en de para pour dans sur sous".split()
)

LANGUAGES = {
    "en": "the and is are of to for with not must from that this by be when only we on as it at no",
    "de": "der die das und ist sind nicht mit auf für wird werden wir ein eine im zu den kein nur",
    "es": "el la los las y es son no con para por una un se del que en al sin solo desde cuando",
    "fr": "le la les et est sont pas avec pour par une un dans des du que sur sans plus ne quand",
    "pt": "o os as e é são não com para por uma um no na do da que em sem ao se mais quando",
}
"""Language -> words by which a text of it is known."""

BREAKS = frozenset("because since so but weil denn aber porque pero car mais".split())
"""Words that begin a clause."""

_ENDINGS = tuple(
    (ending, instead)
    for instead, endings in {
        "y": "ies",
        "ss": "sses",
        "at": "ations ation",
        "er": "ers",
        "": "ings ing edly ed es ly s e",
    }.items()
    for ending in endings.split()
)


@lru_cache(maxsize=8192)
def root_of(word: str) -> str:
    """The word without its ending, roughly."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.rstrip("e") if len(word) > 4 else word
