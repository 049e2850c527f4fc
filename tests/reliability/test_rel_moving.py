"""What goes out comes in again as it was, and an import accounts for every object."""

import csv
import io
import json
from dataclasses import replace

import pytest

from memdeck import open_memory
from memdeck.cli.main import run

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
LOCKS = "The reservation table is locked per berth because two skippers once got the same one"
MOMENT = "2026-01-05T10:00:00.123000+00:00"

OBJECTS = [
    {"content": TIDE, "key": "a", "importance": 0.4, "tags": ["tide", "café"], "files": ["a b.py"]},
    {"content": LOCKS, "key": "b", "type": "semantic", "confidence": 0.25, "privacy": "private",
     "details": {"concept": "locks", "evidence_count": 3, "related_concepts": ["berths"]}},
    {"content": "Order the new pump", "type": "prospective", "due": MOMENT, "status": "candidate",
     "details": {"priority": 5, "status": "active", "trigger_condition": "before spring"}},
    {"content": "How to open the sluice", "type": "procedural", "title": "Sluice",
     "status": "pinned",
     "details": {"steps": ["one", {"two": [1, None, True, 0.5]}], "success_rate": 1}},
    {"content": "The crane failed", "type": "episodic", "created_at": MOMENT, "agent": "codex",
     "session": "s1", "details": {"event_type": "error", "context": {"who": "crane"}}},
    {"content": "Pump order 4711", "type": "working", "expires": "2030-01-01T00:00:00Z"},
    {"content": "Everywhere in UTC\n\n\ttabs, “quotes”, \\ and 🚢", "scope": "global"},
]  # fmt: skip


def as_told(memory):
    """What an export says of a memory, without what only its own store knows."""
    return {name: value for name, value in memory.items() if name != "id"}


@pytest.fixture
def written(capsys):
    """What `memdeck export` writes of a store, in a form."""

    def export(home, form):
        capsys.readouterr()
        assert run(["export", "--format", form, "--home", str(home), "--project", "harbour"]) == 0
        return capsys.readouterr().out

    return export


@pytest.fixture
def exported(written):
    """The objects that `memdeck export` writes of a store."""
    return lambda home: [as_told(json.loads(line)) for line in written(home, "jsonl").splitlines()]


def by_text(objects):
    return sorted(objects, key=lambda item: item["content"])


def test_an_export_comes_back_as_it_was(core, exported, home_path, tmp_path, clock):
    report = core.import_memories(OBJECTS)
    assert (report.added, report.refused) == (len(OBJECTS), ())
    out = exported(home_path)
    clock.forward(days=3)
    with open_memory(
        tmp_path / "other", "harbour", clock=clock, confirmation_callback=lambda _: True
    ) as other:
        back = other.import_memories(out)
        assert (back.added, back.duplicates, back.refused) == (len(OBJECTS), 0, ())
        assert by_text(exported(tmp_path / "other")) == by_text(out)
        again = other.import_memories(out)
        assert (again.added, again.duplicates) == (0, len(OBJECTS))
        assert again.ids == back.ids
        assert by_text(exported(tmp_path / "other")) == by_text(out)
        assert other.verify().ok


def test_an_export_has_one_line_a_memory_whatever_the_text(core, written, home_path):
    core.import_memories(OBJECTS)
    lines = written(home_path, "jsonl").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(OBJECTS)
    assert all(json.loads(line)["content"] for line in lines)
    headings = [
        line for line in written(home_path, "markdown").split("\n") if line.startswith("### ")
    ]
    assert len(headings) == len(OBJECTS)
    rows = list(csv.reader(io.StringIO(written(home_path, "csv"), newline="")))
    assert rows[0][:2] == ["id", "key"]
    assert len(rows) == len(OBJECTS) + 1


def test_a_formula_in_a_table_is_disarmed(core, written, home_path):
    core.import_memories([{"content": "=cmd|' /C calc'!A0"}, {"content": "@SUM(1+1)"}])
    table = written(home_path, "csv")
    assert "calc" in table
    assert "SUM" in table
    assert ",=" not in table
    assert ",@" not in table


# --- the report


def test_every_object_of_an_import_is_accounted_for(core):
    objects = [
        {"content": TIDE, "key": "a"},
        {"content": TIDE, "key": "a"},  # the same again
        {"content": LOCKS, "key": "a"},  # the same key, another text
        {"content": ""},
        {"content": "Without a key"},
        {"content": " without A  key "},  # the same text, spelt otherwise
        {"content": TIDE, "key": "b"},  # a known text under a key of its own
        5,
    ]
    report = core.import_memories(objects)
    assert report.added + report.duplicates + len(report.refused) == len(objects)
    assert [line for line, _ in report.refused] == [4, 8]
    assert (report.added, report.duplicates) == (4, 2)
    assert len(report.ids) == len(objects)
    assert report.ids[0] == report.ids[1] == report.ids[2]
    assert report.ids[4] == report.ids[5]
    assert report.ids[3] is report.ids[7] is None
    assert len({one for one in report.ids if one}) == len(core.list()) == 3
    assert core.show("a").content == LOCKS
    assert core.show("b").content == TIDE


