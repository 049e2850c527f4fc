"""Codex, whole."""

from __future__ import annotations

from ..host import Host
from . import install, trust, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    commands=install.COMMANDS,
    hindrances=install.hindrances,
    trust=trust.grant,
    after_mending="Codex asks you to trust them anew.",
)
