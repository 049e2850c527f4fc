"""What a memory names moves, goes, or changes: it is marked with the reason, and answered."""

import os
import resource
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Capture, Envelope, Origin, Refused, open_memory
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.cli.main import run

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
WORK = "The tide table of the harbour app is read by src/tides/table.py before any berth is given"


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


class Repo:
    """A real repository whose commits bear the clock's time."""

    def __init__(self, path, clock):
        self.path, self.clock = path, clock
        path.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        when = f"{int(self.clock.now.timestamp())} +0000"
        own = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}
        names = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(
            ["git", *names, *words],
            cwd=self.path,
            check=True,
            capture_output=True,
            env={**os.environ, **own},
        )

    def write(self, name, text):
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")


@pytest.fixture
def repo(harbour):
    return harbour.path


LINES = "".join(f"berth {number} is given at high tide\n" for number in range(40))


@pytest.fixture
def harbour(tmp_path, clock):
    made = Repo(tmp_path / "harbour", clock)
    made.write("src/tides/table.py", LINES)
    made.write("Makefile", "test-db:\n\ttouch db\n")
    made.write(".python-version", "3.10.4\n")
    made.commit()
    clock.now += timedelta(hours=1)
    return made


@pytest.fixture
def core(tmp_path, harbour, clock):
    with open_memory(tmp_path / "home", harbour.path, clock=clock) as memory:
        yield memory


def kept(core, text=WORK, **more):
    return core.remember(text, **more).memory_id


def test_nothing_is_said_of_what_stands(core, clock):
    kept(core)
    kept(core, "Run make test-db with Python 3.10 before the integration tests of the harbour app")
    clock.now += DAY
    assert core.maintenance.run().done["staleness"] == 0
    assert core.services.staleness.flagged() == []


def test_a_file_that_moved_is_told_with_where_and_when_and_can_be_followed(core, harbour, clock):
    memory = kept(core)
    clock.now += DAY
    harbour.git("mv", "src/tides/table.py", "src/tides/tables.py")
    harbour.commit()
    clock.now += DAY
    harbour.write("src/sea/.keep", "")
    harbour.git("mv", "src/tides/tables.py", "src/sea/tables.py")
    harbour.commit()
    assert core.maintenance.run().done["staleness"] == 1
    assert core.maintenance.run().done["staleness"] == 0
    why = "src/tides/table.py moved to src/sea/tables.py on 4 Mar 2026"
    assert core.show(memory).stale == why
    assert [hit.id for hit in core.search("is:verify")] == [memory]
    assert [hit.id for hit in core.search("is:stale tide")] == [memory]
    told = core.recall("Which file reads the tide table of the harbour app?").text
    assert f'verify="{why}"' in told or f"verify: {why}" in told

    core.services.staleness.follow(memory)
    followed = core.show(memory)
    assert "src/sea/tables.py" in followed.content
    assert followed.stale == ""
    clock.now += DAY
    assert core.maintenance.run().done["staleness"] in (0, 1)  # the mark itself may go
    assert core.show(memory).stale == ""
    core.undo()
    assert "src/tides/table.py" in core.show(memory).content


def test_a_file_that_is_gone_is_not_told_at_starts_but_when_asked_for(core, harbour, clock):
    memory = kept(core, importance=1.0)
    assert WORK in core.recall("", event="SessionStart").text
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale == "src/tides/table.py was deleted on 3 Mar 2026"
    assert WORK not in core.recall("", event="SessionStart").text
    assert (
        "was deleted on 3 Mar 2026" in core.recall("Who reads the tide table of the harbour?").text
    )


NOTES = """
Pilots call on channel 12 before they pass the breakwater.
Invoices are numbered by year and never reused.
The crane log is rotated on Sundays.
Berth fees are rounded up to whole euros.
Customs forms are kept as PDF for ten years.
The gate opens with the badge reader only.
Weather warnings come from the DWD feed every ten minutes.
Reefers are plugged in within two hours of landing.
The night shift signs the ledger in blue ink.
Tugs are booked by phone and confirmed by mail.
Sensor readings are stored in UTC.
The canteen menu is imported from a spreadsheet.
Diesel is delivered on Tuesdays.
Lost containers are listed under /lost.
The quay cameras keep pictures for three days.
Anchorage outside the buoys costs nothing.
""".strip().split("\n")


