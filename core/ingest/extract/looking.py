"""Which shell commands only look: they fix nothing, and what they show is no run of anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .subjects import PROGRAMS, words

_ASKING = ("--version", "--help", "-h", "-V")
_ASKING_ANYWHERE = ("--version", "--help")
_SENDING = ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")
_LOOKING = words(
    """
    ls cat head tail less more grep egrep rg ag find fd tree pwd echo printf which type whereis file
    wc stat du df ps top env printenv date whoami id uname diff cmp sort uniq cut awk sed jq test [
    [[ sleep exit return man help history wait jobs kill pkill read lsof netstat ss dig nslookup
    host ping nc xxd hexdump strings nm objdump ldd otool lsusb lspci dmesg pgrep nvidia-smi
    journalctl basename dirname realpath readlink sha256sum md5sum tail file locale hostname nl
    """
)
_LOOKING_SUBCOMMANDS = words(
    """
    status log logs diff show blame grep ls-files remote rev-parse describe ps ls list get inspect
    info images top view tree outdated why explain version freeze search history events config
    cat-file count-objects ls-tree rev-list merge-base
    """
)
_LOOKING_ANYWHERE = words("status where list ls show info version tasks")  # whatever the program
_CMDLET = re.compile(r"^(?:get|select|test|measure|resolve|compare)-\w+$", re.IGNORECASE)
_STATE_KEEPERS = words(
    "systemctl service brew apt apt-get dnf yum rustup nvm pyenv asdf gcloud aws az ip launchctl"
)
_READING_SQL = re.compile(
    r"^(?:psql|mysql|sqlite3|duckdb|clickhouse-client)\b.*?[\"'\s](?:select|explain|show|describe|"
    r"\.schema|\.tables|pragma|\\d\w?)\b(?!.*\b(?:insert|update|delete|create|alter|drop|vacuum)\b)",
    re.IGNORECASE | re.DOTALL,
)


def looks(program: str, parts: Sequence[str], text: str) -> bool:
    """Whether a command changes nothing: `ls`, `grep`, `git status`, `gh api` without a field."""
    if program == "sed":
        return not any(part.startswith(("-i", "--in-place")) for part in parts)
    if program in _LOOKING or _CMDLET.match(program) or not {*parts[1:2]}.isdisjoint(_ASKING):
        return True
    if program == "gh" and parts[1:2] == ["api"]:
        return not any(part.startswith(_SENDING) for part in parts)
    if program in PROGRAMS or program in _STATE_KEEPERS:
        first = 3 if program == "git" and parts[1:2] == ["-C"] else 1
        if not {*parts[first : first + 2]}.isdisjoint(_LOOKING_SUBCOMMANDS):
            return True
    elif not {*parts[1:2]}.isdisjoint(_LOOKING_ANYWHERE):
        return True
    return not {*parts[1:]}.isdisjoint(_ASKING_ANYWHERE) or _READING_SQL.match(text) is not None
