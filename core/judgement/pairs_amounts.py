"""The words of amounts in a note: numbers, units, days and months.

English, German, Spanish and French, the languages of the labelled pairs.
"""

from __future__ import annotations

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
