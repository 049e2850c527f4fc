"""memory: the slash commands of an agent show and switch what they say, for this project only."""

import typing

import pytest

from memdeck.core.config.limits import RANGES
from memdeck.core.config.policy import PRESETS, Preset


@pytest.fixture
def some(remembered):
    """Three memories of two categories."""
    return {
        "host": remembered("Staging lives on host db-7", "--category", "discovery", "--pin"),
        "retry": remembered("The retry budget is three attempts", "--category", "decision"),
        "queue": remembered("The queue tests need redis on 6380", "--category", "decision"),
    }


# --- status


def test_status_of_nothing(cli, home):
    answer = cli("memory", "status")
    assert answer.code == 0
    assert answer.out.startswith("acme-api  0 memories\n")
    assert "nothing yet" in answer.out
    assert "sound" in answer.out


def test_status_counts_entries_categories_and_what_waits(cli, some, captured):
    """002-23: entry count, categories, index health, last injected."""
    captured("From now on, run the migration tests against postgres, never against sqlite.")
    cli("recall", "which host is staging on?")
    answer = cli("memory", "status")
    for words in ("4 memories", "decision 2", "discovery 1", "sound", "1 in the inbox", "tokens"):
        assert words in answer.out, words
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    whole = cli("memory", "status", "--json").json
    assert whole["entries"] == 4
    assert whole["categories"]["decision"] == 2
    assert whole["index"] == {"ok": True, "problem": None}
    assert whole["inbox"] == 1
    assert whole["conflicts"] == 0
    assert (whole["auto"], whole["incognito"]) == (True, False)
    assert whole["last_injected"]["host"] == "claude"


def test_status_says_when_the_index_is_damaged(cli, home, some):
    import sqlite3

    database = sqlite3.connect(home / "memory.db")
    database.execute("INSERT INTO memory_fts(memory_fts) VALUES('delete-all')")
    database.commit()
    database.close()
    answer = cli("memory", "status")
    assert answer.code == 1
    assert "damaged" in answer.out
    assert "memdeck rebuild" in answer.err
    broken = cli("memory", "status", "--json")
    assert (broken.code, broken.json["index"]["ok"]) == (1, False)
    assert cli("rebuild").code == 0
    assert cli("memory", "status").code == 0


# --- list and search


def test_list_is_bounded_and_takes_a_category(cli, some):
    answer = cli("memory", "list")
    assert len(answer.out.splitlines()) == 3
    assert answer.err == ""
    bounded = cli("memory", "list", "--limit", "2")
    assert len(bounded.out.splitlines()) == 2
    assert "2 of 3 memories" in bounded.err
    listed = cli("memory", "list", "decision", "--json").lines
    assert {one["id"] for one in listed} == {some["retry"], some["queue"]}
    assert "no memories of category warning" in cli("memory", "list", "warning").err
    assert cli("memory", "list", "gossip").code == 2


def test_search_tells_scores(cli, some):
    """002-23: search, with scores."""
    answer = cli("memory", "search", "retry", "budget")
    assert answer.code == 0
    best = cli("memory", "search", "retry", "budget", "--json").lines[0]
    assert best["id"] == some["retry"]
    assert f"{best['score']:.2f}" in answer.out.splitlines()[0]
    assert "parts" in best
    nothing = cli("memory", "search", "zeppelin")
    assert (nothing.code, nothing.out) == (0, "")
    assert "Nothing found." in nothing.err
    assert cli("memory", "search").code == 2


# --- budget


def test_budget_shows_the_settings_until_one_is_chosen(cli, home):
    answer = cli("memory", "budget")
    assert answer.out.startswith("budget  at most 5,000 tokens a prompt (as the settings say)")
    assert answer.err == ""
    assert cli("memory", "budget", "--json").json == {
        "ceiling": 5000,
        "chosen": False,
        "settings": 5000,
        "context_share": 0.08,
        "default_context_tokens": 100_000,
        "policy": "adaptive",
    }


def test_budget_overrides_the_ceiling_for_this_project_and_is_undone(cli, some):
    """002-23: budget."""
    answer = cli("memory", "budget", "1,200")
    assert answer.code == 0
    assert "1,200 tokens a prompt (chosen here)" in answer.out
    assert cli("recall", "staging", "--json").json["budget"] == 1200
    assert cli("memory", "budget", "--json", "--project", "elsewhere").json["chosen"] is False
    assert cli("undo").code == 0
    assert cli("memory", "budget", "--json").json["ceiling"] == 5000
    cli("memory", "budget", "700")
    assert cli("memory", "budget", "default", "--json").json["chosen"] is False


def test_budget_has_a_range(cli, home):
    low, high = (int(end) for end in RANGES["max_budget_tokens"])
    for tokens, code in ((low - 1, 1), (low, 0), (high, 0), (high + 1, 1)):
        assert cli("memory", "budget", str(tokens)).code == code
    for word in ("-5", "many", "1e3", "9" * 40, "٣٣٣", ""):
        assert cli("memory", "budget", word).code == 2


