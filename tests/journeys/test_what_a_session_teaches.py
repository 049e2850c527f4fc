"""What each agent's session leaves behind by hooks alone: corrections, nothing short, a trail."""

from dataclasses import replace

import pytest

from memdeck import MemoryCoordinator
from memdeck.benchmarks.gallery.dialogue import Step, load
from memdeck.benchmarks.gallery.play import Player

ASKED = "Install the new parser library for the tide tables, please."
CORRECTED = "No, use uv instead of pip here, since the lock file of this project is written by uv."
SHORT = "We want small commits here."


@pytest.fixture(params=("claude", "codex", "copilot", "gemini", "opencode"))
def lived(request, tmp_path):
    """A session of the host that was corrected once, from start to end."""
    steps = (
        Step("prompt", text=ASKED),
        Step("answer", text="I installed it with pip."),
        Step("prompt", text=CORRECTED),
        Step("answer", text="I installed it with uv."),
        Step("prompt", text=SHORT),
        Step("answer", text="Yes."),
    )
    player = Player(replace(load("parser"), host=request.param, name="uv", steps=steps), tmp_path)
    player.live()
    with MemoryCoordinator.open(player.home, player.root, clock=player.clock) as memory:
        yield memory


def test_a_persons_correction_is_learned_what_is_short_is_not_and_each_change_leaves_its_entry(
    lived,
):
    """003-16: auto-learn from corrections; 000-49: walk the conversation, skip what is short.

    002-38: audit on add, remove and finalise.
    """
    kept = [one for one in lived.list() if "uv" in one.content]
    assert [one.origin.session for one in kept] == [lived.sessions()[0].id]
    assert all(lived.reviews(one.id) for one in lived.list("is:candidate"))  # stored with a review
    assert not any(SHORT in one.content for one in lived.list())
    [refused] = lived.refused_captures()
    assert refused.content == SHORT
    assert refused.reason.startswith("triviality: It is too short")

    [memory] = kept
    lived.forget(memory.id)
    trail = {entry.action: entry for entry in lived.audit(limit=50)}
    assert {"add", "forget", "finalize"} <= trail.keys()
    assert trail["forget"].actor == "person"
    assert trail["finalize"].session == memory.origin.session
    assert lived.verify().ok
