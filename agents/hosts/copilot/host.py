"""GitHub Copilot CLI, whole. How it answers one question in JSON is not documented."""

from __future__ import annotations

from ..host import Host
from . import install, transcript, wire

HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    transcript=transcript.TRANSCRIPT,
    hindrances=install.hindrances,
)
