"""A model that the person has words what is over, from its lines alone; these come back at once."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.db.home import Home
from memdeck.tests.journeys.engine import use_program

from .project import Lived
from .scripts import BERTHS, FIX, GREETING, finds

ON = "words_summaries = true"
MENDED = (
    "`make e2e` failed with connect ECONNREFUSED 127.0.0.1:5432, until `docker compose up -d db`"
    " was run first, which fixed it."
)
MIRROR = "The nightly berth report reads the mirror database, since the primary one locks at dawn."
MODEL = """
import json, os, sqlite3, sys
os.chdir({place!r})
store = sqlite3.connect({database!r}, timeout=0)
store.execute("BEGIN IMMEDIATE")  # fails while somebody writes
store.close()
request = json.load(sys.stdin)
kind = request["stretch"].replace(" ", "-")
number = sum(name.endswith(".json") for name in os.listdir())
json.dump(request, open(f"{{number:03}}-{{kind}}.json", "w"))
part = json.load(open("part"))
if "runs" in part:
    import subprocess
    subprocess.run(part["runs"], check=True, capture_output=True)
if part.get("do") == "crash":
    sys.exit("out of credit")
sys.stdout.write(part["says"])
"""


class Model:
    """The program that stands for a model."""

    def __init__(self, place, home):
        self.place = place
        self.home = Home(home)
        place.mkdir(exist_ok=True)
        program = MODEL.format(place=str(place), database=str(self.home.database))
        (place / "model.py").write_text(program)
        self.settings()
        self.words(f"{MENDED} {MIRROR}")

    def settings(self, more=ON):
        """What stands in `[extractor]` beside its name."""
        self.home.prepare()
        use_program(self.home, self.place / "model.py", more)

    def words(self, summary):
        self.says(json.dumps({"summary": summary}))

    def says(self, words):
        (self.place / "part").write_text(json.dumps({"says": words}))

    def runs(self, *words):
        """What else happens while it thinks: a command line."""
        part = json.loads((self.place / "part").read_text())
        words = [sys.executable, "-m", "memdeck", *words, "--home", self.home.path]
        (self.place / "part").write_text(json.dumps({**part, "runs": words}))

    def does(self, what):
        (self.place / "part").write_text(json.dumps({"do": what}))

    def requests(self, kind="day"):
        """What it was sent about stretches of a kind, in order."""
        files = sorted(self.place.glob(f"*{kind}*.json" if kind else "*.json"))
        return [json.loads(one.read_text()) for one in files]


@pytest.fixture(scope="module")
def one_day(tmp_path_factory):
    """A project of which two sessions of one day have ended, with a model beside it."""

    def live(project):
        Model(project.folder / "model", project.folder / "home")
        project.session(FIX)
        project.session(finds(BERTHS), days=0)

    return Lived(tmp_path_factory.mktemp("one-day"), live)


@pytest.fixture
def project(one_day):
    return one_day.again()


@pytest.fixture
def model(project):
    """The program that is the extractor there, and words summaries."""
    return Model(project.folder / "model", project.folder / "home")


def first_day(project):
    """The summary of that day, as the command tells it."""
    return project.command("summaries", "show", "2026-03-03", "--json").json


def is_as_stored(told):
    """Whether a summary stands in its lines, worded by nobody."""
    return told["worded_by"] is None and told["content"].startswith("Solved: `make e2e` failed")


def log_of(model):
    """The log of the hooks, where the extractor's failures stand as well."""
    return Path(model.home.log, "hooks.log").read_text()


def calls(project):
    with project.memory() as memory:
        return memory.extractor.state().calls


