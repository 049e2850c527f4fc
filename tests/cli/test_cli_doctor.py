"""doctor on stores and settings that are not as they should be: what is wrong, what mends it."""

import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def named(name, answer):
    return [one for one in answer.lines if one["name"] == name]


DAMAGED, MENDED = "The database is damaged: ", "Run `memdeck rebuild`"
BY_JOURNAL = f"{MENDED}: the journal"


def garbage_for_a_head(path):
    with open(path, "r+b") as file:
        file.write(bytes(range(100)))


def a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "says", "mend"),
    [
        (lambda path: os.truncate(path, path.stat().st_size // 2 + 100), DAMAGED, BY_JOURNAL),
        (lambda path: os.truncate(path, 60), DAMAGED, BY_JOURNAL),
        (garbage_for_a_head, "file is not a database", BY_JOURNAL),
        (lambda path: os.truncate(path, 0), "is empty, and the journal holds", MENDED),
        (Path.unlink, "is missing, and the journal holds", MENDED),
        (a_folder, "is no file", "Move it away. Run `memdeck rebuild`"),
    ],
)
def test_what_is_wrong_with_the_database_is_said_with_what_mends_it(cli, damage, says, mend, home):
    def about_the_store():
        answer = cli("doctor", "--json", code=1)
        assert "Traceback" not in answer.err
        return [one for one in named("store", answer) if not one["ok"]]

    texts = (f"Berth {number} is {number * 7} metres long at high tide." for number in range(60))
    lines = "\n".join(json.dumps({"content": text}) for text in texts)
    assert cli("import", "-", "--from", "jsonl", stdin=lines).code == 0
    stored = home / "memory.db"
    assert not os.path.exists(f"{stored}-wal")
    damage(stored)
    [found] = about_the_store()
    assert says in found["message"]
    assert found["advice"].startswith(mend)
    told = cli("doctor")
    assert (told.code, "Traceback" in told.err) == (1, False)
    assert "memdeck rebuild" in told.out
    assert "settings" in told.out
    assert about_the_store() == [found]  # looking changed nothing
    if stored.is_dir():
        stored.rmdir()
    cli("rebuild", code=0)
    assert cli("status", "--json").json["stats"]["total_count"] == 60
    assert cli("verify").code == 0
    assert cli("doctor").out.count("✗") == 1  # no agent is connected


# --- settings


SETTINGS = """\
auto_memory = false

[app]
glyph = "x"
theme = "memdeck-light"

[recall]
top_k = "many"
max_pinned = 3
"""


def test_settings_that_do_not_count_are_said_by_doctor_and_status(cli, home):
    assert cli("remember", "Berth 12 floods at spring tide.").code == 0
    mistaken = home / "config.toml"
    mistaken.write_text(SETTINGS)
    mistaken.chmod(0o600)
    told = cli("doctor", code=1)
    assert f"{mistaken}: `app.glyph` is no setting." in told.out
    assert "Did you mean `app.glyphs`?" in told.out
    assert f"{mistaken}: `recall.top_k` is 'many', but" in told.out
    assert "Nothing is captured" not in told.out
    found = named("settings", cli("doctor", "--json"))
    assert [one["ok"] for one in found] == [False, False]

    assert "`app.glyph` is no setting" in cli("status", code=0).out
    problems = cli("status", "--json").json["settings_problems"]
    assert len(problems) == 2
    assert any("Did you mean `app.glyphs`?" in problem for problem in problems)
