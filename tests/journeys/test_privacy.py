"""Who hears a memory (003-07): one rule, whatever the door.

`public` is for all, `agent-only` for agents of the same role, `private` for the session that wrote
it. A session hears its own. A person at a terminal sees everything.
"""

from itertools import product
from pathlib import Path

import pytest

from memdeck.agents import spool

from .scripts import BERTHS, FIX, finds

PROMPT = "How is the staging database reached?"
FILE = "deploy/staging.py"
SECRET = "The staging database is reached through the harbour jump host"
PRIVACIES = ("public", "agent-only", "private")
WRITTEN = (
    ("public", None),
    ("agent-only", None),
    ("agent-only", "researcher"),
    ("private", "researcher"),
)
"""The role of who wrote it counts for what is told by role."""

PLANTED = {
    "content": SECRET,
    "key": "secret",
    "category": "preference",
    "importance": 0.95,
    "files": [FILE],
    "session": "s1",
    "agent": "claude",
}


@pytest.fixture
def planted(cli, repo, core_here):
    """The memory of session s1, of a privacy and a role; and a public one."""

    def plant(privacy, role=None, *, is_contradicted=False):
        with core_here() as core:
            core.import_memories(
                [
                    {**PLANTED, "privacy": privacy, "role": role},
                    {"content": "The staging database is reached directly", "key": "public"},
                ]
            )
            if is_contradicted:
                core.mark_conflict(core.show("public").id, core.show("secret").id)
            return core.show("secret").id

    return plant


@pytest.fixture
def core_here(home, repo):
    from memdeck import open_memory

    return lambda: open_memory(home.path, repo)


def prompt(session, repo):
    return session.ask(PROMPT)


def begin(session, repo):
    return session.tell("SessionStart", source="startup")


def open_file(session, repo):
    given = {"file_path": str(repo / FILE)}
    return session.tell("PreToolUse", tool_name="Edit", tool_use_id="t1", tool_input=given)


def is_heard(privacy, *, session, role, written_by):
    """003-07, as a table would say it."""
    return {
        "public": True,
        "agent-only": session == "s1" or role == written_by,
        "private": session == "s1",
    }[privacy]


@pytest.mark.parametrize(("privacy", "written_by"), WRITTEN)
def test_a_hook_tells_whom_it_is_for(start, repo, home, planted, privacy, written_by, subtests):
    planted(privacy, written_by)
    for name, door in product(("s1", "s2"), (prompt, begin, open_file)):
        with subtests.test(session=name, door=door.__name__):
            wanted = is_heard(privacy, session=name, role=None, written_by=written_by)
            assert (SECRET in door(start(name, repo), repo)) is wanted
        Path(spool.path_of(home)).unlink(missing_ok=True)  # as if it had never been told


@pytest.mark.parametrize("privacy", PRIVACIES)
def test_a_subagent_is_told_what_is_for_its_role(start, repo, planted, privacy, subtests):
    planted(privacy, "researcher")
    kinds = {"researcher": "Explore", "reasoner": "Plan"}
    for number, (role, has_task, name) in enumerate(product(kinds, (True, False), ("s1", "s2"))):
        with subtests.test(role=role, has_task=has_task, session=name):
            session, agent = start(name, repo), f"a{number}"
            if has_task:
                given = {"prompt": PROMPT, "subagent_type": kinds[role], "description": "look"}
                about = {"tool_name": "Agent", "tool_use_id": f"t{number}"}
                session.tell("PreToolUse", tool_input=given, **about)
            heard = session.tell("SubagentStart", agent_id=agent, agent_type=kinds[role])
            wanted = is_heard(privacy, session=name, role=role, written_by="researcher")
            assert (SECRET in heard) is wanted


@pytest.mark.parametrize("privacy", PRIVACIES)
def test_recall_follows_the_role_and_not_the_host(core_here, planted, privacy, subtests):
    planted(privacy, "researcher")
    roles = (None, "orchestrator", "researcher", "reasoner")
    with core_here() as core:
        for host, role, name in product(("claude", "codex"), roles, ("s1", "s2")):
            with subtests.test(host=host, role=role, session=name):
                heard = core.recall(PROMPT, host=host, session=name, role=role, write_receipt=False)
                wanted = is_heard(privacy, session=name, role=role, written_by="researcher")
                assert (SECRET in heard.text) is wanted


