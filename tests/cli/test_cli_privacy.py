"""Who is told what a person remembers: `remember --privacy` (003-07)."""

import pytest

TEXT = "The staging database is reached through the harbour jump host"
PROMPT = "How is the staging database reached?"


@pytest.fixture
def remembered(cli):
    """The id of the text, remembered with the options."""

    def _remembered(*options):
        done = cli("remember", TEXT, *options, "--json")
        assert done.code == 0, done.err
        return done.json["memory"]

    return _remembered


def told(cli):
    done = cli("recall", PROMPT, "--cli", "claude", "--json")
    assert done.code == 0, done.err
    return TEXT in done.json["text"]


@pytest.mark.parametrize("options", [(), ("--privacy", "public")])
def test_what_is_public_is_told(cli, remembered, options):
    assert remembered(*options)["privacy"] == "public"
    assert told(cli)


@pytest.mark.parametrize("privacy", ["private", "agent-only"])
def test_what_is_not_public_is_told_to_no_other_session_until_it_is(cli, remembered, privacy):
    memory = remembered("--privacy", privacy)
    assert memory["privacy"] == privacy
    assert not told(cli)
    assert TEXT in cli("search", "staging database").out  # the person sees all of it
    assert cli("edit", memory["id"], "--privacy", "public").code == 0
    assert told(cli)


def test_another_word_is_refused(cli):
    assert cli("remember", TEXT, "--privacy", "secret").code == 2


def test_a_known_text_keeps_its_privacy_and_says_so(cli, remembered):
    remembered()
    done = cli("remember", TEXT, "--privacy", "private")
    assert "stays public" in done.err
    assert "--privacy private" in done.err
    assert "stays" not in cli("remember", TEXT, "--privacy", "public").err
