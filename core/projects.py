"""Which project a folder belongs to: the repository, wherever it is checked out.

The git top level, worktrees resolved to their main checkout, keyed by the normalised `origin`
URL when there is one, else by the path. Read from git's own files: no process is started, since
a prompt waits for this. What a clone could bring along is not believed. Standard library only.
"""

import hashlib
import os
import re
from dataclasses import dataclass

MOST_CONFIG_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Identity:
    """A project as its folder tells it."""

    id: str  # [a-z0-9-], at most 51 characters: readable name, then ten hex digits
    name: str
    root: str
    remote: str | None


def identify(folder: str) -> Identity:
    """The project that `folder` lies in; the folder itself when it is in no repository."""
    start = os.path.realpath(os.path.expanduser(_nameable(folder)))
    root, git_folder = _repository(start)
    remote = _origin(git_folder, root) if git_folder else None
    name = os.path.basename(remote or root) or "root"
    return Identity(_id(name, remote or root), name, root, remote)


def _nameable(folder: str) -> str:
    """`folder` without what no path can hold, though the JSON of an agent can."""
    try:
        os.fsencode(folder)
    except UnicodeEncodeError:  # half a character
        folder = folder.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return folder.replace("\0", "\ufffd")


def named(name: str) -> Identity:
    """A project that is only a name."""
    return Identity(_id(name, f"name:{name}"), name, "", None)


def _id(name: str, key: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "project"
    return f"{slug}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _repository(start: str) -> tuple[str, str | None]:
    """(root of the main checkout, its git folder); (root, None) without one that can be believed.

    A repository's own files may look like anything: what could be among them is no repository,
    and a `.git` that is not a folder counts only if what it names points back to it.
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
        elif _is_bare(folder):
            bare = folder
        folder, below = os.path.dirname(folder), folder
    return (bare, bare) if bare else (unproven or start, None)


def _is_bare(folder: str) -> bool:
    """Whether a folder has the shape of a repository without a checkout of its own."""
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def _named_repository(folder: str) -> tuple[str, str] | None:
    """The repository of a worktree or a submodule, whose `.git` names its git folder."""
    own = _named_by(folder)
    if not own:
        return None
    common = _read(os.path.join(own, "commondir")).strip()
    if not common:  # a submodule is a project of its own
        found = _checkout_of(own)
        return found if found and found[0] == folder else None
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
    told = _setting(git_folder, "config", _CORE, "worktree")
    told = told or _setting(git_folder, "config.worktree", _CORE, "worktree")
    root = os.path.realpath(os.path.join(git_folder, told)) if told else parent
    if _named_by(root) != git_folder:
        root = git_folder  # a bare one
    return None if _is_content(git_folder, root) else (root, git_folder)


def _is_content(git_folder: str, root: str) -> bool:
    """Whether `git_folder` lies in a work tree, but not under a `.git`; its own does not count."""
    folder = os.path.dirname(git_folder)
    while os.path.basename(folder) != ".git":
        if folder != root and os.path.lexists(os.path.join(folder, ".git")):
            return True
        if folder == os.path.dirname(folder):
            return False
        folder = os.path.dirname(folder)
    return False


def _origin(git_folder: str, root: str) -> str | None:
    """The normalised URL of the remote `origin`, or None. Git reads a relative one from `root`."""
    url = _setting(git_folder, "config", _REMOTE_ORIGIN, "url")
    if url and ":" not in url.partition("/")[0]:
        url = os.path.normpath(os.path.join(root, os.path.expanduser(url)))
    return normalise(url) or None


_CORE = re.compile(r"\[\s*(?i:core)\s*\]")
_REMOTE_ORIGIN = re.compile(r'\[\s*(?i:remote)\s+"origin"\s*\]')


def _setting(git_folder: str, name: str, section: re.Pattern[str], key: str) -> str:
    """The first value of `key` in a section of one of git's config files, or ""."""
    is_inside = False
    for line in _read(os.path.join(git_folder, name)).split("\n"):
        text = line.strip()
        if text.startswith("["):
            is_inside = section.match(text) is not None
        elif is_inside and text.partition("=")[0].strip().lower() == key:
            return _unquoted(text.partition("=")[2].strip())
    return ""


def _unquoted(value: str) -> str:
    """A value of git's config without its quotes, or without the comment behind it."""
    if value.startswith('"'):
        return value[1:].partition('"')[0]
    return re.split("[#;]", value, maxsplit=1)[0].strip()


def normalise(url: str) -> str:
    """`host/path` of a git URL: scheme, user, port, `.git` and letter case of the host gone.

    `git@github.com:acme/api.git` and `https://github.com/acme/api` are one project.
    """
    text = re.sub(r"^[a-z][a-z0-9+.-]*://", "", url.strip(), flags=re.IGNORECASE)
    had_scheme = text != url.strip()
    if not had_scheme and re.match(r"^[^/]+:(?!\d+/)", text):
        text = text.replace(":", "/", 1)  # the scp form: user@host:path
    host, slash, path = text.partition("/")
    host = host.rpartition("@")[2].lower()
    host = re.sub(r":\d+$", "", host)
    path = re.sub(r"/+", "/", path).strip("/")
    return f"{host}{slash}{path.removesuffix('.git').rstrip('/')}"


def _read(path: str) -> str:
    if not os.path.isfile(path):  # a pipe of that name would hold us for ever
        return ""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # as paths are
            return file.read(MOST_CONFIG_BYTES)
    except OSError:
        return ""
