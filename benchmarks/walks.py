"""Trace four request flows, each in a process of its own, and print the files that they enter.

`python -m benchmarks.walks prompt|transcript|key|search FOLDER` prints a module a line. A
file counts when one of its functions is called from the moment that the walk begins: what it
imports, or what stood open before (the app, its store), does not.
"""

import asyncio
import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType

import memdeck

ROOT = Path(memdeck.__file__).resolve().parent
OURS = ("core", "db", "agents", "cli", "tui", "themes")
PATIENCE_S = 60.0  # for the app to stand, and for a key to have its effect
LOOK_S = 0.02  # between two looks whether it has
WAIT_FOR_PERSON = ("dialog", "welcomed")  # the app's workers that end when somebody answers
SESSION = "0f0f0f0f-1111-4222-8333-444444444444"
SAID = (
    ("user", "From now on always run the migrations before the integration tests."),
    ("assistant", "Done. The integration tests failed because the schema was two versions behind."),
)


class Trace:
    """Which of our files are entered from `start` to `stop`, in all threads."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def start(self) -> None:
        threading.setprofile(self._seen)
        sys.setprofile(self._seen)

    def stop(self) -> list[str]:
        """The modules entered, as paths below the package, sorted."""
        sys.setprofile(None)
        threading.setprofile(None)
        inside = (Path(name).resolve() for name in self.files if not name.startswith("<"))
        own = (path.relative_to(ROOT) for path in inside if path.is_relative_to(ROOT))
        return sorted(str(path) for path in own if path.parts[0] in OURS)

    def _seen(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            self.files.add(frame.f_code.co_filename)


def prompt(folder: Path, trace: Trace) -> None:
    """A prompt comes in by a hook, and the agent receives matching memories."""
    from memdeck.agents.main import main

    trace.start()
    main(["claude", "UserPromptSubmit"], io.BytesIO(_payload(folder, "UserPromptSubmit")))


def transcript(folder: Path, trace: Trace) -> None:
    """A session ends; the drain reads its file."""
    from memdeck.agents.drain import drain_spool
    from memdeck.agents.main import main
    from memdeck.agents.spool import DrainLock
    from memdeck.db.home import Home

    _write_transcript(folder)
    home = Home(folder / "home")
    with DrainLock(home):  # no drain of the hook's beside the one that is looked at
        main(["claude", "SessionEnd"], io.BytesIO(_payload(folder, "SessionEnd")))
    trace.start()
    drain_spool(home)


def key(folder: Path, trace: Trace) -> None:
    """A user pins the memory under the Deck's cursor and sees it pinned."""
    from memdeck.tui.app import MemoryApp
    from memdeck.tui.screens.memories import MemoriesView as Deck

    app = MemoryApp(str(folder / "home"), str(folder), view="memories")

    def is_shown(status: str) -> bool:
        deck = app.stage.view("memories")
        row = deck.memories.current if isinstance(deck, Deck) else None
        is_at_work = app.typed.is_busy or not all(
            work.is_finished or work.group in WAIT_FOR_PERSON for work in app.workers
        )
        return row is not None and row.status == status and not is_at_work

    async def shown(status: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_shown(status):
            if time.monotonic() > end:
                raise TimeoutError(f"the Deck shows no {status} memory under its cursor")
            await asyncio.sleep(LOOK_S)

    async def walk() -> None:
        async with app.run_test(size=(120, 35)) as pilot:
            await shown("confirmed")
            trace.files.clear()
            await pilot.press("p")
            await shown("pinned")
            entered.update(trace.files)  # what leaving the app enters is no part of it

    entered: set[str] = set()
    trace.start()  # before the app's threads, which take the trace when they begin
    asyncio.run(walk())
    trace.files = entered


def search(folder: Path, trace: Trace) -> None:
    """`memdeck search`, run by a user."""
    from memdeck.cli.main import run

    trace.start()
    run(["search", "integration tests", "--home", str(folder / "home"), "--project", str(folder)])


WALKS: dict[str, Callable[[Path, Trace], None]] = {
    "prompt": prompt,
    "transcript": transcript,
    "key": key,
    "search": search,
}


def _payload(folder: Path, event: str) -> bytes:
    return json.dumps(
        {
            "session_id": SESSION,
            "transcript_path": str(folder / "projects" / "x" / f"{SESSION}.jsonl"),
            "cwd": str(folder),
            "hook_event_name": event,
            "prompt": "How do I run the integration tests?",
            "reason": "exit",
        }
    ).encode()


def _write_transcript(folder: Path) -> None:
    path = folder / "projects" / "x" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    lines = []
    for number, (role, text) in enumerate(SAID):
        content = text if role == "user" else [{"type": "text", "text": text}]
        lines.append(
            {
                "type": role,
                "uuid": f"00000000-0000-4000-8000-00000000000{number}",
                "sessionId": SESSION,
                "cwd": str(folder),
                "timestamp": f"2026-05-04T10:00:0{number}.000Z",
                "message": {"role": role, "content": content},
            }
        )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    os.environ["MEMDECK_HOME"] = str(folder / "home")
    with memdeck.open_memory(folder / "home", folder) as memory:
        memory.remember("The integration tests need `make test-db` first.")
    trace = Trace()
    with redirect_stdout(io.StringIO()):
        WALKS[name](folder, trace)
    print("\n".join(trace.stop()))


if __name__ == "__main__":
    main()
