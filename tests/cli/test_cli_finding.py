"""search, list, show: what is found, how it is shown, and what happens when nothing is."""

import json

import pytest

LISTED = set(
    (
        "id key type category scope status title content importance confidence tags files session "
        "agent created_at"
    ).split()
)
FOUND = {"id", "type", "scope", "status", "title", "content", "score", "parts", "key"}


@pytest.fixture
def some(remembered):
    """Ids of three memories, by a word each."""
    return {
        "redis": remembered("The queue tests need a running redis on port 6380", "--tag", "tests"),
        "retry": remembered("Retry budget of the payment client is three attempts", "--key", "K-1"),
        "migrations": remembered("Never run migrations on Fridays", "--category", "warning"),
    }


# --- search


def test_search_finds_by_a_question(cli, some):
    answer = cli("search", "why", "do", "the", "queue", "tests", "need", "redis?", "--json", code=0)
    assert answer.lines[0]["id"] == some["redis"]
    assert answer.lines[0].keys() >= FOUND | LISTED


def test_search_shows_title_and_explains_the_score(cli, some):
    answer = cli("search", "redis", "--explain")
    assert "queue tests need a running redis" in answer.out
    parts = json.loads(cli("search", "redis", "--json", "--explain").out)["parts"]
    said = {"coverage": "words had", "lead": "how early", "tells": "a statement", "files": "files"}
    for name, words in said.items():
        assert name in parts
        assert words in answer.out
    assert answer.out.count("+0.") == len(parts)


def test_search_that_finds_nothing_says_so_and_is_done(cli, some):
    answer = cli("search", "zeppelin")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing found." in answer.err


# --- list


def test_list_shows_every_memory_newest_first(cli, some):
    answer = cli("list", "--json", code=0)
    assert [line["id"] for line in answer.lines] == list(reversed(some.values()))
    assert all(line.keys() >= LISTED for line in answer.lines)


def test_list_takes_a_query_and_a_limit(cli, some):
    assert [line["id"] for line in cli("list", "category:warning", "--json").lines] == [
        some["migrations"]
    ]
    assert len(cli("list", "--limit", "1", "--json").lines) == 1
    assert f"1 of {len(some)} memories in " in cli("list", "--limit", "1").err
    cli("remember", "I prefer tabs over spaces.", "--scope", "global", "--yes")
    elsewhere = cli("list", "project:nosuch").err
    assert "There is no project nosuch." in elsewhere
    assert "1 memory in all projects" in elsewhere


def test_list_is_aligned_and_fits_the_terminal(cli, some, remembered):
    remembered("A long remark about the deployment " * 20, "--title", "Long " * 20, "--pin")
    lines = cli("list").out.splitlines()

    assert len(lines) == 4
    assert lines[0].startswith("★ ")
    assert max(len(line) for line in lines) <= 80
    starts = {
        line.index(word)
        for line, word in zip(lines[1:], ("Never", "Retry", "The queue"), strict=True)
    }
    assert len(starts) == 1


def test_list_leaves_retired_memories_out_unless_asked(cli, some):
    cli("forget", some["retry"])
    assert some["retry"] not in [line["id"] for line in cli("list", "--json").lines]
    [retired] = cli("list", "is:retired", "--json").lines
    assert (retired["id"], retired["retired_as"]) == (some["retry"], "forgotten")


# --- show


def test_show_tells_everything_about_one_memory(cli, some):
    answer = cli("show", some["redis"], code=0)
    for word in ("The queue tests need a running redis on port 6380", "tests", "acme-api"):
        assert word in answer.out
    assert some["redis"] in answer.out
    assert "History" not in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_show_takes_the_beginning_of_an_id_or_a_key(cli, some):
    short = cli("show", some["retry"], "--json").json["short_id"]
    assert cli("show", short, "--json").json["id"] == some["retry"]
    assert cli("show", "K-1", "--json").json["id"] == some["retry"]


def test_show_tells_the_history_when_asked(cli, some):
    cli("edit", some["redis"], "--importance", "9")
    answer = cli("show", some["redis"], "--history", "--json")
    assert [entry["action"] for entry in answer.json["history"]] == ["edit", "add"]
    assert "History" in cli("show", some["redis"], "--history").out


def test_show_of_an_ambiguous_beginning_is_refused(cli, some):
    common = cli("list", "--json").lines
    beginning = common[0]["id"][:2]
    answer = cli("show", beginning)
    assert (answer.code, answer.out) == (1, "")
    assert "more characters" in answer.err
    told = answer.err.partition("could be ")[2].partition(".")[0]
    named = told.removesuffix(" or another one").split(", ")
    assert len(named) > 1
    for name in named:  # each is enough to say which
        assert cli("show", name).code == 0


STRANGE = ("*", "AND OR NOT", '"', "is:", "x" * 99_999)
UNREAD = ("\udcff", "tag:\udcff")  # bytes that the terminal's encoding has no letters for


@pytest.mark.parametrize(
    "words",
    [["search"], ["list"], ["show"], ["forget"], ["audit", "--session"], ["recall"]],
    ids=" ".join,
)
def test_no_word_is_too_strange(cli, some, words, subtests):
    for word in STRANGE:
        with subtests.test(word=word[:20].encode("ascii", "backslashreplace").decode()):
            assert cli(*words, word).code in (0, 1)
    for word in UNREAD:
        answer = cli(*words, word)
        assert (answer.code, "iconv" in answer.err) == (2, True)


def test_hostile_text_is_harmless_wherever_it_is_shown(cli, home):
    """Even text that got into the store past the door's cleaning, such as a query or a path."""
    text = "Clear \x1b[2J\x1b]52;c;aGk=\x07 the \u202escreen\x9b31m"
    identifier = cli("remember", text, "--title", text, "--tag", text, "--json").json["id"]
    for words in (
        ["list"],
        ["show", identifier, "--history"],
        ["search", "clear screen", "--explain"],
        ["recall", text, "--explain"],
        ["export", "--format", "markdown"],
        ["export", "--format", "csv"],
        ["audit"],
        ["search", text],
        ["list", f"tag:{text}"],
        ["forget", text + "zeppelin"],
        ["list", "--project", text],
    ):
        answer = cli(*words)
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown


# --- nothing found


def test_every_mistyped_word_is_mended(cli, some):
    assert "Nothing found." in cli("search", "migrtions tag:none Fridaz").err
    assert "Never run migrations on Fridays" in cli("list", "migrtions Fridaz").out


def test_more_pins_than_a_start_takes_are_counted_wherever_pins_are(cli, remembered, tmp_path):
    for number in range(6):
        remembered(f"Berth {number} is let to boat {number * 7}", "--pin")
    words = "6 of 6 pins fit into a start"
    assert words in cli("list", "is:pinned").err
    assert words in cli("status").out
    assert "pins fit" not in cli("list").err
    (tmp_path / "pins.jsonl").write_text(cli("export", "is:pinned").out)
    cli("project", "new", "copy")
    assert words in cli("import", str(tmp_path / "pins.jsonl"), "--project", "copy").err
    cli("config", "recall.max_pinned", "0")
    assert words in cli("list", "is:pinned", "--project", "copy").err
