"""Which project a folder belongs to, and that no two projects are ever taken for one.

The repositories are laid out as git leaves them; git itself is not needed.
"""

import os
import random
import re
from pathlib import Path

import pytest

from memdeck import BadInput, MemoryCoordinator, open_memory

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"


def repository(place, origin=None, git=".git"):
    """A repository at `place`; with `git` "" a bare one."""
    folder = place / git if git else place
    for part in ("objects", "refs"):
        (folder / part).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    remote = f'[remote "origin"]\n\turl = {origin}\n' if origin else ""
    (folder / "config").write_text(f"[core]\n\tbare = {'false' if git else 'true'}\n{remote}")
    return place


def worktree(git_folder, place):
    """A worktree of a repository, wherever its git folder is."""
    own = git_folder / "worktrees" / place.name
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{place / '.git'}\n")
    place.mkdir(parents=True)
    (place / ".git").write_text(f"gitdir: {own}\n")
    return place


def submodule(main, name, origin, settings="config"):
    own = main / ".git" / "modules" / name
    repository(own, origin, git="")
    place = main / name
    with (own / settings).open("a") as file:
        file.write(f"[core]\n\tworktree = {os.path.relpath(place, own)}\n")
    place.mkdir(parents=True)
    (place / ".git").write_text(f"gitdir: {os.path.relpath(own, place)}\n")
    return place


@pytest.fixture(scope="module")
def identify(tmp_path_factory):
    """The project of a folder, or of a name, as a store that nothing is in opens it."""
    home = tmp_path_factory.mktemp("asked") / "home"

    def asked(place):
        with MemoryCoordinator.open(home, place) as core:
            return core.project

    return asked


@pytest.fixture
def ids(identify):
    return lambda *places: {identify(place).id for place in places}


def test_worktrees_are_their_repository_wherever_they_stand(tmp_path, ids, identify):
    main = repository(tmp_path / "api")
    inside = worktree(main / ".git", main / ".worktrees" / "feature")
    beside = worktree(main / ".git", tmp_path / "api-feature")
    deep = beside / "src" / "core"
    deep.mkdir(parents=True)
    assert len(ids(main, inside, beside, deep, main / ".git", main / ".git" / "refs")) == 1
    assert identify(deep).root == str(main)


@pytest.mark.parametrize("origin", [None, "git@example.org:acme/api.git"])
def test_a_bare_repository_and_its_worktrees_are_one_project(tmp_path, origin, ids, identify):
    bare = repository(tmp_path / "api.git", origin, git="")
    assert len(ids(bare, bare / "refs", worktree(bare, tmp_path / "main"))) == 1

    around = tmp_path / "around"
    repository(around / ".bare", origin, git="")
    (around / ".git").write_text("gitdir: ./.bare\n")
    trees = [worktree(around / ".bare", around / name) for name in ("main", "feature")]
    assert len(ids(around, *trees)) == 1
    assert identify(trees[0]).root == str(around)


def test_a_submodule_is_a_project_of_its_own_and_the_same_as_its_clone(tmp_path, ids, identify):
    main = repository(tmp_path / "api", "git@example.org:acme/api.git")
    part = submodule(main, "lib", "https://example.org/acme/lib.git")
    clone = repository(tmp_path / "elsewhere", "ssh://git@example.org/acme/lib")
    assert ids(main).isdisjoint(ids(part))
    assert ids(part) == ids(clone)
    sparse = submodule(main, "part", "https://example.org/acme/lib.git", "config.worktree")
    assert ids(sparse, worktree(main / ".git" / "modules" / "lib", tmp_path / "lib-fix")) == {
        identify(clone).id
    }


# --- what a clone or an archive can bring along

VICTIM = "git@example.org:acme/billing.git"


def forged_bare(clone):
    """What git checks out like any other folder."""
    return repository(clone / "fixtures" / "repo", VICTIM, git="")


def forged_bare_deep(clone):
    deep = forged_bare(clone) / "refs" / "heads"
    deep.mkdir()
    return deep


def forged_file_to_a_folder_beside(clone):
    repository(clone / "store", VICTIM, git="")
    (clone / "store" / "config").open("a").write("[core]\n\tworktree = ../part\n")
    return git_file(clone / "part", "../store")


