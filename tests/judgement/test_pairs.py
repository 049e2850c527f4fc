"""What two notes are to each other: symmetric, careful, and nothing lost without its weights."""

import hashlib
import json
import math
import re
import shutil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck import Capture, Origin
from memdeck.core.judgement import weights
from memdeck.core.judgement.pairs import Bias, judge, may_be_same

PAIRS = Path(__file__).resolve().parents[2] / "training" / "pairs"

DIFFERENT = (
    ("The upload job retries 3 times.", "The upload job retries 5 times."),
    ("The upload job retries three times.", "The upload job retries five times."),
    ("The session token lives for 30 minutes.", "The session token lives for 30 seconds."),
    ("The session token lives for 30m.", "The session token lives for 30ms."),
    ("Logs are rotated at 10mb.", "Logs are rotated at 10gb."),
    ("Invoices are mailed daily.", "Invoices are mailed weekly."),
    ("Builds run on Jenkins every night.", "Builds run on Buildkite every night."),
    ("The parser lives in core/read.py now.", "The parser lives in core/write.py now."),
    ("Call parse_plan before the import.", "Call parse_survey before the import."),
    ("Run the importer with --dry-run first.", "Run the importer with --force first."),
    ("The linter needs Python 3.11 at least.", "The linter needs Python 3.12 at least."),
    ("The export contains addresses.", "The export doesn't contain addresses."),
    ("Der Export enthält Adressen.", "Der Export enthält keine Adressen."),
    ("Migrations run at start.", "Migrations never run at start."),
    ("Always ask before you push.", "Never ask before you push."),
    ("Always ask Ines, don't guess.", "Never ask Ines, don't guess."),
    ("Always ask Ines; do not guess.", "Never ask Ines; guess."),
    ("Seed the tables before the import.", "Seed the tables after the import."),
    ("The preview is enabled for guests.", "The preview is disabled for guests."),
    ("Releases are cut on mondays.", "Releases are cut on thursdays."),
)

REPEATED = (  # what is known, the same in other words, and what only sounds like it
    (
        "The read replica lags up to 20 s during the nightly import; don't read your own writes"
        " from it.",
        "While the nightly import is running, replica data can be twenty seconds old, hence never"
        " use it for read-after-write.",
        "While the nightly import is running, replica data can be twenty minutes old, hence never"
        " use it for read-after-write.",
    ),
)

UNSEEN = (  # by nobody who wrote pairs to fit to: a note, the same, its contrary, what also holds
    (
        "The harbour map is tiled at zoom levels 4 to 14, anything deeper is drawn from vectors.",
        "Tiles of the harbour map exist for zoom 4 to 14; deeper levels are rendered from vectors.",
        "The harbour map is no longer tiled at all, every zoom level is drawn from vectors now.",
        "The weather layer of the harbour map is refreshed by a cron job on the tile host.",
    ),
    (
        "Lock files are committed, and CI installs with the frozen flag.",
        "We commit the lock files; in CI, installs are run with the frozen flag.",
        "Lock files are not committed any more; CI resolves the newest versions each time.",
        "CI keeps its package cache for a week.",
    ),
    (
        "Berths are identified by their code, never by their row id.",
        "A berth is identified by its code and never by the row id.",
        "Berths are identified by their row id, since codes were reused last spring.",
        "Berths that are closed keep their code.",
    ),
    (
        "The tide service answers within 200 ms, because it reads from memory only.",
        "Reading from memory only, the tide service answers within 200 ms.",
        "The tide service answers within 900 ms, because it reads from disk.",
        "The tide service is started before the planner.",
    ),
)

