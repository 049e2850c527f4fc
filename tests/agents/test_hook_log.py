"""The hooks' log: enough to mend things, never a word of what was said."""

import os
import stat

from memdeck.agents import log


def an_error(text):
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


def test_a_line_says_when_what_and_where_but_not_the_text(home):
    log.note(home, "claude Stop", an_error("the password is hunter2"))
    [line] = log.last_errors(home)
    assert line[10] == "T"
    assert " claude Stop ValueError test_hook_log.py:" in line
    assert "hunter2" not in line


def test_a_system_error_says_which(home):
    log.note(home, "claude Stop", OSError(28, "No space left on device", "/secret/path"))
    assert log.last_errors(home)[0].endswith("claude Stop OSError[ENOSPC]")


def test_a_reason_in_words_stays_on_one_line(home):
    log.note(home, "claude\nStop\x1b[2J", "a\nb" + "c" * 1000)
    [line] = log.last_errors(home)
    assert "\x1b" not in line
    assert len(line) < 300


def test_the_log_is_private(home):
    log.note(home, "x", "y")
    assert stat.S_IMODE(os.stat(log.path_of(home)).st_mode) == 0o600


def test_the_log_is_bounded(home, monkeypatch):
    monkeypatch.setattr(log, "LIMIT_BYTES", 500)
    for number in range(100):
        log.note(home, "claude Stop", f"reason {number}")
    sizes = {name: os.stat(os.path.join(home.log, name)).st_size for name in os.listdir(home.log)}
    assert set(sizes) <= {"hooks.log", "hooks.log.1"}
    assert sum(sizes.values()) < 1200


def test_only_the_newest_lines_are_shown_oldest_first(home):
    for number in range(8):
        log.note(home, "x", str(number))
    assert [line[-1] for line in log.last_errors(home, limit=3)] == ["5", "6", "7"]


def test_a_log_that_cannot_be_written_is_nobodys_problem(home):
    with open(home.path, "w"):
        pass
    log.note(home, "x", "y")
    assert log.last_errors(home) == []


def test_a_link_in_the_logs_place_is_not_followed(home, tmp_path):
    home.prepare()
    target = tmp_path / "target"
    target.write_text("precious")
    os.symlink(target, log.path_of(home))
    log.note(home, "x", "y")
    assert target.read_text() == "precious"
