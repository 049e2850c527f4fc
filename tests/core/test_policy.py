"""Settings: what they may be, what they are by default, and how a mistake is explained."""

from dataclasses import fields
from typing import get_args

import pytest
from pydantic import BaseModel, ValidationError

from memdeck.core.config.limits import CHOICES, RANGES, RecallLimits
from memdeck.core.config.policy import PRESETS, Policy
from memdeck.core.config.settings import load_policy, load_settings, read_settings
from memdeck.db.errors import BadInput

RecallPolicy = type(Policy().recall)


@pytest.fixture
def write(tmp_path):
    """Write a settings file; the answer is its path."""

    def put(text, name="config.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return put


def all_fields(model=Policy, path=""):
    for name, field in model.model_fields.items():
        yield f"{path}{name}", field
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from all_fields(field.annotation, f"{path}{name}.")


def test_without_files_everything_has_its_default(tmp_path):
    policy = load_policy([str(tmp_path / "none.toml")])
    assert policy == load_policy([]) == Policy()
    assert policy.preset == "balanced"
    assert policy.auto_memory
    assert policy.review.rule == "panel"
    assert policy.review.timeout_s == 2.0  # 000-28
    assert policy.capture.min_length == 50  # 000-22
    assert policy.capture.max_length == 500


@pytest.mark.parametrize(
    ("preset", "numbers"),
    [("conservative", (4, 0.4, 50)), ("balanced", (3, 0.25, 30)), ("aggressive", (2, 0.15, 20))],
)
def test_each_preset_has_its_numbers(write, preset, numbers):
    """002-05."""
    policy = load_policy([write(f'preset = "{preset}"')])
    promotion = policy.promotion
    assert (promotion.min_points, promotion.min_importance, promotion.min_length) == numbers


def test_what_is_set_wins_over_the_preset(write):
    policy = load_policy([write('preset = "conservative"\n[promotion]\nmin_points = 2')])
    assert (policy.promotion.min_points, policy.promotion.min_length) == (2, 50)


def test_the_preset_of_a_project_leaves_what_home_set(write):
    home = write("[promotion]\nmin_points = 7")
    project = write('preset = "aggressive"', ".memdeck.toml")
    policy = load_policy([home, project])
    assert (policy.promotion.min_points, policy.promotion.min_length) == (7, 20)


def test_a_project_overrides_home_value_by_value(write):
    home = write('[recall]\ntop_k = 20\nmax_pinned = 3\n[app.keymap]\n"a.b" = "x"\n"c.d" = "y"')
    project = write('[recall]\ntop_k = 9\n[app.keymap]\n"a.b" = "z"', ".memdeck.toml")
    policy = load_policy([home, project])
    assert (policy.recall.top_k, policy.recall.max_pinned) == (9, 3)
    assert policy.app.keymap == {"a.b": "z", "c.d": "y"}


def test_recall_has_the_names_defaults_and_choices_of_the_limits():
    names = set(RecallPolicy.model_fields) - {
        "keep_prompts",
        "keep_told",
    }  # what is kept is no limit
    assert names == {field.name for field in fields(RecallLimits)}
    assert Policy().recall.limits() == RecallLimits()
    for name, words in CHOICES.items():
        assert get_args(RecallPolicy.model_fields[name].annotation) == words


@pytest.mark.parametrize("name", sorted(RANGES))
def test_the_ranges_of_recall_hold_at_both_ends(name):
    low, high = RANGES[name]
    for value in (low, high):
        policy = RecallPolicy.model_validate({name: value})
        assert getattr(policy.limits(), name) == value
        assert policy.limits() == RecallLimits.from_mapping({name: value})
    for value in (low - 1, high + 1):
        with pytest.raises(ValidationError):
            RecallPolicy.model_validate({name: value})


@pytest.mark.parametrize(
    ("table", "key", "low", "high"),
    [
        ("capture", "min_length", 0, 500),
        ("capture", "max_length", 50, 4_000),
        ("promotion", "min_points", 1, 20),
        ("promotion", "min_importance", 0, 1),
        ("promotion", "min_length", 0, 500),
        ("review", "consensus_score", 0, 10),
        ("review", "timeout_s", 0.1, 30),
    ],
)
def test_other_ranges_hold_at_both_ends_too(write, table, key, low, high):
    for value in (low, high):
        policy = load_policy([write(f"[{table}]\n{key} = {value}")])
        assert getattr(getattr(policy, table), key) == value
    for value in (low - 1, high + 1):
        settings = load_settings([write(f"[{table}]\n{key} = {value}")])
        assert settings.policy == Policy()
        assert f"`{table}.{key}` is {value}, but" in str(settings.ignored)


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("[recall]\ntop_kk = 3", "`recall.top_kk` is no setting", "`recall.top_k`"),
        ("recal = 1", "`recal` is no setting", "`recall`"),
        ("[nonsense]\nx = 1", "`nonsense` is no setting", "Remove it"),
        ("[recall]\ntop_k = 1000", "`recall.top_k` is 1000, but", "Change `recall.top_k`"),
        ('[recall]\ntop_k = "9"', "`recall.top_k` is '9', but", "remove it for the default"),
        ("[recall]\ntop_k = true", "`recall.top_k` is True, but", "Change"),
        ("recall = 1", "`recall` is 1, but", "Change"),
        ("promotion = 1", "`promotion` is 1, but", "Change"),
        ('preset = "bold"', "`preset` is 'bold', but", "Change"),
        ("preset = []", "`preset` is [], but", "Change"),
        ('[review]\nrule = "coin"', "`review.rule` is 'coin', but", "Change"),
        ('[app]\ntheme = "../x/y"', "`app.theme` is '../x/y', but", "Change"),
        ('[app.keymap]\n"a.b" = 1', "`app.keymap.a.b` is 1, but", "Change"),
        (
            '[redaction]\nkeep_emails = ["a@b.c", 1]',
            "`redaction.keep_emails.1` is 1, but",
            "Change",
        ),
        ('[hooks]\nevents = ["tools"]', "`hooks.events.0` is 'tools', but", "Change"),
        (
            '[review.engines.far]\nkind = "openai"\nurl = "http://far.example"\nmodel = "m"',
            "`review.engines.far.url` is 'http://far.example', but",
            "Change",
        ),
        (
            '[review.engine_by_reviewer]\nanalyser = "built-in"',
            "`review.engine_by_reviewer.analyser.[key]` is 'analyser', but",
            "Change",
        ),
    ],
)
def test_a_mistake_costs_one_setting_and_is_explained_by_file_key_and_remedy(
    write, text, says, hint
):
    path = write(f"auto_memory = false\n{text}")
    settings = load_settings([path])
    [ignored] = settings.ignored
    assert ignored.message.startswith(path)
    assert says in ignored.message
    assert hint in ignored.hint
    assert settings.policy == Policy(auto_memory=False)


