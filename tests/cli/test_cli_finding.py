"""search, list, show: what is found, how it is shown, and what happens when nothing is."""

import json

import pytest

from memdeck import Envelope

LISTED = {
    "id",
    "key",
    "type",
    "category",
    "scope",
    "status",
    "title",
    "content",
    "importance",
    "confidence",
    "tags",
    "files",
    "session",
    "agent",
    "created_at",
}
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
    answer = cli("search", "why", "do", "the", "queue", "tests", "need", "redis?", "--json")
    assert answer.code == 0
    assert answer.lines[0]["id"] == some["redis"]
    assert answer.lines[0].keys() >= FOUND | LISTED


def test_search_limits_its_hits(cli, some):
    assert len(cli("search", "redis retry migrations", "--limit", "2", "--json").lines) == 2


def test_the_limit_of_search_has_two_ends(cli, some, subtests):
    for limit, code in [("1", 0), ("500", 0), ("0", 2), ("501", 2)]:
        with subtests.test(limit=limit):
            assert cli("search", "redis", "--limit", limit).code == code


def test_search_shows_title_and_explains_the_score(cli, some):
    answer = cli("search", "redis", "--explain")
    assert "queue tests need a running redis" in answer.out
    parts = json.loads(cli("search", "redis", "--json", "--explain").out)["parts"]
    said = {"coverage": "words had", "lead": "how early", "tells": "a statement", "files": "files"}
    for name, words in said.items():
        assert name in parts
        assert words in answer.out
    assert answer.out.count("+0.") == len(parts)


def test_search_for_nothing_is_a_usage_error(cli):
    answer = cli("search")
    assert answer.code == 2
    assert "memdeck list" in answer.err


def test_search_that_finds_nothing_says_so_and_is_done(cli, some):
    answer = cli("search", "zeppelin")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing found." in answer.err


def test_search_points_out_a_key_it_does_not_know(cli, some):
    answer = cli("search", "redis", "tpye:semantic")
    assert answer.code == 0
    assert "type" in answer.err


def test_search_stays_in_its_project(cli, some):
    assert cli("search", "redis", "--project", "other", "--json").lines == []
    assert cli("search", "redis", "--project", "acme-api", "--json").lines != []
    for verb in ("search", "remember"):  # what is kept for a folder that never was is lost
        answer = cli(verb, "redis", "--project", "../acme-apo\x1b[2J")
        assert (answer.code, "no folder ../acme-apo" in answer.err) == (1, True)


# --- search --batch


def test_a_batch_is_answered_line_by_line_in_order(cli, some, tmp_path):
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        '{"id": "a", "query": "redis"}\n'
        '{"id": 2, "query": "retry budget", "limit": 1}\n'
        '{"id": null, "query": "zeppelin"}\n'
    )
    answer = cli("search", "--batch", str(questions))

    assert answer.code == 0
    first, second, third = answer.lines
    assert first["id"] == "a"
    assert first["hits"][0]["id"] == some["redis"]
    assert first["hits"][0].keys() >= FOUND
    assert second["id"] == 2
    assert [hit["key"] for hit in second["hits"]] == ["K-1"]
    assert third == {"id": None, "hits": []}


def test_a_batch_refuses_numbers_that_json_does_not_know(cli, some, subtests):
    for number in ["NaN", "1e999", "9" * 5_000, "[" * 3_000 + "]" * 3_000]:
        with subtests.test(number=number):
            answer = cli("search", "--batch", "-", stdin=f'{{"id": {number}, "query": "redis"}}\n')
            assert answer.code == 1
            assert answer.json["ok"] is False


def test_a_batch_answers_as_a_search_does(cli, some):
    single = cli("search", "queue redis retry", "--json").lines
    batch = cli("search", "--batch", "-", stdin='{"id": 1, "query": "queue redis retry"}\n').json
    assert [hit["id"] for hit in batch["hits"]] == [hit["id"] for hit in single]


def test_a_batch_goes_on_after_lines_it_cannot_use(cli, some):
    lines = 'nonsense\n\n{"id": 1}\n{"id": 2, "query": "redis", "limit": 0}\n{"query": "redis"}\n'
    answer = cli("search", "--batch", "-", stdin=lines)

    assert answer.code == 1
    assert [line.get("line") for line in answer.lines] == [1, 3, 4, None]
    assert [line.get("ok", True) for line in answer.lines] == [False, False, False, True]
    assert "3 lines" in answer.err


