"""What a memory names moves, goes, or changes: it is marked with the reason, and answered."""

import os
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Refused, open_memory
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.tests.conftest import Clock

from .project import live

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
WORK = "The tide table of the harbour app is read by src/tides/table.py before any berth is given"


@pytest.fixture
def clock():
    return Clock(START)


@pytest.fixture
def core(open_core, harbour):
    return open_core(harbour.path)


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


LINES = "".join(f"berth {number} is given at high tide\n" for number in range(40))


@pytest.fixture
def harbour(tmp_path, clock):
    made = Repo(tmp_path / "harbour", clock)
    made.write("src/tides/table.py", LINES)
    made.commit()
    clock.now += timedelta(hours=1)
    return made


@pytest.fixture
def repo(harbour):
    """The folder in which `cli` runs."""
    return harbour.path


def test_a_file_that_moved_is_told_with_where_and_when_and_can_be_followed(core, harbour, clock):
    memory = core.remember(WORK).memory_id
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

    core.services.staleness.confirm(memory)
    assert core.show(memory).stale == ""


def test_a_file_that_is_gone_is_not_told_at_starts_but_when_asked_for(core, harbour, clock):
    memory = core.remember(WORK, importance=1.0).memory_id
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


def test_a_confirmation_holds_until_new_evidence_comes_and_can_be_undone(core, harbour, clock):
    memory = core.remember(WORK.replace("before", "and docs/tides.md says how, before")).memory_id
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
    with pytest.raises(Refused, match="is not outdated"):
        core.services.staleness.confirm(memory)
    clock.now += DAY
    core.maintenance.run()
    assert core.show(memory).stale == ""
    harbour.git("rm", "-q", "docs/tides.md")
    harbour.commit()
    clock.now += DAY
    core.maintenance.run()
    assert core.show(memory).stale == "docs/tides.md was deleted on 4 Mar 2026"


