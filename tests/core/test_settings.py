"""Settings: their defaults and ranges, how a mistake is explained, and how one is changed."""

import os
import stat
import tomllib
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from memdeck import BadInput, MemoryCoordinator, Refused, open_memory
from memdeck.core.config.settings import PRESETS, Policy
from memdeck.core.services.settings import ESSENTIAL

Configured = Callable[..., MemoryCoordinator]

MINE = """\
# how I like it
auto_memory = true  # always

[recall]
# not too much
top_k = 20 # twenty
unproven = "never"

[app]
keymap = { "memory.pin" = "P" }
"""


def book(core):
    return core.services.settings_book


@pytest.fixture
def config(home_path, core):
    return home_path / "config.toml"


# -- reading


def test_without_files_everything_has_its_default(core):
    assert core.policy == Policy.with_preset({}) == Policy()
    assert core.settings_problems() == []
    settings = book(core).settings()
    assert [one.key for one in settings[: len(ESSENTIAL)]] == list(ESSENTIAL)
    assert all(
        one.about and one.source == "default" and one.value == one.default for one in settings
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_fills_what_is_not_set(configured, preset):
    numbers = PRESETS[preset]
    promotion = configured(f'preset = "{preset}"').policy.promotion
    assert {name: getattr(promotion, name) for name in numbers} == dict(numbers)
    own = f'preset = "{preset}"\n[promotion]\nmin_points = 7\n[recall]\nunproven = "always"'
    policy = configured(own).policy
    assert (policy.promotion.min_points, policy.recall.unproven) == (7, "always")


def test_a_project_overrides_home_value_by_value(configured):
    own = "[recall]\ntop_k = 20\nmax_pinned = 3\n[app.keymap]\n'a.b' = 'x'"
    policy = configured(own, "[recall]\ntop_k = 9\n[app.keymap]\n'a.b' = 'z'").policy
    assert (policy.recall.top_k, policy.recall.max_pinned) == (9, 3)
    assert policy.app.keymap == {"a.b": "x"}  # how the app looks is the home's alone
    broken = configured("[recall]\ntop_k = 9", "[recall]\ntop_k = 1000\nmax_pinned = 2").policy
    assert (broken.recall.top_k, broken.recall.max_pinned) == (9, 2)


def test_every_number_may_be_at_both_ends_of_its_range_and_not_beyond(core, configured):
    numbers = [one for one in book(core).settings() if one.rule.kind in ("whole", "number")]
    assert numbers
    for end, step in (("low", -1), ("high", 1)):
        at = {one.key: getattr(one.rule, end) for one in numbers}
        inside = configured("\n".join(f"{key} = {value}" for key, value in at.items()))
        assert inside.settings_problems() == []
        values = {one.key: one.value for one in book(inside).settings()}
        assert {key: values[key] for key in at} == at
        outside = configured("\n".join(f"{key} = {value + step}" for key, value in at.items()))
        assert outside.policy == Policy()
        problems = str(outside.settings_problems())
        assert [key for key in at if f"`{key}` is " not in problems] == []


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("[recall]\ntop_kk = 3", "`recall.top_kk` is no setting", "`recall.top_k`"),
        ("[nonsense]\nx = 1", "`nonsense` is no setting", "Remove it"),
        ("[recall]\ntop_k = 1000", "`recall.top_k` is 1000, but it is 1 to 100", "Change"),
        ('[recall]\ntop_k = "9"', "`recall.top_k` is '9', but", "remove it for the default"),
        ("[recall]\ntop_k = true", "`recall.top_k` is True, but", "Change"),
        ("recall = 1", "`recall` is 1, but it is a table", "Change"),
        ('preset = "bold"', "`preset` is 'bold', but it is one of", "Change"),
        ("preset = []", "`preset` is [], but", "Change"),
        ('[app]\ntheme = "../x/y"', "`app.theme` is '../x/y', but", "Change"),
        ('[app.keymap]\n"a.b" = 1', "`app.keymap.a.b` is 1, but", "Change"),
        ('[redaction]\nkeep_emails = ["a@b.c", 1]', "`redaction.keep_emails.1` is 1", "Change"),
        ('[hooks]\nevents = ["tools"]', "`hooks.events.0` is 'tools', but", "Change"),
        ('[review]\nreviewers = ["a"]', "there is no reviewer 'a'", "Change"),
        (
            '[review.engines.far]\nkind = "openai"\nurl = "http://far.example"\nmodel = "m"',
            "`review.engines.far.url` is 'http://far.example', but texts would cross",
            "Change",
        ),
        ('[review.engines.far]\nurl = "https://a.b"', "it needs `kind`", "Change"),
        (
            '[review.engine_by_reviewer]\nanalyser = "built-in"',
            "`review.engine_by_reviewer.analyser` is 'analyser', but",
            "Change",
        ),
        ('[review.engine_by_reviewer]\nanalyzer = "far"', "no engine is called `far`", "Change"),
        ('[extractor]\nengine = "oracle"', "no engine is called `oracle`", "Change"),
        ('[review.engines.own]\nkind = "program"\nprogram = "/bin/cat"', 'as in ["…"]', "Change"),
    ],
)
def test_a_mistake_costs_one_setting_and_is_explained(configured, home_path, text, says, hint):
    core = configured(f"auto_memory = false\n{text}")
    [problem] = core.settings_problems()
    assert problem.message.startswith(str(home_path / "config.toml"))
    assert says in problem.message
    assert hint in problem.hint
    assert core.policy == Policy(auto_memory=False)


