"""How people say in German what should outlast a session."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import ADDRESS
from .weights import importance_of

_PRONOUN = (
    r"(?!(?:ich|du|ihr|es|er|sie|man|hier|da|dort|was|wer|wie|wo|warum|diese[rsnm]?|dies|jetzt|"
    r"gerade|"
    r"mir|dir|kannst|könntest|(?:das|dies)\ (?:ist|war|muss|soll|sollte|kann|darf|wird|wurde|hat|"
    r"liegt|"
    r"kommt|geht|bleibt|macht|sind|stimmt|heißt|klappt|funktioniert|sieht))\b)"
)
_SOUND = (
    r"(?!.*\b(?:abst[uü]rz\w*|stürzt|schlägt|schlagen|fehler\w*|fehlgeschlagen|kaputt\w*|hängt|"
    r"langsam|"
    r"falsch\w*|(?:geht|funktioniert|klappt|läuft|lädt|startet)\ nicht|leer|verschwind\w+|rot)\b)"
)
_CHOICE = (
    r"(?:verwende[nt]?|benutz(?:e|en|t)?|nutz(?:e|en|t)?|nimm|nehmt|speicher(?:e|n|t)?|halte?t?|"
    r"lege?t?|"
    r"schreib(?:e|t)?|bleib(?:e|t)?\ bei|setz(?:e|t)?|lass(?:e|t)?|benenne?|logge?)"
)
_WE = (
    r"wir\ (?:nehmen|nutzen|verwenden|benutzen|schreiben|speichern|setzen|haben|fahren|hosten|"
    r"bauen|"
    r"rechnen|runden|zählen|testen|deployen|liefern|bleiben|behalten|unterstützen|betreiben)"
)
_ONE_THING = (
    r"(?!\ (?:hier|dort|ein(?:e|en|em)?|das|es|den\ neuen|die\ neue|dafür|dazu|tests?\ für)\b)"
)
_REASON = r"(?:,\s(?:weil|da|denn|damit|sonst|ansonsten)\b|\s[–—-]\s|;\s|:\s)"
_CONTRAST = r"(?:\bstatt\b|\banstatt\b|\banstelle\b|\bnicht\b|,\s(?:nie|kein\w*)\b|\bsondern\b)"
_WHEN = (
    r"(?:nächste[nrms]?\ (?:woche|monat|sprint|jahr|quartal|mal|release)|übermorgen|morgen|später|"
    r"irgendwann|demnächst|bei\ gelegenheit|bis\ (?:spätestens\ )?(?:zum?\ |ende\ |anfang\ |mitte\ "
    r")?"
    r"(?:\d|\w*tag\b|mittwoch|jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|nächste|des|der)|"
    r"(?:am|vor)\ (?:mon|diens|donners|frei|sams|sonn)tag|am\ mittwoch|vor\ dem\ \w+|nach\ dem\ "
    r"\w+|"
    r"in\ (?:einer?|einem|zwei|drei|vier|ein\ paar|\d+)\ (?:tag|woche|monat|sprint)\w*|sobald\ \w+|"
    r"ende\ (?:des|der|nächster|januar|februar|märz|april|mai|juni|juli|august|september|oktober|"
    r"november|dezember)\b)"
)
_NO_CHAT = (
    r"(?!.*\b(?:immer|nie|niemals|jede[rsmn]?|reden|sprechen|weg|gucken|weitersehen|los|heute)\b)"
)

PERSON: tuple[Rule, ...] = (
    Rule(
        "remember",
        rx(
            r"^(?:merk(?:e|t)?\ (?:dir|euch)|denk(?:e|t)?\ (?:dran|daran)|nicht\ vergessen|"
            r"vergiss\ nicht|"
            r"wichtig|zur\ info(?:rmation)?|fürs\ protokoll|für\ die\ akten|hinweis|notiz|notiere?|"
            r"beachte|"
            r"regel|konvention|vorgabe|lektion|gelernt|merke|achtung|vorsicht)(?:\ bitte)?"
            r"(?:,?\ dass\b(?:\s\S+){3,}|\s?[:,–—-]\s*(?!ich\b|es\b|"
            r"das\b)(?P<said>\S+(?:\s\S+){2,}))$"
        ),
        "preference",
        None,
        0.85,
        0.95,
        "fact",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "remember-that",
        rx(
            r"^(?P<said>.{12,300}?)[,.;:(–—-]+\s*(?:bitte\ )?(?:merk(?:e|t)?\ (?:dir|euch)\ das|"
            r"(?:das\ )?(?:bitte\ )?merken|denk(?:e|t)?\ (?:bitte\ )?(?:dran|daran)|"
            r"behalte?\ das\ im\ (?:kopf|hinterkopf)|(?:das\ )?(?:bitte\ )?nicht\ vergessen|"
            r"vergiss\ das\ nicht)\b.{0,80}$"
        ),
        "preference",
        None,
        0.85,
        0.95,
        "fact",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "quarantine",
        rx(
            r"^(?!(?:der|das|die)\ (?:button|seite|titel|test|code)\b).{3,120}?\b(?:ist|sind|war|"
            r"waren)\b"
            r".{0,40}?\b(?:falsch|kaputt|doppelt|unbrauchbar|fehlerhaft|unvollständig|verfälscht|"
            r"geschätzt|"
            r"unzuverlässig)\b.{0,60}?[,;:–—]\s.{0,60}?\b(?:ausschließen|"
            r"ignorier\w*|"
            r"lass\w*|weglassen|nicht\ (?:verwenden|nutzen|benutzen|auswerten)|schließ\w*|"
            r"überspring\w*|"
            r"rechne\w*|nimm\w*|verwende\w*|nutze?\w*)\b\s?(?=.*\b(?:aus|raus|weg|nicht|bis|"
            r"ignorier\w*|"
            r"ausschließen|weglassen|überspring\w*|mit\ ein)\b|[.!]?$)"
        ),
        "warning",
        "semantic",
        0.8,
        0.85,
        "fact",
        ("warning", "quarantine"),
        lasts=True,
    ),
    Rule(
        "decision",
        rx(
            r"^(?:entscheidung|entschieden|beschluss|beschlossen|vereinbart|"
            r"abgemacht)\s?[:–—-]\s*(?P<said>\S.*)$"
        ),
        "decision",
        "semantic",
        0.8,
        0.95,
        "principle",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "decision",
        rx(
            r"^(?!.*\b(?:noch\ nicht|nie)\b).{0,80}?\b(?:haben|hat|"
            r"habe)\b.{0,160}?\b(?:entschieden|"
            r"beschlossen|geeinigt|festgelegt|vereinbart|ausgemacht)\b"
            r"|^wir\ (?:bleiben|setzen|steigen|wechseln)\b.{0,60}?\b(?:bei|auf|zu|um)\s(?!hier|"
            r"diesem)\S+"
        ),
        "decision",
        "semantic",
        0.8,
        0.9,
        "principle",
        ("decision",),
    ),
    Rule(
        "from-now-on",
        rx(
            rf"^{_SOUND}(?:.*\b(?:ab\ (?:jetzt|sofort|heute|nun)|künftig|zukünftig|in\ zukunft|"
            r"von\ (?:jetzt|nun)\ an|(?:vor|nach|bei|mit)\ jede[mr]|grundsätzlich|standardmäßig|"
            r"prinzipiell|generell)\b"
            r"|frag(?:e|t)?\b.*\b(?:bevor|vorher|ehe)\b"
            r"|(?:antworte?|schreibe?|sprich|kommentiere?)\b.{0,60}\b(?:auf|in)\ (?:deutsch|"
            r"englisch)\b"
            rf"|(?:wenn|bevor|nachdem|sobald)\ du\ [^,]{{3,80}},\ (?:dann\ )?(?:bitte\ "
            rf")?(?:{_CHOICE}|frag\w*|"
            r"lauf|führ\w*|aktualisier\w*|ergänz\w*|pass\w*|mach\w*|prüf\w*|start\w*)\b)"
        ),
        "preference",
        None,
        0.85,
        0.9,
        "principle",
        ("instruction",),
        lasts=True,
    ),
    Rule(
        "always-never",
        rx(
            rf"^{_SOUND}{_PRONOUN}.*(?<!noch\ )(?<!schon\ )(?<!wie\ )\b(?:immer|nie|niemals|stets|"
            rf"ausnahmslos|"
            r"keinesfalls|auf\ keinen\ fall|unter\ keinen\ umständen)\b(?!\ (?:noch|wieder|mehr|"
            r"weiter|so|"
            r"wenn|\w+er\b(?=[.!]|$)))(?!.*\b(?:geklappt|gesehen|gewusst|gehabt|passiert|gesagt)\b)"
        ),
        "preference",
        None,
        0.85,
        0.9,
        "principle",
        ("instruction",),
    ),
    Rule(
        "prohibition",
        rx(
            rf"^{_SOUND}(?:"
            r"kein(?:e|en|er|em|es)?\ (?!(?:ahnung|problem\w*|stress|eile|sorgen?|lust|zeit|idee|"
            r"änderung\w*|"
            r"rückmeldung|antwort|unterschied|wunder|ergebnis\w*|ausgabe)\b)[\w-]+(?:\ "
            r"[\w-]+){0,4}?\ (?:in|im|"
            r"auf|bei|beim|ohne|für|an|am|mit|aus|unter|nach|direkt|bitte)\b.*"
            r"|(?:in|im|auf|bei|beim|für|an|am|unter|vor|nach|während)\ [^,]{2,60}?\ (?:bitte\ )?"
            r"(?:nicht|nie|kein(?:e|en|er|em|es)?)\b.{2,60}?\w{3,}en[.!]?$"
            rf"|(?:{_CHOICE}|fass\w*|änder\w*|lösch\w*|rühr\w*|editier\w*|misch\w*|commit\w*|"
            rf"push\w*|merg\w*|"
            r"deploy\w*|starte?|führe?|checke?)\ (?!(?:das|es|dir|sie|ihn|"
            r"mir)\b)[^,;]{2,100}?\b(?<!noch\ )"
            r"(?:nicht|nie|kein(?:e|en|er|em|es)?)\b(?!\ (?:mehr|nur|so)\b).*"
            rf"|{_PRONOUN}(?!wir\b)[^,;]{{3,80}}?\b(?:darf|dürfen)\ [^;]{{0,80}}?\b(?:nicht|nie|"
            rf"niemals|nur|"
            r"kein\w*|erst|ausschließlich)\b.*"
            rf"|{_PRONOUN}[^,;]{{6,100}}?\ (?:bitte\ )?(?:nicht|nie)\ (?:direkt\ )?(?:anfassen|"
            rf"ändern|löschen|"
            r"verwenden|benutzen|nutzen|mergen|committen|pushen|deployen|überschreiben|editieren|"
            r"loggen|"
            r"anrühren|verändern|einchecken|mischen|umbenennen)[.!]?$"
            r"|(?:niemand|keiner)\ (?!(?:weiß|hat|war|ist|mag|kennt|will|"
            r"sagt)\b)\w+t\b[^;]{3,100}?\b(?:ohne|"
            r"direkt|von\ hand|außer|manuell|vor|während|bevor)\b.*)"
        ),
        "preference",
        None,
        0.8,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "preference",
        rx(
            r"\b(?:ich|wir)\ (?:bevorzugen?|mag|mögen|hätten?\ lieber|hasse|möchten?\ (?:lieber|"
            r"keine?n?|immer|nie)|"
            r"wollen\ (?:keine?n?|nie|immer)|will\ (?:keine?n?|nie|immer)|finde[n]?\ .{2,40}\ "
            r"(?:besser|schöner|"
            r"lesbarer))\b(?!\ (?:das|es|dich|hier)\b)(?:\s\S+)+"
            r"|\bmir\ (?:ist|sind|wäre[n]?)\b.{2,80}\blieber\b|^lieber\ .{2,60}\ als\ \S+"
            r"|^(?:ich\ )?.{0,30}?\blieber\ .{2,60}\ als\ \S+"
        ),
        "preference",
        "semantic",
        0.7,
        0.9,
        "principle",
        ("preference",),
    ),
    Rule(
        "contrast",
        rx(
            rf"^(?:(?:in|im|auf|bei|beim|für)\ [^,]{{2,50}}\ )?(?:(?:{_CHOICE}|"
            rf"{_WE})\b{_ONE_THING}|"
            r"(?:nehmen|nutzen|verwenden|benutzen|speichern)\ wir\b|(?!(?:das|der|die|"
            r"es)\b)[\w-]+,\ )"
            rf"[^;]{{2,160}}?{_CONTRAST}.*$"
        ),
        "decision",
        "semantic",
        0.75,
        0.85,
        "principle",
        ("decision",),
    ),
    Rule(
        "reasoned-choice",
        rx(
            rf"^(?:{_CHOICE}|{_WE})\b{_ONE_THING}[^;:]{{6,160}}?{_REASON}\s?\w+\s\S+.*$"
            rf"|^wir\ (?:können|dürfen|müssen|mussten)\b.{{6,160}}?{_REASON}\s?\S+\s\S+.*$"
        ),
        "decision",
        "semantic",
        0.75,
        0.85,
        "principle",
        ("decision",),
    ),
    Rule(
        "must",
        rx(
            rf"^{_SOUND}(?:(?:alle|jede[rs]?|sämtliche|neue|unsere|nur)\ (?!(?:drei|zwei|beiden|"
            rf"tests?)\b)"
            r"[^;]{2,90}?\b(?:muss|müssen|sollen?|sollten|braucht|brauchen|bekommt|bekommen|gehört|"
            r"gehören|"
            r"kommt|kommen|trägt|tragen|hat|haben|wird|werden|darf|dürfen|schreibt|"
            r"schreiben)\b\s\S+"
            rf"|{_PRONOUN}(?!wir\b)[^,;]{{3,80}}?\b(?:müssen|sollen)\s\S+(?:\s\S+)+"
            rf"|{_PRONOUN}(?!wir\b)[^,;]{{3,80}}?\bmuss\ .{{3,120}}?{_REASON}\s?\S+"
            r"|(?:vor|nach|bei|für)\ [^,;]{3,60}?\bmuss\b(?:\s\S+){3,})"
        ),
        "preference",
        None,
        0.75,
        0.85,
        "principle",
        ("instruction",),
    ),
    Rule(
        "impersonal",
        rx(
            rf"^{_SOUND}{_PRONOUN}(?!wir\b)[^,;]{{3,90}}?\b(?:wird|werden|ist|sind)\ (?:[\w-]+\ "
            rf"){{0,4}}?(?:nur|"
            r"ausschließlich|allein)\ (?:von|vom|durch|über|per|auf|in|im|mit|an)\b.*"
            rf"|^{_SOUND}{_PRONOUN}[^,;]{{3,80}}?\b(?:ist|sind|bleibt|bleiben)\ (?:append[\ -]only|"
            r"unveränderlich|schreibgeschützt|read[\ -]only)\b.*"
        ),
        "architecture",
        None,
        0.7,
        0.8,
        "principle",
        ("project",),
    ),
    Rule(
        "terse",
        rx(
            r"^(?=.{12,110}$)(?:(?-i:[A-ZÄÖÜ])[\w-]+\ )(?:[\w-]+\ )?(?:bitte\ )?(?:auf|in|als|mit|"
            r"ohne|im)\ "
            r"[\w-]+(?:\ [\w-]+)?,\ (?:(?-i:[A-ZÄÖÜ])[\w-]+\ )(?:auf|in|als|mit|ohne|im)\ "
            r"[\w-]+[.!]?$"
        ),
        "preference",
        "semantic",
        0.65,
        0.75,
        "principle",
        ("preference",),
    ),
    Rule(
        "law",
        rx(
            rf"^{_PRONOUN}(?=.*\b(?:per\ gesetz|gesetzlich|laut\ (?:gesetz|dsgvo|gobd|hgb|vertrag)|"
            rf"dsgvo|gobd|"
            r"finanzamt|steuerberater\w*|aus\ (?:rechtlichen|steuerlichen)\ "
            r"gründen)\b)(?:\S+\s){4,}"
        ),
        "architecture",
        "semantic",
        0.75,
        0.85,
        "domain_knowledge",
        ("project",),
    ),
    Rule(
        "limit-fact",
        rx(
            rf"^{_SOUND}{_PRONOUN}(?=.*\b(?:erlaub(?:t|en)|akzeptier(?:t|en)|maximal|höchstens|"
            rf"mindestens|"
            r"bis\ zu|begrenzt|limit|aufbewahr\w+|verfall\w*|verfällt|läuft\b.*\bab|beträgt|gilt|"
            r"gelten|dauert|"
            r"frist)\b)(?=.*\d)(?:\S+\s){3,}"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project", "limit"),
        needs_fact=True,
    ),
    Rule(
        "project-fact",
        rx(
            rf"^{_SOUND}{_PRONOUN}(?:{_WE}\b(?:\s\S+)+"
            r"|(?:[\w/-]+\ ){1,6}?(?:läuft|laufen|liegt|liegen|lebt|steht|stehen|lauscht|hört|"
            r"heißt|heißen|"
            r"gehört|kommt|kommen)\ (?:auf|unter|in|im|bei|an|am|über|zu|zum|hinter|aus|`|"
            r"\")\s?\S+.*"
            rf"|[^,;:]{{2,60}}?\b(?:ist|läuft|liegt|hört|lauscht)\ .{{0,30}}?(?:{ADDRESS}).*)"
        ),
        "architecture",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("project",),
        needs_fact=True,
    ),
    Rule(
        "cause",
        rx(
            r"^(?:der\ (?:eigentliche\ )?grund|die\ (?:eigentliche\ )?ursache|grund|"
            r"ursache)\b.{0,80}?"
            r"(?:\b(?:ist|war|lag|liegt)\b,?|:)(?:\s\S+){3,}|^(?:es\ )?(?:hat\ sich\ "
            r"(?:herausgestellt|gezeigt)|"
            r"stellte?\ sich\ heraus),?\ dass\b(?:\s\S+){3,}"
        ),
        "discovery",
        "semantic",
        0.65,
        0.8,
        "fact",
        ("discovery",),
        lasts=True,
    ),
)

INTENTION = Rule(
    "intention",
    rx(
        r"^(?:todo|später|für\ später|merkzettel|erinnerung|backlog)\s?[:–—-]\s*(?P<said>\S.*)$"
        r"|^(?:bitte\ )?erinner(?:e|t)?\ (?:mich|uns)\b(?:\s\S+){2,}"
        rf"|^{_NO_CHAT}(?:{_WHEN}).{{0,60}}?\b(?:muss|müssen|soll|sollte|sollten|sollen|will|"
        rf"wollen|möchte|werde|"
        r"werden|steht|kommt)\b(?:\s\S+){2,}"
        rf"|^{_NO_CHAT}(?:ich|wir)\ (?:muss|müssen|sollte|sollten|will|wollen|möchte|werde|"
        rf"werden)\b"
        rf"(?=.*\b{_WHEN})(?:\s\S+){{3,}}"
    ),
    "task_progress",
    "prospective",
    importance_of("intention"),
    0.8,
    "todo",
    ("todo",),
    lasts=True,
)

CORRECTION = rx(
    r"^(?:nein|nee|nö|falsch|nicht\ ganz|stimmt\ nicht|das\ (?:stimmt|ist)\ (?:so\ )?(?:nicht|"
    r"falsch)"
    r"(?:\ (?:richtig|wahr))?|doch\ nicht|moment|halt|stopp|(?:eine\ |kleine\ )*korrektur(?:\ zu\ "
    r"[^:,]{2,60})?|"
    r"ich\ meinte|ich\ habe?\ mich\ (?:geirrt|vertan|versprochen)(?:\ mit\ [^:,]{2,40})?|"
    r"eigentlich|"
    r"das\ hat\ (?:so\ )?(?:niemand|keiner)\ (?:so\ )?(?:entschieden|beschlossen|gesagt)|"
    r"(?:niemand|keiner)\ hat\ (?:das|so\ etwas)\ (?:so\ )?(?:entschieden|beschlossen|gesagt)|"
    r"vergiss,?\ was\ ich\ [^:,]{2,60}\ gesagt\ habe)\s?[,.:;!–—-]+\s*(?:sondern\ |eigentlich\ |"
    r"bitte\ )?"
    r"(?P<said>\S.*)$"
)
CORRECTED: tuple[Rule, ...] = (
    Rule(
        "correction",
        rx(
            rf"^(?:bitte\ )?(?:{_CHOICE}|{_WE})\b{_ONE_THING}\s\S+"
            rf"|^{_PRONOUN}.*\b(?:ist|sind|läuft|liegt|heißt|gilt|gelten|geht|kommt|beträgt|hat|"
            rf"haben|braucht|"
            rf"werden|wird|bleibt|bleiben)\b.*{_CONTRAST}"
        ),
        "preference",
        "semantic",
        0.8,
        0.9,
        "principle",
        ("correction",),
    ),
    Rule(
        "correction",
        rx(
            rf"^{_PRONOUN}.*\b(?:ist|sind|läuft|liegt|heißt|gilt|gelten|geht|kommt|beträgt|hat|"
            rf"haben|braucht|"
            r"werden|wird|bleibt|bleiben)\b\s\S+"
        ),
        "architecture",
        "semantic",
        0.8,
        0.9,
        "fact",
        ("correction",),
        needs_fact=True,
    ),
)
