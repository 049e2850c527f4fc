"""How people say in Spanish what should outlast a session."""

from __future__ import annotations

from .rules import Rule, rx
from .vocabulary import ADDRESS
from .weights import importance_of

_NO_ONE = (
    r"(?!(?:yo|tú|tu|él|ella|ellos|esto|eso|este|ese|esta|esa|estos|esos|lo|le|me|te|se|ahora|aquí|"
    r"allí|hay|"
    r"que|qué|quién|cómo|dónde|por\ qué|puedes|podrías|añade|arregla|cambia|crea|haz|mira|muestra|"
    r"borra|"
    r"quita|prueba|ejecuta|corre|pon|revisa|comprueba|explica|busca|actualiza|vamos)\b)"
)
_SOUND = (
    r"(?!.*\b(?:fall[aóeo]\w*|error(?:es)?|rot[oa]s?|romp\w+|cuelga|lent[oa]s?|mal|vací[oa]s?|"
    r"no\ (?:funciona|carga|arranca|va|aparece|sale)|desaparec\w+|rojo)\b)"
)
_CHOICE = (
    r"(?:usa(?:d|mos|r)?|utiliza(?:d|mos|r)?|guarda(?:d|mos|r)?|mantén|mantened|deja(?:d|mos)?|"
    r"escribe|escribid|ponemos|elige|prefiere|nombra)"
)
_WE = (
    r"(?:usamos|utilizamos|guardamos|desplegamos|escribimos|ponemos|mantenemos|contamos|"
    r"redondeamos|"
    r"soportamos|publicamos|alojamos|trabajamos|seguimos|nos\ quedamos)"
)
_ONE_THING = r"(?!\ (?:aquí|ahí|un|una|esto|eso|el\ nuevo|la\ nueva)\b)"
_REASON = r"(?:,?\s(?:porque|ya\ que|que\ si\ no|si\ no|para\ que|pues)\b|;\s|:\s|\s[–—-]\s)"
_CONTRAST = (
    r"(?:\ben\ (?:vez|lugar)\ de\b|,\s(?:y\ )?(?:no|nunca|jamás)\b|\by\ no\b|\bsino\b|\bni\b)"
)
_MONTH = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_DAY = r"(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
_WHEN = (
    r"(?:(?:la\ )?(?:semana|quincena)\ que\ viene|(?:el\ )?(?:mes|año|sprint)\ que\ viene|"
    r"(?:la\ |el\ )?próxim[oa]\ (?:semana|mes|sprint|año|versión|vez)|mañana|pasado\ mañana|"
    r"más\ adelante|más\ tarde|luego|algún\ día|en\ algún\ momento|cuando\ [^,]{3,60}?(?:esté|"
    r"estén|acabe|"
    rf"termine|salga|abra|vuelva|llegue)\w*|(?:antes\ del?|para\ el|el)\ (?:próximo\ )?(?:{_DAY}|"
    rf"\d{{1,2}})|"
    rf"(?:antes\ de|en|para|a\ finales\ de|a\ final\ de)\ (?:{_MONTH}|mes|año)|dentro\ de\ \w+\ "
    rf"(?:días?|"
    r"semanas?|meses?)|en\ (?:una?|dos|tres|cuatro|\d+)\ (?:días?|semanas?|mes(?:es)?)|antes\ "
    r"de(?:l|\ la)\ "
    r"(?:release|versión|despliegue|temporada|lanzamiento)\w*)"
)
_HAVE_TO = (
    r"(?:tengo|tenemos|hay|habrá|tendremos|tendré)\ que|debemos|deberíamos|debo|quiero|queremos|"
    r"necesito|"
    r"necesitamos|vamos\ a|toca|hace\ falta|me\ gustaría|he\ de|hemos\ de"
)
_NO_CHAT = r"(?!.*\b(?:siempre|nunca|cada|hablar|hablamos|ver(?:emos)?|irme|salir|saber|hoy)\b)"

