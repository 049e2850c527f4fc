"""Which project a folder belongs to, and that no two projects are ever taken for one.

The repositories are laid out as git leaves them; git itself is not needed.
"""

import csv
import io
import os
import random
import re
import shutil
from pathlib import Path

import pytest

from memdeck import BadInput, ConsentNeeded, MemoryCoordinator, NotFound, open_memory
from memdeck.core.portable import to_csv
from memdeck.core.projects import program_outside

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


def forged_bare_deep(clone):
    deep = FORGERIES["a bare repository"](clone) / "refs" / "heads"
    deep.mkdir()
    return deep


def forged_file_to_a_folder_beside(clone):
    repository(clone / "store", VICTIM, git="")
    (clone / "store" / "config").open("a").write("[core]\n\tworktree = ../part\n")
    return git_file(clone / "part", "../store")


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


FORGERIES = {
    # what git checks out like any other folder
    "a bare repository": lambda clone: repository(clone / "fixtures" / "repo", VICTIM, git=""),
    "deep in a bare repository": forged_bare_deep,
    "a folder beside": forged_file_to_a_folder_beside,
    "a folder within": lambda clone: git_file(
        repository(clone / "part" / ".bare", VICTIM, git="").parent, "./.bare"
    ),
    "a file to the victim": lambda clone: git_file(
        clone / "part", os.path.join(clone.parent, "billing", ".git")
    ),
    "a link to the victim": forged_link_to_the_victim,
    "a worktree of the victim": forged_worktree_of_the_victim,
    "a worktree of a forged repository": lambda clone: worktree(
        repository(clone / "store", VICTIM, git=""), clone / "part"
    ),
    "a worktree of the victim elsewhere": a_worktree_of_the_victim_that_stands_elsewhere,
    "a submodule of the victim elsewhere": a_submodule_of_the_victim_that_stands_elsewhere,
}


@pytest.mark.parametrize("forge", FORGERIES)
@pytest.mark.parametrize("is_worktree", [False, True])
def test_a_folder_that_a_repository_brings_along_is_that_repository(
    tmp_path, open_core, forge, is_worktree, ids
):
    victim = repository(tmp_path / "billing", VICTIM)
    open_core(victim).remember(TIDE)
    clone = repository(tmp_path / "tools", "https://example.org/else/tools.git")
    top = worktree(clone / ".git", tmp_path / "tools-fix") if is_worktree else clone
    place = FORGERIES[forge](top)
    assert ids(place) == ids(clone)
    open_core(place).remember("Invoices go out unsigned.")
    assert [memory.content for memory in open_core(place).list()] == ["Invoices go out unsigned."]
    assert [memory.content for memory in open_core(victim).list()] == [TIDE]


@pytest.mark.parametrize("forge", [forge for forge in FORGERIES if "the victim" in forge])
def test_outside_of_any_repository_such_a_file_makes_a_project_of_its_folder(
    tmp_path, forge, ids, identify
):
    victim = repository(tmp_path / "billing", VICTIM)
    (tmp_path / "unpacked").mkdir()
    place = FORGERIES[forge](tmp_path / "unpacked")
    (place / "src").mkdir()
    assert ids(place) == ids(place / "src")
    assert ids(place).isdisjoint(ids(victim, tmp_path / "unpacked"))
    assert identify(place).root == str(place)


