"""Whatever any host sends, each adapter reads its own events and leaves all others alone."""

import copy
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import open_memory
from memdeck.agents import main as door
from memdeck.benchmarks.gallery.dialects import DIALECTS
from memdeck.cli.main import run as memdeck
from memdeck.core.config.settings import EVENT_GROUPS

WIRE = Path(__file__).parent.parent / "wire"
HOSTS = ("claude", "codex", "copilot", "gemini", "opencode")
OTHERS = ("cursor",)
KINDS = {
    *("session_started", "tool_ended", "todos", "task_completed", "turn_ended", "subagent_ended"),
    *("compacting", "failed", "session_ended"),
}
TEXTS = ("transcript", "detail", "agent_id", "role", "tool", "outcome", "session", "cwd")


def recorded(host):
    """By file name, without its ending: the payloads of a host."""
    found = sorted((WIRE / host / "payloads").glob("*.json"))
    return {path.stem: json.loads(path.read_bytes()) for path in found}


PAYLOADS = {host: recorded(host) for host in (*HOSTS, *OTHERS)}
EVERY = [(host, stem) for host, found in PAYLOADS.items() for stem in found]


def word(host, stem, payload):
    """The event as an installer puts it on the command line."""
    if host == "opencode":
        return stem.removeprefix("captured.").partition("-")[0]
    return payload.get("hook_event_name", stem.removeprefix("camel."))


NOTED = {
    "claude": {
        **{"SessionStart": "session_started", "UserPromptSubmit": "", "SubagentStart": ""},
        **{"PostToolUseFailure": "tool_ended", "TaskCompleted": "task_completed"},
        **{"Stop": "turn_ended", "StopFailure": "failed", "SubagentStop": "subagent_ended"},
        **{"PreCompact": "compacting", "SessionEnd": "session_ended"},
    },
    "codex": {
        **{"SessionStart": "session_started", "UserPromptSubmit": "", "SubagentStart": ""},
        **{"Stop": "turn_ended", "Interrupt": "turn_ended", "SubagentStop": "subagent_ended"},
        **{"PreCompact": "compacting", "SessionEnd": "session_ended"},
    },
    "gemini": {
        **{"SessionStart": "session_started", "BeforeAgent": ""},
        **{"AfterAgent": "turn_ended", "SessionEnd": "session_ended"},
    },
}
"""By event: what is noted, "" for what is only answered. Any other is not for us."""

TOOLS = {
    "claude": ("PreToolUse", "PostToolUse", "Read Edit Write Bash Agent Task"),
    "codex": ("PreToolUse", "PostToolUse", "apply_patch Bash spawn_agent"),
    "gemini": ("BeforeTool", "AfterTool", "read_file write_file replace"),
}
"""The events before and after a tool, and the tools before which a host is answered."""

TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate", "update_plan", "write_todos")
NOT_FOR_US = (
    "UserPromptSubmit.slash",
    "UserPromptSubmit.task-notification",
    "UserPromptSubmit.skill",  # "$remember ..." is a call of our own skill
    "PostToolUse.TaskUpdate.failed",
    "captured.SubagentStop",  # the host's own summariser
)
OPENCODE = {
    "captured.chat.message": "",
    "captured.event.session.compacted": "session_started",
    "captured.event.session.created": "session_started",
    "captured.event.session.idle": "turn_ended",
    "captured.event.todo.updated": "todos",
    "captured.experimental.session.compacting": "compacting",
    "captured.tool.execute.after-bash": "tool_ended",
    "captured.tool.execute.after-bash-failure": "tool_ended",
    "captured.tool.execute.after-edit": "tool_ended",
    "captured.tool.execute.after-read": "tool_ended",
    "captured.tool.execute.after-todowrite": "todos",
    "captured.tool.execute.after-write": "tool_ended",
    "captured.tool.execute.before-edit": "",
    "captured.tool.execute.before-read": "",
    "captured.tool.execute.before-write": "",
    "chat.message": "",
    "event.session.compacted": "session_started",
    "event.session.created": "session_started",
    "event.session.created.child": "",
    "event.session.deleted": "session_ended",
    "event.session.error": "failed",
    "event.session.idle": "turn_ended",
    "event.todo.updated": "todos",
    "experimental.session.compacting": "compacting",
    "tool.execute.after": "tool_ended",
    "tool.execute.after.todowrite": "todos",
}
"""The same by file."""


