"""The project of a folder: the repository, wherever it is checked out.

The git top level, worktrees resolved to their main checkout, keyed by the normalised `origin` URL
or the path. Read from git's own files. Files that a clone could bring along are not trusted.
"""

from __future__ import annotations

import os
import sys

MOST_CONFIG_BYTES = 256 * 1024
LONGEST_BRANCH = 60  # characters of a branch that is named

_GITS_OWN = ("HEAD", "objects", "commondir")
"""Files that git needs in its folder: a head, and its objects or their place."""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_SCHEME = _PLAIN | frozenset("+.-")


class Identity:
    """A project as its folder describes it. A plain class: a start waits for it."""

    __slots__ = ("id", "mark", "name", "own_id", "place", "remote", "root")

    def __init__(
        self, id: str, name: str, root: str, remote: str | None, mark: str | None = None
    ) -> None:
        self.id = id  # [a-z0-9-], at most 51 characters: readable name, then ten hex digits
        self.name = name
        self.root = root
        self.remote = remote
        self.mark = mark  # distinguishes folders at the same path over time; None: only named
        self.place = f"place|{digest(root)}"  # the setting with the folder's project
        self.own_id = _id(name, f"{remote}\n{root}\n{mark}")  # if another has `id` already


def whereabouts(folder: str) -> tuple[str, str | None]:
    """(root, git folder) of the project that `folder` lies in."""
    return _repository(os.path.realpath(os.path.expanduser(_nameable(folder))))


def branch_of(folder: str) -> str:
    """Return the branch that is checked out where `folder` lies; "" for none, or an odd name."""
    folder, below = os.path.realpath(folder), ""
    while folder != below:
        marker = os.path.join(folder, ".git")
        if os.path.lexists(marker):
            own = marker if os.path.isdir(marker) else _named_by(folder)
            start, _, name = _read(os.path.join(own, "HEAD")).strip().partition("refs/heads/")
            is_plain = {*name.lower()} <= {*_PLAIN, *"/._-"} and len(name) <= LONGEST_BRANCH
            return name if start == "ref: " and is_plain else ""
        folder, below = os.path.dirname(folder), folder
    return ""


def program_outside(name: str, folder: str = "", places: tuple[str, ...] = ()) -> str | None:
    """Return the absolute path of a program that is not the project's, or None.

    `folder` lies in the project, by default it is the current one. `places` are folders to look in
    before those of PATH. Relative entries do not count: a repository could bring a `./git`.
    """
    import shutil  # a hook does without

    if os.sep in name:
        return shutil.which(name) if os.path.isabs(name) else None
    top = whereabouts(folder or os.getcwd())[0]
    if top == os.path.realpath(os.path.expanduser("~")):  # where the user's own programs are
        top = os.path.join(top, ".git")
    for entry in filter(os.path.isabs, (*places, *os.get_exec_path())):
        path = shutil.which(name, path=entry)
        ways = (path, os.path.join(os.path.realpath(entry), name), os.path.realpath(path or ""))
        if path and not any(way.startswith(os.path.join(top, "")) for way in ways if way):
            return path
    return None


def identify(folder: str) -> Identity:
    """Return the project that `folder` lies in; the folder itself when it is in no repository.

    A repository's remote is only a claim: `ProjectReader.id_of` decides on the project.
    """
    root, git_folder = whereabouts(folder)
    url = _setting(git_folder, "config", _REMOTE_ORIGIN, "url") if git_folder else ""
    if url and ":" not in url.partition("/")[0]:  # git reads a relative one from `root`
        url = os.path.normpath(os.path.join(root, os.path.expanduser(url)))
    remote = normalise(url) or None
    name = os.path.basename(remote or root) or "root"
    return Identity(_id(name, remote or root), name, root, remote, _mark(root, git_folder))