def test_a_file_that_cannot_be_read_is_an_error_not_a_default(core, configured, home_path):
    broken = configured("auto_memory = false\ntop_k = ")
    with pytest.raises(BadInput, match=r"config\.toml is not valid TOML: .*line 2"):
        _ = broken.policy
    with pytest.raises(BadInput, match="nested too deeply"):
        _ = configured("x = " + "[" * 50_000).policy
    config = home_path / "config.toml"
    core.context.reload_policy()
    config.write_bytes(b'preset = "\xff"')
    with pytest.raises(BadInput, match="UTF-8"):
        _ = core.policy
    config.unlink()
    config.symlink_to("/dev/zero")  # as a project's file may be that a clone brought along
    with pytest.raises(BadInput, match="it is no file"):
        _ = core.policy
    assert configured("\ufeff[recall]\r\ntop_k = 9").policy.recall.top_k == 9


def test_a_project_may_store_less_than_its_owner_but_run_and_send_nothing(configured):
    for name in ("keep_prompts", "keep_told"):
        off, on = (f"[recall]\n{name} = {value}" for value in ("false", "true"))
        core = configured(off, on)
        assert not getattr(core.policy.recall, name)
        assert f"`recall.{name}` would loosen yours" in str(core.settings_problems())
        assert not getattr(configured("", off).policy.recall, name)
    for own in ('hooks.events = ["prompts"]', 'extractor.engine = "claude"', "app.glyphs = 'ascii'",
                "redaction.emails = false", "review.max_calls_per_day = 1"):  # fmt: skip
        core = configured(None, own)
        assert core.policy == Policy()
        [problem] = core.settings_problems()
        assert "config.toml only" in problem.message
        assert configured(own).settings_problems() == []


LOOSER = """
preset = "aggressive"
recall.unproven = "always"
promotion.min_points = 1
promotion.min_importance = 0.0
promotion.min_length = 0
recall.top_k = 100
recall.max_budget_tokens = 50000
recall.private_days = 1
recall.max_pinned = 20
recall.min_importance = 1
lifecycle.max_memories = 100
working.prompts = "turn"
review.reviewers = ["patterns"]
capture.learn = true | capture.learn = false
auto_memory = true | auto_memory = false
preset = "balanced" | preset = "conservative"
recall.max_pinned = 4 | recall.max_pinned = 2
recall.unproven = "asked" | preset = "conservative"
"""  # a repository's setting | the user's
TIGHTER = [
    'preset = "conservative"', 'recall.unproven = "never"', "promotion.min_points = 9",
    "recall.max_budget_tokens = 100", "capture.learn = false", "auto_memory = false",
    "recall.profile_share = 0.0", "recall.min_importance = 10", "recall.max_pinned = 0",
]  # fmt: skip


def test_a_repository_tightens_settings_and_never_loosens_them(configured, subtests):
    for line in LOOSER.split("\n")[1:-1]:
        project, _, own = line.partition(" | ")
        with subtests.test(project=project, own=own):
            core = configured(own, project)
            assert core.policy == configured(own).policy
            assert project.partition(" ")[0] in str(configured(own, project).settings_problems())
    for project in TIGHTER:
        with subtests.test(project=project):
            core = configured("", project)
            assert core.policy == configured(project).policy != Policy()
            assert configured("", project).settings_problems() == []


# -- changing


def test_a_change_is_written_where_it_stands_and_undo_brings_the_file_back(core, config):
    config.write_text(MINE)
    assert book(core).put("recall.top_k", "30")
    assert config.read_text() == MINE.replace("top_k = 20 #", "top_k = 30 #")
    assert not book(core).put("recall.top_k", "30")
    assert book(core).setting("recall.top_k").source == "yours"
    [entry] = core.audit(action="config")
    assert entry.title == "recall.top_k: 20 → 30"

    book(core).put("recall.max_pinned", "3")
    book(core).put("review.rule", "consensus")
    book(core).put("app.keymap.memory.forget", "x,delete")
    text = config.read_text()
    assert "max_pinned = 3\n" in text
    assert '[review]\nrule = "consensus"\n' in text
    assert core.policy.app.keymap == {"memory.pin": "P", "memory.forget": "x,delete"}

    for _ in range(4):
        core.undo()
    assert config.read_text() == MINE
    core.redo()
    assert core.policy.recall.top_k == 30
    core.rebuild()
    core.undo()
    assert core.policy.recall.top_k == 20


