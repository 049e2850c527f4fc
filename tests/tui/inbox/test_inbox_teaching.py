"""What verdicts taught stands beside each candidate, and can be started anew from the app."""

from collections import Counter

import pytest

from memdeck import Capture, MemoryCoordinator, Salience

from .story import TEXTS, Triaging

SCORE = Salience(-1.0, 0.55, 0.18, True, False, (("gives a reason", 0.6),), bias=-0.3)


@pytest.fixture
def judged(core: MemoryCoordinator) -> None:
    """Five candidates of an agent's, each let in by its score."""
    captures = [
        Capture(text, rule="agent.said", importance=weight, salience=SCORE)
        for text, weight in TEXTS.values()
    ]
    for result in core.offer(captures):
        assert result.stored, result.reason


async def test_verdicts_raise_the_bar_and_the_next_candidate_says_so_without_being_read_anew(
    triage: Triaging, judged: None, monkeypatch: pytest.MonkeyPatch
):
    read, candidate = Counter[str](), MemoryCoordinator.candidate

    def counted(core: MemoryCoordinator, ref: str) -> object:
        read[ref] += 1
        return candidate(core, ref)

    monkeypatch.setattr(MemoryCoordinator, "candidate", counted)
    async with triage(size=(200, 60)) as person:
        assert "-0.3 your verdicts here" in person.told
        assert "You rejected" not in person.told
        anew = []
        for left in (4, 3, 2):
            once = Counter(read)
            await person.press("x")
            await person.until(lambda left=left: len(person.waiting) == left)
            await person.rest()
            anew.append(len(read - once))
        assert min(anew) <= 1  # the last that was not read ahead; more if the app looked just then
        assert "You rejected 3 of 3 of agents' sentences: the bar here is higher" in person.told
        await person.press("u")
        await person.until(lambda: len(person.waiting) == 3)
        await person.rest()
        assert "You rejected 2 of 2 of agents' sentences" in person.told


async def test_teaching_starts_anew_only_on_a_yes_and_an_undo_brings_it_back(
    triage: Triaging, judged: None
):
    async with triage(size=(200, 60)) as person:
        await person.press(*"xx")
        await person.until(lambda: len(person.waiting) == 3)
        for answer, rejected in (("n", 2), ("y", 0)):
            await person.rest()
            await person.person.burst([":", *"reset t", "enter", answer])
            await person.rest()
            teaching = await person.store(lambda core: core.taught())
            assert teaching.lessons.agent.rejected == rejected
        await person.said("2 verdicts count no more.")
        await person.press("u")
        await person.rest()
        teaching = await person.store(lambda core: core.taught())
        assert teaching.lessons.agent.rejected == 2
