"""OpenCode, whole."""

from __future__ import annotations

from ..host import Host
from . import install, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    commands=install.COMMANDS,
)
