"""What agents were told: why, what they would be told today, and whether it helped."""

from typing import Any

from textual.widgets import TextArea

from memdeck import MemoryCoordinator

from .story import PINNED, PROMPT, Tryer, Trying


async def to_receipts(person: Tryer) -> None:
    """`I`, and wait for the first receipt."""
    await person.press("I")
    await person.until(
        lambda: person.view.receipts.opened is not None or person.view.has_class("-empty")
    )
    await person.rest()


async def to_second(person: Tryer, told: list[str]) -> None:
    """From the list, to the second receipt."""
    await person.press("j")
    await person.until(lambda: person.view.receipts.opened.receipt.id == told[1])
    await person.rest()


async def test_without_receipts_it_says_how_they_come_about(trying: Trying):
    async with trying() as person:
        await to_receipts(person)
        assert "No agent was told anything yet." in person.screen
        assert "connect your agents" in person.screen
        assert "no retrievals yet" in person.screen
        await person.press("I")
        await person.until(lambda: "What would an agent be told?" in person.screen)
        await person.rest()


async def the_newest_receipt_is_opened_with_all_it_told_and_why(
    person: Any, told: list[str]
) -> None:
    assert [row.id for row in person.view.receipts.listing.receipts] == told
    receipt = await person.store(lambda core: core.receipt(told[0]))
    assert "gemini" in person.text
    assert "when do deploys go out?" in " ".join(person.text.split())
    assert "9b01c7d2-03ee" in person.text
    assert receipt.policy in person.text
    assert [person.ids[name] for name in person.told] == [one["id"] for one in receipt.items]
    await person.to(PINNED)
    assert "told because it is pinned" in person.about


async def another_receipt_shows_its_items_with_their_parts_and_what_was_left_out(
    person: Any, told: list[str]
) -> None:
    await to_second(person, told)
    receipt = await person.store(lambda core: core.receipt(told[1]))
    for item in receipt.items:
        name = next(name for name, ref in person.ids.items() if ref == item["id"])
        await person.to(name)
        shown = person.view.answers.current.sides[0]
        assert shown.parts == item["parts"]
        assert f"{item['score']:.3f}" in person.about
    reasons = dict(receipt.left_out)
    assert {person.ids[name] for name in person.in_state("out")} <= reasons.keys()
    assert f"left out {len(reasons)}" in " ".join(person.text.split())


async def brackets_go_from_receipt_to_receipt_and_the_ends_hold(
    person: Any, told: list[str]
) -> None:
    await person.press("enter", "]", "]")
    await person.until(lambda: person.view.receipts.opened.receipt.id == told[1])
    await person.rest()
    assert person.view.answers.items.has_focus
    await person.press("[", "[")
    await person.until(lambda: person.view.receipts.opened.receipt.id == told[0])
    await person.rest()


async def times_stand_there_against_the_limit(person: Any) -> None:
    assert "p50" in person.screen
    assert "p95" in person.screen
    assert "limit 200 ms" in person.screen
    assert "degraded" not in person.screen
    await person.press("I")
    await person.ask(PROMPT)
    assert "✓ time p95" in person.view.answers.budget.text.render().plain


async def test_when_recall_was_too_slow_both_places_say_that_it_looks_at_less(
    trying: Trying, slow: None
):
    async with trying() as person:
        await person.ask(PROMPT)
        bars = person.view.answers.budget.text.render().plain
        assert "! time p95" in bars
        assert "recall was too slow lately: it looks at less" in bars
        await to_receipts(person)
        assert "!5 over limit 200 ms  degraded: looks at less" in person.screen


# -- replaying


