"""What git says of a session's folder, also where somebody hostile prepared the repository."""

import json
import os
import subprocess

import pytest

from memdeck import open_memory
from memdeck.agents import spool
from memdeck.agents.drain import drain_spool
from memdeck.benchmarks.gallery.programs import put_program


class Repository:
    """A checkout that a test fills, as a person would have unpacked it."""

    def __init__(self, folder, changed_in):
        self.folder, self.changed_in = folder, changed_in
        folder.mkdir(parents=True)
        self.git("init", "-q")

    def git(self, *words):
        who = ["-c", "user.email=a@b.example", "-c", "user.name=a"]
        command = ["git", "-C", str(self.folder), *who, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, **files):
        for name, text in files.items():
            (self.folder / name).write_text(text)
        self.git("add", ".")
        self.git("commit", "-qm", "x")

    def is_seen(self):
        return self.changed_in(str(self.folder))


@pytest.fixture
def changed_in(home, opened_once, tmp_path):
    """The files of a session that ended a turn in a folder, when the drain has looked."""
    sessions = (f"t{number}" for number in range(1, 100))
    line = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Go on."}}

    def _changed_in(folder):
        session = next(sessions)
        path = tmp_path / "projects" / f"{session}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({**line, "sessionId": session}) + "\n")
        record = spool.new_record("turn_ended", "claude", session, folder)
        spool.append(home, {**record, "transcript": str(path)})
        assert drain_spool(home).records == 1
        with open_memory(home, folder) as memory:
            activity = memory.activity(session)
            return list(activity.files) if activity else []

    return _changed_in


@pytest.fixture
def repository(tmp_path, changed_in):
    return Repository(tmp_path / "harbour", changed_in)


@pytest.fixture
def mark(tmp_path):
    """A file that a hostile program would leave behind."""
    return tmp_path / "mark"


def test_changed_and_new_files_are_named(repository):
    repository.commit(gauge="one\n", crane="one\n")
    (repository.folder / "gauge").write_text("longer\n")
    (repository.folder / "new one").write_text("x")
    assert repository.is_seen() == ["gauge", "new one"]


@pytest.mark.parametrize("way", ["clean", "process"])
@pytest.mark.parametrize("name", ["x", "X.y"])
def test_a_filter_of_the_repository_is_not_started(repository, mark, way, name):
    (repository.folder / ".gitattributes").write_text(f"gauge filter={name}\n")
    repository.commit(gauge="one\n")
    repository.git("config", f"filter.{name}.{way}", f"touch {mark}; cat")
    repository.git("config", f"filter.{name}.required", "true")
    os.utime(repository.folder / "gauge", (1, 1))
    (repository.folder / "gauge").write_text("two\n")  # as long as before: git compares
    assert repository.is_seen() == ["gauge"]
    assert not mark.exists()


def test_a_watcher_of_the_repository_is_not_started(repository, mark):
    repository.commit(gauge="one\n")
    watcher = repository.folder / "watch"
    put_program(watcher, f"#!/bin/sh\ntouch {mark}\n")
    repository.git("config", "core.fsmonitor", str(watcher))
    assert repository.is_seen() == ["watch"]
    assert not mark.exists()


def test_what_the_repository_lacks_is_not_fetched(repository, mark):
    """A fetch may start any program."""
    repository.commit(gauge="one\n")
    tree = repository.git("rev-parse", "HEAD^{tree}")
    for key, value in (
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", f"ext::sh -c touch% {mark}"),
        ("remote.origin.promisor", "true"),
        ("protocol.ext.allow", "always"),
    ):
        repository.git("config", key, value)
    (repository.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    assert repository.is_seen() == []
    assert not mark.exists()


def test_where_git_was_called_from_does_not_lead_elsewhere(repository, tmp_path, monkeypatch):
    """An agent that a git hook started has that repository in its environment."""
    other = Repository(tmp_path / "other", repository.changed_in)
    (other.folder / "foreign").write_text("x")
    (repository.folder / "own").write_text("x")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    assert repository.is_seen() == ["own"]


def test_a_git_that_takes_too_long_has_said_nothing(repository, monkeypatch, tmp_path):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    put_program(slow, "#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    assert repository.is_seen() == []


@pytest.mark.parametrize(
    ("prompt", "files"),
    [("Read the crane's manual.", ("crane.py", "new")), ("#incognito read the manual.", ())],
)
def test_the_files_of_a_turn_off_the_record_are_not_noted(
    prompt, files, repository, home, tmp_path
):
    (repository.folder / "new").write_text("x")
    call = {"type": "tool_use", "id": "t1", "name": "Read"}
    call["input"] = {"file_path": f"{repository.folder}/crane.py"}
    said = (("user", prompt), ("assistant", [call]))
    path = tmp_path / "projects" / "s1.jsonl"
    path.parent.mkdir(exist_ok=True)
    with open(path, "w") as file:
        for number, (role, content) in enumerate(said):
            line = {"type": role, "uuid": f"u{number}", "sessionId": "s1"}
            print(json.dumps({**line, "message": {"role": role, "content": content}}), file=file)
    record = spool.new_record("turn_ended", "claude", "s1", str(repository.folder))
    spool.append(home, {**record, "transcript": str(path)})
    assert drain_spool(home).records == 1
    with open_memory(home, str(repository.folder)) as memory:
        assert memory.activity("s1").files == files
