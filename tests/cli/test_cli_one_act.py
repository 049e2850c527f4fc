"""A long act shows how far it is, can be stopped with ctrl-c, and is one undo."""

import contextlib
import json
import os
import signal
import threading

import pytest

from memdeck.cli.main import INTERRUPTED

pytestmark = pytest.mark.slow

PART = 50  # memories that an import writes in a transaction, here a tenth
MANY = PART + 1


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr("memdeck.core.services.transfer.IMPORT_CHUNK", PART)


def jsonl(count=MANY, size="long"):
    return "".join(
        json.dumps({"content": f"Berth {n} is {n} metres {size}"}) + "\n" for n in range(count)
    )


def stored(cli):
    return len(cli("list", "--json").lines)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_ends_an_import_between_two_transactions(cli, tmp_path, options):
    pipe = tmp_path / "memories.jsonl"
    os.mkfifo(pipe)
    lines = jsonl(480, f"long, {'and its water is deep, ' * 8}").splitlines(keepends=True)

    def write():
        with contextlib.suppress(BrokenPipeError), open(pipe, "w") as file:
            file.writelines(lines[:350])  # more than a pipe holds: the import has begun to read
            file.flush()
            os.kill(os.getpid(), signal.SIGINT)
            file.writelines(lines[350:])

    writer = threading.Thread(target=write)
    writer.start()
    answer = cli("import", str(pipe), *options)
    writer.join()
    assert answer.code == INTERRUPTED
    taken = stored(cli)
    assert 0 < taken < len(lines)
    assert taken % PART == 0
    assert f"after line {taken}" in answer.err
    if options:
        assert (answer.json["added"], answer.json["stopped"]) == (taken, True)
    else:
        assert f"imported  {taken:,} memories" in answer.out
        assert "ndo with `memdeck undo`" in answer.err
    assert cli("verify").code == 0
    assert cli("undo").code == 0
    assert stored(cli) == 0
