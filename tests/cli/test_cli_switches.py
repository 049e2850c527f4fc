"""Auto-memory and incognito on the command line: for this project, or for all of them."""

import pytest


@pytest.fixture
def told(cli):
    """What `memory NAME` says in JSON after the words were carried out."""
    for name in ("harbour", "shipyard"):
        cli("project", "new", name)

    def _told(name, *words, project="harbour"):
        return cli("memory", name, *words, "--project", project, "--json", code=0).json

    return _told


def test_each_switch_is_for_this_project_unless_it_is_for_all(told):
    assert told("auto") == {"auto": True, "settings": True, "project": True, "everywhere": True}
    assert not told("auto", "off")["auto"]
    assert told("auto", project="shipyard")["auto"]
    assert told("auto", "on")["auto"]
    assert not told("auto", "off", "--everywhere")["auto"]
    assert not told("auto", project="shipyard")["auto"]


def test_incognito_goes_by_without_a_trace_here_or_everywhere(told):
    assert told("incognito") == {"incognito": False, "project": False, "everywhere": False}
    assert told("incognito", "on")["incognito"]
    assert not told("incognito", project="shipyard")["incognito"]
    assert told("incognito", "on", "--everywhere", project="shipyard")["incognito"]
    assert told("incognito", "off")["incognito"]
    assert not told("incognito", "off", "--everywhere")["incognito"]
