"""Does it pay: counted from receipts and transcripts, over sessions, days and hosts."""

import time
from datetime import UTC, datetime

import pytest

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


def value(project, *words):
    return project.command("value", *words, "--json").json


def test_what_an_answer_repeats_after_it_was_told_was_used_and_nothing_else(project):
    project.session(SILENT)
    told = value(project)["total"]
    assert (told["memories"], told["used"]) == (1, 0)
    assert told["tokens"] > 0
    project.session(REPEATS, host="codex", days=2)
    project.session(REPEATS, host="gemini", days=7)
    found = value(project)
    by_host = {one["host"]: (one["memories"], one["used"]) for one in found["hosts"]}
    assert by_host == {"claude": (1, 0), "codex": (1, 1), "gemini": (1, 1)}
    assert found["total"]["used"] == 2
    assert len({one["week"] for one in found["weeks"]}) > 1  # weeks begin on Mondays
    assert found["total"]["tokens"] == sum(one["tokens"] for one in found["days"])


FAILS = """
    P: Run the tests.
    $ pytest tests/orders
    > E   ModuleNotFoundError: No module named 'orders'
    ! 1
    $ uv sync --extra dev
    > Installed 3 packages
    $ pytest tests/orders
    > 12 passed
    A: The tests pass now.
"""
ASKS = "P: Why does pytest tests/orders fail with ModuleNotFoundError: No module named 'orders'?"
FOLLOWS = f"""
    {ASKS}
    $ uv sync --extra dev
    > Audited 3 packages
    $ pytest tests/orders
    > 12 passed
    A: They pass.
"""
MEETS_IT_AGAIN = f"""
    {ASKS}
    $ pytest tests/orders
    > E   ModuleNotFoundError: No module named 'orders'
    ! 1
    $ uv sync --extra dev
    > Audited 3 packages
    $ pytest tests/orders
    > 12 passed
    A: They pass.
"""
WORKS_BY_ITSELF = f"""
    {ASKS}
    $ pytest tests/orders
    > 12 passed
    A: They pass.
"""
DOES_ELSE = f"""
    {ASKS}
    $ uv sync --extra dev
    > Audited 3 packages
    $ make docs
    > built
    A: I built the documentation instead.
"""


@pytest.mark.parametrize(
    ("session", "avoided", "again"),
    [(FOLLOWS, 1, 0), (MEETS_IT_AGAIN, 0, 1), (WORKS_BY_ITSELF, 0, 0), (DOES_ELSE, 0, 0)],
    ids=["follows", "meets it again", "works by itself", "does something else"],
)
def test_an_error_is_avoided_where_its_lesson_was_told_and_followed(
    tmp_path, session, avoided, again
):
    project = Project(tmp_path)
    project.session(FAILS)
    assert value(project)["total"]["avoided"] == 0  # where it was met, nothing was told of it
    heard = project.session(session, host="codex", days=3)
    assert "uv sync" in heard.prompts[0]
    project.session(GREETING, host="gemini", days=9)  # neither asks nor runs anything
    found = value(project)
    assert (found["total"]["avoided"], found["total"]["came_again"]) == (avoided, again)
    assert [one["host"] for one in found["avoided"]] == ["codex"] * avoided
    assert all("uv" not in one["words"] and "codex was told" in one["words"]
               for one in found["avoided"])  # fmt: skip


def test_a_session_that_was_told_nothing_avoids_nothing(tmp_path):
    project = Project(tmp_path)
    project.session(FAILS)
    silent = FOLLOWS.replace(ASKS, "P: good morning")
    assert "uv sync" not in "".join(project.session(silent, days=3).prompts)
    assert value(project)["total"]["avoided"] == 0


def test_opinions_and_prices_count_and_what_is_unknown_is_said(project, tmp_path):
    project.session(SILENT)
    plain = project.command("value")
    assert "name no price for claude" in plain.err
    assert value(project)["total"]["cost_usd"] is None
    with project.memory() as memory:
        receipt = next(one for one in memory.receipts() if one.items)
        memory.feedback(receipt.id, receipt.items[0]["id"], True)
    (tmp_path / "home" / "config.toml").write_text("[value.usd_per_million]\nclaude = 2000.0\n")
    found = value(project)["total"]
    assert (found["helpful"], found["used"], found["valued"], found["share"]) == (1, 0, 1, 1.0)
    assert found["cost_usd"] == pytest.approx(found["tokens"] * 0.002)
    assert "name no price" not in project.command("value").err


def test_since_bounds_the_span_and_nothing_told_is_said(project):
    project.session(SILENT)
    project.now = project.now.replace(month=6)
    assert value(project)["weeks"] == []
    assert "Nothing was told" in project.command("value").err
    assert value(project, "--since", "2026-03-01")["total"]["tokens"] > 0


def test_weeks_begin_at_midnight_across_a_change_of_the_clocks(tmp_path, monkeypatch):
    project = Project(tmp_path)
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    project.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    with project.memory() as core:
        since = core.services.value_book.value().since
    monkeypatch.undo()
    time.tzset()
    assert since == datetime(2026, 9, 27, 22, 0, tzinfo=UTC)


def test_what_was_told_before_it_was_noted_is_not_known(project):
    project.session(SILENT)
    with project.memory() as memory:  # as a store that was upgraded just now
        moment = int(project.now.timestamp() * 1000)
        memory._store.connection.execute(
            "INSERT INTO error_watch VALUES ('', '', '', ?, NULL)", (moment,)
        )
    found = value(project)
    assert (found["total"]["used"], found["total"]["avoided"], found["total"]["share"]) == (
        (None,) * 3
    )
    assert "not known" in project.command("value").err
    project.session(REPEATS, days=8)
    newest, before = value(project)["weeks"]
    assert (newest["used"], before["used"]) == (1, None)
