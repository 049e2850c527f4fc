"""The page on queries says what each signal of `blend` is worth."""

import re
from pathlib import Path

import pytest

from memdeck.core.retrieval.ranking import PROFILES, Signals

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "query.md").read_text(encoding="utf-8")
TOLD = PAGE.partition("### The weights of `blend`")[2]
ANSWERS = {
    name: (float(short), float(longer))
    for name, short, longer in re.findall(r"\| (\w+) \| (\d\.\d+) \| (\d\.\d+) \|", TOLD)
}
DECIDES = dict(re.findall(r"^\| (\w+) \| (\d\.\d+) \|$", TOLD, re.MULTILINE))

ALL_OF_IT = dict.fromkeys((*ANSWERS, "when", "speaker", "tells", "approval", "importance"), 1.0)
FULL = Signals(
    **ALL_OF_IT, age_days=0.0, accesses=100, status="pinned", category="warning", affinity=1.0
)


@pytest.mark.parametrize(("length", "column"), [(0.0, 0), (1.0, 1)])
def test_each_signal_weighs_what_the_page_says(length: float, column: int):
    score, parts = PROFILES["blend"](FULL._replace(length=length))
    weights = {name: row[column] for name, row in ANSWERS.items()}
    weights = {name: weight / sum(weights.values()) for name, weight in weights.items()}
    weights |= {name: float(weight) for name, weight in DECIDES.items()}
    assert parts.keys() == weights.keys()
    whole = sum(weights.values())
    assert parts == pytest.approx({name: weight / whole for name, weight in weights.items()})
    assert score == pytest.approx(1.0)


def test_a_status_and_a_category_have_the_share_the_page_says(subtests):
    rows = [
        *(("status", name, share) for name, share in (("confirmed", 0.5), ("candidate", 0.0))),
        *(("category", name, 1.0) for name in ("warning", "decision")),
        *(("category", name, 0.75) for name in ("architecture", "preference")),
        *(("category", name, 0.5) for name in ("pattern", "error", "discovery")),
        *(("category", name, 0.0) for name in ("file_change", "task_progress")),
    ]
    for field, value, share in rows:
        with subtests.test(field=field):
            blend = PROFILES["blend"]
            whole = blend(FULL)[1][field]
            assert blend(FULL._replace(**{field: value}))[1][field] == pytest.approx(share * whole)
