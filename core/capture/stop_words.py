"""The small words by which a text's language is told: enough to tell these from each other.

Languages without rules are here, too: a text that is known to be one of them is left alone.
Words that are code or names as often as words ("for", "if", "import", "die", "set") are missing
where they would mislead.
"""

from __future__ import annotations

from collections.abc import Mapping

from .subjects import words

STOP_WORDS: Mapping[str, frozenset[str]] = {
    "en": words(
        """
        the a an and or but is are was were be been of to in on at by with for from as that this
        these those it its we you i they our your their not no never always use do does did don't
        doesn't isn't can't won't will would should must may can could have has had when what which
        who how why if then than so only also just please before after because since into all any
        every each more there here me my us let let's i'm i'd i'll we're it's run add fix make
        """
    ),
    "de": words(
        """
        der das und ist nicht ein eine einen einem einer wir ihr sie mit auf für von dem den des zu
        immer nie niemals bitte auch noch nur aber oder wenn dann weil dass daß wird werden wurde
        sind haben hat soll sollte muss müssen kann können beim vom zum zur über unter nach vor
        bei aus ich du uns euch mich dich keine kein nein ja hier dort jetzt alle jede jeder statt
        verwende nutze benutze schreibe mach höchstens mindestens lieber unser unsere
        künftig ab dass
        daß grund erlaubt müssten sollten haben heute diese dieser dieses
        """
    ),
    "fr": words(
        """
        le la les des une et est sont pas ne que qui dans pour avec sur par ce cette ces nous vous
        ils elle il je tu mais ou où donc toujours jamais utilise utilisez faut être avoir fait au
        aux du de un sans plus très aussi avant après quand parce si ici c'est n'est d'un
        d'une qu'il
        """
    ),
    "es": words(
        """
        el los las una y es son que en para con por del al se su sus pero como más muy también
        siempre nunca usa usar hay está están este esta estos cuando porque antes después sin sobre
        nosotros yo tú ellos esto eso debe deben fue ser tiene favor de la un lo hemos tenemos ahora
        todos todas cada ya van va prefiero preferimos recuerda guarda nuestro nuestra tienen tengo
        """
    ),
    "it": words(
        """
        il lo la di un gli una e è sono che di per con non del della dei delle al alla nel
        nella ma anche
        sempre mai usa usare questo questa quando perché prima dopo senza noi voi loro deve essere
        come più molto
        """
    ),
    "pt": words(
        """
        o os de um uma ao e é são que em para com não do da dos das no na nos nas mas como
        mais muito também
        sempre nunca usa use você nós eles isto isso este esta quando porque antes depois sem deve
        ser tem foi
        """
    ),
    "nl": words(
        """
        de het een en is zijn niet van op met voor dat die deze wij jij zij maar ook altijd nooit
        gebruik moet moeten kan kunnen worden wordt als dan omdat naar bij uit geen nog wel graag
        """
    ),
    "pl": words(
        """
        i w na z do nie jest są że to się jak ale lub oraz zawsze nigdy używaj dla po przed przez
        gdy kiedy ponieważ tylko też być musi można proszę
        """
    ),
    "tr": words(
        """
        ve bir bu için ile değil her zaman asla ama veya çok daha gibi olarak olan kullan lütfen
        sonra önce ki mı mi
        """
    ),
    "sv": words(
        """
        och att det som en ett är inte på med för av till den alltid aldrig vi ni jag du men eller
        om när innan efter utan ska måste kan från använd
        """
    ),
    "ru": words("и в не на что это с как по для из мы вы они но или всегда никогда если используй"),
    "uk": words("і в не на що це з як по для із ми ви вони але або завжди ніколи якщо"),
}
"""ISO 639-1 code -> small words, lower case."""