def test_what_is_over_is_worded_once_and_opens_to_its_sources(project, model):
    assert model.requests("") == model.requests("session")  # the day is not over
    project.session(GREETING)
    told = first_day(project)
    assert told["content"] == f"{MENDED} {MIRROR}"
    assert told["worded_by"].startswith("program ")
    assert {one["content"] for one in told["memories"]} >= {MIRROR}
    assert len(told["summaries"]) == 2
    assert all(one["worded_by"] is None for one in told["summaries"])
    assert "worded by program " in project.command("summaries", "show", "2026-03-03").out
    [request] = model.requests()
    assert set(request) == {"system", "stretch", "lines", "lessons"}
    assert [line.partition(":")[0] for line in request["lines"]] == ["Solved", "Found"]
    assert [each.startswith("`make e2e` failed") for each in request["lessons"]] == [True]
    project.session(GREETING)
    assert len(model.requests()) == 1
    project.session(GREETING, days=30)
    assert [one["stretch"] for one in model.requests("week")] == ["week 2026-W10"]
    assert [one["stretch"] for one in model.requests("month")] == ["month 2026-03"]
    assert first_day(project)["content"] == told["content"]


@pytest.mark.parametrize(
    ("words", "is_left"),
    [
        (("forget",), False),
        (("edit", "--privacy", "private"), False),
        (("edit", "--content", MIRROR.replace("mirror", "second")), True),
    ],
)
def test_the_lines_come_back_at_once_when_a_source_changes_and_are_worded_anew(
    project, model, words, is_left
):
    project.session(GREETING)
    assert first_day(project)["worded_by"]
    with project.memory() as core:
        [source] = core.list("mirror database")
    assert project.command(words[0], source.id, *words[1:]).code == 0
    told = first_day(project)
    assert is_as_stored(told)
    assert "mirror" not in told["content"]
    again = MIRROR.replace("mirror", "second") if is_left else ""
    model.words(f"{MENDED} {again}".strip())
    project.session(GREETING)
    told = first_day(project)
    assert told["worded_by"]
    assert told["content"] == f"{MENDED} {again}".strip()
    first, second = model.requests()
    assert "mirror" in json.dumps(first)
    assert "mirror" not in json.dumps(second)


def test_what_is_forgotten_while_the_model_thinks_is_in_no_wording(project, model):
    with project.memory() as core:
        [source] = core.list("mirror database")
    model.runs("forget", source.id, "--project", str(project.folder / "harbour"))
    project.session(GREETING)
    assert "mirror" in json.dumps(model.requests())
    assert "changed meanwhile" in log_of(model)
    assert is_as_stored(first_day(project))


def test_off_by_default_nobody_is_asked_and_off_again_the_lines_are_back(project, model):
    model.settings("")
    project.session(GREETING)
    assert is_as_stored(first_day(project))
    assert model.requests() == []
    model.settings()
    project.session(GREETING)
    assert first_day(project)["worded_by"]
    model.settings("")
    assert is_as_stored(first_day(project))


def test_where_nobody_reads_sessions_nobody_words_summaries(project, model):
    assert project.command("extract", "--off").code == 0
    project.session(GREETING)
    assert project.command("maintain", "--json").json["worded"] == 0
    assert model.requests() == []
    assert is_as_stored(first_day(project))


def test_a_project_cannot_have_its_summaries_sent_away(project, model):
    model.settings("")
    (project.folder / "harbour" / ".memdeck.toml").write_text(f"[extractor]\n{ON}\n")
    project.session(GREETING)
    assert model.requests() == []


def test_the_days_budget_holds_for_summaries_too_and_what_it_leaves_waits(project, model):
    model.settings(f"{ON}\nmax_calls_per_day = 1")  # the session that ends takes it
    project.session(GREETING)
    assert calls(project) == 1
    assert model.requests() == []
    assert is_as_stored(first_day(project))
    assert project.command("maintain", "--dry-run", "--json").json["worded"] == 0
    model.settings(f"{ON}\nmax_calls_per_day = 2")
    assert project.command("maintain", "--json").json["worded"] == 1
    assert calls(project) == 2
    assert first_day(project)["worded_by"]


