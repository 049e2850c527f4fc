"""Whatever is delivered twice, cut in half or still growing is read once and whole."""

import json
from dataclasses import replace

PORT = "From now on always use port 5433 for the test database, 5432 belongs to production."
RULE = "Never commit to the main branch of this repository, always open a pull request instead."
CAFE = "Remember that the cafés' opening hours are kept in UTC — never in the café's own zone."


def without_use(memories):
    """The memories without counters, and without the short id, which grows beside a like one."""
    return [replace(one, accesses=0, last_access=None, short_id="") for one in memories]


def changes_of_memories(cli):
    """The trail, without what it says of the session: that one was really begun twice."""
    return [entry for entry in cli("audit", "--json").lines if entry["memories"]]


def test_the_same_session_delivered_twice_changes_nothing(
    start, repo, cli, settle, known, no_drain
):
    session = start("6f1f4c52", repo)
    with no_drain():
        session.replay("transcript.jsonl")
    settle()
    once = known()
    trail = changes_of_memories(cli)
    assert len(once) >= 4

    assert cli("drain").code == 0
    assert known() == once

    session.tell_all_again()
    settle()
    assert without_use(known()) == without_use(once)
    assert changes_of_memories(cli) == trail
    assert cli.is_whole()


def test_a_growing_transcript_is_read_on_and_what_is_known_stays_as_it_is(
    start, repo, cli, no_drain, known
):
    session = start("s1", repo)
    session.says(PORT)
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    [first] = known()
    assert "port 5433" in first.content

    session.says(RULE)
    with no_drain():
        session.stop()
    assert cli("drain").code == 0
    second, again = known()
    assert without_use([again]) == without_use([first])
    assert second.content.startswith("Never commit to the main branch")
    assert (first.origin.line, second.origin.line) == (1, 2)


def test_a_half_written_line_is_read_when_it_is_whole(start, repo, cli, no_drain, known):
    session = start("s1", repo)
    session.says(PORT)
    line = json.dumps(session.line("user", CAFE), ensure_ascii=False).encode()
    middle = line.index("é".encode()) + 1  # inside of a character
    for piece in (line[:middle], line[middle:]):
        session.write_bytes(piece)
        with no_drain():
            session.stop()
        assert cli("drain").code == 0
        assert len(known()) == 1  # without its newline it may still be half

    session.write_bytes(b"\n")
    session.says(RULE)
    with no_drain():
        session.end()
    assert cli("drain").code == 0
    by_line = {memory.origin.line: memory for memory in known()}
    assert sorted(by_line) == [1, 2, 3]
    assert "cafés' opening hours are kept in UTC" in by_line[2].content
