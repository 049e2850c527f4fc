"""The closed classes that reading a pair of notes needs: numbers, units, denials, endings.

Nothing here knows a tool, a synonym or an opposite; what words are worth is fitted. English,
German, Spanish and French, the languages of the labelled pairs.
"""

from __future__ import annotations

from functools import lru_cache

NUMBERS = {
    word: float(value)
    for value, words in {
        0: "zero null cero zéro",
        1: "one once single eins uno",
        2: "two twice zwei dos deux",
        3: "three drei tres trois",
        4: "four vier cuatro quatre",
        5: "five fünf cinco cinq",
        6: "six sechs seis",
        7: "seven sieben siete sept",
        8: "eight acht ocho huit",
        9: "nine neun nueve neuf",
        10: "ten zehn diez dix",
        11: "eleven elf onze",
        12: "twelve dozen zwölf doce douze",
        14: "fourteen vierzehn catorce quatorze",
        15: "fifteen fünfzehn quince quinze",
        16: "sixteen sechzehn dieciséis seize",
        20: "twenty zwanzig veinte vingt",
        24: "twenty-four vierundzwanzig veinticuatro",
        30: "thirty dreißig treinta trente",
        40: "forty vierzig cuarenta quarante",
        50: "fifty fünfzig cincuenta cinquante",
        60: "sixty sechzig sesenta soixante",
        90: "ninety neunzig noventa",
        100: "hundred hundert cien cent",
        1000: "thousand tausend mil mille",
    }.items()
    for word in words.split()
}
"""Number words; "one" and its like are articles more often than numbers (`VAGUE`)."""

VAGUE = frozenset("one once single eins uno mil".split())

MULTIPLES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "k": 1e3}

UNITS = {
    word: (kind, size)
    for kind, sizes in {
        "time": {
            1e-3: "ms millisecond milliseconds millisekunden milisegundos millisecondes",
            1.0: "s sec secs second seconds sekunde sekunden segundo segundos seconde secondes",
            60.0: "m min mins minute minutes minuten minuto minutos",
            3600.0: "h hr hrs hour hours hourly stunde stunden hora horas heure heures",
            86400.0: "d day days daily nightly night tag tage tagen día días jour jours",
            604800.0: "w week weeks weekly woche wochen semana semanas semaine semaines",
            2592000.0: "month months monthly monat monate monaten mes meses mois",
            7776000.0: "quarter quarters quarterly quartal trimestre",
            31536000.0: "y yr year years yearly jahr jahre jahren año años ans",
        },
        "size": {
            1.0: "byte bytes",
            1e3: "kb kib kilobyte kilobytes ko",
            1e6: "mb mib megabyte megabytes mo",
            1e9: "gb gib gigabyte gigabytes go",
            1e12: "tb tib terabyte terabytes",
        },
        "share": {1.0: "% percent prozent"},
        "money": {1.0: "eur euro euros € $ usd dollars"},
    }.items()
    for size, words in sizes.items()
    for word in words.split()
}
"""Unit -> its kind and its size in the kind's base unit."""

SHORT_UNITS = frozenset("d m s h y w an go mo".split())
"""Units that are words or flags elsewhere: they count only right behind their number."""

RATES = frozenset("hourly daily nightly weekly monthly quarterly yearly".split())

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

CALENDAR = {
    word: (kind, float(number))
    for kind, rows in {
        "weekday": (
            "monday mondays mon montag montags lunes lundi",
            "tuesday tuesdays tue dienstag dienstags martes mardi",
            "wednesday wednesdays wed mittwoch mittwochs miércoles mercredi",
            "thursday thursdays thu donnerstag donnerstags jueves jeudi",
            "friday fridays fri freitag freitags viernes vendredi",
            "saturday saturdays samstag samstags sábado samedi",
            "sunday sundays sonntag sonntags domingo dimanche",
        ),
        "month": (
            "january januar enero janvier",
            "february februar febrero février",
            "march märz marzo",
            "april abril avril",
            "mai mayo",
            "june juni junio juin",
            "july juli julio juillet",
            "august agosto août",
            "september septiembre septembre",
            "october oktober octubre octobre",
            "november noviembre novembre",
            "december dezember diciembre décembre",
        ),
    }.items()
    for number, words in enumerate(rows, 1)
    for word in words.split()
}
"""Names of days and months -> their kind and number."""

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
