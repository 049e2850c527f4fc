"""Gemini CLI, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..host import Host
from . import install, wire

if TYPE_CHECKING:
    from ....core.ingest.extract.transcripts import Transcript
    from ....core.review.command_dialect import Dialect


def _transcript() -> Transcript:
    from .transcript import TRANSCRIPT

    return TRANSCRIPT


def _headless() -> Dialect:
    from .headless import DIALECT

    return DIALECT


HOST = Host(
    wire=wire,
    installer=install.INSTALLER,
    load_transcript=_transcript,
    load_headless=_headless,
    commands=install.COMMANDS,
    hindrances=install.hindrances,
)