async def test_capital_r_shows_what_the_same_prompt_would_get_today_and_what_differs(
    trying: Trying, told: list[str], core: MemoryCoordinator, known: dict[str, str]
):
    core.forget(known["retry"])
    fresh = core.remember("How long the webhook worker's queue timeout and retry is: see queue.md.")
    known["fresh"] = fresh.memory_id or ""
    async with trying() as person:
        await to_receipts(person)
        await person.press("j", "R")
        await person.until(lambda: person.view.answers.is_beside)
        await person.rest()
        replay = await person.store(lambda core: core.replay(told[1]))
        assert set(person.in_state("told", 0)) >= {"retry"}
        assert {person.ids[name] for name in person.in_state("told", 1)} == {
            hit.id for hit in replay.now.items
        }
        assert "fresh" in person.in_state("told", 1)
        assert replay.now.text in person.view.answers.columns[1].text.render().plain
        await person.to("retry")
        assert "forgotten meanwhile" in person.about
        assert "today left out" in person.about
        await person.to("fresh")
        assert "then left out" in person.about
        await person.press("R")
        await person.until(lambda: not person.view.answers.is_beside)
        await person.rest()


async def without_its_prompt_a_receipt_cannot_be_replayed_and_says_why(person: Any) -> None:
    await to_receipts(person)
    assert "not kept, only its mark" in " ".join(person.text.split())
    assert person.view.check_action("receipt", ("today",)) is None
    assert person.view.check_action("take", ("receipt",)) is None
    assert person.view.why_not("receipt('today')") == "Its prompt was not kept, only its mark."
    await person.press("R", "c")
    await person.rest()
    assert not person.view.answers.is_beside
    assert person.view.receipts.is_shown


async def c_takes_its_prompt_to_try_it(person: Any) -> None:
    """With the host that asked it, which is not the one that is tried at first."""
    row = person.view.receipts.listing.receipts[person.view.receipts.list.cursor]
    assert row.host == "gemini"
    await person.press("c")
    await person.until(lambda: person.view.trial.preview is not None)
    await person.rest()
    assert person.app.screen.query_one("#recall-prompt", TextArea).text.startswith("when do")
    assert person.view.trial.host == "gemini"
    assert not person.view.receipts.is_shown


# -- feedback


async def whether_it_helped_is_noted_once_and_taken_back_by_the_same_key(person: Any) -> None:
    await person.press("enter")
    for key, says, counts in (
        ("plus", "Noted as helpful", (1, 0)),
        ("minus", "Noted as not helpful", (0, 1)),
    ):
        await person.press(key)
        await person.said(says)
        memory = await person.memory(PINNED)
        assert (memory.helpful, memory.unhelpful) == counts
        assert person.view.answers.current.helpful is (key == "plus")
        await person.press(key)
        await person.said("No longer")
        memory = await person.memory(PINNED)
        assert (memory.helpful, memory.unhelpful) == (0, 0)
        assert person.view.answers.current.helpful is None


async def what_was_not_told_cannot_have_helped(person: Any, told: list[str]) -> None:
    await to_second(person, told)
    await person.to(person.in_state("out")[0])
    assert person.view.check_action("change", ("helpful",)) is None
    assert person.view.why_not("change('helpful')") == "Only what was told can be helpful."


# -- of one memory


async def test_the_deck_leads_to_the_receipts_of_a_memory_or_says_that_nobody_was_told_it(
    open_app: Any, known: dict[str, str], told: list[str]
):
    async with open_app(query="retry budget") as person:
        assert person.here.startswith("The retry budget")
        await person.press("I")
        await person.until(lambda: person.app.view == "recall")
        await person.rest()
        view = person.app.stage.view("recall")
        assert [row.id for row in view.receipts.listing.receipts] == [told[1]]
        assert "Receipts of The retry budget" in person.screen
        await person.press("backspace")
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        assert person.here.startswith("The retry budget")

        await person.burst(["/", *"tide", "enter", "I"])
        await person.until(lambda: "No agent was told this memory yet." in person.screen)
        await person.rest()
        await person.press("f", "m")
        await person.until(lambda: "1 of 2" in person.screen)
        await person.rest()


async def f_keeps_to_the_memory_under_the_cursor_and_lets_go_again(
    person: Any, told: list[str]
) -> None:
    await to_second(person, told)
    await person.to("retry")
    await person.press("f", "m")
    await person.until(lambda: len(person.view.receipts.listing.receipts) == 1)
    await person.rest()
    await person.press("f", "m")
    await person.until(lambda: len(person.view.receipts.listing.receipts) == 2)
    await person.rest()


