"""The manual page and the examples in the help are commands that exist and are understood."""

import re
import shlex
from pathlib import Path

import click

from .tree import NAMES, ROOT

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "reference" / "command-line.md"


def command_lines(text):
    """What stands after `memdeck` in each line, without comments, pipes and redirections."""
    found = re.findall(r"^[^#\n]*?\bmemdeck\b(?![-/])([^\n]*)$", text, re.MULTILINE)
    bare = (re.sub(r"\s+#.*|\s+[<>|]\s.*", "", line) for line in found)
    return [line.strip().removesuffix(')"') for line in bare]


def understood(line):
    """Raise click.UsageError unless the tree takes the line; nothing is run."""
    words = shlex.split(line)
    context = ROOT.make_context("memdeck", list(words))
    command: click.Command = ROOT
    while isinstance(command, click.Group):
        place = next(
            (n for n, word in enumerate(words) if command.get_command(context, word)), None
        )
        if place is None:
            return
        name, command, words = command.resolve_command(context, words[place:])
        assert command is not None
        context = command.make_context(name, list(words), parent=context)


def shown_on(page):
    """The commands of a page; one that stands in no block is no example."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"^    memdeck ", text, re.MULTILINE)
    return command_lines("\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)))


def test_the_manual_shows_what_the_command_line_takes(subtests):
    for page in (REPOSITORY / "README.md", *sorted(PAGE.parent.glob("*.md"))):
        for line in shown_on(page):
            with subtests.test(page=page.name, line=line):
                understood(line)
                assert not re.search(r":\s*$", line), "a shell reads < and > itself: quote them"


def test_the_examples_in_the_help_are_understood(subtests):
    for name in NAMES:
        with subtests.test(name=name):
            command = ROOT.get_command(click.Context(ROOT), name)
            assert command is not None
            lines = command_lines(command.epilog or "")
            assert lines
            for line in lines:
                understood(line)


def test_the_commands_that_messages_name_are_there(subtests):
    """The verbs alone: what stands behind them is made up as the message is."""
    root = REPOSITORY
    files = [
        path
        for room in ("agents", "cli", "core", "db", "tui")
        for path in root.glob(f"{room}/**/*.py")
    ]
    named = {
        verbs.strip()
        for path in files
        for verbs in re.findall(r"`memdeck((?: [a-z]+)+)", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 30
    for verbs in sorted(named):
        with subtests.test(verbs=verbs):
            command: click.Command | None = ROOT
            for verb in verbs.split():
                if isinstance(command, click.Group):
                    command = command.get_command(click.Context(command), verb)
                    assert command is not None
