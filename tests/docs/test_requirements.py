"""The table of requirements names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(
    r"^\| (00[0-4]-\d\d) \| .+ \| (.+) \|$",
    (ROOT / "docs" / "dev" / "requirements.md").read_text("utf-8"),
    re.MULTILINE,
)


def test_every_requirement_has_a_row():
    assert len({identifier for identifier, _ in ROWS}) == len(ROWS) == 147


def test_every_named_test_exists(subtests):
    for identifier, tests in ROWS:
        with subtests.test(identifier=identifier):
            names = re.findall(r"`([\w/]+\.py)::(\w+)`", tests)
            assert len(names) == tests.count("`") // 2 > 0  # each names one test
            for path, function in names:
                assert f"def {function}(" in (ROOT / "tests" / path).read_text("utf-8")