@pytest.mark.slow
def test_a_long_batch_is_answered_whole(cli, some):
    lines = "".join(f'{{"id": {n}, "query": "redis", "limit": 1}}\n' for n in range(150))
    answer = cli("search", "--batch", "-", stdin=lines)
    assert [line["id"] for line in answer.lines] == list(range(150))
    assert all(len(line["hits"]) == 1 for line in answer.lines)


def test_a_batch_brings_its_own_queries(cli):
    assert cli("search", "redis", "--batch", "-").code == 2


def test_a_batch_that_is_not_there_is_a_usage_error(cli):
    answer = cli("search", "--batch", "/nowhere/at-all.jsonl")
    assert answer.code == 2
    assert "/nowhere/at-all.jsonl" in answer.err


# --- list


def test_list_shows_every_memory_newest_first(cli, some):
    answer = cli("list", "--json")
    assert answer.code == 0
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


def test_an_empty_project_says_what_to_do(cli):
    answer = cli("list")
    assert (answer.code, answer.out) == (0, "")
    assert "memdeck remember" in answer.err


def test_list_of_a_query_without_a_match_says_so(cli, some):
    answer = cli("list", "tag:none")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing found." in answer.err


def test_list_leaves_retired_memories_out_unless_asked(cli, some):
    cli("forget", some["retry"])
    assert some["retry"] not in [line["id"] for line in cli("list", "--json").lines]
    [retired] = cli("list", "is:retired", "--json").lines
    assert (retired["id"], retired["retired_as"]) == (some["retry"], "forgotten")


# --- show


def test_show_tells_everything_about_one_memory(cli, some):
    answer = cli("show", some["redis"])
    assert answer.code == 0
    for word in ("The queue tests need a running redis on port 6380", "tests", "acme-api"):
        assert word in answer.out
    assert some["redis"] in answer.out
    assert "history" not in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_show_takes_the_beginning_of_an_id_or_a_key(cli, some):
    short = cli("show", some["retry"], "--json").json["short_id"]
    assert cli("show", short, "--json").json["id"] == some["retry"]
    assert cli("show", "K-1", "--json").json["id"] == some["retry"]


def test_the_case_of_an_id_does_not_count(cli, some):
    shouted, other = some["retry"].upper(), some["redis"][:12].upper()
    marked = cli("conflicts", "mark", shouted, other, "--json").json["id"].upper()
    assert cli("conflicts", "show", marked, "--json").code == 0
    assert cli("pin", shouted).code == 0
    assert cli("recall", "which redis do the queue tests need?").code == 0
    receipt = cli("receipts", "--memory", other, "--json").json["id"].upper()
    assert cli("receipts", "helpful", receipt, other[:10]).code == 0


def test_show_tells_the_history_when_asked(cli, some):
    cli("edit", some["redis"], "--importance", "9")
    answer = cli("show", some["redis"], "--history", "--json")
    assert [entry["action"] for entry in answer.json["history"]] == ["edit", "add"]
    assert "history" in cli("show", some["redis"], "--history").out


def test_show_tells_the_links(cli, some):
    cli("link", some["redis"], some["retry"], "--as", "extends")
    [seen] = cli("show", some["retry"], "--json").json["links"]
    assert (seen["kind"], seen["other"]) == ("extends", some["redis"])
    assert "extends" in cli("show", some["redis"]).out


