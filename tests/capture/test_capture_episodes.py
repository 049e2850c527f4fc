"""One exchange, one memory; and what a session does elsewhere with a sentence's words."""

import pytest

from memdeck.core.ingest.extract.elsewhere import with_elsewhere
from memdeck.core.ingest.extract.shape import Session
from memdeck.core.ingest.extract.steps import read_session
from memdeck.core.ingest.extract.turns import Turn
from memdeck.core.ingest.extract.utterances import spoken_in

CAUSE = (
    "The export fails because the gateway drops the `X-Tenant` header of every request that is"
    " retried, so the signature must be made again."
)
AGAIN = (
    "The root cause was that the gateway drops the `X-Tenant` header of a retried request, so the"
    " signature must be made again."
)
ANOTHER = (
    "The nightly import hangs since the root cause is that `mailbox.py` never closes the customs"
    " office's socket before 4:30."
)
ASKED = "Why does the export of the pilots fail?"


def session(*said):
    """Turns of (kind, text or fields)."""
    turns = []
    for line, (kind, given) in enumerate(said, 1):
        fields = {"text": given} if isinstance(given, str) else given
        turns.append(Turn(kind, line=line, uuid=f"u{line}", **fields))
    return turns


def edit(path, text, call_id="e1"):
    given = {"file_path": path, "content": text}
    return (
        ("tool_call", {"tool": "Write", "tool_input": given, "call_id": call_id}),
        ("tool_result", {"text": "ok", "call_id": call_id}),
    )


def kept(*said):
    found = read_session(session(*said), Session("s1", "claude", "", None)).captures
    return [one.content for one in found if one.rule.startswith("agent.")]


def test_what_an_agent_says_twice_in_an_exchange_is_one_memory():
    found = kept(("user", ASKED), ("assistant", CAUSE), *edit("a.py", "x"), ("assistant", AGAIN))
    assert len(found) == 1
    assert "X-Tenant" in found[0]


def test_two_things_of_one_exchange_are_two_memories():
    found = kept(("user", ASKED), ("assistant", CAUSE), *edit("a.py", "x"), ("assistant", ANOTHER))
    assert found == [CAUSE, ANOTHER]


def test_another_number_makes_it_another_thing():
    other = ANOTHER.replace("4:30", "6:15")
    found = kept(("user", ASKED), ("assistant", ANOTHER), *edit("a.py", "x"), ("assistant", other))
    assert found == [ANOTHER, other]


def elsewhere(of, *said):
    turns = session(*said)
    found = with_elsewhere(turns, spoken_in(turns))
    [one] = [one for one in found if of in one.sentence.text]
    return {name for name, share in one.utterance.elsewhere if share >= 0.2}


RULE = "Stamp the harbour's tide tables in fathoms again."
READ = (
    ("tool_call", {"tool": "Read", "tool_input": {}, "call_id": "r1"}),
    ("tool_result", {"text": "def stamp(tide, fathoms): harbour()", "call_id": "r1"}),
)
BYE = ("user", "Thanks, that will do for today.")


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ((("user", RULE), ("assistant", "Understood.")), set()),
        ((*READ, ("user", RULE)), {"shown-before"}),
        (
            (("user", RULE), *edit("a.py", "stamp(tide, fathoms, harbour)")),
            {"written-after"},
        ),
        ((("user", RULE), BYE, *edit("a.py", "stamp(tide, fathoms, harbour)")), set()),
        ((("user", RULE), BYE, ("user", "You stamp no tide in fathoms!")), {"person-later"}),
        (
            (("user", RULE), BYE, ("assistant", "The harbour now stamps each tide in fathoms.")),
            {"agent-later", "closing"},
        ),
        ((("assistant", "The harbour has a tide in fathoms."), ("user", RULE)), {"agent-before"}),
    ],
    ids=["nowhere", "shown", "written", "written later", "person", "closing", "agent before"],
)
def test_it_is_seen_where_the_words_of_a_sentence_stand(said, where):
    assert elsewhere("again.", *said) == where


def test_an_agents_sentence_that_describes_what_it_wrote_is_seen_as_such():
    said = (("user", "Go."), *edit("a.py", "stamp(tide, fathoms)"), ("assistant", RULE))
    assert elsewhere("again.", *said) == {"written-before"}


PLAN = (
    "A previous agent produced the plan below to accomplish the user's task. Implement the plan in"
    " a fresh context. Treat the plan as the source of user intent, re-read files as needed, and"
    " carry the work through implementation and verification.\n\n# Tides\n\n"
    "Remember that tide times always carry their zone."
)


def test_a_plan_that_codex_hands_over_holds_no_word_of_the_persons():
    turns = session(("user", PLAN), ("assistant", "I start with the export."))
    assert not any(one.is_own for one in spoken_in(turns) if one.utterance.is_person)
    assert not any("A previous agent" in one.sentence.text for one in spoken_in(turns))
    assert read_session(turns, Session("s1", "codex", "", None)).captures == []


def test_the_same_words_typed_by_a_person_are_theirs():
    turns = session(("user", PLAN.rpartition("\n")[2]), ("assistant", "I will."))
    [one] = read_session(turns, Session("s1", "codex", "", None)).captures
    assert one.content == "Tide times always carry their zone."
