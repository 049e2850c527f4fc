"""Links in the place of a settings file: a person's own are followed, a project's not out of it."""

import pytest

from .agents_bench import JSON_HOSTS, LAYOUTS, Bench, forget_surroundings


@pytest.fixture(params=JSON_HOSTS)
def bench(request, home, tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    project = tmp_path / "project"
    project.mkdir()
    return Bench(request.param, home, project)


@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_link_is_written_through_and_stays_a_link(scope, tmp_path, bench):
    target = (tmp_path if scope == "user" else bench.project) / "dotfiles.json"
    target.write_text(LAYOUTS["tabs"])
    file = bench.path(scope)
    file.parent.mkdir(parents=True)
    file.symlink_to(target)

    planned = bench.install(scope)
    assert file.is_symlink()
    assert "memdeck-hook" in target.read_text()
    assert any(str(target) in note for note in planned.notes)
    bench.uninstall(scope)
    assert file.is_symlink()
    assert target.read_text() == LAYOUTS["tabs"]