def test_show_tells_how_a_captured_memory_was_judged(cli, captured):
    identifier = captured(
        "From now on, run the queue tests against redis on port 6380, never against a mock.",
        envelope=Envelope(task="Mend the queue", actions=("edited queue.py",), tokens=1200),
    )
    whole = cli("show", identifier, "--json").json
    assert [vote["reviewer"] for vote in whole["reviews"]] == [
        "analyzer",
        "patterns",
        "knowledge-archaeologist",
    ]
    vote = whole["reviews"][0]
    assert (vote["engine"], vote["status"], vote["tier"]) == ("built-in", "ok", "consensus")
    assert 1 <= vote["score"] <= 10
    assert vote["reason"]
    assert (vote["cost_usd"], vote["is_trivial"]) == (0, False)
    assert vote["latency_ms"] >= 0
    assert whole["candidacy"]["signals"] == {"user-intent": 5, "high-importance": 1}
    assert (whole["candidacy"]["points"], whole["candidacy"]["points_needed"]) == (6, 3)
    assert whole["candidacy"]["quarantined_until"] is not None
    assert whole["weight"]["user_signal"] == 1.0
    assert whole["envelope"]["actions"] == ["edited queue.py"]
    shown = cli("show", identifier).out
    for words in ("6 of 3", "23h left", "reviews: 3 of 3", "analyzer", "novelty", "Mend the queue"):
        assert words in shown, words
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_how_it_was_judged_stays_known_once_it_is_accepted(cli, captured):
    identifier = captured(
        "From now on, run the queue tests against redis on port 6380, never against a mock."
    )
    before = cli("show", identifier, "--json").json
    assert cli("inbox", "accept", identifier).code == 0
    after = cli("show", identifier, "--json").json
    for name in ("reviews", "weight", "envelope"):
        assert after[name] == before[name]
    assert after["candidacy"] == {**before["candidacy"], "quarantined_until": None}


def test_what_a_person_wrote_was_judged_by_nobody(cli, some):
    whole = cli("show", some["redis"], "--json").json
    assert (whole["reviews"], whole["candidacy"]) == ([], None)
    assert (whole["weight"], whole["envelope"]) == (None, None)
    assert "reviews" not in cli("show", some["redis"]).out


def test_show_of_nothing_is_refused_with_advice(cli, some):
    answer = cli("show", "zzzzzzz")
    assert (answer.code, answer.out) == (1, "")
    assert "memdeck list" in answer.err


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


def test_what_a_long_query_leaves_out_is_said_once(cli, some):
    answer = cli("search", *(f"word{number}" for number in range(300)))
    assert answer.err.count("Only the first 64 are used.") == 1


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
    answer = cli("search", "migrtions tag:none Fridaz")
    assert "Nothing found." in answer.err
    found = cli("list", "migrtions Fridaz")
    assert "Did you mean migrations fridays?" in found.err


def test_what_other_words_would_find_is_said(cli, remembered):
    remembered("Install with pnpm, never with npm")
    remembered("The pnpm store lives on the data disk")
    answer = cli("list", "package manager")
    assert "Other words that are there: pnpm (2), npm (1)." in answer.err
    assert "Other words" not in cli("list", "zeppelin").err


def test_what_is_retired_would_match(cli, some):
    cli("forget", some["redis"])
    assert "1 retired memory would match" in cli("search", "redis").err


def test_a_batch_says_what_would_find_something(cli, some, tmp_path):
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 1, "query": "tag:none redis"}\n{"id": 2, "query": "redis"}\n')
    nothing, found = cli("search", "--batch", str(questions)).lines
    assert nothing["suggestion"]["without_filter"] == "tag:none"
    assert nothing["suggestion"].keys() >= {"did_you_mean", "other_words", "retired"}
    assert "suggestion" not in found


# --- what put it there, in words


def test_explain_says_in_words_what_put_it_there(cli, some, subtests):
    rows = [
        ("redis", "has your word redis"),
        ("queue redis", "has both words of your question: queue, redis"),
        ("queue redis tests", "has all three words of your question: queue, redis, tests"),
        ("queue redis zeppelin", "has two of the three words of your question: queue, redis"),
        ("migratoins", "migratoins is read as migrations"),
        ("cache", "the alias redis → cache"),
    ]
    for query, says in rows:
        with subtests.test(query=query):
            assert says in cli("search", query, "--explain").out
            assert says in cli("search", query, "--explain", "--json").lines[0]["account"]
            assert "account" not in cli("search", query, "--json").lines[0]


def test_an_alias_of_ones_own_is_called_ones_own(cli, some):
    cli("memory", "alias", "add", "broker", "redis")
    assert "your alias redis → broker" in cli("search", "broker", "--explain").out


def test_a_kind_in_two_words_is_one_alias(cli, remembered):
    remembered("Install with pnpm, never by hand")
    told = cli("search", "which package manager", "--explain").out
    assert "the alias pnpm → package manager" in told
