"""What the user does next can speak against an agent's sentence."""

from memdeck.core.sessions.capture import is_contested
from memdeck.core.sessions.turns import Turn
from memdeck.core.sessions.utterances import spoken_in

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


def contested(*after):
    """Whether the user speaks against the cause, with these turns after it."""
    turns = [
        Turn("user", ASKED, line=1, uuid="u1"),
        Turn("assistant", CAUSE, line=2, uuid="a1", message_id="m1"),
        *after,
    ]
    [one] = [one for one in spoken_in(turns) if "X-Tenant" in one.sentence.text]
    return is_contested(turns, one)


def said(text, line=5, **more):
    return Turn("user", text, line=line, uuid=f"u{line}", **more)


def called(**result):
    return (
        Turn("tool_call", line=3, uuid="c1", tool="Bash", tool_input={}, call_id="c1"),
        Turn("tool_result", line=4, uuid="r1", call_id="c1", **result),
    )


def test_what_the_user_does_against_it_leaves_it_unproven(subtests):
    rows = [
        (said(INTERRUPTED), said("Look at the client.", 6)),
        called(text="", details={"interrupted": True}),
        called(text=REFUSED, is_error=True),
        (said("Don't sign it there."),),
        (*called(text="ok"), said("Stop.")),
    ]
    for after in rows:
        with subtests.test(after=after):
            assert contested(*after)


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
            assert not contested(*after)