async def escape_leads_out_step_by_step(person: Any) -> None:
    await person.press("enter", "R")
    await person.until(lambda: person.view.answers.is_beside)
    await person.rest()
    await person.press("escape")
    await person.rest()
    assert person.view.receipts.list.has_focus
    await person.press("escape")
    await person.until(lambda: not person.view.answers.is_beside)
    await person.rest()
    await person.press("escape")
    await person.until(lambda: not person.view.receipts.is_shown)
    await person.rest()
    await person.press("escape")
    await person.rest()
    assert person.app.view == "recall"


async def a_new_receipt_joins_the_list_without_moving_what_is_read(
    person: Any, told: list[str]
) -> None:
    await to_second(person, told)
    await person.store(lambda core: core.recall(PROMPT, host="codex"))
    await person.until(lambda: len(person.view.receipts.listing.receipts) == 3)
    await person.rest()
    assert person.view.receipts.opened.receipt.id == told[1]
    assert person.view.receipts.list.cursor == 2


# -- settling: corrected, demoted, forgotten where it was told, with the proof


async def the_very_text_stands_in_the_receipt_and_is_copied(person: Any, told: list[str]) -> None:
    receipt = await person.store(lambda core: core.receipt(told[0]))
    assert receipt.text
    assert all(
        " ".join(line.split()) in " ".join(person.text.split())
        for line in receipt.text.splitlines()
    )
    assert person.view.answers.to_copy() == receipt.text
    await person.press("y")
    await person.rest()


async def test_after_thirty_days_it_says_that_the_text_is_kept_no_longer(
    trying: Trying, told: list[str], clock: Any
):
    clock.forward(days=31)
    async with trying() as person:
        await to_receipts(person)
        assert "not kept, or no longer: 30 days" in person.text


async def a_forgotten_memory_is_settled_from_its_receipt_and_the_proof_is_shown(
    person: Any,
) -> None:
    await person.press("enter")
    await person.to(PINNED)
    await person.press("x")
    await the_proof_is_shown(person, after="")


async def an_edited_memory_is_settled_from_its_receipt_and_the_proof_is_shown(person: Any) -> None:
    await person.press("enter")
    await person.to(PINNED)
    await person.press("e")
    await person.until(lambda: bool(person.app.screen.query("#edit-content")))
    person.app.screen.query_one("#edit-content", TextArea).text = "Deploys go out on Tuesdays."
    await person.press("f2")
    await the_proof_is_shown(person, after="Tuesdays")


async def the_proof_is_shown(person: Any, after: str) -> None:
    """And one undo takes the act back, and the proof with it."""
    await person.until(lambda: person.view.receipts.proof is not None)
    await person.until(lambda: person.view.answers.is_beside)
    await person.rest()
    assert [one.label for one in person.view.answers.answer.tolds] == ["before", "after"]
    then, now = person.view.answers.answer.tolds
    assert "Mondays" in then.text
    assert "Mondays" not in now.text
    assert after in now.text
    assert ("Tuesdays" in now.text) is bool(after)
    await person.press("u")
    await person.until(lambda: person.view.receipts.proof is None)
    await person.until(lambda: not person.view.answers.is_beside)
    await person.rest()
    assert "Mondays" in (await person.memory(PINNED)).content
    assert (await person.memory(PINNED)).is_live


async def demote_has_no_letter_and_unpins_with_the_proof(person: Any) -> None:
    await person.press("enter")
    await person.to(PINNED)
    await person.burst([":", *"demote", "enter"])
    await person.until(lambda: person.view.receipts.proof is not None)
    await person.until(lambda: person.view.answers.is_beside)
    await person.rest()
    assert (await person.memory(PINNED)).status == "confirmed"
    await person.press("escape")  # back to what the receipt told, where the next one is settled
    await person.until(lambda: not person.view.answers.is_beside)
    await person.rest()
    assert person.view.answers.items.has_focus


async def where_the_prompt_was_not_kept_the_act_is_done_and_says_so(person: Any) -> None:
    await to_receipts(person)
    await person.press("enter", "x")
    await person.said("Its prompt was not kept")
    assert person.view.receipts.proof is None


