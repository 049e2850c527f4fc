"""What takes several transactions is still one act: one undo, whole or not at all."""

import shutil

import pytest

from memdeck import Refused, open_memory
from memdeck.tests.conftest import built_once

pytestmark = pytest.mark.slow

PART = 50  # memories that an import writes in a transaction, here a tenth
MANY = PART + 1


@pytest.fixture(autouse=True, scope="module")
def _small_parts():
    with pytest.MonkeyPatch.context() as small:
        small.setattr("memdeck.core.services.transfer.IMPORT_CHUNK", PART)
        yield


def objects(number=MANY):
    return ({"content": f"Berth {n} is {n} metres long"} for n in range(number))


@pytest.fixture(scope="module")
def imported_once(tmp_path_factory):
    """A home into which MANY were imported, and nothing else was done: copy it."""

    def build(home):
        with open_memory(home, "harbour") as core:
            assert core.import_memories(objects()).added == MANY
        return home

    return built_once(tmp_path_factory, "imported-long", build)


@pytest.fixture
def imported(imported_once, home_path, open_core):
    """A store of one's own after that import."""
    shutil.rmtree(home_path)
    shutil.copytree(imported_once, home_path)
    return open_core()


def test_an_import_is_one_undo_and_one_redo(core):
    core.remember("The harbour master is Ines")
    assert core.import_memories(objects()).added == MANY
    assert core.last_seq() == 3
    undone = core.undo()
    assert [one.title for one in core.list()] == ["The harbour master is Ines"]
    assert undone.count == MANY
    core.redo()
    assert core.count() == MANY + 1
    assert core.verify().ok
    core.undo()
    assert core.undo().undoes == 1
    assert core.count() == 0
    assert core.verify().ok


def test_an_act_is_refused_whole_where_a_later_change_touched_one_row(imported):
    core = imported
    core.pin(core.list("berth 3 metres")[0].id)
    with pytest.raises(Refused, match="was changed later") as told:
        core.undo(2)
    assert "memdeck history" in told.value.hint
    assert core.count() == MANY
    assert core.verify().ok
    core.undo()  # the pin
    core.undo()
    assert core.count() == 0


def test_the_journal_stays_below_the_database_after_an_act_on_all(imported, home_path):
    def size(path):
        return sum(file.stat().st_size for file in path.glob("*.*"))

    before = size(home_path / "journal")
    kept = {memory.id: memory.updated_at for memory in imported.list()}
    imported.forget([*kept])
    assert size(home_path / "journal") < 2 * before  # whole rows would triple it
    assert size(home_path / "journal") < size(home_path)
    assert imported.verify().ok
    imported.undo()
    assert {memory.id: memory.updated_at for memory in imported.list()} == kept


def test_an_undo_that_is_stopped_has_changed_nothing(imported):
    core = imported
    heard = []

    def progress(done, of):
        heard.append((done, of))
        return False

    with pytest.raises(Refused, match="nothing was taken back"):
        core.undo(progress=progress)
    [(done, of)] = heard
    assert 0 < done < of
    assert core.count() == MANY
    assert core.verify().ok
    assert core.undo().count == of - 1  # the project stays known


def test_changes_made_as_one_act_are_one_undo(core):
    ids = [core.remember(f"Pier {n} is closed").memory_id for n in range(6)]
    with core.as_one_act():
        for part in (ids[:2], ids[2:4]):
            core.pin(part)
        with core.as_one_act():  # a part of it, not another one
            core.forget(ids[4:])
    assert sorted(core.undo().memories) == sorted(ids)
    assert {one.status for one in core.list()} == {"confirmed"}
    assert core.count() == 6
    core.pin(ids[0])
    core.undo()
    assert core.count("is:pinned") == 0, "the next act is one of its own"
