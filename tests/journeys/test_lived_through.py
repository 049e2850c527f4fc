"""Promises that only time shows, each lived over sessions through hooks and drains."""

import json

from .project import live
from .scripts import ASKS_OF_FIX, FIX, GREETING

RULE = "From now on the harbour's tide tables are printed on Mondays, never on Sundays."
RECIPE = "How to release the harbour app: run `make tides`, tag the commit, push it to the mirror."


def listed(project, *words):
    """What a command lists, an object a line."""
    ran = project.command(*words, "--json")
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


# --- 004-13: nothing rises to every project by itself


def test_in_months_nothing_becomes_everybodys_but_by_a_persons_word_and_only_that_takes_it_back(
    project, tmp_path
):
    """004-13: task -> project -> global by hand; a task is cleared, what is global stays."""
    project.session(f"P: {RULE}\nA: Noted.\n")
    for host in ("claude", "codex", "gemini"):
        project.session(FIX, host=host, days=9)
    project.session("P: paint the quay\nT\n  [~] Paint the quay of the harbour\nA: Begun.\n")
    project.session(ASKS_OF_FIX, days=30)
    everything = [*live(project), *live(project, "is:retired")]
    assert {one.scope for one in everything} <= {"project", "session", "task"}
    assert all(not one.is_live for one in everything if one.scope == "task")

    [rule] = [one for one in live(project) if "tide tables" in one.content]
    refused = project.command("promote", rule.id, "--to", "global")
    assert refused.code != 0  # nobody is there to say yes
    assert project.command("promote", rule.id, "--to", "global", "--yes").code == 0
    project.session(GREETING, days=400)
    assert project.command("show", rule.id, "--json").json["scope"] == "global"
    assert project.command("edit", rule.id, "--scope", "project", "--yes").code == 0
    assert project.command("show", rule.id, "--json").json["scope"] == "project"


# --- 001-16: what agents' own patterns come to over days


def test_the_next_day_begins_with_ten_of_twelve_reminders_and_how_urgent_each_is(project):
    """001-16: at most ten, the urgent first; what was done is told no more."""
    project.session(GREETING)
    for begins in (0, 6):  # two sessions, of six each
        said = ""
        for number in range(begins, begins + 6):
            urgency = ", urgent" if number in (3, 7) else ""
            said += f"P: TODO: renew the yearly licence of crane {number}{urgency}.\nA: Noted.\n"
        project.session(said)
    assert len(live(project, "type:prospective")) == 12
    start = project.session(GREETING).start
    told = [line for line in start.splitlines() if "yearly licence of crane" in line]
    assert len(told) == 10
    urgent = [n for n, line in enumerate(told) if "crane 3" in line or "crane 7" in line]
    assert urgent == [0, 1]
    assert start.count("priority") == 10 or start.count('priority="') == 10
    [third] = [one for one in live(project, "type:prospective") if "crane 3" in one.content]
    assert project.command("done", third.id).code == 0
    after = project.session(GREETING).start
    assert "crane 3" not in after
    assert after.count("licence of crane") == 10


# --- 000-57: the gates, one after the other, in one project


def test_the_gates_of_the_phases_hold_in_one_project_over_weeks(project):
    """000-57: told; trivial left out and logged; within the budget; a whole life to its end."""
    project.session(f"P: {RULE}\nA: Noted.\n")
    assert project.command("remember", RECIPE, "--type", "procedural").code == 0
    asked = project.session(
        "P: When are the tide tables printed?\nA: On Mondays.\n"
        "P: How do I release the harbour app?\nA: By its steps.\n",
        host="codex",
        days=9,
    )
    told = asked.start + "".join(asked.prompts)
    assert "never on Sundays" in told
    assert "tag the commit" in told

    known = {one.id for one in live(project)}
    project.session("P: ok, thanks\nA: You are welcome.\nP: yes\nA: Good.\n")
    assert {one.id for one in live(project)} == known
    with project.memory() as memory:
        for receipt in memory.receipts(50):
            assert receipt.tokens <= receipt.budget

    for host in ("claude", "codex"):
        project.session(FIX, host=host)
    [found] = live(project, "ECONNREFUSED")
    assert found.degree == "established"
    assert "promote" in [one["action"] for one in listed(project, "audit")]
    project.session(GREETING, days=200)
    gone = project.command("show", found.id, "--json").json
    assert gone["retired_as"] == "expired"
    assert project.command("restore", found.id).code == 0
    asked = project.session(ASKS_OF_FIX)
    assert "make e2e" in asked.start + asked.prompts[0]