async def test_what_a_receipt_without_its_prompt_promises(
    trying: Trying, unkept: None, promises: Any
):
    async with trying() as person:
        await promises.hold(
            person,
            without_its_prompt_a_receipt_cannot_be_replayed_and_says_why,
            where_the_prompt_was_not_kept_the_act_is_done_and_says_so,
        )


async def f_lists_what_was_left_out_and_why(person: Any) -> None:
    await person.press("j", "enter")
    await person.rest()
    await person.press("f", "o")
    await person.rest()
    shown = person.view.answers.shown
    assert shown
    assert not any(one.is_told for one in shown)
    assert "left out · f shows all" in person.screen
    await person.press("escape", "escape")
    await person.rest()
    assert any(one.is_told for one in person.view.answers.shown)


async def what_was_retired_in_sight_has_no_key_to_edit_it_and_says_why(person: Any) -> None:
    await person.press("enter")
    await person.to(PINNED)
    assert "e Edit" in person.footer
    await person.store(lambda core: core.forget(person.ids[PINNED]))
    await person.app.news.look().wait()
    await it_has_no_key_to_edit_it_and_says_why(person)
    assert any("It is retired" in one for one in person.person.notices)  # said once in a while


async def what_was_retired_while_one_was_elsewhere_has_no_key_to_edit_it_and_says_why(
    person: Any,
) -> None:
    await person.press("enter")
    await person.to(PINNED)
    assert "e Edit" in person.footer
    await person.press("6")
    await person.store(lambda core: core.forget(person.ids[PINNED]))
    await person.app.news.look().wait()
    await person.press("backspace")
    await it_has_no_key_to_edit_it_and_says_why(person)


async def it_has_no_key_to_edit_it_and_says_why(person: Any) -> None:
    await person.until(lambda: person.view.answers.current.retired_as is not None)
    await person.rest()
    assert "e Edit" not in person.footer
    await person.press("e")
    await person.rest()
    assert person.person.dialog() == "Screen"
    assert "It is retired" in person.view.why_not("change('edit')")
    await person.store(lambda core: core.restore(person.ids[PINNED]))
    await person.app.news.look().wait()
    await person.until(lambda: person.view.answers.current.retired_as is None)


FROM_THE_LIST = (
    the_newest_receipt_is_opened_with_all_it_told_and_why,
    the_very_text_stands_in_the_receipt_and_is_copied,
    another_receipt_shows_its_items_with_their_parts_and_what_was_left_out,
    brackets_go_from_receipt_to_receipt_and_the_ends_hold,
    what_was_not_told_cannot_have_helped,
    f_keeps_to_the_memory_under_the_cursor_and_lets_go_again,
    f_lists_what_was_left_out_and_why,
    whether_it_helped_is_noted_once_and_taken_back_by_the_same_key,
    demote_has_no_letter_and_unpins_with_the_proof,
    a_forgotten_memory_is_settled_from_its_receipt_and_the_proof_is_shown,
    an_edited_memory_is_settled_from_its_receipt_and_the_proof_is_shown,
    what_was_retired_in_sight_has_no_key_to_edit_it_and_says_why,
    what_was_retired_while_one_was_elsewhere_has_no_key_to_edit_it_and_says_why,
    escape_leads_out_step_by_step,
    c_takes_its_prompt_to_try_it,
    a_new_receipt_joins_the_list_without_moving_what_is_read,
)
"""Each begins at the list of receipts, with the newest of the two open."""


async def test_what_receipts_promise(trying: Trying, told: list[str], subtests: Any):
    async with trying() as person:
        await to_receipts(person)
        for promise in FROM_THE_LIST:
            with subtests.test(promise=promise.__name__):
                if not person.view.receipts.is_shown:
                    await to_receipts(person)
                while not person.view.receipts.list.has_focus:
                    await person.press("escape")
                await person.press("g")
                await person.until(lambda: person.view.receipts.opened.receipt.id == told[0])
                await person.rest()
                person.app.clear_notifications()
                await promise(person, *([told] if "told" in promise.__annotations__ else []))
                await person.rest()
        await times_stand_there_against_the_limit(person)
