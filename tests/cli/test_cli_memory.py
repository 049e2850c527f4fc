"""memory: the slash commands of an agent show and switch what they say, for this project only."""

import pytest

from memdeck.core.config.settings import PRESETS


@pytest.fixture
def some(remembered):
    """Three memories of two categories."""
    return {
        "host": remembered("Staging lives on host db-7", "--category", "discovery", "--pin"),
        "retry": remembered("The retry budget is three attempts", "--category", "decision"),
        "queue": remembered("The queue tests need redis on 6380", "--category", "decision"),
    }


# --- status


def test_status_counts_entries_categories_and_what_waits(cli, some, captured):
    captured("From now on, run the migration tests against postgres, never against sqlite.")
    cli("recall", "which host is staging on?")
    answer = cli("memory", "status")
    for words in ("4 memories", "decision 2", "discovery 1", "sound", "1 item", "tokens"):
        assert words in answer.out, words
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    whole = cli("memory", "status", "--json").json
    assert whole["entries"] == 4
    assert whole["categories"]["decision"] == 2
    assert whole["index"] == {"ok": True, "problem": None}
    assert whole["review"] == 1
    assert whole["conflicts"] == 0
    assert (whole["auto"], whole["incognito"]) == (True, False)
    assert whole["last_injected"]["host"] == "claude"


# --- budget


def test_budget_overrides_the_ceiling_for_this_project_and_is_undone(cli, some):
    assert "1,200 tokens a prompt (chosen here)" in cli("memory", "budget", "1,200", code=0).out
    assert cli("recall", "staging", "--json").json["budget"] == 1200
    cli("project", "new", "elsewhere")
    assert cli("memory", "budget", "--json", "--project", "elsewhere").json["chosen"] is False
    assert cli("undo").code == 0
    assert cli("memory", "budget", "--json").json["ceiling"] == 5000
    cli("memory", "budget", "700")
    assert cli("memory", "budget", "default", "--json").json["chosen"] is False


# --- auto and config


def test_auto_is_switched_for_this_project_and_undone(cli, home):
    assert "on: " in cli("memory", "auto").out
    answer = cli("memory", "auto", "off", "--json")
    assert answer.json.items() >= {"auto": False, "settings": True}.items()
    assert "off: " in cli("memory", "auto").out
    cli("project", "new", "elsewhere")
    assert cli("memory", "auto", "--json", "--project", "elsewhere").json["auto"] is True
    assert cli("undo").code == 0
    assert cli("memory", "auto", "--json").json["auto"] is True
    assert cli("memory", "auto", "perhaps").code == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_config_chooses_a_preset_and_shows_its_values(cli, home, preset):
    answer = cli("memory", "config", preset, "--json", code=0)
    wanted = {"preset": preset, **PRESETS[preset], "budget": 5000, "auto": True}
    assert answer.json == wanted
    assert cli("memory", "config", "--json").json == wanted
    assert preset in cli("memory", "config").out


# --- alias


def test_an_alias_lets_a_word_find_another_and_can_be_taken_back(cli, some):
    assert cli("search", "warehouse", "--json").out == ""
    answer = cli("memory", "alias", "add", "warehouse", "staging", "db-7", code=0)
    assert "warehouse also finds staging, db-7" in answer.out
    assert cli("search", "warehouse", "--json").lines[0]["id"] == some["host"]
    assert cli("memory", "alias", "--json").json == {
        "word": "warehouse",
        "others": ["staging", "db-7"],
        "built_in": False,
    }
    assert "warehouse" in cli("memory", "alias", "list").out
    assert cli("memory", "alias", "remove", "warehouse").code == 0
    assert cli("memory", "alias", "--json").out == ""
    assert cli("undo").code == 0
    assert cli("memory", "alias", "--json").json["word"] == "warehouse"
