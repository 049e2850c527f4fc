"""What another installed package brings: the examples of docs/extending.md, installed and used."""

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.cli.main import run
from memdeck.core.errors import BadInput

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "extending.md").read_text("utf-8")


@pytest.fixture
def run_with(tmp_path):
    """Run Python with the page's package beside memdeck, laid out as an installer leaves it."""
    settings = tomllib.loads(re.search(r"^```toml\n(\[project\].*?)^```$", PAGE, re.M | re.S)[1])
    code = re.search(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)[1]
    project = settings["project"]

    def run(script, *, code=code, points=project["entry-points"]):
        site = tmp_path / "site"
        about = site / f"acme_memdeck-{project['version']}.dist-info"
        about.mkdir(parents=True)
        (site / "acme_memdeck.py").write_text(code, "utf-8")
        named = f"Name: {project['name']}\nVersion: {project['version']}\n"
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\n{named}", "utf-8")
        groups = (
            f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in names.items())
            for group, names in points.items()
        )
        (about / "entry_points.txt").write_text("\n".join(groups), "utf-8")
        around = {**os.environ, "PYTHONPATH": str(site), "MEMDECK_HOME": str(tmp_path / "home")}
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            env=around,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


OFFER = """
    import os
    from pathlib import Path
    from memdeck import open_memory
    from memdeck.core.answers import Capture
    home = Path(os.environ["MEMDECK_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[review]\\nreviewers = ["analyzer", "licences"]\\n')
    with open_memory(home, "harbour") as memory:
        [kept] = memory.offer([Capture("The tide parser is under the MIT licence, as agreed.")])
        for vote in memory.reviews(kept.memory_id):
            print(vote.reviewer, vote.status, vote.score)
"""


def test_a_reviewer_of_another_package_votes_beside_ours(run_with):
    """001-14."""
    assert "licences ok 8.0" in run_with(OFFER).splitlines()


def test_one_that_raises_is_a_vote_that_does_not_count(run_with):
    broken = """
class Licences:
    name, engine, is_instant = "licences", "built-in", True

    def review(self, subject, timeout_s):
        raise ZeroDivisionError
"""
    points = {"memdeck.reviewers": {"licences": "acme_memdeck:Licences"}}
    told = run_with(OFFER, code=broken, points=points).splitlines()
    assert "licences failed None" in told
    assert any(line.startswith("analyzer ok") for line in told)


def test_a_reviewer_that_cannot_be_loaded_is_named_with_its_package(run_with):
    points = {"memdeck.reviewers": {"licences": "acme_memdeck:Missing"}}
    head, offering = OFFER.split("    with open_memory")
    tried = textwrap.indent("    with open_memory" + offering, "    ")
    caught = "    except Exception as error:\n        print(type(error).__name__, error)\n"
    script = f"{head}    try:\n{tried}\n{caught}"
    told = run_with(script, code="", points=points)
    assert "BadInput" in told
    assert "acme-memdeck" in told


STRATEGY = """
    import os
    from memdeck import open_memory
    with open_memory(os.environ["MEMDECK_HOME"], "harbour") as memory:
        for text in ("Berth 3 belongs to the pilots", "Berth 3, berth 3: the pilots left berth 3"):
            memory.remember(text)
        plain = [hit.memory.title for hit in memory.search("whose is berth 3 of the pilots")]
        newest = memory.search("whose is berth 3 of the pilots", strategy="newest")
        times = [hit.memory.created_at for hit in newest]
        print(len(plain), len(newest), times == sorted(times, reverse=True))
"""


def test_a_strategy_of_another_package_is_asked_for_by_name(run_with):
    """002-15: the same memories, in its order."""
    assert run_with(STRATEGY) == "2 2 True\n"


def test_what_no_package_brings_is_refused_with_what_there_is(tmp_path):
    with open_memory(tmp_path / "home", "harbour") as memory:
        with pytest.raises(BadInput, match="newest") as caught:
            memory.search("berth", strategy="newest")
        assert "time-weighted" in caught.value.hint


def test_a_reviewer_that_nobody_brings_is_a_mistake_in_the_settings(tmp_path, capsys):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('[review]\nreviewers = ["licences"]\n')
    run(["doctor", "--home", str(home)])
    assert "there is no reviewer 'licences'" in " ".join(capsys.readouterr().out.split())
