"""Acts on everything that a query matches (`--all`): part by part, and one undo."""

from typing import Any

import pytest

PART = 50  # what one transaction takes, here a tenth


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("services.bulk.PART", "services.transfer.IMPORT_CHUNK"):
        monkeypatch.setattr(f"memdeck.core.{name}", PART)


@pytest.fixture
def many(cli: Any, tmp_path: Any) -> int:
    """More memories with a tag than one transaction takes, and one without it."""
    lines = [
        f'{{"content": "Crane {n} wants a permit", "tags": ["spike"]}}' for n in range(PART + 7)
    ]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join([*lines, '{"content": "The office opens at seven"}']) + "\n")
    assert cli("import", str(path), "--from", "jsonl").code == 0
    return PART + 7


TAGS = ("--add-tag", "crane", "--remove-tag", "spike", "--json")


@pytest.mark.slow
def test_all_that_match_are_changed_in_parts_and_one_undo_takes_it_back(
    cli: Any, many: int, subtests: Any
):
    for act, options, where in (
        ("edit", TAGS, "tag:crane"),
        ("forget", (), "is:retired"),
        ("pin", (), "is:pinned"),
    ):
        with subtests.test(act=act):
            before = len(cli("audit", "--json").lines)
            done = cli(act, "--all", "tag:spike", *options)
            assert (done.code, len(done.out.splitlines())) == (0, many)
            assert "--json" in options or "`memdeck undo` takes it back" in done.err
            assert len(cli("audit", "--json").lines) == before + 2  # of 50 at most each
            assert len(cli("list", where, "--json").lines) == many
            assert cli("undo").code == 0
            assert len(cli("list", "tag:spike", "--json").lines) == many
            assert cli("list", where, "--json").lines == []