PERSON: tuple[Rule, ...] = (
    Rule(
        "remember",
        rx(
            r"^(?:recuerda|recordad|ten(?:ed)?\ en\ cuenta|no\ (?:te\ )?olvid(?:es|éis)|apunta|"
            r"anota|nota|"
            r"importante|ojo|aviso|para\ que\ conste|que\ conste|atención|cuidado|regla|norma|"
            r"convención|"
            r"lección|para\ el\ futuro|de\ cara\ al\ futuro)(?:,?\ que\b|\s?[:,–—-])\s*(?!yo\b|"
            r"me\b|lo\b|esto\b)"
            r"(?P<said>\S+(?:\s\S+){2,})$"
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
            r"^(?P<said>.{12,300}?)[,.;:(–—-]+\s*(?:por\ favor,?\ )?(?:recuérda(?:lo|melo)|"
            r"recordadlo|"
            r"tenlo\ (?:en\ cuenta|presente)|tenedlo\ en\ cuenta|apúntalo|apuntadlo|anótalo|no\ "
            r"lo\ olvid(?:es|éis))"
            r"\b.{0,80}$"
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
            r"^(?!(?:el|la)\ (?:botón|página|título|prueba|código)\b).{3,120}?\b(?:son|es|están|"
            r"está|eran|estaban|"
            r"vienen)\b.{0,40}?\b(?:mal|incorrect[oa]s?|falsos|falsas|duplicad[oa]s?|corrupt[oa]s?|"
            r"erróne[oa]s?|"
            r"incomplet[oa]s?|estimad[oa]s?|no\ fiables?)\b.{0,60}?[,;:–—]\s(?:así\ que\ |por\ "
            r"favor,?\ |y\ )*"
            r"(?:exclúye\w*|exclui\w*|ignóra\w*|ignora\w*|déja\w*\ fuera|descárta\w*|sálta\w*|no\ "
            r"(?:los?|las?)\ "
            r"(?:uses|utilices|cuentes|incluyas)|no\ (?:uses|utilices|cuentes|incluyas))\b.*"
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
        rx(r"^(?:decisión|decidido|acordado|acuerdo)\s?[:–—-]\s*(?P<said>\S.*)$"),
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
            r"^(?!.*\b(?:nunca|nadie|no)\ (?:se\ )?(?:ha|hemos|han)\b).{0,60}?\b(?:hemos|han|ha|"
            r"he)\ "
            r"(?:decidido|acordado|elegido|optado|quedado\ en|convenido)\b(?:\s\S+){2,}"
            r"|^.{0,60}?\b(?:decidimos|acordamos|quedamos\ en|optamos\ por|nos\ quedamos\ con|"
            r"seguimos\ con)\b"
            r"(?:\s\S+){1,}"
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
            rf"^{_SOUND}(?:.*\b(?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|desde\ ahora|en\ "
            rf"adelante|"
            r"en\ el\ futuro|por\ norma|por\ convención)\b"
            r"|.*\b(?:cada\ vez\ que|siempre\ que|antes\ de\ cada|después\ de\ cada|tras\ cada|"
            r"con\ cada|"
            r"en\ cada)\b(?!\ (?:lo\ )?(?:pulso|abro|guardo|entro|hago)\b)"
            r"|(?:por\ favor,?\ )?(?:pregunta\w*|pregúntame|consulta\w*|avisa\w*|"
            r"avísame)\b.*\b(?:antes\ de|"
            r"cuando|si\ vas)\b"
            r"|(?:contesta|responde|escribe|háblame)\b.{0,60}?\ben\ (?:español|inglés|castellano|"
            r"catalán)\b"
            rf"|(?:cuando|si)\ (?:añadas|toques|cambies|crees|modifiques|escribas|borres|uses|"
            rf"vayas\ a)\ [^,]{{3,80}},"
            r"\ (?:por\ favor\ )?\w+)"
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
            rf"^{_SOUND}(?!(?:me|te|lo|esto|eso|ella|él|yo)\b).*(?<!casi\ )(?<!como\ )\b(?:siempre|"
            rf"nunca|jamás|"
            r"bajo\ ningún\ concepto|en\ ningún\ caso)\b(?!\ (?:más|he|ha|había|me|lo\ (?:he|"
            r"había)|funcionó|pasa|"
            r"pasó|que|igual|sale|aparece|da))(?:.*\S+){1}"
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
            rf"^{_SOUND}(?:(?:en|para|con|durante)\ [^,]{{2,60}},?\ )?(?:por\ favor,?\ )?(?:"
            r"no\ (?!(?:te|se|sé|es|está|hay|me|lo|la|los|las|le|puedo|quiero|entiendo|funciona|"
            r"veo|tengo|sirve|"
            r"pasa|importa|hace|hagas\ nada|toques\ nada|pares|esperes|olvides)\b)(?:\w+(?:es|as|"
            r"éis|áis)|usar|"
            r"tocar|subir|borrar|mezclar|cambiar|editar|desplegar)\ (?!(?:eso|esto|nada|ese|este|"
            r"más)\b)\S+"
            r"(?:\s\S+){1,}"
            r"|no\ se\ (?:puede|pueden|debe|deben|permite|permiten|toca|tocan|borra|borran|edita|"
            r"editan|usa|usan|"
            r"despliega|mezclan|guarda|guardan|cambia|envía|envían)\ (?!(?:ver|abrir|guardar\ "
            r"nada)\b)\S+(?:\s\S+){1,}"
            r"|prohibido\ \S+(?:\s\S+){1,}|nada\ de\ \w+(?:\s\w+){0,2}\ (?:en|sin|para|con|"
            r"fuera)\b.*"
            r"|(?:nadie)\ (?!(?:sabe|me|lo|la|ha|está|quiere|contesta|responde|dijo)\b)\w+\ "
            r".{3,80}?\b(?:a\ mano|sin|"
            r"directamente|salvo|excepto|durante|antes)\b.*)"
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
            r"\b(?:prefiero|preferimos|preferiría(?:mos)?)\b(?!\ (?:eso|esto|no)\b)(?:\s\S+){1,}"
            r"|\bme\ gustan?\ más\b(?:\s\S+){2,}|^no\ (?:me\ gustan?|quiero|queremos)\ (?!(?:eso|"
            r"esto|que|ese|este|"
            r"nada|ir|ver)\b)\S+(?:\s\S+){1,}|^mejor\ .{2,60}\ que\ \S+"
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
            rf"^(?:en\ [^,]{{2,50}},?\ )?(?:(?:{_CHOICE}|{_WE})\b{_ONE_THING}|(?!(?:no|sí|el|la|lo|"
            rf"esto|eso)\b)"
            rf"[\w-]+(?=,\s(?:no|nunca)\b))[^;]{{1,160}}?{_CONTRAST}.*$"
            rf"|^(?!(?:no|sí|el|la|lo|esto|eso)\b)[\w-]+,\s(?:no|nunca)\ [\w-]+(?:\ [\w-]+)?[.!]?$"
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
            rf"|^no\ podemos\ .{{6,160}}?{_REASON}\s?\S+\s\S+.*$"
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
            rf"^{_SOUND}(?:(?:tod[oa]s\ (?:l[oa]s|nuestr[oa]s)|cada|ningún|ninguna|nuestr[oa]s?|"
            rf"sólo|solo)\ [^;]{{2,90}}?"
            r"\b(?:debe|deben|tiene|tienen|lleva|llevan|va|van|necesita|necesitan|puede|pueden|es|"
            r"son|se)\b\s\S+"
            rf"|{_NO_ONE}(?:l[oa]s|el|la)\ [^,;]{{3,80}}?\b(?:debe[n]?|tiene[n]?\ que|ha[n]?\ "
            rf"de)\s\S+(?:\s\S+){{1,}}"
            r"|(?:antes\ de|después\ de|para)\ [^,;]{3,60},?\ (?:hay\ que|debes|tienes\ "
            r"que)\b(?:\s\S+){2,})"
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
            rf"^{_SOUND}{_NO_ONE}[^,;]{{3,90}}?\b(?:sólo|solo|solamente|únicamente|"
            rf"exclusivamente)\ (?:se\ |l[oa]s?\ )?"
            r"(?:puede[n]?|debe[n]?|crea[n]?|escribe[n]?|modifica[n]?|toca[n]?|lee[n]?|envía[n]?|"
            r"genera[n]?|desde|"
            r"por|en|a\ través)\b.*"
            rf"|^{_SOUND}{_NO_ONE}[^,;]{{3,80}}?\b(?:es|son)\ (?:inmutables?|de\ sólo\ (?:lectura|"
            rf"escritura)|de\ solo\ "
            r"(?:lectura|escritura)|append[\ -]only)\b.*"
        ),
        "architecture",
        None,
        0.7,
        0.8,
        "principle",
        ("project",),
    ),
    Rule(
        "law",
        rx(
            rf"^{_NO_ONE}(?=.*\b(?:por\ ley|legalmente|rgpd|lopd\w*|hacienda|por\ motivos\ "
            rf"(?:legales|fiscales)|"
            r"según\ (?:la\ ley|el\ contrato))\b)(?:\S+\s){4,}"
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
            rf"^{_SOUND}{_NO_ONE}(?=.*\b(?:permite|permiten|acepta|aceptan|admite|admiten|limita|"
            rf"limitad[oa]s?|límite|"
            r"como\ (?:máximo|mucho)|máximo|mínimo|hasta|al\ menos|caduca|caducan|expira|expiran|"
            r"dura|tarda|plazo|"
            r"conserva\w*)\b)(?=.*\d)(?:\S+\s){3,}"
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
            rf"^{_SOUND}{_NO_ONE}(?:{_WE}\b(?:\s\S+)+"
            r"|(?:[\w/-]+\ ){1,6}?(?:está|están|corre|corren|vive|viven|escucha|se\ llama|se\ "
            r"llaman|pertenece|"
            r"se\ ejecuta|se\ despliega|se\ guarda|se\ guardan|va|van|cierra|abre)\ (?:en|bajo|"
            r"sobre|a|al|con|`|\")?\s?\S+.*"
            rf"|[^,;:]{{2,60}}?\b(?:es|está|escucha|corre)\ .{{0,30}}?(?:{ADDRESS}).*)"
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
            r"^(?:la\ (?:causa|razón)|el\ motivo|la\ culpa)\b.{0,80}?\b(?:es|era|"
            r"fue)\b(?:\s\S+){3,}"
            r"|^(?:resulta|resultó)\ que\b(?:\s\S+){3,}"
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
        r"^(?:todo|pendiente|para\ luego|más\ adelante|recordatorio)\s?[:–—-]\s*(?P<said>\S.*)$"
        r"|^(?:por\ favor,?\ )?(?:recuérda(?:me|nos)|recorda(?:dme|dnos))\b(?:\s\S+){2,}"
        rf"|^{_NO_CHAT}{_WHEN}.{{0,60}}?\b(?:{_HAVE_TO})\b(?:\s\S+){{2,}}"
        rf"|^{_NO_CHAT}(?:{_HAVE_TO})\b(?=.*\b{_WHEN})(?:\s\S+){{3,}}"
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
    r"^(?:no(?=\s?[,.:;!–—-])|qué\ va|espera|perdón|en\ realidad|mejor\ dicho|(?:una\ "
    r")?corrección(?:\ (?:a|sobre|de)\ "
    r"[^:,]{2,60})?|te\ equivocas|eso\ no\ es\ (?:así|cierto|verdad|correcto)|eso\ está\ mal|me\ "
    r"equivoqué"
    r"(?:\ con\ [^:,]{2,40})?|quería\ decir|quise\ decir|me\ refería\ a|nadie\ (?:ha\ decidido|"
    r"decidió|acordó|dijo)\ eso|"
    r"eso\ no\ lo\ (?:ha\ decidido|decidió|dijo)\ nadie|olvida\ lo\ que\ dije(?:\ (?:de|sobre)\ "
    r"[^:,]{2,60})?)"
    r"\s?[,.:;!–—-]+\s*(?:sino\ |en\ realidad,?\ |por\ favor,?\ )?(?P<said>\S.*)$"
)
CORRECTED: tuple[Rule, ...] = (
    Rule(
        "correction",
        rx(
            rf"^(?:por\ favor,?\ )?(?:{_CHOICE}|{_WE})\b{_ONE_THING}\s\S+"
            rf"|^{_NO_ONE}.*\b(?:es|son|está|están|se\ llama|va|van|tiene|tienen|corre|dura|cierra|"
            rf"abre|sale|cuesta|"
            rf"queda|sigue|siguen)\b.*{_CONTRAST}"
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
            rf"^{_NO_ONE}.*\b(?:es|son|está|están|se\ llama|va|van|tiene|tienen|corre|dura|cierra|"
            rf"abre|sale|cuesta|"
            r"queda|sigue|siguen)\b\s\S+"
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
