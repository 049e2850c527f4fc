"""The examples of docs/reference/extensions.md, installed as a package and used."""

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from memdeck import BadInput, open_memory
from memdeck.cli.main import run
from memdeck.tests import forked

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "extensions.md").read_text(
    "utf-8"
)


@pytest.fixture
def run_with(tmp_path, monkeypatch):
    """Run Python with the page's package beside memdeck, laid out as an installer leaves it.

    Where it brings types, which the first import of memdeck looks for, with an interpreter of its
    own.
    """
    settings = tomllib.loads(re.search(r"^```toml\n(\[project\].*?)^```$", PAGE, re.M | re.S)[1])
    code = re.search(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)[1]
    project = settings["project"]

    def run(script, *, code=code, points=project["entry-points"], brings_types=False):
        site, script = tmp_path / "site", textwrap.dedent(script)
        if code is not None:  # else as it was left
            lay_out(site, code, points)
        monkeypatch.setenv("MEMDECK_HOME", str(tmp_path / "home"))
        if not brings_types:
            begun = f"import sys\nsys.path.insert(0, {str(site)!r})\n{script}"
            done = forked.run(begun, cwd=tmp_path)
        else:
            around = {**os.environ, "PYTHONPATH": str(site)}
            done = subprocess.run(
                [sys.executable, "-c", script],
                env=around,
                capture_output=True,
                text=True,
                check=False,
                cwd=tmp_path,
            )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def lay_out(site, code, points):
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

    return run


OFFER = """
    import os
    from pathlib import Path
    from memdeck import open_memory
    from memdeck import Capture
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
    name, engine = "licences", "built-in"

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


def test_an_encoder_of_another_package_finds_by_meaning(run_with):
    """004-15."""
    code = """
import numpy

class Colours:
    name, floor = "colours 1", 0.5

    def encode(self, texts):
        warm = [[any(word in text for word in ("red", "orange")), 0.1] for text in texts]
        return numpy.array(warm, float)