@pytest.mark.parametrize("privacy", PRIVACIES)
def test_a_conflict_brings_none_to_whom_it_is_not_for(start, repo, planted, privacy):
    planted(privacy, "researcher", is_contradicted=True)
    heard = start("s2", repo).ask("Is the staging database reached directly?")
    assert "reached directly" in heard
    assert (SECRET in heard) is (privacy == "public")
    assert ("CONFLICT" in heard) is (privacy == "public")


COMMANDS = {
    "search": ("search", "staging", "database"),
    "search by filter": ("search", "--filter", '{"importance": {"$gte": 0.9}}'),
    "list": ("list",),
    "list by session": ("list", "session:s1"),
    "show": ("show", "secret"),
    "export": ("export",),
    "conflicts": ("conflicts",),
    "profile": ("profile", "show"),
}
BEGINNING = "staging database is reached t"  # a table cuts the rest; the other one says "directly"


@pytest.fixture
def inside(monkeypatch):
    """The shell of an agent's session; None is a person's terminal."""

    def enter(session):
        monkeypatch.delenv("CLAUDECODE", raising=False)
        monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
        if session is not None:
            monkeypatch.setenv("CLAUDECODE", "1")
            monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)

    return enter


@pytest.mark.parametrize("is_contradicted", [False, True])
@pytest.mark.parametrize(("privacy", "written_by"), WRITTEN)
def test_a_command_in_an_agents_shell_shows_it_what_is_for_it(
    cli, planted, inside, privacy, written_by, is_contradicted, subtests
):
    """What is private in both forms of each answer, and shown to a person."""
    planted(privacy, written_by, is_contradicted=is_contradicted)
    is_private = privacy == "private"
    for command, form in product(COMMANDS, ((), ("--json",)) if is_private else ((),)):
        if (command == "conflicts") is not is_contradicted:
            continue
        with subtests.test(command=command, form=form):
            for name in ("s1", "s2", ""):
                inside(name)
                shown = cli(*COMMANDS[command], *form)
                wanted = is_heard(privacy, session=name, role=None, written_by=written_by)
                assert (BEGINNING in shown.out) is wanted, (name, shown)
            inside(None)
            assert not is_private or BEGINNING in cli(*COMMANDS[command], *form).out


@pytest.mark.parametrize(
    ("privacy", "written_by", "options"),
    [
        ("private", None, ("--session", "s1")),
        ("agent-only", None, ("--session", "s1", "--role", "researcher")),
        ("agent-only", "researcher", ("--role", "researcher")),
        ("agent-only", "researcher", ("--role", "researcher", "--event", "SubagentStart")),
    ],
)
@pytest.mark.parametrize("name", ["s2", ""])
def test_an_agent_hears_no_more_by_naming_another_session_or_role(
    cli, planted, inside, privacy, written_by, options, name
):
    planted(privacy, written_by)
    inside(name)
    wanted = is_heard(privacy, session=name, role=None, written_by=written_by)
    assert (SECRET in cli("recall", PROMPT, *options, "--no-receipt").out) is wanted
    assert (SECRET in cli("recall", PROMPT, *options, "--json").out) is wanted


@pytest.mark.parametrize(("name", "owner"), [("s2", "s2"), ("", "s1")])
def test_what_an_agent_was_told_is_noted_of_its_own_session(cli, planted, inside, name, owner):
    """Of the one it names where its host names none."""
    planted("public")
    inside(name)
    assert SECRET in cli("recall", PROMPT, "--session", "s1", "--role", "researcher").out
    inside(None)
    [receipt] = cli("receipts", "list", "--json").lines
    assert (receipt["session"], receipt["role"]) == (owner, None)
    again = cli("recall", PROMPT, "--session", "s1", "--no-receipt").out
    assert (SECRET in again) is (owner != "s1")  # what it was told is told once


@pytest.mark.parametrize("privacy", PRIVACIES)
def test_a_memory_shows_an_agent_no_link_to_what_is_not_for_it(cli, planted, inside, privacy):
    planted(privacy, "researcher", is_contradicted=True)
    for name in ("s1", "s2", None):
        inside(name)
        wanted = name is None or is_heard(privacy, session=name, role=None, written_by="researcher")
        for form in ((), ("--json",)):
            shown = cli("show", "public", *form)
            assert shown.code == 0, shown.err
            assert (BEGINNING in shown.out) is wanted, (name, form)


