"""Where a store lives, and what the place does to it."""

import os
from pathlib import Path

import pytest

from memdeck.agents.doctor import network_type, synced_by
from memdeck.db.errors import StoreUnusable
from memdeck.db.home import Home
from memdeck.hosts import settings

PLACES = [
    # environment, folder of the home below the working folder; None: a clear error
    ({"MEMDECK_HOME": "store"}, None),
    ({"MEMDECK_HOME": "./store"}, None),
    ({"MEMDECK_HOME": "../store"}, None),
    ({"MEMDECK_HOME": "~nobody-of-that-name/store"}, None),
    ({"HOME": ""}, None),
    ({"HOME": "relative"}, None),
    ({"HOME": "", "MEMDECK_HOME": "~/store"}, None),
    ({"HOME": "", "XDG_DATA_HOME": "data"}, None),
    ({"MEMDECK_HOME": "{here}/a/../store"}, "store"),
    ({"MEMDECK_HOME": "~/store"}, "store"),
    ({"MEMDECK_HOME": "  "}, ".local/share/memdeck"),
    ({"XDG_DATA_HOME": "data"}, ".local/share/memdeck"),
    ({"XDG_DATA_HOME": "~/data"}, ".local/share/memdeck"),
    ({"XDG_DATA_HOME": "{here}/data"}, "data/memdeck"),
    ({"HOME": "", "XDG_DATA_HOME": "{here}/data"}, "data/memdeck"),
    ({"HOME": "", "MEMDECK_HOME": "{here}/store"}, "store"),
]


@pytest.mark.parametrize(("environment", "below"), PLACES)
def test_a_home_is_an_absolute_path_or_a_clear_error(environment, below, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("MEMDECK_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(here=tmp_path))
    if below is None:
        with pytest.raises(StoreUnusable, match=r"MEMDECK_HOME|HOME is not set"):
            Home()
    else:
        assert Home().path == str(tmp_path / below)
    assert os.listdir(tmp_path) == []


SYNCED = {
    True: [
        "Dropbox", "Dropbox (Acme)", "OneDrive", "OneDrive - Contoso", "Google Drive",
        "Library/Mobile Documents/com~apple~CloudDocs", "Library/CloudStorage/GoogleDrive-a@b.com",
        "Nextcloud", "ownCloud", "Seafile", "Sync", "MEGA", "Box", "pCloudDrive", "SynologyDrive",
        "Proton Drive", "iCloudDrive", "marked",
    ],
    False: [
        "work", "code/dropbox-clone", "sync", "box", "megaphone", "syncthing-notes", "nextcloud.d",
        "onedrive2box", ".local/share",
    ],
}  # fmt: skip


def test_a_home_that_another_program_syncs_is_named(tmp_path):
    (tmp_path / "marked").mkdir()
    (tmp_path / "marked" / ".stfolder").touch()
    for is_synced, folders in SYNCED.items():
        for folder in folders:
            assert bool(synced_by(str(tmp_path / folder / "memdeck"))) == is_synced, folder


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/x /net nfs4 rw 0 0
C: /mnt/c 9p rw 0 0
me@host: /home/me/far\\040away fuse.sshfs rw 0 0
/dev/sdb /net/local btrfs rw 0 0
//nas/y /nas cifs rw 0 0
tmpfs /tmp tmpfs rw 0 0
rclone /cloud fuse.rclone rw 0 0
none /lower overlay rw 0 0
mount0 /shared vboxsf rw 0 0
"""

ON_NETWORK = {
    "/net/a": "nfs4", "/net/local/a": "", "/netting": "", "/home/me/far away/a": "fuse.sshfs",
    "/home/me/far": "", "/mnt/c/Users/a": "9p", "/mnt/cd": "", "/nas": "cifs",
    "/cloud/a": "fuse.rclone", "/lower/a": "", "/shared/a": "vboxsf", "/var": "",
    "\\\\nas\\share": "a server's share",
}  # fmt: skip


def test_a_home_on_a_network_drive_is_named(tmp_path, monkeypatch):
    (tmp_path / "mounts").write_text(MOUNTS)
    monkeypatch.setattr(os.path, "realpath", lambda path: path)
    for path, kind in ON_NETWORK.items():
        assert network_type(path, str(tmp_path / "mounts")) == kind, path


COMMENTS = {
    '{\n  // theme\n  "theme": "x"\n}': "comments",
    '{"a": 1 /* one */}': "comments",
    '/* head */ {"url": "https://x"}': "comments",
    '{"url": "https://x", }': "not valid JSON",
    '{"a": "/* no comment */" ': "not valid JSON",
    '{"a": "// \\" no"; }': "not valid JSON",
    "a: 1": "not valid JSON",
}


@pytest.mark.parametrize(("text", "reason"), COMMENTS.items())
def test_settings_that_cannot_be_edited_are_left_with_the_reason(text, reason, tmp_path):
    path: Path = tmp_path / "settings.json"
    path.write_text(text)
    [problem] = settings.read(str(path)).problems
    assert reason in problem
    assert path.read_text() == text
