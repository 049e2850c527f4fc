"""Gemini CLI is told with the prompt alone: also what other hosts hear when a session starts.

Without a screen it puts a start's text in front of the prompt before it looks for a slash command,
so that no command of anybody's would be found.
"""

import json
from functools import partial

import pytest

from memdeck.agents.drain import drain_spool
from memdeck.tests.fillers import filler

pytestmark = pytest.mark.usefixtures("opened_once")

PINNED = "Berth numbers are text, since some of them end in a letter."
ANSWER = "The retry budget of the harbour importer is seven attempts."
PROMPT = "How large is the retry budget of the importer?"


@pytest.fixture
def memories(remember):
    remember(PINNED, pin=True)
    remember(
        "Cranes are named after rivers, always, since the crews ask for it.", category="preference"
    )
    remember(ANSWER)


@pytest.fixture
def say(tell, project):
    """One event of Gemini's; the text that the model is given."""

    def _say(name, session="s1", **fields):
        payload = {
            "session_id": session,
            "cwd": project,
            "transcript_path": f"{project}/chats/session-1.jsonl",
            "timestamp": "2026-03-20T09:30:00.000Z",
            "hook_event_name": name,
            **fields,
        }
        out = tell(payload, "gemini", name)
        return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""

    return _say


@pytest.fixture
def start(say):
    return lambda source="startup", **more: say("SessionStart", source=source, **more)


@pytest.fixture
def ask(say):
    return lambda prompt=PROMPT, **more: say("BeforeAgent", prompt=prompt, **more)


def test_the_first_prompt_brings_what_the_start_would_have_told_and_the_answer(
    memories, start, ask
):
    assert start() == ""
    told = ask()
    for text in (PINNED, "Cranes are named after rivers", ANSWER):
        assert told.count(text) == 1
    assert ask() == ""


@pytest.fixture(params=["waiting", "drained"])
def drained(request, memories, home, start, ask):
    """A session that has begun; the drain, which has read of it or will not."""
    drain = partial(drain_spool, home) if request.param == "drained" else lambda: None
    start()
    assert PINNED in ask()
    drain()
    return drain


def test_a_session_that_is_resumed_is_told_what_is_new_since(drained, remember, start, ask):
    start("resume")
    assert ask() == ""
    remember("Tugs are ordered by radio, never by telephone.", pin=True)
    start("resume")
    told = ask("Hello again, it is noon already")
    assert "Tugs are ordered" in told
    assert PINNED not in told


def test_after_the_context_began_anew_the_next_prompt_tells_it_anew(drained, start, ask):
    assert start("clear") == ""
    drained()
    told = ask()
    assert told.count(PINNED) == told.count(ANSWER) == 1
    assert ask() == ""


@pytest.mark.slow
def test_the_reply_stays_within_its_limit_and_leaves_room_for_the_answer(remember, start, ask):
    for number in range(40):
        remember(filler(number, 40), pin=number < 5)
    remember(ANSWER)
    start()
    told = ask()
    assert len(told.encode()) <= 9900
    assert ANSWER in told
