"""Settings: what they may be, what they are by default, and how a mistake is explained."""

import pytest

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


def test_a_project_overrides_home_value_by_value(configured):
    policy = configured(
        "[recall]\ntop_k = 20\nmax_pinned = 3\n[value.usd_per_million]\nclaude = 3.0\ncodex = 2.0",
        "[recall]\ntop_k = 9\n[value.usd_per_million]\nclaude = 5.0",
    ).policy
    assert (policy.recall.top_k, policy.recall.max_pinned) == (9, 3)
    assert policy.value.usd_per_million == {"claude": 5.0, "codex": 2.0}


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


def test_a_file_that_is_no_toml_is_said_with_its_line(configured):
    core = configured("auto_memory = false\ntop_k = ")
    with pytest.raises(BadInput, match=r"config\.toml is not valid TOML: .*line 2") as caught:
        _ = core.policy
    assert caught.value.hint == "Correct that line."
    with pytest.raises(BadInput, match="nested too deeply"):
        _ = configured("x = " + "[" * 50_000).policy


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


@pytest.mark.parametrize("name", ["keep_prompts", "keep_told"])
def test_a_project_may_keep_less_of_what_was_said_than_its_owner_but_not_more(configured, name):
    off, on = (f"[recall]\n{name} = {value}" for value in ("false", "true"))
    core = configured(off, on)
    assert not getattr(core.policy.recall, name)
    assert f"`recall.{name}` can only be switched off here" in str(core.settings_problems())
    assert getattr(configured(None, on).policy.recall, name)
    assert not getattr(configured("", off).policy.recall, name)
