"""What a command line left behind, for the tests of commands and of journeys."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner

from memdeck.cli.main import run


@dataclass(frozen=True)
class Answer:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON, an object a line."""
        return [json.loads(line) for line in self.out.split("\n") if line]

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object that it is."""
        [only] = self.lines
        return only


def answer_of(*words: str, stdin: str | bytes = "", code: int | None = None) -> Answer:
    """Run a command line in this process. With `code` it must end with that exit code."""
    with CliRunner().isolation(input=stdin) as (out, err, _):
        ended = run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        answer = Answer(ended, out.getvalue().decode(), err.getvalue().decode())
    assert code in (None, ended), answer
    return answer
