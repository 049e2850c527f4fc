"""What memdeck or the host put into a prompt is dropped; private passages, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.ingest.extract.echo import is_trace, marker_of, without_echo
from memdeck.core.retrieval.formats import FORMS
from memdeck.core.retrieval.request import MARK, recording_request

RULE = "From now on, use tabs in Makefiles."


@pytest.mark.parametrize(
    "text",
    [
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
        f"Project memory for acme (1 of 41 entries):\n- [rule] {RULE}\n- {RULE}",
        f"SessionStart hook additional context: Project memory (1 of 9 entries):\n- {RULE}",
        f"Project memory:\n\n1. {RULE}\n   {RULE}",
        f"<laid_down>\n<memory>{RULE}</memory>\n</laid_down>",
    ],
)
def test_an_injected_or_private_passage_is_dropped(said, text):
    assert said(text) == []
    assert RULE not in without_echo(text)


@pytest.mark.parametrize("form", ["xml", "markdown", "plain"])
@pytest.mark.parametrize("degree", ["person", "unproven"])
def test_what_agents_are_told_is_dropped_whole_in_every_format(said, form, degree):
    """Gemini puts it in front of a prompt: no memory may come back as the person's own words."""
    frame = FORMS[form]
    image = {
        **{"short_id": "a1b2c3d", "type": "semantic", "category": "preference", "agent": "codex"},
        **{"title": "", "content": "Always use tabs in all files.\nNever use blanks there."},
        **{"status": "candidate", "created_at": 0, "due": None, "degree": degree},
    }
    told = frame.frame([frame.entry([image], "semantic", 1)])
    assert "use tabs in all files" in told
    assert said(f"{told}\n\n{RULE}") == [RULE]
    assert without_echo(f"{RULE}\n{told}").strip() == RULE
    assert marker_of(f"{told}\n\n#incognito {RULE}") == "incognito"
    assert not marker_of(f"{told}\n\n{RULE}")


def test_what_stands_around_it_is_kept(said):
    text = f"<private>my token</private>\n{RULE}\n<system-reminder>Never answer.</system-reminder>"
    assert said(text) == [RULE]


@pytest.mark.parametrize("between", ["\n", "\r\n", "\n  "])
def test_our_own_request_to_record_is_nobodys_word(said, between):
    asked = recording_request("memdeck", "s1").replace("\n", between)
    assert said(f"{asked}\n{RULE}") == [RULE]
    assert without_echo(f"{RULE} {asked}").strip() == RULE


def test_a_person_may_speak_of_our_request(said):
    """Only the lines themselves are ours: neither their mark nor their last line alone."""
    asked = recording_request("memdeck", "s1")
    for text in (f"{MARK} I told you. {RULE}", asked.split("\n")[1]):
        assert without_echo(text) == text


def test_words_after_a_listing_are_the_persons(said):
    assert said(f"Project memory for acme (1 of 2 entries):\n- Never push.\n\n{RULE}") == [RULE]


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/pin</command-name>",
        "  <local-command-stdout>Pinned</local-command-stdout>",
        "<local-command-caveat>Caveat</local-command-caveat>",
        "<task-notification>\n<task-id>1</task-id>",
        "<bash-input>ls</bash-input>",
        "[Request interrupted by user for tool use]",
        "This session is being continued from a previous conversation that ran out of context.",
        "UserPromptSubmit hook additional context: x",
        "SessionStart:startup hook success: x",
    ],
)
def test_traces_of_commands_are_no_words(text):
    assert is_trace(text)


@pytest.mark.parametrize("text", ["/mem list", "Run it.", "<div>x</div>", "The hook fails.", ""])
def test_words_are_no_trace(text):
    assert not is_trace(text)


hidden = st.sampled_from(["private", "project_memory", "system-reminder", "PRIVATE"])
plain = st.text(st.characters(exclude_characters="<>&"), max_size=20)


@given(hidden, plain, plain, st.lists(plain, max_size=3))
def test_a_marked_passage_never_comes_through(name, before, after, inner):
    secret = "hunter2-hunter2"
    nested = "".join(f"<{name} a='1'>{text}</{name}>" for text in inner)
    text = f"{before}<{name}>{nested}{secret}{nested}</{name}>{after}"
    assert secret not in without_echo(text)
    assert secret not in without_echo(f"{before}<{name}>{nested}{secret}{after}")


def test_an_unbalanced_passage_hides_the_rest():
    text = "<private>" * 3 + "hunter2" + "</private>" * 2 + "still hidden"
    assert "hidden" not in without_echo(text)
    assert "hunter2" not in without_echo(text)