def test_a_dry_run_says_who_would_be_asked_and_asks_nobody(project, model):
    project.now += timedelta(days=1)
    asked = len(model.requests(""))
    told = project.command("maintain", "--dry-run").out
    assert "would be asked to word 1 summary" in told
    assert project.command("maintain", "--dry-run", "--json").json["worded"] == 1
    assert len(model.requests("")) == asked
    assert "1 summary worded by program " in project.command("maintain").out
    assert first_day(project)["worded_by"]
    assert project.command("maintain", "--dry-run", "--json").json["worded"] == 0


@pytest.mark.parametrize("what", ["crash", "prose"])
def test_a_model_that_fails_is_asked_once_more_after_an_hour_and_then_never(project, model, what):
    model.does(what)
    if what == "prose":
        model.says("Gladly! " + json.dumps({"summary": f"{MENDED} {MIRROR}"}))
    for asked in (1, 1, 2, 2):
        project.session(GREETING, days=1 if not model.requests() else asked / 48)
        assert len(model.requests()) == asked
        assert is_as_stored(first_day(project))
    assert "2026-03-03: " in log_of(model)


# --- what is believed

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
LOCK = "The tide import failed with a lock timeout until the batch size was set to 50"
TABLES = "We decided to keep harbour tide tables in Postgres for 90 seconds, see db/tides.toml"
GOOD = (
    "Until the batch size was set to 50, the tide import failed with a lock timeout. It was decided"
    " to keep harbour tide tables in Postgres for 90 seconds (see db/tides.toml)."
)


@pytest.fixture
def worded(tmp_path):
    """What a day reads as whose model says this, and why an answer was refused."""

    def told(says, *texts):
        model, now = Model(tmp_path / "model", tmp_path / "home"), [START]
        model.words(says)
        with open_memory(tmp_path / "home", tmp_path, clock=lambda: now[0]) as core:
            for text in texts or (LOCK, TABLES):
                category = "error" if "failed" in text else "decision"
                core.remember(text, category=category)
            now[0] += timedelta(days=1)
            core.maintenance.run()
            done = core.services.wordings.word()
            [day] = core.summaries("day")
            assert core.extractor.state().calls == len(model.requests()) == 1
            assert (
                core.services.wordings.word().status == "nothing"
            )  # whatever it was, it is not repeated
        assert bool(day.worded_by) is done.is_kept
        return (day.content if day.worded_by else ""), list(done.dropped)

    return told


def test_what_says_the_same_in_other_words_is_taken(worded):
    assert worded(GOOD) == (GOOD, [])


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (GOOD.replace("90", "95"), "number"),
        (GOOD.replace("90 seconds", "90 minutes"), "number"),
        (GOOD.replace("db/tides.toml", "db/tables.toml"), "name"),
        (GOOD.replace("Postgres", "Oracle"), "name"),
        (GOOD.replace("decided", "decided by `tidectl`"), "name"),
        (GOOD.replace("decided", "decided with “no regrets”"), "quoted"),
        (GOOD.partition(". ")[2], "lesson"),
        (GOOD.replace("Until the batch size was set to 50, the", "The"), "lesson"),
        (GOOD.replace("the tide import failed", "the tide import never failed"), "lesson"),
        (f"{GOOD} {GOOD.partition('. ')[2]}", "repeated"),
        (GOOD + " All of that was done." * 90, "too long"),
        (" \n", "form"),
    ],
)
def test_what_the_lines_do_not_say_or_no_longer_say_is_refused(worded, says, why):
    assert worded(says) == ("", [why])


def test_each_of_several_lessons_must_still_be_named(worded):
    gate = "The gate report failed until its cache was emptied by hand"
    assert worded(f"{LOCK}.", LOCK, gate) == ("", ["lesson"])


def test_no_secret_comes_in_by_an_answer(worded):
    secret = "ghp_" + "a1B2" * 9
    text, _ = worded(f"{GOOD} The token is {secret}.")
    assert secret not in text