@pytest.mark.parametrize("privacy", PRIVACIES)
def test_an_agent_hears_no_count_of_what_is_not_for_it(cli, planted, inside, privacy):
    planted(privacy, "researcher")
    inside("s2")
    counted = cli("stats", "--json").json
    assert counted["by_category"].get("preference", 0) == (privacy == "public")
    status = cli("status", "--json").json
    assert status["project"]["memories"] == status["stats"]["total_count"] == counted["total_count"]
    inside("s1")
    assert cli("stats", "--json").json["by_category"]["preference"] == 1


@pytest.mark.parametrize(
    "command", [("edit", "secret", "--privacy", "public"), ("forget", "secret")]
)
def test_an_agent_changes_nothing_that_it_may_not_see(cli, planted, inside, core_here, command):
    planted("private")
    inside("s2")
    done = cli(*command)
    assert done.code != 0
    inside(None)
    kept = cli("show", "secret", "--json").json
    assert (kept["privacy"], kept["retired_at"]) == ("private", None)


def test_what_an_agent_keeps_private_in_its_shell_is_for_its_session(cli, inside, start, repo):
    inside("s1")
    made = cli("remember", SECRET, "--privacy", "private", "--json")
    assert made.json["memory"]["session"] == "s1"
    assert SECRET in start("s1", repo).ask(PROMPT)
    assert SECRET not in start("s2", repo).ask(PROMPT)


def test_a_known_text_that_is_private_elsewhere_is_not_shown_to_who_says_it_again(
    cli, planted, inside
):
    planted("private")
    inside("s2")
    again = cli("remember", SECRET, "--json")
    assert again.code == 0, again.err
    assert again.json["memory"] is None


@pytest.mark.parametrize("privacy", ["agent-only", "private"])
@pytest.mark.parametrize(("past_ms", "is_heard"), [(-1, False), (0, True)])
def test_its_privacy_ends_at_the_moment_that_a_person_named(
    home, repo, clock, cli, inside, start, privacy, past_ms, is_heard
):
    """003-07: time-based release, one millisecond before the moment and at it."""
    from memdeck import open_memory

    until = int(clock.now.timestamp() * 1000) + 7 * 86_400_000
    planted = {**PLANTED, "privacy": privacy, "role": "researcher"}
    with open_memory(home.path, repo, clock=clock) as core:
        core.import_memories([planted])
        core.edit(core.show("secret").id, details={"privacy_until": until})
        clock.forward(days=7, milliseconds=past_ms)
        for event in ("UserPromptSubmit", "SessionStart"):
            said = PROMPT if event == "UserPromptSubmit" else ""
            heard = core.recall(said, event=event, session="s2", write_receipt=False)
            assert (SECRET in heard.text) is is_heard, event


def test_release_is_set_and_taken_off_by_commands(cli, inside, start, repo):
    """A moment that has come and one that has not, told by the hook and listed for an agent."""
    made = cli("remember", SECRET, "--privacy", "private", "--release-after", "7d", "--json")
    ref = made.json["id"]
    assert made.json["memory"]["details"]["privacy_until"]
    inside("s2")
    assert SECRET not in start("s2", repo).ask(PROMPT)
    assert cli("list", "--json").out == ""
    inside(None)
    from memdeck import open_memory

    with open_memory(project=repo) as core:
        core.edit(ref, details={"privacy_until": 1})
    inside("s2")
    assert SECRET in start("s2", repo).ask(PROMPT)
    assert cli("list", "--json").json["id"] == ref
    assert cli("show", ref).code == 0
    inside(None)
    assert cli("edit", ref, "--release-after", "none").code == 0
    inside("s3")
    assert SECRET not in start("s3", repo).ask(PROMPT)
    assert cli("list", "--json").out == ""
    inside(None)
    assert cli("undo").code == 0
    inside("s4")
    assert SECRET in start("s4", repo).ask(PROMPT)
    inside(None)
    assert cli("rebuild").code == 0
    assert cli("show", ref, "--json").json["details"]["privacy_until"] == 1


def test_a_release_needs_a_privacy_and_a_future_and_a_new_privacy_has_none(cli, inside, repo):
    assert cli("remember", SECRET, "--release-after", "7d").code == 2
    late = ("--privacy", "private", "--release-after", "2020-01-01")
    assert cli("remember", SECRET, *late).code == 1
    ref = cli("remember", SECRET, "--privacy", "private", "--json").json["id"]
    from memdeck import open_memory

    with open_memory(project=repo) as core:
        core.edit(ref, details={"privacy_until": 1_577_836_800_000})
    shown = cli("show", ref).out
    assert "private, which is over" in shown
    assert "1577836800000" not in shown
    assert cli("edit", ref, "--privacy", "private").code == 0
    inside("s2")
    assert cli("list", "--json").out == ""
    inside(None)
    assert cli("edit", ref, "--privacy", "public").code == 0
    assert cli("edit", ref, "--release-after", "7d").code == 1


