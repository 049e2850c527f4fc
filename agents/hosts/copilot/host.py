"""GitHub Copilot CLI, whole. How it answers one question in JSON is not documented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..host import Host
from . import install, wire

if TYPE_CHECKING:
    from ....core.ingest.extract.transcripts import Transcript


def _transcript() -> Transcript:
    from .transcript import TRANSCRIPT

    return TRANSCRIPT


HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    load_transcript=_transcript,
    hindrances=install.hindrances,
)
