"""What slash commands print: plain, short, all of it on standard output; the code says the rest."""

import pytest


@pytest.fixture
def slash(cli):
    """What one slash command prints: `slash("pin", "retry budget")`."""

    def run(name, words="", code=0):
        answer = cli("memory", "slash", name, "--", *([words] if words else []))
        assert (answer.code, answer.err) == (code, "")
        piped = cli("memory", "slash", "mem", "--stdin", stdin="status\n")
        assert piped.out.startswith("acme-api  ")
        assert "\x1b" not in answer.out
        assert max(map(len, answer.out.splitlines()), default=0) <= 120
        return answer.out

    return run


def test_remember_keeps_the_words_whatever_they_look_like(slash, cli):
    text = '--pin it\'s "$(touch x)" `y`\nand a second line'
    assert slash("remember", text).startswith("remembered  ")
    [kept] = cli("list", "--json").lines
    assert (kept["content"], kept["status"]) == (text, "confirmed")
    assert "known" in slash("remember", text)


def test_words_may_come_on_standard_input(cli):
    words = '"; rm -rf x; "\n$(touch pwned)\x00\n'
    answer = cli("memory", "slash", "remember", "--stdin", stdin=words)
    assert (answer.code, answer.err) == (0, "")
    [kept] = cli("list", "--json").lines
    assert kept["content"] == '"; rm -rf x; "\n$(touch pwned)\ufffd'


def test_pin_toggles(slash, cli, remembered):
    identifier = remembered("The retry budget is three attempts")
    remembered("The retry queue is drained at night")
    assert slash("pin", "retry budget").startswith("pinned  ")
    assert cli("show", identifier, "--json").json["status"] == "pinned"
    assert slash("pin", identifier[:10]).startswith("unpinned  ")
    assert cli("show", identifier, "--json").json["status"] == "confirmed"


def test_forget_takes_an_id_or_words_that_mean_one_memory(slash, cli, remembered):
    one = remembered("The retry budget is three attempts")
    remembered("The retry queue is drained at night")
    told = slash("forget", "retry", code=1)
    assert "could mean" in told
    assert "2 memories; nothing was changed" in told
    assert slash("forget", one).startswith("forgot  ")
    assert slash("forget", "queue drained").startswith("forgot  ")
    assert cli("list", "--json").out == ""


def test_what_cannot_be_done_is_said_and_no_success(slash):
    """The codes are those of any command: 1 refused or not found, 2 not understood."""
    assert "No memory matches “zebra”" in slash("forget", "zebra", code=1)
    assert "4000 is the limit" in slash("remember", "word " * 900, code=1)
    assert "There is no /mem dance; there are status, list" in slash("mem", "dance", code=2)
    assert "A budget is 100 to 50,000 tokens" in slash("mem", "budget lots", code=2)
    assert "'loud' is not one of" in slash("mem", "auto loud", code=2)
    assert "Missing argument" in slash("mem", "search", code=2)
    assert "No such option" in slash("mem", "list --frobnicate", code=2)


def test_every_word_of_mem_is_a_command_there(slash, cli):
    words = slash("mem", "nonsense", code=2).partition("there are ")[2].strip(". \n").split(", ")
    listed = cli("memory", "--help").out.partition("Commands:\n")[2].partition("\n\n")[0]
    assert len(words) > 5
    assert set(words) == {line.split()[0] for line in listed.splitlines() if line[2:3].strip()}
