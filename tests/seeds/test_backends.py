"""Every backend of items keeps one contract; the printed one keeps it too."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import memdeck
from memdeck import (
    BadInput,
    ContextItem,
    InMemoryBackend,
    JsonFileBackend,
    MemoryCoordinator,
    SqliteBackend,
    StoreUnusable,
    open_backend,
    open_memory,
)
from memdeck.cli.main import run as run_cli
from memdeck.tests.seeds import postgres
from memdeck.tests.seeds.printed import run

SERVER = os.environ.get(postgres.ADDRESS)
KINDS = ["printed", "memory", "json", "sqlite", "core", *(["postgresql"] if SERVER else [])]


@pytest.fixture(params=KINDS)
def backend(request, tmp_path):
    match request.param:
        case "printed":
            yield run("004", "1.2 InMemoryBackend Implementation")["InMemoryBackend"]()
        case "core":
            with MemoryCoordinator(":memory:", "harbour") as core:
                yield core.backend
        case "postgresql":
            opened = open_backend(SERVER)
            yield opened
            opened.clear()
            opened.close()
        case kind:
            yield open_backend(f"{kind}:{tmp_path / 'items'}")


@pytest.fixture
def items(backend):
    """Six items, of which one says less than the others."""
    made = [
        ContextItem(
            f"code-{number}",
            ("code", "note")[number % 2],
            "project/harbour",
            f"2026-03-0{number + 1}T12:00:00+00:00",
            ["bug_fix"] * (number > 2) + [("crane", "berth")[number % 2]],
            number / 10,
            4 + number,
            {"text": f"Berth {number} floods at spring tide", "nested": {"list": [1, None]}},
        )
        for number in range(5)
    ]
    bare = replace(made[0], context_item_id="bare", importance=None, token_cost=None)
    bare = replace(bare, timestamp="2026-02-01T00:00:00", payload={"text": "The crane is oiled"})
    made.append(bare)
    for item in made:
        backend.add(item)
    return {item.context_item_id: item for item in made}


def test_an_item_is_added_got_listed_counted_deleted_and_cleared(backend, items):
    assert (backend.count(), len(backend.list_all())) == (6, 6)
    assert {item.context_item_id: item for item in backend.list_all()} == items
    for name, item in items.items():
        assert backend.get(name) == item
    backend.add(replace(items["bare"], tags=["oil"]))
    assert (backend.get("bare").tags, backend.count()) == (["oil"], 6)
    assert backend.delete("code-3") is True
    assert backend.delete("code-3") is False
    assert (backend.get("code-3"), backend.count()) == (None, 5)
    backend.clear()
    assert (backend.count(), backend.list_all()) == (0, [])


QUERIES = [
    ({}, ["code-4", "code-3", "code-2", "code-1", "code-0", "bare"]),
    ({"kind": "code"}, ["code-4", "code-2", "code-0", "bare"]),
    ({"kind": {"$ne": "code"}}, ["code-3", "code-1"]),
    ({"source": "project/harbour", "kind": "note"}, ["code-3", "code-1"]),
    ({"source": "project/other"}, []),
    ({"tags": ["bug_fix", "oil"]}, ["code-4", "code-3"]),
    ({"tags": ["nothing"]}, []),
    ({"importance": {"$gte": 0.3}, "kind": {"$eq": "code"}}, ["code-4"]),
    ({"token_cost": {"$gt": 6, "$lte": 8}}, ["code-4", "code-3"]),
    ({"token_cost": 5}, ["code-1"]),
    ({"timestamp": {"$lt": "2026-03-02"}}, ["code-0", "bare"]),
    ({"context_item_id": "code-2"}, ["code-2"]),
]


def test_filters_leave_what_fits_newest_first(backend, items, subtests):
    if not type(backend).__module__.startswith("memdeck"):
        backend.delete("bare")  # the printed one cannot compare what is not there
    for filters, expected in QUERIES:
        there = [name for name in expected if backend.get(name)]
        with subtests.test(filters=filters):
            assert [item.context_item_id for item in backend.query(filters)] == there
    backend.delete("bare")
    dearest = [item.context_item_id for item in backend.query({}, 2, "token_cost")]
    assert dearest == ["code-4", "code-3"]
    turned = [item.context_item_id for item in backend.query({}, 2, order_by="-timestamp")]
    assert turned == ["code-0", "code-1"]
    assert backend.query({}, limit=0) == []


def test_a_thousand_items_are_queried(backend):
    base = ContextItem("0", "note", "project/harbour", "2026-03-01T12:00:00+00:00")
    many = 60 if isinstance(backend, memdeck.CoreBackend) else 1_200  # it syncs each to the disk
    for number in range(many):
        made = {"importance": number / many, "payload": {"text": f"Berth {number} floods"}}
        backend.add(replace(base, context_item_id=f"n-{number}", **made))
    assert backend.count() == many
    assert len(backend.query({"importance": {"$gte": 0.5}}, limit=1_000)) == many // 2


def test_what_cannot_be_used_is_refused_by_its_name(tmp_path):
    backend = InMemoryBackend({"a": ContextItem("a", "note", "global", "2026-03-01")})
    for filters in ({"colour": "red"}, {"kind": {"$near": "note"}}):
        with pytest.raises(BadInput, match=r"colour|near"):
            backend.query(filters)
    with pytest.raises(BadInput, match="weight"):
        backend.query({}, order_by="weight")
    assert backend.query({"importance": {"$gt": 0.5}}) == [], "an unknown one is not more"
    with pytest.raises(BadInput, match="redis"):
        open_backend("redis:6379")


# --- files


def test_a_file_is_read_at_first_use_and_written_together(tmp_path):
    path = tmp_path / "items.json"
    backend = JsonFileBackend(path)
    item = ContextItem("a", "note", "global", "2026-03-01", payload={"text": "Berth 12"})
    for number in range(100):
        backend.add(replace(item, context_item_id=str(number)))
    assert not path.exists(), "the changes are collected"
    backend.flush()
    assert path.stat().st_mode & 0o777 == 0o600
    assert JsonFileBackend(path).get("99") == replace(item, context_item_id="99")
    path.write_text("{", "utf-8")
    with pytest.raises(memdeck.StoreDamaged, match=r"items\.json"):
        JsonFileBackend(path).count()


def test_what_a_program_wrote_before_it_ended_is_in_the_file(tmp_path, run_python):
    path = tmp_path / "items.json"
    run_python(f"""
