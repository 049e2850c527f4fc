"""Nothing is told twice: in one start, to a session that goes on, or of what it said itself.

What was told stands in a session's context, and so does what it said, until that is emptied: after
a compaction or a clear it is told anew, after a resume it is not.
"""

import pytest

from .project import Lived, Project
from .scripts import GREETING

RULE = "From now on always run the tide tests before a release, never after it."
DECIDED = (
    "We decided that the tide rows must be written in batches of 500, never one by one, because one"
    " connection per row costs most of the time."
)
CAUSE = (
    "Root cause: `import.py` opens one connection per row, so the nightly import of the tide rows"
    ' fails with "too many connections" until someone runs `make restart`.'
)
WORK = f"""
    P: The nightly import takes seven minutes. {RULE}
    $ make import
    > error: too many connections
    ! 1
    A: {CAUSE}
    E import.py
    - for row in rows: connect().write(row)
    + for batch in batches(rows, 500): connection.write_all(batch)
    $ make import
    > imported in 40 s
    A: {DECIDED}
    T
      [x] Write the tide rows in batches
      [ ] Measure the nightly import with 10000 tide rows
"""
ALL = (RULE, DECIDED)
"""What a person who accepts it all hears at the next start; an agent's todo is no rule."""


def accept_all(project: Project) -> None:
    """A person confirms whatever there is, and finds the decision of little weight."""

    def accept(memory):
        listed = [one for one in memory.list() if one.type != "prospective"]
        memory.confirm([one.id for one in listed])
        for one in listed:
            if one.content == CAUSE:
                memory.edit(one.id, importance=0.2)

    project.person(accept)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    def live(project):
        project.session(WORK)
        accept_all(project)

    return Lived(tmp_path_factory.mktemp("accepted"), live)


@pytest.fixture
def accepted(judged):
    """The project after a session of work, when a person has accepted what it left."""
    return judged.again()


def repeated(text: str) -> list[str]:
    """The runs of eight words that stand more than once in `text`."""
    words = text.replace("<", " <").split()
    runs = [" ".join(words[n : n + 8]) for n in range(len(words) - 7)]
    return [run for run in dict.fromkeys(runs) if runs.count(run) > 1 and "<" not in run]


# --- in one start


def test_a_start_says_nothing_twice_and_cuts_no_sentence(accepted):
    """A day, eight days and a month later."""
    hosts = (("claude", 1), ("codex", 0), ("gemini", 7), ("claude", 0), ("opencode", 22))
    for host, days in hosts:
        heard = accepted.session(GREETING, host=host, days=days)
        told = heard.start or heard.prompts[0]  # one host is told its start with the prompt
        for sentence in ALL:
            assert told.count(sentence) == 1
        assert "Goal: The nightly import takes seven minutes." in told
        assert "Found: Root cause: `import.py` opens one connection per row" in told
        assert not repeated(told)
        assert "…" not in told.replace("#…", "")


# --- a session that goes on