"""
    script = """
    import os
    from pathlib import Path
    from memdeck import open_memory
    home = Path(os.environ["MEMDECK_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[recall]\\nencoder = "colours"\\n')
    with open_memory(home, "harbour") as memory:
        memory.remember("The lamp at the pier is red.")
        memory.maintenance.run()
        print([hit.memory.content for hit in memory.search("orange beacon")])
    """
    points = {"memdeck.encoders": {"colours": "acme_memdeck:Colours"}}
    assert "The lamp at the pier is red." in run_with(script, code=code, points=points)


CONFIGURED = """
    import os
    from pathlib import Path
    from memdeck import open_memory
    from memdeck.cli.main import run
    home = Path(os.environ["MEMDECK_HOME"])
    texts = ("Berth 3 belongs to the pilots", "Berth 3, berth 3: the pilots left berth 3")
    asked = "whose is berth 3 of the pilots"
    with open_memory(home, "harbour") as memory:
        ids = [memory.remember(text).memory_id for text in texts]
        before = [hit.id for hit in memory.recall(asked, write_receipt=False).items]
    (home / "config.toml").write_text('[recall]\\nstrategy = "newest"\\n')
    with open_memory(home, "harbour") as memory:
        after = [hit.id for hit in memory.recall(asked, write_receipt=False).items]
        found = [hit.id for hit in memory.search(asked)]
        print(sorted(before) == sorted(after), after == ids[::-1], found == ids[::-1])
        print(memory.settings_problems())
    print(run(["search", asked, "--strategy", "newest", "--project", "harbour", "--json"]))
"""


def test_a_strategy_of_another_package_is_asked_for_by_name(run_with):
    """002-15: the same memories in its order, in searches and in what prompts are told."""
    first, problems, *hits, code = run_with(CONFIGURED).splitlines()
    assert (first, problems, code) == ("True True True", "[]", "0")
    assert "left berth 3" in hits[0]


def test_a_strategy_that_raises_leaves_a_prompt_its_answer(run_with):
    broken = """
from memdeck.core.recall.ranking import Strategy

def fails(prompt, ranked, now_ms):
    raise ZeroDivisionError

NEWEST = Strategy("newest", fails)
"""
    script = CONFIGURED.partition("        found =")[0] + "        print(before == after != [])\n"
    points = {"memdeck.strategies": {"newest": "acme_memdeck:NEWEST"}}
    assert run_with(script, code=broken, points=points) == "True\n"


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ('[recall]\nstrategy = "newest"\n', "there is no search strategy 'newest'"),
        ('[review]\nreviewers = ["licences"]\n', "there is no reviewer 'licences'"),
    ],
)
def test_what_nobody_brings_is_a_mistake_in_the_settings(setting, says, tmp_path, capsys):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(setting)
    run(["doctor", "--home", str(home)])
    assert says in " ".join(capsys.readouterr().out.split())


STORE = """
    from memdeck import BadInput, ProjectMemoryStore, open_backend
    notes = ProjectMemoryStore("harbour", open_backend("notebook:desk"))
    kept = notes.add_decision("Boats over nine metres moor at pier C", ["piers"])
    print(notes.backend.address, notes.query_decisions(["piers"]) == [kept], notes.backend.count())
    try:
        open_backend("shelf:desk")
    except BadInput as error:
        print(error, error.hint)
"""


def test_a_store_of_another_package_is_opened_by_its_name(run_with):
    opened, unknown = run_with(STORE).splitlines()
    assert opened == "desk True 1"
    assert "shelf" in unknown
    assert "memdeck.stores" in unknown


SOCIAL = """
    import json
    import os
    from memdeck import open_memory
    from memdeck.cli.main import run
    from memdeck import Capture
    from memdeck.core.portable import object_of
    home = os.environ["MEMDECK_HOME"]
    with open_memory(home, "harbour") as memory:
        kept = memory.store("Mara owns the tide parser", "social", {"team": "harbour", "since": 3})
        found = memory.show(kept.memory_id)
        print(found.type, found.metadata["who"], found.metadata["team"], found.metadata["since"])
        said = "Olga knows why the lock at berth nine was built the other way round in 2019."
        unsure = Capture(said, type="semantic", is_type_unsure=True)
        print([memory.show(one.memory_id).type for one in memory.offer([unsure])])
        print([one.content for one in memory.list("type:social tide")])
        print([one.content for one in memory.retrieve("tide parser", ["social"])])
        print(memory.recall("who owns the tide parser?").text.count("Mara owns"))
        memory.edit(found.id, title="Owner of the parser", details={"team": "pilots"})
        memory.rebuild()
        again = memory.show(found.id)
        print(again.metadata["who"], again.metadata["team"], memory.verify().ok)
        with open_memory(home, "pier") as other:
            print(other.import_memories([object_of(again)]).added)
    here = ["--project", "harbour"]
    print(run(["remember", "Jan owns the crane", "--type", "social", *here, "--json"]))
    print(run(["remember", "Jan owns the pier", "--type", "unsocial", *here]))
"""


GONE = """
    import os
    from memdeck import open_memory
    from memdeck import BadInput
    with open_memory(os.environ["MEMDECK_HOME"], "harbour") as memory:
        [one] = memory.list("tide")
        print(one.type, one.metadata["who"], len(memory.search("tide parser")))
        memory.pin(one.id)
        try:
            memory.edit(one.id, title="Owner")
        except BadInput as error:
            print(error)
"""


def test_a_type_of_another_package_is_a_type_like_the_others_and_found_without_it(
    run_with, tmp_path
):
    """001-13: made, recognised, found, told, edited, rebuilt, taken along."""
    told = run_with(SOCIAL, brings_types=True).splitlines()
    assert told[:7] == [
        "social Mara harbour 3",
        "['social']",
        "['Mara owns the tide parser']",
        "['Mara owns the tide parser']",
        "1",
        "Mara pilots True",
        "1",
    ]
    assert '"type":"social"' in told[7].replace('": "', '":"')
    assert told[8:] == ["0", "1"]

    (site,) = (tmp_path / "site").glob("*.dist-info")
    (site / "entry_points.txt").unlink()  # the package is gone
    found, refused = run_with(GONE, code=None, brings_types=True).splitlines()
    assert found == "social Mara 1"
    assert "social" in refused


def test_what_no_package_brings_is_refused_with_what_there_is(tmp_path):
    with open_memory(tmp_path / "home", "harbour") as memory:
        with pytest.raises(BadInput, match="newest") as caught:
            memory.search("berth", strategy="newest")
        assert "time-weighted" in caught.value.hint