def test_default_takes_a_setting_out_and_ends_a_choice_in_the_store(core, config):
    book(core).put("recall.top_k", "30")
    assert book(core).put("recall.top_k", "default")
    assert config.read_text() == ""
    core.set_ceiling(900)
    assert book(core).setting("recall.max_budget_tokens").value == 900
    assert book(core).put("recall.max_budget_tokens", "default")
    assert book(core).setting("recall.max_budget_tokens").value == 5000
    assert not book(core).put("recall.max_budget_tokens", "default")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("recall.max_budget_tokens", "3,000", 3000),
        ("auto_memory", "off", False),
        ("review.reviewers", "analyzer, security", ("analyzer", "security")),
        ("redaction.keep_emails", "me@example.org", ("me@example.org",)),
        ("extractor.engine", "claude", "claude"),
    ],
)
def test_a_value_is_read_as_people_write_it(core, key, text, value):
    assert book(core).put(key, text)
    assert book(core).setting(key).value == value


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("recall.top_k", "many", "1 to 100"),
        ("recall.top_k", "101", "1 to 100"),
        ("auto_memory", "perhaps", "true or false"),
        ("preset", "bold", "conservative, balanced, aggressive"),
        ("review.reviewers", "analyzer, nobody", "nobody"),
        ("hooks.events", "turns, dreams", "dreams"),
        ("app.keymap", "{ undo", "a table"),
        ("extractor.engine", "oracle", "no engine is called"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_what_does(core, config, key, text, says):
    with pytest.raises(BadInput, match=says):
        book(core).put(key, text)
    assert not config.exists()


def test_where_a_value_comes_from(home_path, tmp_path):
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / ".memdeck.toml").write_text("[recall]\ntop_k = 9\n[redaction]\nemails = false\n")
    with open_memory(home_path, folder) as core:
        (home_path / "config.toml").write_text("[recall]\ntop_k = 20\nmax_pinned = 3\n")
        core.set_preset("aggressive")
        settings = {one.key: one for one in book(core).settings()}

    assert (settings["recall.top_k"].value, settings["recall.top_k"].source) == (9, "project")
    assert ".memdeck.toml" in settings["recall.top_k"].overridden
    assert settings["recall.max_pinned"].source == "yours"
    assert settings["preset"].source == "chosen"
    assert settings["promotion.min_points"].default == 2  # the preset's
    assert settings["redaction.emails"].value is True


def test_no_secret_and_no_agent_changes_settings(core, open_core, home_path):
    secret = "ghp_" + "a8Zk2Lm9Qw3Rt5Yu7Io1Pa4Sd6Fg8Hj0Kl2Z"[:36]
    with pytest.raises(Refused, match="looks like a secret"):
        book(core).put("app.keymap.memory.pin", secret)
    files = [one.read_bytes() for one in home_path.rglob("*") if one.is_file()]
    assert not any(secret.encode() in one for one in files)
    with pytest.raises(Refused, match="user"):
        book(open_core(actor="agent")).put("recall.top_k", "30")


def test_what_was_changed_by_hand_since_is_not_undone(core, config):
    book(core).put("recall.top_k", "30")
    config.write_text("[recall]\ntop_k = 31 # mine\n")
    with pytest.raises(Refused, match="changed since"):
        core.undo()
    assert config.read_text() == "[recall]\ntop_k = 31 # mine\n"
    assert core.audit()[0].undone_by is None


def test_a_new_file_is_private_a_link_stays_one_and_rights_stay(core, config, tmp_path):
    book(core).put("recall.top_k", "30")
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    mine = tmp_path / "dotfiles.toml"
    mine.write_text(MINE)
    mine.chmod(0o644)
    config.unlink()
    os.symlink(mine, config)
    book(core).put("recall.top_k", "30")
    assert config.is_symlink()
    assert "top_k = 30 # twenty" in mine.read_text()
    assert stat.S_IMODE(mine.stat().st_mode) == 0o644


def test_a_failed_write_leaves_file_and_journal_as_they_were(core, config, monkeypatch):
    config.write_text(MINE)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
        with pytest.raises(Refused, match="cannot be written"):
            book(core).put("recall.top_k", "30")
    assert core.audit(action="config") == []
    config.write_text("[recall\n")
    core.remember("The harbour office opens at seven in winter.")
    with pytest.raises(BadInput, match="not valid TOML"):
        book(core).put("recall.top_k", "30")
    core.undo()
    assert core.list() == []


@pytest.mark.parametrize(
    "text",
    [
        "recall.top_k = 5\nrecall.max_pinned = 2\n",
        "[recall]\ntop_k = 5",
        'recall = { top_k = 5, unproven = "never" } # inline\n',
        "a = '''\n[recall]\ntop_k = 1\n'''\n[recall]\ntop_k = 5\n",
        "[recall]\r\ntop_k = 5 # windows\r\n",
        "[[hooks]]\nx = 1\n",
        "[ recall ]\n'top_k' = 5\n[recall.sub]\ny = 1\n",
    ],
)
def test_however_a_file_is_written_the_value_changes_and_comes_back(core, config, text):
    config.write_text(text, newline="")
    before = tomllib.loads(text)
    book(core).put("recall.top_k", "7")
    now = tomllib.loads(config.read_text())
    assert now["recall"] == {**before.get("recall", {}), "top_k": 7}
    core.undo()
    assert tomllib.loads(config.read_text()) == before
