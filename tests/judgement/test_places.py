"""Whoever fetches the sessions can fit again: each labelled and gold session says where it lies."""

import json
import re
from pathlib import Path

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "training"
FILES = sorted([*TRAINING.glob("labels/*.json"), *TRAINING.glob("gold/*.json")])
RESERVED = {
    "specstoryai/getspecstory",
    "edobry/minsky",
    "Esdeveniments/esdeveniments-frontend",
    "Soph/energy-import-export",
    "Wood-Q/MokioFactory",
}
"""Projects of the final measurement, which nobody labels."""


def sessions_of(file):
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_each_session_has_a_project_a_path_and_a_blob(file):
    for one in sessions_of(file):
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", one["project"]), one["name"]
        assert one["path"].strip(), one["name"]
        assert re.fullmatch(r"[0-9a-f]{40}", one["blob"]), one["name"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_nothing_but_places_hashes_and_grades_stands_there(file):
    for one in sessions_of(file):
        evidence = [e for memory in one.get("memories", ()) for e in memory["evidence"]]
        for line, mark, *grade in [*one.get("sentences", ()), *evidence]:
            assert line > 0
            assert re.fullmatch(r"[0-9a-f]{10}", mark)
            assert not grade or (
                grade[0] in (0, 1, 2) and grade[1] in ("", "own", "pasted", "host")
            )


def test_one_name_means_one_transcript_and_no_reserved_project_is_there():
    places = {}
    for file in FILES:
        for one in sessions_of(file):
            assert one["project"] not in RESERVED
            place = (one["project"], one["blob"], str(one.get("part")))
            assert places.setdefault(one["name"], place) == place


@pytest.mark.parametrize("name", ["fresh", "blind"])
def test_gold_that_nobody_had_looked_at_is_of_projects_without_labels(name):
    labelled = {
        one["project"] for f in FILES if f.parent.name == "labels" for one in sessions_of(f)
    }
    gold = sessions_of(TRAINING / f"gold/{name}.json")
    assert labelled.isdisjoint(one["project"] for one in gold)