def _mark(root: str, git_folder: str | None) -> str:
    """Return inode and time of a file that git writes once per repository, or of the folder.

    No clone or archive can bring both along. "" for a missing folder.
    """
    try:
        inode = os.stat(git_folder or root).st_ino
    except OSError:
        return ""
    try:
        made = os.stat(os.path.join(git_folder, "description")).st_mtime_ns if git_folder else 0
    except OSError:
        made = 0
    return f"{inode}.{made}"


def _nameable(folder: str) -> str:
    """Return `folder` without characters that no path can hold, though an agent's JSON can."""
    try:
        os.fsencode(folder)
    except UnicodeEncodeError:  # half a character
        folder = folder.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return folder.replace("\0", "\ufffd")


def named(name: str) -> Identity:
    """Return a project that is only a name."""
    return Identity(_id(name, f"name:{name}"), name, "", None)


def _id(name: str, key: str) -> str:
    words = "".join(c if c in _PLAIN else " " for c in name.lower()).split()
    slug = "-".join(words)[:40] or "project"
    return f"{slug}-{digest(key)[:10]}"


def digest(key: str) -> str:
    """Return SHA-256 in hexadecimal digits. By Python's own module: loading OpenSSL's takes as long
    as a whole hook that writes."""
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256
    return str(sha256(key.encode("utf-8", "surrogatepass")).hexdigest())


def _repository(start: str) -> tuple[str, str | None]:
    """Return (root of the main checkout, its git folder); (root, None) without a trusted one.

    A repository's own files may imitate one, so a folder among them is no repository, and a `.git`
    that is not a folder counts only if its target points back to it.
    """
    unproven = bare = None
    folder, below = start, ""
    while folder != below:
        marker = os.path.join(folder, ".git")
        if os.path.isdir(marker) and not os.path.islink(marker):
            return folder, marker  # git checks nothing out under this name
        if os.path.lexists(marker):
            if proven := _named_repository(folder):
                return proven
            unproven, bare = unproven or folder, None
        elif os.path.isfile(os.path.join(folder, "HEAD")) and all(  # a bare repository
            os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
        ):
            bare = folder
        folder, below = os.path.dirname(folder), folder
    return (bare, bare) if bare else (unproven or start, None)


def is_for_git(marker: str) -> bool:
    """Return True if git may take it for a repository: a folder without objects is none."""
    if not os.path.isdir(marker):
        return os.path.lexists(marker)
    parts = [os.path.lexists(os.path.join(marker, name)) for name in _GITS_OWN]
    return parts[0] and any(parts[1:])


def _named_repository(folder: str) -> tuple[str, str] | None:
    """Return the repository of a worktree or a submodule, whose `.git` names its git folder."""
    own = _named_by(folder)
    if not own:
        return None
    common = _read(os.path.join(own, "commondir")).strip()
    if not common:  # a submodule is a project of its own
        checkout_of = _checkout_of(own)
        return checkout_of if checkout_of and checkout_of[0] == folder else None
    shared = os.path.realpath(os.path.join(own, common))
    back = os.path.realpath(os.path.join(own, _read(os.path.join(own, "gitdir")).strip()))
    is_known = os.path.dirname(own) == os.path.join(shared, "worktrees")
    return _checkout_of(shared) if is_known and back == os.path.join(folder, ".git") else None


def _named_by(folder: str) -> str:
    """The git folder that the `.git` in `folder` leads to: a folder, a link or a file; else ""."""
    marker = os.path.join(folder, ".git")
    if os.path.isdir(marker):
        return os.path.realpath(marker)
    text = _read(marker)
    named = text[7:].strip() if text.startswith("gitdir:") else ""
    return os.path.realpath(os.path.join(folder, named)) if named else ""


def _checkout_of(git_folder: str) -> tuple[str, str] | None:
    """(root of its main checkout, `git_folder`); None where a work tree could hold it as a file."""
    parent, name = os.path.split(git_folder)
    if name == ".git":
        return parent, git_folder
    setting = _setting(git_folder, "config", _CORE, "worktree")
    setting = setting or _setting(git_folder, "config.worktree", _CORE, "worktree")
    root = os.path.realpath(os.path.join(git_folder, setting)) if setting else parent
    if _named_by(root) != git_folder:
        root = git_folder  # a bare one
    return None if _is_content(git_folder, root) else (root, git_folder)