def forged_file_to_a_folder_within(clone):
    repository(clone / "part" / ".bare", VICTIM, git="")
    return git_file(clone / "part", "./.bare")


def forged_file_to_the_victim(clone):
    return git_file(clone / "part", os.path.join(clone.parent, "billing", ".git"))


def forged_link_to_the_victim(clone):
    (clone / "part").mkdir()
    os.symlink(os.path.join(clone.parent, "billing", ".git"), clone / "part" / ".git")
    return clone / "part"


def forged_worktree_of_the_victim(clone):
    """It points back, but the repository that it names does not know of it."""
    own = clone / "store"
    own.mkdir()
    (own / "commondir").write_text(os.path.join(clone.parent, "billing", ".git") + "\n")
    (own / "gitdir").write_text("../part/.git\n")
    return git_file(clone / "part", "../store")


def forged_worktree_of_a_forged_repository(clone):
    return worktree(repository(clone / "store", VICTIM, git=""), clone / "part")


def a_worktree_of_the_victim_that_stands_elsewhere(clone):
    own = worktree(clone.parent / "billing" / ".git", clone.parent / "billing-fix")
    return git_file(clone / "part", (own / ".git").read_text().removeprefix("gitdir:").strip())


def a_submodule_of_the_victim_that_stands_elsewhere(clone):
    submodule(clone.parent / "billing", "lib", VICTIM)
    modules = os.path.join(clone.parent, "billing", ".git", "modules")
    return git_file(clone / "part", os.path.join(modules, "lib"))


def git_file(place, names):
    place.mkdir(exist_ok=True)
    (place / ".git").write_text(f"gitdir: {names}\n")
    return place


FORGERIES = [
    forged_bare,
    forged_bare_deep,
    forged_file_to_a_folder_beside,
    forged_file_to_a_folder_within,
    forged_file_to_the_victim,
    forged_link_to_the_victim,
    forged_worktree_of_the_victim,
    forged_worktree_of_a_forged_repository,
    a_worktree_of_the_victim_that_stands_elsewhere,
    a_submodule_of_the_victim_that_stands_elsewhere,
]


@pytest.mark.parametrize("forge", FORGERIES)
@pytest.mark.parametrize("is_worktree", [False, True])
def test_a_folder_that_a_repository_brings_along_is_that_repository(
    tmp_path, open_core, forge, is_worktree, ids
):
    victim = repository(tmp_path / "billing", VICTIM)
    open_core(victim).remember(TIDE)
    clone = repository(tmp_path / "tools", "https://example.org/else/tools.git")
    top = worktree(clone / ".git", tmp_path / "tools-fix") if is_worktree else clone
    place = forge(top)
    assert ids(place) == ids(clone)
    open_core(place).remember("Invoices go out unsigned.")
    assert [memory.content for memory in open_core(place).list()] == ["Invoices go out unsigned."]
    assert [memory.content for memory in open_core(victim).list()] == [TIDE]


@pytest.mark.parametrize("forge", [forge for forge in FORGERIES if "the_victim" in forge.__name__])
def test_outside_of_any_repository_such_a_file_makes_a_project_of_its_folder(
    tmp_path, forge, ids, identify
):
    victim = repository(tmp_path / "billing", VICTIM)
    (tmp_path / "unpacked").mkdir()
    place = forge(tmp_path / "unpacked")
    (place / "src").mkdir()
    assert ids(place) == ids(place / "src")
    assert ids(place).isdisjoint(ids(victim, tmp_path / "unpacked"))
    assert identify(place).root == str(place)


SAME = [
    "git@example.org:acme/api.git",
    "git@example.org:acme/api",
    "example.org:acme/api.git",
    "ssh://git@example.org/acme/api.git",
    "ssh://git@example.org:2222/acme/api.git",
    "ssh://example.org//acme//api/",
    "git+ssh://git@example.org/acme/api.git",
    "https://example.org/acme/api",
    "https://example.org/acme/api/",
    "https://example.org/acme/api.git/",
    "https://example.org/acme/api/.git",
    "https://example.org:443/acme/api.git",
    "https://user:pass-word@example.org/acme/api.git",
    "HTTPS://Example.ORG/acme/api.git",
    "git://EXAMPLE.org/acme/api.git",
    '"https://example.org/acme/api.git"',
    "https://example.org/acme/api.git # the new place",
    "https://example.org/acme/api.git ; the new place",
]
OTHER = [
    "https://example.org/acme/api2",
    "https://example.org/other/api",
    "https://example.com/acme/api",
    "https://example.org/acme/api.github",
    "https://example.org/acme/sub/api",
    "git@example.org:api.git",
    "/srv/git/acme/api.git",
    "../api.git",
]


