"""Settings: what they may be, what they are by default, and how a mistake is explained."""

from dataclasses import fields
from typing import get_args

import pytest
from pydantic import BaseModel, ValidationError

from memdeck import BadInput

RANGES = {
    "max_candidate_scan": (20, 5000),
    "max_retrieval_ms": (20, 2000),
    "top_k": (1, 100),
    "injection_top_n": (1, 50),
    "max_pinned": (0, 20),
    "max_per_source": (1, 50),
    "drop_bottom_share": (0.0, 0.9),
    "context_share": (0.01, 0.5),
    "max_budget_tokens": (100, 50000),
    "default_context_tokens": (1000, 2000000),
    "five_type_tokens": (100, 50000),
    "working_tokens": (0, 10000),
    "min_importance": (1, 10),
    "max_output_units": (500, 9900),
    "head_tail": (0, 10),
    "task_share": (0.0, 1.0),
    "project_share": (0.0, 1.0),
    "global_share": (0.0, 1.0),
    "private_days": (0, 3650),
    "profile_share": (0.0, 0.5),
}
CHOICES = {
    "budget_policy": ("adaptive", "five-type", "tiered"),
    "ranking": ("blend", "multiplicative", "additive"),
    "repeat": ("never", "always"),
    "token_estimate": ("words", "strict"),
    "unproven": ("asked", "never", "always"),
}


