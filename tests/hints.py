"""What is said of a query that is not taken as it stands, as `memdeck list` says it."""

import os
import re
import sys

from click.testing import CliRunner

from memdeck.cli.main import run


def hints(query: str, home: str | os.PathLike[str]) -> list[str]:
    """In the order in which it is said; without what would find something where nothing did."""
    with CliRunner().isolation() as (_, err, _all):
        place = ("--home", os.fspath(home), "--project", "harbour")
        assert run([*place, "list", "--", query]) == 0
        sys.stderr.flush()
        said = err.getvalue().decode().splitlines()
    return [line for line in said if not re.match(r"  |[\d,]+ memor|Nothing found", line)]
