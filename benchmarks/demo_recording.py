"""Record a store as the demo's: `python -m benchmarks.demo_recording HOME`.

The recording holds the journal's records, the rows that the journal does not bring back, and the
transcripts below HOME/demo. HOME itself stands in it as `{home}`.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from contextlib import closing

from memdeck.db import journal, rebuild
from memdeck.db.home import Home
from memdeck.db.keepers import current
from memdeck.db.store import Store
from memdeck.demo.store import HERE, RECORDING

_MADE_AT_WRITING = ("seq", "writer", "clock", "prev", "hash")


def main() -> None:
    """Write the recording of the home that the command line names."""
    home = Home(sys.argv[1])
    with closing(Store(home)) as store:
        records = []
        for matches in journal.read(home):
            assert matches.record is not None
            head = {k: v for k, v in matches.record.items() if k not in _MADE_AT_WRITING}
            changes = [item for item in current(head["changes"]) if item["before"] or item["after"]]
            moved = [item | {"hash": ""} if "hash" in item else item for item in changes]
            records.append({**head, "changes": moved})
        derived = [
            (table, {k: v for k, v in row.items() if not isinstance(v, bytes)})
            for table, _, row in rebuild.derived_rows(store.database)
        ]
    transcripts = {}
    for folder, _, names in os.walk(os.path.join(home.path, "demo")):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                transcripts[os.path.relpath(path, home.path)] = file.read()
    recording = {"records": records, "derived": derived, "files": transcripts}
    text = json.dumps(recording, ensure_ascii=False).replace(home.path, HERE)
    with open(RECORDING, "wb") as file:
        file.write(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
