"""Whatever any host sends, each adapter reads its own events and leaves all others alone."""

import copy
import json
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.agents import events, spool
from memdeck.agents.hosts import registry as hosts
from memdeck.core.config.event_groups import GROUPS

WIRE = Path(__file__).parent.parent / "wire"
HOSTS = ("claude", "codex", "copilot", "gemini", "opencode")
ADAPTERS = {host: import_module(f"memdeck.agents.hosts.{host}.wire") for host in HOSTS}
OTHERS = ("cursor",)


def recorded(host):
    """By file name, without its ending: the payloads of a host."""
    found = sorted((WIRE / host / "payloads").glob("*.json"))
    return {path.stem: json.loads(path.read_bytes()) for path in found}


PAYLOADS = {host: recorded(host) for host in (*HOSTS, *OTHERS)}
EVERY = [(host, stem) for host, found in PAYLOADS.items() for stem in found]
KINDS = {value for name, value in vars(events).items() if name.isupper() and name != "MOST_FILES"}


def word(host, stem, payload):
    """The event as an installer puts it on the command line."""
    if host == "opencode":
        return stem.removeprefix("captured.").partition("-")[0]
    return payload.get("hook_event_name", stem.removeprefix("camel."))


def assert_whole(event, adapter):
    """An event that every later step can use: plain texts, a known kind, and what belongs to it."""
    assert event.kind in KINDS
    assert event.host == adapter.HOST
    assert event.name in adapter.EVENTS
    assert event.session
    for slot in events.Event.__slots__:
        if slot not in ("todos", "files"):
            assert isinstance(getattr(event, slot), str), slot
    assert all(isinstance(path, str) and path for path in event.files)
    assert len(event.files) <= events.MOST_FILES
    assert (event.todos is not None) == (event.kind in (events.TODOS, events.TASK_COMPLETED))
    assert bool(event.files) or event.kind != events.TOOL_STARTING
    assert event.outcome in ("", "ok", "failed")
    record = spool.record_of(event)
    assert spool.decode(spool.encode(record).strip(b"\n")) == json.loads(json.dumps(record))