@pytest.mark.parametrize(("others", "is_told"), [(3, True), (len(NOTES), False)])
def test_what_is_to_be_verified_is_told_at_starts_behind_what_nothing_speaks_against(
    core, harbour, clock, others, is_told
):
    """With room it is told on, with the mark; a start has fifteen places."""
    for note in NOTES[:others]:
        kept(core, note, importance=0.6, category="architecture")
    memory = kept(core, importance=1.0, category="architecture")
    clock.now += DAY
    assert core.maintenance.run().done["staleness"] == 0
    before = core.recall("", event="SessionStart")
    assert before.items[0].id == memory
    harbour.write("src/tides/table.py", "new\n" * 60)
    harbour.commit()
    clock.now += DAY
    assert core.maintenance.run().done["staleness"] == 1
    told = [hit.id for hit in core.recall("", event="SessionStart").items]
    assert (told[-1:] == [memory]) is is_told
    assert (memory in told) is is_told
    assert len(told) == min(others + 1, 15)


@pytest.mark.parametrize(
    ("is_persons", "category", "left", "is_marked", "is_told"),
    [
        (False, "decision", ["src/tides/table.py", "Makefile"], True, False),
        (False, "decision", ["src/tides/table.py"], False, True),  # one of the files stands
        (True, "decision", ["src/tides/table.py", "Makefile"], True, True),
        (False, "pattern", ["src/tides/table.py", "Makefile"], True, False),
        (True, "preference", ["src/tides/table.py", "Makefile"], False, True),
    ],
)
def test_what_was_learned_at_work_on_files_that_are_all_gone(
    core, harbour, clock, is_persons, category, left, is_marked, is_told
):
    """The sentence names none of them; what the person said is told on, with the mark."""
    text = "The tide is read before any berth is given, because pilots wait for the number."
    work = Envelope(artifacts=("src/tides/table.py", f"{harbour.path}/Makefile"))
    for number, agent in enumerate(("claude", "codex", "gemini")):  # three bear it out
        core.session_seen(f"s{number}", agent, str(harbour.path))
        [found] = core.offer(
            [
                Capture(
                    content=text,
                    category=category,
                    type="semantic",
                    importance=0.9,
                    rule="person.rule" if is_persons else "claim.finding",
                    origin=Origin(f"s{number}", agent, ref=f"{agent}:s{number}:u1:0"),
                    envelope=work,
                )
            ]
        )
    memory = found.memory_id
    assert text in core.recall("", event="SessionStart").text
    clock.now += DAY
    for name in left:
        harbour.git("rm", "-q", name)
    harbour.commit()
    core.maintenance.run()
    why = core.show(memory).stale
    assert why == (
        "learned at work on src/tides/table.py and Makefile, gone since 3 Mar 2026"
        if is_marked
        else ""
    )
    assert (text in core.recall("", event="SessionStart").text) is is_told


def test_a_confirmation_holds_until_new_evidence_comes_and_can_be_undone(core, harbour, clock):
    memory = kept(core, WORK.replace("before", "and docs/tides.md says how, before"))
    harbour.write("docs/tides.md", LINES * 2)
    harbour.commit()
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    core.services.staleness.confirm(memory)
    assert core.show(memory).stale == ""
    core.undo()
    assert "was deleted" in core.show(memory).stale
    core.services.staleness.confirm(memory)
    with pytest.raises(Refused, match="Nothing speaks against"):
        core.services.staleness.confirm(memory)
    clock.now += DAY
    core.maintenance.run()
    assert core.show(memory).stale == ""
    harbour.git("rm", "-q", "docs/tides.md")
    harbour.commit()
    clock.now += DAY
    core.maintenance.run()
    assert core.show(memory).stale == "docs/tides.md was deleted on 4 Mar 2026"


