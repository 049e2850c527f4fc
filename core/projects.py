"""Which project a folder belongs to: the repository, wherever it is checked out.

The git top level, worktrees resolved to their main checkout, keyed by the normalised `origin`
URL when there is one, else by the path. Read from git's own files: no process is started, since
a prompt waits for this. Standard library only.
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
    """(root of the main checkout, its git folder); (start, None) outside of any."""
    folder = start
    while True:
        marker = os.path.join(folder, ".git")
        if os.path.isdir(marker):
            return folder, marker
        if os.path.isfile(marker):
            return _from_git_file(folder, marker)
        if _is_bare(folder) and os.path.basename(folder) != ".git":
            return folder, folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return start, None
        folder = parent


def _is_bare(folder: str) -> bool:
    """Whether a folder is a repository without a checkout of its own."""
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def _from_git_file(folder: str, marker: str) -> tuple[str, str | None]:
    """A worktree or a submodule: `.git` is a file that says where the git folder is."""
    text = _read(marker)
    if not text.startswith("gitdir:"):
        return folder, None
    git_folder = os.path.normpath(os.path.join(folder, text[7:].strip()))
    common = _read(os.path.join(git_folder, "commondir")).strip()
    if not common:  # a submodule is a project of its own
        return folder, git_folder
    shared = os.path.normpath(os.path.join(git_folder, common))
    parent = os.path.dirname(shared)
    if os.path.basename(shared) == ".git" or os.path.isfile(os.path.join(parent, ".git")):
        return parent, shared  # the second is a bare repository kept beside its worktrees
    return shared, shared


def _origin(git_folder: str, root: str) -> str | None:
    """The normalised URL of the remote `origin`, or None. Git reads a relative one from `root`."""
    is_origin = False
    for line in _read(os.path.join(git_folder, "config")).split("\n"):
        text = line.strip()
        if text.startswith("["):
            is_origin = re.match(r'\[\s*(?i:remote)\s+"origin"\s*\]', text) is not None
        elif is_origin and text.partition("=")[0].strip().lower() == "url":
            url = _unquoted(text.partition("=")[2].strip())
            if url and ":" not in url.partition("/")[0]:
                url = os.path.normpath(os.path.join(root, os.path.expanduser(url)))
            return normalise(url) or None
    return None


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
