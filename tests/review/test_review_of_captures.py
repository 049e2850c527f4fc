"""What extraction finds is worth keeping: no gate of the store refuses it.

Of what the demo tells the building of the demo says so: it ends where something was not kept.
"""

from pathlib import Path

import pytest

from memdeck.benchmarks.gallery.extract import extract
from memdeck.tests.transcripts import read_claude

TESTS = Path(__file__).resolve().parents[1]
TRANSCRIPTS = sorted((TESTS / "wire" / "claude" / "transcripts").glob("*.jsonl"))


def refused(core, captures):
    """What is refused of `captures`, and why; one that is known already was accepted before."""
    results = core.offer(captures)
    return [
        (capture.content, result.reason)
        for capture, result in zip(captures, results, strict=True)
        if result.outcome == "refused"
    ]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_what_a_recorded_session_yields_is_accepted(core, path):
    turns = read_claude(str(path), sidechains="subagent" in path.name).turns
    root = "/home/dev/acme-api"
    captures = extract(turns, session="s1", transcript=str(path), project_root=root, is_judged=True)
    # but for what is too short or scores too low
    spared = ("It is too short", "an agent's sentence needs")
    assert [one for one in refused(core, captures) if not any(map(one[1].count, spared))] == []
