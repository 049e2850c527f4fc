"""Whatever is put in: a clear refusal or a readable memory, and never half of one.

After every attempt the store is read whole, as it is after a real one: a value that can be
written and not read would lock a person out of everything else.
"""

import json
import math
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memdeck import BadInput, Capture, ManagerError, NotFound, Origin
from memdeck.cli.main import run

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
HALF = "half \ud800 a character"
HUGE = 10**5_000
DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]

NO_TEXT = [None, 5, 0.5, True, b"bytes", [], {}, HUGE, object(), {"a"}]
NO_LIST = [None, 5, "abc", b"abc", True, HUGE, [5], [None], [b"x"], [["x"]], {"a": 1}, object()]
NO_NUMBER = [None, "0.5", "high", b"1", [], {}, object(), True, math.nan, math.inf, -math.inf,
             -0.01, 1.01, 7, HUGE, -HUGE, 10**400]  # fmt: skip
NO_MOMENT = [5, "tomorrow", b"x", [], {}, 0.5, True, HUGE, math.nan, date(2026, 1, 1)]
NO_WORD = [5, b"x", "", "gossip", [], {}, True, HUGE, HALF, "x" * 100_000]


@pytest.fixture
def attempt(core):
    """Try an act; the store stays readable and whole whatever comes of it. Says what came."""
    known = core.remember(TIDE, type="prospective").memory_id

    def run(act):
        before = core.last_seq()
        try:
            act()
            came = "done"
        except BadInput as error:
            came = "refused" if len(str(error)) < 400 else f"refused in {len(str(error))} letters"
            if core.last_seq() != before:
                came = "refused, yet something was written"
        assert not core._store.connection.in_transaction
        for memory in [*core.list(), *core.list("is:retired")]:
            repr(core.show(memory.id))
        for entry in core.audit(limit=3):
            repr(core.differences(entry.seq))
        return came

    run.known = known
    yield run
    outcome = core.verify()
    assert outcome.ok, outcome.problems


FIELDS = {
    "text": NO_TEXT,
    "title": [one for one in NO_TEXT if one],
    "key": [one for one in NO_TEXT if one is not None] + ["k" * 501],
    "type": [one for one in NO_WORD if one],
    "category": [one for one in NO_WORD if one],
    "scope": [one for one in NO_WORD if one],
    "tags": [*NO_LIST, ["t" * 201]],
    "files": [*NO_LIST, ["f" * 4_097]],
    "importance": NO_NUMBER[1:],
    "due": NO_MOMENT,
    "expires": NO_MOMENT,
    "details": ["abc", 5, [1], b"x", True, object(), {"evidence_count": HUGE}, {"x": DEEP},
                {5: 1}, {"concept": object()}, {"x": math.nan}, {"x": "y" * 70_000}],
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_remember_refuses_what_it_cannot_keep(core, attempt, field):
    for number, value in enumerate(FIELDS[field]):
        given = {"text": f"{TIDE}, {field} {number}", field: value}
        assert attempt(lambda given=given: core.remember(**given)) == "refused", repr(value)[:60]
    assert len(core.list()) == 1


EDITS = {
    "title": NO_TEXT,
    "content": [*NO_TEXT, "", " \n", "\u200b", "x" * 4_001, "y" * 70_000],
    "type": [one for one in NO_WORD if one != ""],
    "category": [one for one in NO_WORD if one],
    "scope": [one for one in NO_WORD if one],
    "importance": NO_NUMBER,
    "confidence": NO_NUMBER,
    "privacy": [None, *NO_WORD],
    "tags": NO_LIST,
    "files": NO_LIST,
    "due": [*NO_MOMENT[1:5], True, HUGE, 2**63, 10**15, math.nan, math.inf],
    "expires": [*NO_MOMENT[1:5], True, HUGE, 2**63, -(10**15), math.nan],
    "details": ["abc", 5, [1], None, {"priority": 9}, {"due_at": 2**62}, {"due_at": 10**15}],
    "id": ["other"],
    "project": ["other"],
}


@pytest.mark.parametrize("field", EDITS)
def test_edit_refuses_what_it_cannot_keep(core, attempt, field):
    before = core.show(attempt.known)
    for value in EDITS[field]:
        came = attempt(lambda value=value: core.edit(before.id, **{field: value}))
        assert came == "refused", repr(value)[:60]
    assert core.show(before.id) == before


def test_moments_at_the_ends_of_the_calendar_can_be_read_again(core, attempt):
    east, west = timezone(timedelta(hours=14)), timezone(-timedelta(hours=14))
    ends = [
        datetime.min,
        datetime.max,
        datetime(1, 1, 1, tzinfo=east),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=west),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ]
    for number, end in enumerate(ends):
        assert attempt(lambda: core.remember(f"{TIDE}, {number}", due=end, expires=end)) == "done"  # noqa: B023
        assert attempt(lambda: core.edit(attempt.known, due=end)) == "done"  # noqa: B023
        assert core.show(attempt.known).due.year in (1, 9999)
        assert core.audit(since=end.replace(tzinfo=UTC), until=end) == []


