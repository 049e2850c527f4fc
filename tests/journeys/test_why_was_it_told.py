"""A newcomer on the demo store, with the app alone: why was the agent told this, and what next?"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual import events

from memdeck.core.retrieval.ranking import label
from memdeck.tests.demo_store import DemoStore
from memdeck.tests.journeys.newcomer import Newcomer
from memdeck.tui.app import MemoryApp

PROMPT = "who gets the next offer of the waiting list, and how long is it valid"


class Asker(Newcomer):
    """A newcomer on the Recall screen."""

    @property
    def recall(self) -> Any:
        return self.app.stage.view("recall")

    def reads(self, pane: Any) -> str:
        """The words of a pane, wherever its lines break."""
        return " ".join(pane.text.render().plain.split())


@pytest.fixture
def demo(tmp_path: Path, copy_demo: Callable[[Path], DemoStore]) -> DemoStore:
    """The store of `memdeck demo`."""
    return copy_demo(tmp_path / "demo")


async def test_one_learns_why_a_memory_was_told_yesterday_and_what_a_prompt_would_get_in_gemini(
    demo: DemoStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_MOTION", "1")
    app = MemoryApp(demo.home, demo.project_root, clock=lambda: demo.now)
    async with app.run_test(size=(120, 35)) as pilot:
        person = Asker(app, pilot)
        await person.until(lambda: app.stage.current == "home" and person.is_quiet)
        receipts = await person.store(lambda core: core.receipts(200))

        # 4 is Recall, which says what it is for and that I shows what was told
        await person.press("4")
        await person.until(lambda: app.view == "recall" and person.is_quiet)
        assert "see what agents were told" in str(person.recall.answers.nothing.render())
        await person.press("I")

        # down to the first one of yesterday, and into what it told
        yesterday = (demo.now - timedelta(days=1)).date()
        while (receipt := person.recall.receipts.current) is None or (
            receipt.at.date() != yesterday
            or not any(len(one["parts"]) > 1 for one in receipt.items)
        ):
            await person.press("j")
        assert receipt.id in [one.id for one in receipts]
        about = person.reads(person.recall.answers.main)
        assert f"{receipt.at:%Y-%m-%d}" in about
        assert receipt.host in about
        await person.press("enter")
        while len(person.recall.answers.current.side.parts) < 2:
            await person.press("j")

        # why: every part of its score, and their sum, as it was then
        item = next(one for one in receipt.items if one["id"] == person.recall.answers.current.id)
        why = person.reads(person.recall.answers.why)
        assert "told in the tier" in why
        parts = {name: part for name, part in item["parts"].items() if abs(part) >= 0.001}
        assert all(label(name) in why for name in parts)
        assert "score" in why
        assert f"{item['score']:.3f}" in why
        assert sum(item["parts"].values()) == pytest.approx(item["score"], abs=0.01)

        # what was left out, and why not
        assert receipt.left_out
        while person.recall.answers.current.side.state == "told":
            await person.press("j")
        assert person.recall.answers.current.side.why in person.reads(person.recall.answers.why)

        # back to Recall: a prompt, Gemini, and a second policy beside the first
        await person.press("I", "c")
        for letter in PROMPT:
            key = {" ": "space", ",": "comma"}.get(letter, letter)
            app.post_message(events.Key(key, letter))
        await person.press("enter")
        await person.until(lambda: person.recall.trial.preview is not None and person.is_quiet)
        assert person.recall.trial.prompt.text == PROMPT
        await person.press("f", "h", "f", "c")
        assert person.recall.trial.host == "gemini"
        labels = [told.label for told in person.recall.answers.answer.tolds]
        assert labels == ["adaptive", "five-type"]
        for pane, policy in zip(person.recall.answers.columns[:2], labels, strict=True):
            answer = await person.store(
                lambda core, policy=policy: core.recall(
                    PROMPT, host="gemini", policy=policy, write_receipt=False
                )
            )
            assert answer.text.startswith("## Memory Context")
            shown = pane.text.render().plain
            assert answer.text in shown
            assert f"{answer.tokens:,}/{answer.budget:,}" in shown

        # looking changed nothing
        after = await person.store(lambda core: core.receipts(200))
        assert [one.id for one in after] == [one.id for one in receipts]
