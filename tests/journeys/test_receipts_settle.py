"""Receipts settle arguments: what was told stands there word for word, and what came of it."""

import os
from pathlib import Path

import pytest

from memdeck.agents import spool

from .project import Project
from .scripts import GREETING, TIDE

ASKED = "Why does the tide import drop the first hour?"
REPEATS = f"""
    P: {ASKED}
    A: {TIDE}
    A: It works now.
"""
SILENT = f"""
    P: {ASKED}
    A: Let me look into the code first.
"""


@pytest.fixture
def project(tmp_path):
    """A project in which a person has said what an agent will be told."""
    found = Project(tmp_path)
    found.person(lambda memory: memory.remember(TIDE))
    return found


def receipts(project):
    """The receipts that told something of the memory, newest first."""
    with project.memory() as memory:
        return [one for one in memory.receipts() if one.items]


def texts(project):
    return [one.text for one in receipts(project)]


def test_three_sessions_later_the_very_text_stands_in_each_receipt(project):
    heard = []
    for host, script in (("claude", SILENT), ("codex", REPEATS), ("gemini", SILENT)):
        heard.append((host, project.session(script, host=host, days=2)))
    for receipt, (host, told) in zip(receipts(project), reversed(heard), strict=True):
        assert receipt.host == host
        assert TIDE in receipt.text
        # what the agent heard, but for the ids that the journey leaves out
        assert any(TIDE in text for text in (told.start, *told.prompts))
        listed = project.command("receipts", "show", receipt.id)
        assert all(line.strip() in listed.out for line in receipt.text.splitlines())
        assert project.command("receipts", "show", receipt.id, "--json").json["text"] == (
            receipt.text
        )


@pytest.mark.parametrize(("days", "is_kept"), [(29.9, True), (30.1, False)])
def test_a_text_is_kept_for_thirty_days_and_then_erased(project, days, is_kept):
    project.session(SILENT, days=2)
    assert TIDE in texts(project)[0]
    project.session(GREETING, days=days)  # its drain looks after what is past its time
    old = receipts(project)[-1]
    assert (old.text is not None) is is_kept
    assert old.items  # the receipt itself stays
    show = project.command("receipts", "show", old.id).out
    assert ("is not kept, or no longer" in show) is not is_kept
    with project.memory() as memory:
        rows = memory.context.store.connection.execute("SELECT count(*) FROM receipt_text")
        assert (rows.fetchone()[0] > len(texts(project)) - 1) is is_kept


def test_where_it_is_switched_off_none_is_kept(project, tmp_path):
    (tmp_path / "home" / "config.toml").write_text("[recall]\nkeep_told = false\n")
    project.session(SILENT, days=2)
    assert texts(project) == [None]
    assert receipts(project)[0].items
    assert TIDE not in everything_but_the_memory(tmp_path / "home")


def everything_but_the_memory(home):
    """The texts of the files in which nothing of it should stand: the notes of hooks, the log."""
    found = []
    for folder in ("spool", "log"):
        for path, _, names in os.walk(home / folder):
            found += [Path(path, name).read_text("utf-8") for name in names]
    return "\n".join(found)


def test_what_a_start_lacked_comes_once_with_the_first_prompt_after_it(home, start, repo, cli):
    cli.remember("The crane is serviced on Tuesdays.")
    first, second, third = (start(name, repo) for name in ("s1", "s2", "s3"))
    with spool.DrainLock(home) as is_held:
        assert is_held
        first.says("From now on, never lift more than 2 tons with the crane.")
        first.answers("Noted.")
        first.stop()
        first.end()
        told = second.tell("SessionStart", source="startup")
        assert ("Tuesdays" in told, "2 tons" in told) == (True, False)
        assert second.ask("Draw the flag of Peru.") == ""
    assert cli("drain").code == 0
    late = second.ask("Draw the flag of Peru.")
    assert ("Tuesdays" in late, "2 tons" in late) == (False, True)
    assert second.ask("Draw the flag of Peru.") == ""
    assert "2 tons" in third.tell("SessionStart", source="startup")
    assert third.ask("Draw the flag of Peru.") == ""
    assert cli("drain").code == 0
    receipts = {
        (row["session"], row["source"]): row["unread"] for row in cli("receipts", "--json").lines
    }
    assert receipts == {("s2", "startup"): 2, ("s2", "continued"): 0, ("s3", "startup"): 0}