def assert_valid(line, event):
    """Nothing, or one line of JSON in the form of the host."""
    if line == "":
        return
    assert "\n" not in line
    assert line.isascii()
    reply = json.loads(line)
    if event.host == "opencode":
        assert set(reply) == {"text"}
    elif event.host == "copilot":
        assert set(reply) == {"additionalContext"}
    else:
        assert set(reply) == {"hookSpecificOutput"}
        assert set(reply["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
        assert reply["hookSpecificOutput"]["hookEventName"] == event.name


def test_there_is_something_recorded_of_every_host():
    assert {host: len(found) > 15 for host, found in PAYLOADS.items()} == {
        **dict.fromkeys(HOSTS, True),
        "cursor": False,
    }
    assert len(PAYLOADS["cursor"]) >= 10


def test_a_payload_is_read_by_its_own_host_or_by_nobody(subtests):
    for host, stem in EVERY:
        with subtests.test(host=host, stem=stem):
            payload = PAYLOADS[host][stem]
            before = copy.deepcopy(payload)
            name = word(host, stem, payload)
            assert hosts.host_of(payload) in (host, None)
            for other, adapter in ADAPTERS.items():
                event = adapter.read(payload, name)
                if other != host:
                    assert event is None, f"{other} takes it for its own"
                elif event is not None:
                    assert_whole(event, adapter)
                    assert_valid(adapter.reply(event, "a fact"), event)
                    assert adapter.reply(event, "") == ""
            assert payload == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_payload_of_another_host_is_left_alone_whatever_the_command_line_says(host):
    adapter = ADAPTERS[host]
    for other in (*HOSTS, *OTHERS):
        for payload in PAYLOADS[other].values() if other != host else ():
            for name in adapter.EVENTS:
                assert adapter.read(payload, name) is None


@pytest.mark.parametrize("host", HOSTS)
def test_every_group_is_served_by_events_that_can_be_read(host):
    adapter = ADAPTERS[host]
    assert set(adapter.GROUPS) == set(GROUPS)
    asked = {name for names in adapter.GROUPS.values() for name in names}
    assert asked <= set(adapter.EVENTS)
    assert set(adapter.ANSWERED) <= asked
    assert len(set(adapter.EVENTS)) == len(adapter.EVENTS)
    assert 0 < adapter.REPLY_BYTES <= 9900


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_recorded_shows_every_event_that_is_asked_for(host):
    adapter = ADAPTERS[host]
    seen = set()
    for stem, payload in PAYLOADS[host].items():
        event = adapter.read(payload, word(host, stem, payload))
        seen |= {event.name} if event else set()
    asked = {name for names in adapter.GROUPS.values() for name in names}
    unrecorded = {
        "opencode": {"subagent.created", "dispose", "tool.execute.before"},  # of our plugin
        "copilot": {"subagentStart"},  # its fields are those of subagentStop
    }
    assert asked - seen <= unrecorded.get(host, set())


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


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_payload_with_anything_in_any_field_never_raises(data):
    host, stem = data.draw(st.sampled_from(EVERY))
    payload = PAYLOADS[host][stem]
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(places(payload))
        if found:
            trail = data.draw(st.sampled_from(found))
            payload = changed(payload, trail, data.draw(ODD), data.draw(st.booleans()))
    name = word(host, stem, PAYLOADS[host][stem])
    for adapter in ADAPTERS.values():
        event = adapter.read(payload, name)
        if event is not None:
            assert_whole(event, adapter)
            assert_valid(adapter.reply(event, "a fact"), event)


@pytest.mark.slow
@settings(max_examples=75, deadline=None)
@given(
    payload=st.dictionaries(
        st.sampled_from(["session_id", "tool_name", "tool_input", "input", "event", "hook", "x"]),
        st.recursive(ODD, lambda inner: st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    ),
    name=st.sampled_from([event for host in HOSTS for event in ADAPTERS[host].EVENTS]),
)
def test_nonsense_under_a_known_event_never_raises(payload, name):
    for adapter in ADAPTERS.values():
        event = adapter.read(payload, name)
        if event is not None:
            assert_whole(event, adapter)


@pytest.mark.parametrize("host", HOSTS)
def test_a_new_field_changes_nothing(host):
    for stem, payload in PAYLOADS[host].items():
        name = word(host, stem, payload)
        plain = ADAPTERS[host].read(payload, name)
        more = ADAPTERS[host].read({**payload, "new_in_next_release": {"a": [1]}}, name)
        assert (plain is None) == (more is None)
        for slot in events.Event.__slots__ if plain and more else ():
            if slot != "todos":
                assert getattr(plain, slot) == getattr(more, slot)


@pytest.mark.parametrize("host", HOSTS)
def test_an_adapter_loads_next_to_nothing(host, run_python):
    code = f"import sys, memdeck; b = set(sys.modules); import memdeck.agents.hosts.{host}.wire"
    loaded = run_python(f"{code}; print(*sorted(set(sys.modules) - b))").split()
    assert set(loaded) - {f"memdeck.agents.hosts.{host}.wire"} <= {
        "memdeck.agents",
        "memdeck.agents.events",
        "memdeck.agents.fields",
        "memdeck.agents.hosts",
        f"memdeck.agents.hosts.{host}",
        "memdeck.agents.hosts.registry",
    }


SAID = "It refused the key of Kestrel's harbour"


def test_a_sentence_in_the_place_of_a_kind_is_not_noted(subtests):
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
            event = ADAPTERS[host].read(payload, word(host, stem, payload))
            if event is not None:
                assert b"Kestrel" not in spool.encode(spool.record_of(event))


@pytest.mark.parametrize(
    ("told", "noted"),
    [
        ("rate_limit", "rate_limit"),
        ("APIError-429.1", "APIError-429.1"),
        ("a" * 50, "a" * 50),
        ("a" * 51, ""),
        ("API Error: 400", ""),
        ("a\nb", ""),
        ("é", ""),
        (429, ""),
    ],
)
def test_the_kind_of_a_failure_is_one_word(told, noted):
    payload = {"session_id": "s1", "hook_event_name": "StopFailure", "error": told}
    assert ADAPTERS["claude"].read(payload, "StopFailure").detail == noted
