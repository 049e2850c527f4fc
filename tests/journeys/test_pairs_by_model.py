"""A model that the person has is asked about what speaks of the same thing, and decides nothing.

The model is a program, through the drain, as the extractor's is.
"""

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import MemoryCoordinator
from memdeck.agents.drain import drain_spool
from memdeck.tests.journeys.engine import use_program

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
NEVER = "Deploys of the booking service never go out on Tuesdays"
LUNCH = "Only on Tuesdays do deploys of the booking service go out, after lunch"
ONLY = "The booking service is deployed on Tuesdays only"

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


def listed(core):
    """The open pairs in their order: the texts of both, and what is said of them."""
    return [(one.first.content, one.second.content, one.wording) for one in core.conflicts()]


def test_off_by_default_nothing_is_asked(noted, at, session_ends, cli):
    noted(NEVER, LUNCH)
    assert session_ends(NOON + timedelta(days=2)).extracted == 0
    assert "No model is asked" in cli("extract", "--pairs", "--yes").err
    with at() as core:
        assert [one.opinion for one in core.conflicts()] == [""]


def test_a_pair_waits_a_day_for_others_is_asked_once_and_orders_the_list(
    model, noted, at, session_ends
):
    """Three sessions: too early, a day later, and never again for the same texts."""
    noted(NEVER, LUNCH, ONLY)
    with at() as core:
        before = listed(core)
    model.tells((("never",), answer("contradict", "newer")), (("after lunch",), answer("both")))
    session_ends(NOON + timedelta(hours=23, minutes=59))
    assert model.requests() == []
    session_ends(NOON + timedelta(hours=24))
    [request] = model.requests()
    assert set(request) == {"system", "pairs"}
    assert {one["older"]["by"] for one in request["pairs"]} == {"person"}
    with at() as core:
        after = core.conflicts()
        assert len(after) == len(before) - 1
        assert {one.wording for one in after} == {"likely contradicts"}
        assert all(one.probability > 0.5 and not one.is_sure for one in after)
        assert "the newer one holds (They name another day.)" in after[0].model_says
        assert all(one.is_live for one in core.list())  # nothing was merged or retired
        assert core.bias().contradict == core.bias().same == 0  # no person decided anything
    session_ends(NOON + timedelta(days=9))
    assert len(model.requests()) == 1


def test_what_it_calls_no_conflict_leaves_the_list_and_can_be_brought_back(
    model, noted, at, session_ends, cli
):
    noted(NEVER, LUNCH)
    model.tells((("never",), answer("unrelated", why="Other services.")))
    session_ends(NOON + timedelta(days=1))
    with at() as core:
        assert core.conflicts() == []
        [aside] = core.conflicts(resolved=True)
        assert aside.is_set_aside
        [entry] = [one for one in core.audit() if one.action == "resolve"]
        assert entry.actor == "rule"
    assert "taken off the list by a model" in cli("conflicts", "list", "--resolved").out
    assert cli("undo", str(entry.seq)).code == 0
    with at() as core:
        assert [one.opinion for one in core.conflicts()] == [""]
    session_ends(NOON + timedelta(days=3))
    assert len(model.requests()) == 1  # not asked again, so it stays
    with at() as core:
        assert len(core.conflicts()) == 1


MARKED = (
    ("marks_conflicts = true", answer("contradict", "open"), True),
    ("marks_conflicts = true", answer("contradict", "open", sure=False), False),
    ("marks_conflicts = true", answer("same"), False),
    ("", answer("contradict", "open"), False),
)


@pytest.mark.parametrize(("setting", "told", "is_marked"), MARKED)
def test_agents_are_told_only_where_the_person_wants_it_and_the_model_is_sure(
    setting, told, is_marked, model, noted, at, session_ends
):
    model.settings(setting)
    first, second = noted(NEVER, LUNCH)
    model.tells(((), told))
    session_ends(NOON + timedelta(days=1))
    with at() as core:
        [found] = core.conflicts()
        assert found.is_sure is is_marked
        links = {one.kind for one in core.links(first)}
        assert ("contradicts" in links) is is_marked
        assert core.resolve(first).is_live
        assert core.resolve(second).is_live


REFUSED = {
    "invents a pair": ([{"pair": 9, **answer("same")}], {"unknown": 1, "silent": 1}),
    "names a pair by words": ([{"pair": "1", **answer("same")}], {"nonsense": 1, "silent": 1}),
    "another answer": ([{"pair": 1, **answer("perhaps")}], {"nonsense": 1, "silent": 1}),
    "holds nonsense": (
        [{"pair": 1, **answer("contradict", "mine")}],
        {"nonsense": 1, "silent": 1},
    ),
    "no object": (["same"], {"nonsense": 1, "silent": 1}),
    "nothing": ([], {"silent": 1}),
    "two minds": ([{"pair": 1, **answer("same")}, {"pair": 1, **answer("both")}], {"twice": 1}),
}


def test_what_is_no_answer_is_refused_pair_by_pair_and_the_pair_stays(
    model, noted, at, session_ends, cli, home, subtests
):
    noted(NEVER, LUNCH)
    shutil.copytree(home.path, kept := f"{home.path}-as-noted")
    with at() as core:
        before = listed(core)
    for number, (name, (answers, dropped)) in enumerate(REFUSED.items(), 1):
        with subtests.test(answer=name):
            model.says(json.dumps({"answers": answers}))
            assert session_ends(NOON + timedelta(days=1)).extracted == 2  # the session, the pairs
            last = cli("status", "--json").json["extractor"]["last_pairs"]
            assert (last["status"], last["answers"], last["dropped"]) == ("ok", {}, dropped)
            with at() as core:
                assert listed(core) == before
            if number == len(REFUSED):
                session_ends(NOON + timedelta(days=3))
            assert len(model.requests()) == number
        shutil.rmtree(home.path)
        shutil.copytree(kept, home.path)


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


def test_what_is_private_decided_or_surely_in_conflict_is_not_sent(model, at, cli):
    with at() as core:
        hidden = core.remember(NEVER, category="decision").memory_id
        core.edit(hidden, privacy="private")
        core.remember(LUNCH, category="decision")
        core.remember(ONLY, category="decision")
        [decided] = [one for one in core.conflicts() if one.first.content == LUNCH]
        core.resolve_conflict(decided.id, "both")
        for days in (30, 90):
            text = f"Backups of the harbour database are kept for {days} days"
            core.remember(text, category="decision")
        assert [one.is_sure for one in core.conflicts()].count(True) == 1
    printed = cli("extract", "--print-pairs")
    assert "No pair waits" in printed.err
    assert cli("extract", "--pairs", "--yes").code == 0
    assert model.requests() == []
