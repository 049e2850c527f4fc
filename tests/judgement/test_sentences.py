"""A text as its sentences, in any script."""

import pytest

from memdeck.core.text.sentences import LONGEST_SENTENCE, MOST_SENTENCES, sentences

ROWS = [
    ("One. Two? Three!", ["One.", "Two?", "Three!"]),
    (
        "Use v2.4 of app.py, e.g. for CI. Then stop.",
        ["Use v2.4 of app.py, e.g. for CI.", "Then stop."],
    ),
    ("Am 3. Mai ist Schluss. Danach nicht.", ["Am 3. Mai ist Schluss.", "Danach nicht."]),
    ("我们只用 pnpm。不要用 npm！为什么？", ["我们只用 pnpm。", "不要用 npm！", "为什么？"]),
    ("テストは必ず先に実行する。後ではない。", ["テストは必ず先に実行する。", "後ではない。"]),
    ('He said "Always. Never." and left.', ['He said "Always. Never." and left.']),
    ("Call `a.b. c` first. Then `d`.", ["Call `a.b. c` first.", "Then `d`."]),
    ("**Keep** it in [the queue](https://example.org/q).", ["Keep it in the queue."]),
    ("- one thing\n- another thing", ["one thing", "another thing"]),
    ("```\ncode. more code.\n```\nProse.", ["Prose."]),
    ("", []),
    ("   \n\n", []),
]


@pytest.mark.parametrize(("text", "cut"), ROWS)
def test_a_text_is_cut_where_its_sentences_end(text, cut):
    assert [one.text for one in sentences(text)] == cut


def test_headings_items_and_cells_are_known_as_such():
    text = "# Plan\n\nProse.\n\n- item\n\n| a | b |\n| - | - |\n| one | two |\n"
    assert [(one.kind, one.text) for one in sentences(text)] == [
        ("heading", "Plan"),
        ("text", "Prose."),
        ("item", "item"),
        ("cell", "one | two"),
    ]


@pytest.mark.parametrize(
    ("text", "asks"), [("Why?", True), ("Why.", False), ("为什么？", True), ("done;", False)]
)
def test_a_question_is_known_by_its_end(text, asks):
    [one] = sentences(text)
    assert one.is_question is asks


def test_what_is_too_long_or_too_much_is_cut_off():
    assert len(sentences("word " * 1000)[0].text) == LONGEST_SENTENCE
    assert len(sentences("One. " * 2000)) == MOST_SENTENCES
