"""What a person did next outweighs a score barely above the bar; no vote outweighs it."""

import sys

import pytest

from memdeck import Exchange, Salience
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.judgement.weights import threshold
from memdeck.tests.vocabulary import REACTIONS

TEXT = (
    "The gateway drops the tenant's header of each retried request, so the signature is made anew."
)
SAID = Exchange("Why does the export fail?", "Stop, leave the gateway alone.", "contested")


def score(above, is_established=False):
    """An agent's sentence, so far above the bar for candidates."""
    return Salience(threshold(is_person=False) + above, 0.5, 0.2, True, is_established)


@pytest.mark.parametrize("reaction", REACTIONS)
def test_what_is_barely_above_the_bar_is_refused_with_the_reason_and_can_be_rescued(
    core, offer, reaction
):
    result = offer(
        TEXT, rule="agent.said", salience=score(0.5), exchange=Exchange("Why?", "No.", reaction)
    )
    assert result.outcome == "refused"
    assert "The person " in result.reason
    [refused] = core.refused_captures()
    assert "barely above the bar" in refused.reason
    assert core.rescue(refused.number).status == "confirmed"


@pytest.mark.parametrize(("exchange", "is_sure"), [(Exchange(), True), (SAID, False)])
def test_what_is_well_above_it_stays_but_is_not_established(core, offer, exchange, is_sure):
    result = offer(
        TEXT, rule="agent.said", salience=score(4.0, is_established=True), exchange=exchange
    )
    assert result.stored, result.reason
    assert core.salience(result.memory_id).is_established is is_sure
    assert ("worth-keeping" in core.candidacy(result.memory_id)["signals"]) is is_sure
    assert (core.show(result.memory_id).scope == "project") is is_sure


@pytest.mark.parametrize(("is_established", "is_promoted"), [(False, False), (True, True)])
def test_votes_alone_promote_nothing_that_is_not_established(
    core, offer, tmp_path, is_established, is_promoted
):
    """An engine that calls everything important, and one point is enough."""
    judge = tmp_path / "judge"
    put_program(
        judge,
        f"#!{sys.executable}\nimport sys\nsys.stdin.read()\n"
        'print(\'{"score": 10, "trivial": false, "reason": "A lasting rule."}\')\n',
    )
    with open(core.home.config, "w", encoding="utf-8") as file:
        file.write(
            "[promotion]\nmin_points = 1\n[review]\ntimeout_s = 30\n"
            f'[review.engines.one]\nkind = "program"\nprogram = ["{judge}"]\n'
            '[review.engine_by_reviewer]\nanalyzer = "one"\npatterns = "one"\n'
        )
    core.context.read_policy_anew()
    result = offer(TEXT, rule="agent.said", importance=0.5, salience=score(2.0, is_established))
    memory = core.show(result.memory_id)
    assert memory.importance > 0.9
    assert (memory.scope == "project") is is_promoted


def test_an_engine_is_shown_the_score_and_the_exchange_without_secrets(core, offer, tmp_path):
    judge, seen = tmp_path / "judge", tmp_path / "seen"
    put_program(
        judge,
        f"#!{sys.executable}\nimport sys\nopen({str(seen)!r}, 'a').write(sys.stdin.read())\n"
        'print(\'{"score": 8, "reason": "Fine."}\')\n',
    )
    with open(core.home.config, "w", encoding="utf-8") as file:
        file.write(
            f'[review]\ntimeout_s = 30\n[review.engines.one]\nkind = "program"\n'
            f'program = ["{judge}"]\n[review.engine_by_reviewer]\npatterns = "one"\n'
        )
    core.context.read_policy_anew()
    secret = "gh" + "p_" + "Zq8Kd3" * 6
    told = Exchange("Why does the export fail?", f"Stop, use {secret} there.", "contested")
    result = offer(TEXT, rule="agent.said", salience=score(4.0), exchange=told)
    assert result.stored, result.reason
    shown = seen.read_text()
    assert "a fitted score: 20% likely worth keeping, 50% likely worth a second look" in shown
    assert "what the person had said before: Why does the export fail?" in shown
    assert "what the person said next: Stop, use [REDACTED:" in shown
    assert "how the person took it: contested" in shown
    assert secret not in shown
