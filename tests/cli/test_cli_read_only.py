"""A store that may be read and not be written: so it is in the sandboxes of agents."""

import json
import stat

import pytest

from memdeck import open_memory
from memdeck.tests import forked

pytestmark = pytest.mark.slow

FACT = "The tide gauge is read in metres above the quay, never above the sea."

BOUND = """
import ctypes, os, sys
CAP_DAC_OVERRIDE, VERSION = 1, 0x20080522
if os.geteuid() == 0 and sys.platform == "linux":
    libc, head, sets = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, sets) == 0
    for number in range(3):
        sets[number] &= ~(1 << CAP_DAC_OVERRIDE)
    assert libc.capset(head, sets) == 0
"""
"""Gives up root's right to write whatever the permissions say."""


def run(code, *words, stdin=""):
    return forked.run(BOUND + code, *words, stdin=stdin)


def memdeck(*words, stdin=""):
    return run("from memdeck.cli.main import main\nmain()", *words, stdin=stdin)


IN_TURN = """
import json, sys
from click.testing import CliRunner
from memdeck.cli.main import run
for words, given in json.load(sys.stdin):
    with CliRunner().isolation(input=given) as (out, err, _):
        code = run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        done = code, out.getvalue().decode(), err.getvalue().decode()
    print(json.dumps(done))
"""


def in_turn(commands, stdin=""):
    """(words, code, out, err) of each command, in one process: starting it costs most of each."""
    done = run(IN_TURN, stdin=json.dumps([(words, stdin) for words in commands]))
    assert done.returncode == 0, done
    return [
        (words, *json.loads(line))
        for words, line in zip(commands, done.stdout.splitlines(), strict=True)
    ]


def state_of(folder):
    """Every file's bytes, and every name's permissions."""
    return {
        str(path): (stat.S_IMODE(path.stat().st_mode), path.is_file() and path.read_bytes())
        for path in (folder, *folder.rglob("*"))
    }


def close(folder):
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o500 if path.is_dir() else 0o400)


def reopen(folder):
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)


@pytest.fixture(params=["nobody else has it open", "somebody writes outside"])
def store(home, request):
    """A closed store with one memory; a writer outside leaves SQLite's two files beside it."""
    with open_memory(home) as memory:
        memory.remember(FACT, pin=True)
    if request.param == "somebody writes outside":
        with open_memory(home) as memory:
            memory.remember("Tugs are ordered by radio.")
            close(home)
            assert (home / "memory.db-wal").exists()
            yield home
            reopen(home)
    else:
        close(home)
        assert not (home / "memory.db-wal").exists()
        yield home
        reopen(home)


@pytest.fixture
def closed(store):
    """The same, looked at: nothing in it can be written, and nothing in it was."""
    probe = "import sys; open(sys.argv[1] + '/probe', 'w')"
    assert "Permission denied" in run(probe, str(store)).stderr
    before = state_of(store)
    yield store
    assert state_of(store) == before


READING = (
    ("list",),
    ("list", "--json"),
    ("search", "tide gauge"),
    ("recall", "how is the tide gauge read?"),
    ("status",),
    ("status", "--json"),
    ("audit",),
    ("receipts",),
    ("sessions",),
    ("review",),
    ("export", "--format", "jsonl"),
    ("verify",),
    ("memory", "status"),
    ("memory", "list"),
    ("memory", "search", "tide"),
    ("memory", "budget"),
    ("memory", "alias"),
    ("memory", "auto"),
    ("memory", "config"),
)


def test_every_reading_command_works(closed):
    done = in_turn(READING)
    for words, code, _, err in done:
        assert (code, "Traceback" in err) == (0, False), (words, err)
    for words, _, out, _ in done[:4]:
        assert "tide gauge" in out, words


WRITING = (
    ("remember", "The pilot boards at the outer buoy."),
    ("pin", "tide gauge"),
    ("forget", "tide gauge"),
    ("import", "-", "--from", "jsonl"),
    ("undo",),
    ("rebuild",),
    ("memory", "budget", "3000"),
    ("memory", "auto", "off"),
    ("memory", "alias", "add", "infra", "ops"),
    ("learn", "The pilot boards at the outer buoy.", "--session", "s1"),
)


def test_a_command_that_writes_says_why_it_cannot_and_what_to_do(closed):
    given = '{"content": "The pilot boards at the outer buoy."}\n'
    for words, code, _, err in in_turn(WRITING, stdin=given):
        assert code == 3, (words, err)
        assert f"The store in {closed} can only be read from here. Nothing was changed." in err
        assert "sandbox_workspace_write.writable_roots" in err, words
        assert "Traceback" not in err, words


def test_a_slash_command_that_writes_fails_with_its_reason_on_standard_output(closed):
    """Agents read that, and the exit code."""
    commands = [("memory", "slash", name, "--stdin") for name in ("remember", "pin", "forget")]
    for words, code, out, err in in_turn(commands, stdin="tide gauge\n"):
        assert (code, err) == (3, ""), words
        assert f"The store in {closed} can only be read from here. Nothing was changed." in out
        assert "writable_roots" in out, words


def test_python_reads_it_and_is_refused_a_change(closed):
    code = (
        "from memdeck import open_memory\n"
        "from memdeck import StoreUnusable\n"
        "with open_memory() as memory:\n"
        "    print(memory.is_read_only, len(memory.search('tide gauge')))\n"
        "    try:\n"
        "        memory.remember('The pilot boards at the outer buoy.')\n"
        "    except StoreUnusable as error:\n"
        "        print(error)\n"
    )
    done = run(code)
    assert done.stdout.startswith("True 1\n"), done
    assert "can only be read from here" in done.stdout


def test_an_older_store_waits_for_where_it_can_be_upgraded(home):
    with open_memory(home) as memory:
        memory.remember(FACT)
        memory._store.database.pragma("user_version", 1)
    close(home)
    try:
        done = memdeck("list")
    finally:
        reopen(home)
    assert done.returncode == 3
    assert "older memdeck" in done.stderr
