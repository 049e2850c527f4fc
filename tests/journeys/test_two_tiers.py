"""A session's tier and the project's: checkpoints, ends, compaction, and the trail of it all."""

from datetime import timedelta
from itertools import cycle

import pytest

from memdeck import Refused

from .project import Lived, live, newest_session
from .scripts import BERTHS, DEPLOYS, FIX, GREETING, finds

HOUR = timedelta(hours=1)
CRANE = "The crane at pier C is closed for repairs until the inspector has signed its brake."


def talk(exchanges, *, of="the quay"):
    """So many prompts and answers, of which nothing is kept."""
    return "".join(f"P: and {of}, place {n}?\nA: Looked at it.\n" for n in range(exchanges))


# --- 002-01: the session's tier


def test_a_session_has_a_checkpoint_every_ten_messages_however_often_it_goes_on(project):
    """002-01: prompts and answers count, in whichever sitting."""
    project.session(GREETING)
    project.session(talk(4), days=2)  # eight messages
    session = newest_session(project).id

    def points():
        with project.memory() as memory:
            return [point["messages"] for point in memory.checkpoints(session)]

    assert points() == []
    project.go_on(talk(1, of="the mole"), "resume")
    assert points() == [10]
    project.go_on(talk(4, of="the dock"), "resume")
    assert points() == [10]
    project.go_on(talk(1, of="the ferry"), "resume")
    assert points() == [10, 20]
    project.session(GREETING, days=3)
    assert points() == [10, 20]  # each session has its own


def test_what_a_session_found_stays_its_own_until_the_project_has_it_for_all_agents(project):
    """002-01: findings at the session's end; the project's tier is shared by all hosts."""
    project.session(GREETING)
    project.session(FIX)
    [found] = live(project, "ECONNREFUSED")
    assert (found.scope, found.origin.session) == ("session", newest_session(project).id)
    assert "make e2e" not in project.session(GREETING, host="gemini").start
    project.session(FIX, host="codex")
    [found] = live(project, "ECONNREFUSED")
    assert found.scope == "project"
    for host in ("claude", "codex", "gemini", "opencode", "copilot"):
        heard = project.session(GREETING, host=host, days=0.1)
        assert "make e2e" in heard.start + "".join(heard.prompts), host


# --- 002-01: compaction


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    def live(project):
        project.session(GREETING)
        project.session(GREETING)
        at = (project.now + HOUR / 2).isoformat()
        ran = project.command("remember", CRANE, "--expires", at, "--key", "crane")
        assert ran.code == 0, ran.err
        assert project.command("remember", DEPLOYS).code == 0
        project.now += HOUR

    return Lived(tmp_path_factory.mktemp("ending"), live)


@pytest.fixture
def ending(lived):
    """A project that was maintained an hour ago, where the date of a memory has passed since."""
    return lived.again()


def retired_as(project):
    with project.memory() as core:
        assert not core.services.vitals.is_due()  # the day's upkeep is not it
        return core.show("crane").retired_as


def test_the_store_is_compacted_when_a_session_begins(ending):
    """002-01: on load."""
    ending.go_on(talk(1))  # the last session merely goes on
    assert retired_as(ending) is None
    ending.session(GREETING, days=0)
    assert retired_as(ending) == "expired"


@pytest.mark.parametrize(("accesses", "how"), [(49, None), (50, "expired")])
def test_the_store_is_compacted_after_fifty_accesses(ending, accesses, how):
    """002-01: every 50 accesses, at both sides."""
    with ending.memory() as memory:
        for _ in range(accesses):
            told = memory.recall("Where is every deploy announced, an hour before?")
            assert [hit.memory.content for hit in told.items] == [DEPLOYS]
    ending.go_on(talk(1))
    assert retired_as(ending) == how


# --- 002-22: the end


def test_a_session_is_summed_up_at_its_turns_and_its_end_once_for_what_is_new(project):
    """002-22: when it ends, and as far as it came where nobody says that it ends."""
    project.session(GREETING)
    project.session(f"P: {DEPLOYS}\nA: Noted.\n" + talk(2), days=2)
    session = newest_session(project)
    assert DEPLOYS.split(" is ")[0].split("every ")[1] in session.summary
    assert session.finalized_at is not None
    assert session.ended_at is not None

    def ends():
        with project.memory() as memory:
            mine = memory.audit(session=session.id, action="finalize")
        return len(mine)

    once = ends()
    project.go_on(talk(1, of="the mole"), "resume")  # nothing is learned
    assert ends() == once
    project.go_on(f"P: Remember: {CRANE}\nA: Noted.\n", "resume")
    assert ends() == once + 1
    assert "crane at pier C" in newest_session(project).summary


def test_a_session_that_is_killed_was_summed_up_after_its_last_turn(
    start, repo, no_drain, settle, known, cli
):
    """002-22: nobody tells of its end, and the next session begins with what it said."""
    session = start("s1", repo)
    session.tell("SessionStart", source="startup")
    session.says(DEPLOYS)
    session.answers("Noted.")
    with no_drain():
        session.stop()
    settle()  # and no more is heard of it
    [one] = cli("sessions", "list", "--json").lines
    assert one["ended_at"] is None
    assert "harbour channel" in cli("sessions", "show", "s1", "--json").json["summary"]
    assert [memory.content for memory in known()] == [DEPLOYS]
    assert "harbour channel" in start("s2", repo).tell("SessionStart", source="startup")


# --- 002-35: the trail


def test_each_act_of_a_life_is_in_the_trail_by_its_word(project):
    """002-35: add, remove, update, pin, unpin, finalize; a rule's acts have words of their own."""
    project.session(GREETING)
    for host in ("claude", "codex"):
        project.session(finds(BERTHS), host=host)
    [found] = live(project, "mirror database")
    for words in (
        ("edit", found.id, "--importance", "7"),
        ("pin", found.id),
        ("unpin", found.id),
        ("forget", found.id),
        ("restore", found.id),
    ):
        assert project.command(*words).code == 0
    project.session(FIX, days=9)
    [fix] = live(project, "ECONNREFUSED")
    project.session(GREETING, days=200)
    with project.memory() as memory:
        entries = memory.audit(limit=1_000)
        of_fix = [one.action for one in memory.history(fix.id)]
    actions = {entry.action for entry in entries}
    assert {"add", "forget", "edit", "pin", "unpin", "finalize"} <= actions
    assert of_fix[0] in ("expire", "compact")  # what ages leaves by a rule's own word
    assert {entry.actor for entry in entries if entry.action == "pin"} == {"person"}
    seqs = [entry.seq for entry in entries]
    assert seqs == sorted(seqs, reverse=True)  # nothing is ever put in between


def test_the_trail_keeps_five_thousand_entries_and_is_cut_to_four(project):
    """002-35; the journal itself keeps them all."""
    project.session(GREETING)
    with project.memory() as memory:
        kept = memory.remember(CRANE).memory_id
        added = memory.last_seq()
        memory.forget(memory.remember("Pier 7 is swept by hand.").memory_id)
        forgotten = memory.last_seq()
        with memory.as_one_act():
            memory.remember("Pier 4 is closed over the winter.")
            memory.remember("Pier 5 is closed over the winter.")
        grouped = memory.last_seq()

        def held():
            oldest = memory.last_seq() - memory.audit_count() + 1
            [last] = memory.audit(before=oldest + 1)
            return memory.audit_count(), last.seq

        part = (5_000 - memory.last_seq()) // 16
        with memory.as_one_act():  # what is taken back at once is quickly written
            for number in range(part):
                memory.set_ceiling(1_000 + number)
        acts = cycle((memory.undo, memory.redo))
        while memory.last_seq() <= 5_000 - part:
            next(acts)()
        acts = cycle((memory.pin, memory.unpin))
        while memory.last_seq() < 5_000:
            next(acts)(kept)
        assert held() == (5_000, 1)
        next(acts)(kept)
        assert held() == (4_000, 1_002)
        memory.forget(kept)
        assert held() == (4_001, 1_002)
        assert memory.differences(forgotten)
        assert memory.undo(forgotten).undoes == forgotten  # once, and an act as a whole
        with pytest.raises(Refused):
            memory.undo(forgotten)
        assert memory.count("pier") == 3
        memory.undo(grouped)
        assert memory.count("pier") == 1
        assert memory.verify().ok
    told = project.command("audit", str(added), "--json")  # cut by now: the journal tells of it
    assert (told.code, told.json["action"], told.json["memories"]) == (0, "add", [kept])
    assert project.command("audit", "99999").code == 1
    project.session(GREETING, days=2)
    with project.memory() as memory:
        assert memory.history(kept)[0].action == "forget"
        memory.undo()
        assert memory.show(kept).is_live
