"""German and Spanish: what stands, what passes, and the days they name."""

from datetime import UTC, datetime

import pytest

GERMAN = (
    "Beträge werden immer in Cent gespeichert.",
    "Bitte nie direkt auf main pushen.",
    "Merk dir, dass die Nachtabrechnung um 04:00 Uhr läuft.",
    "Wichtig: die Rechnungsnummern vergibt das Finanzportal, wir erfinden keine.",
    "Ab jetzt schreibst du die Commits auf Englisch.",
    "Nimm pnpm statt npm.",
    "Wir haben uns gegen GraphQL entschieden, weil das Caching zu aufwendig ist.",
    "Wir bleiben bei MariaDB.",
    "Ich mag lieber kurze Funktionen als lange.",
    "Alle Buchungen müssen stornierbar sein.",
    "Die Schachuhr darf nie zurückgesetzt werden.",
    "Die Lohnabrechnung läuft auf dem Server lohn-2.",
    "Das Testsystem ist unter 10.40.0.12 erreichbar.",
    "Die Bank erlaubt höchstens 50 Anfragen pro Minute.",
    "Belege müssen laut GoBD zehn Jahre aufbewahrt werden.",
    "Nein, die Mehrwertsteuer ist 19 %, nicht 16 %.",
    "Korrektur zu gestern: der Stichtag ist der 20., nicht der 25.",
    "Erinner mich daran, den Mandanten vor Ende des Monats umzustellen.",
    "Nächste Woche müssen wir das Zertifikat der Bodenstation erneuern.",
    "Bis Freitag müssen wir den Export an die Steuerberaterin schicken.",
    "Keine Mocks in den Integrationstests.",
    "Frag mich bitte, bevor du etwas in der Produktion löschst.",
    "Der Grund für die feste Version ist, dass die neue den Zeichensatz nicht kennt.",
    "Die Messwerte vom 3. Mai sind falsch, bitte bis zur Kalibrierung ignorieren.",
    "Mandanten werden nur vom Onboarding-Job angelegt.",
    "vor jedem Release die Migrationen gegen eine Kopie der Produktion laufen lassen",
    "Kommentare bitte auf Deutsch, Bezeichner auf Englisch.",
)

GERMAN_TALK = (
    "Bitte schreib einen Test für die Buchung.",
    "Kannst du das immer so machen?",
    "Der Export stürzt immer ab, wenn ich speichere.",
    "Warum ist die Seite leer?",
    "Jetzt bitte nochmal laufen lassen.",
    "Danke, das passt.",
    "Das ist falsch.",
    "nein",
    "Nein, das meinte ich nicht.",
    "Keine Ahnung.",
    "Heute bitte nichts mehr deployen.",
    "Die Tests sind rot.",
    "Mach den Button blau, nicht rot.",
    "Ich glaube, wir sollten Redis nehmen.",
    "Wir müssen das heute noch fixen.",
    "Lass uns morgen darüber reden.",
    'Der Kollege sagt "nie Floats verwenden".',
    "Ich habe das noch nie gesehen.",
    "Nimm die andere Variante.",
    "Es funktioniert immer noch nicht.",
    "Ich bekomme einen Fehler beim Speichern der Rechnung.",
    "Schau dir bitte die Datei an.",
    "Ändere den Titel und füge eine Spalte hinzu.",
    "Die Summe ist falsch, bitte korrigieren.",
    "Alle Tests müssen grün sein.",
    "Kein Problem.",
)

SPANISH = (
    "Los importes se guardan siempre en céntimos.",
    "Por favor, no subas nunca nada directamente a main.",
    "Recuerda que la auditoría nocturna corre a las 04:00.",
    "Importante: el número de factura lo asigna la agencia, nosotros no lo inventamos.",
    "A partir de ahora los commits van en inglés.",
    "Usa pnpm en vez de npm.",
    "Hemos decidido no usar GraphQL porque la caché es demasiado complicada.",
    "Nos quedamos con MariaDB para las reservas.",
    "Prefiero las funciones cortas a las clases largas.",
    "Todas las reservas deben poder cancelarse.",
    "El reloj de ajedrez no se debe reiniciar nunca.",
    "La base de datos de pruebas está en el servidor res-db-2.",
    "El banco permite como máximo 50 peticiones por minuto.",
    "Por ley hay que conservar las facturas durante cinco años.",
    "No, el IVA es del 21 %, no del 19 %.",
    "Corrección a lo de ayer: la fecha de corte es el día 20, no el 25.",
    "Recuérdame cambiar la tarifa antes del 15 de mayo.",
    "La semana que viene tenemos que renovar el certificado de la antena.",
    "Para el viernes tenemos que enviar el informe a la gestora.",
    "No uses mocks en las pruebas de integración.",
    "Pregúntame antes de borrar algo en producción.",
    "Las medidas del 3 de mayo están mal, exclúyelas hasta la nueva calibración.",
    "Las habitaciones solo las crea el proceso de alta.",
    "Cada vez que cambies el esquema, regenera el cliente con `make client`.",
)

