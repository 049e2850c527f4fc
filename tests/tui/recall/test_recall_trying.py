"""A prompt is tried out: the very text, for each host, under each policy and ranking."""

import threading
from typing import Any

import pytest
from textual import events

from memdeck import MemoryCoordinator

from .story import BROAD, PINNED, PROMPT, TEXTS, Tryer, Trying

HOSTS = ("claude", "gemini", "codex", "copilot", "opencode")
POLICIES = ("adaptive", "five-type", "tiered")
PROFILES = ("blend", "multiplicative", "additive")
WRITTEN = (
    *(
        ("", None),
        ("many", None),
        ("64000", 64_000),
        ("64,000", 64_000),
        ("64k", 64_000),
        ("1M", 1_000_000),
    ),
    *(("0", 0), ("999999999", 10_000_000), ("k", None), ("-5", None), ("1.5k", None)),
    *(("١٢", None), ("1234567890", None), ("20k", 20_000)),
)
"""Numbers of tokens as one may write them, and what they say; None: nothing."""


async def test_an_empty_place_says_what_it_is_for_and_its_keys_work(trying: Trying):
    async with trying() as person:
        assert "What would an agent be told?" in person.screen
        assert "'  take one" not in person.screen  # nobody was told anything yet
        await person.press("c")
        await person.rest()
        assert person.view.trial.prompt.has_focus


async def the_text_is_the_very_text_that_the_host_would_get(person: Tryer) -> None:
    for host in HOSTS:
        answer = await person.answer(PROMPT, host=host)
        assert answer.text
        assert person.text == answer.text
        assert f"host {host}" in person.screen
        assert f"{answer.tokens:,} of {answer.budget:,} tokens" in person.screen
        await person.press(*"fh")
        await person.rest()


CHOICES = (("fb", "policy", POLICIES), ("fr", "profile", PROFILES))


async def a_key_goes_through_the_choices_and_round_again(person: Tryer) -> None:
    for key, name, values in CHOICES:
        for value in (*values[1:], values[0]):
            await person.press(*key)
            await person.rest()
            answer = await person.answer(PROMPT, **{name: value})
            assert value in person.screen
            assert person.text == answer.text
            shown = {one.id: one.sides[0].parts for one in person.view.answers.shown}
            assert all(shown[hit.id] == hit.parts for hit in answer.items)


async def test_what_is_configured_is_what_one_begins_with(trying: Trying, home_path: Any):
    (home_path / "config.toml").write_text(
        '[recall]\nbudget_policy = "tiered"\nranking = "additive"\n', encoding="utf-8"
    )
    async with trying() as person:
        assert "budget tiered" in person.screen
        assert "ranking additive" in person.screen


async def test_the_context_that_is_left_makes_the_budget_and_another_number_can_be_written(
    trying: Trying, subtests: Any
):
    async with trying() as person:
        await person.ask(PROMPT)
        assert "100,000 assumed" in person.screen
        await person.press(*"fo")
        await person.until(lambda: person.person.dialog() == "Menu")
        assert in_force(person) == ["100,000"]  # what is assumed
        await person.press("1")  # 8,000
        await person.until(lambda: "of 640" in person.screen)
        await person.rest()
        assert person.text == (await person.answer(PROMPT, context_left=8_000)).text

        trial, now = person.view.trial, 8_000
        for written, tokens in WRITTEN:
            with subtests.test(written=written):
                person.app.clear_notifications()
                await person.press(*"fo")
                await person.until(lambda: person.person.dialog() == "Menu")
                await person.press("n")
                await person.until(lambda: person.person.dialog() == "Ask")
                await person.burst([*written, "enter"])
                await person.until(lambda: person.person.dialog() == "Screen")
                await person.rest()
                now = now if tokens is None else tokens
                assert trial.context_left == now
                notices = person.person.notices
                assert any("no number of tokens" in one for one in notices) == (tokens is None)
        assert "of 1,600" in person.screen
        await person.press(*"fo")
        await person.until(lambda: person.person.dialog() == "Menu")
        assert in_force(person) == ["20,000"]


def in_force(person: Tryer) -> list[str]:
    """What the menu stands on: it is bold."""
    options = person.app.screen.query_one("#menu-list").options
    bold = [
        option.prompt.plain[span.start : span.end].strip()
        for option in options
        for span in option.prompt.spans
        if str(span.style) == "bold"
    ]
    return bold


# -- typing


async def test_the_answer_follows_what_is_typed(trying: Trying):
    async with trying() as person:
        await person.burst(["c", *"tide tables"])
        await person.until(lambda: "tide" in person.told)
        await person.rest()
        assert person.view.trial.prompt.text == "tide tables"
        await person.press("enter")
        await person.rest()
        assert person.view.answers.items.has_focus
        assert person.text == (await person.answer("tide tables")).text