def _is_content(git_folder: str, root: str) -> bool:
    """Return True if `git_folder` lies in another work tree than its own, not under a `.git`."""
    folder = os.path.dirname(git_folder)
    while os.path.basename(folder) != ".git":
        if folder != root and os.path.lexists(os.path.join(folder, ".git")):
            return True
        if folder == os.path.dirname(folder):
            return False
        folder = os.path.dirname(folder)
    return False


_CORE = ["core"]
_REMOTE_ORIGIN = ["remote", '"origin"']


def _setting(git_folder: str, name: str, section: list[str], key: str) -> str:
    """Return the first value of `key` in a section of one of git's config files, or ""."""
    is_inside = False
    for line in _read(os.path.join(git_folder, name)).split("\n"):
        text = line.strip()
        if text.startswith("["):
            first, *others = text[1:].partition("]")[0].split() or [""]
            is_inside = [first.lower(), *others] == section
        elif is_inside and text.partition("=")[0].strip().lower() == key:
            value = text.partition("=")[2].strip()
            if value.startswith('"'):
                return value[1:].partition('"')[0]
            return value.partition("#")[0].partition(";")[0].strip()
    return ""


_PORTS = {"ssh": "22", "http": "80", "https": "443", "git": "9418"}
_CASELESS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")


def normalise(url: str) -> str:
    """`host/path` of a git URL, read as git reads it: scheme, `.git` and letter case of host gone.

    A port that is not the scheme's own stays, and so does an SSH user other than `git`.
    `git@github.com:acme/api.git` and `https://github.com/acme/api` are one address.
    """
    text = url.strip()
    scheme, mark, rest = text.partition("://")
    scheme = scheme.lower()
    if mark and scheme[:1].isalpha() and _SCHEME.issuperset(scheme):
        scheme = scheme.removeprefix("git+").removesuffix("+git")
        end = min((at for sign in "/?#" if (at := rest.find(sign)) >= 0), default=len(rest))
        authority, path = rest[:end], rest[end:]
    elif ":" in text.partition("/")[0]:  # the scp form: no port follows the colon
        bracket = text.find("]:") + 1
        end = bracket if bracket else text.index(":")
        scheme, authority, path = (
            "ssh",
            text[:end].replace("[", "").replace("]", ""),
            text[end + 1 :],
        )
    else:
        scheme, authority, path = "", "", text
    user, _, host = authority.rpartition("@")
    user = user.partition(":")[0] if scheme == "ssh" else ""
    host, _, port = host.lower().partition(":") if not host.startswith("[") else (host, "", "")
    if port == "443" and host.partition(".")[0] in ("ssh", "altssh"):
        host, port = host.partition(".")[2], ""
    path = "/".join(part for part in path.split("/") if part).removesuffix(".git").rstrip("/")
    if host in _CASELESS:
        path = path.lower()
    user = f"{user}@" if user not in ("", "git") else ""
    port = f":{port}" if port not in ("", _PORTS.get(scheme)) else ""
    is_rooted = not host and text.startswith("/")
    return f"{user}{host}{port}/{path}" if host or is_rooted or mark else path


def is_alike(remote: str | None, other: str | None) -> bool:
    """Return True if two remotes may be one repository: owner and name, or name and host, agree.

    It is for a suggestion only. A renamed repository keeps its host and owner, a moved one its
    name, and another spelling both.
    """
    parts = [(text or "").lower().rsplit("/", 2) for text in (remote, other)]
    if not all(len(item) == 3 for item in parts):
        return False
    return bool(sum(first == second for first, second in zip(*parts, strict=True)) >= 2)


def _read(path: str) -> str:
    if not os.path.isfile(path):  # a pipe of that name would hold us for ever
        return ""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # as paths are
            return file.read(MOST_CONFIG_BYTES)
    except OSError:
        return ""