def test_an_agent_confirms_nothing(tmp_path, core, harbour, clock):
    memory = kept(core)
    harbour.git("rm", "-q", "src/tides/table.py")
    clock.now += DAY
    harbour.commit()
    core.maintenance.run()
    with (
        open_memory(tmp_path / "home", harbour.path, clock=clock, actor="agent") as agent,
        pytest.raises(Refused, match="Only a person"),
    ):
        agent.services.staleness.confirm(memory)


def test_commands_and_versions_that_are_no_longer_so(core, harbour, clock):
    command = kept(core, "Run make test-db before the integration tests of the harbour app")
    version = kept(core, "The harbour app is written for Python 3.10 and its typing")
    other = kept(core, "Neither make harbour nor Rust 1.70 was ever a part of this app's tools")
    clock.now += DAY
    harbour.write("Makefile", "check:\n\ttouch db\n")
    harbour.write(".python-version", "3.12.1\n")
    harbour.commit()
    core.maintenance.run()
    assert "`make test-db` is no longer" in core.show(command).stale
    assert core.show(version).stale == "it says python 3.10, the project has 3.12.1"
    assert core.show(other).stale == ""
    clock.now += DAY
    harbour.write("Makefile", "test-db:\n\ttouch db\n")
    harbour.commit()
    core.maintenance.run()
    assert core.show(command).stale == ""  # it stands again


TABLE = "".join(f"row {n}\n" for n in range(40))


@pytest.mark.parametrize(("kept_rows", "is_marked"), [(20, False), (19, True)])
def test_a_file_that_changed_much_is_told_from_one_that_changed(
    core, harbour, clock, kept_rows, is_marked
):
    """More than half of the lines it had are gone: of 40 the 21st."""
    harbour.write("src/tides/rows.py", TABLE)
    harbour.write("src/tides/short.py", "one\ntwo\n")
    harbour.commit()
    clock.now += DAY
    memory = kept(core, "The tide rows of the harbour app lie in src/tides/rows.py, one by berth")
    short = kept(core, "What is short in the harbour app goes into src/tides/short.py, says Mara")
    clock.now += DAY
    harbour.write("src/tides/rows.py", "".join(TABLE.splitlines(True)[:kept_rows]) + "new\n" * 60)
    harbour.write("src/tides/short.py", "three\nfour\n")
    harbour.commit()
    core.maintenance.run()
    wanted = "most of src/tides/rows.py was rewritten by 4 Mar 2026" if is_marked else ""
    assert core.show(memory).stale == wanted
    assert core.show(short).stale == ""  # two lines are soon all new
    clock.now += DAY
    if is_marked:
        assert "src/tides/rows.py" in core.recall("Where do the tide rows lie?").text
        core.services.staleness.confirm(memory)
        core.maintenance.run()
        assert core.show(memory).stale == ""
    clock.now += DAY
    harbour.write("src/tides/rows.py", "all\nelse\n")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale.startswith("most of src/tides/rows.py")  # news


def test_a_flag_that_no_longer_stands_in_the_project(core, harbour, clock):
    harbour.write(
        "src/cli.py", "count --and go\nadd('--tide-zone')\nadd('--berth')\nadd('--berth-all')\n"
    )
    harbour.commit()
    clock.now += DAY
    memory = kept(core, "The harbour app takes the zone from `--tide-zone`, never from a file")
    longer = kept(core, "A berth of the harbour app is chosen with --berth, the rest is ignored")
    dash = kept(core, "Ask the harbour master --and nobody else-- for the zone of the harbour app")
    others = kept(core, "Call uv sync with --frozen in the harbour app, its lock file is reviewed")
    clock.now += DAY
    harbour.write("src/cli.py", "add('--zone')\nadd('--berth-all')\n")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale == "`--tide-zone` is no longer in the project"
    assert core.show(longer).stale == "`--berth` is no longer in the project"
    assert core.show(dash).stale == ""
    assert core.show(others).stale == ""  # it never stood there
    clock.now += DAY
    harbour.write("docs/use.md", "Give `--tide-zone`.\n")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale == ""


def test_who_speaks_of_the_move_itself_is_left_alone(core, harbour, clock):
    memory = kept(core, "We removed src/tides/table.py from the harbour app since nobody read it")
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale == ""


