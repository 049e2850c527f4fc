"""Type and category by rule: the same text, the same answer."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.ingest.kinds import (
    CATEGORY_LEANS,
    LOOKS_AT,
    NEARLY,
    category_of,
    cues,
    memory_type,
    memory_type_with_doubt,
)
from memdeck.core.values import CATEGORIES, TYPES

EXAMPLES = """
prospective | task_progress | TODO: add retry logic to the payment webhook handler
prospective | task_progress | Remind me to rotate the staging certificate next month
prospective | task_progress | We need to migrate the users table to UUID keys later
prospective | task_progress | I plan to replace Celery with a simple queue after the release
prospective | task_progress | Follow up with Dana about the flaky CI runner by Friday
prospective | task_progress | The export endpoint still has to be paginated before 2026-02
procedural | pattern | How to deploy: run make build, then push the tag and wait for CI
procedural | pattern | To deploy the API, run `make release` and then approve the job in GitLab
procedural | pattern | Run uv sync then uv run pytest to get a clean test environment
procedural | pattern | 1. Stop the worker~2. Run the migration~3. Start the worker again
procedural | pattern | To reset the database, run `make db-reset` before the tests
procedural | pattern | Steps to reproduce: open the page, log out, press back twice
episodic | decision | We decided to use Postgres instead of MySQL for the billing service
episodic | decision | Decision: the CLI stays in Python, not Go
episodic | error | Fixed the flaky login test: the clock was not frozen
episodic | error | The build failed with exit code 2 because libpq was missing
episodic | error | TypeError: cannot read properties of undefined in UserCard.tsx
episodic | error | Yesterday the staging database ran out of disk space
episodic | file_change | Renamed core/util.py to core/text.py and updated all imports
semantic | preference | Always use pnpm in this repository, never npm
semantic | preference | From now on answer in German
semantic | preference | I prefer small commits with an imperative subject line
semantic | architecture | The API gateway lives in services/gateway and talks to auth over gRPC
semantic | architecture | The auth middleware depends on the session service and is loaded first
semantic | warning | Never run the seed script against production, it drops all tables
semantic | warning | Careful: the cron container caches DNS, so failover requires a restart
semantic | pattern | All repository classes extend BaseRepository and return frozen dataclasses
semantic | discovery | It turns out the rate limit of the search API is 30 requests a minute
semantic | discovery | Postgres 15 is the only supported database version
semantic | discovery | Staging lives on host db-7
"""


@pytest.mark.parametrize("line", EXAMPLES.strip().splitlines())
def test_a_text_gets_the_type_and_category_a_person_would_give_it(line):
    kind, category, text = (part.strip().replace("~", "\n") for part in line.split("|"))

    assert (memory_type(text), category_of(text)) == (kind, category)
    assert memory_type(text, category) == kind


@pytest.mark.parametrize("phrase", ["todo", "later", "need to", "plan to"])
def test_the_words_of_the_requirement_are_prospective(phrase):
    assert memory_type(f"{phrase} write the release notes") == "prospective"


@pytest.mark.parametrize(
    ("category", "text", "kind"),
    [
        ("decision", "Postgres for the billing service, MySQL for the rest", "episodic"),
        ("decision", "We always use Postgres for new services", "semantic"),
        ("pattern", "Repositories return frozen dataclasses", "semantic"),
        ("pattern", "Run the linter, then commit, and push at last", "procedural"),
        ("error", "ECONNRESET from the registry mirror", "episodic"),
        ("preference", "Answers without emoji, we decided", "semantic"),
        ("file_change", "core/util.py is core/text.py", "episodic"),
        ("task_progress", "The importer: parser and tests", "prospective"),
        ("task_progress", "We fixed and merged the importer yesterday", "episodic"),
        ("warning", "The cron container caches DNS", "semantic"),
        ("architecture", "The gateway and its two workers", "semantic"),
        ("discovery", "The limit: 30 requests a minute", "semantic"),
    ],
)
def test_a_known_category_guides_the_type(category, text, kind):
    assert memory_type(text, category) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Deploys failed yesterday; we need to pin the image later",  # 5 to 5
        "We decided to always use Postgres",
    ],
)
def test_two_types_that_are_nearly_tied_leave_a_doubt(text):
    assert memory_type_with_doubt(text) == (memory_type(text), True)


@pytest.mark.parametrize(
    "text",
    [
        "TODO: add retry logic to the payment webhook handler",
        "Always use pnpm in this repository, never npm",
        "1. Stop the worker\n2. Run the migration",
        "xyzzy",  # nothing speaks for anything but a fact
    ],
)
def test_a_plain_text_leaves_no_doubt(text):
    assert memory_type_with_doubt(text) == (memory_type(text), False)


def test_the_category_may_settle_a_doubt():
    text = "We decided to always use Postgres"
    assert memory_type_with_doubt(text, "preference") == ("semantic", False)


def test_near_is_one_step_of_the_lightest_cue():
    assert NEARLY == min(cue.weight for cue in cues("type")) == 1


def test_silence_is_semantic_and_a_discovery():
    assert (memory_type("xyzzy"), category_of("xyzzy")) == ("semantic", "discovery")
    assert memory_type("xyzzy", "no such category") == "semantic"


def test_only_the_beginning_of_a_long_text_counts():
    filler = "word " * (LOOKS_AT // 5)
    assert memory_type("todo: " + filler) == "prospective"
    assert memory_type(filler + "todo: this") == "semantic"


def test_the_tables_speak_of_known_types_and_categories():
    assert {cue.speaks_for for cue in cues("type")} == set(TYPES) - {"working"}
    assert {cue.speaks_for for cue in cues("category")} == set(CATEGORIES) == set(CATEGORY_LEANS)
    for cue in (*cues("type"), *cues("category")):
        assert cue.weight in (1, 2, 3, 4)
        source = cue.pattern.pattern
        assert source == re.sub(r"(?<!\\)[A-Z]", str.lower, source)  # text is lower-case


@given(st.text(), st.sampled_from([None, *CATEGORIES]))
def test_every_text_gets_one_answer(text, category):
    assert memory_type(text, category) in set(TYPES) - {"working"}
    assert memory_type(text, category) == memory_type(text, category)
    assert category_of(text) in CATEGORIES
