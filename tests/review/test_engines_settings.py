"""Which engines there are and who asks them: settings of the person, never of a project."""

import re
from pathlib import Path

import pytest

from memdeck.core.config.policy import REVIEWERS, EnginePolicy, Policy
from memdeck.core.config.schema import rules_of
from memdeck.core.models.reviewers import SCORERS, ModelReviewer, reviewers_for

ROOT = Path(__file__).resolve().parents[2]
CLAUDE = {"kind": "claude"}
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


def test_every_reviewer_can_be_built_in_and_can_ask_a_model():
    names = set(REVIEWERS)
    assert names == set(SCORERS)
    policy = Policy.of({"review": {"reviewers": sorted(names)}})
    made = reviewers_for(policy.review, spent=(0.0, 0))
    assert [voter.name for voter in made] == sorted(names)
    asking = {"engine_by_reviewer": dict.fromkeys(names, "one"), "engines": {"one": CLAUDE}}
    review = {"reviewers": sorted(names), **asking}
    made = reviewers_for(Policy.of({"review": review}).review, spent=(0.0, 0))
    assert [type(voter) for voter in made] == [ModelReviewer] * len(names)


def test_an_agent_is_an_engine_without_further_words(home):
    policy = home(
        '[review]\nengine_by_reviewer = { analyzer = "one" }\n' + engine('kind = "claude"')
    )
    asks = reviewers_for(policy.review, spent=(0.0, 0))[0].model.engine
    assert (asks.kind, asks.model, asks.program) == ("claude", "", ())


def test_who_votes_is_checked(home, mistake, subtests):
    rows = [
        ("[]", "1 to 8"),
        ('["analyzer", "analyzer"]', "each reviewer votes once"),
        ('["critic"]', "'analyzer', 'patterns'"),
        ('"analyzer"', "review.reviewers"),
    ]
    for reviewers, says in rows:
        with subtests.test(reviewers=reviewers):
            text = f"[review]\nreviewers = {reviewers}"
            assert says in mistake(text).message
            assert home(text) == Policy()


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


def test_a_project_may_still_say_who_votes_and_how(home):
    own = '[review]\nengine_by_reviewer = { analyzer = "one" }\n' + engine(LOCAL)
    policy = home(own, project='[review]\nreviewers = ["security", "analyzer"]\ntimeout_s = 9')
    security, analyzer = reviewers_for(policy.review, spent=(0.0, 0))
    assert (security.name, policy.review.timeout_s) == ("security", 9)
    assert isinstance(analyzer, ModelReviewer)


def test_a_project_opened_with_a_core_is_held_to_that(open_core, tmp_path):
    project = tmp_path / "ship"
    (project / ".git").mkdir(parents=True)
    (project / ".memdeck.toml").write_text(engine('kind = "claude"'), encoding="utf-8")
    core = open_core(str(project))
    assert core.policy == Policy()
    [ignored] = core.settings_problems()
    assert "counts in your own" in ignored.message


# --- engines are checked where they are named


def test_an_engine_that_cannot_work_is_explained_and_not_asked(home, mistake, subtests):
    rows = [
        ('kind = "gpt"', "`review.engines.one.kind` is 'gpt'"),
        ('model = "m"', "it needs `kind`"),
        ('kind = "program"', "kind `program` needs `program`"),
        ('kind = "program"\nprogram = []', "kind `program` needs `program`"),
        ('kind = "program"\nprogram = [""]', "a program is named by"),
        ('kind = "program"\nprogram = ["./judge"]', "a program is named by"),
        ('kind = "program"\nprogram = ["bin/judge"]', "a program is named by"),
        ('kind = "program"\nprogram = "judge --fast"', "review.engines.one.program"),
        ('kind = "program"\nprogram = ["judge"]\nmodel = "m"', "takes no `model`"),
        ('kind = "claude"\nprogram = ["judge"]', "kind `claude` takes no `program`"),
        ('kind = "codex"\nurl = "https://a.example"', "kind `codex` takes no `url`"),
        ('kind = "gemini"\nkey_variable = "KEY"', "kind `gemini` takes no `key_variable`"),
        ('kind = "openai"\nmodel = "m"', "kind `openai` needs `url`"),
        ('kind = "openai"\nurl = "https://a.example"', "kind `openai` needs `model`"),
        ('kind = "openai"\nmodel = "m"\nurl = "http://a.example/v1"', "unencrypted"),
        ('kind = "openai"\nmodel = "m"\nurl = "https://u:p@a.example"', "no password"),
        ('kind = "claude"\nmodel = "--dangerous"', "review.engines.one.model"),
        ('kind = "claude"\nmodel = "two words"', "review.engines.one.model"),
        ('kind = "claude"\nusd_per_call = -1', "review.engines.one.usd_per_call"),
        ('kind = "claude"\nusd_per_call = 100.5', "review.engines.one.usd_per_call"),
    ]
    for text, says in rows:
        with subtests.test(text=text):
            ignored = mistake(engine(text))
            assert says in ignored.message
            assert ignored.hint
            assert home(engine(text)).review.engines == {}


