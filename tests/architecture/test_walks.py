"""The walks that the benchmark counts are the ones that ARCHITECTURE.md tells of."""

import subprocess
import sys
from pathlib import Path

import pytest

from memdeck.tests import forked

ROOT = Path(__file__).parent.parent.parent

STATIONS = {
    "prompt": (
        *("agents/main.py", "agents/stdin.py", "agents/hosts/registry.py"),
        *("agents/hosts/claude/wire.py", "agents/recall.py", "db/fast_reader.py"),
        *("core/retrieval/pipeline.py", "core/retrieval/keywords.py", "core/retrieval/ranking.py"),
        *("core/retrieval/selection.py", "core/retrieval/budget.py", "core/retrieval/formats.py"),
        "agents/spool.py",
    ),
    "transcript": (
        *("agents/drain.py", "agents/drain_run.py", "agents/claims.py", "agents/transcripts.py"),
        *("agents/hosts/claude/transcript.py", "core/services/ingest.py"),
        *("core/ingest/extract/steps.py", "core/ingest/pipeline.py", "core/redaction/redact.py"),
        *("core/services/deposits.py", "db/store.py", "db/journal.py"),
    ),
    "key": (
        *("tui/app.py", "tui/typeahead.py", "tui/acts.py", "tui/views/deck/acts.py"),
        *("tui/lanes.py", "core/memdeck.py", "core/services/amendments.py", "db/store.py"),
        *("db/journal.py", "tui/changes.py", "tui/news.py", "tui/views/deck/view.py"),
    ),
    "search": (
        *("cli/main.py", "cli/commands/search.py", "core/query/language.py"),
        *("core/query/plan.py", "core/services/search.py", "db/index.py"),
        *("core/retrieval/ranking.py", "cli/output.py"),
    ),
}
"""Walk -> files that it must enter, since ARCHITECTURE.md names them or the act is done there."""

FOREIGN = {
    "prompt": ("cli/", "tui/", "core/services/", "core/ingest/extract/"),
    "transcript": ("cli/", "tui/"),
    "key": ("cli/", "agents/"),
    "search": ("agents/", "tui/", "core/ingest/", "core/review/", "core/lifecycle/"),
}
"""Walk -> rooms that are no business of it."""


@pytest.mark.slow
@pytest.mark.parametrize("walk", STATIONS)
def test_a_walk_enters_what_the_map_names_and_no_room_beside(walk, tmp_path):
    if walk == "key":  # what others are forked from has no screens
        command = [sys.executable, "-m", "benchmarks.house_walks", walk, str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    else:
        code = "from memdeck.benchmarks.house_walks import main\nmain()"
        done = forked.run(code, walk, str(tmp_path))
    assert done.returncode == 0, done.stderr

    files = done.stdout.split()

    assert not set(STATIONS[walk]) - set(files)
    assert not [file for file in files if file.startswith(FOREIGN[walk])]
