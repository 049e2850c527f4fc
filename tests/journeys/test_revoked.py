"""What a person or an agent says again, to hold no longer, is told to nobody after that."""

from .scripts import GREETING

RULE = "Berth plans are printed on the harbour master's old plotter before each spring tide."
INSTEAD = "Berth plans are shown on the quay's screens before each spring tide."
OTHER = "Berth plans are kept for nine years in the archive room behind the chart house."
CAUSE = (
    "Decided that the nightly import must only write its rows in batches of 500, because one"
    " connection per row costs most of the time."
)
BETTER = "The nightly import must copy its rows from one file, because that takes one connection."
FIND = f"""
    P: the nightly import takes seven minutes, please make it faster
    E import.py
    - a
    + b
    A: {CAUSE}
    P: thanks
    A: ok
"""


def texts(project, query=""):
    with project.memory() as memory:
        return [one.content for one in memory.list(query)]


def retired(project):
    with project.memory() as memory:
        found = []
        for one in memory.list("is:retired"):
            by = [link.target for link in memory.links(one.id) if link.kind == "superseded_by"]
            successor = memory.show(by[0]).content if by else ""
            found.append((one.content, one.retired_as, successor))
        return found


REVOCATIONS = (
    "This no longer holds: {}",
    "Not any more: {}",
    "Obsolete: {}",
    "It is no longer true that {}",
    "Please forget the rule that {}",
    "Das gilt nicht mehr: {}",
    "Nicht mehr: {}",
    "Esto ya no vale: {}",
)


def test_what_a_person_says_again_to_hold_no_longer_is_gone_and_comes_back_by_undo(
    project, subtests
):
    project.session(f"P: From now on: {RULE}\nA: Noted.\n")
    project.session(f"P: From now on: {OTHER}\nA: Noted.\n")
    assert RULE in project.session(GREETING).start
    for words in REVOCATIONS:
        with subtests.test(words=words):
            project.session(f"P: {words.format(RULE)}\nA: Understood.\n")
            assert not any(RULE in text for text in texts(project))
            assert [(RULE in text, how) for text, how, _ in retired(project)] == [
                (True, "rejected")
            ]
            if words == REVOCATIONS[0]:
                start = project.session(GREETING, days=9).start
                assert RULE not in start
                assert OTHER in start  # it speaks of the same thing, and says another
            with project.memory() as memory:
                [gone] = memory.list("is:retired")
                why = memory.history(gone.id)[0].reason
                assert why.startswith("the person corrected it: “")
                memory.restore(gone.id)
    assert RULE in project.session(GREETING).start


def test_an_agent_takes_back_what_agents_found_and_no_persons_word(project):
    project.session(FIND)
    assert any(CAUSE in text for text in texts(project))
    project.session(f"P: look again please\nA: This no longer holds: {CAUSE} {BETTER}\n")
    assert not any(CAUSE in text for text in texts(project))

    project.session(f"P: From now on: {RULE}\nA: Noted.\n")
    project.session(f"P: look at the berths\nA: This no longer holds: {RULE} {INSTEAD}\n")
    assert any(RULE in text for text in texts(project))
    with project.memory() as memory:
        [conflict] = memory.conflicts()
        assert conflict.kind == "superseded"
    project.session(f"P: look at the berths\nA: Obsolete: {RULE}\n")
    assert any(RULE in text for text in texts(project))


SAID_OF_SOMETHING_ELSE = {
    "a question": f"Is this no longer true: {RULE.rstrip('.')}?",
    "another thing": "This no longer holds: "
    + RULE.replace("plotter", "typewriter").replace("old ", ""),
    "another rule": f"This no longer holds: {OTHER}",
    "too little said": "This no longer holds: the old plan.",
}


def test_what_is_asked_or_said_of_something_else_revokes_nothing(project, subtests):
    project.session(f"P: From now on: {RULE}\nA: Noted.\n")
    for name, prompt in SAID_OF_SOMETHING_ELSE.items():
        with subtests.test(name):
            project.session(f"P: {prompt}\nA: I see.\n")
            assert any(RULE in text for text in texts(project))
            assert retired(project) == []


def test_a_pin_stays_and_waits_for_a_person(project):
    project.session(f"P: From now on: {RULE}\nA: Noted.\n")
    project.person(lambda memory: memory.pin(memory.list()[0].id))
    project.session(f"P: Not any more: {RULE} {INSTEAD}\nA: Understood.\n")
    assert any(RULE in text for text in texts(project, "is:pinned"))
    with project.memory() as memory:
        assert len(memory.conflicts()) == 1