def test_numbers_are_kept_as_the_database_keeps_them(core, attempt):
    """Else a row would differ from its journal entry: 1 and 1.0, 0.0 and -0.0."""
    cases = [
        {"importance": 1},
        {"importance": 0},
        {"importance": -0.0},
        {"type": "procedural", "details": {"success_rate": 1, "usage_count": 3.0}},
        {"type": "episodic", "details": {"emotional_valence": -1.0, "context": {"a": [1, 2.5]}}},
        {"type": "prospective", "details": {"priority": 5.0}},
    ]
    for number, fields in enumerate(cases):
        assert attempt(lambda: core.remember(f"{TIDE}, {number}", **fields)) == "done"  # noqa: B023
    first, second = [memory.id for memory in core.list()[:2]]
    core.link(first, second, "extends", 1)
    assert core.verify().ok


TEXTS = {
    "a\0b of the harbour": "a\ufffdb of the harbour",
    "a \ud800 b": "a \ufffd b",
    "a \udfff\ud800 b": "a \ufffd\ufffd b",
    "a\u200bb": "ab",
    "a \u202e b": "a  b",
    "\x1b]0;title\x07text": "text",
    "line\r\nline\rline": "line\nline\nline",
    "cafe\u0301": "caf\u00e9",
    "\ufffe\uffff": "\ufffe\uffff",
    "👩\u200d🚀": "👩\u200d🚀",
    "'; DROP TABLE memory; --": "'; DROP TABLE memory; --",
}


def test_every_text_field_is_cleaned_and_comes_back(core, attempt, subtests):
    for text in TEXTS:
        with subtests.test(text=text):
            clean = TEXTS[text]
            made = core.remember(
                text, title=f"T {text}", tags=[text], files=[text], key=text
            ).memory_id
            memory = core.show(made)
            assert memory.content == clean
            assert memory.tags == memory.files == (clean,)
            assert core.show(text).id == made
            for ask in (core.list, core.search, core.suggest, core.recall, core.find):
                ask(text)
                ask(f"tag:{text}")
            core.forget(made, reason=text)
            assert core.audit()[0].reason == clean


def test_names_that_no_database_takes_are_not_found(core, attempt):
    for ref in ("\ud800", "\0", "x" * 1_000_000, "\udcff" * 9):
        with pytest.raises(NotFound):
            core.show(ref)
    for ref in (5, None, b"x", ["x"], HUGE):
        with pytest.raises(BadInput):
            core.show(ref)
    for refs in (5, None, b"x", [5], {"a": 1}):
        with pytest.raises(BadInput):
            core.forget(refs)


def test_numbers_that_no_database_takes_are_refused_or_not_found(core, attempt):
    for ask in (core.undo, core.differences):
        for number in (-1, 0, 4711, 2**63, 2**70, -(2**70)):
            with pytest.raises(ManagerError):
                ask(number)
    assert [row.is_gone for row in core.rows([2**70])] == [True]
    for ask in (
        lambda: core.memory(2**70),
        lambda: core.audit(before=2**70),
        lambda: core.search("tide", limit=2**70),
        lambda: core.set_transcript_mark("x", 2**70, 1),
        lambda: core.find(5),
    ):
        assert attempt(ask) == "refused"


def test_sessions_have_any_name(core, attempt):
    for name in (HALF, "\0", "", "'", "x" * 4_000):
        core.session_seen(name, HALF, HALF, HALF, HALF)
        core.session_goal(name, f"look into {HALF} " + "word " * 20_000)
        core.session_ended(name, HALF)
        core.set_transcript_mark(name, 1, 1)
        assert core.transcript_mark(name) == (1, 1)
        core.clear_working_memory(name)
        core.recall("spring tide", session=name, host=HALF, files=[HALF])
    assert core.verify().ok
    assert attempt(lambda: core.session_seen("x" * 5_000, "claude")) == "refused"


