"""Receipts settle arguments: what was told stands there word for word, and what came of it."""

import os
from pathlib import Path

import pytest

from memdeck.agents import spool
from memdeck.agents.drain import drain
from memdeck.db.home import Home
from memdeck.tests.receipts import receipt_of

from .project import Project
from .scripts import GREETING, TIDE

MENDED = "The tide import needs TIDE_ZONE set to CET, else the import drops the first hour."
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


def test_told_and_not_used_is_told_from_used_and_from_not_known(project):
    project.session(SILENT, days=2)
    project.session(REPEATS, host="codex", days=2)
    project.person(lambda memory: memory.recall(ASKED))  # nobody's session: nothing follows it
    marks = [[item["used"] for item in one.items] for one in receipts(project)]
    assert marks == [[None], [True], [False]]
    [_, used, unused] = receipts(project)
    assert "told and not used" in project.command("receipts", "show", unused.id).out
    assert "told and not used" not in project.command("receipts", "show", used.id).out
    assert project.command("value", "--json").json["total"]["used"] == 1  # one definition


def test_what_is_used_in_a_later_turn_is_no_longer_unused(project):
    project.session(SILENT, days=2)
    [[item]] = [one.items for one in receipts(project)]
    assert item["used"] is False
    project.go_on(f"P: and now?\nA: {TIDE}", "resume")
    assert [one.items[0]["used"] for one in receipts(project)][-1] is True


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


def test_it_is_not_shown_after_its_time_though_nobody_looked_after_it(project):
    project.session(SILENT, days=2)
    project.now = project.now.replace(month=project.now.month + 2)
    assert texts(project) == [None]


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


def test_a_rule_that_came_later_redacts_what_waits_to_be_kept(project, tmp_path):
    project.session(SILENT, days=2)
    home = Home(str(tmp_path / "home"))
    record = _receipt_record(project, "told: ghp_" + "Zk3x" * 9)
    spool.append(home, record)
    drain(home, project.now)
    with project.memory() as memory:
        kept = memory.receipt(record["receipt"]["id"])
    assert "Zk3x" not in kept.text
    assert "[REDACTED:" in kept.text


def _receipt_record(project, text):
    """A hook's note of an injection that told this text."""
    with project.memory() as memory:
        receipt = receipt_of(memory, ASKED, session="day-9", text=text)
    made = spool.new_record(spool.RECEIPT, "claude", "day-9", str(project.player.root))
    return {**made, "receipt": receipt}


def test_one_corrects_it_from_the_receipt_and_sees_the_proof(project):
    project.session(SILENT, days=2)
    [receipt] = receipts(project)
    memory = receipt.items[0]["id"]
    proof = project.command(
        "receipts", "edit", receipt.id, memory, "--content", MENDED, "--json"
    ).json
    assert TIDE in proof["before"]["text"]
    assert MENDED not in proof["before"]["text"]
    assert MENDED in proof["after"]["text"]
    assert TIDE not in proof["after"]["text"]
    assert [(one["id"], one["change"]) for one in proof["changes"]] == [(memory, "changed")]
    assert TIDE in texts(project)[0]  # what was told then stays what it was
    heard = project.session(SILENT, host="codex", days=3)
    assert MENDED in "\n".join((heard.start, *heard.prompts))


def test_one_forgets_it_from_the_receipt_and_undo_brings_it_back(project):
    project.session(SILENT, days=2)
    [receipt] = receipts(project)
    shown = project.command("receipts", "forget", receipt.id, receipt.items[0]["id"][:8])
    assert shown.code == 0
    assert "gone" in shown.err
    assert TIDE not in shown.out
    silent = project.session(SILENT, host="codex", days=3)
    assert TIDE not in "\n".join((silent.start, *silent.prompts))
    project.command("undo")
    again = project.session(SILENT, host="gemini", days=3)
    assert TIDE in "\n".join((again.start, *again.prompts))


def test_one_demotes_it_a_step_each(project):
    project.session(SILENT, days=2)
    [receipt] = receipts(project)
    memory = receipt.items[0]["id"]
    project.command("pin", memory)
    project.command("receipts", "demote", receipt.id, memory)
    unpinned = project.command("show", memory, "--json").json
    assert unpinned["status"] == "confirmed"
    project.command("receipts", "demote", receipt.id, memory)
    assert project.command("show", memory, "--json").json["importance_10"] == 1


@pytest.mark.parametrize("memory", ["zzzz", ""])
def test_what_the_receipt_does_not_name_is_refused_and_nothing_changes(project, memory):
    project.session(SILENT, days=2)
    [receipt] = receipts(project)
    refused = project.command("receipts", "forget", receipt.id, memory)
    assert refused.code == 1
    assert "names no memory" in refused.err
    assert project.command("list", "--json").out.count(TIDE) >= 1


KEPT = 5_000
A_THOUSAND_DAYS = """
    WITH RECURSIVE earlier(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM earlier WHERE n < :count)
    INSERT INTO {table} ({named}) SELECT {values} FROM {table}, earlier
    WHERE {key} = (SELECT max({key}) FROM {table})
"""


def test_a_receipt_that_is_cut_takes_its_items_and_its_text_along(project):
    project.session(SILENT, days=2)
    with project.memory() as memory:
        connection = memory.context.store.connection
        _told_before(connection, "receipt", "id", KEPT + 20)
        _told_before(connection, "receipt_item", "receipt", KEPT + 20)
        _told_before(connection, "receipt_text", "receipt", KEPT + 20)
        connection.execute("INSERT INTO receipt_item (receipt, memory) VALUES ('0', 'long ago')")
        for _ in range(2):
            memory.recall(ASKED)
        assert connection.execute("SELECT count(*) FROM receipt").fetchone() == (KEPT,)
        for table in ("receipt_item", "receipt_text"):
            older = f"FROM {table} WHERE receipt < (SELECT min(id) FROM receipt)"
            assert connection.execute(f"SELECT count(*) {older}").fetchone() == (0,)
            left = f"SELECT count(DISTINCT receipt) FROM {table}"
            assert connection.execute(left).fetchone()[0] > KEPT - 10
        newest, *_ = memory.receipts()
        assert TIDE in memory.show(newest.items[0]["id"]).content


def _told_before(connection, table, key, count):
    """So many rows more like the newest of a table, of ever earlier receipts."""
    names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    earlier = {key: "printf('0%06d', n)", "at": "at - :count + n"}
    values = ", ".join(earlier.get(name, name) for name in names)
    written = A_THOUSAND_DAYS.format(table=table, named=", ".join(names), values=values, key=key)
    connection.execute(written, {"count": count})
