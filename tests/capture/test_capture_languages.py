"""Rules are data, a set for each language; a text that no set knows is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.capture.extract import extract
from memdeck.core.capture.languages import ENGLISH, LANGUAGES, Language, language_of
from memdeck.core.capture.rules import Rule, rx
from memdeck.core.capture.stop_words import STOP_WORDS

GERMAN = Language(
    stop_words=STOP_WORDS["de"],
    person=(
        Rule(
            "always-never",
            rx(r"\b(?:immer|nie|niemals)\b"),
            "preference",
            "semantic",
            0.85,
            0.9,
            "principle",
            ("instruction",),
        ),
    ),
    correction=rx(r"^nein,\s*(?P<said>\S.*)$"),
    agent=(
        Rule(
            "cause",
            rx(r"^(?:die\ )?ursache\ (?:war|ist)\b"),
            "discovery",
            "semantic",
            0.6,
            0.7,
            "fact",
            needs_fact=True,
        ),
    ),
    one_off=rx(r"\b(?:heute|gerade|diesmal)\b"),
)
BOTH = {**LANGUAGES, "de": GERMAN}


def test_another_language_is_one_more_value(session):
    session.asks("Benutze in diesem Projekt immer pnpm und nie npm.").runs("make x")
    session.says("Die Ursache war, dass `parse()` die letzte Zeile nicht liest.")
    session.asks("Always use tabs in Makefiles.")
    english = extract(session.turns, session="s1", languages={"en": ENGLISH})
    assert [c.content for c in english] == ["Always use tabs in Makefiles."]
    found = extract(session.turns, session="s1", languages=BOTH)
    assert [(c.rule, c.content) for c in found] == [
        ("person.always-never", "Benutze in diesem Projekt immer pnpm und nie npm."),
        ("agent.cause", "Die Ursache war, dass `parse()` die letzte Zeile nicht liest."),
        ("person.always-never", "Always use tabs in Makefiles."),
    ]


def test_a_languages_own_refusals_and_corrections_count(session):
    session.asks("Benutze heute bitte nie den Cache.")
    session.asks("Nein, wir verwenden immer Postgres und nicht Redis.")
    found = extract(session.turns, session="s1", languages=BOTH)
    assert [c.rule for c in found] == ["person.correction"]


def test_an_english_sentence_in_a_text_of_another_language_counts(said):
    text = "Écris un test pour la fonction avec les dates. Always use the real clock in our tests."
    assert said(text) == ["Always use the real clock in our tests."]


@pytest.mark.parametrize(
    "text",
    [
        "Utilise toujours pnpm dans ce projet, jamais npm.",
        "Note : le serveur de staging est à Paris, dans la zone eu-west-3.",
        "Usa sempre pnpm in questo progetto, non usare mai npm.",
        "Use sempre pnpm neste projeto, nunca npm, porque é mais rápido.",
        "Gebruik altijd pnpm in dit project, nooit npm.",
        "Zawsze używaj pnpm, nigdy npm, ponieważ jest szybszy.",
        "Bu projede her zaman pnpm kullan, asla npm kullanma.",
        "Använd alltid pnpm i det här projektet, aldrig npm.",
        "Всегда используй pnpm, никогда npm.",
        "このリポジトリでは必ず pnpm を使ってください。",
        "请始终使用 pnpm,不要使用 npm。",
        "استخدم pnpm دائما",
    ],
)
def test_a_language_without_rules_gives_nothing_and_no_error(session, text):
    session.asks(text).runs("make x").says(text)
    assert session.captures() == []


@pytest.mark.parametrize(
    "text",
    [
        "Always use pnpm, never npm.",
        "pnpm, not npm",
        "Never push.",
        "No, use uv.",
        "no",
        "The naïve parser drops the last row.",
        "uv sync",
        "",
        "42",
        "Die processes that hang, please.",
        "Use the file de_DE.po and la.toml for the tests.",
    ],
)
def test_english_is_known_by_its_small_words_or_by_plain_letters(text):
    assert language_of(text) is ENGLISH


def test_code_and_quotations_do_not_decide_the_language():
    text = 'Always keep the message "der Wert ist nicht für das und die Liste" as it is.'
    assert language_of(text, BOTH) is ENGLISH


def test_a_language_without_any_refusals_accepts_any_text():
    empty = Language(stop_words=frozenset())
    for judge in (empty.asks, empty.leans_back, empty.points_elsewhere):
        assert not judge("this, that and the other?")
    assert empty.without_filler("ok, go") == "ok, go"


@given(st.text(max_size=300))
def test_every_text_has_one_known_language_or_none(text):
    assert language_of(text, BOTH) in (*BOTH.values(), None)
    assert language_of(text, BOTH) is language_of(text, BOTH)
