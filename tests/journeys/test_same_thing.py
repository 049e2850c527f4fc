"""What speaks of the same thing, over several sessions: marked, listed, decided, remembered."""

HELD = "P: From now on a berth at the outer pier is held for {} minutes while a guest pays.\nA: ok"
ASKED = "P: how long is a berth at the outer pier held while a guest pays?\nA: Hm."
QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}"


def test_what_is_surely_in_conflict_is_marked_at_the_next_start_and_not_after_the_verdict(project):
    project.session(HELD.format(10))
    project.session(HELD.format(15), days=3)
    told = project.session(ASKED, days=2)
    assert "CONFLICT" in told.start + told.prompts[0]
    with project.memory() as memory:
        [found] = memory.conflicts()
        assert (found.wording, found.kind) == ("contradicts", "superseded")
        memory.resolve_conflict(found.id, "b")
    told = project.session(ASKED, days=30)
    assert "CONFLICT" not in told.start + told.prompts[0]
    assert "15 minutes" in told.start + told.prompts[0]
    assert "10 minutes" not in told.start + told.prompts[0]


def test_what_only_speaks_of_the_same_thing_is_listed_and_never_marked(project):
    with project.memory() as memory:
        memory.remember("Only on Tuesdays do deploys of the booking service go out, after lunch")
    project.session("P: hello\nA: Hello.")
    with project.memory() as memory:
        memory.remember("Deploys of the booking service never go out on Tuesdays")
        listed = memory.conflicts()
        assert [one.is_sure for one in listed] == [False]
        assert not memory.list("is:conflict")
        assert memory.stats().conflicts == 0
    told = project.session("P: when do deploys of the booking service go out?\nA: Hm.", days=2)
    assert "CONFLICT" not in told.start + told.prompts[0]
    assert "after lunch" in told.start + told.prompts[0]
    assert "never go out" in told.start + told.prompts[0]


def test_after_both_were_kept_recall_tells_both_and_never_asks_again(project):
    with project.memory() as memory:
        one, other = (
            memory.remember(QUEUE.format(name)).memory_id for name in ("RabbitMQ", "Kafka")
        )
        conflict = memory.mark_conflict(one, other)
        memory.resolve_conflict(conflict, "both", context="mails and receipts")
    for days in (1, 40):
        told = project.session("P: which message queue does the booking service use?\nA: Hm.",
                               days=days)  # fmt: skip
        heard = told.start + told.prompts[0]
        assert "RabbitMQ" in heard
        assert "Kafka" in heard
        assert "CONFLICT" not in heard
    with project.memory() as memory:
        memory.remember(QUEUE.format("Kafka"))
        assert memory.conflicts() == []
