"""GitHub Copilot CLI, whole. How it answers one question in JSON is not documented."""

from __future__ import annotations

from ..host import Host
from . import install, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    answers_headless=False,
    hindrances=install.hindrances,
)