def test_how_an_import_is_cut_into_entries_does_not_matter(core):
    """An entry holds five hundred: here the first ends among the keys."""
    keyed = [{"content": f"{TIDE}, {number % 3}", "key": f"k{number % 5}"} for number in range(20)]
    plain = [{"content": f"{LOCKS}, {number % 4}"} for number in range(490)]
    report = core.import_memories([*plain, *keyed, *plain[:12]])
    assert [entry.action for entry in core.audit()] == ["import", "import"]
    assert len({one for one in report.ids if one}) == len(core.list()) == 5 + 4
    assert {core.show(f"k{number}").content for number in range(5)} <= {
        f"{TIDE}, {number}" for number in range(3)
    }
    assert [core.show(f"k{number}").id for number in range(5)] == list(report.ids[505:510])
    assert core.verify().ok


def test_a_key_keeps_its_memory_its_place_and_its_history(core, clock):
    core.import_memories([{"content": TIDE, "key": "a", "created_at": MOMENT}])
    first = core.pin("a")[0]
    clock.forward(days=1)
    [told] = core.import_memories([{"content": LOCKS, "key": "a", "tags": ["new"]}]).ids
    after = core.show("a")
    assert after.id == told == first.id
    assert (after.num, after.status, after.created_at) == (first.num, "pinned", first.created_at)
    assert (after.content, after.tags) == (LOCKS, ("new",))
    assert after.updated_at == clock.now
    assert [entry.action for entry in core.history("a")] == ["import", "pin", "import"]
    core.undo()
    assert replace(core.show("a"), revision=first.revision) == first


def test_what_an_object_does_not_name_of_a_known_key_stays(core):
    whole = {"privacy": "private", "tags": ["a"], "files": ["b.py"], "category": "warning"}
    more = {"confidence": 0.5, "session": "s1", "agent": "codex", "due": MOMENT, "expires": MOMENT}
    core.import_memories([{"content": TIDE, "key": "a", **whole, **more}])
    first = core.show("a")
    told = {"content": LOCKS, "key": "a", "importance": 0.25, "tags": None}
    assert core.import_memories([told]).added == 1
    after = core.show("a")
    assert (after.content, after.importance) == (LOCKS, 0.25)
    for name in ("privacy", "tags", "files", "category", "confidence", "due", "expires", "origin"):
        assert getattr(after, name) == getattr(first, name), name


def test_keys_of_two_projects_have_nothing_to_do_with_each_other(open_core):
    harbour, airport = open_core("harbour"), open_core("airport")
    harbour.import_memories([{"content": TIDE, "key": "1"}])
    airport.import_memories([{"content": LOCKS, "key": "1"}])
    assert (harbour.show("1").content, airport.show("1").content) == (TIDE, LOCKS)
    assert harbour.search("spring tide")[0].key == "1"


@pytest.mark.parametrize(
    ("given", "kept"), [(7, "7"), (" a b ", "a b"), ("", None), ("é", "é"), ("k" * 500, "k" * 500)]
)
def test_a_key_is_a_text_without_space_around_it(core, given, kept):
    assert core.import_memories([{"content": TIDE, "key": given}]).added == 1
    assert core.list()[0].key == kept
    if kept:
        assert core.show(f" {kept} ").key == kept
        assert core.import_memories([{"content": TIDE, "key": given}]).duplicates == 1


def test_what_was_forgotten_and_is_imported_again_is_wanted_again(core):
    """An import is an act of a person: the text is back, and no capture of it is refused."""
    core.import_memories([{"content": TIDE}])
    core.forget(core.list()[0].id)
    assert core.import_memories([{"content": TIDE}]).added == 1
    from memdeck import Capture

    [seen] = core.offer([Capture(content=TIDE)])
    assert seen.outcome == "duplicate"


def test_an_import_that_breaks_off_keeps_whole_entries_and_can_be_repeated(core):
    def objects(until):
        yield from [{"content": LOCKS}] * 490
        for number in range(until):
            yield {"content": f"{TIDE}, number {number}"}
        if until < 40:
            raise OSError("the file is gone")

    with pytest.raises(OSError, match="gone"):
        core.import_memories(objects(25))
    assert len(core.list()) == 1 + 10  # an entry holds five hundred
    report = core.import_memories(objects(40))
    assert (report.added, report.duplicates) == (30, 490 + 10)
    assert core.verify().ok


def test_a_file_is_read_line_by_line_with_whatever_newline_and_mark(
    core, home_path, tmp_path, capsys
):
    lines = [
        '\ufeff{"content": "one"}\r\n',
        "\n",
        '  {"content": "two"}  \n',
        '{"content": "three"}',
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(lines), "utf-8", newline="")
    core.services.projects.begin()
    words = ["import", str(file), "--home", str(home_path), "--project", "harbour"]
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == 3
    assert {memory.content for memory in core.list()} == {"one", "two", "three"}
