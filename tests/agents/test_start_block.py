"""A start told from its block is what recall would tell; a stale block is not told."""

import json
import os
import shutil
import time
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import open_memory
from memdeck.agents import spool
from memdeck.agents.drain import drain
from memdeck.db.fast_reader import Reader
from memdeck.db.rewrite import reseal

pytestmark = pytest.mark.usefixtures("opened_once")

HOUR_MS = 3_600_000
FACT = "Integration tests need `make test-db` before they run, or every one of them fails."


class Clock:
    """The time as hooks and drains see it; it stands still until it is moved."""

    def __init__(self):
        # files are written in real time, which must lie behind; half past, so that minutes fit
        self.ms = (time.time_ns() // 1_000_000 // HOUR_MS + 2) * HOUR_MS + HOUR_MS // 2

    @property
    def now(self):
        return datetime.fromtimestamp(self.ms / 1000, UTC)


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(time, "time_ns", lambda: found.ms * 1_000_000)
    return found


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "acme-api"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def recalls(monkeypatch):
    """Grows by one with each recall: it asks the store once what is pinned."""
    calls, real = [], Reader.pinned
    monkeypatch.setattr(Reader, "pinned", lambda *given: calls.append(1) or real(*given))
    return calls


@pytest.fixture
def start(tell, home):
    """A session starts: its text without the session's name, and its receipt without its own."""

    def _start(folder, session=None, source="startup"):
        session = session or str(uuid.uuid4())
        given = {"session_id": session, "cwd": folder, "source": source}
        out = tell({**given, "hook_event_name": "SessionStart"}, "claude", "SessionStart")
        text = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
        receipts = [
            record["receipt"]
            for record in spool.read_spool(home)
            if record["kind"] == spool.RECEIPT and record["session"] == session
        ]
        own = ("id", "at", "session", "latency_ms")
        kept = [{key: one[key] for key in one if key not in own} for one in receipts]
        noted = [one.pop("text", "") for one in kept]
        assert text in noted or not text
        return text.replace(session, "SESSION"), kept

    return _start


@pytest.fixture
def both(start, home, recalls):
    """(is told from the block, what is told), after recall said just the same."""

    def _both(folder):
        before = len(recalls)
        said = start(folder)
        is_kept = len(recalls) == before
        aside = f"{home.starts}.aside"
        if os.path.isdir(home.starts):
            os.rename(home.starts, aside)
        assert start(folder) == said
        assert len(recalls) == before + (1 if is_kept else 2)
        if os.path.isdir(aside):
            os.rename(aside, home.starts)
        return is_kept, said

    return _both


@pytest.fixture
def make_ready(start, home, clock):
    """A start, and the drain that reads its note and makes the block anew."""

    def _make_ready(folder, *, is_over=False, tell_end=None):
        start(folder)
        if is_over:
            tell_end(folder)
        drain(home, clock.now)

    return _make_ready


@pytest.fixture
def end(tell):
    def _end(folder):
        given = {"session_id": str(uuid.uuid4()), "cwd": folder, "reason": "other"}
        tell({**given, "hook_event_name": "SessionEnd"}, "claude", "SessionEnd")

    return _end


def test_upkeep_that_breaks_keeps_no_start_from_being_told(
    home, project, both, make_ready, monkeypatch
):
    def broken(*_args, **_named):
        raise RuntimeError("a duty stumbled")

    with open_memory(home, project) as core:
        core.remember(FACT, importance=0.9)
        monkeypatch.setattr(type(core.services.maintenance), "after_drain", broken)
    make_ready(project)
    is_kept, (text, _) = both(project)
    assert is_kept
    assert FACT in text
    with open(os.path.join(home.log, "hooks.log"), encoding="utf-8") as log:
        assert "drain upkeep" in log.read()


CHANGES = {
    "remember": lambda core, ids: core.remember("The nightly build runs on the blue host."),
    "pin": lambda core, ids: core.pin(ids[0]),
    "unpin": lambda core, ids: core.unpin(ids[-1]),
    "edit": lambda core, ids: core.edit(ids[0], content="Integration tests need `make up` first."),
    "forget": lambda core, ids: core.forget(ids[0]),
    "undo": lambda core, ids: core.undo(),
    "ceiling": lambda core, ids: core.set_ceiling(120),
    "not recorded": lambda core, ids: core.set_auto_memory(False),
}


@pytest.mark.slow
def test_a_change_makes_the_block_stale_until_the_next_drain(
    home, project, clock, both, make_ready, subtests
):
    with open_memory(home, project) as core:
        ids = [
            core.remember(FACT, importance=0.9).memory_id,
            core.remember("Use tabs in Makefiles.", category="preference").memory_id,
            core.remember("Never deploy on a Friday.", pin=True).memory_id,
        ]
    make_ready(project)
    assert both(project)[0]
    for name, change in CHANGES.items():
        with subtests.test(change=name):
            with open_memory(home, project) as core:
                change(core, ids)
            is_kept, told = both(project)
            assert not is_kept
            drain(home, clock.now)
            assert both(project) == (True, told)


@pytest.mark.parametrize("place", ["home", "project"])
def test_settings_make_the_block_stale(place, home, project, clock, both, make_ready):
    with open_memory(home, project) as core:
        core.remember(FACT, importance=0.9)
    make_ready(project)
    kept, (before, _) = both(project)
    assert kept
    assert "[memdeck] Record what" in before
    path = home.config if place == "home" else os.path.join(project, ".memdeck.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[capture]\nlearn = false\n")
    kept, (after, _) = both(project)
    assert not kept
    assert "[memdeck] Record what" not in after
    drain(home, clock.now)
    assert both(project)[0]


def test_the_demo_store_is_told_alike(home, clock, both, make_ready, demo_template):
    shutil.copytree(demo_template.home, home.path, dirs_exist_ok=True)
    make_ready(demo_template.project_root)
    is_kept, (text, [receipt]) = both(demo_template.project_root)
    assert is_kept
    assert len(receipt["items"]) >= 3
    assert "SESSION" in text


@pytest.mark.parametrize(
    ("fact", "minutes", "at_most"), [(None, None, 5), (FACT, None, 28), (FACT, 90, 34)]
)
def test_for_a_day_to_come_recall_is_asked_once_an_hour_at_most_where_nothing_ends(
    home, project, clock, make_ready, end, recalls, fact, minutes, at_most
):
    """Twice where something ends of itself, for all hours at once where nothing is told."""
    with open_memory(home, project, clock=lambda: clock.now) as core:
        core.sessions()
        if fact:
            core.remember(fact, importance=0.9)
        if minutes is not None:
            ends = clock.now + timedelta(minutes=minutes)
            core.remember("The staging host is down.", importance=0.9, expires=ends)
    make_ready(project, is_over=True, tell_end=end)
    assert 0 < len(recalls) <= at_most


@pytest.mark.slow
def test_at_each_hour_what_is_told_is_what_recall_tells(
    home, project, clock, both, make_ready, end
):
    soon = clock.now + timedelta(hours=2, minutes=7)
    with open_memory(home, project, clock=lambda: clock.now) as core:
        core.remember(FACT, importance=0.9)
        core.remember("Renew the certificate of the test host.", type="prospective", due=soon)
        core.remember("The staging host is down.", importance=0.9, expires=soon)
    make_ready(project, is_over=True, tell_end=end)
    told, kept = set(), []
    begins = clock.ms
    for minutes in (0, 29, 30, 89, 90, 126, 128, 149, 150, 600, 1409, 1410, 3000):
        clock.ms = begins + minutes * 60_000
        is_kept, (text, _) = both(project)
        told.add(text)
        kept += [minutes] * is_kept
    assert len(told) >= 5
    assert kept == [0, 29, 30, 89, 150, 600, 1409]  # not in the hour in which something ends


def test_what_is_told_from_one_hour_to_another_in_between_is_told_then(
    home, project, clock, both, make_ready, end
):
    """Before and after it recall tells the same: one moment gives it, another takes it."""
    learned = clock.now - timedelta(days=9)  # of which ages are told in days
    with open_memory(home, project, clock=lambda: learned) as core:
        core.remember(FACT, pin=True, importance=0.9)
        ends = clock.now + timedelta(hours=8)
        brief = core.remember("The staging host is down.", privacy="private", expires=ends)
        core.edit(brief.memory_id, details={"privacy_until": clock.ms + 3 * HOUR_MS})
    make_ready(project, is_over=True, tell_end=end)
    begins, told = clock.ms, []
    for hour in (0, 2, 4, 6, 9, 20):
        clock.ms = begins + hour * HOUR_MS
        _, (text, _) = both(project)
        told.append("staging host" in text)
    assert told == [False, False, True, True, False, False]


@pytest.mark.parametrize("source", ["resume", "compact", "clear"])
def test_who_goes_on_is_answered_by_recall(source, home, project, start, make_ready, recalls):
    with open_memory(home, project) as core:
        core.remember(FACT, pin=True)
    make_ready(project)
    before = len(recalls)
    assert FACT in start(project, source=source)[0]
    assert len(recalls) == before + 1


def test_a_session_of_which_anything_is_known_is_answered_by_recall(
    home, project, clock, start, make_ready, recalls
):
    with open_memory(home, project) as core:
        core.remember(FACT, pin=True)
    make_ready(project)

    def is_recalled(*session):
        before = len(recalls)
        start(project, *session)
        return len(recalls) > before

    session = str(uuid.uuid4())
    assert not is_recalled(session)
    assert is_recalled(session)  # its note waits in the spool
    drain(home, clock.now)
    assert is_recalled(session)  # the store knows it
    assert is_recalled("another-kind-of-name")
    assert not is_recalled()


def blocks(home):
    return [entry.path for entry in os.scandir(home.starts)]


@pytest.mark.parametrize("damage", ["empty", "flipped", "cut", "open", "link", "gone"])
def test_a_block_that_is_not_as_it_was_written_is_not_told(
    damage, home, project, start, make_ready, recalls, tmp_path
):
    with open_memory(home, project) as core:
        core.remember(FACT, pin=True)
    make_ready(project)
    before = len(recalls)
    said = start(project)
    assert len(recalls) == before
    [path] = blocks(home)
    with open(path, "rb") as file:
        data = file.read()
    if damage == "open":
        os.chmod(path, 0o640)
    elif damage in ("link", "gone"):
        os.rename(path, tmp_path / "elsewhere")
        if damage == "link":
            os.symlink(tmp_path / "elsewhere", path)
    else:
        wrong = {
            "empty": b"",
            "flipped": data.replace(b"make test-db", b"make test-dc"),
            "cut": data[:-9],
        }
        with open(path, "wb") as file:
            file.write(wrong[damage])
    assert start(project) == said
    assert len(recalls) == before + 1


def test_blocks_are_private_and_of_one_project(home, project, tmp_path, start, make_ready, recalls):
    other = tmp_path / "other"
    other.mkdir()
    with open_memory(home, project) as core:
        core.remember(FACT, pin=True)
    with open_memory(home, str(other)) as core:
        core.remember("The other project sails under another flag.", pin=True)
    make_ready(project)
    [mine] = blocks(home)
    make_ready(str(other))
    [theirs] = set(blocks(home)) - {mine}
    assert os.stat(home.starts).st_mode & 0o777 == 0o700
    assert os.stat(mine).st_mode & 0o777 == os.stat(theirs).st_mode & 0o777 == 0o600
    with open(mine, encoding="utf-8") as file:
        assert "another flag" not in file.read()
    shutil.copy(mine, theirs)  # whoever confuses them: the block itself says whose it is
    before = len(recalls)
    text, _ = start(str(other))
    assert "another flag" in text
    assert FACT not in text
    assert len(recalls) == before + 1


def test_what_is_erased_from_the_store_is_in_no_block(home, project, start, make_ready):
    secret = "hunter-of-the-blue-whale"
    with open_memory(home, project) as core:
        core.remember(f"Never write {secret} into a log.", pin=True)
    make_ready(project)
    [path] = blocks(home)
    with open(path, encoding="utf-8") as file:
        assert secret in file.read()
    with open_memory(home, project) as core:
        reseal(core.context.store, lambda record: record)
    assert not os.path.exists(path)
    assert secret in start(project)[0]