async def test_keys_echo_while_an_answer_is_awaited_and_only_the_newest_one_is_shown(
    trying: Trying,
):
    gate = threading.Event()
    async with trying() as person:
        try:
            blocked = person.app.slow.run(lambda _: gate.wait(300))
            waiting = person.app.run_worker(blocked, group="dialog")
            await person.press("c")
            await person.press(*"retry")
            await person.until(lambda: person.view.trial.prompt.text == "retry")
            assert person.view.trial.preview is None
            await person.until(lambda: "working …" in person.screen)
            await person.press(*" budget")
            await person.until(lambda: "retry budget" in person.screen)
        finally:
            gate.set()
        await waiting.wait()
        await person.until(lambda: person.view.trial.preview is not None)
        await person.rest()
        assert person.text == (await person.answer("retry budget")).text


async def test_a_paste_keeps_its_lines_and_shows_what_it_hides(trying: Trying):
    async with trying() as person:
        await person.press("c")
        await person.rest()
        person.view.trial.prompt.post_message(events.Paste("retry\rbud\x1b[31mget\u202e\r\nend"))
        await person.until(lambda: "retry" in person.view.trial.prompt.text)
        await person.rest()
        assert person.view.trial.prompt.text == "retry\nbud␛[31mget⟨202e⟩\nend"
        assert "\x1b" not in person.screen


async def test_without_an_answer_it_says_so_and_a_slip_is_one_key_from_what_was_meant(
    trying: Trying, core: MemoryCoordinator, known: dict[str, str]
):
    core.unpin(known[PINNED])
    core.forget(str(core.remember("Zeppelins moor at the northern mast").memory_id))
    async with trying() as person:
        await person.ask("xyzzy plugh")
        assert "Nothing would be injected." in person.screen
        assert "try other words" in person.screen
        await person.ask("zeppelin")
        assert "1 retired memory would match" in person.screen
        await person.ask("the tdie?")
        await person.until(lambda: "did you mean  the tide?" in person.screen)
        await person.press("enter")
        await person.until(lambda: person.view.trial.prompt.text == "the tide?")
        await person.until(lambda: "tide" in person.told)
        await person.rest()


# -- what is told, and what is not


async def each_memory_says_why_it_is_told_or_left_out(person: Tryer) -> None:
    answer = await person.answer(PROMPT)
    assert person.told[0] == PINNED
    assert [person.ids[name] for name in person.told] == [hit.id for hit in answer.items]
    await person.to(PINNED)
    assert "told because it is pinned" in person.about

    ranked = person.told[1]
    await person.to(ranked)
    hit = next(hit for hit in answer.items if hit.id == person.ids[ranked])
    assert f"{hit.score:.3f}" in person.about
    assert "words" in person.about
    assert "because" in person.about

    assert answer.next is not None
    [following] = person.in_state("next")
    assert person.ids[following] == answer.next["id"]
    await person.to(following)
    assert "would be the next" in person.about

    reasons = dict(answer.left_out)
    out = person.in_state("out")
    assert out
    for name in out:
        await person.to(name)
        assert reasons[person.ids[name]].split()[0] in person.about


async def the_bars_say_how_full_each_tier_is(person: Tryer) -> None:
    answer = await person.answer(PROMPT)
    bars = person.view.answers.budget.text.render().plain
    for tier, limit in answer.limits.items():
        if limit:
            assert f"{answer.per_tier.get(tier, 0):,} of {limit:,}" in bars
    assert f"{answer.tokens:,} of {answer.budget:,}" in bars


# -- changing


async def a_pin_is_told_at_once_and_u_takes_it_back(person: Tryer) -> None:
    before, out = person.text, person.in_state("out")[0]
    await person.to(out)
    await person.press("p")
    await person.until(lambda: out in person.told)
    await person.rest()
    assert TEXTS[out][:20] in person.text
    assert person.view.answers.current.id == person.ids[out]  # the cursor stays on the memory
    assert (await person.memory(out)).status == "pinned"
    await person.press("u")
    await person.until(lambda: out not in person.told)
    await person.rest()
    assert person.text == before
    assert (await person.memory(out)).status == "confirmed"


async def importance(person: Tryer, name: str) -> int:
    """Of 10, as the app says it."""
    return 1 + round(9 * (await person.memory(name)).importance)


async def an_importance_moves_the_score_at_once_and_u_takes_it_back(person: Tryer) -> None:
    name = person.told[1]
    await person.to(name)
    was = await importance(person, name)
    score = person.view.answers.current.side.score
    await person.press(">")
    await person.said(f"Importance {was} to {was + 1}")
    assert person.view.answers.current.side.score > score
    await person.press("u")
    await person.said("Undid")
    assert person.view.answers.current.side.score == pytest.approx(score)
    await person.press("<")
    await person.said(f"Importance {was} to {was - 1}")
    assert await importance(person, name) == was - 1


