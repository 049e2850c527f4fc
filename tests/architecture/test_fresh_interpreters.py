"""What a fresh process loads: a contract cannot tell a deferred import from an immediate one."""

import pytest

SCREENS = {"textual", "rich"}
HEAVY = {"pydantic", "rapidfuzz", "click", "platformdirs", "peewee", "playhouse", *SCREENS}


def loaded_by(run_python, module):
    """The top-level names in sys.modules after importing `module`."""
    names = run_python(f"import sys, {module}; print(*sys.modules)").split()
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(
    "module",
    [
        "memdeck",
        "memdeck.core.compat",
        "memdeck.db.store",
        "memdeck.agents.main",
        "memdeck.agents.drain",
        "memdeck.cli.main",
    ],
)
def test_nothing_but_the_app_loads_a_screen(run_python, module):
    assert not SCREENS & loaded_by(run_python, module)


@pytest.mark.parametrize(
    "module",
    [
        "memdeck",
        "memdeck.agents.main",
        "memdeck.agents.spool",
        "memdeck.agents.recall",
        "memdeck.core.retrieval.pipeline",
        "memdeck.db.fast_reader",
    ],
)
def test_an_agents_prompt_pays_for_the_standard_library_only(run_python, module):
    assert not HEAVY & loaded_by(run_python, module)


def test_the_public_names_come_when_they_are_used(run_python):
    assert run_python("import memdeck; print(memdeck.open_memory.__name__)") == "open_memory\n"
    code = "import memdeck\ntry:\n    memdeck.nothing\nexcept AttributeError as e:\n    print(e)"
    assert "no attribute 'nothing'" in run_python(code)


def test_a_list_is_shown_without_what_only_a_change_or_a_search_needs(run_python, tmp_path):
    code = (
        "import sys; from memdeck.cli.main import run;"
        f" run(['list', '--limit', '1', '--home', {str(tmp_path / 'home')!r}]);"
        " print(*sys.modules)"
    )
    loaded = run_python(code).split()
    assert not {"pydantic", "rapidfuzz", "asyncio", *SCREENS} & set(loaded)
    assert not {"memdeck.core.compat", "memdeck.core.retrieval.candidates"} & set(loaded)
