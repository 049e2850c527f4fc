"""A text is cut where its sentences end, in any script: each is kept or not by itself."""

from memdeck.tests.capture.conftest import SessionBuilder

ROWS = [
    ("Boats use pier A from now on. Two? Three!", ["Boats use pier A from now on."]),
    (
        "Use v2.4 of app.py, e.g. for CI, from now on. Then stop.",
        ["Use v2.4 of app.py, e.g. for CI, from now on."],
    ),
    ("Am 3. Mai ist ab jetzt Schluss. Danach nicht.", ["Am 3. Mai ist ab jetzt Schluss."]),
    ("我们 from now on 只用 pnpm。不要用 npm！为什么？", ["我们 from now on 只用 pnpm。"]),
    (
        "テストは from now on 必ず先に実行する。後ではない。",
        ["テストは from now on 必ず先に実行する。"],
    ),
    (
        'The pilot said "Always. Never." from now on and left. It rained.',
        ['The pilot said "Always. Never." from now on and left.'],
    ),
    ("Call `a.b. c` first from now on. Then `d`.", ["Call `a.b. c` first from now on."]),
    (
        "**Keep** boats in [the queue](https://example.org/q) from now on.",
        ["Keep boats in the queue from now on."],
    ),
    (
        "- one thing is blue from now on\n- another thing is red from now on",
        ["One thing is blue from now on.", "Another thing is red from now on."],
    ),
    (
        "```\ncode. more code from now on.\n```\nProse is kept from now on.",
        ["Prose is kept from now on."],
    ),
    # a heading and a table are no words of the user's own
    ("# Boats use pier A from now on\n\nProse.", []),
    ("| boats | use pier A from now on |\n| - | - |\n| cars | use pier B from now on |", []),
    # a question is known by its end
    ("Do boats use pier A from now on?", []),
    ("为什么 from now on 只用 pnpm？", []),
    (
        "Boats use pier A from now on; ferries do not;",
        ["Boats use pier A from now on; ferries do not."],
    ),
    ("", []),
    ("   \n\n", []),
    # what is too much is cut off
    ("One. " * 599 + "Boats use pier A from now on.", ["Boats use pier A from now on."]),
    ("One. " * 600 + "Boats use pier A from now on.", []),
]


def test_a_text_is_cut_where_its_sentences_end(subtests):
    for text, kept in ROWS:
        with subtests.test(text=text[-60:]):
            assert SessionBuilder().asks(text).contents() == kept
