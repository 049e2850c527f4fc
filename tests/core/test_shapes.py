"""Each shape that is told by hand is what its pattern says, for words of every kind of sign."""

import random
import re
from functools import cache

import pytest

from memdeck.core.text import words as shapes
from memdeck.db import index

SIGNS = (
    "aabcdexyz" "ABCEXZ" "01239" "___" "..::--//@+#%°µ" "` \t\n" ",,\u202f" "'’\\"
    "äßéıİΣ" "²٣½" "日本ไทย가" "→—🎉\x1c"
)  # fmt: skip
PLAIN = "aabBEZ019:._-v,` "


def written(signs: str, most: int, count: int) -> list[str]:
    """Words of up to `most` of these signs, the same ones each time."""
    chance = random.Random(f"{signs}{most}")
    return ["".join(chance.choices(signs, k=chance.randint(0, most))) for _ in range(count)]


@cache
def words() -> list[str]:
    return [
        *written(SIGNS, 9, 8_000),
        *written(PLAIN, 7, 8_000),
        *written("Ev0x1-_:aF", 18, 4_000),
    ]


@cache
def texts() -> list[str]:
    return [
        *written(SIGNS, 60, 1_500),
        *written("12345, \u202fa_", 24, 4_000),
        *written("a`b ", 200, 500),
    ]


@cache
def tokens() -> list[str]:
    """Words as a prompt is cut into them: without white space, none empty."""
    return [word for word in words() if word and not any(map(str.isspace, word))]


@pytest.mark.slow
def test_a_word_is_of_the_shape_that_its_pattern_says(subtests):
    rows = [
        (index.has_hump, r"(?s:.*)[a-z0-9][A-Z](?s:.*)"),
        (shapes.is_camel, r"(?s:.*)(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])(?s:.*)"),
        (shapes.is_named, r"(?s:.*)(?:[a-z0-9][A-Z]|[A-Z]{2}|\d|[_/@.:#+])(?s:.*)"),
        (shapes.is_number, r"\d+(?:[.:]\d+)*"),
        (
            shapes.is_code,
            r"[A-Z][A-Za-z]{0,9}[-_]?\d+(?:[-_]\d+)*|E[A-Z]{4,15}|0x[0-9a-fA-F]{2,16}",
        ),
    ]
    for told, pattern in rows:
        with subtests.test(told=told):
            shape = re.compile(pattern)
            wrong = [word for word in tokens() if told(word) != bool(shape.fullmatch(word))]
            assert not wrong
            assert 100 < sum(map(told, tokens())) < len(tokens()) - 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "found"),
    [
        (shapes.letters_and_digits, lambda text: re.findall(r"[^\W_]+", text)),
        (shapes.words, lambda text: re.findall(r"\w+", text)),
        (index.parts_of, lambda text: re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", text)),
        (shapes.quoted_code, lambda text: re.findall(r"`([^`\s]{1,80})`", text)),
        (shapes.ungrouped, lambda text: re.sub(r"(?<=\d)[,\u202f](?=\d{3}\b)", "", text)),
        (shapes.label, lambda text: next(iter(re.findall(r"\A([A-Z][\w.-]{1,30}): ", text)), "")),
    ],
)
def test_a_text_is_taken_apart_as_its_pattern_does(told, found):
    for text in (*words(), *texts()):
        assert told(text) == found(text), text


def test_a_quantity_a_file_and_a_place_in_it():
    for word in tokens():
        number = re.fullmatch(r"v?(\d[\d.:]*)([a-zµ%°]{0,3})", word)
        assert shapes.quantity(word) == (number and number.groups()), word
        file = re.fullmatch(r"[\w@+.-]+\.([A-Za-z]{1,6})", word)
        assert shapes.ending_of_file(word) == (file[1] if file else ""), word
        assert shapes.without_line(word) == re.sub(r"(?<=\w)(?::\d+){1,2}$", "", word), word
        start = len(word) // 2
        at_start = re.compile(r"[^\W_]+").match(word, start)
        assert shapes.run_at(word, start) == (at_start[0] if at_start else ""), word


def test_a_label_has_two_to_thirty_one_signs(subtests):
    rows = [
        ("Caroline: I went there", "Caroline"),
        (f"A{30 * 'b'}: yes", f"A{30 * 'b'}"),
        (f"A{31 * 'b'}: yes", ""),
        ("A: too short", ""),
        ("Al: yes", "Al"),
        ("Caroline:no space", ""),
        ("caroline: small", ""),
    ]
    for text, name in rows:
        with subtests.test(text=text):
            assert shapes.label(text) == name


def test_code_between_backticks_has_one_to_eighty_signs(subtests):
    for length in [0, 1, 80, 81]:
        with subtests.test(length=length):
            assert shapes.quoted_code(f"see `{'x' * length}` there") == ["x" * length] * (
                1 <= length <= 80
            )


def test_writing_without_spaces_is_never_overlooked():
    unspaced = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
    assert all(shapes.may_be_unspaced(word) for word in words() if unspaced.search(word))
    assert not any(map(shapes.may_be_unspaced, ("für", "plain", "Größe", "“x”", "a→b", "Ωμέγα")))