from memdeck import ContextItem, JsonFileBackend
JsonFileBackend({str(path)!r}).add(ContextItem("a", "note", "global", "2026-03-01"))
""")
    assert [item["context_item_id"] for item in json.loads(path.read_text("utf-8"))] == ["a"]


def test_a_database_is_private_and_shared_by_its_users(tmp_path):
    path = tmp_path / "items.db"
    item = ContextItem("a", "note", "global", "2026-03-01", payload={"text": "Berth 12"})
    SqliteBackend(path).add(item)
    assert path.stat().st_mode & 0o777 == 0o600
    assert SqliteBackend(path).get("a") == item
    (tmp_path / "other.db").write_bytes(b"no database" * 400)
    with pytest.raises(memdeck.StoreDamaged):
        SqliteBackend(tmp_path / "other.db")


# --- the core


def test_an_item_survives_export_import_and_filters(tmp_path, items_of_the_core, capsys):
    core, item = items_of_the_core
    assert run_cli(["export", "--home", core.home.path, "--project", "harbour"]) == 0
    with open_memory(tmp_path / "other", "harbour") as other:
        objects = map(json.loads, capsys.readouterr().out.splitlines())
        assert other.import_memories(objects).added == 1
        assert other.backend.query({"kind": "decision", "source": "project/harbour"}) == [item]
        memory = other.show(item.context_item_id)
        assert memory.details["item"]["payload"] == item.payload
        other.rebuild()
        other.edit(memory.id, content="Boats over ten metres moor at pier C")
        [edited] = other.backend.list_all()
        assert (edited.text, edited.kind) == ("Boats over ten metres moor at pier C", "decision")


@pytest.fixture
def items_of_the_core(tmp_path):
    core = open_memory(tmp_path / "home", "harbour")
    payload = {"decision": "Boats over nine metres moor at pier C", "votes": [3, 1]}
    item = ContextItem(
        "d-1", "decision", "project/harbour", "2026-03-01T12:00:00", ["piers"], 0.9, 8, payload
    )
    core.backend.add(item)
    yield core, item
    core.close()


def test_a_secret_never_reaches_the_store_and_a_plain_memory_is_an_item(items_of_the_core):
    core, item = items_of_the_core
    secret = "AKIAIOSFODNN7EXAMPLE"
    core.backend.add(replace(item, context_item_id="d-2", payload={"decision": f"Use {secret}"}))
    assert secret not in str(core.backend.get("d-2"))
    assert secret not in Path(core.home.database).read_text("latin-1")
    core.remember("The crane is oiled in May", key="K-1", category="discovery", importance=0.3)
    plain = core.backend.get("K-1")
    assert (plain.kind, plain.source, plain.importance) == ("discovery", "project/harbour", 0.3)
    assert plain.payload == {"discovery": "The crane is oiled in May"}
    with pytest.raises(BadInput, match="another project"):
        core.backend.add(replace(item, source="project/other"))
    with pytest.raises(BadInput, match="user"):
        core.backend.add(replace(item, source="user"))


# --- PostgreSQL


def test_a_server_that_is_not_there_is_unusable():
    with pytest.raises(StoreUnusable, match=r"PostgreSQL|cannot be used"):
        open_backend("postgresql:///none?host=/nowhere")


if not (SERVER or postgres.missing()):  # where it is missing, the run's last lines say why

    @pytest.mark.slow
    def test_postgresql_keeps_the_contract(tmp_path):
        """In an interpreter of its own: Peewee takes a driver that it finds when it is imported."""
        with postgres.server() as address:
            around = {**os.environ, postgres.ADDRESS: address, "PYTHONPATH": str(postgres.DRIVER)}
            command = [sys.executable, "-m", "pytest", "-v", "-p", "no:xdist", "-k", "postgresql"]
            command.append(f"--basetemp={tmp_path / 'own'}")  # other runs tidy the common one
            done = subprocess.run(
                [*command, __file__], env=around, capture_output=True, text=True, check=False
            )
        assert done.returncode == 0, done.stdout
        assert "3 passed" in done.stdout
