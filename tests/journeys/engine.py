"""A program of the test's own as the model that reads sessions.

What it can say without one it says in shell: an interpreter takes five times as long to start.
"""

import json
import sys
from pathlib import Path

from memdeck.db.home import Home

NOTHING_IN_SESSIONS = """
cd '{place}' || exit
asked=$(cat)
case $asked in *'
 "turns": ['*)
  n=0
  for one in session-*.json; do [ -e "$one" ] && n=$((n + 1)); done
  printf '%s' "$asked" > "session-$n.json"
  echo '{{"memories": [], "retract": []}}'
  exit
esac
printf '%s' "$asked" | '{python}' -I -S '{program}'
"""
"""Keeps what it is asked of sessions, and says nothing of them; the rest it asks a program."""


def use_program(home: Home, program: Path, extractor: str = "") -> None:
    """A program as the model, in the home's own settings: in shell, or one in Python behind it."""
    if program.suffix == ".py":
        text = NOTHING_IN_SESSIONS.format(
            place=program.parent, python=sys.executable, program=program
        )
        program = program.with_suffix(".sh")
        program.write_text(text)
    argv = json.dumps(["/bin/sh", str(program)])
    Path(home.config).write_text(
        f'[extractor]\nengine = "own"\n{extractor}\n[review.engines.own]\n'
        f'kind = "program"\nprogram = {argv}\n',
        encoding="utf-8",
    )