# --- auto and config


def test_auto_is_switched_for_this_project_and_undone(cli, home):
    """002-23, 002-38: auto toggle."""
    assert "on: " in cli("memory", "auto").out
    answer = cli("memory", "auto", "off", "--json")
    assert answer.json.items() >= {"auto": False, "settings": True}.items()
    assert "off: " in cli("memory", "auto").out
    assert cli("memory", "auto", "--json", "--project", "elsewhere").json["auto"] is True
    assert cli("undo").code == 0
    assert cli("memory", "auto", "--json").json["auto"] is True
    assert cli("memory", "auto", "perhaps").code == 2


@pytest.mark.parametrize("reach", [(), ("--everywhere",)])
def test_what_is_incognito_is_said_where_one_asks_what_is_taken_down(cli, home, reach):
    cli("memory", "incognito", "on", *reach)
    assert "incognito: nothing is taken down" in cli("memory", "status").out
    assert cli("memory", "status", "--json").json["incognito"] is True
    assert "record nothing: incognito is on" in cli("status").out
    cli("memory", "incognito", "off", *reach)
    assert "incognito:" not in cli("memory", "status").out
    assert "record nothing" not in cli("status").out


def test_auto_cannot_be_switched_on_against_the_settings(cli, home):
    (home / "config.toml").write_text("auto_memory = false\n")
    answer = cli("memory", "auto", "on")
    assert answer.code == 0
    assert "off: " in answer.out
    assert "auto_memory = false" in answer.err


@pytest.mark.parametrize("preset", PRESETS)
def test_config_chooses_a_preset_and_shows_its_values(cli, home, preset):
    answer = cli("memory", "config", preset, "--json")
    assert answer.code == 0
    wanted = {"preset": preset, **PRESETS[preset], "budget": 5000, "auto": True}
    assert answer.json == wanted
    assert cli("memory", "config", "--json").json == wanted
    assert preset in cli("memory", "config").out


def test_config_goes_back_to_the_settings_and_is_undone(cli, home):
    (home / "config.toml").write_text('preset = "aggressive"\n[promotion]\nmin_length = 40\n')
    assert cli("memory", "config", "conservative", "--json").json["min_points"] == 4
    assert cli("memory", "config", "--json").json["min_length"] == 40  # the settings' own word
    assert cli("undo").code == 0
    assert cli("memory", "config", "--json").json["preset"] == "aggressive"
    cli("memory", "config", "conservative")
    assert cli("memory", "config", "default", "--json").json["preset"] == "aggressive"
    assert cli("memory", "config", "odd").code == 2


def test_the_presets_offered_are_those_the_policy_knows(cli):
    assert list(typing.get_args(Preset)) == list(PRESETS)
    refused = cli("memory", "config", "odd")
    assert refused.code == 2
    assert all(f"'{one}'" in refused.err for one in (*PRESETS, "default"))


# --- alias


def test_an_alias_lets_a_word_find_another_and_can_be_taken_back(cli, some):
    assert cli("search", "warehouse", "--json").out == ""
    answer = cli("memory", "alias", "add", "warehouse", "staging", "db-7")
    assert answer.code == 0, answer.err
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


def test_the_built_in_aliases_are_told_when_asked(cli, home):
    assert "no aliases of its own" in cli("memory", "alias").err
    listed = cli("memory", "alias", "list", "--built-in", "--json").lines
    assert {"word": "db", "others": ["database"], "built_in": True} in listed


def test_alias_refuses_what_is_no_word(cli, home):
    assert cli("memory", "alias", "add", "db", "db").code == 1
    assert cli("memory", "alias", "add", "x" * 61, "y").code == 1
    assert cli("memory", "alias", "add", "x" * 60, "y").code == 0
    assert cli("memory", "alias", "add", "many", *(f"word{n}" for n in range(21))).code == 1
    assert cli("memory", "alias", "add", "db").code == 2
    answer = cli("memory", "alias", "remove", "nothing")
    assert (answer.code, answer.out) == (1, "")
    assert "`memdeck memory alias list` shows them." in answer.err


# --- every form


def test_memory_alone_is_its_status(cli, some):
    assert cli("memory").out == cli("memory", "status").out
    assert cli("memory", "--json").json["entries"] == 3
    assert cli("memory", "frobnicate").code == 2


def test_hostile_text_steers_no_terminal(cli, home):
    text = "Clear \x1b[2J\x1b]52;c;aGk=\x07 the \u202escreen\x9b31m"
    cli("remember", text, "--title", text)
    for words in (
        ["memory", "list"],
        ["memory", "search", text],
        ["memory", "alias", "add", "\x1b[2Jx", "y\u202e"],
        ["memory", "alias"],
        ["memory", "budget", "\x1b[2J"],
        ["memory", "status", "--project", text],
    ):
        answer = cli(*words)
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown
