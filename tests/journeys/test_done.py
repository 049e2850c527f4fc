"""A task ends by a person's word, over sessions and days, and comes back by theirs (000-12)."""

from datetime import timedelta

TASK = "Renew the certificate of the tide feed before the season starts"
PROMPT = "what about the certificate of the tide feed?"


def test_an_overdue_task_comes_with_one_start_and_with_prompts_about_it(open_core, clock):
    """000-12: at most three at a start, each once; with a prompt only if it is about it."""
    first = open_core(session="s1")
    due = clock.now + timedelta(days=2)
    reminder = first.remember(TASK, due=due).memory_id
    names = ["the crane of pier one", "the northern gate", "the fuel pump", "the slipway winch"]
    others = [first.remember(f"Inspect {name}", due=due + timedelta(hours=1)) for name in names]
    clock.now = due + timedelta(days=1)
    look = open_core().recall("", event="SessionStart")  # no agent received it
    assert TASK in look.text
    told = open_core(session="s2").recall("", event="SessionStart")
    ids = [hit.id for hit in told.items]
    assert ids == [reminder, others[3].memory_id, others[2].memory_id]
    assert [why for _, why in told.left_out] == ["only 3 overdue tasks are injected"] * 2
    assert "When one is finished, run: memdeck done ID" in told.text
    clock.now += timedelta(hours=1)
    again = open_core(session="s3").recall("", event="SessionStart")
    assert [hit.id for hit in again.items] == [others[1].memory_id, others[0].memory_id]
    assert TASK not in open_core(session="s4").recall("please rename the berth column").text
    assert TASK in open_core(session="s4").recall(PROMPT).text
    open_core(session="s4").done(reminder)
    assert TASK not in open_core(session="s5").recall(PROMPT).text


def test_a_todo_ends_when_its_session_ends_without_it(project):
    listed = "T\n  [ ] Measure the tide gauge at pier nine\n  [ ] Repaint the lower gate blue\n"
    project.session(f"P: Prepare the pier.\n{listed}A: I stop here.")

    def left_open():
        with project.memory() as memory:
            return sorted(one.content for one in memory.list("") if "left open" in one.content)

    assert len(left_open()) == 2
    project.go_on(f"P: go on\n{listed.splitlines()[0]}\n{listed.splitlines()[1]}\nA: On.", "resume")
    assert left_open() == ["Todo left open: Measure the tide gauge at pier nine."]
    project.go_on("P: go on\n" + "$ make\n> ok\n" * 11 + "A: Built.", "resume")
    assert left_open() == []