def test_a_callers_own_word_of_that_name_releases_nothing(home, repo, core_here):
    with core_here() as core:
        details = {"privacy_until": "2020-01-01"}
        core.import_memories([{**PLANTED, "privacy": "private", "details": details}])
        assert SECRET not in core.recall(PROMPT, session="s2", write_receipt=False).text


@pytest.mark.parametrize("command", [("audit",), ("receipts",), ("status",)])
def test_a_trail_shows_an_agent_no_memory_that_is_not_for_it(
    cli, planted, inside, start, repo, command
):
    planted("private")
    assert SECRET in start("s1", repo).ask(PROMPT)
    assert cli("drain").code == 0
    words = (*command, "--json")
    inside("s2")
    assert BEGINNING not in cli(*words).out
    inside("s1")
    shown = cli(*words).out
    assert BEGINNING in shown
    inside(None)
    assert cli(*words).out == shown or command[0] == "status"


def test_an_agent_hears_of_no_act_on_what_is_not_for_it_and_takes_none_back(
    cli, planted, inside, core_here
):
    planted("private")
    piers = [{"content": f"Pier {number} has {number} bollards"} for number in range(25)]
    first = {"content": f"{SECRET} at night", "privacy": "private"}
    with core_here() as core:
        core.import_memories([{**one, "status": "candidate"} for one in (first, *piers)])
        core.forget("secret")
    inside("s2")
    acts = {("audit",): 0, ("audit", "2"): 1, ("undo", "2"): 1, ("undo",): 1, ("redo",): 1}
    for words, code in acts.items():
        shown = cli(*words)
        assert shown.code == code, words
        assert BEGINNING not in shown.out + shown.err, words
    told = cli("inbox", "--limit", "25")
    assert (told.out.count("bollards"), "25 candidates" in told.err) == (25, True)
    inside(None)
    assert cli("show", "secret", "--json").json["retired_as"] == "forgotten"
    assert "26 candidates waiting" in cli("inbox").err


# --- marked in the prompt

QUAY = "From now on, never deploy the staging of harbour from a laptop, use the quay runner."
ASKED = "P: How do I deploy the staging of harbour?\nA: With the quay runner."


def kept_of(project, words):
    with project.memory() as core:
        return [one for one in core.list() if words in one.content]


@pytest.mark.parametrize(
    ("marker", "privacy"),
    [
        ("#agent-only ", "agent-only"),
        ("[agent-only] ", "agent-only"),
        ("#private: ", "private"),
        ("[Private]\n", "private"),
        ("[Image #1] ＃private ", "private"),
        ("#private #agent-only ", "private"),
        ("", "public"),
        ("#privately ", "public"),
    ],
)
def test_a_prompt_begins_with_for_whom_its_memories_are(project, marker, privacy):
    prompt = f"{marker}{QUAY}".replace("\n", "\n  ")
    project.session(f"P: {prompt}\nA: Agreed.")
    [memory] = kept_of(project, "quay runner")
    assert memory.privacy == privacy
    assert memory.content.startswith("#") is (marker == "#privately ")
    for _ in range(2):
        heard = project.session(ASKED)
        everything = "\n".join([heard.start, *heard.prompts])
        assert ("quay runner" in everything) is (privacy != "private")


def test_such_a_turn_may_be_read_in_two_pieces(project):
    project.session("P: Good morning, what is open?\nA: Nothing is open.")
    project.go_on(
        "P: #private Let us see how staging is deployed.\nA: I look.\n"
        f"Q: #agent-only {QUAY}\nA: Yes."
    )
    [memory] = kept_of(project, "quay runner")
    assert memory.privacy == "private"
    project.go_on("P: Use tabs in Makefiles from now on, never spaces.\nA: I will.")
    [memory] = kept_of(project, "tabs in Makefiles")
    assert memory.privacy == "public"  # the marker held for its own turn


def test_a_marked_first_prompt_is_not_the_goal_that_others_are_told(project):
    project.session(
        "P: #private Ask about the merger with Initech.\nA: Yes.\nP: Sort the quays.\nA: Done."
    )
    with project.memory() as core:
        [session] = core.sessions()
    assert session.goal == "Sort the quays."


