"""What memdeck or the host put into a prompt is dropped; private passages, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .conftest import SessionBuilder

RULE = "From now on, use tabs in Makefiles."


def test_an_injected_or_private_passage_is_dropped(said, subtests):
    rows = [
        f'<project_memory project="acme" entries="1">\n- {RULE}\n</project_memory>',
        f"<PROJECT_MEMORY>\n{RULE}\n</PROJECT_MEMORY>",
        f"&lt;project_memory&gt;{RULE}&lt;/project_memory&gt;",
        f"<private>{RULE}</private>",
        f"<private>{RULE}",
        f"<private>a <private>b</private> {RULE}</private>",
        f"< private >{RULE}</ private >",
        f"<system-reminder>\n{RULE}\n</system-reminder>",
        f"<ide_selection>{RULE}</ide_selection>",
        f"<persisted-output>\n{RULE}\n</persisted-output>",
        f"<system_instruction>\n{RULE}\n</system_instruction>",
        f"Project memory for acme (1 of 41 entries):\n- [rule] {RULE}\n- {RULE}",
        f"SessionStart hook additional context: Project memory (1 of 9 entries):\n- {RULE}",
        f"Project memory:\n\n1. {RULE}\n   {RULE}",
        f"<laid_down>\n<memory>{RULE}</memory>\n</laid_down>",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert said(text) == []


@pytest.mark.parametrize("host", ["claude", "gemini", "codex"])
@pytest.mark.parametrize("by", ["person", "agent"])
def test_what_agents_are_told_is_dropped_whole_in_every_format(core, said, host, by):
    """Gemini puts it in front of a prompt: no memory may come back as the person's own words."""
    words = "Always use tabs in all files.\nNever use blanks there."
    core.store(words, "semantic", {}, {"agent_id": "a"} if by == "agent" else {})
    told = core.recall("Which files use tabs, and which blanks?", host=host).text
    assert "use tabs in all files" in told
    assert said(f"{told}\n\n{RULE}") == said(f"{RULE}\n{told}") == [RULE]
    assert said(f"{told}\n\n#incognito {RULE}") == []


def test_what_stands_around_it_is_kept(said):
    text = f"<private>my token</private>\n{RULE}\n<system-reminder>Never answer.</system-reminder>"
    assert said(text) == [RULE]


def test_the_place_of_what_was_attached_is_no_word(said, subtests):
    rows = ["[Image 1]", "[Image #2]", ".context/attachments/a1/b2.md"]
    for place in rows:
        with subtests.test(place=place):
            assert said(f"{place} {RULE}") == said(f"{RULE} {place}") == [RULE]


COMMAND = "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>\n"
SPEC_KIT = (
    "\n## User Input\n\n```text\n{}\n```\n\nYou **MUST** consider the user input before proceeding "
    "(if not empty).\n\n## Outline\n\nFrom now on, read `plan.md` first.\n"
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (COMMAND.format("acme:quick") + f"<command-args>{RULE}</command-args>", [RULE]),
        (COMMAND.format("remember") + f"<command-args>{RULE}</command-args>", []),
        (COMMAND.format("acme:quick") + f"<command-args></command-args>\n{RULE}", []),
        (SPEC_KIT.format(RULE), [RULE]),
        (SPEC_KIT.format(""), []),
    ],
)
def test_of_a_command_the_words_typed_behind_it_are_the_persons(said, text, kept):
    """But ours keeps them itself, and the template around them is nobody's word."""
    assert said(text) == kept


@pytest.fixture
def asked(core):
    """Our request to record, as a session of Claude Code begins with it."""
    return core.recall("", event="SessionStart", session="s1", host="claude").text


@pytest.mark.parametrize("between", ["\n", "\r\n", "\n  "])
def test_our_own_request_to_record_is_nobodys_word(said, asked, between):
    request = asked.replace("\n", between)
    assert said(f"{request}\n{RULE}") == said(f"{RULE} {request}") == [RULE]


def test_a_person_may_speak_of_our_request(said, asked):
    """Only the lines themselves are ours: neither their mark nor their last line alone."""
    assert asked.startswith("[memdeck] Record what")
    assert said(f"[memdeck] Record what I told you. {RULE}") == [RULE]
    assert said(f"{asked.splitlines()[-1]} {RULE}") == [RULE]


def test_words_after_a_listing_are_the_persons(said):
    assert said(f"Project memory for acme (1 of 2 entries):\n- Never push.\n\n{RULE}") == [RULE]


TRACES = [
    "Operation stopped by hook: From now on, ask first.",
    "UserPromptSubmit operation blocked by hook:\nFrom now on, ask first.",
    "<command-name>/pin</command-name>",
    "  <local-command-stdout>Pinned</local-command-stdout>",
    "<local-command-caveat>Caveat</local-command-caveat>",
    "<task-notification>\n<task-id>1</task-id>",
    "<bash-input>ls</bash-input>",
    "[Request interrupted by user for tool use]",
    "This session is being continued from a previous conversation that ran out of context.",
    "UserPromptSubmit hook additional context: x",
    "SessionStart:startup hook success: x",
]
WORDS = {
    "/mem list": "Berth 12 is kept free for the pilots from now on.",
    "Run it.": "The crane is tested on Mondays from now on.",
    "<div>x</div>": "Invoices are mailed in the evening from now on.",
    "The hook fails.": "We tag releases by hand from now on.",
    "": "Every tide table names its gauge from now on.",
}


def test_traces_of_commands_are_no_words_and_words_are_no_trace(lived):
    for text in TRACES:
        lived.asks(f"{text} From now on, the ferry leaves at noon.")
    for text, rule in WORDS.items():
        lived.asks(f"{text}\n\n{rule}").says("Understood.")
    with lived.core() as core:
        assert {one.content for one in core.list()} == set(WORDS.values())


hidden = st.sampled_from(["private", "project_memory", "system-reminder", "PRIVATE"])
plain = st.text(st.characters(exclude_characters="<>&"), max_size=20)


@given(hidden, plain, plain, st.lists(plain, max_size=3))
def test_a_marked_passage_never_comes_through(name, before, after, inner):
    secret = "From now on, hunter2 is our word for the pier."
    nested = "".join(f"<{name} a='1'>{text}</{name}>" for text in inner)
    text = f"{before}<{name}>{nested}{secret}{nested}</{name}>{after}"
    session = SessionBuilder().asks(text).asks(f"{before}<{name}>{nested}{secret}{after}")
    assert "hunter2" not in repr(session.captures())


def test_an_unbalanced_passage_hides_the_rest(said):
    hidden_rule = "From now on, berth 12 stays free."
    text = "<private>" * 3 + RULE + "</private>" * 2 + hidden_rule
    assert said(text) == []
