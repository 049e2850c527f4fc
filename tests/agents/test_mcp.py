"""The MCP server, judged by the official SDK's client in both eras and by its lines."""

import asyncio
import io
import json
import os
import sqlite3
import sys
import tomllib

import pytest

from memdeck import MemoryCoordinator
from memdeck.agents import mcp
from memdeck.db.connection import MARK
from memdeck.db.home import SCHEMA, Home
from memdeck.hosts import settings
from memdeck.hosts.install import plan

PROTOCOL = "io.modelcontextprotocol/"
STATELESS = {f"{PROTOCOL}protocolVersion": "2026-07-28", f"{PROTOCOL}clientCapabilities": {}}
USERS = "Money is stored as integer cents."
LEARNED = "The gateway listens on port 9443, since the proxy has taken 8443."


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The project that the client works in, which has no mark of an agent."""
    place = tmp_path / "pay"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def users(folder, home_path):
    """The id of a memory of the user's."""
    with MemoryCoordinator.open(home_path, folder) as core:
        return str(core.remember(USERS).memory_id)


def request(method, number=1, meta=None, **params):
    about = {"_meta": meta} if meta is not None else {}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, **about}}


def served(*lines, project=None):
    """What the server writes for these lines: bytes as they are, anything else as JSON."""
    data = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    out = io.BytesIO()
    mcp.serve(io.BytesIO(data), out, project=project)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def called(tool, **arguments):
    """The structured result of a tool."""
    [reply] = served(request("tools/call", name=tool, arguments=arguments))
    result = reply["result"]
    assert "isError" not in result, result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return dict(result["structuredContent"])


def refused(tool, **arguments):
    """The text of a result that is an error."""
    [reply] = served(request("tools/call", name=tool, arguments=arguments))
    assert reply["result"]["isError"] is True
    return str(reply["result"]["content"][0]["text"])


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
def test_the_official_client_calls_every_tool(mode, users):
    from mcp import Client, StdioServerParameters  # a second that no other test needs

    async def talk():
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "memdeck", "mcp"], env=dict(os.environ)
        )
        async with Client(server, mode=mode) as client:
            if mode != "2026-07-28":  # a client that knows the era asks for nothing first
                assert client.instructions == mcp.INSTRUCTIONS
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [tool["name"] for tool in mcp.TOOLS]
            learned = await client.call_tool("memory_learn", {"content": LEARNED})
            assert learned.structured_content is not None, learned
            own = learned.structured_content["id"]
            for name, arguments, wanted in (
                ("memory_search", {"query": "gateway port"}, "9443"),
                ("memory_recall", {"prompt": "which port does the gateway use?"}, "9443"),
                ("memory_show", {"ids": [own, users]}, "integer cents"),
                ("memory_feedback", {"id": own, "helped": True}, '"helpful": 1'),
                ("memory_forget", {"id": own}, "memdeck restore"),
            ):
                result = await client.call_tool(name, arguments)
                assert wanted in str(result.content[0]), (name, result)

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{not json}\n", -32700),
        (b"\xff\xfe\n", -32700),
        (b'{"id":' + b"[" * 100_000 + b"\n", -32700),
        (b"x" * (mcp.MAX_LINE + 10) + b"\n", -32600),
        (b"[]\n", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}\n', -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        (request("resources/list"), -32601),
        (request("ping", meta=STATELESS), -32601),
        (request("tools/call", name="memory_purge"), -32602),
        (request("tools/call"), -32602),
        (request("tools/list", cursor="x"), -32602),
        (request("server/discover"), -32602),
        (request("tools/list", meta={f"{PROTOCOL}protocolVersion": "2026-07-28"}), -32602),
        (request("tools/list", meta=STATELESS | {f"{PROTOCOL}protocolVersion": "2099"}), -32022),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []}, -32602),
    ],
)
def test_what_cannot_be_answered_is_refused_and_the_next_line_is(line, code):
    reply, after = served(line, request("ping", 2))
    assert reply["error"]["code"] == code
    assert after == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_what_is_no_request_gets_no_answer():
    silent = [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}},
        {"jsonrpc": "2.0", "method": "no/such"},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
        b"\n",
    ]
    assert served(*silent, b'{"jsonrpc": "2.0", "id": 5, "meth') == [
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "The line is no JSON."}}
    ]


