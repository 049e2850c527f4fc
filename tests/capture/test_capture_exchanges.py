"""What stands around a captured sentence: what was asked before, and what the person did next."""

from memdeck.core.sessions.capture import read_session
from memdeck.core.sessions.turns import Session, Turn

ASKED = "Why does the export of the pilots fail?"
CAUSE = (
    "The export only fails because the gateway drops the `X-Tenant` header of every retried"
    " request, so each client must sign again instead of sending the old signature."
)
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you"
    " how to proceed, the user said:\nSign it in the client instead."
)
INTERRUPTED = "[Request interrupted by user]"


def exchange(*after):
    """The exchange around the cause, with these turns after it."""
    turns = [
        Turn("user", ASKED, line=1, uuid="u1"),
        Turn("assistant", CAUSE, line=2, uuid="a1", message_id="m1"),
        *after,
    ]
    found = read_session(turns, Session("s1", "claude", "", None)).captures
    [one] = [one for one in found if "X-Tenant" in one.content and not one.rule.startswith("p")]
    return one.exchange


def said(text, line=5, **more):
    return Turn("user", text, line=line, uuid=f"u{line}", **more)


def called(**result):
    return (
        Turn("tool_call", line=3, uuid="c1", tool="Bash", tool_input={}, call_id="c1"),
        Turn("tool_result", line=4, uuid="r1", call_id="c1", **result),
    )


def test_what_was_asked_before_and_said_after_comes_along():
    found = exchange(said("Thanks. Sign it in the gateway then, please."))
    assert found.asked == ASKED
    assert found.answered == "Thanks. Sign it in the gateway then, please."
    assert found.reaction == ""


def test_what_the_person_did_against_it_is_noted(subtests):
    rows = [
        ((said(INTERRUPTED), said("Look at the client.", 6)), "interrupted", "Look at the client."),
        (called(text="", details={"interrupted": True}), "interrupted", ""),
        (called(text=REFUSED, is_error=True), "rejected", "Sign it in the client instead."),
        ((said("Don't sign it there."),), "contested", "Don't sign it there."),
        ((*called(text="ok"), said("Stop.")), "contested", "Stop."),
    ]
    for after, reaction, answered in rows:
        with subtests.test(after=after):
            found = exchange(*after)
            assert (found.reaction, found.answered) == (reaction, answered)


def test_nothing_else_speaks_against_it(subtests):
    rows = [
        (),
        (said("Why every request?"),),
        (said("Fine, go on."),),
        called(text="fatal: no such file", is_error=True),
        (*called(text="ok"), Turn("assistant", "It is signed.", line=5), said("No!", 6)),
    ]
    for after in rows:
        with subtests.test(after=after):
            assert exchange(*after).reaction == ""


def test_each_side_is_cut_at_300_characters():
    assert len(exchange(said("go on " * 200)).answered) == 300
