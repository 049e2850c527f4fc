"""What is printed can be read, and cannot steer a terminal."""

import json
import random
import re

import pytest
from rich.cells import cell_len

from memdeck import open_memory
from memdeck.tests.fillers import filler

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202eevil\u2066\ufeff\U000e0041\x7f\r"
SIGNS = [*"ab \t\n<>[]…é漢👩🎉", "e\u0301", "👩\u200d💻", "日本", *HOSTILE]


def texts(count):
    """Texts of all kinds of signs, the same ones each time."""
    chance = random.Random(count)
    return [
        f"{filler(n, 2)} {''.join(chance.choices(SIGNS, k=chance.randint(0, 90)))}{HOSTILE}end"
        for n in range(count)
    ]


@pytest.fixture
def stocked(home):
    """Memories whose texts would steer the terminal that shows them."""
    with open_memory(home) as memory:
        report = memory.import_memories({"content": text} for text in texts(16))
        assert not report.refused
        return report.ids


def test_nothing_that_is_shown_is_a_control_or_wider_than_the_terminal(
    cli, home, stocked, subtests
):
    lines = cli("list", "--json").out
    told = [json.loads(line) for line in lines.splitlines()]
    assert len(told) == len(lines.split("\n")) - 1 == 16  # each is one line, and says the same
    assert not any(ord(sign) < 32 and sign != "\n" for sign in lines)
    with open_memory(home) as memory:
        assert {one["content"] for one in told} == {one.content for one in memory.list()}
    for words in (("list",), ("search", "end"), *(("show", one) for one in stocked[:5])):
        with subtests.test(words=words):
            out = cli(*words).out
            assert not any(ord(sign) < 32 and sign not in "\n" for sign in out)
            assert not any(0x7F <= ord(sign) < 0xA0 for sign in out)
            assert not set("\u202e\u2066\ufeff\U000e0041") & set(out)
            assert all(cell_len(line) <= 80 for line in out.splitlines())
            if words[0] == "list":
                assert out.count("…") >= 4  # what is cut says so
    for one in told[:5]:
        shown = cli("show", one["id"]).out
        letters = re.sub(r"\s+", "", one["content"])
        assert letters in re.sub(r"\s+", "", shown), shown  # wrapped, and no character lost