def expected_kind(host, stem, payload):
    """What is noted; "" for what is only answered, None for what is left alone."""
    if host == "opencode":
        return OPENCODE.get(stem)
    event, tool = payload["hook_event_name"], payload.get("tool_name")
    before, after, answered = TOOLS[host]
    if stem in NOT_FOR_US and not (host == "codex" and stem == "captured.SubagentStop"):
        return None
    if event == before:
        return "" if tool in answered.split() else None
    if event == after:
        return "todos" if tool in TODO_TOOLS else "tool_ended"
    return NOTED[host].get(event)


WORDS = sorted({word(host, stem, PAYLOADS[host][stem]) for host, stem in EVERY})


def assert_whole(heard):
    """What every later step can use: plain texts, a known kind, and what belongs to it."""
    if not heard.record:
        return
    assert heard.kind in KINDS
    assert heard.session
    for name in TEXTS:
        assert isinstance(heard.record.get(name, ""), str), name
    assert ("todos" in heard.record) == (heard.kind in ("todos", "task_completed"))
    assert heard.outcome in ("", "ok", "failed")


def left(home):
    """What hooks left in a home: marks of events, and notes."""
    return [*Path(home.log).rglob("*"), *Path(home.spool).rglob("*.jsonl")]


def test_there_is_something_recorded_of_every_host():
    assert {host: len(found) > 15 for host, found in PAYLOADS.items()} == {
        **dict.fromkeys(HOSTS, True),
        "cursor": False,
    }
    assert len(PAYLOADS["cursor"]) >= 10


def test_a_payload_is_read_as_what_it_is_by_its_own_host_alone(hear, home, opened_once, subtests):
    for host, stem in EVERY:
        payload = PAYLOADS[host][stem]
        name = word(host, stem, payload)
        with subtests.test(host=host, stem=stem):
            if host in HOSTS:
                heard = hear(host, payload, name)
                assert_whole(heard)
                assert heard.host in ("", host)
            if host in (*NOTED, "opencode"):
                assert heard.kind == expected_kind(host, stem, payload)
            if host in NOTED and heard.record:
                assert (heard.session, heard.cwd) == (payload["session_id"], payload["cwd"])
                own = payload.get("agent_transcript_path") or payload["transcript_path"] or ""
                assert (heard.transcript, heard.name) == (own, payload["hook_event_name"])
                if heard.kind == "session_started":
                    assert heard.detail == payload["source"]
                if heard.kind == "failed":
                    assert heard.detail == payload["error"]
                if heard.kind == "subagent_ended":
                    assert (heard.agent_id, heard.role) == (
                        payload["agent_id"],
                        payload["agent_type"],
                    )
            before = left(home)
            for other in HOSTS:
                if other != host:
                    assert door.main([other, name], io.BytesIO(json.dumps(payload).encode())) == 0
            assert left(home) == before, "another takes it for its own"


@pytest.mark.parametrize("host", HOSTS)
def test_a_payload_of_another_host_is_left_alone_whatever_the_command_line_says(home, host):
    home.prepare()
    names = {word(host, stem, payload) for stem, payload in PAYLOADS[host].items()}
    for other in (*HOSTS, *OTHERS):
        for payload in PAYLOADS[other].values() if other != host else ():
            data = json.dumps(payload).encode()
            for name in names:
                door.main([host, name], io.BytesIO(data))
    assert left(home) == []


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_recorded_shows_every_event_that_an_installation_asks_for(host, hear, tmp_path):
    """With all groups of events; so each that is asked for can be read."""
    seen = {
        hear(host, payload, word(host, stem, payload)).name
        for stem, payload in PAYLOADS[host].items()
    }
    with open(tmp_path / "home" / "config.toml", "w", encoding="utf-8") as file:
        file.write(f"[hooks]\nevents = {json.dumps(EVENT_GROUPS)}\n")
    (tmp_path / "acme").mkdir()
    assert memdeck(["install", host, "--scope", "project", "--project", f"{tmp_path}/acme"]) == 0
    [text] = [
        text
        for path in (tmp_path / "acme").rglob("*.js*")
        if "memdeck-hook" in (text := path.read_text())
    ]
    if host == "opencode":
        asked = set(re.search(r'^const ASKED = "(.*)"$', text, re.M)[1].split())
    else:
        asked = set(json.loads(text)["hooks"])
    assert len(asked) >= 5
    unrecorded = {
        "opencode": {"subagent.created", "dispose", "tool.execute.before", "command.failed"},
        "copilot": {"subagentStart"},  # its fields are those of subagentStop
    }
    assert asked - seen <= unrecorded.get(host, set())


