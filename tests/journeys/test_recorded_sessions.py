"""Recorded sessions lived again through the hooks: what a person would keep, and no noise."""

NOISE = (
    "Todos have been modified",
    "has been updated successfully",
    "File created successfully",
    "I will look at",
    "I'll look around",
    "No response requested",
    "[Request interrupted",
    "Memory 42 is pinned",
    "Pinned memory #42",
    "Project memory for",
    "This session is being continued",
    "Alembic autogenerate",  # injected by another tool at the session's start
    "<command",
    "<local-command",
    "system-reminder",
    "class=",
    "checks-ok",
    "The checks pass now",
    "would you like me",
    "let me know",
)
"""What recorded sessions hold besides knowledge: tools' words, injected texts, filler."""

KEPT = {
    "transcript.jsonl": (
        ("Store keys in Postgres, not Redis", "EU region"),
        ("make test-db", "integration tests", "acme-eu"),
        ('relation "idempotency_keys" does not exist', "`make test-db`"),
    ),
    "claude-session.jsonl": (),  # what it changed stands in the code
    "corrections-session.jsonl": (
        ("`pip install httpx`", "se uv not pip"),
        ("Never push without asking me first",),
        ("integer cents", "billing service"),
        ("on't mock the billing service",),
        ("EU tenants", "billing.eu.acme.dev"),
    ),
    "debugging-session.jsonl": (
        ("pytest: command not found", "uv run pytest"),
        ("No module named 'freezegun'", "uv sync --extra dev"),
        ("port is already allocated", "docker stop old-acme-db"),
    ),
    "pasted-session.jsonl": (("eu-central-1", "acme-stg"),),
    "planning-session.jsonl": (
        ("rate-limit the public API per tenant, not per IP",),
        ("limits into the admin UI",),
        ("Rotate the staging API key by",),
        ("Load-test the gateway with k6",),
    ),
    "noise-session.jsonl": (),
    "quiet-session.jsonl": (),
}
"""For each recording, what a person would keep: all of these words in one memory."""


def assert_well_kept(name, memories):
    """What a person would keep is there, each once; else a few candidates, told to nobody unasked.

    Of real sessions a third of the candidates is not worth keeping (docs/concepts/accuracy.md).
    """
    others = list(memories)
    for words in KEPT[name]:
        [found] = [one for one in others if all(word in one.content for word in words)]
        others.remove(found)
    assert len(others) <= 3, others
    texts = [one.content.lower() for one in memories]
    assert not [text for text in texts for noise in NOISE if noise.lower() in text]
    assert {one.status for one in memories} <= {"candidate"}


def test_a_recorded_session_is_remembered_and_told_in_the_next(start, repo, cli, settle, known):
    session = start("6f1f4c52", repo)
    session.replay("transcript.jsonl")
    settle()

    assert_well_kept("transcript.jsonl", known())
    assert {one.origin.session for one in known()} == {"6f1f4c52"}
    assert {one.origin.agent for one in known()} == {"claude"}
    assert all(one.origin.line for one in known())
    listed = [memory["content"] for memory in cli("list", "--json").lines]
    assert listed == [one.content for one in known()]

    tomorrow = start("tomorrow", repo)
    told = tomorrow.ask("should we store the idempotency keys in redis?")
    assert "Store keys in Postgres, not Redis" in told
    assert tomorrow.ask("which colour shall the logo have?") == ""
    assert "Postgres" in cli.found("redis or postgres for the keys?")[0]

    settle()
    receipts = cli("receipts", "--json").lines
    told = [receipt for receipt in receipts if receipt["items"]]
    assert [receipt["session"] for receipt in told].count("tomorrow") == 1
    own = [receipt for receipt in told if receipt["session"] == "6f1f4c52"]
    # what a drain had kept by then is told again after the compaction, and only then
    before = [receipt for receipt in own if receipt["source"] != "compact"]
    assert {item["tier"] for receipt in before for item in receipt["items"]} <= {"working"}
    assert len(told) == len(own) + 1
    assert cli.is_whole()


def test_a_captured_session_of_the_real_client_leaves_nothing_that_the_code_says(
    start, repo, cli, no_drain, known
):
    session = start("11111111", repo)
    with no_drain():
        session.replay("claude-session.jsonl")
    assert cli("drain").code == 0

    assert {event for event, _ in session.calls} >= {"PostToolUse", "PreCompact", "SessionEnd"}
    assert_well_kept("claude-session.jsonl", known())
    assert start("22222222", repo).ask("what does total() return?") == ""


def test_every_other_recording_leaves_what_a_person_would_keep(start, repo, cli, no_drain, known):
    names = [name for name in KEPT if name not in ("transcript.jsonl", "claude-session.jsonl")]
    with no_drain():
        for name in names:
            session = start(name, repo)
            session.write_recording(name)
            session.stop()
            session.end()
    assert cli("drain").code == 0

    for name in names:
        assert_well_kept(name, [one for one in known() if one.origin.session == name])


def test_what_was_injected_is_not_remembered_again(start, repo, cli, no_drain, known):
    """The model repeats what it was told, and the host writes it down: an echo, no news."""
    cli.remember("Integration tests need the seeded tenant acme-eu: run `make test-db` first.")
    [before] = known()
    session = start("s1", repo)
    with no_drain():
        for event in ("SessionStart", "UserPromptSubmit"):
            asked = "how do I run the integration tests?"
            told = session.tell(event, prompt=asked, source="startup")
            assert ("make test-db" in told) == (event == "SessionStart")  # told once a session
            output = {"type": "hook_additional_context", "content": [told], "hookEvent": event}
            line = session.line("user", None)
            session.write({**line, "type": "attachment", "attachment": output})
            note = f"{event} hook additional context: {told}"
            session.says(f"<system-reminder>\n{note}\n</system-reminder>", f"{told}\n{asked}")
        session.answers("According to project memory, `make test-db` has to run first.")
        session.stop()
        session.end()
    assert cli("drain").code == 0

    [after] = known()
    assert (after.content, after.importance) == (before.content, before.importance)
    assert after.accesses == 1
