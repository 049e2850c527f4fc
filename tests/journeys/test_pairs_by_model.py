"""A model of the user's is asked about open conflicts, and retires nothing.

The model is a program, through the drain, as the extractor's is.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import MemoryCoordinator
from memdeck.agents.drain import drain_spool
from memdeck.tests.journeys.engine import use_program

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
NEVER = "Never deploy the booking service on Tuesdays"
LUNCH = "Always deploy the booking service on Tuesdays"
THIRTY = "Backups of the harbour database are kept for 30 days"
NINETY = "Backups of the harbour database are kept for 90 days"

MODEL = """
import json, os, sys, time
os.chdir({place!r})
request = json.load(sys.stdin)
number = sum(name.startswith("pairs-") for name in os.listdir())
json.dump(request, open(f"pairs-{{number}}.json", "w"))
part = json.load(open("part.json"))
if part.get("do") == "hang":
    time.sleep(600)
if part.get("do") == "crash":
    sys.exit("out of credit")
if "says" in part:
    sys.exit(print(part["says"]))
answers = []
for pair in request["pairs"]:
    words = (pair["older"]["text"], pair["newer"]["text"])
    for rule in part["rules"]:
        if all(any(part in text for text in words) for part in rule["of"]):
            answers += [{{"pair": pair["pair"], **one}} for one in rule["answers"]]
            break
print(json.dumps({{"answers": answers}}))
"""


def answer(word, holds=None, *, sure=True, why="They name another day."):
    return {"answer": word, "holds": holds, "sure": sure, "why": why}


class Model:
    """The program that stands for a model."""

    def __init__(self, place):
        self.place = place
        self.tells()

    def tells(self, *rules):
        """What it answers: (words that stand in either side, answers…), the first that fits."""
        made = [{"of": list(of), "answers": list(answers)} for of, *answers in rules]
        (self.place / "part.json").write_text(json.dumps({"rules": made}))

    def says(self, words):
        (self.place / "part.json").write_text(json.dumps({"says": words}))

    def does(self, what):
        (self.place / "part.json").write_text(json.dumps({"do": what}))

    def requests(self, kind="pairs"):
        files = sorted(
            self.place.glob(f"{kind}-*.json"), key=lambda one: int(one.stem[6:].strip("n-"))
        )
        return [json.loads(one.read_text()) for one in files]


@pytest.fixture
def model(home, tmp_path):
    """A program as the extractor, in the home's own settings."""
    place = tmp_path / "model"
    place.mkdir()
    (place / "model.py").write_text(MODEL.format(place=str(place)))
    home.prepare()
    made = Model(place)

    def settings(extractor=""):
        use_program(home, place / "model.py", extractor)

    made.settings = settings
    settings()
    return made


@pytest.fixture
def at(home, repo):
    """The store as it stands for a person at a moment."""

    def opened(now=NOON):
        return MemoryCoordinator.open(home, repo, clock=lambda: now)

    return opened


@pytest.fixture
def noted(at):
    """Remember these as decisions of a person; each lists what it speaks of, too."""

    def remember(*texts, now=NOON):
        with at(now) as core:
            return [core.remember(text, category="decision").memory_id for text in texts]

    return remember


@pytest.fixture
def session_ends(start, repo, no_drain, home):
    """A session ends at a moment, and the drain works it off; what the drain reports."""
    names = iter(f"s{number}" for number in range(99))

    def ended(now):
        session = start(next(names), repo)
        with no_drain():
            session.says("Thanks, that is all for today.")
            session.end()
        return drain_spool(home, now)

    return ended


def test_off_by_default_nothing_is_asked(noted, at, session_ends, cli):
    noted(NEVER, LUNCH)
    assert session_ends(NOON + timedelta(days=2)).extracted == 0
    assert "No model is asked" in cli("extract", "--pairs", "--yes").err
    with at() as core:
        assert [one.opinion for one in core.conflicts()] == [""]


def test_a_pair_waits_a_day_for_others_and_is_asked_once(model, noted, at, session_ends):
    """Three sessions: too early, a day later, and never again for the same texts."""
    noted(NEVER, LUNCH, THIRTY, NINETY)
    model.tells((("booking",), answer("contradict", "newer")), (("Backups",), answer("both")))
    session_ends(NOON + timedelta(hours=23, minutes=59))
    assert model.requests() == []
    session_ends(NOON + timedelta(hours=24))
    [request] = model.requests()
    assert set(request) == {"system", "pairs"}
    assert len(request["pairs"]) == 2
    assert {one["older"]["by"] for one in request["pairs"]} == {"person"}
    with at() as core:
        [left] = core.conflicts()
        assert "the newer one holds (They name another day.)" in left.model_says
        assert all(one.is_live for one in core.list())  # nothing was merged or retired
    session_ends(NOON + timedelta(days=9))
    assert len(model.requests()) == 1


def test_what_it_calls_no_conflict_leaves_the_list_and_can_be_brought_back(
    model, noted, at, session_ends, cli
):
    noted(NEVER, LUNCH)
    model.tells((("booking",), answer("unrelated", why="Other services.")))
    session_ends(NOON + timedelta(days=1))
    with at() as core:
        assert core.conflicts() == []
        [aside] = core.conflicts(resolved=True)
        assert aside.opinion == "unrelated"
        [entry] = [one for one in core.audit() if one.action == "resolve"]
        assert entry.actor == "rule"
    assert cli("undo", str(entry.seq)).code == 0
    with at() as core:
        assert [one.opinion for one in core.conflicts()] == [""]
    session_ends(NOON + timedelta(days=3))
    assert len(model.requests()) == 1  # not asked again, so it stays
    with at() as core:
        assert len(core.conflicts()) == 1


FAILS = {
    "prose": (lambda model: model.says("They look fine to me."), "invalid"),
    "cut off": (lambda model: model.says('{"answers": [{"pair": 1, "ans'), "invalid"),
    "no list": (lambda model: model.says('{"answers": "same"}'), "invalid"),
    "crash": (lambda model: model.does("crash"), "failed"),
    "hang": (lambda model: model.does("hang"), "timeout"),
}


@pytest.fixture
def failed(model, noted, session_ends, cli):
    """A call that failed in this way, a day after the pair was noted."""

    def fail(name):
        part, status = FAILS[name]
        model.settings("timeout_s = 1" if name == "hang" else "")
        noted(NEVER, LUNCH)
        part(model)
        session_ends(NOON + timedelta(days=1))
        assert cli("status", "--json").json["extractor"]["last_pairs"]["status"] == status

    return fail


def test_what_is_private_or_decided_is_not_sent(model, at, cli):
    with at() as core:
        hidden = core.remember(NEVER, category="decision").memory_id
        core.edit(hidden, privacy="private")
        core.remember(LUNCH, category="decision")
        for text in (THIRTY, NINETY):
            core.remember(text, category="decision")
        [decided] = [one for one in core.conflicts() if one.first.content == THIRTY]
        core.resolve_conflict(decided.id, "both")
    printed = cli("extract", "--print-pairs")
    assert "No pair waits" in printed.err
    assert cli("extract", "--pairs", "--yes").code == 0
    assert model.requests() == []
