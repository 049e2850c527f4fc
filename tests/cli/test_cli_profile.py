"""`memdeck profile`: shown, added to, edited, cleared."""

import pytest

SHORT = "Answer in short sentences"
TABS = "Use tabs for indentation, never spaces."
SPACES = "Use spaces for indentation, never tabs."
FRIDAY = "Never deploy on Fridays, since nobody is there"


@pytest.fixture
def known(cli, remembered):
    remembered(TABS, "--category", "preference")
    remembered(FRIDAY, "--category", "warning")
    added = cli("profile", "add", SHORT, "--category", "verbosity", "--yes", "--json")
    assert added.code == 0
    return added.json["id"]


def test_without_a_word_it_is_shown_by_section_with_what_is_to_decide(cli, remembered, known):
    remembered(SPACES, "--category", "preference")
    shown = cli("profile")
    assert shown.code == 0
    lines = [line.strip() for line in shown.out.splitlines() if line.strip()]
    assert lines[0] == "acme-api"
    headings = ["Preferences", "Facts and policies", "To decide"]
    assert [line for line in lines if line in headings] == headings
    assert "verbosity  yours" in shown.out
    assert "memdeck review" in shown.err
    assert all(len(line) <= 80 for line in shown.out.splitlines())


def test_as_json_each_entry_has_its_memory_and_why_it_is_there(cli, known):
    told = cli("profile", "show", "--json").json
    assert [len(told[name]) for name in ("preferences", "patterns", "facts")] == [2, 0, 1]
    entry = told["preferences"][0]
    assert (entry["id"], entry["group"], entry["weight"]) == (known, "verbosity", 0.9)
    assert (entry["provenance"], entry["degree"]) == ("person", "person")
    assert [memory["id"] for memory in entry["rests_on"]] == [known]
    assert entry["why"] == "its tag verbosity"
    assert told["told"] is True
    only = cli("profile", "show", "--category", "style", "--json").json
    assert [one["content"] for one in only["preferences"]] == [TABS]
    assert only["facts"] == []


def test_of_many_facts_twenty_are_listed_and_all_on_demand(cli, tmp_path):
    lines = (
        f'{{"content": "Berth {number} is dredged in week {number}", "category": "discovery"}}\n'
        for number in range(25)
    )
    notes = tmp_path / "notes.jsonl"
    notes.write_text("".join(lines))
    assert cli("import", "--from", "jsonl", str(notes)).code == 0
    shown = cli("profile")
    assert shown.out.count("is dredged") == 20
    assert "5 more" in shown.err
    assert cli("profile", "show", "--all").out.count("is dredged") == 25
    assert len(cli("profile", "--json").json["facts"]) == 25


def test_where_nothing_is_known_it_says_so(cli):
    assert "Nothing is known of you yet" in cli("profile").err
    assert "'style'" in cli("profile", "show", "--category", "style").err
    assert cli("profile", "--category", "", "clear", "--yes").code == 2  # a script's empty variable
    cleared = cli("profile", "clear", "--category", "style", "--yes")
    assert cleared.code == 1


def test_an_entry_is_edited_by_its_memory(cli, known):
    words = ("profile", "edit", known, "--content", "Answer at length", "--category", "tone")
    assert cli(*words).code == 1
    assert cli(*words, "--yes").code == 0
    [entry] = cli("profile", "show", "--category", "tone", "--json").json["preferences"]
    assert entry["content"] == "Answer at length"
    assert cli("undo", "--yes").code == 0
    [entry] = cli("profile", "show", "--category", "verbosity", "--json").json["preferences"]
    assert entry["content"] == SHORT, "both are one act"
    assert cli("profile", "edit", known).code == 2


def test_adding_asks_for_a_category_or_a_domain_and_a_persons_yes(cli):
    assert cli("profile", "add", SHORT).code == 2
    assert cli("profile", "add", SHORT, "--category", "a", "--domain", "b").code == 2
    refused = cli("profile", "add", SHORT, "--domain", "errors")
    assert refused.code == 1
    assert "every project" in refused.err
    assert cli("profile", "add", SHORT, "--domain", "errors", "--yes").code == 0
    assert cli("profile", "show", "--json").json["patterns"][0]["group"] == "errors"


def test_clearing_is_refused_without_a_yes_and_says_what_it_would_do(cli, known):
    refused = cli("profile", "clear", "--category", "verbosity")
    assert refused.code == 1
    assert "cannot be undone" in refused.err
    assert cli("profile", "clear", "--category", "verbosity", "--yes").code == 0
    assert len(cli("profile", "--json").json["preferences"]) == 1
    assert cli("undo", "--yes").code == 0
    assert len(cli("profile", "--json").json["preferences"]) == 2
