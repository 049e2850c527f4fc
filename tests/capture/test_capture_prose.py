"""Whose words are they? Only the author's own count."""

import pytest

from memdeck.core.capture.prose import MAX_SENTENCES, mask, sentences


def own(text, **options):
    return [sentence.text for sentence in sentences(text, **options)]


@pytest.mark.parametrize(
    "text",
    [
        "```\nalways use tabs\n```",
        "~~~py\nalways use tabs\n~~~",
        "````\n```\nalways use tabs\n```\n````",
        "```\nalways use tabs, and the fence is never closed",
        "> always use tabs",
        "&gt; always use tabs",
        "    always use tabs",
        "\talways use tabs",
        "| always | use tabs |",
        "# Always use tabs",
        'The guide says "always use tabs".',
        "The guide says “always use tabs”.",
        "The linter calls it `always use tabs`.",
        '"Always use tabs when you write Makefiles."',
    ],
)
def test_an_instruction_in_code_or_quotation_is_none(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-18T16:31:02Z INFO never run as root\n2026-11-18T16:31:03Z WARN always warm up",
        "Here's the log:\n\nalways warm the cache\nnever run as root",
        "Here's the log:\nalways warm the cache\nnever run as root",
        "the output:\n\nalways warm the cache",
        "Dana wrote:\nnever deploy on Fridays, always ask me",
        "ERROR: always close the pool\nERROR: never reuse it",
        'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: never pass None',
        "$ always --now\n$ never --again",
        "+++ b/a.py\n@@ -1 +1 @@\n+   # always use tabs",
        "at always.use (tabs.js:1:2)\nat never.use (spaces.js:1:2)",
        "E   always use tabs\nFAILED a.py::t - never mind",
    ],
)
def test_pasted_matter_without_a_fence_is_not_the_persons(said, text):
    assert said(text) == []


def test_words_around_a_paste_are_the_persons(said):
    text = (
        "Never use `eval` in templates.\n\n"
        "2026-11-18 16:20:11 ERROR always restart\n2026-11-18 16:20:12 ERROR always restart\n\n"
        "Always escape user input in templates."
    )
    assert len(said(text)) == 2


def test_a_list_of_rules_is_no_paste(said):
    text = "Please remember these rules:\n- never use `eval` in templates\n- always sign commits"
    assert said(text) == ["Never use `eval` in templates.", "Always sign commits."]


def test_lines_that_were_wrapped_are_one_sentence():
    text = (
        "Always run the complete suite, also the slow tests that need\na database, before tagging."
    )
    assert own(text) == [text.replace("\n", " ")]


def test_short_lines_are_sentences_of_their_own():
    assert own("use uv not pip\nnever commit to main") == ["use uv not pip", "never commit to main"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("See app.py. It works.", ["See app.py.", "It works."]),
        ("Use e.g. uv. Not pip.", ["Use e.g. uv.", "Not pip."]),
        ("Keep it 48 h. Then drop it.", ["Keep it 48 h.", "Then drop it."]),
        ("It says `a. b`. Done.", ["It says `a. b`.", "Done."]),
        ("What? Yes!", ["What?", "Yes!"]),
        ("**Note:** use `**kwargs` *here*.", ["Note: use `**kwargs` here."]),
        ("See [the guide](https://x.dev/a).", ["See the guide."]),
        ("`__init__.py` lists rooms.", ["`__init__.py` lists rooms."]),
    ],
)
def test_text_is_split_into_plain_sentences(text, parts):
    assert own(text) == parts


def test_the_mask_keeps_every_place():
    text = "Don’t use \"always\" or `never` or 'maybe so' here"
    masked = mask(text)
    assert len(masked) == len(text)
    assert "always" not in masked
    assert "never" not in masked
    assert "maybe" not in masked
    assert masked.startswith("Don't use")


def test_a_sentence_keeps_its_number_whatever_was_dropped_before_it():
    first = sentences("Yes. {}{}{}{}{}{}. Always sign commits.")
    assert [sentence.index for sentence in first] == [0, 2]


def test_endless_text_is_bounded():
    assert len(sentences("Never do so. " * 5000)) == MAX_SENTENCES
    assert sentences("always " * 5000) == ()