def test_each_request_shows_its_era():
    first, listed, again, begun = served(
        request("server/discover", meta=STATELESS),
        request("tools/list", meta=STATELESS),
        request("tools/list"),
        request("initialize", protocolVersion="1999-01-01", clientInfo={"name": "x"}),
    )
    assert first["result"]["supportedVersions"] == ["2026-07-28"]
    assert listed["result"]["tools"] == again["result"]["tools"]
    assert listed["result"].keys() - again["result"].keys() == {
        *("ttlMs", "cacheScope", "resultType", "_meta")
    }
    assert begun["result"]["protocolVersion"] == "2025-11-25"


def test_definitions_stay_small():
    """Some clients send every description with every request (1,200 tokens)."""
    sent = [
        {key: tool[key] for key in ("name", "description", "inputSchema")} for tool in mcp.TOOLS
    ]
    assert len(json.dumps(sent)) / 4 < 1_200
    assert [tool["name"] for tool in mcp.TOOLS if "anthropic/alwaysLoad" in tool["_meta"]] == [
        "memory_search"
    ]
    for tool in mcp.TOOLS:
        assert len(tool["annotations"]) == 4


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("memory_search", {}, "`query` is missing"),
        ("memory_search", {"query": " "}, "empty"),
        ("memory_search", {"query": 3}, "must be of type string"),
        ("memory_search", {"query": "x", "limit": 51}, "1 to 50"),
        ("memory_search", {"query": "x", "limit": True}, "integer"),
        ("memory_search", {"query": "x", "project": "other"}, "unknown"),
        ("memory_show", {"ids": []}, "1 to 20"),
        ("memory_show", {"ids": ["zzzz9"]}, "zzzz9"),
        ("memory_feedback", {"id": "zzzz9", "helped": True}, "zzzz9"),
    ],
)
def test_bad_arguments_are_answered_to_the_model(tool, arguments, why):
    assert why in refused(tool, **arguments)


def test_pages_hold_every_hit_once(folder, home_path):
    with MemoryCoordinator.open(home_path, folder) as core:
        for number in range(23):
            core.remember(f"Service s{number} of the ledger answers on port {9000 + number}.")
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = called("memory_search", query="ledger port", limit=10, **cursor)
        ids += [hit["id"] for hit in page["hits"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(ids) == len(set(ids)) == 23
    [reply] = served(
        request("tools/call", name="memory_search", arguments={"query": "other", **cursor})
    )
    assert reply["error"]["code"] == -32602


def test_an_agent_forgets_its_own_notes_and_nothing_of_the_users(users):
    own = called("memory_learn", content=LEARNED)["id"]
    assert called("memory_forget", id=own)["id"] == own
    assert "Only the user" in refused("memory_forget", id=users)
    assert [hit["content"] for hit in called("memory_search", query="integer cents")["hits"]] == [
        USERS
    ]


def test_what_is_learned_passes_the_checks_of_every_capture(home_path, folder):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "Ab12Cd"
    with MemoryCoordinator.open(home_path, folder) as core:
        core.session_seen("s1", "claude", str(folder), None)
    answer = called("memory_learn", content=f"The deploy job signs in with {secret} at night.")
    assert answer["removed"]
    with MemoryCoordinator.open(home_path, folder) as core:
        memory = core.show(answer["id"])
        assert secret not in memory.content
        assert memory.status == "candidate"
        core.set_incognito(str(memory.origin.session))
    why = refused("memory_learn", content="The mirror is rebuilt at noon by the nightly job.")
    assert "incognito" in why


def test_the_guard_switches_every_tool_off(users, monkeypatch):
    assert called("memory_search", query="integer cents")["hits"]
    monkeypatch.setenv("MEMDECK_GUARD", "1")
    assert "switched off" in refused("memory_search", query="integer cents")
    assert "switched off" in refused("memory_learn", content=LEARNED)


def test_another_project_is_not_seen(home_path, tmp_path):
    (tmp_path / "other").mkdir()
    with MemoryCoordinator.open(home_path, tmp_path / "other") as core:
        foreign = core.remember("The vault key rotates on Mondays.").memory_id
    assert called("memory_search", query="vault key rotates")["hits"] == []
    assert refused("memory_show", ids=[foreign])
    asks = request("tools/call", name="memory_search", arguments={"query": "x"})
    assert "Did you mean other?" in json.dumps(served(asks, project="othr"))


def a_newer_store(home_path):
    with MemoryCoordinator.open(home_path, home_path.parent) as core:
        core.remember(USERS)
    database = sqlite3.connect(home_path / "memory.db")
    database.executescript(
        f"PRAGMA user_version = {SCHEMA + 1}; PRAGMA application_id = {MARK + SCHEMA + 1}"
    )
    database.close()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda home: home.write_text("a file, no folder"), "is a file"),
        (a_newer_store, f"this memdeck knows {SCHEMA}"),
    ],
)
def test_a_store_that_cannot_be_used_is_said_and_the_server_goes_on(spoil, why, home_path):
    home_path.parent.mkdir(exist_ok=True)
    spoil(home_path)
    first, second = served(
        request("tools/call", name="memory_search", arguments={"query": "x"}), request("ping", 2)
    )
    assert first["result"]["isError"] is True
    assert why in first["result"]["content"][0]["text"]
    assert second["result"] == {}


