"""Which engines there are and who asks them: settings of the person, never of a project."""

import re
from pathlib import Path

import pytest

from memdeck.core.config.settings import Policy
from memdeck.core.models.reviewers import ModelReviewer, reviewers_for

ROOT = Path(__file__).resolve().parents[2]
LOCAL = 'kind = "openai"\nurl = "http://localhost:11434/v1"\nmodel = "m"'


@pytest.fixture
def opened(open_core, home_path, tmp_path):
    """Write settings of the person's own, and of a repository; the answer is its store."""
    folder = tmp_path / "acme"
    (folder / ".git").mkdir(parents=True)

    def write_and_open(text, project=None):
        (home_path / "config.toml").write_text(text, encoding="utf-8")
        (folder / ".memdeck.toml").write_text(project or "", encoding="utf-8")
        return open_core(folder)

    return write_and_open


@pytest.fixture
def home(opened):
    """The policy that settings make."""
    return lambda text, project=None: opened(text, project).policy


@pytest.fixture
def mistake(opened):
    """The first setting that is ignored for a mistake in it."""
    return lambda text, project=None: opened(text, project).settings_problems()[0]


def engine(text):
    return f"[review.engines.one]\n{text}"


# --- who votes


def test_by_default_the_three_built_in_reviewers_vote_and_nothing_is_asked():
    review = Policy().review
    made = reviewers_for(review, spent=(0.0, 0))
    assert [voter.name for voter in made] == ["analyzer", "patterns", "knowledge-archaeologist"]
    assert not any(isinstance(voter, ModelReviewer) for voter in made)
    assert (review.engines, review.engine_by_reviewer) == ({}, {})
    assert (review.max_cost_usd_per_day, review.max_calls_per_day) == (0.5, 300)


def test_a_reviewer_with_an_engine_asks_it_and_the_others_stay_built_in(home):
    policy = home(
        "[review]\n"
        'reviewers = ["patterns", "analyzer"]\n'
        'engine_by_reviewer = { analyzer = "one", patterns = "built-in" }\n' + engine(LOCAL)
    )
    patterns, analyzer = reviewers_for(policy.review, spent=(0.0, 0))
    assert not isinstance(patterns, ModelReviewer)
    assert isinstance(analyzer, ModelReviewer)
    assert (analyzer.name, analyzer.engine) == ("analyzer", "openai m")
    asks = analyzer.model.engine
    assert (asks.model, asks.url) == ("m", "http://localhost:11434/v1")


# --- a project may not decide what runs


def test_a_project_can_neither_name_programs_nor_spend_money(home, mistake, subtests):
    rows = [
        ("engines", engine('kind = "program"\nprogram = ["./judge"]')),
        ("engines", "[review]\nengines = {}"),
        ("engine_by_reviewer", '[review]\nengine_by_reviewer = { analyzer = "one" }'),
        ("max_cost_usd_per_day", "[review]\nmax_cost_usd_per_day = 100.0"),
        ("max_calls_per_day", "[review]\nmax_calls_per_day = 1"),
    ]
    for name, setting in rows:
        with subtests.test(name=name):
            own = '[review]\nengine_by_reviewer = { analyzer = "one" }\n' + engine(LOCAL)
            assert home(own, project=setting) == home(own)
            ignored = mistake(own, project=setting)
            assert f"`review.{name}` counts in your own config.toml only" in ignored.message
            assert ".memdeck.toml" in ignored.message
            assert "Remove it" in ignored.hint
            if "[review]" in setting:
                home(setting + ("\n" + engine(LOCAL) if "one" in setting else ""))  # one's own may


# --- the manual


def test_the_example_of_the_manual_works(home):
    page = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    example = re.search(r"^## Engines$.*?^```toml\n(.*?)^```$", page, re.M | re.S)
    assert example is not None
    analyzer, patterns, archaeologist = reviewers_for(home(example[1]).review, spent=(0.0, 0))
    assert (analyzer.engine, patterns.engine) == ("claude", "openai llama3.2")
    assert not isinstance(archaeologist, ModelReviewer)
