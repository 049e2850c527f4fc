"""What a fresh process loads: a contract cannot tell a deferred import from an immediate one."""

import pytest

pytestmark = pytest.mark.slow

SCREENS = {"textual", "rich"}
HEAVY = {"pydantic", "rapidfuzz", "click", "platformdirs", "peewee", "playhouse", *SCREENS}


@pytest.fixture(scope="module")
def _loaded():
    return {}


@pytest.fixture
def loaded_by(run_python, _loaded):
    """The top-level names in sys.modules after importing a module: asked for once."""

    def loaded(module):
        if module not in _loaded:
            names = run_python(f"import sys, {module}; print(*sys.modules)").split()
            _loaded[module] = {name.partition(".")[0] for name in names}
        return _loaded[module]

    return loaded


@pytest.mark.parametrize(
    "module",
    (
        "memdeck memdeck.core.compat memdeck.db.store memdeck.agents.main memdeck.agents.drain "
        "memdeck.cli.main"
    ).split(),
)
def test_nothing_but_the_app_loads_a_screen(loaded_by, module):
    assert not SCREENS & loaded_by(module)


@pytest.mark.parametrize(
    "module",
    (
        "memdeck memdeck.agents.main memdeck.agents.spool memdeck.agents.recall "
        "memdeck.core.recall.pipeline memdeck.db.fast_reader"
    ).split(),
)
def test_an_agents_prompt_pays_for_the_standard_library_only(loaded_by, module):
    assert not HEAVY & loaded_by(module)


@pytest.mark.parametrize("module", ["memdeck.agents.main", "memdeck.agents.recall"])
def test_an_agents_prompt_does_not_wait_for_what_describes_classes(loaded_by, module):
    assert not {"dataclasses", "inspect", "typing", "difflib"} & loaded_by(module)


@pytest.mark.parametrize("words", [["status"], ["search", "redis"], ["completion", "bash"]])
def test_who_only_looks_waits_for_no_library_of_settings_or_tables(run_python, tmp_path, words):
    (tmp_path / "home").mkdir()
    code = (
        "import sys; from memdeck.cli.main import run;"
        f" run([*{words!r}, '--home', {str(tmp_path / 'home')!r}]); print(*sys.modules)"
    )
    run_python(code)  # makes the tables
    loaded = set(run_python(code).split())
    assert not {"pydantic", "asyncio", "ssl", "peewee", *SCREENS} & loaded
    assert not {"memdeck.core.compat", "memdeck.core.services.ingest"} & loaded


def test_the_status_loads_no_installer_where_no_agent_calls_us(run_python, tmp_path):
    (tmp_path / "home").mkdir()
    code = (
        f"import os, sys; os.chdir({str(tmp_path)!r})\n"
        "from memdeck.cli.main import run\n"
        f"run(['status', '--home', {str(tmp_path / 'home')!r}])\n"
        "print(*sys.modules)"
    )
    loaded = {
        name.removeprefix("memdeck.")
        for name in run_python(code).splitlines()[-1].split()
        if name.startswith("memdeck.")
    }
    assert {"hosts.install", "hosts.claude.wire"} <= loaded
    assert not {"hosts.commands", "hosts.claude.host"} & loaded
    assert not {"core.judgement.lessons", "cli.commands.receipts"} & loaded


def test_a_list_of_an_open_store_waits_for_nothing_that_takes_sessions_in(run_python, tmp_path):
    code = (
        "import sys; from memdeck import open_memory\n"
        f"with open_memory({str(tmp_path / 'home')!r}, {str(tmp_path)!r}) as memory:\n"
        "    found = memory.find('')\n"
        "    memory.rows(found.nums), memory.facets(''), memory.data_version()\n"
        "    print(*sys.modules)\n"
    )
    loaded = set(run_python(code).split())
    assert not {"pydantic", "rapidfuzz", "asyncio", *SCREENS} & loaded
    assert not {"memdeck.core.services.ingest", "memdeck.core.ingest.pipeline"} & loaded
    assert "memdeck.core.services.curation" not in loaded


def test_the_app_loads_no_agents_before_it_is_asked_for_them(run_python):
    code = "import sys; import memdeck.tui.app, memdeck.agents.desk; print(*sys.modules)"
    loaded = set(run_python(code).split())
    assert not {"pydantic", "memdeck.hosts.install", "memdeck.agents.drain"} & loaded
    assert "memdeck.core.compat" not in loaded