anything = st.text(max_size=200) | st.text("aA1 .,%-/_\n'mskb", max_size=1_500)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the fitted files, which is the one that is read."""
    copy = tmp_path / "fitted"
    shutil.copytree(weights.FOLDER, copy)
    monkeypatch.setattr(weights, "FOLDER", str(copy))
    forget()
    yield copy
    forget()


def forget():
    weights.boosted.cache_clear()
    weights.manifest.cache_clear()


@pytest.mark.slow
@given(anything, anything)
@settings(max_examples=100, deadline=None)
def test_the_order_of_two_notes_does_not_count_and_the_answers_add_up(one, other):
    verdict = judge(one, other)

    assert verdict == judge(other, one)
    assert verdict.same + verdict.contradict + verdict.both == pytest.approx(1)
    assert min(verdict.same, verdict.contradict, verdict.both) >= 0


def walked(tree, signs):
    """The leaf that one comes to by asking node after node."""
    while isinstance(tree, list):
        sign, limit, least, more = tree
        tree = least if signs.get(sign, 0.0) <= limit else more
    return tree


def test_trees_that_are_asked_all_at_once_answer_as_if_each_were_walked():
    model, shipped = weights.boosted("pairs"), Path(weights.FOLDER, "pairs.json").read_text("utf-8")
    names, trees = json.loads(shipped)["signs"], json.loads(shipped)["trees"]
    limits = {}
    for node in re.findall(r"\[(\d+),\s*(-?[\d.e-]+)", shipped.partition('"trees"')[2]):
        limits.setdefault(names[int(node[0])], []).append(float(node[1]))
    assert min(map(min, limits.values())) < 0 < max(map(max, limits.values()))
    chance = Random(7)
    for share in [0.0, 1.0] + [chance.random() for _ in range(60)]:
        signs = {
            name: chance.choice(limits.get(name, [1.0])) + chance.choice([-1e-6, 0.0, 1e-6, 9.0])
            for name in names
            if chance.random() < share
        }
        by_number = {n: signs[name] for n, name in enumerate(names) if name in signs}
        told = model.first.sums(signs) | model.forest.sums(signs)
        assert told == {q: sum(walked(tree, by_number) for tree in ts) for q, ts in trees.items()}


def test_another_number_unit_name_path_or_denial_is_never_surely_the_same(subtests):
    for one, other in DIFFERENT:
        with subtests.test(one=one):
            assert not may_be_same(one, other)
            assert not judge(one, other).is_surely_same


@pytest.fixture
def told(folder):
    """Make the shipped thresholds meet a judge that says the same of every pair."""

    def _told(*, same, contradict, tree=0.0):
        file = folder / "pairs.json"
        model = json.loads(file.read_text("utf-8"))
        odds = {"same": same, "contradict": contradict}
        model["trees"] = {question: [tree] for question in (*odds, "glance")}
        model["curves"] = {q: [1.0, math.log(p / (1 - p))] for q, p in odds.items()}
        file.write_text(json.dumps(model), "utf-8")
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        manifest["pairs"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        forget()

    return _told


def chain(leaves):
    """A tree of so many leaves, all of them 0."""
    tree = 0.0
    for _ in range(leaves - 1):
        tree = [0, 1.0, 0.0, tree]
    return tree


def test_a_tree_has_sixteen_leaves_at_most(told):
    told(same=0.5, contradict=0.2, tree=chain(16))
    assert judge(NOTE, NOTE).same == pytest.approx(0.5)
    told(same=0.5, contradict=0.2, tree=chain(17))
    with pytest.raises(weights.DamagedWeights, match="more than 16 leaves"):
        judge(NOTE, NOTE)


LEAST = weights.boosted("pairs").thresholds
NOTE = "The importer keeps the raw rows."
BY_CHANCE = (
    (
        "A NOTIFY payload over 8,000 bytes raises an error that aborts the whole transaction,"
        " including the booking in it. We send the job's name only; the worker reads the row.",
        "No deployments from Friday 15:00 to Monday 09:00 and none on changeover Saturdays in July"
        " and August, except for a fix of double bookings or payments, by phone with Tomás.",
    ),
    (
        "Hard-coded bounding boxes were replaced by marina.harbour_area (PostGIS polygon, drawn by"
        " the harbour master). Sandvik's box had included the ferry lane and produced forty false"
        " arrivals a day.",
        "To see what dock staff see: start the watchhouse with ?record=1 on the tablet, work for"
        " five minutes, then `quayside watch replay FILE` plays taps and frames on a laptop. Ask"
        " the crew first; names are replaced by fish in the recording.",
    ),
)


@pytest.mark.parametrize(
    ("same", "contradict", "other", "band"),
    [
        (LEAST["surely-same"] + 0.001, 0.001, NOTE, "same"),
        (LEAST["surely-same"] - 0.001, 0.0001, NOTE, "near"),
        (LEAST["surely-same"] + 0.001, 0.001, "The importer never keeps raw rows.", "near"),
        (0.001, LEAST["surely-conflict"] + 0.001, NOTE, "conflict"),
        (0.001, LEAST["surely-conflict"] - 0.004, NOTE, None),
        (LEAST["near"] / 2 + 0.001, LEAST["near"] / 2, NOTE, "near"),
        (LEAST["near"] / 2 - 0.001, LEAST["near"] / 2, NOTE, "none"),
        (0.001, 0.001, NOTE, "none"),
    ],
)
def test_a_band_begins_at_its_threshold(told, same, contradict, other, band):
    told(same=same, contradict=contradict)

    verdict = judge(NOTE, other)

    assert verdict == judge(other, NOTE)
    assert verdict.band == (band or ("near" if verdict.near >= LEAST["near"] else "none"))
    assert verdict.is_surely_same == (band == "same")


def test_notes_of_another_hand_are_told_apart():
    same, contrary, other = ([judge(row[0], row[place]) for row in UNSEEN] for place in (1, 2, 3))

    assert min(one.same for one in same) > max(one.same for one in contrary + other)
    assert min(one.near for one in same + contrary) > max(one.near for one in other)
    assert {one.band for one in same} <= {"same", "near"}
    assert {one.band for one in contrary} & {"conflict", "near"}
    assert {one.band for one in other} == {"none"}
    strangers = [judge(a[0], b[0]) for a in UNSEEN for b in UNSEEN if a is not b]
    assert {one.band for one in strangers} == {"none"}


def test_a_glance_turns_away_what_shares_a_word_by_chance_and_lets_through_the_rest():
    by_chance = [judge(*pair) for pair in BY_CHANCE]
    of_one_thing = [judge(row[0], other) for row in UNSEEN for other in row[1:3]]
    told = weights.manifest()["pairs"]["glance"]

    assert {one.both for one in by_chance} == {1.0}  # trees are never so sure
    assert max(one.both for one in of_one_thing) < 1.0
    # of the neighbours in the stores of real projects, each left out once
    assert told["turned_away"] >= 0.5
    assert max(told["lost_of_real"], told["lost_of_written"]) <= 0.005


def test_a_bias_moves_what_is_told_and_with_it_the_band(told):
    told(same=0.4, contradict=0.001)
    plain = judge(NOTE, NOTE)

    assert judge(NOTE, NOTE, bias=Bias()) == plain
    assert judge(NOTE, NOTE, bias=Bias(same=8.0)).band == "same"
    assert judge(NOTE, NOTE, bias=Bias(contradict=12.0)).contradict > plain.contradict
    assert judge(NOTE, NOTE, bias=Bias(same=-8.0)).band == "none"
    assert judge(NOTE, "It is denied.", bias=Bias(same=-8.0, contradict=9.0)).band == "conflict"


def test_the_manifest_tells_of_the_file_beside_it_and_of_the_pairs_it_was_fitted_on():
    told = weights.manifest()["pairs"]
    raw = (Path(weights.FOLDER) / "pairs.json").read_bytes()
    rows = [
        json.loads(line)
        for file in sorted(PAIRS.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]

    assert told["sha256"] == hashlib.sha256(raw).hexdigest()
    assert told["bytes"] == len(raw)
    assert told["thresholds"] == json.loads(raw)["thresholds"]
    assert told["pairs"] == len(rows)
    assert told["groups"] == len({row["group"] for row in rows})
    assert told["bands"]["authors"]["same"]["wrong_share"] <= 0.01
    for split in told["bands"].values():
        counts = split["counts"]
        assert sum(counts["met"].values()) <= 30 * told["store"]["new_notes"]
        assert sum(sum(counts[label].values()) for label in told["labels"]) == len(rows)
    assert told["bands"]["authors"]["conflict"]["alarms_a_note"] <= 0.05
    assert [step["learnt"] for step in told["mining"]] == sorted(
        step["learnt"] for step in told["mining"]
    )
    assert sum(file.stat().st_size for file in Path(weights.FOLDER).iterdir()) < 200_000


@pytest.mark.parametrize(
    "trees",
    [
        [[0, 1.0, 2.0]],
        [[99_999, 1.0, 0.1, 0.2]],
        [["covered", 1.0, 0.1, 0.2]],
        "no list",
    ],
)
def test_a_file_that_holds_no_trees_is_damaged(folder, trees):
    file = folder / "pairs.json"
    model = {**json.loads(file.read_text("utf-8")), "trees": {"same": trees, "contradict": []}}
    file.write_text(json.dumps(model), "utf-8")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["pairs"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")

    with pytest.raises(weights.DamagedWeights, match=r"pairs\.json"):
        judge("Use uv.", "Use pip.")


@pytest.fixture
def offer(core):
    """Offer one text as an agent found it in a session of its own."""

    def _offer(text):
        origin = Origin(session=f"s-{text}", agent="claude")
        [result] = core.offer([Capture(content=text, rule="agent.finding", origin=origin)])
        return result

    return _offer


@pytest.mark.parametrize(("known", "again", "not_quite"), REPEATED)
def test_what_an_agent_says_again_in_other_words_is_merged_and_a_near_miss_is_kept(
    core, offer, known, again, not_quite
):
    first = offer(known)
    assert first.outcome == "stored", first.reason

    repetition, other = offer(again), offer(not_quite)

    assert (repetition.outcome, repetition.memory_id) == ("duplicate", first.memory_id)
    assert other.memory_id != first.memory_id
    assert core.show(first.memory_id).content == known


def test_a_merge_in_other_words_can_be_taken_back(core, offer):
    known, again, _ = REPEATED[0]
    first = offer(known).memory_id
    before = core.show(first)
    offer(again)
    assert core.show(first) != before

    core.undo(core.audit()[0].seq)

    assert core.show(first).importance == before.importance
    assert core.show(first).confidence == before.confidence


def test_who_asks_for_more_likeness_than_usual_is_not_given_less(core, offer, home_path):
    known, again, _ = REPEATED[0]
    (home_path / "config.toml").write_text("[capture]\nsimilarity = 0.86\n")
    core.context.read_policy_anew()

    assert offer(known).stored
    assert offer(again).outcome == "stored"


@pytest.mark.parametrize("damage", [b"", b"{}", None], ids=["empty", "another", "missing"])
def test_without_its_weights_likeness_alone_decides_and_nothing_is_lost(offer, folder, damage):
    if damage is None:
        (folder / "pairs.json").unlink()
    else:
        (folder / "pairs.json").write_bytes(damage)
    known = "Sensor readings are stored raw, and corrected when they are shown."
    again = "We store raw readings of the sensors; correction happens on showing them."

    first, second, third = offer(known), offer(again), offer(known.rstrip("."))

    assert (first.outcome, second.outcome) == ("stored", "stored")
    assert (third.outcome, third.memory_id) == ("duplicate", first.memory_id)