@pytest.mark.parametrize("letter", ["x", "<", "😀"])
@pytest.mark.parametrize("host", HOSTS)
def test_a_reply_stays_within_the_hosts_limit_whatever_is_known(
    host, letter, opened_once, hear, tmp_path
):
    """9,900 bytes of UTF-8: a longer one the host would lose."""
    (tmp_path / "acme").mkdir()
    with open_memory(project=tmp_path / "acme") as memory:
        memory.import_memories(
            {
                "content": f"Pier {number} has cranes. "
                + f"{letter * 9} " * (90 if number % 2 else 12),
                "status": "pinned",
            }
            for number in range(24)
        )
    dialect = DIALECTS[host]
    about = dialect.about("s", "", str(tmp_path / "acme"))
    told = []
    for said in (dialect.started(), dialect.prompt("which piers have cranes?")):
        reply = hear(host, dialect.whole(said, about), said.event).said
        told += [dialect.heard(json.loads(reply))] if reply.strip() else []
    assert "Pier" in "".join(told)
    assert all(len(one.encode()) <= 9_900 for one in told)


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["\ud83d", "/a\0b", "x" * 5000, "*** Add File: ", "Exit code: x\nWall time"]),
    st.lists(st.none() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
)


def places(value, trail=()):
    """The places of all keys in nested objects and lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*trail, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*trail, key))


def changed(payload, trail, value, is_gone):
    """A copy of `payload` with another value at a place, or none."""
    made = copy.deepcopy(payload)
    holder = made
    for key in trail[:-1]:
        holder = holder[key]
    if is_gone:
        del holder[trail[-1]]
    else:
        holder[trail[-1]] = value
    return made


def assert_survived(home, payload, name):
    """Whoever is handed it: nothing is raised, and what is noted can be read."""
    data = json.dumps(payload).encode()
    for host in HOSTS:
        assert door.main([host, name], io.BytesIO(data)) == 0
    assert not list(Path(home.log).glob("*.log"))
    for file in Path(home.spool).glob("*.jsonl"):
        for line in filter(None, file.read_text().splitlines()):
            record = json.loads(line[line.index("{") :])
            assert record["kind"] in KINDS
            assert record["session"]
            assert all(isinstance(record.get(text, ""), str) for text in TEXTS)
        file.unlink()


survival = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@settings(survival, max_examples=100)
@given(data=st.data())
def test_a_payload_with_anything_in_any_field_never_raises(home, starts, data):
    host, stem = data.draw(st.sampled_from(EVERY))
    payload = PAYLOADS[host][stem]
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(places(payload))
        if found:
            trail = data.draw(st.sampled_from(found))
            payload = changed(payload, trail, data.draw(ODD), data.draw(st.booleans()))
    assert_survived(home, payload, word(host, stem, PAYLOADS[host][stem]))


@pytest.mark.slow
@settings(survival, max_examples=75)
@given(
    payload=st.dictionaries(
        st.sampled_from(["session_id", "tool_name", "tool_input", "input", "event", "hook", "x"]),
        st.recursive(ODD, lambda inner: st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    ),
    name=st.sampled_from(WORDS),
)
def test_nonsense_under_a_known_event_never_raises(home, starts, payload, name):
    assert_survived(home, payload, name)


@pytest.mark.parametrize("host", HOSTS)
def test_an_event_that_is_not_for_us_loads_next_to_nothing(host, run_python):
    hook = f"main([{host!r}, 'X'], io.BytesIO(b'{{}}'))"
    code = f"import sys, io; from memdeck.agents.main import main; b = set(sys.modules); {hook}"
    loaded = run_python(f"{code}; print(*sorted(set(sys.modules) - b))").split()
    ours = {name.removeprefix("memdeck.") for name in loaded if name.startswith("memdeck")}
    assert ours == {f"hosts.{host}", f"hosts.{host}.wire"}


SAID = "It refused the key of Kestrel's harbour"


def test_a_sentence_in_the_place_of_a_kind_is_not_noted(hear, subtests):
    """The spool holds names, paths and numbers; what was said stays where it was said."""
    for host, stem in [one for one in EVERY if one[0] in HOSTS]:
        with subtests.test(host=host, stem=stem):
            payload = copy.deepcopy(PAYLOADS[host][stem])
            for holder in (
                payload,
                payload.get("input"),
                (payload.get("input") or {}).get("event"),
            ):
                if isinstance(holder, dict):
                    holder.update(
                        {key: SAID for key in ("source", "reason", "trigger") if key in holder}
                    )
                    if "error" in holder:
                        named = isinstance(holder["error"], dict)
                        holder["error"] = {"name": SAID} if named else SAID
            assert "Kestrel" not in str(hear(host, payload, word(host, stem, payload)).record)