async def test_importance_ends_at_one_and_at_ten(
    trying: Trying, core: MemoryCoordinator, known: dict[str, str]
):
    core.edit(known["retry"], importance=1.0)
    core.edit(known["queue"], importance=0.0)
    async with trying() as person:
        await person.ask(PROMPT)
        for name, key, end in (("retry", ">", 10), ("queue", "<", 1)):
            await person.to(name)
            await person.press(key)
            await person.said(f"Importance is {end} already")
            assert await importance(person, name) == end


async def what_others_write_is_told_within_a_look(person: Tryer) -> None:
    await person.store(lambda core: core.forget(person.ids["retry"]))
    await person.until(lambda: "retry" not in person.told)
    await person.rest()


# -- two policies


async def test_two_policies_stand_side_by_side_and_are_never_the_same(trying: Trying):
    async with trying() as person:
        await person.ask(BROAD)
        await person.press(*"fhfc")
        await person.rest()
        texts = [
            pane.text.render().plain
            for pane in (person.view.answers.columns[0], person.view.answers.columns[1])
        ]
        for place, policy in enumerate(("adaptive", "five-type")):
            answer = await person.answer(BROAD, host="gemini", policy=policy)
            assert answer.text in texts[place]
            assert f"{answer.tokens:,}/{answer.budget:,}" in texts[place]
            assert {person.ids[name] for name in person.in_state("told", place)} == {
                hit.id for hit in answer.items
            }
        assert "6 in both · 1 only five-type" in person.screen
        assert person.in_state("next") == ["alarm"]
        await person.to("alarm")
        assert "adaptive would be the next" in person.about
        assert "five-type told in the tier retrieval" in person.about
        await person.press(*"ft")
        await person.rest()
        assert "tiered" in person.screen
        await person.press("escape")
        await person.rest()
        assert not person.view.answers.is_beside
        assert person.app.view == "recall"

        await person.press(*"fc")
        for key in "btbbttbr":
            await person.burst(["f", key])
            await person.rest()
            left, right = person.view.answers.answer.tolds
            assert left.label != right.label
        # nothing tried out is taken for told
        assert await person.store(lambda core: core.receipts()) == []
        assert await person.store(lambda core: core.latencies()) == []


# -- going


async def enter_opens_the_memory_and_backspace_comes_back_to_its_row(person: Tryer) -> None:
    await person.to("queue")
    await person.press("enter")
    await person.until(lambda: person.app.view == "deck")
    await person.until(lambda: person.person.here.startswith("The queue timeout"))
    await person.rest()
    await person.press("backspace")
    await person.until(lambda: person.app.view == "recall")
    await person.rest()
    assert person.view.answers.current.id == person.ids["queue"]


async def test_a_prompt_of_the_past_can_be_taken(trying: Trying, told: list[str]):
    async with trying() as person:
        await person.press("'")
        await person.until(lambda: person.person.dialog() == "Menu")
        assert "when do deploys go out?" in person.screen
        await person.press("enter")
        await person.until(lambda: person.view.trial.preview is not None)
        await person.rest()
        assert person.view.trial.prompt.text == "when do deploys go out?"
        assert person.view.trial.host == "gemini"


async def y_copies_the_very_text(person: Tryer, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    with monkeypatch.context() as copying:
        copying.setattr(person.app, "copy_to_clipboard", copied.append)
        await person.press("y")
        await person.until(lambda: copied)
    await person.rest()
    assert copied == [(await person.answer(PROMPT)).text]


async def test_a_prompt_on_the_command_line_is_tried_at_once(trying: Trying):
    async with trying(query=PROMPT) as person:
        await person.until(lambda: person.view.trial.preview is not None)
        await person.rest()
        assert person.text == (await person.answer(PROMPT)).text


async def test_what_a_prompt_that_is_tried_promises(trying: Trying, promises: Any):
    async with trying() as person:
        await person.ask(PROMPT)
        await promises.hold(
            person,
            the_text_is_the_very_text_that_the_host_would_get,
            a_key_goes_through_the_choices_and_round_again,
            each_memory_says_why_it_is_told_or_left_out,
            the_bars_say_how_full_each_tier_is,
            a_pin_is_told_at_once_and_u_takes_it_back,
            an_importance_moves_the_score_at_once_and_u_takes_it_back,
            what_others_write_is_told_within_a_look,
            enter_opens_the_memory_and_backspace_comes_back_to_its_row,
            y_copies_the_very_text,
        )
