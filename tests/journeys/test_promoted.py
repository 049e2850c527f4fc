"""From what a session showed to what every session is told: points, filters, presets, a yes.

Each is lived through the hooks and the drain of at least three sessions, days apart.
"""

import pytest

from .scripts import ASKS_OF_FIX, FIX, GREETING, finds

HELD_BACK = "The crane image comes from the harbour registry, since the other one limits pulls."
"""A record that no start receives: what repeats it was not told of it."""


def standing(project, part):
    """The one live memory with these words, and what it earned."""
    with project.memory() as core:
        [memory] = [one for one in core.list() if part in one.content]
        return memory, core.candidacy(memory.id)


def test_a_fix_goes_from_its_session_to_the_project_and_by_a_pin_to_what_is_laid_down(project):
    """002-02, 002-08: error-resolution 2, multi-session 2, multi-agent 1, high-importance 1."""
    project.session(FIX)
    memory, earned = standing(project, "make e2e")
    assert (memory.status, memory.scope, memory.degree) == ("candidate", "session", "unproven")
    assert memory.importance < 0.7  # and no signal of it
    assert earned["signals"] == {"error-resolution": 2}
    assert (earned["points"], earned["promoted_at"]) == (2, None)
    assert "make e2e" not in project.session(GREETING).start

    project.session(FIX, host="codex", days=2)
    memory, earned = standing(project, "make e2e")
    assert (memory.scope, memory.degree) == ("project", "established")
    assert memory.importance >= 0.7
    assert earned["signals"] == {
        **{"error-resolution": 2, "multi-session": 2, "multi-agent": 1, "high-importance": 1}
    }
    assert earned["points"] == 6
    laid_down, _, notes = project.session(ASKS_OF_FIX, days=0.1).start.partition("<unverified>")
    assert "make e2e" in notes
    assert "make e2e" not in laid_down

    project.session(GREETING, days=2)
    memory, _ = standing(project, "make e2e")
    assert memory.status == "confirmed"
    assert project.command("pin", memory.id).code == 0
    memory, _ = standing(project, "make e2e")
    assert (memory.status, memory.degree) == ("pinned", "person")
    laid_down, _, notes = project.session(GREETING).start.partition("<unverified>")
    assert "make e2e" in laid_down
    assert "make e2e" not in notes


@pytest.mark.parametrize(
    ("preset", "script", "lives", "points", "is_promoted"),
    [
        ("conservative", finds(HELD_BACK), ("claude", "claude"), 3, False),
        ("conservative", finds(HELD_BACK), ("claude", "codex"), 4, True),
        ("balanced", FIX, ("claude",), 2, False),
        ("balanced", finds(HELD_BACK), ("claude", "claude"), 3, True),
        ("aggressive", finds(HELD_BACK), ("claude",), 1, False),
        ("aggressive", FIX, ("claude",), 2, True),
    ],
)
def test_so_many_points_promote_and_one_less_does_not(
    project, preset, script, lives, points, is_promoted
):
    """002-05: 4, 3 and 2 points, at both sides."""
    project.person(lambda memory: memory.set_preset(preset))
    for host in lives:
        project.session(script, host=host, days=2)
    memory, earned = standing(project, HELD_BACK if HELD_BACK in script else "make e2e")
    assert earned["points"] == points
    assert (earned["promoted_at"] is not None) is is_promoted
    assert memory.scope == ("project" if is_promoted else "session")
    project.session(GREETING, days=2)
    told = project.session(GREETING).start
    assert (memory.content[:24] in told) is (is_promoted or preset == "aggressive")


@pytest.mark.parametrize(
    ("preset", "given", "reached", "is_promoted"),
    [
        ("conservative", 3, 0.32, False),
        ("conservative", 4, 0.43, True),
        ("balanced", 2, 0.21, False),
        ("balanced", 3, 0.32, True),
    ],
)
def test_so_much_importance_is_enough_and_less_holds_it_back(
    project, preset, given, reached, is_promoted
):
    """002-20, 002-05: 0.4 and 0.25, with points enough; said again it gains a tenth."""
    project.person(lambda memory: memory.set_preset(preset))
    project.session(finds(HELD_BACK))
    memory, _ = standing(project, HELD_BACK)
    assert project.command("edit", memory.id, "--importance", str(given)).code == 0
    project.session(finds(HELD_BACK), host="codex", days=2)
    memory, earned = standing(project, HELD_BACK)
    assert earned["points"] == 4
    assert memory.importance == pytest.approx(reached, abs=0.005)
    assert (earned["promoted_at"] is not None) is is_promoted
    told = project.session(GREETING, days=2).start
    assert (HELD_BACK.rstrip(".") in told) is is_promoted


def test_a_sentence_without_a_limit_comes_with_prompts_about_it_and_with_no_start(project):
    thought = (
        "Perhaps we should store the tides in cents rather than floats, because users compare them."
    )
    project.session(f"P: {thought}\nA: I see.")
    later = project.session("P: Do we store the tides in cents or in floats?\nA: Let me see.")
    assert thought not in later.start
    assert thought in later.prompts[0]
    project.session(f"P: {thought.removeprefix('Perhaps ').capitalize()}\nA: Yes.")
    assert "tides in cents" in project.session("P: go on\nA: Yes.").start