def test_a_name_with_a_word_of_leaving_in_it_speaks_of_no_move(core, harbour, clock, subtests):
    paths = ("db/migrations/07.sql", "src/legacy/tide.py", "src/extract.py", "src/extracts/view.py")
    for path in paths:
        harbour.write(path, LINES)
    harbour.write("run.sh", "tides --remove-orphans\n")
    harbour.commit()
    clock.now += DAY
    known = {path: kept(core, f"The zone of the harbour app is set in {path}") for path in paths}
    flag = kept(core, "The harbour app needs --remove-orphans on the quay machine, else it hangs")
    clock.now += DAY
    harbour.git("rm", "-q", "-r", "--cached", ".")
    for path in (*paths, "run.sh"):
        (harbour.path / path).unlink()
    harbour.commit()
    core.maintenance.run()
    for path, memory in known.items():
        with subtests.test(path=path):
            assert core.show(memory).stale == f"{path} was deleted on 4 Mar 2026"
    assert core.show(flag).stale == "`--remove-orphans` is no longer in the project"


def test_a_file_at_the_top_is_known_by_its_name_and_one_anywhere_by_its_whole_path(
    core, harbour, clock
):
    harbour.write("limits.toml", LINES)
    harbour.commit()
    clock.now += DAY
    top = kept(core, "The limits of the harbour app are read from limits.toml as it begins")
    whole = kept(core, f"The berths of the harbour app come from {harbour.path}/src/tides/table.py")
    dotted = kept(
        core, "The gate of the harbour app is opened by os.path and node.js, e.g. at dawn"
    )
    clock.now += DAY
    harbour.write("conf/.keep", "")
    harbour.git("mv", "limits.toml", "conf/limits.toml")
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    assert core.show(top).stale == "limits.toml moved to conf/limits.toml on 4 Mar 2026"
    assert core.show(whole).stale == "src/tides/table.py was deleted on 4 Mar 2026"
    assert core.show(dotted).stale == ""
    core.services.staleness.follow(top)
    assert "read from conf/limits.toml as" in core.show(top).content


@pytest.mark.parametrize("year", [1950, 1970, 1972])
def test_a_memory_of_long_ago_hides_nothing_that_speaks_against_others(core, harbour, clock, year):
    """As a clock without a battery dates it, or an import."""
    memory = kept(core)
    old = {"content": "The berth plan lies in src/berths/plan.py", "created_at": f"{year}-01-02"}
    assert core.import_memories([old]).added == 1
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    assert core.show(memory).stale == "src/tides/table.py was deleted on 3 Mar 2026"


def test_a_branch_without_the_file_is_no_evidence(core, harbour, clock):
    harbour.git("branch", "old")
    harbour.write("src/new.py", LINES)
    harbour.commit()
    memory = kept(core, "The quay cranes of the harbour app are driven by src/new.py alone")
    harbour.git("checkout", "-q", "old")
    clock.now += DAY
    core.maintenance.run()
    assert core.show(memory).stale == ""


def test_a_folder_without_a_history_is_watched(tmp_path, clock):
    place = tmp_path / "plain"
    (place / "src").mkdir(parents=True)
    (place / "src/a.py").write_text(LINES)
    with open_memory(tmp_path / "home", place, clock=clock) as core:
        seen = kept(core, "The berth list of the harbour app is printed by src/a.py every night")
        never = kept(core, "The crane list of the harbour app is printed by src/b.py every night")
        assert core.maintenance.run().done["staleness"] == 0
        clock.now += DAY
        (place / "src/a.py").unlink()
        assert core.maintenance.run().done["staleness"] == 1
        assert core.show(seen).stale == "src/a.py is no longer there"
        assert core.show(never).stale == ""
        clock.now += DAY
        place.rename(tmp_path / "elsewhere")
        assert core.maintenance.run().done["staleness"] == 0  # a folder that is gone says nothing


