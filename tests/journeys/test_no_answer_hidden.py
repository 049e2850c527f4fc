"""Sessions that say much: what answers a later prompt is told, what they also said is not."""

import pytest

WAITLIST = (
    "A waitlist offer goes to the guest who joined first and whose boat fits",
    "A waitlist offer is valid for two hours by day, until 09:30 after 20:00",
    "A waitlist offer names one berth; a list of choices was answered late",
    "A waitlist offer is a hold with a longer life and needs no table of its own",
    "A waitlist offer that expires goes to the next guest within a minute",
)
BESIDE = (
    "The offer page of the travel agency was closed in spring",
    "Guests of the marina read the notice board by the gate",
    "The crane lifts boats up to nine tonnes",
)


@pytest.fixture
def sessions(open_core, clock):
    """Three sessions, days apart: one about one thing, one that says much else, a short one."""
    talked = {
        "s1": WAITLIST,
        "s2": (*BESIDE, "The agency sends its offer by mail", "An offer of paint was refused"),
        "s3": ("The crane is inspected on Mondays",),
    }
    for session, texts in talked.items():
        core = open_core(session=session)
        for text in texts:
            core.remember(text)
            clock.forward(minutes=5)
        clock.forward(days=2)
    return open_core(session="s4")


def told(core, prompt):
    return [hit.memory.content for hit in core.recall(prompt).items]


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("who gets the next waitlist offer?", WAITLIST[0]),
        ("how long is a waitlist offer valid by day?", WAITLIST[1]),
        ("does a waitlist offer name one berth or a list of choices?", WAITLIST[2]),
        ("does a waitlist offer need a table of its own?", WAITLIST[3]),
        ("what happens to a waitlist offer that expires?", WAITLIST[4]),
        ("how long is an offer of the waiting list valid?", WAITLIST[1]),
    ],
)
def test_each_answer_of_a_session_with_five_is_told(sessions, prompt, answer):
    assert answer in told(sessions, prompt)
