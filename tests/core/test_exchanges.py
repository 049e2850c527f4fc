"""No vote outweighs the score."""

import sys

import pytest

from memdeck import Salience
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.judgement.salience import threshold

TEXT = (
    "The gateway drops the tenant's header of each retried request, so the signature is made anew."
)


def score(above, is_established=False):
    """An agent's sentence, so far above the bar for candidates."""
    return Salience(threshold(is_person=False) + above, 0.5, 0.2, True, is_established)


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
    core.context.reload_policy()
    result = offer(TEXT, rule="agent.said", importance=0.5, salience=score(2.0, is_established))
    memory = core.show(result.memory_id)
    assert memory.importance > 0.9
    assert (memory.scope == "project") is is_promoted