def test_a_secret_in_a_name_reaches_no_file(core, home_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    core.remember(TIDE)
    core.session_seen(secret, secret, f"/srv/{secret}", secret, secret)
    core.session_goal(secret, f"use {secret}")
    core.session_ended(secret, secret)
    core.recall("spring tide", session=secret)
    core.forget(core.list()[0].id, reason=f"it named {secret}")
    core.offer([Capture(content=TIDE, rule=secret, origin=Origin(session=secret, ref=secret))])
    core.close()
    for path in home_path.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path


CAPTURES = [
    Capture(content=None),
    Capture(content=5),
    Capture(content=TIDE + " nan", importance=math.nan),
    Capture(content=TIDE + " inf", importance=math.inf),
    Capture(content=TIDE + " category", category="gossip"),
    Capture(content=TIDE + " type", type="gossip"),
    Capture(content=TIDE + " line", origin=Origin(line=2**70)),
    Capture(content=TIDE + " session", origin=Origin(session="s" * 5_000)),
    Capture(content=TIDE + " details", details={"x": DEEP}),
    Capture(content=TIDE + " tags", tags=("t" * 300,)),
]


@pytest.mark.parametrize("number", range(len(CAPTURES)))
def test_a_capture_that_cannot_be_kept_is_refused_whole(core, attempt, number):
    assert attempt(lambda: core.offer([CAPTURES[number]])) == "refused"
    assert len(core.list()) == 1


def test_a_capture_of_any_length_is_cut_and_read_in_bounded_time(core):
    order = "From now on always open the sluice of pier C at noon, when the tide turns. "
    [result] = core.offer([Capture(content=order * 150_000, rule="person.instruction")])
    assert len(core.show(result.memory_id).content) <= 500


STORED = [
    {"importance": "x"},
    {"importance": math.nan},
    {"tags": None},
    {"tags": "abc"},
    {"category": 5},
    {"evidence_count": "x"},
    {"title": 5},
    [1],
    "abc",
]


@pytest.mark.parametrize("metadata", STORED, ids=repr)
def test_store_of_the_first_design_refuses_what_it_cannot_keep(core, attempt, metadata):
    assert attempt(lambda: core.store(TIDE + " again", "semantic", metadata)) == "refused"


# --- import

BAD = [
    5,
    None,
    [],
    "text",
    {},
    {"content": None},
    {"content": 5},
    {"content": ""},
    {"content": " \u200b "},
    {"content": "x" * 4_001},
    {"content": HALF},
    {"content": "a", "importance": "nan"},
    {"content": "b", "importance": math.inf},
    {"content": "c", "importance": HUGE},
    {"content": "d", "importance": [1]},
    {"content": "e", "confidence": -1},
    {"content": "f", "type": "gossip"},
    {"content": "g", "status": "gone"},
    {"content": "h", "tags": ["t"] * 25},
    {"content": "i", "tags": ["t" * 1_000_000]},
    {"content": "j", "tags": "abc"},
    {"content": "k", "tags": [5]},
    {"content": "l", "files": {"a": 1}},
    {"content": "m", "key": HUGE},
    {"content": "n", "key": "k" * 501},
    {"content": "o", "key": HALF},
    {"content": "p", "key": ["x"]},
    {"content": "q", "created_at": "yesterday"},
    {"content": "r", "created_at": 1e300},
    {"content": "s", "created_at": math.nan},
    {"content": "t", "session": 5},
    {"content": "u", "session": "s" * 5_000},
    {"content": "v", "details": [1]},
    {"content": "w", "details": {"x": DEEP}},
    {"content": "x", "details": {"x": math.nan}},
    {"content": "y", "type": "semantic", "details": {"evidence_count": HUGE}},
    {"content": "z", "type": "prospective", "details": {"priority": 99}},
    {"content": "A", "type": "episodic", "details": {"timestamp": 2**53 - 1}},
    {"content": "B", "due": "x"},
]


def test_an_import_refuses_line_by_line_and_keeps_the_rest(core, attempt):
    good = {"content": "This one is fine", "key": "fine"}
    mixed = [item for bad in BAD for item in (bad, good)]
    report = core.import_memories([*BAD, good])
    assert [line for line, _ in report.refused] == list(range(1, len(BAD) + 1))
    assert all(len(why) < 300 for _, why in report.refused)
    assert report.ids[:-1] == (None,) * len(BAD)
    assert core.show("fine").content == "This one is fine"
    assert len(core.list()) == 2
    assert len(core.import_memories(mixed).refused) == len(BAD)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.9999-14:00"])
def test_an_import_from_the_ends_of_the_calendar_can_be_read(core, attempt, moment):
    fields = dict.fromkeys(("created_at", "due", "expires"), moment)
    for kind in ("semantic", "episodic", "prospective", "working"):
        came = attempt(lambda: core.import_memories([{"content": kind, "type": kind, **fields}]))  # noqa: B023
        assert came == "done"
    assert len(core.list()) == 5


LINES = [
    "{",
    "[]",
    "null",
    "1" * 5_000,
    '{"content": "a", "importance": ' + "1" * 5_000 + "}",
    '{"content": "b", "importance": 1e999}',
    '{"content": "c", "importance": NaN}',
    '{"content": "d", "details": ' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"content": ["e"]}',
    "\0",
]


def test_lines_that_are_no_objects_are_refused_with_their_number(core, home_path, tmp_path, capsys):
    file = tmp_path / "lines.jsonl"
    fine = ['{"content": "This one is fine"}', '{"content": "half \\ud800 a character"}']
    lines = ["\ufeff" + LINES[0], *LINES[1:], "", *fine]
    file.write_text("\n".join(lines), "utf-8")

    core.services.projects.begin()
    run(["import", str(file), "--json", "--home", str(home_path), "--project", "harbour"])

    report = json.loads(capsys.readouterr().out)
    assert [one["line"] for one in report["refused"]] == list(range(1, len(LINES) + 1))
    assert report["added"] == 2
    assert {one.content for one in core.list()} == {"This one is fine", "half \ufffd a character"}
