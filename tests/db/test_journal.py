"""The journal: whole records come back, torn ones harm nobody, altered ones are named."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.db import journal
from memdeck.db.home import Home
from memdeck.db.journal import FIRST_HASH, Position

START = Position(0, FIRST_HASH, 0, 0)

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


@pytest.fixture
def home(tmp_path):
    place = Home(tmp_path / "home")
    place.prepare()
    return place


def a_record(text="x"):
    return {"at": 1, "actor": "person", "action": "add", "changes": [{"text": text}]}


@pytest.mark.slow
@given(st.dictionaries(texts, st.one_of(texts, st.integers(), st.none(), st.booleans())))
def test_a_sealed_record_opens_to_the_same_record(fields):
    record = {"seq": 1, **{f"k{name}": value for name, value in fields.items()}, "prev": FIRST_HASH}
    line, digest = journal.seal(record)
    opened, problem = journal.unseal(line)
    assert problem == ""
    assert opened == {**record, "hash": digest}


@given(st.data())
def test_one_changed_byte_is_never_taken_for_a_record(data):
    line, _ = journal.seal({"seq": 1, "text": "Berth 12 floods at spring tide", "prev": FIRST_HASH})
    place = data.draw(st.integers(0, len(line) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[place]))
    altered = line[:place] + bytes([value]) + line[place + 1 :]
    assert journal.unseal(altered)[0] is None


def test_records_come_back_in_order_and_chained(home):
    reached = journal.append(home, START, [a_record("one"), a_record("two")])
    journal.append(home, reached[-1], [a_record("three")])
    records = [found.record for found in journal.read(home)]
    assert [record["changes"][0]["text"] for record in records] == ["one", "two", "three"]
    assert [record["seq"] for record in records] == [1, 2, 3]
    assert records[0]["prev"] == FIRST_HASH
    assert [record["prev"] for record in records[1:]] == [r["hash"] for r in records[:2]]


@given(cut=st.integers(1, 400))
def test_a_torn_tail_swallows_no_neighbour(tmp_path_factory, cut):
    home = Home(tmp_path_factory.mktemp("torn") / "home")
    home.prepare()
    [first] = journal.append(home, START, [a_record("first")])
    [torn] = journal.append(home, first, [a_record("torn " * 60)])
    path = journal.segment_path(home, 1)
    os.truncate(path, max(first.offset, torn.offset - cut))
    [after] = journal.append(home, first, [a_record("after")])
    found = [item.record["changes"][0]["text"] for item in journal.read(home) if item.record]
    assert [text.strip() for text in found if not text.startswith("torn")] == ["first", "after"]
    assert journal.read_one(home, after.segment, after.offset)["changes"][0]["text"] == "after"


def test_a_full_segment_is_followed_by_a_new_one(home, monkeypatch):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 300)
    position = START
    for number in range(6):
        [position] = journal.append(home, position, [a_record(f"text {number}")])
    assert len(journal.segments(home)) > 1
    assert [found.record["seq"] for found in journal.read(home)] == [1, 2, 3, 4, 5, 6]


def test_files_are_private_and_links_are_refused(home, tmp_path):
    [position] = journal.append(home, START, [a_record()])
    assert os.stat(journal.segment_path(home, 1)).st_mode & 0o777 == 0o600
    target = tmp_path / "elsewhere"
    target.write_text("untouched")
    os.remove(journal.segment_path(home, 1))
    os.symlink(target, journal.segment_path(home, 1))
    with pytest.raises(Exception, match="symbolic link"):
        journal.append(home, position, [a_record()])
    assert target.read_text() == "untouched"