SPANISH_TALK = (
    "Escribe un test para la reserva, por favor.",
    "¿Puedes hacerlo siempre así?",
    "La página siempre falla cuando guardo.",
    "¿Por qué está vacía la lista?",
    "Ahora ejecútalo otra vez.",
    "Gracias, así está bien.",
    "Eso está mal.",
    "no",
    "No, eso no es lo que quería.",
    "No sé.",
    "Hoy no despliegues nada más.",
    "Los tests están en rojo.",
    "Pon el botón azul, no rojo.",
    "Creo que deberíamos usar Redis.",
    "Tenemos que arreglar esto hoy.",
    "Mañana tenemos que hablar de esto.",
    'El compañero dice "nunca uses floats".',
    "Nunca he visto esto.",
    "Usa la otra opción.",
    "Sigue sin funcionar.",
    "Me sale un error al guardar la factura.",
    "Mira el archivo, por favor.",
    "Cambia el título y añade una columna.",
    "El total está mal, corrígelo.",
    "Todos los tests tienen que pasar.",
    "No pasa nada.",
    "Vale, sigue.",
)

GERMAN_FINDINGS = (
    "Die Ursache lag in `steuer.py`: der Satz wurde pro Prozess zwischengespeichert.",
    "Es liegt daran, dass `clock.py` die Sekunden auf ganze Werte rundet.",
    "Hinweis: `make clean` löscht auch die lokale `.env`-Datei.",
    "`rechnung.py` rundet jetzt erst die Summe und nicht mehr die Positionen.",
)

GERMAN_REPORTS = (
    "Ich schaue mir jetzt `steuer.py` an.",
    "Alle 12 Tests sind grün.",
    "Vermutlich liegt es an `clock.py`.",
    "Fertig, die Datei ist angepasst.",
    "Soll ich das auch für `b.py` machen?",
)

SPANISH_FINDINGS = (
    "La causa estaba en `tarifas.py`: el límite superior de la temporada es exclusivo.",
    "Se debe a que `clock.py` redondea los segundos a enteros.",
    "Ojo: `make clean` borra también el fichero local `.env`.",
    "`factura.py` ahora redondea el total y ya no cada línea.",
)

SPANISH_REPORTS = (
    "Voy a mirar `tarifas.py`.",
    "Todas las pruebas pasan.",
    "Probablemente viene de `clock.py`.",
    "Hecho, el archivo está listo.",
    "¿Quieres que lo haga también en `b.py`?",
)
SAID_AT = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize("sentence", [*GERMAN, *SPANISH])
def test_what_a_person_lays_down_is_kept(said, sentence):
    assert len(said(sentence)) == 1


@pytest.mark.parametrize("sentence", [*GERMAN_TALK, *SPANISH_TALK])
def test_what_is_of_the_moment_is_left_alone(said, sentence):
    assert said(sentence) == []


def told(session, asked, answer):
    session.asks(asked).runs("make build").says(answer)
    return [c for c in session.captures() if c.rule.startswith("agent.")]


@pytest.mark.parametrize("sentence", [*GERMAN_FINDINGS, *SPANISH_FINDINGS])
def test_what_an_agent_found_is_kept(session, sentence):
    assert len(told(session, "Warum zeigt die Uhr nach jedem Zug die falsche Zeit?", sentence)) == 1


@pytest.mark.parametrize("sentence", [*GERMAN_REPORTS, *SPANISH_REPORTS])
def test_what_an_agent_merely_reports_is_left_alone(session, sentence):
    asked = "El reloj pierde un segundo en cada jugada."
    assert told(session, asked, sentence) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Bis Freitag müssen wir den Export an die Steuerberaterin schicken.", "2026-11-20"),
        ("Erinner mich daran, den Mandanten vor Ende des Monats umzustellen.", "2026-11-30"),
        ("In zwei Wochen müssen wir die Antenne neu ausrichten.", "2026-12-02"),
        ("Recuérdame cambiar la tarifa antes del 15 de mayo.", "2027-05-15"),
        ("La semana que viene tenemos que renovar el certificado.", "2026-11-25"),
    ],
)
def test_a_day_is_known_in_every_language_with_rules(session, text, day):
    [kept] = session.asks(text, at=SAID_AT).captures()
    assert kept.type == "prospective"
    assert f"{kept.due:%Y-%m-%d}" == day
    assert day in kept.content


def test_a_language_may_change_between_two_sentences(said):
    text = "Please add the export. Beträge werden immer in Cent gespeichert und nie gerundet."
    assert said(text) == ["Beträge werden immer in Cent gespeichert und nie gerundet."]


def test_quotations_and_code_are_nobodys_instructions_in_any_language(said):
    assert said('Der Leitfaden sagt "nie direkt auf main pushen".') == []
    assert said("La guía dice `nunca uses floats` en la primera línea.") == []
