"""OpenCode, whole."""

from __future__ import annotations

from ..host import Host
from . import headless, install, transcript, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    transcript=transcript.TRANSCRIPT,
    headless=headless.DIALECT,
    commands=install.COMMANDS,
)
