"""Keys typed ahead of the app: each waits for the place that it was typed for."""

import pytest


@pytest.mark.usefixtures("harbour")
async def test_a_letter_behind_a_form_key_is_text(open_app, slow_reads):
    async with open_app() as person:
        goes_on = slow_reads("pages")
        await person.burst("exp")
        goes_on.set()
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.rest()
        assert person.app.screen.texts()["content"].endswith("xp")


@pytest.mark.usefixtures("harbour")
async def test_keys_behind_a_query_are_for_its_first_hit_or_for_nothing(open_app):
    async with open_app() as person:
        await person.type("/zebrawood")
        await person.until_shown("Nothing matches.")
        await person.settle_burst(["enter", "e", "x", "x"])
        await person.press("escape", until=lambda: len(person.titles) == 5)

        await person.burst(["slash", *"staging", "enter", "p"], until=lambda: person.said("Pinned"))
        assert person.said("Staging lives")


@pytest.mark.usefixtures("harbour")
async def test_of_a_megabyte_that_is_pasted_a_part_is_taken(open_app):
    from textual import events

    async with open_app() as person:
        await person.press("slash")
        person.app.post_message(events.Paste("tide " * 200_000))
        await person.until(lambda: person.said("pasted"))
        await person.press("escape", until=lambda: len(person.titles) == 5)
