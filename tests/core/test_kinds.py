"""Type and category by rule: the same text, the same answer."""

from hypothesis import given
from hypothesis import strategies as st

from memdeck import determine_memory_type
from memdeck.tests.vocabulary import CATEGORIES, TYPES

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
semantic | discovery | The rows come from src/split/reader.py in the order of their dates
semantic | discovery | The berth plan is drawn by lib/renamed/plan.ts alone
episodic | file_change | Split src/rows/reader.py into two modules
"""


def imported(core, rows):
    """The type and the category of texts, when some of the rows (text, category) say the latter."""
    items = [{"content": text, "category": category} for text, category in rows]
    memories = map(core.show, core.import_memories(items).ids)
    return [(memory.content, memory.type, memory.category) for memory in memories]


def test_a_text_gets_the_type_and_category_a_person_would_give_it(open_core):
    lines = [line.split("|") for line in EXAMPLES.strip().splitlines()]
    rows = [tuple(part.strip().replace("~", "\n") for part in line) for line in lines]
    wanted = [(text, kind, category) for kind, category, text in rows]
    assert imported(open_core(), [(text, None) for text, _, _ in wanted]) == wanted
    assert imported(open_core("pier"), [(text, category) for text, _, category in wanted]) == wanted


GUIDED = [
    ("decision", "Postgres for the billing service, MySQL for the rest", "episodic"),
    ("decision", "We always use Postgres for new services", "semantic"),
    ("pattern", "Repositories return frozen dataclasses", "semantic"),
    ("pattern", "Run the linter, then commit, and push at last", "procedural"),
    ("error", "ECONNRESET from the registry mirror", "episodic"),
    ("preference", "Answers without emoji, we decided", "semantic"),
    ("preference", "We decided to always use Postgres", "semantic"),
    ("file_change", "core/util.py is core/text.py", "episodic"),
    ("task_progress", "The importer: parser and tests", "prospective"),
    ("task_progress", "We fixed and merged the importer yesterday", "episodic"),
    ("warning", "The cron container caches DNS", "semantic"),
    ("architecture", "The gateway and its two workers", "semantic"),
    ("discovery", "The limit: 30 requests a minute", "semantic"),
]


def test_a_known_category_guides_the_type(core):
    assert {category for category, _, _ in GUIDED} == set(CATEGORIES)
    assert imported(core, [(text, category) for category, text, _ in GUIDED]) == [
        (text, kind, category) for category, text, kind in GUIDED
    ]


def test_silence_is_semantic_and_a_discovery(core):
    assert imported(core, [("xyzzy", None)]) == [("xyzzy", "semantic", "discovery")]


def test_only_the_beginning_of_a_long_text_counts():
    filler = "word " * (4000 // 5)
    assert determine_memory_type("todo: " + filler) == "prospective"
    assert determine_memory_type(filler + "todo: this") == "semantic"


@given(st.text())
def test_every_text_gets_one_answer(text):
    assert determine_memory_type(text) in set(TYPES) - {"working"}
    assert determine_memory_type(text) == determine_memory_type(text)