def test_a_repositorys_settings_run_nothing(core, harbour, clock, tmp_path):
    memory = kept(core)
    trap = tmp_path / "trap"
    put_program(trap, f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    clock.now += DAY
    harbour.git("mv", "src/tides/table.py", "src/odd\tnäme\n.py")
    harbour.commit()
    harbour.write(".gitattributes", "* diff=trap filter=trap\n")
    for name in (
        "core.fsmonitor",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.clean",
        "gpg.program",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "filter.trap.smudge",
    ):
        harbour.git("config", name, str(trap))
    harbour.git("config", "log.showSignature", "true")
    core.maintenance.run()
    assert "moved to" in core.show(memory).stale
    assert not (tmp_path / "sprung").exists()


def test_a_git_that_fails_says_nothing_and_takes_no_mark_off(core, harbour, clock):
    memory = kept(core)
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    core.maintenance.run()
    (harbour.path / ".git/HEAD").write_text("broken")
    clock.now += DAY
    assert core.maintenance.run().done["staleness"] == 0
    assert "was deleted" in core.show(memory).stale


def test_a_git_that_fails_is_told_by_doctor_and_maintain(cli, home, harbour):
    with open_memory(home, harbour.path) as core:
        core.remember(WORK)
    assert "to be verified:" not in cli("doctor").out + cli("maintain").err
    (harbour.path / ".git/HEAD").write_text("broken")
    assert "No memory is marked to be verified: git" in cli("doctor").out
    assert "No memory is marked to be verified: git" in cli("maintain", "--dry-run").err
    harbour.write(".memdeck.toml", "[lifecycle]\nstaleness = false\n")
    assert "to be verified:" not in cli("doctor").out + cli("maintain").err


def test_it_can_be_switched_off(tmp_path, harbour, clock):
    harbour.write(".memdeck.toml", "[lifecycle]\nstaleness = false\n")
    with open_memory(tmp_path / "home", harbour.path, clock=clock) as core:
        assert "staleness" not in core.maintenance.run().done


def test_the_commands_list_confirm_follow_and_retire(cli, home, harbour, clock):
    with open_memory(home, harbour.path) as core:
        memory = core.remember(WORK).memory_id
    clock.now = datetime.now(UTC) + timedelta(seconds=3)
    harbour.git("mv", "src/tides/table.py", "src/tides/tables.py")
    harbour.commit()
    assert "Nothing is to be verified." in cli("stale").err
    assert cli("maintain", "--json").json["done"]["staleness"] == 1
    [told] = [cli("stale", "list", "--json").json]
    assert told["id"] == memory
    assert told["moves"] == [{"from": "src/tides/table.py", "to": "src/tides/tables.py"}]
    assert "verify: src/tides/table.py moved to" in cli("stale").out
    assert "src/tides/table.py moved to" in cli("show", memory).out
    assert cli("show", memory, "--json").json["stale"] == told["stale"]
    cli("stale", "confirm", memory)
    assert "Nothing is to be verified." in cli("stale").err
    cli("undo")
    cli("stale", "follow", memory)
    assert "src/tides/tables.py" in cli("show", memory).out
    cli("undo")
    cli("stale", "retire", memory)
    assert cli("show", memory, "--json").json["retired_as"] == "forgotten"
    cli("restore", memory)
    assert cli("show", memory, "--json").json["retired_as"] is None


MANY = 100_000
NAMED = ("03", "07", "50", "99")  # folders, of each the file with its number


def filled(harbour):
    """A hundred folders of a thousand files; a day later half of them moved, and one went."""
    first, second = (int((harbour.clock.now + n * DAY).timestamp()) for n in (0, 1))
    head = "commit refs/heads/main\ncommitter t <t@example.org> {} +0000\ndata 4\nwork\n"
    files = "".join(
        f"M 100644 inline src/b00/f{n}.py\ndata {len(str(n))}\n{n}\n" for n in range(1000)
    )
    copies = "".join(f"C src/b00 src/b{n:02}\n" for n in range(1, 100))
    moves = "".join(f"R src/b{n:02} sea/b{n:02}\n" for n in range(50, 100))
    own = "".join(
        f"M 100644 inline src/b{name}/f{int(name)}.py\ndata 7\nonly {name}\n" for name in NAMED
    )
    told = head.format(first) + files + copies + own + head.format(second) + "D src/b07\n" + moves
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"],
        cwd=harbour.path,
        check=True,
        input=told.encode(),
    )