def test_what_an_agent_records_in_a_marked_turn_is_for_the_same(project):
    text = "The harbour gate opens at 05:30 on weekdays, and at 07:00 on Sundays."
    project.session(
        f"P: #private When does it open?\n$ memdeck learn '{text}'\n> recorded\nA: At 05:30."
    )
    [memory] = kept_of(project, "harbour gate")
    assert memory.privacy == "private"


TAKEOVER = """
    P: #private Plan the takeover of Initech, quietly.
    T
      [~] Draft the term sheet for Initech
      [ ] Call the notary about the berths of Initech
    A: I plan it.
    P: #private Which port does the harbour database of Initech listen on?
    A: On 5433.
    Q: and the one of its notary?
    A: On 5434.
"""
DATABASE = "The harbour database listens on port 5433 since the second node was added."


@pytest.fixture
def taken_over(project, inside):
    """A session whose turns are marked, one of them told something; then another agent's shell."""
    project.session(finds(DATABASE))
    project.session(finds(DATABASE))
    (project.player.root / ".memdeck.toml").write_text('[working]\nprompts = "turn"\n')
    project.session(TAKEOVER)
    with project.memory() as core:
        session = core.sessions()[0].id
    project.session("P: Good morning.\nA: Good morning.")
    inside("another")
    return session


def test_what_is_held_and_asked_in_a_marked_turn_is_for_its_session(
    project, inside, taken_over, subtests
):
    """The agent's list and the prompts themselves, in each trail of what was held and told."""
    for words in (
        ("receipts",),
        ("receipts", "list"),
        ("audit",),
        ("sessions", "show", taken_over),
        ("inbox", "--refused"),
        ("list", "type:working"),
        ("list", "is:retired"),
    ):
        with subtests.test(words=words):
            inside("another")
            for form in ((), ("--json",)):
                shown = project.command(*words, *form)
                assert shown.code == 0, shown.err
                for words_of_it in ("Initech", "notary"):
                    assert words_of_it not in shown.out + shown.err
            inside(None)
            told = project.command(*words, "--json").out
            assert "Initech" in told or words in (("inbox", "--refused"), ("list", "type:working"))


def test_a_task_that_began_in_a_marked_turn_stays_so_when_the_list_is_written_again(project):
    project.session(TAKEOVER)
    project.go_on(
        """
        P: Paint the quay, too.
        T
          [~] Draft the term sheet for Initech
          [ ] Paint the quay of the harbour
        A: Both are begun.
        """
    )
    with project.memory() as core:
        held = {one.content: one.privacy for one in core.list("is:retired type:working")}
    assert held["Draft the term sheet for Initech"] == "private"
    assert held["Paint the quay of the harbour"] == "public"


@pytest.mark.parametrize("words", [("forget",), ("edit", "--privacy", "private")])
def test_an_agent_reads_no_summary_that_tells_what_was_withdrawn_since(project, inside, words):
    """Before maintain writes them anew, too."""
    project.session(finds(BERTHS))
    project.session("P: Good morning.\nA: Good morning.")
    [kept] = kept_of(project, "mirror database")
    looks = (("sessions",), ("sessions", "show", kept.origin.session), ("summaries",))

    def shown():
        return "".join(project.command(*look, "--json").out for look in looks)

    inside("another")
    assert shown().count("mirror database") >= 4  # two of a session, one of a day, the memory
    inside(None)
    assert project.command(words[0], kept.id, *words[1:]).code == 0
    inside("another")
    assert "mirror database" not in shown()


def test_what_an_error_taught_is_named_to_whom_it_is_for_where_it_was_avoided(project, inside):
    project.session(FIX)
    project.session(FIX, host="codex")
    project.session(
        """
        P: make e2e says ECONNREFUSED, run the end-to-end tests, please.
        $ docker compose up -d db
        > started
        $ make e2e
        > 12 passed
        A: They pass.
        """,
        days=2,
    )
    [lesson] = kept_of(project, "ECONNREFUSED")

    def named():
        told = project.command("value", "--json", "--since", "2026-01-01").json
        assert told["total"]["avoided"] == 1
        return [one["memory"] for one in told["avoided"]]

    inside("another")
    assert named() == [lesson.id]
    inside(None)
    assert project.command("edit", lesson.id, "--privacy", "private").code == 0
    assert named() == [lesson.id]
    inside("another")
    assert named() == []
