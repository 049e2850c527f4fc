"""Programs that tests put in the place of agents, editors and git."""

import os
import subprocess
from pathlib import Path


def put_program(path: Path, source: str) -> Path:
    """An executable file with this source, its `#!` line first.

    Another process writes it: whatever this one forks meanwhile, in a thread that an earlier test
    left behind, would hold the file open for writing, and the system starts no such program. Nor
    can one that still runs be written again: it is replaced.
    """
    subprocess.run(
        ["/bin/sh", "-c", 'cat > "$0.new" && chmod 755 "$0.new" && mv -f "$0.new" "$0"', path],
        input=source,
        encoding="utf-8",
        env={"PATH": os.defpath},
        check=True,
    )
    return path
