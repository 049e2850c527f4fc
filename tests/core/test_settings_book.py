"""Settings changed one by one: the file keeps its comments, the journal knows, undo brings back."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from memdeck import BadInput, MemoryCoordinator, Refused, open_memory

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


@pytest.fixture
def config(home_path: Path, core: MemoryCoordinator) -> Path:
    return home_path / "config.toml"


def book(core: MemoryCoordinator) -> Any:
    return core.services.settings_book


def setting(core: MemoryCoordinator, place: str) -> Any:
    return next(one for one in book(core).settings() if one.knob.place == place)


def test_every_setting_is_there_with_its_manual_and_its_default(core: MemoryCoordinator):
    known = book(core).settings()

    assert len(known) > 70
    assert all(one.knob.about and one.source == "default" for one in known)
    assert all(one.value == one.default for one in known)
    assert setting(core, "recall.top_k").value == core.policy.recall.top_k


def test_a_change_is_written_where_it_stands_and_comments_stay(
    core: MemoryCoordinator, config: Path
):
    config.write_text(MINE)

    assert book(core).put("recall.top_k", 30)

    assert config.read_text() == MINE.replace("top_k = 20 #", "top_k = 30 #")
    assert core.policy.recall.top_k == 30
    assert setting(core, "recall.top_k").source == "yours"


def test_what_is_not_there_yet_joins_its_table_and_leaves_with_its_undo(
    core: MemoryCoordinator, config: Path
):
    config.write_text(MINE)
    book(core).put("recall.max_pinned", 3)
    book(core).put("review.rule", "consensus")
    book(core).put('app.keymap."memory.forget"', "x,delete")

    text = config.read_text()
    assert 'unproven = "never"\nmax_pinned = 3\n' in text
    assert '[review]\nrule = "consensus"\n' in text
    assert 'keymap = { "memory.pin" = "P", "memory.forget" = "x,delete" }' in text

    for _ in range(3):
        core.undo()
    assert config.read_text() == MINE
    assert core.policy.recall.max_pinned == 5


def test_undo_and_redo_bring_the_file_along(core: MemoryCoordinator, config: Path):
    book(core).put("recall.top_k", 30)
    book(core).put("recall.top_k", 40)
    assert core.policy.recall.top_k == 40

    core.undo()
    assert core.policy.recall.top_k == 30
    core.undo()
    assert "top_k" not in config.read_text()
    assert core.policy.recall.top_k == 15
    core.redo()
    assert core.policy.recall.top_k == 30


def test_an_entry_of_the_trail_says_what_was_changed(core: MemoryCoordinator):
    core.remember("The harbour office opens at seven in winter.")
    book(core).put("recall.top_k", 30)

    [entry] = core.audit(action="config")

    assert entry.title == "recall.top_k: default → 30"
    assert core.undo().title == "recall.top_k"


def test_the_same_value_is_no_change(core: MemoryCoordinator, config: Path):
    config.write_text(MINE)

    assert not book(core).put("recall.top_k", 20)
    assert core.audit(action="config") == []


def test_what_was_changed_by_hand_since_is_not_taken_back(core: MemoryCoordinator, config: Path):
    book(core).put("recall.top_k", 30)
    config.write_text("[recall]\ntop_k = 31 # mine\n")

    with pytest.raises(Refused, match="by hand"):
        core.undo()

    assert config.read_text() == "[recall]\ntop_k = 31 # mine\n"
    assert core.audit()[0].undone_by is None


def test_a_rebuild_knows_what_was_set(core: MemoryCoordinator):
    book(core).put("recall.top_k", 30)
    core.rebuild()
    core.undo()

    assert core.policy.recall.top_k == 15


@pytest.mark.parametrize(
    ("place", "least", "most"), [("recall.top_k", 1, 100), ("capture.similarity", 0.5, 1.0)]
)
def test_both_ends_of_a_range_are_let_through_and_what_is_beyond_refused(
    core: MemoryCoordinator, config: Path, place: str, least: float, most: float
):
    knob = setting(core, place).knob
    for end in (least, most):
        book(core).put(place, book(core).checked(knob, str(end)))
        assert setting(core, place).value == end
    before = config.read_text()
    for beyond in (least - 1, most + 1):
        with pytest.raises(BadInput):
            book(core).put(place, beyond)
    assert config.read_text() == before


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("recall.top_k", "many", "top_k is 1 to 100."),
        ("recall.top_k", "101", "less than or equal to 100"),
        ("auto_memory", "perhaps", "auto_memory is on or off."),
        ("preset", "bold", "conservative, balanced, aggressive"),
        ("review.reviewers", "analyzer, nobody", "nobody"),
        ("hooks.events", "turns, dreams", "dreams"),
        ("app.theme", "../up", "theme"),
        ("value.usd_per_million", "{ claude", "a table as TOML"),
        ("extractor.engine", "oracle", "no engine is called"),
    ],
)
def test_what_does_not_fit_is_said_in_words(
    core: MemoryCoordinator, place: str, text: str, said: str
):
    with pytest.raises(BadInput, match="(?s)" + said.replace(".", r"\.")):
        book(core).checked(setting(core, place).knob, text)


@pytest.mark.parametrize(
    ("place", "text", "value"),
    [
        ("recall.max_budget_tokens", "3,000", 3000),
        ("auto_memory", "off", False),
        ("preset", "Aggressive", "aggressive"),
        ("review.reviewers", "analyzer, security", ["analyzer", "security"]),
        ("value.usd_per_million", "{ claude = 3.0 }", {"claude": 3.0}),
        ("redaction.keep_emails", "me@example.org", ["me@example.org"]),
    ],
)
def test_what_a_person_types_is_understood(
    core: MemoryCoordinator, place: str, text: str, value: Any
):
    found = book(core).checked(setting(core, place).knob, text)
    book(core).put(place, found)

    assert found == value
    assert setting(core, place).value == value


def test_a_secret_is_written_neither_into_the_file_nor_the_journal(
    core: MemoryCoordinator, home_path: Path
):
    secret = "ghp_" + "a8Zk2Lm9Qw3Rt5Yu7Io1Pa4Sd6Fg8Hj0Kl2Z"[:36]
    with pytest.raises(Refused, match="looks like a secret"):
        book(core).put('app.keymap."memory.pin"', secret)

    kept = [one.read_bytes() for one in home_path.rglob("*") if one.is_file()]
    assert not any(secret.encode() in one for one in kept)


def test_where_a_value_comes_from_is_said(
    home_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    place = tmp_path / "harbour"
    place.mkdir()
    (place / ".memdeck.toml").write_text("[recall]\ntop_k = 9\n[redaction]\nemails = false\n")
    with open_memory(home_path, place) as core:
        (home_path / "config.toml").write_text("[recall]\ntop_k = 20\nmax_pinned = 3\n")
        core.set_preset("aggressive")
        monkeypatch.setenv("NO_MOTION", "1")
        by_place = {one.knob.place: one for one in book(core).settings()}

    assert (by_place["recall.top_k"].value, by_place["recall.top_k"].source) == (9, "project")
    assert ".memdeck.toml" in by_place["recall.top_k"].wins
    assert by_place["recall.max_pinned"].source == "yours"
    assert by_place["preset"].source == "chosen"
    assert by_place["promotion.min_points"].default == 2  # the preset's
    assert by_place["app.motion"].source == "environment"
    assert by_place["redaction.emails"].value is True  # no project decides that
    assert "counts in your own" in by_place["redaction.emails"].problem


def test_a_choice_for_this_project_is_taken_back(core: MemoryCoordinator):
    core.set_ceiling(900)
    assert setting(core, "recall.max_budget_tokens").value == 900

    book(core).take_back_choice("recall.max_budget_tokens")
    assert setting(core, "recall.max_budget_tokens").value == 5000
    with pytest.raises(Refused):
        book(core).take_back_choice("recall.top_k")


def test_an_agent_changes_no_settings(open_core: Any):
    core = open_core(actor="agent")
    with pytest.raises(Refused, match="person"):
        book(core).put("recall.top_k", 30)


def test_a_new_file_is_private_a_link_stays_one_and_rights_stay(
    core: MemoryCoordinator, config: Path, tmp_path: Path
):
    book(core).put("recall.top_k", 30)
    assert stat.S_IMODE(config.stat().st_mode) == 0o600

    mine = tmp_path / "dotfiles.toml"
    mine.write_text(MINE)
    mine.chmod(0o644)
    config.unlink()
    os.symlink(mine, config)
    book(core).put("recall.top_k", 30)
    assert config.is_symlink()
    assert "top_k = 30 # twenty" in mine.read_text()
    assert stat.S_IMODE(mine.stat().st_mode) == 0o644


def test_a_file_that_cannot_be_written_leaves_no_entry(
    core: MemoryCoordinator, config: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "replace", _full)

    with pytest.raises(Refused, match="cannot be written"):
        book(core).put("recall.top_k", 30)

    assert core.audit(action="config") == []
    assert not config.exists()


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_change_that_the_journal_does_not_take_leaves_the_file_as_it_was(
    core: MemoryCoordinator, config: Path, monkeypatch: pytest.MonkeyPatch
):
    config.write_text(MINE)
    real = core._store._note

    def broken(*_: object) -> None:
        raise RuntimeError("power")

    monkeypatch.setattr(core._store, "_note", broken)
    with pytest.raises(RuntimeError):
        book(core).put("recall.top_k", 30)
    monkeypatch.setattr(core._store, "_note", real)

    assert config.read_text() == MINE


def test_a_broken_file_is_named_and_an_undo_of_something_else_still_works(
    core: MemoryCoordinator, config: Path
):
    core.remember("The harbour office opens at seven in winter.")
    config.write_text("[recall\n")
    with pytest.raises(BadInput, match="not valid TOML"):
        book(core).settings()
    with pytest.raises(BadInput):
        book(core).put("recall.top_k", 30)

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
def test_however_a_file_is_written_the_value_changes_and_comes_back(
    core: MemoryCoordinator, config: Path, text: str
):
    import tomllib

    config.write_text(text, newline="")
    before = tomllib.loads(text)

    book(core).put("recall.top_k", 7)
    now = tomllib.loads(config.read_text())
    assert now["recall"]["top_k"] == 7
    assert {**now["recall"], "top_k": 0} == {**before.get("recall", {}), "top_k": 0}
    core.undo()
    assert tomllib.loads(config.read_text()) == before