def places_in(model, path=""):
    """The settings of a table and of the tables within, as TOML writes them."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from places_in(field.annotation, f"{path}{name}.")
        else:
            yield f"{path}{name}"


def test_without_files_everything_has_its_default(core):
    policy = core.policy
    assert core.settings_problems() == []
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
def test_each_preset_has_its_numbers(configured, preset, numbers):
    """002-05."""
    policy = configured(f'preset = "{preset}"').policy
    promotion = policy.promotion
    assert (promotion.min_points, promotion.min_importance, promotion.min_length) == numbers


def test_what_is_set_wins_over_the_preset(configured):
    policy = configured('preset = "conservative"\n[promotion]\nmin_points = 2').policy
    assert (policy.promotion.min_points, policy.promotion.min_length) == (2, 50)


def test_the_preset_of_a_project_leaves_what_home_set(configured):
    policy = configured("[promotion]\nmin_points = 7", 'preset = "aggressive"').policy
    assert (policy.promotion.min_points, policy.promotion.min_length) == (7, 20)


def test_a_project_overrides_home_value_by_value(configured):
    policy = configured(
        "[recall]\ntop_k = 20\nmax_pinned = 3\n[value.usd_per_million]\nclaude = 3.0\ncodex = 2.0",
        "[recall]\ntop_k = 9\n[value.usd_per_million]\nclaude = 5.0",
    ).policy
    assert (policy.recall.top_k, policy.recall.max_pinned) == (9, 3)
    assert policy.value.usd_per_million == {"claude": 5.0, "codex": 2.0}


def test_how_the_app_looks_is_the_homes_alone(configured):
    home = '[app.keymap]\n"a.b" = "x"'
    policy = configured(home, '[app.keymap]\n"a.b" = "z"\n"c.d" = "y"').policy
    assert policy.app.keymap == {"a.b": "x"}


def test_recall_has_the_names_defaults_and_choices_of_the_limits(core):
    recall = core.policy.recall
    limits, known = recall.limits(), type(recall).model_fields
    assert set(known) - {"keep_prompts", "keep_told"} == {field.name for field in fields(limits)}
    assert limits == type(limits)()
    assert set(RANGES) | set(CHOICES) <= set(known)
    for name, words in CHOICES.items():
        assert get_args(known[name].annotation) == words


def test_the_ranges_of_recall_hold_at_both_ends(configured):
    def recall(end, beyond=0):
        written = [f"{name} = {pair[end] + beyond}" for name, pair in RANGES.items()]
        return configured("\n".join(["[recall]", *written]))

    usual = configured().policy.recall
    for end, step in ((0, -1), (1, 1)):
        core = recall(end)
        assert core.settings_problems() == []
        limits = core.policy.recall.limits()
        assert {name: getattr(limits, name) for name in RANGES} == {
            name: pair[end] for name, pair in RANGES.items()
        }
        beyond = recall(end, step)
        assert beyond.policy.recall == usual
        told = str(beyond.settings_problems())
        assert [name for name in RANGES if f"`recall.{name}` is " not in told] == []


OTHERS = [
    ("capture", "min_length", 0, 500),
    ("capture", "max_length", 50, 4_000),
    ("promotion", "min_points", 1, 20),
    ("promotion", "min_importance", 0, 1),
    ("promotion", "min_length", 0, 500),
    ("review", "consensus_score", 0, 10),
    ("review", "timeout_s", 0.1, 30),
]


def test_other_ranges_hold_at_both_ends_too(configured):
    for end, step in ((2, -1), (3, 1)):
        core = configured("\n".join(f"{row[0]}.{row[1]} = {row[end]}" for row in OTHERS))
        for row in OTHERS:
            assert getattr(getattr(core.policy, row[0]), row[1]) == row[end], row
        beyond = configured("\n".join(f"{row[0]}.{row[1]} = {row[end] + step}" for row in OTHERS))
        assert beyond.policy == type(beyond.policy)()
        told = str(beyond.settings_problems())
        for row in OTHERS:
            assert f"`{row[0]}.{row[1]}` is {row[end] + step}, but" in told


def test_a_mistake_costs_one_setting_and_is_explained_by_file_key_and_remedy(
    configured, home_path, subtests
):
    rows = [
        ("[recall]\ntop_kk = 3", "`recall.top_kk` is no setting", "`recall.top_k`"),
        ("recal = 1", "`recal` is no setting", "`recall`"),
        ("[nonsense]\nx = 1", "`nonsense` is no setting", "Remove it"),
        ("[recall]\ntop_k = 1000", "`recall.top_k` is 1000, but", "Change `recall.top_k`"),
        ('[recall]\ntop_k = "9"', "`recall.top_k` is '9', but", "remove it for the default"),
        ("[recall]\ntop_k = true", "`recall.top_k` is True, but", "Change"),
        ("recall = 1", "`recall` is 1, but it is a table.", "Change"),
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
            "`review.engine_by_reviewer.analyser` is 'analyser', but",
            "Change",
        ),
        (
            '[review.engines.own]\nkind = "program"\nprogram = "/bin/cat"',
            """`review.engines.own.program` is '/bin/cat', but it is a list, as in ["…"].""",
            "Change",
        ),
        ('[app]\nfree_column = "tag"', "`app.free_column` is 'tag', but", "Change"),
    ]
    for text, says, hint in rows:
        with subtests.test(text=text):
            core = configured(f"auto_memory = false\n{text}")
            [ignored] = core.settings_problems()
            assert ignored.message.startswith(str(home_path / "config.toml"))
            assert says in ignored.message
            assert hint in ignored.hint
            assert core.policy == type(core.policy)(auto_memory=False)


def test_the_settings_beside_a_mistake_count(configured):
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
    core = configured(text)
    policy = core.policy
    assert not policy.auto_memory
    assert (policy.app.theme, policy.app.keymap) == ("memdeck-light", {"a.b": "x"})
    assert (policy.recall.top_k, policy.recall.max_pinned) == (15, 3)
    assert list(policy.review.engines) == ["near"]
    told = " ".join(map(str, core.settings_problems()))
    for name in ("oops", "app.glyphs", "keymap.c.d", "recall.top_k", "near.usd_per_cal", "far.url"):
        assert name in told
    assert "no engine is called `far`" in told


def test_a_file_that_is_no_toml_is_said_with_its_line(configured):
    core = configured("auto_memory = false\ntop_k = ")
    with pytest.raises(BadInput, match=r"config\.toml is not valid TOML: .*line 2") as caught:
        _ = core.policy
    assert caught.value.hint == "Correct that line."
    with pytest.raises(BadInput, match="nested too deeply"):
        _ = configured("x = " + "[" * 50_000).policy


def test_the_file_with_the_mistake_is_the_one_named(configured):
    core = configured("[recall]\ntop_k = 9", "oops = 1")
    assert [".memdeck.toml: `oops`" in one.message for one in core.settings_problems()] == [True]
    assert core.policy.recall.top_k == 9


def test_a_value_of_a_project_that_does_not_fit_leaves_the_persons_own(configured):
    recall = configured(
        "[recall]\ntop_k = 9", "[recall]\ntop_k = 1000\nmax_pinned = 2"
    ).policy.recall
    assert (recall.top_k, recall.max_pinned) == (9, 2)


def test_a_file_that_cannot_be_read_is_an_error_not_a_default(core, home_path):
    config = home_path / "config.toml"
    config.write_bytes(b'preset = "\xff"')
    with pytest.raises(BadInput, match="UTF-8"):
        _ = core.policy
    config.unlink()
    config.mkdir()
    with pytest.raises(BadInput, match="cannot be read"):
        _ = core.policy
    config.rmdir()
    config.symlink_to("/dev/zero")  # as a project's file may be that a clone brought along
    with pytest.raises(BadInput, match="it is no file"):
        _ = core.policy


def test_the_mark_in_front_of_a_file_is_none_of_its_settings(configured):
    assert configured("\ufeff[recall]\r\ntop_k = 9").policy.recall.top_k == 9


def test_a_long_value_is_cut_in_the_message(configured):
    [ignored] = configured(f'preset = "{"x" * 500}"').settings_problems()
    assert len(ignored.message) < 300


def test_settings_cannot_be_changed_behind_ones_back(core):
    with pytest.raises(ValidationError):
        core.policy.preset = "aggressive"


def test_every_setting_has_its_manual(core):
    told = {one.knob.place: one.knob.about for one in core.services.settings_book.settings()}
    assert set(told) == {*places_in(type(core.policy))}
    assert all(told.values()), [place for place, about in told.items() if not about]


def test_the_presets_are_those_that_can_be_chosen(core):
    can_be_chosen = get_args(type(core.policy).model_fields["preset"].annotation)
    assert set(can_be_chosen) == {"conservative", "balanced", "aggressive"}


@pytest.mark.parametrize("name", ["keep_prompts", "keep_told"])
def test_a_project_may_keep_less_of_what_was_said_than_its_owner_but_not_more(configured, name):
    off, on = (f"[recall]\n{name} = {value}" for value in ("false", "true"))
    core = configured(off, on)
    assert not getattr(core.policy.recall, name)
    assert f"`recall.{name}` can only be switched off here" in str(core.settings_problems())
    assert getattr(configured(None, on).policy.recall, name)
    assert not getattr(configured("", off).policy.recall, name)


def test_events_are_named_by_known_groups_in_the_persons_own_file_only(configured):
    chosen = '[hooks]\nevents = ["prompts", "files"]\n'
    usual = configured().policy.hooks.events
    assert configured(chosen).policy.hooks.events == ["prompts", "files"]
    assert configured("[hooks]\nevents = []\n").policy.hooks.events == []
    core = configured(None, chosen)
    assert core.policy.hooks.events == usual
    [ignored] = core.settings_problems()
    assert "config.toml only" in ignored.message


def test_a_setting_that_never_had_an_effect_is_passed_over(configured):
    """Files written when it was in the manual stay good."""
    own = "[capture]\nmax_written_length = 9000\nmax_length = 400"
    assert configured(own).policy.capture.max_length == 400