def test_a_repositorys_settings_run_nothing(core, harbour, clock, tmp_path):
    memory = core.remember(WORK).memory_id
    trap = tmp_path / "trap"
    put_program(trap, f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    clock.now += DAY
    harbour.git("mv", "src/tides/table.py", "src/odd\tnäme\n.py")
    harbour.commit()
    harbour.write(".gitattributes", "* diff=trap filter=trap\n")
    for name in tuple(
        (
            "core.fsmonitor diff.external diff.trap.textconv diff.trap.command filter.trap.clean "
            "gpg.program core.pager core.sshCommand core.editor filter.trap.smudge"
        ).split()
    ):
        harbour.git("config", name, str(trap))
    harbour.git("config", "log.showSignature", "true")
    core.maintenance.run()
    assert "moved to" in core.show(memory).stale
    assert not (tmp_path / "sprung").exists()


def test_review_lists_confirms_and_retires(cli, home, harbour, clock):
    with open_memory(home, harbour.path) as core:
        memory = core.remember(WORK).memory_id
    clock.now = datetime.now(UTC) + timedelta(seconds=3)
    harbour.git("mv", "src/tides/table.py", "src/tides/tables.py")
    harbour.commit()
    assert cli("review", "--kind", "outdated", "--json").out == ""
    assert cli("maintain", "--json").json["done"]["staleness"] == 1
    assert "table.py moved to" in cli("review", "show", memory).out
    assert "src/tides/table.py moved to" in cli("show", memory).out
    assert "moved to src/tides/tables.py" in cli("show", memory, "--json").json["stale"]
    cli("review", "accept", memory)
    assert cli("review", "--kind", "outdated", "--json").out == ""
    cli("undo")
    cli("review", "reject", memory)
    assert cli("show", memory, "--json").json["retired_as"] == "forgotten"
    cli("restore", memory)
    assert cli("show", memory, "--json").json["retired_as"] is None


# --- an act without words: an edit, a move, a command


def recorded(text):
    return f"P: how is it done here?\nA: I look.\n$ memdeck learn '{text}'\nA: Recorded.\n"


def edit(path, old, new):
    return f"P: go on\nE {path}\n- {old}\n+ {new}\nA: Done.\n"


QUEUE = "The upload queue in src/sync/queue.ts gives up after 8 retries."
ROWS = "The loader inserts chunks of 10,000 rows."
RELOAD = "A day is loaded again with make backfill DAY=2026-02-01."
MOMENT = "Dates are formatted with moment in the locale of the berth."
TARGET = "Backups of the harbour go to nas01:/srv/backup each night."
SHOPS = "地址选择器只要香港，因为门店只有那里。"
LEDGER = "The stock of the berths comes from the ledger that Ines keeps."
K3S = "Nobody should ever shut down k3s before the crane team has moved."
TIDES = "The tides come from noaa, whose licence is signed."
CLIENT = "Tides are asked for with fetchTides, which caches them."


@pytest.mark.parametrize(
    ("text", "act", "why"),
    [
        (QUEUE, edit("src/sync/queue.ts", "const RETRIES = 8;", "const RETRIES = 30;"), "RETRIES"),
        (QUEUE, "P: go on\n$ git mv src/sync src/moved\nA: Done.\n", "“src/sync” → “src/moved”"),
        (ROWS, edit("loader/settings.py", "CHUNK_ROWS = 10_000", "CHUNK_ROWS = 50_000"), "50_000"),
        (RELOAD, edit("Makefile", "backfill:", "reload:"), "“backfill:” → “reload:”"),
        (MOMENT, "P: go on\n$ npm uninstall moment\nA: Done.\n", "“moment” was removed"),
        (MOMENT, edit("package.json", '"moment": "^2.30",', '"luxon": "^3.4",'), "luxon"),
        (TARGET, edit("backup.yml", "target: nas01:/srv/backup", "target: nas02:/srv"), "nas02:"),
        (
            CLIENT,
            edit("src/t.ts", "function fetchTides() {", "function loadTides() {"),
            "loadTides",
        ),
        (TIDES, edit("tides/feed.py", 'SOURCE = "noaa"', 'SOURCE = "bodc"'), "bodc"),
        (MOMENT, edit("src/t.ts", "import moment from 'x'", "import luxon from 'luxon'"), "luxon"),
        (LEDGER, edit("src/stock.ts", "let rows = ledger(INES);", "let rows = erp();"), "erp"),
        (SHOPS, edit("web/form.ts", "PLACES = ['香港']", "PLACES = ['香港', '上海']"), "上海"),
        (K3S, 'P: go on\nE main.tf\n- module "k3s" {}\nA: Done.\n', "was removed"),
    ],
)
@pytest.mark.parametrize("host", ["claude", "codex"])
def test_an_act_that_takes_away_what_a_record_says_marks_it(project, text, act, why, host):
    project.session(recorded(text))
    assert text in project.session("P: hi\nA: Hi.\n").start
    project.session(act, host=host)
    [memory] = live(project, "is:verify")
    assert memory.content == text
    assert f"by {host} on 5 Mar 2026" in memory.stale
    assert why in memory.stale
    assert text not in project.session("P: hi\nA: Hi.\n").start
    shown = project.command("review", "show", memory.id, "--kind", "outdated").out
    assert memory.stale in " ".join(shown.split())
    assert project.command("review", "accept", memory.id, "--kind", "outdated").code == 0
    assert text in project.session("P: hi\nA: Hi.\n").start
    project.person(lambda core: core.maintenance.run())
    assert live(project, "is:verify") == []


@pytest.mark.parametrize(
    ("text", "act"),
    [
        (QUEUE, edit("src/search/api.ts", "const PAGE = 8;", "const PAGE = 30;")),
        (QUEUE, edit("src/sync/queue.ts", "const RETRIES = 8;", "const RETRIES = 8 // tries;")),
        ("Logs are kept for 14 days.", edit("logs.yml", "log_limit: 14s", "log_limit: 20s")),
        ("Never format dates with moment.", "P: go on\n$ npm uninstall moment\nA: Done.\n"),
        ("Keys are of secp256k1 and lie in src/keys.", edit("src/keys/a.ts", "v: 1", "v: 2")),
        (CLIENT, edit("src/app.ts", "return fetchTides();", "return loadTides();")),
        (TIDES, edit("tests/feed.py", 'SOURCE = "noaa"', 'SOURCE = "bodc"')),
        ("Lines are logged as json.", edit("log.py", "import json", "import yaml")),
        (MOMENT, edit("src/t.ts", "import moment from 'x'", "const x = 1;")),
        (LEDGER, edit("src/fees.ts", "let rows = ledger(INES);", "let rows = erp();")),
        (SHOPS, edit("web/form.ts", "PLACES = ['香港']", "PLACES = ['香港', '香港']")),
        ("Ships lie in '香港' at night.", edit("a.ts", "['香港']", "['香港', '上海']")),
        ("Never put k3s back.", 'P: go on\nE main.tf\n- module "k3s" {}\nA: Done.\n'),
    ],
)
def test_another_value_a_denial_or_one_use_less_marks_nothing(project, text, act):
    project.session(recorded(text))
    project.session(act)
    assert live(project, "is:verify") == []


def test_a_rule_of_the_user_is_received_with_the_mark_and_what_is_put_back_without(project):
    rule = "Install is always npm ci, never npm install"
    project.session(f"P: {rule}, the lockfile must not move.\nA: Noted.\n{recorded(QUEUE)}")
    project.session(edit(".github/ci.yml", "- run: npm ci", "- run: pnpm install"))
    project.session(edit("src/sync/queue.ts", "const RETRIES = 8;", "const RETRIES = 30;"))
    start = project.session("P: hi\nA: Hi.\n").start
    assert rule in start
    assert "“- run: npm ci” → “- run: pnpm install”" in start
    assert QUEUE not in start
    project.session(edit("src/sync/queue.ts", "const RETRIES = 30;", "const RETRIES = 8;"))
    assert QUEUE in project.session("P: hi\nA: Hi.\n").start


def test_a_wish_that_was_carried_out_is_no_longer_received(project):
    wish = (
        "We should add haptic feedback to the record button some day, nobody notices that it runs"
    )
    project.session(f"P: {wish}.\nA: Understood, not now.\n")
    assert wish in project.session("P: hi\nA: Hi.\n", days=2).start
    project.session(edit("src/RecordButton.tsx", "onPress={start}", "onPress={haptic(start)}"))
    assert wish not in project.session("P: hi\nA: Hi.\n").start
    assert "carried out in src/RecordButton.tsx" in live(project, "haptic")[0].stale