def test_each_server_has_a_session_of_its_own_and_its_own_notes(folder, home_path):
    """Nobody says when a client without hooks ends: yesterday's notes use up none of today's."""
    texts = [f"Shard {n} owns the keys {n * 17} to {n * 19 + 90}, as it is hot." for n in range(8)]
    calls = [request("tools/call", name="memory_learn", arguments={"content": t}) for t in texts]
    said = [bool(reply["result"].get("isError")) for reply in served(*calls)]
    assert said == [False] * 5 + [True] * 3
    assert called("memory_learn", content=texts[7])["recorded"] == 1
    with MemoryCoordinator.open(home_path, folder) as core:
        assert len(core.sessions()) == 2


PLACES = {
    "claude": (
        ".claude.json",
        '{\n  "mcpServers": {\n    "x": {"command": "y"}\n  },\n  "n": 1\n}\n',
    ),
    "codex": (".codex/config.toml", 'model = "gpt-5"\n\n[mcp_servers.x]\ncommand = "y"\n'),
    "copilot": (".copilot/mcp-config.json", '{"mcpServers": {"x": {"command": "y"}}}'),
    "gemini": (".gemini/settings.json", '{\n\t"theme": "x"\n}\n'),
    "opencode": (".config/opencode/opencode.json", '{"$schema":"https://opencode.ai/config.json"}'),
}


@pytest.mark.parametrize("host", PLACES)
def test_install_registers_the_server_and_uninstall_leaves_no_trace(host, tmp_path, home_path):
    name, before = PLACES[host]
    path = tmp_path / "person" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(before.encode())
    home = Home(home_path)
    settings.carry_out(plan(host, "user", None, home), home)
    text = path.read_text()
    written = tomllib.loads(text) if name.endswith("toml") else json.loads(text)
    servers = next(written[key] for key in ("mcpServers", "mcp_servers", "mcp") if key in written)
    assert "mcp" in str(servers["memdeck"])
    assert str(home_path) in str(servers["memdeck"])
    assert not plan(host, "user", None, home).is_needed
    settings.carry_out(plan(host, "user", None, home, is_removal=True), home)
    assert path.read_bytes() == before.encode()


def test_a_file_that_cannot_be_read_costs_the_registration_and_no_hook(tmp_path, home_path):
    path = tmp_path / "person" / ".claude.json"
    path.parent.mkdir(parents=True)
    path.write_text("{ // mine\n}")
    planned = plan("claude", "user", None, Home(home_path))
    assert any("MCP server is not registered" in note for note in planned.notes)
    settings.carry_out(planned, Home(home_path))
    assert path.read_text() == "{ // mine\n}"
    assert (path.parent / ".claude" / "settings.json").exists()
