"""One exchange, one memory; and what a session does elsewhere with a sentence's words."""

from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.ingest.extract.turns import Turn

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
    found = extract(session(*said), session="s1", is_judged=True)
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


RULE = "Never stamp the harbour's tide tables in fathoms, because the pilots' export reads metres."
BYE = ("user", "Thanks, that will do for today.")
YES = ("assistant", "Understood.")
OWN, OTHER = "harbour tide tables fathoms pilots", "crane brake plates tonnes monday"
"""Words of that rule, and as many of another one's."""


def read(words):
    return (
        ("tool_call", {"tool": "Read", "tool_input": {}, "call_id": "r1"}),
        ("tool_result", {"text": f"def stamp(): {words}", "call_id": "r1"}),
    )


def score(of, said):
    """What a sentence is judged to be worth; None where it is not even a candidate."""
    found = extract(session(*said), session="s1", is_judged=True)
    return next((one.salience.score for one in found if of in one.content), None)


PLACES = {
    "shown before": (True, lambda words: (*read(words), ("user", RULE), YES)),
    "written after": (True, lambda words: (("user", RULE), *edit("a.py", words), YES)),
    "written later": (False, lambda words: (("user", RULE), YES, BYE, *edit("a.py", words))),
    "the person later": (
        True,
        lambda words: (("user", RULE), YES, BYE, ("user", f"I see the {words} I like!"), YES),
    ),
    "the agent later": (
        True,
        lambda words: (("user", RULE), YES, BYE, ("assistant", f"The {words} are as they were.")),
    ),
    "the agent before": (
        True,
        lambda words: (("assistant", f"There are {words}."), ("user", RULE), YES),
    ),
    "the person before": (
        True,
        lambda words: (("user", f"There are {words}."), YES, ("user", RULE), YES),
    ),
}


def test_it_is_seen_where_the_words_of_a_sentence_stand(subtests):
    for place in PLACES:
        with subtests.test(place=place):
            is_seen, said = PLACES[place]
            assert (score("metres", said(OWN)) != score("metres", said(OTHER))) is is_seen


def test_an_agents_sentence_that_describes_what_it_wrote_is_seen_as_such():
    told = [
        (("user", ASKED), *edit("a.py", words), ("assistant", CAUSE), BYE)
        for words in (CAUSE, OTHER)
    ]
    assert score("X-Tenant", told[0]) != score("X-Tenant", told[1])


PLAN = (
    "A previous agent produced the plan below to accomplish the user's task. Implement the plan in"
    " a fresh context. Treat the plan as the source of user intent, re-read files as needed, and"
    " carry the work through implementation and verification.\n\n# Tides\n\n"
    "Remember that tide times always carry their zone."
)


def test_a_plan_that_codex_hands_over_holds_no_word_of_the_persons():
    turns = session(("user", PLAN), ("assistant", "I start with the export."))
    assert extract(turns, session="s1", agent="codex", is_judged=True) == []


def test_the_same_words_typed_by_a_person_are_theirs():
    turns = session(("user", PLAN.rpartition("\n")[2]), ("assistant", "I will."))
    [one] = extract(turns, session="s1", agent="codex", is_judged=True)
    assert one.content == "Tide times always carry their zone."
