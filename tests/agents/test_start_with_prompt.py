"""Gemini CLI is told with the prompt alone: also what other hosts hear when a session starts.

Without a screen it puts a start's text in front of the prompt before it looks for a slash command,
so that no command of anybody's would be found.
"""

import json

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


@pytest.mark.parametrize("is_drained", [False, True])
def test_a_session_that_is_resumed_is_told_what_is_new_since(
    memories, home, remember, start, ask, is_drained
):
    start()
    assert PINNED in ask()
    if is_drained:
        drain_spool(home)
    start("resume")
    assert ask() == ""
    remember("Tugs are ordered by radio, never by telephone.", pin=True)
    start("resume")
    told = ask("Hello again, it is noon already")
    assert "Tugs are ordered" in told
    assert PINNED not in told


@pytest.mark.parametrize("is_drained", [False, True])
def test_after_the_context_began_anew_the_next_prompt_tells_it_anew(
    memories, home, start, ask, is_drained
):
    start()
    assert PINNED in ask()
    if is_drained:
        drain_spool(home)
    assert start("clear") == ""
    if is_drained:
        drain_spool(home)
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
