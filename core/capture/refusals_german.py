"""What makes a German sentence not worth keeping, and how it opens, asks and names days."""

from __future__ import annotations

import re

from .rules import rx

ONE_OFF = rx(
    r"\b(?:heute|gerade|diesmal|momentan|erst\s?mal|fürs\ erste|vorerst|im\ moment|vorläufig|"
    r"vorübergehend|"
    r"(?<!ab\ )(?<!von\ )jetzt|kurz|einmalig|schnell|noch\ nicht|zum\ testen|dieses\ mal|"
    r"(?:diese[rnms]?|dem|den|der)\ (?:pr|commit|branch|ticket|test|funktion|datei|zeile|änderung|"
    r"aufgabe))\b"
)
EMPTY = rx(
    r"\btests?\b.*\b(?:grün|durchlaufen|laufen|bestehen)\b|\b(?:alles|irgendwas|etwas)[.!]*$"
)
HEDGED = rx(
    r"\b(?:vielleicht|vermutlich|wahrscheinlich|möglicherweise|eventuell|evtl|(?:ich\ )?(?:glaube|"
    r"denke|vermute)|"
    r"könnten?|scheint|anscheinend|wohl|dürfte|müsste|sollte\ jetzt)\b"
)
TALK = rx(
    r"^(?:ich\ (?:werde|schaue|prüfe|sehe|führe|lese|starte|mache|habe)|lass|als\ nächstes|nun\ "
    r"(?:prüfe|"
    r"schaue)|jetzt\ (?:prüfe|schaue|führe|starte)|soll\ ich|möchtest\ du|willst\ du|gern|"
    r"verstanden|alles\ klar|"
    r"hier\ (?:ist|sind)|fertig|erledigt|sag\ bescheid|du\ kannst|danke|zuerst|schauen\ wir)\b"
)
STATUS = rx(
    r"^(?:alle\ )?(?:\d+\s)?(?:tests?|checks?|build|lint)\b.*\b(?:grün|laufen|bestanden|"
    r"erfolgreich|durch|"
    r"fehlgeschlagen|sauber)\b|^alles\b|^(?:läuft|passt)\b"
)
TROUBLE = rx(
    r"\b(?:fehler\w*|schlägt|fehlgeschlagen|kaputt\w*|abst[uü]rz\w*|stürzt|hängt|langsam|falsch\w*|"
    r"(?:geht|funktioniert|klappt|läuft|lädt|startet)\ nicht|timeouts?|doppelt\w*|verliert|fehlt|"
    r"fehlen|"
    r"bricht|problem\w*|bug|leer|verschwind\w+|verrutsch\w*)\b"
)
ORDERS = rx(
    r"^(?:verwend\w*|benutz\w*|nutz\w*|nimm|speicher\w*|leg\w*|schreib\w*|halt\w*|immer|nie|"
    r"niemals|kein\w*|frag\w*|prüf\w*|start\w*|"
    r"führ\w*)\b"
)
TELLS_A_FACT = rx(
    r"^(?:(?:der|die|das|unser\w*|alle|jede[rs]?|wir)\b|[\w-]+\b).{0,60}?\b(?:ist|sind|läuft|liegt|"
    r"heißt|"
    r"braucht|hat|haben|gehört|nutzen|verwenden|kostet|gilt|gelten|werden|wird)\b"
)
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|ja|jo|nun|gut|super|danke|genau|ach(?: ja)?|übrigens|noch (?:was|eins)|"
    r"eins noch|hm+|hallo|"
    r"hi|hey|moin|prima|perfekt|ps|alles klar|noch etwas|nur so|zur sicherheit|"
    r"passt)\b\s*[,.:;!–—-]+\s*"
    r"|(?:also|und|aber|bitte|außerdem|zusätzlich|übrigens|dann|ach ja|auch)\b[,:]?\s+)",
    re.IGNORECASE,
)
_ASKING = rx(
    r"^(?:kannst|könntest|könnten|können\ wir|sollen\ wir|soll\ ich|sollten\ wir|warum|wieso|"
    r"weshalb|wie|was|wer|"
    r"wo|wann|welche[rsn]?|ist\ (?:das|es|der|die)|sind|gibt|hast|haben\ wir|habt|magst|würdest|"
    r"darf\ ich|"
    r"weißt|ich\ frage\ mich)\b"
)
_POINTS_BACK = rx(
    r"^(?:(?:das|dies|es)\ (?:ist|war|muss|soll|sollte|kann|darf|wird|wurde|hat|liegt|lag|kommt|"
    r"kam|geht|bleibt|"
    r"macht|gilt|sind|stimmt|heißt|passiert|passierte|rührt)|er|sie|ihn|ihm|ihr|deren|dessen|dort|"
    r"damit|dafür|"
    r"deshalb|deswegen|daher|darum|sonst|beides?|letztere[rsn]?|erstere[rsn]?|dabei|dazu|"
    r"diese[rsnm]?)\b"
)
_ELSEWHERE = rx(
    r"\bdiese[rsnm]?\ (?!(?:repo\w*|projekt|code\w*|team|firma|maschine|app|dienst)\b)\w+|"
    r"\b(?:da|hier)\ (?:oben|unten|drüben)\b|\bwie\ (?:oben|vorhin|gehabt|besprochen|gesagt)\b|"
    r"\b(?:andere|zweite|erste|letzte|vorige)[nrms]?\ (?:variante|version|option|datei|stelle|"
    r"ansatz)\b|"
    r"\boption\ [a-z0-9]\b|\bso\ wie\ (?:das|hier)\b"
)
DAYS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (rx(rf"\b(?:{german})\b"), english)
    for german, english in (
        (r"übermorgen", "in 2 days"),
        (r"(?:bis\ )?morgen", "tomorrow"),
        (r"nächste[nr]?\ woche", "next week"),
        (r"nächste[nrsm]?\ monat(?:s)?", "next month"),
        (r"nächste[nr]?\ sprint", "next sprint"),
        (r"(?:bis\ )?(?:zum\ )?ende\ des\ monats|(?:zum\ |am\ )?monatsende", "end of the month"),
        (r"(?:bis\ )?(?:zum\ )?ende\ der\ woche", "end of the week"),
        (r"(?:bis\ )?(?:zum\ )?(?:ende\ des\ jahres|jahresende)", "end of the year"),
        (r"(?:bis|am|vor)\ (?:zum\ |spätestens\ )?montag", "by monday"),
        (r"(?:bis|am|vor)\ (?:zum\ |spätestens\ )?dienstag", "by tuesday"),
        (r"(?:bis|am|vor)\ (?:zum\ |spätestens\ )?mittwoch", "by wednesday"),
        (r"(?:bis|am|vor)\ (?:zum\ |spätestens\ )?donnerstag", "by thursday"),
        (r"(?:bis|am|vor)\ (?:zum\ |spätestens\ )?freitag", "by friday"),
        (r"in\ einer\ woche", "in one week"),
        (r"in\ zwei\ wochen", "in two weeks"),
        (r"in\ drei\ wochen", "in three weeks"),
        (r"in\ einem\ monat", "in one month"),
        (r"(?:bis\ |ende\ )?januar", "january"),
        (r"februar", "february"),
        (r"märz", "march"),
        (r"mai", "may"),
        (r"juni", "june"),
        (r"juli", "july"),
        (r"oktober", "october"),
        (r"dezember", "december"),
        (r"(?:bis\ zum|bis|zum|am|vor\ dem)\ (?=\d)", "by "),
    )
)
"""German words for days, as `times` knows them in English."""


def without_filler(text: str) -> str:
    """`text` without "ja," "übrigens" and the like in front."""
    while (found := _FILLER.match(text)) and found.end() < len(text):
        text = text[found.end() :]
    return text


def asks(masked: str) -> bool:
    """Whether a sentence without a question mark asks all the same."""
    return _ASKING.match(masked) is not None and not masked.rstrip().endswith((".", "!"))


def points_elsewhere(masked: str) -> bool:
    """Whether it points at something only the session could show."""
    return _ELSEWHERE.search(masked) is not None


def leans_back(masked: str) -> bool:
    """Whether the sentence cannot be understood without the one before it."""
    return _POINTS_BACK.match(masked) is not None or points_elsewhere(masked)