def test_one_repository_has_many_urls(tmp_path, identify, subtests):
    for number, url in enumerate(SAME):
        with subtests.test(url=url):
            found = identify(repository(tmp_path / f"{number}", url))
            assert (found.remote, found.id) == ("example.org/acme/api", identify(tmp_path / "0").id)


def test_other_repositories_have_others(tmp_path, ids):
    urls = [SAME[0], *OTHER]
    places = [repository(tmp_path / f"{number}" / "api", url) for number, url in enumerate(urls)]
    assert len(ids(*places)) == len(urls)


def test_relative_urls_mean_another_repository_in_another_place(tmp_path, ids):
    for name in ("one", "two"):
        repository(tmp_path / name / "api", "../origin.git")
    assert len(ids(tmp_path / "one" / "api", tmp_path / "two" / "api")) == 2
    clone = repository(tmp_path / "one" / "clone", str(tmp_path / "one" / "origin.git"))
    assert ids(clone) == ids(tmp_path / "one" / "api")


def test_a_clone_of_a_local_repository_without_a_remote_shares_with_it(tmp_path, ids):
    main = repository(tmp_path / "api")
    plain = repository(tmp_path / "one", str(main))
    url = repository(tmp_path / "two", f"file://{main}")
    assert len(ids(main, plain, url)) == 1


@pytest.mark.parametrize(
    "config",
    [
        '[remote "Origin"]\n\turl = https://example.org/acme/api.git\n',
        '[remote "upstream"]\n\turl = https://example.org/acme/api.git\n',
        '[branch "origin"]\n\turl = https://example.org/acme/api.git\n',
        '[remote "origin"]\n\tpushurl = https://example.org/acme/api.git\n',
        '[remote "origin"]\n\turl =\n',
        "url = https://example.org/acme/api.git\n",
        "\x00\xff not a config",
        "",
    ],
)
def test_only_the_url_of_origin_names_a_repository(tmp_path, config, identify):
    place = repository(tmp_path / "here")
    (place / ".git" / "config").write_text(config)
    assert identify(place).remote is None


def test_a_config_that_is_a_pipe_holds_nobody_up(tmp_path, identify):
    place = repository(tmp_path / "here")
    os.remove(place / ".git" / "config")
    os.mkfifo(place / ".git" / "config")
    assert identify(place).remote is None


def test_a_linked_folder_is_the_folder_it_leads_to(tmp_path, ids):
    main = repository(tmp_path / "api")
    (main / "src").mkdir()
    os.symlink(main, tmp_path / "link")
    os.symlink(main / "src", tmp_path / "source")
    os.symlink(tmp_path / "round", tmp_path / "round")
    assert len(ids(main, tmp_path / "link", tmp_path / "link" / "src", tmp_path / "source")) == 1
    assert ids(tmp_path / "round").isdisjoint(ids(main))


def test_a_moved_folder_keeps_its_memories_only_with_a_remote(tmp_path, open_core):
    """Without one there is nothing by which to know it again; the old name still finds them."""
    for origin, is_known in (("git@example.org:acme/api.git", True), (None, False)):
        old = repository(tmp_path / f"old{is_known}", origin)
        open_core(old).remember(TIDE)
        name = open_core(old).project.name
        os.rename(old, tmp_path / f"new{is_known}")
        assert bool(open_core(tmp_path / f"new{is_known}").list()) is is_known
        assert [memory.content for memory in open_core(name).list()] == [TIDE]