def processor_s():
    """Of this process, and of what it started and waited for."""
    own = os.times()
    return own.user + own.system, own.children_user + own.children_system


def test_a_hundred_thousand_files_of_which_half_moved_cost_little_more_than_git_needs(
    core, harbour, clock
):
    memories = {
        name: kept(
            core, f"The rule of berth {name} is kept in src/b{name}/f{int(name)}.py since spring"
        )
        for name in NAMED
    }
    filled(harbour)
    listed = harbour.path / "listed"
    with open(listed, "wb") as file:
        subprocess.run(["git", "ls-tree", "-r", "main"], cwd=harbour.path, check=True, stdout=file)
    assert len(listed.read_bytes().splitlines()) == MANY - 1_000
    clock.now += 2 * DAY
    before = processor_s()
    asked = ("git", "log", "main", "--name-status", "--find-renames", "--diff-filter=DR")
    with open(listed, "wb") as file:
        subprocess.run(asked, cwd=harbour.path, check=True, stdout=file)
    once = processor_s()[1] - before[1]

    memory_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = processor_s()
    assert core.maintenance.run().done["staleness"] == 3
    own, gits = (now - then for now, then in zip(processor_s(), before, strict=True))
    assert gits < 5 * max(once, 0.1)
    assert own < 10 * max(once, 0.1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory_kb < 150_000
    why = {name: core.show(memory).stale for name, memory in memories.items()}
    assert why["03"] == ""
    assert why["07"].startswith("src/b07/f7.py was deleted")
    assert why["50"].startswith("src/b50/f50.py moved to sea/b50/f50.py")
    assert why["99"].startswith("src/b99/f99.py moved to sea/b99/f99.py")
    assert core.maintenance.run().done["staleness"] == 0


def test_a_git_that_hangs_is_ended_with_what_it_started(
    core, harbour, clock, tmp_path, monkeypatch, capsys
):
    memory = kept(core)
    clock.now += DAY
    harbour.git("rm", "-q", "src/tides/table.py")
    harbour.commit()
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    put_program(slow, f"#!/bin/sh\nsleep 300 &\necho $! >> {tmp_path}/started\nwait\n")
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    harbour.write(".memdeck.toml", "[lifecycle]\ngit_seconds = 1.0\n")
    assert run(["maintain", "--home", f"{tmp_path}/home", "--project", f"{harbour.path}"]) == 0
    assert "marked to be verified: " in capsys.readouterr().err
    [number] = map(int, (tmp_path / "started").read_text().split())  # asked once
    with open_memory(tmp_path / "home", harbour.path, clock=clock) as again:
        assert again.show(memory).stale == ""
        assert "marked to be verified: " in again.services.staleness.hindrance()
    with pytest.raises(ProcessLookupError):
        for _ in range(500):  # the system takes a moment to bury it
            os.kill(number, 0)
            if _is_dead(number):
                raise ProcessLookupError
            time.sleep(0.01)


def _is_dead(number):
    with open(f"/proc/{number}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] == "Z"


def test_a_worktree_a_shallow_clone_and_a_submodule_can_be_asked(tmp_path, core, harbour, clock):
    clock.now += DAY
    harbour.write("src/quay.py", LINES)
    harbour.commit()
    shallow = tmp_path / "shallow"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{harbour.path}", str(shallow)], check=True
    )
    with open_memory(tmp_path / "home", shallow, clock=clock) as other:
        memory = kept(other)
        clock.now += DAY
        assert other.maintenance.run().done["staleness"] == 0
        assert other.show(memory).stale == ""
    harbour.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    memory = kept(core)
    clock.now += DAY
    harbour.git("mv", "src/tides/table.py", "src/tides/all.py")
    harbour.commit()
    with open_memory(tmp_path / "home", tmp_path / "tree", clock=clock) as tree:
        tree.maintenance.run()
        assert "moved to src/tides/all.py" in tree.show(memory).stale
