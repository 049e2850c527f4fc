"""A program of the test's own as the model that reads sessions."""

import json
import sys
from pathlib import Path

from memdeck.db.home import Home


def use_program(home: Home, program: Path, extractor: str = "") -> None:
    """A program as the model that reads sessions, in the home's own settings."""
    argv = json.dumps([sys.executable, "-I", "-S", str(program)])  # a third of its start
    Path(home.config).write_text(
        f'[extractor]\nengine = "own"\n{extractor}\n[review.engines.own]\n'
        f'kind = "program"\nprogram = {argv}\nusd_per_call = 0.01\n',
        encoding="utf-8",
    )