def test_the_settings_beside_a_mistake_count(write):
    text = """
        auto_memory = false
        oops = 1
        [app]
        glyphs = "x"
        theme = "memdeck-light"
        [app.keymap]
        "a.b" = "x"
        "c.d" = 1
        [recall]
        top_k = 1000
        max_pinned = 3
        [review.engines.near]
        kind = "claude"
        usd_per_cal = 1
        [review.engines.far]
        kind = "openai"
        url = "http://far.example"
        [review.engine_by_reviewer]
        analyzer = "near"
        patterns = "far"
        """
    settings = load_settings([write(text)])
    policy = settings.policy
    assert not policy.auto_memory
    assert (policy.app.theme, policy.app.keymap) == ("memdeck-light", {"a.b": "x"})
    assert (policy.recall.top_k, policy.recall.max_pinned) == (RecallLimits().top_k, 3)
    assert list(policy.review.engines) == ["near"]
    told = " ".join(map(str, settings.ignored))
    for name in ("oops", "app.glyphs", "keymap.c.d", "recall.top_k", "near.usd_per_cal", "far.url"):
        assert name in told
    assert "no engine is called `far`" in told


def test_a_file_that_is_no_toml_is_said_with_its_line(write):
    path = write("auto_memory = false\ntop_k = ")
    with pytest.raises(BadInput, match=r"config\.toml is not valid TOML: .*line 2") as caught:
        load_policy([path])
    assert caught.value.hint == "Correct that line."
    with pytest.raises(BadInput, match="nested too deeply"):
        load_policy([write("x = " + "[" * 50_000)])


def test_the_file_with_the_mistake_is_the_one_named(write):
    home, project = write("[recall]\ntop_k = 9"), write("oops = 1", ".memdeck.toml")
    settings = load_settings([home, project])
    assert [".memdeck.toml: `oops`" in one.message for one in settings.ignored] == [True]
    assert settings.policy.recall.top_k == 9


def test_a_value_of_a_project_that_does_not_fit_leaves_the_persons_own(write):
    home = write("[recall]\ntop_k = 9")
    project = write("[recall]\ntop_k = 1000\nmax_pinned = 2", ".memdeck.toml")
    recall = load_policy([home, project]).recall
    assert (recall.top_k, recall.max_pinned) == (9, 2)


def test_a_file_that_cannot_be_read_is_an_error_not_a_default(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_settings(str(tmp_path))
    broken = tmp_path / "config.toml"
    broken.write_bytes(b'preset = "\xff"')
    with pytest.raises(BadInput, match="UTF-8"):
        read_settings(str(broken))


def test_a_long_value_is_cut_in_the_message(write):
    [ignored] = load_settings([write(f'preset = "{"x" * 500}"')]).ignored
    assert len(ignored.message) < 300


def test_settings_cannot_be_changed_behind_ones_back():
    with pytest.raises(ValidationError):
        Policy().preset = "aggressive"


def test_every_setting_has_its_manual():
    for path, field in all_fields():
        assert field.description, path


def test_the_presets_are_those_that_can_be_chosen():
    assert set(PRESETS) == set(get_args(Policy.model_fields["preset"].annotation))


@pytest.mark.parametrize("name", ["keep_prompts", "keep_told"])
def test_a_project_may_keep_less_of_what_was_said_than_its_owner_but_not_more(write, name):
    home = write(f"[recall]\n{name} = false")
    project = write(f"[recall]\n{name} = true", ".memdeck.toml")
    settings = load_settings([home, project])
    assert not getattr(settings.policy.recall, name)
    assert f"`recall.{name}` can only be switched off here" in str(settings.ignored)
    assert getattr(load_policy([project]).recall, name)
    stricter = write(f"[recall]\n{name} = false", ".memdeck.toml")
    assert not getattr(load_policy([write(""), stricter]).recall, name)


def test_events_are_named_by_known_groups_in_the_persons_own_file_only(write):
    chosen = write('[hooks]\nevents = ["prompts", "files"]\n')
    assert load_policy([chosen]).hooks.events == ["prompts", "files"]
    assert load_policy([write("[hooks]\nevents = []\n")]).hooks.events == []
    known, [ignored] = read_settings(chosen, is_project=True)
    assert known == {}
    assert "config.toml only" in ignored.message


def test_a_setting_that_never_had_an_effect_is_passed_over(write):
    """Files written when it was in the manual stay good."""
    path = write("[capture]\nmax_written_length = 9000\nmax_length = 400")
    assert load_policy([path]).capture.max_length == 400
