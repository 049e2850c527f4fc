"""On a real terminal: the app opens, colours are used, and questions are asked."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass

import pytest

from memdeck.tests.forked import Forked

pytestmark = pytest.mark.slow

CTRL_Q = b"\x11"
PATIENCE_S = 90


@dataclass
class Shown:
    code: int
    text: str


@pytest.fixture
def terminal(home):
    """Runs a command line on a terminal of 80 columns; types `keys` once `until` was shown."""

    def run(*words, keys=b"", until=(), prelude="", **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        variables = {**os.environ, "TERM": "xterm-256color", **environment}
        del variables["COLUMNS"]
        if words:
            memdeck = _forked(theirs, words, variables, prelude)
        else:
            memdeck = _begun(theirs, words, variables)
        os.close(theirs)
        seen = b""
        while part := _read(ours):
            seen += part
            if keys and all(word.encode() in seen for word in until):
                os.write(ours, keys)
                keys = b""
        os.close(ours)
        code = memdeck.wait()
        assert code is not None
        return Shown(code, seen.decode("utf-8", "replace"))

    return run


def _begun(terminal, words, environment):
    """The command as a person starts it, for what takes its time anyhow."""
    return subprocess.Popen(
        [sys.executable, "-m", "memdeck", *words],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        env=environment,
    )


ON_TERMINAL = """
import os, sys
os.setsid()
handle = os.open(sys.argv.pop(1), os.O_RDWR)
print("opened", flush=True)
for number in range(3):
    os.dup2(handle, number)
os.close(handle)
sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w", buffering=1), open(2, "w", buffering=1)
sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
from memdeck.cli.main import main
main()
"""


BUILD = "import sys\nfrom memdeck.demo.build import build_demo_store\n"
BUILD += "print(build_demo_store(sys.argv[1]).project)"


def _forked(terminal, words, environment, prelude):
    """The command on that terminal, which it has opened."""
    code = f"{prelude}\n{ON_TERMINAL}"
    memdeck = Forked(code, os.ttyname(terminal), *words, environment=environment)
    assert memdeck.stdout.readline() == "opened\n"
    return memdeck


def _read(handle):
    """What the terminal shows next; nothing once the program has gone."""
    ready, _, _ = select.select([handle], [], [], PATIENCE_S)
    try:
        return os.read(handle, 65_536) if ready else b""
    except OSError:
        return b""


def test_a_link_opens_the_app_on_a_query_or_a_screen(terminal, remembered):
    identifier = remembered("Staging lives on host db-7")
    remembered("Retry budget is three attempts per call")
    shown = terminal(
        *("--screen", "memories", "--query", "staging", "--id", identifier[:12]),
        keys=CTRL_Q,
        until=["db-7"],
    )
    assert shown.code == 0


def test_plain_output_is_coloured_unless_that_is_unwanted(terminal, remembered):
    remembered("Staging lives on host db-7", "--pin")
    assert "\x1b[33m★" in terminal("list").text
    assert "\x1b[" not in terminal("list", NO_COLOR="1").text
    assert "\x1b[" not in terminal("list", "--json").text.splitlines()[0]


@pytest.mark.parametrize(("keys", "code"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1)])
def test_a_memory_for_all_projects_is_confirmed(terminal, cli, keys, code):
    shown = terminal(
        *("remember", "I prefer tabs", "--scope", "global"), keys=keys, until=["[y/N]"]
    )
    assert shown.code == code
    assert len(cli("list", "--json").lines) == (code == 0)


def test_a_long_import_and_its_undo_show_how_far_they_are(terminal, tmp_path):
    file = tmp_path / "memories.jsonl"
    lines = (f'{{"content": "Berth {n} is {n} metres long"}}\n' for n in range(1_200))
    file.write_text("".join(lines))
    shown = terminal("import", str(file))
    assert shown.code == 0
    assert all(f"imported  {count}" in shown.text for count in ("500 ", "1,000 ", "1,200 "))
    assert "imported  1,200 memories" in shown.text
    assert "of 1,201" in terminal("undo").text


def test_in_an_agents_terminal_nobody_is_asked(terminal, cli):
    """Some agents run commands on a terminal of their own, and could answer."""
    words = ("remember", "I prefer tabs", "--scope", "global")
    shown = terminal(*words, keys=b"y\n", until=["[y/N]"], CLAUDECODE="1")
    assert shown.code == 1
    assert "[y/N]" not in shown.text
    assert "An agent cannot agree" in shown.text
    assert cli("list", "--json").out == ""


@pytest.mark.parametrize(("keys", "code", "tagged"), [(b"y\n", 0, 3), (b"n\n", 1, 0)])
def test_from_three_on_a_person_is_asked_about_all_that_match(
    terminal, remembered, cli, keys, code, tagged
):
    remembered("Cranes want a permit", "--pin")
    remembered("Cranes are greased on Mondays")
    remembered("Cranes stand still in a storm")
    words = ("edit", "--all", "cranes", "--add-tag", "quay")
    shown = terminal(*words, keys=keys, until=["Edit 3 memories: 1 pinned?"])
    assert shown.code == code
    assert len(cli("list", "tag:quay", "--json").lines) == tagged
