"""The fitted weights: whole, small, told by their manifest, and explained in words."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from memdeck.core.judgement import salience as weights
from memdeck.core.judgement.salience import Utterance, salience
from memdeck.tests.findings import findings

RULE = Utterance(
    "Never write to the tide table directly, because the pilots' export reads it at noon.",
    True,
    turn_length=84,
    after_refusal=True,
)
PROGRESS = Utterance("Now let me run the tests again.", False, turn_length=31)


@pytest.fixture
def fitted(tmp_path, monkeypatch):
    """A copy of the weights that a test may damage."""
    folder = str(tmp_path / "fitted")
    shutil.copytree(weights.FOLDER, folder)
    monkeypatch.setattr(weights, "FOLDER", folder)
    _forget()
    yield folder
    monkeypatch.undo()
    _forget()


def _forget():
    weights.salience_model.cache_clear()
    weights.manifest.cache_clear()


def test_the_manifest_tells_of_the_very_weights():
    with open(os.path.join(weights.FOLDER, "salience.json"), "rb") as file:
        raw = file.read()
    told = weights.manifest()["salience"]
    assert told["sha256"] == hashlib.sha256(raw).hexdigest()
    assert told["bytes"] == len(raw)


def test_the_manifest_says_on_what_the_weights_were_fitted_and_how_they_fared():
    told = weights.manifest()["salience"]
    assert told["projects"] >= 30
    assert len(told["judges"]) >= 5
    assert told["sentences"] == sum(told["judges"].values())
    for part in told["left_out"].values():
        assert [point["recall"] for point in part["curve"]] == [0.2, 0.35, 0.5, 0.65, 0.8]
    sizes = [step["sentences"] for step in told["learning_curve"]]
    assert sizes == sorted(sizes)


def test_all_weights_together_are_small():
    sizes = [
        os.path.getsize(os.path.join(weights.FOLDER, name)) for name in os.listdir(weights.FOLDER)
    ]
    assert sum(sizes) < 200_000


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text(""),
        lambda path: path.write_text(path.read_text() + " "),
        lambda path: path.write_text("[]"),
    ],
    ids=["gone", "empty", "changed", "no model"],
)
def test_damaged_weights_are_told_with_what_mends_them(fitted, damage):
    damage(Path(fitted, "salience.json"))
    with pytest.raises(weights.DamagedWeights) as found:
        weights.salience_model()
    assert "salience" in str(found.value)
    assert "Install memdeck again" in found.value.hint


def test_a_damaged_manifest_is_told_as_well(fitted):
    with open(os.path.join(fitted, "manifest.json"), "w") as file:
        file.write("{")
    with pytest.raises(weights.DamagedWeights, match="manifest"):
        weights.salience_model()


def test_doctor_names_damaged_weights_and_is_content_with_whole_ones(fitted, tmp_path):
    home = tmp_path / "home"
    assert findings(home, tmp_path)["judgement"].ok
    Path(fitted, "salience.json").write_text("{}")
    _forget()
    found = findings(home, tmp_path)["judgement"]
    assert not found.ok
    assert "salience.json" in found.message
    assert "Install memdeck again" in found.advice


def test_probabilities_lie_between_none_and_all(subtests):
    rows = [RULE, PROGRESS, Utterance("", True), Utterance("好", False)]
    for said in rows:
        with subtests.test(said=said):
            judged = salience(said)
            assert 0 <= judged.worth_keeping <= judged.worth_a_look <= 1
            assert judged.is_captured or not judged.is_established


def test_a_rule_with_its_reason_outweighs_an_announcement():
    assert salience(RULE).score > salience(PROGRESS).score + 2
