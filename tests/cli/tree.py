"""The commands, as the command line hands them to click."""

from typing import cast

import click
import pytest

from memdeck.cli.main import run


def _tree() -> click.Group:
    """All of them; each stands in the one above it."""
    handed_over: list[click.Command] = []

    def keep(command: click.Command, **_: object) -> None:
        handed_over.append(command)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click.Command, "main", keep)
        run(["-h"])
    [only] = handed_over
    return cast("click.Group", only)


ROOT = _tree()
NAMES = ROOT.list_commands(click.Context(ROOT))
"""The commands that stand at the top."""
