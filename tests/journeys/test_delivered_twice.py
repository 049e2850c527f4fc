"""Whatever is delivered twice, cut in half or still growing is read once and whole."""

import json

PORT = "From now on always use port 5433 for the test database, 5432 belongs to production."
RULE = "Never commit to the main branch of this repository, always open a pull request instead."
CAFE = "Remember that the cafés' opening hours are kept in UTC — never in the café's own zone."

USE = ("accesses", "last_access")  # a prompt that is asked twice uses a memory twice


def without_use(memories):
    return [{name: one[name] for name in one if name not in USE} for one in memories]


def changes_of_memories(cli):
    """The trail, without what it says of the session: that one was really begun twice."""
    return [entry for entry in cli("audit", "--json").lines if entry["memories"]]


def test_the_same_session_delivered_twice_changes_nothing(start, repo, cli, settle):
    session = start("6f1f4c52", repo)
    session.replay("transcript.jsonl")
    settle()
    once = cli.memories()
    trail = changes_of_memories(cli)
    assert len(once) >= 6

    settle()
    assert cli.memories() == once

    session.tell_all_again()
    settle()
    assert without_use(cli.memories()) == without_use(once)
    assert changes_of_memories(cli) == trail
    assert cli.is_whole()


def test_a_growing_transcript_is_read_on_and_what_is_known_stays_as_it_is(start, repo, cli, settle):
    session = start("s1", repo)
    session.says(PORT)
    session.stop()
    settle()
    [first] = cli.memories()
    assert "port 5433" in first["content"]

    session.says(RULE)
    session.stop()
    settle()
    second, again = cli.memories()
    assert again == first
    assert second["content"].startswith("Never commit to the main branch")
    assert (first["line"], second["line"]) == (1, 2)


def test_a_half_written_line_is_read_when_it_is_whole(start, repo, cli, settle):
    session = start("s1", repo)
    session.says(PORT)
    line = json.dumps(session.line("user", CAFE), ensure_ascii=False).encode()
    middle = line.index("é".encode()) + 1  # inside of a character
    session.write_bytes(line[:middle])
    session.stop()
    settle()
    assert len(cli.memories()) == 1

    session.write_bytes(line[middle:])
    session.stop()
    settle()
    assert len(cli.memories()) == 1  # without its newline it may still be half

    session.write_bytes(b"\n")
    session.says(RULE)
    session.end()
    settle()
    rule, cafe, _ = cli.memories()
    assert "cafés' opening hours are kept in UTC" in cafe["content"]
    assert rule["line"] == 3


def test_a_resumed_session_and_its_fork_repeat_nothing(start, repo, cli, settle):
    """A fork copies the lines of its parent into a file of its own, under their old names."""
    session = start("s1", repo)
    session.says(PORT)
    session.end()
    settle()
    [known] = cli.memories()

    session.tell("SessionStart", source="resume")
    session.says(RULE)
    session.end()
    fork = start("s2", repo)
    fork.write_bytes(session.transcript.read_bytes())
    fork.tell("SessionStart", source="fork")
    fork.says("Feeds above 50 MB must always be streamed, never loaded whole into memory.")
    fork.end()
    settle()

    fed, rule, first = cli.memories()
    assert first["content"] == known["content"]
    assert first["importance"] == known["importance"]
    assert rule["content"].startswith("Never commit")
    assert (fed["session"], first["session"]) == ("s2", "s1")