SAME = [
    "git@example.org:acme/api.git",
    "git@example.org:acme/api",
    "example.org:acme/api.git",
    "ssh://git@example.org/acme/api.git",
    "ssh://git@example.org:22/acme/api.git",
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
    "https://example.org?@example.com/acme/api",
    "https://example.com?@example.org/acme/api",
    "https://example.com#@example.org/acme/api",
    "ssh://git@example.org:2222/acme/api.git",
    "ssh://git@example.org:2223/acme/api.git",
    "[git@example.org:2224]:acme/api.git",
    "https://example.org:8443/acme/api",
    "git@example.org:12345/acme/api.git",
    "ssh://alice@example.org/acme/api.git",
    "alice@example.org:acme/api.git",
    "bob@example.org:api.git",
    "alice@example.org:api.git",
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
    assert len(ids(*places)) == len({url.replace("ssh://alice@example.org/", "alice@example.org:")
                                     for url in urls})  # fmt: skip


def test_relative_urls_mean_another_repository_in_another_place(tmp_path, ids):
    for name in ("one", "two"):
        repository(tmp_path / name / "api", "../origin.git")
    assert len(ids(tmp_path / "one" / "api", tmp_path / "two" / "api")) == 2
    clone = repository(tmp_path / "one" / "clone", str(tmp_path / "one" / "origin.git"))
    assert ids(clone) == ids(tmp_path / "one" / "api")


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


def contents(core):
    return {memory.content for memory in core.list()}


def as_git_makes_it(place, origin=None):
    """With the file that git writes once."""
    repository(place, origin)
    (place / ".git" / "description").write_text("Unnamed repository\n")
    return place


def with_origin(place, url):
    (place / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    return place


API = "git@example.org:acme/api.git"


def a_link_to_a_copy(home, here):
    shutil.copytree(here, home / "copy")
    os.symlink(home / "copy", home / "link")
    return home / "link"


def another_at_the_path(here, origin=None):
    shutil.move(here, here.parent / "unmounted")
    return as_git_makes_it(here, origin)


ODD = {
    "a second clone": lambda home, here: repository(home / "elsewhere" / "api", API),
    "an archive that claims the origin": lambda home, here: shutil.copytree(here, home / "new"),
    "an archive that claims the path": lambda home, here: repository(home / "new", str(here)),
    "a claim of the path as url": lambda home, here: repository(home / "new", f"file://{here}"),
    "a bare folder": lambda home, here: repository(home / "api.git", API, git=""),
    "a submodule that names another's url": lambda home, here: submodule(
        repository(home / "tools"), "lib", API
    ),
    "a submodule of a clone": lambda home, here: submodule(
        repository(home / "other", API), "deep", API
    ),
    "a query in the url": lambda home, here: repository(
        home / "evil", "https://evil.example?@example.org/acme/api"
    ),
    "a link to a copy": a_link_to_a_copy,
    "another container": lambda _, here: another_at_the_path(here, "git@example.org:other/thing"),
    "another folder without remote": lambda _, here: another_at_the_path(here),
    "a parent that became a repository": lambda _, here: repository(here.parent, API),
    "a folder of the same name": lambda home, here: repository(home / "deep" / "workspace"),
}


@pytest.mark.parametrize("shape", ODD.values(), ids=ODD)
@pytest.mark.parametrize("origin", [API, None])
def test_a_claim_neither_reads_nor_writes_another_projects_memories(
    tmp_path, open_core, shape, origin
):
    here = as_git_makes_it(tmp_path / "src" / "workspace", origin)
    open_core(here).remember(TIDE)
    owner = open_core(here).project.id
    place = shape(tmp_path, here)
    assert contents(open_core(place)) == set()
    open_core(place).remember("Invoices go out unsigned.")
    assert contents(open_core(place)) == {"Invoices go out unsigned."}
    assert contents(open_core(owner)) == {TIDE}


def moved(place, home):
    shutil.move(place, home / "moved")
    return home / "moved"


KEPT = {
    "the remote is renamed": lambda place, home: with_origin(place, "git@example.org:acme/pay.git"),
    "the remote moves": lambda place, home: with_origin(place, "https://other.example/x/y"),
    "the remote goes": lambda place, home: with_origin(place, ""),
    "a remote is added": lambda place, home: with_origin(place, API),
    "another spelling": lambda place, home: with_origin(place, "ssh://work/acme/api"),
    "the folder moves": moved,
    "both move": lambda place, home: with_origin(moved(place, home), "git@example.org:a/b"),
    "a worktree": lambda place, home: worktree(place / ".git", home / "feature"),
}


@pytest.mark.parametrize("change", KEPT)
@pytest.mark.parametrize("origin", [API, None])
def test_a_project_survives_its_name(tmp_path, open_core, change, origin):
    here = as_git_makes_it(tmp_path / "api", origin)
    open_core(here).remember(TIDE)
    owner = open_core(here).project.id
    core = open_core(KEPT[change](here, tmp_path))
    assert (core.project.id, contents(core)) == (owner, {TIDE})
    core.remember("Fuel is sold before noon.")
    assert contents(open_core(owner)) == {TIDE, "Fuel is sold before noon."}


def test_a_second_place_is_joined_by_the_user_and_undo_parts_them(tmp_path, open_core):
    here = as_git_makes_it(tmp_path / "api", API)
    core = open_core(here)
    pinned = core.remember(TIDE, pin=True).memory_id
    other = as_git_makes_it(tmp_path / "second", API)
    core = open_core(other, confirmation_callback=lambda question: "second" in question)
    fuel = core.remember("Fuel is sold before noon.").memory_id
    core.link(fuel, core.remember("Shore power needs the blue adapter.").memory_id, "extends")
    core.forget(core.remember("The mooring fee is 12 crowns.").memory_id)
    core.add_alias("quay", ["pier"])
    [alike] = core.services.projects.alike()
    assert (alike.reason, alike.project.memories) == ("has the same remote", 1)
    before = core.services.projects.join(alike.project.id, preview=True)
    assert (before.memories, contents(core)) == (3, contents(open_core(other)))
    core.services.projects.join(alike.project.id)
    for place in (here, other):
        joined = open_core(place)
        assert {memory.content: memory.status for memory in joined.list()}[TIDE] == "pinned"
        assert len(joined.list()) == 3
        assert joined.resolve(fuel).degree == "person"
        assert len(joined.list("is:retired")) == 1
        assert joined.services.projects.alike() == []
        assert joined.verify().ok
        assert {"add", "join", "link"} <= {entry.action for entry in joined.audit()}
    assert open_core(here).aliases() == {"quay": ("pier",)}
    open_core(other).undo()
    assert contents(open_core(here)) == {TIDE}
    assert len(open_core(other).list()) == 2
    open_core(other).redo()
    assert len(open_core(here).list()) == 3
    assert open_core(here).resolve(pinned).status == "pinned"


def test_joining_needs_the_users_yes(tmp_path, open_core):
    open_core("harbour").remember(TIDE)
    core = open_core(as_git_makes_it(tmp_path / "api"))
    core.context.consent.callback = None
    with pytest.raises(ConsentNeeded):
        core.services.projects.join("harbour")
    with pytest.raises(NotFound):
        core.services.projects.join("nowhere")


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


@pytest.mark.parametrize("entry", [".", "bin", "", "node_modules/.bin", "{here}/bin"])
def test_no_program_of_a_repository_is_found(tmp_path, monkeypatch, entry):
    place = repository(tmp_path / "api")
    monkeypatch.chdir(place)
    for folder in (place, place / "bin", place / "node_modules" / ".bin", tmp_path / "own"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "git").write_text("#!/bin/sh\n")
        (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{entry.format(here=place)}{os.pathsep}{tmp_path / 'own'}")
    assert program_outside("git", str(place)) == str(tmp_path / "own" / "git")
    assert program_outside("./git", str(place)) is None


def test_a_table_has_one_row_a_memory_and_no_formula(open_core):
    texts = [
        "Fact: \n=1+1",
        "=1+1",
        " \n@SUM(A1)",
        "＝1+1",
        "one\r\ntwo",
        "+49 is Germany",
        'a "b", c',
    ]
    core = open_core("harbour")
    for text in texts:
        core.remember(text)
    rows = list(csv.DictReader(io.StringIO("\r\n".join(to_csv(core.list()))), strict=True))
    assert len(rows) == len(texts)
    assert not any(row["content"].lstrip().startswith(("=", "@", "＝", "+")) for row in rows)
