"""What a setting does, tried on what is here before it is set."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator


def effect(core: MemoryCoordinator, place: str, *values: Any) -> Any:
    [knob] = [one.knob for one in core.services.settings_book.settings() if one.knob.place == place]
    return core.services.effects.of(knob, values)


@pytest.fixture
def told(core: MemoryCoordinator, clock: Any) -> None:
    for text in (
        "The tide tables are printed by the port authority.",
        "Tide tables for the winter cost four euros at the kiosk.",
        "Skippers without tide tables must call the harbour office first.",
        "Old tide tables are burnt every January behind pier C.",
        "The ferry has tide tables in its own app, updated hourly.",
    ):
        clock.forward(hours=1)
        core.remember(text)
    core.recall("tide tables")


@pytest.mark.usefixtures("told")
def test_a_limit_is_tried_on_the_last_prompt(core: MemoryCoordinator):
    before = len(core.receipts(50))

    found = effect(core, "recall.injection_top_n", 5, 2)

    assert found.tried_on == "“tide tables”"
    now, other, *lost = found.lines
    assert (now.label, now.tone) == ("5", "now")
    told = int(now.text.partition(" ")[0])
    assert told > 2
    assert other.text.startswith("2 memories, ")
    assert [line.tone for line in lost] == ["less"] * (told - 2)
    assert len(core.receipts(50)) == before  # nothing is written


@pytest.mark.usefixtures("told")
def test_a_ceiling_shows_in_the_budget(core: MemoryCoordinator):
    now, other = effect(core, "recall.max_budget_tokens", 5000, 4000).lines[:2]

    assert "of 5,000 tokens" in now.text
    assert "of 4,000 tokens" in other.text


@pytest.mark.parametrize("place", ["recall.min_importance", "recall.profile_share"])
def test_what_shows_at_starts_is_tried_on_a_start(core: MemoryCoordinator, place: str):
    assert effect(core, place, 6 if "imp" in place else 0.2).tried_on == "the start of a session"


def test_an_empty_store_is_no_obstacle(core: MemoryCoordinator):
    for one in core.services.settings_book.settings():
        core.services.effects.of(one.knob, [one.value])


@pytest.mark.parametrize(
    ("name", "kept", "marker"),
    [
        ("emails", "ana.moreau@example.org", "[REDACTED:email]"),
        ("cards", "4242 4242 4242 4242", "[REDACTED:card-number]"),
        ("entropy", "q7Zk2Lm9Qw3Rt5Yu7Io1Pa4Sd6Fg8Hj0", "[REDACTED:high-entropy]"),
    ],
)
def test_redaction_is_shown_on_a_sample(core: MemoryCoordinator, name: str, kept: str, marker: str):
    sample, on, off = effect(core, f"redaction.{name}", True, False).lines

    assert kept in sample.text
    assert marker in on.text
    assert kept not in on.text
    assert kept in off.text


def test_an_address_to_keep_is_kept_in_the_sample(core: MemoryCoordinator):
    _, none, mine = effect(core, "redaction.keep_emails", [], ["ana.moreau@example.org"]).lines

    assert "[REDACTED:email]" in none.text
    assert "ana.moreau@example.org" in mine.text


def test_reviewers_vote_on_something(core: MemoryCoordinator):
    found = effect(core, "review.reviewers", ["analyzer"])

    assert [line.label for line in found.lines] == [
        "analyzer",
        "patterns",
        "knowledge-archaeologist",
    ]
    assert all("of 10" in line.text for line in found.lines)


def test_a_reviewer_that_asks_a_model_is_asked_only_when_told_to(
    core: MemoryCoordinator, home_path: Any, tmp_path: Any
):
    asked = tmp_path / "asked"
    (home_path / "config.toml").write_text(
        "[review.engines.mine]\nkind = 'program'\n"
        f"program = ['/bin/sh', '-c', 'touch {asked}; echo no answer']\n"
        "usd_per_call = 0.0\n"
        "[review.engine_by_reviewer]\nanalyzer = 'mine'\n"
    )

    [analyzer, *_] = effect(core, "review.reviewers", ["analyzer"]).lines
    assert "not asked here" in analyzer.text
    assert not asked.exists()

    [analyzer, *_] = core.services.effects.asked_reviewers().lines
    assert analyzer.tone == "warning"
    assert asked.exists()


@pytest.mark.usefixtures("told")
def test_presets_are_compared(core: MemoryCoordinator):
    found = effect(core, "preset", "balanced")

    assert [line.label for line in found.lines] == ["balanced", "conservative", "aggressive"]
    assert found.lines[0].tone == "now"
    assert "4 points, importance 0.4, 50 characters" in found.lines[1].text
