"""What is printed can be read, and cannot steer a terminal."""

import json
import random
import re
from datetime import UTC, datetime, timedelta

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


def test_ages_are_short(cli, home):
    day, now = 86_400, datetime.now(UTC)
    rows = [
        (0, "now"),
        (40, "now"),
        (80, "1m"),
        (3_580, "59m"),
        (3_620, "1h"),
        (day - 20, "23h"),
        (day + 20, "1d"),
        (20 * day + 20, "20d"),
        (21 * day + 20, "3w"),
        (63 * day + 20, "2mo"),
        (364 * day + 20, "11mo"),
        (365 * day + 20, "1y"),
        (40 * 365.25 * day + 20, "40y"),
    ]
    with open_memory(home) as memory:
        memory.import_memories(
            {"content": filler(n), "created_at": (now - timedelta(seconds=seconds)).isoformat()}
            for n, (seconds, _) in enumerate(rows)
        )
    lines = cli("list").out.splitlines()
    for number, (_, age) in enumerate(rows):
        [line] = [line for line in lines if filler(number, 8)[:20] in line]
        assert f" {age} " in line, line


def test_a_gauge_is_full_at_its_limit_and_sizes_are_for_readers(cli, home):
    empty = cli("status").out
    assert re.search(r"tiers +░{20} ", empty)
    [database, journal] = re.search(r"(\d+) kB database, (\d+) B journal", empty).groups()
    assert int(database) == round((home / "memory.db").stat().st_size / 1000)
    assert journal == "0"
    cli("remember", f"Berth 12 floods, {filler(1, 200)}", "--pin")
    assert re.search(r"tiers +█{20} ", cli("status").out)
    answer = cli("recall", "when does berth 12 flood?", "--explain")
    told = answer.out + answer.err
    gauges = re.findall(r"([█░]+) +([\d,]+) of ([\d,]+)", told)
    assert len(gauges) >= 4
    for bar, used, limit in gauges:
        share = int(used.replace(",", "")) / int(limit.replace(",", ""))
        assert bar == f"{'█' * round(share * 20):░<20}"
