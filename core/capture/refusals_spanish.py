"""What makes a Spanish sentence not worth keeping, and how it opens, asks and names days."""

from __future__ import annotations

import re

from .rules import rx

ONE_OFF = rx(
    r"\b(?:de\ momento|por\ ahora|por\ el\ momento|(?<!de\ )(?<!partir\ de\ )(?<!desde\ )ahora(?!\ "
    r"en\ adelante)|hoy|"
    r"esta\ (?:vez|semana|rama|función|línea|prueba)|este\ (?:commit|pr|test|archivo|fichero|"
    r"cambio|ticket)|"
    r"temporalmente|provisionalmente|todavía\ no|aún\ no|una\ sola\ vez|rápidamente)\b"
)
EMPTY = rx(r"\b(?:tests?|pruebas)\b.*\b(?:verdes?|pasen|pasan|pasar)\b|\b(?:todo|nada|algo)[.!]*$")
HEDGED = rx(
    r"\b(?:quizás?|tal\ vez|a\ lo\ mejor|posiblemente|probablemente|seguramente|creo|supongo|"
    r"imagino|parece|podría[n]?|"
    r"debería\ (?:funcionar|bastar)|no\ sé)\b"
)
TALK = rx(
    r"^(?:voy\ a|vamos\ a|déjame|deja\ que|a\ continuación|ahora\ (?:voy|miro|reviso|ejecuto)|"
    r"quieres\ que|"
    r"te\ gustaría|entendido|de\ acuerdo|aquí\ (?:está|tienes|van)|hecho|listo|gracias|primero\ "
    r"(?:voy|miro)|"
    r"avísame|si\ quieres|puedes|he\ (?:leído|revisado|mirado|ejecutado|comprobado|arreglado|"
    r"hecho)|miro|reviso|leo)\b"
)
STATUS = rx(
    r"^(?:tod[oa]s\ )?(?:l[oa]s\ )?(?:\d+\s)?(?:tests?|pruebas|checks?|build)\b.*\b(?:verdes?|"
    r"pasan|pasado|bien|fallan)\b"
    r"|^todo\b"
)
TROUBLE = rx(
    r"\b(?:fall[aóeo]\w*|error(?:es)?|rot[oa]s?|romp\w+|cuelga|lent[oa]s?|mal|vací[oa]s?|"
    r"duplicad[oa]s?|dos\ veces|"
    r"no\ (?:funciona|carga|arranca|va|aparece|sale|llega)|desaparec\w+|pierde|perdid[oa]s?|"
    r"problema\w*|falta[n]?|"
    r"timeout|bug)\b"
)
ORDERS = rx(
    r"^(?:usa\w*|utiliza\w*|guarda\w*|pon\w*|escribe|mantén|siempre|nunca|jamás|no|pregunta\w*|"
    r"avisa\w*)\b"
)
TELLS_A_FACT = rx(
    r"^(?:el|la|los|las|nuestr\w+|tod[oa]s|cada|\w+)\b.{0,60}?\b(?:es|son|está|están|corre|usa|"
    r"usamos|tiene|tienen|"
    r"necesita|cuesta|va|van|se\ llama|cierra|abre|vale)\b"
)
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|vale|sí|si|claro|bien|bueno|perfecto|genial|gracias|hola|oye|mira|ah|"
    r"por cierto|una cosa(?: más)?|"
    r"otra cosa|de acuerdo|estupendo|eso es|exacto|hecho|pd)\b\s*[,.:;!–—-]+\s*"
    r"|(?:y|pero|además|también|entonces|por favor|por cierto|bueno|ah|pues|así que)\b[,:]?\s+)",
    re.IGNORECASE,
)
_ASKING = rx(
    r"^(?:¿|puedes|podrías|podemos|por\ qué|qué|cómo|quién|dónde|cuándo|cuál|debería(?:mos)?|hay\ "
    r"alguna|sabes|"
    r"me\ pregunto|crees)\b|^¿"
)
_POINTS_BACK = rx(
    r"^(?:esto|eso|ese|esa|esos|esas|este|esta|estos|estas|ello|ella|ellos|ellas|él|allí|ahí|así|"
    r"lo\ (?:mismo|anterior)|"
    r"ambos|ambas|entonces|(?:viene|venía|pasa|pasaba|ocurre|ocurría|sucede|se\ debe|se\ "
    r"debía)\b)\b"
    r"(?!\ (?:repo\w*|proyecto|código|equipo|empresa|máquina)\b)"
)
_ELSEWHERE = rx(
    r"\b(?:est[ea]s?|es[ea]s?|estos|esos)\ (?!(?:repo\w*|proyecto|código|equipo|empresa|máquina|"
    r"servicio|es|son)\b)"
    r"[a-záéíóúñ]+|\b(?:otr[oa]|segund[oa]|primer[oa]?|últim[oa]|anterior)\ (?:variante|versión|"
    r"opción|archivo|fichero|"
    r"función|enfoque)\b|\bcomo\ (?:antes|arriba|dije)\b|\bopción\ [a-z0-9]\b|\bde\ (?:arriba|"
    r"abajo)\b"
)
_MONTHS = {
    "enero": "january", "febrero": "february", "marzo": "march", "abril": "april", "mayo": "may",
    "junio": "june", "julio": "july", "agosto": "august", "septiembre": "september",
    "octubre": "october", "noviembre": "november", "diciembre": "december",
}  # fmt: skip
_WEEKDAYS = {
    "lunes": "monday", "martes": "tuesday", "miércoles": "wednesday", "jueves": "thursday",
    "viernes": "friday", "sábado": "saturday", "domingo": "sunday",
}  # fmt: skip
DAYS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (rx(rf"\b(?:{spanish})\b"), english)
    for spanish, english in (
        (r"pasado\ mañana", "in 2 days"),
        (r"mañana", "tomorrow"),
        (r"(?:la\ )?semana\ que\ viene|(?:la\ )?próxima\ semana", "next week"),
        (r"(?:el\ )?mes\ que\ viene|(?:el\ )?próximo\ mes", "next month"),
        (r"(?:el\ )?sprint\ que\ viene|(?:el\ )?próximo\ sprint", "next sprint"),
        (r"(?:en|dentro\ de)\ una\ semana", "in one week"),
        (r"(?:en|dentro\ de)\ dos\ semanas", "in two weeks"),
        (r"(?:en|dentro\ de)\ tres\ semanas", "in three weeks"),
        (r"(?:en|dentro\ de)\ un\ mes", "in one month"),
        (r"(?:a\ )?fin(?:al(?:es)?)?\ de\ mes", "end of the month"),
        (r"(?:a\ )?fin(?:al(?:es)?)?\ de\ año", "end of the year"),
        (r"(?:a\ )?fin(?:al(?:es)?)?\ de", "end of"),
        (r"(?:antes\ del|para\ el|hasta\ el|el)(?=\ (?:\d|lunes|martes|mi|jue|vie|sáb|dom))", "by"),
        *((day, english) for day, english in _WEEKDAYS.items()),
        *((rf"(?:de\ )?{month}", english) for month, english in _MONTHS.items()),
    )
)
"""Spanish words for days, in order, as `times` knows them in English."""


def without_filler(text: str) -> str:
    """`text` without "vale," "por cierto" and the like in front."""
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
