"""Codex, whole."""

from __future__ import annotations

from ..host import Host
from . import headless, install, transcript, trust, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    transcript=transcript.TRANSCRIPT,
    headless=headless.DIALECT,
    commands=install.COMMANDS,
    hindrances=install.hindrances,
    trust=trust.grant,
    after_mending="Codex asks you to trust them anew.",
)