@pytest.mark.parametrize(
    "text",
    [
        'kind = "claude"\nmodel = "haiku"\nusd_per_call = 0',
        'kind = "opencode"\nmodel = "acme/small-1.5:free"',
        'kind = "program"\nprogram = ["judge", "-m", "x"]\nusd_per_call = 100',
        'kind = "program"\nprogram = ["/opt/judge"]',
        'kind = "program"\nprogram = ["~/bin/judge"]',
        LOCAL,
        'kind = "openai"\nmodel = "@cf/meta/llama-3.1-8b"\nurl = "https://a.example"',
    ],
)
def test_an_engine_that_can_work_is_taken(home, text):
    assert list(home(engine(text)).review.engines) == ["one"]


def test_an_engine_has_a_plain_name(home, mistake, subtests):
    for name in ["", "two words", "x" * 41, "a/b"]:
        with subtests.test(name=name):
            text = f'[review.engines."{name}"]\nkind = "claude"'
            assert "review.engines" in mistake(text).message
            assert home(text) == Policy()


def test_a_reviewer_can_only_ask_an_engine_that_is_there(home, mistake):
    text = '[review]\nengine_by_reviewer = { analyzer = "two" }\n' + engine('kind = "claude"')
    assert "no engine is called `two`; there are `built-in`, `one`" in mistake(text).message
    assert (list(home(text).review.engines), home(text).review.engine_by_reviewer) == (["one"], {})


def test_only_a_reviewer_can_be_given_an_engine(home, mistake):
    text = '[review]\nengine_by_reviewer = { critic = "built-in", analyzer = "built-in" }'
    assert "review.engine_by_reviewer.critic" in mistake(text).message
    assert home(text).review.engine_by_reviewer == {"analyzer": "built-in"}


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('kind = "claude"\nmodle = "m"', "`review.engines.one.model`"),
        ('kind = "claude"\nkey_varable = "m"', "`review.engines.one.key_variable`"),
    ],
)
def test_a_misspelt_field_of_an_engine_is_corrected(home, mistake, text, hint):
    assert hint in mistake(engine(text)).hint
    assert list(home(engine(text)).review.engines) == ["one"]


def test_a_key_in_place_of_its_variable_is_refused_without_being_repeated(mistake):
    key = "sk" + "-ant-" + "api03-" + "Zq7Rk2Lw9Tx4Vb6Nc1Md8Pf3Hs5Jg0YaUeIoZq7Rk2Lw9Tx4Vb6N"
    ignored = mistake(
        engine(f'kind = "openai"\nmodel = "m"\nurl = "https://a.example"\nkey_variable = "{key}"')
    )
    assert "review.engines.one.key_variable" in ignored.message
    assert key[10:40] not in str(ignored)


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [("max_cost_usd_per_day", 0, 1_000), ("max_calls_per_day", 0, 100_000)],
)
def test_the_ranges_of_the_limits_hold_at_both_ends(home, mistake, key, low, high):
    for value in (low, high):
        assert getattr(home(f"[review]\n{key} = {value}").review, key) == value
    for value in (low - 1, high + 1):
        assert f"`review.{key}` is {value}, but" in mistake(f"[review]\n{key} = {value}").message


# --- the manual


def test_every_field_of_an_engine_has_its_manual():
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    section = page.partition("\n## Engines\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| \S", section, re.M))
    assert set(rows) == set(rules_of(EnginePolicy))
    for name, rule in rules_of(EnginePolicy).items():
        default = None if rule.is_required else rule.default
        shown = {"": '`""`', (): "`[]`", None: "none"}.get(default, "none")
        assert rows[name] == shown


def test_the_example_of_the_manual_works(home):
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    example = re.search(r"^## Engines$.*?^```toml\n(.*?)^```$", page, re.M | re.S)
    assert example is not None
    analyzer, patterns, archaeologist = reviewers_for(home(example[1]).review, spent=(0.0, 0))
    assert (analyzer.engine, patterns.engine) == ("claude", "openai llama3.2")
    assert not isinstance(archaeologist, ModelReviewer)
