"""Who hears a memory (003-07): one rule, whatever the door.

`public` is for all, `agent-only` for agents of the same role, `private` for the session that wrote
it. A session hears its own. A person at a terminal sees everything.
"""

from itertools import product
from pathlib import Path

import pytest

from memdeck.agents import spool

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


COMMANDS = {
    "search": ("search", "staging", "database"),
    "search by filter": ("search", "importance:>=9"),
    "list": ("list",),
    "list by session": ("list", "session:s1"),
    "show": ("show", "secret"),
    "export": ("export",),
    "conflicts": ("review",),
}
BEGINNING = "staging database is reached t"  # a table cuts the rest; the other one says "directly"


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
