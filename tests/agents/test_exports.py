"""A session that has no file is exported by its own program: whole, bounded, and off the disk."""

import json
import os
import sys
import time

import pytest

from memdeck.benchmarks.gallery.programs import put_program
from memdeck.db.home import try_lock
from memdeck.hosts.opencode import host

PROGRAM = """#!{python}
import json, os, sys, time
assert sys.argv[1] == "export", sys.argv
about = {{
    "session": sys.argv[2],
    "folder": os.getcwd(),
    "guard": os.environ.get("MEMDECK_GUARD"),
    "pure": os.environ.get("OPENCODE_PURE"),
}}
print("Exporting session: " + sys.argv[2], file=sys.stderr)
{body}
"""
TELLS = 'print(json.dumps({"info": about, "messages": []}))'


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A stand-in for `opencode`, in a folder with a space in its name, that runs this code."""

    def make(body=TELLS, name="opencode"):
        path = tmp_path / "some bin" / name
        path.parent.mkdir(exist_ok=True)
        put_program(path, PROGRAM.format(python=sys.executable, body=body))
        monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
        return str(path)

    return make


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """Nothing on the PATH, nothing in the person's folder."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_a_session_is_exported_where_it_belongs_and_without_our_own_hooks(program, tmp_path):
    place = tmp_path / "harbour"
    place.mkdir()
    program()
    text = host.export("opencode:ses_1", str(place))
    about = json.loads(text)["info"]
    assert (about["session"], about["folder"]) == ("ses_1", str(place))
    assert (about["guard"], about["pure"]) == ("1", "1")


def test_the_program_writes_into_a_file_and_not_into_a_pipe(program):
    body = "import stat\nabout['mode'] = stat.S_ISREG(os.fstat(1).st_mode)\n" + TELLS
    program(body)
    about = json.loads(host.export("opencode:ses_1"))["info"]
    assert about["mode"] is True


@pytest.mark.parametrize("link", [False, True])
def test_a_program_that_a_project_brings_along_is_not_started(link, program, alone, monkeypatch):
    """Older versions noted which program told of the session; a project could name its own."""
    project = alone / "harbour"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    theirs = program()
    if link:  # within the project, whichever way one looks at it
        (project / "opencode").symlink_to(theirs)
        theirs = str(project / "opencode")
    else:
        theirs = str(project / "opencode")
        os.rename(alone / "some bin" / "opencode", theirs)
    monkeypatch.setenv("PATH", str(project))
    for address in (f"opencode:ses_1@{theirs}", "opencode:ses_1"):
        with pytest.raises(host.ExportFailed, match="not found"):
            host.export(address, str(project / "src"))


def test_a_program_that_hangs_is_stopped_with_all_its_helpers(program, tmp_path):
    held = tmp_path / "held"  # locked for as long as the helper lives
    helper = f"import fcntl, time; f = open({str(held)!r}, 'w'); fcntl.flock(f, 2); time.sleep(600)"
    body = f"import subprocess\nsubprocess.run([sys.executable, '-c', {helper!r}])"
    program(body)
    with pytest.raises(host.ExportFailed, match="within"):
        host.export("opencode:ses_1", limit_s=1.5)
    with open(held, "w") as file:
        assert any(try_lock(file.fileno()) or time.sleep(0.1) for _ in range(600))
