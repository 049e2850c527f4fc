"""The tree: help of everything, exit codes, and what `memdeck` alone does."""

import io
import subprocess
import sys
from unittest.mock import Mock

import click
import pytest

from memdeck import MemoryCoordinator
from memdeck.cli.main import run as run_command_line

from .tree import ROOT


def paths(*above):
    """The words of every command: groups, and the commands in them."""
    context = click.Context(ROOT)
    group = command(above)
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        yield (*above, name)
        if isinstance(command((*above, name)), click.Group):
            yield from paths(*above, name)


def command(path):
    context = click.Context(ROOT, info_name="memdeck")
    found: click.Command = ROOT
    for name in path:
        assert isinstance(found, click.Group)
        inner = found.get_command(context, name)
        assert inner is not None
        found = inner
    return found


PATHS = list(paths())


def test_every_command_explains_itself_with_an_example(cli, subtests):
    for flag in ["-h", "--help"]:
        for path in PATHS:
            with subtests.test(flag=flag, path=path):
                answer = cli(*path, flag)

                assert answer.code == 0
                assert answer.err == ""
                assert "Example:" in answer.out
                assert f"memdeck {' '.join(path)}" in answer.out.split("Example:")[1]
                assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_every_command_takes_json_project_and_home(subtests):
    for path in [path for path in PATHS if path != ("hook",)]:
        with subtests.test(path=path):
            names = {option for parameter in command(path).params for option in parameter.opts}
            assert {"--json", "--project", "--home"} <= names


def test_an_unknown_command_is_a_usage_error_with_the_nearest_one(cli):
    answer = cli("serach", "redis", code=2)
    assert "Did you mean 'search'?" in answer.err
    assert answer.out == ""


def test_alone_without_a_terminal_it_shows_the_status_and_a_short_help(cli):
    answer = cli(code=0)
    assert "acme-api" in answer.out
    assert "memdeck search" in answer.err
    assert "no terminal to open the app in" in cli("--screen", "review", code=2).err


def test_a_store_that_cannot_be_used_is_exit_code_3(cli, no_home):
    no_home.write_text("a file where a folder must be")
    answer = cli("list", code=3)
    assert str(no_home) in answer.err
    assert answer.out == ""


def test_a_bug_keeps_its_traceback(cli, monkeypatch):

    monkeypatch.setattr(MemoryCoordinator, "undo", Mock(side_effect=RuntimeError("a bug")))
    with pytest.raises(RuntimeError, match="a bug"):
        cli("undo")


def test_ctrl_c_ends_quietly(cli, monkeypatch):

    monkeypatch.setattr(MemoryCoordinator, "undo", Mock(side_effect=KeyboardInterrupt))
    answer = cli("undo")
    assert answer.code == 130
    assert "Traceback" not in answer.err


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_complaint(home, cli):
    lines = "".join(f'{{"content": "Fact number {n} about the harbour"}}\n' for n in range(400))
    assert cli("import", "-", stdin=lines).code == 0
    done = subprocess.run(
        f"{sys.executable} -m memdeck list --json | head -n 1", shell=True, capture_output=True
    )
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", ["list", "list --json", "export"])
def test_a_full_disk_behind_the_output_is_told_and_no_traceback(home, remembered, words):
    remembered("The berth of the ferry is number seven")
    done = subprocess.run(
        f"{sys.executable} -m memdeck {words} > /dev/full", shell=True, capture_output=True
    )
    assert done.returncode == 1
    told = done.stderr.decode()
    assert told.startswith("memdeck: Not all of it could be written: ")
    assert "Free some space" in told
    assert "Traceback" not in told


class Terminal(io.StringIO):
    """A stream behind which somebody looks."""

    def isatty(self):
        return True


@pytest.mark.parametrize("closed", [True, False])
def test_the_app_opens_only_where_all_its_streams_are_a_terminals(
    home, monkeypatch, capsys, closed
):
    """A closed standard input is none, and on standard error, here a file, the app is drawn."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", None if closed else Terminal())
    monkeypatch.setattr(sys, "stdout", shown := Terminal())
    assert run_command_line([]) == 0
    assert "acme-api" in shown.getvalue()
    assert "no terminal" in capsys.readouterr().err