def test_a_folder_that_was_given_a_remote_and_its_clone_are_one_project(tmp_path, open_core):
    """Nothing of it is lost when the clone is the second to be remembered in, or by an undo."""
    place = repository(tmp_path / "api")
    open_core(place).remember(TIDE)
    (place / ".git" / "config").write_text('[remote "origin"]\n\turl = git@example.org:a/api\n')
    open_core(place).remember("Fuel is sold before noon, on weekdays alone")
    clone = repository(tmp_path / "clone", "https://example.org/a/api.git")
    core = open_core(clone)
    core.undo(1)  # in which the project was met first
    core.remember("Shore power needs the blue adapter")
    for folder in (place, clone):
        assert len(open_core(folder).list()) == 2
    core.undo(3)
    assert len(open_core(place).list()) == len(open_core("api").list()) == 3


# --- names

PIECES = [*"aZ09-_./\\ \n\t\x1b'\"%|*?:~$`&;#@!", "..", "é", "É", "ﬀ", "．", "／", "漢", "🚢",
          "con", "\u202e", "\u200b", "\ud800", "\udcff", "\x00", "x" * 300, ".git"]  # fmt: skip


def test_any_names_and_folders_make_ids_that_are_safe_in_any_place(identify):
    chance = random.Random(4)
    names = {"".join(chance.choices(PIECES, k=chance.randint(1, 6))) for _ in range(50)}
    for places in (names, {Path("/nowhere", name.lstrip("/")) for name in names}):
        made = {identify(place).id for place in places}
        assert len(made) == len(places)
        assert all(re.fullmatch(r"[a-z0-9-]{1,64}", one) for one in made)


def test_a_name_and_a_folder_of_that_name_are_two(tmp_path, open_core, monkeypatch, ids):
    (tmp_path / "place" / "harbour").mkdir(parents=True)
    open_core("harbour").remember(TIDE)
    assert open_core(tmp_path / "place" / "harbour").list() == []
    assert ids(tmp_path / "place" / "harbour").isdisjoint(ids("harbour"))


STRANGE = [
    "a\nb",
    "caf\u00e9",
    "cafe\u0301",
    "\u202egnp",
    "a b",
    "-rf",
    "a'b\"c",
    "🚢",
    "$(x)",
    "a%b?c#d",
]


@pytest.mark.parametrize("name", STRANGE)
def test_a_folder_of_any_name_can_be_remembered_in(tmp_path, name, open_core, identify):
    place = tmp_path / "folders" / name
    place.mkdir(parents=True)
    core = open_core(place)
    core.remember(TIDE)
    assert [memory.content for memory in core.list()] == [TIDE]
    assert core.project.memories == 1
    assert core.verify().ok
    assert core.project.id == identify(place).id


def test_a_folder_whose_name_is_no_text_can_be_remembered_in(tmp_path, open_core):
    for byte in (b"\xfe", b"\xff"):
        place = os.path.join(os.fsencode(tmp_path), b"harbour-" + byte)
        os.mkdir(place)
        core = open_core(os.fsdecode(place))
        assert core.list() == []  # two such folders are two projects
        core.session_seen("s1", "claude", os.fsdecode(place))
        core.set_transcript_mark(os.fsdecode(place) + "/t.jsonl", 7, 1)
        assert core.transcript_mark(os.fsdecode(place) + "/t.jsonl") == (7, 1)
        core.remember(TIDE)
        assert core.verify().ok
    assert len(core.projects()) == 2


def test_two_homes_never_share(tmp_path):
    with open_memory(tmp_path / "one", "harbour") as one:
        one.remember(TIDE)
    with open_memory(tmp_path / "two", "harbour") as two:
        assert two.list() == []


def test_a_folder_that_is_gone_is_a_clear_error(child, tmp_path):
    told = child(
        "from memdeck import open_memory\n"
        "from memdeck import ManagerError\n"
        "from memdeck.cli.main import run\n"
        "os.mkdir(given[0]); os.chdir(given[0]); os.rmdir(given[0])\n"
        "try:\n"
        "    with open_memory(home): pass\n"
        "except ManagerError as error:\n"
        "    print(error)\n"
        "sys.stderr = sys.stdout\n"
        "print(run(['install', 'claude']))\n",
        str(tmp_path / "gone"),
    )
    gone = "The folder we are in is gone.\n"
    hint = "  Change to another one, or name a project.\n"
    assert told.stdout == f"{gone}memdeck: {gone}{hint}1\n", told.stderr


def test_no_project_has_an_empty_name(tmp_path):
    with pytest.raises(BadInput), open_memory(tmp_path, ""):  # a variable that is not set
        pass
