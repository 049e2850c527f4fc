"""Takes the pictures of the app: the demo store, a fixed clock, and the keys a person presses.

    python screenshots/take.py                          every picture
    python screenshots/take.py recording                docs/pictures/tour.svg, which moves
    python screenshots/take.py deck --theme memdeck-light --size 80x24

Writes `NAME-SIZE-THEME.svg` beside this file, and a PNG of each where `rsvg-convert` is present.
Look at every picture before it is committed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memdeck.core.agents import AgentState, EventMark, Finding, Host
from memdeck.demo.store import RECORDED_AT, DemoDesk, DemoStore, write_demo_store
from memdeck.tui.app import MemoryApp

HERE = Path(__file__).resolve().parent
THEMES = ("memdeck-dark", "memdeck-light", "high-contrast")
SIZES = ((80, 24), (120, 35), (200, 50))
WIDEST = 1_200  # pixels of a PNG
PUBLISHED = HERE.parent / "docs" / "pictures"
"""Where the few pictures lie that README and docs show; all the others are not committed."""

IN_DOCS = {
    *((name, (120, 35)) for name in ("memories", "review", "prompts", "history", "setup")),
}
COLOURS = 128  # of a PNG: a terminal has few, and the edges of letters some between them
PATIENCE_SECONDS = 20.0
QUIET_LOOKS = 6  # times that a screen must look the same before it counts as painted

INSTALL = "No PNG without rsvg-convert. On Debian: apt-get install librsvg2-bin fonts-dejavu-core"


@dataclass(frozen=True, slots=True)
class Shot:
    """A state of the app, and the keys that lead to it."""

    name: str
    keys: tuple[str, ...] = ()
    view: str = "memories"
    is_varied: bool = False  # taken in every theme and size
    is_sized: bool = False  # taken in every size, and once in the light theme


PLAIN = (THEMES[0], SIZES[1])
SIZED = {*((THEMES[0], size) for size in SIZES), (THEMES[1], SIZES[1])}

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd")

RECALL_PROMPT = "who gets the next offer of the waiting list, and how long is it valid"

SHOTS = (
    Shot("memories", ("slash", *"tag:waitlist", "enter", *"jjjjjjjjjjj"), is_varied=True),
    Shot("search", ("slash", *"pilot queue")),
    Shot("edit", ("j", "e")),
    Shot("help", ("question_mark",)),
    Shot("review", view="review", is_sized=True),
    Shot("prompts", ("enter", "j"), view="prompts", is_sized=True),
    Shot("try", ("c", *RECALL_PROMPT, "enter", "f"), view="prompts"),
    Shot("history", ("slash", *"until:2026-01-10", "enter", "j"), view="history", is_varied=True),
    Shot("setup", ("j", "j", "j"), view="setup", is_sized=True),
    Shot("settings", ("slash", *"max_budget_tokens", "enter"), view="setup"),
)


TOUR: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("1 Memories: what your agents know", ("1",)),
    ("/ searches as you type", ("slash", *"deposit refund")),
    ("", ("enter", "j")),
    ("2 Review: what needs your word", ("2",)),
    ("enter agrees, and the next item is lit", ("enter",)),
    ("3 Prompts: what was injected, and why", ("3", "enter", "j")),
    ("c tries a prompt", ("c", *RECALL_PROMPT.partition(",")[0], "enter")),
    ("4 History: every change, and undo", ("4",)),
    ("5 Setup: agents, health, settings", ("5",)),
)
"""What the recording shows: a caption and the keys that lead there from the frame before."""

FRAME_SECONDS = 3
TOUR_SIZE = (100, 30)


class InventedDesk(DemoDesk):
    """The agents of nobody's machine: one that fires, one that waits for trust, two to connect."""

    def survey(self) -> tuple[AgentState, ...]:
        """The four, as the pictures show them."""
        return (
            self._agent(
                "claude",
                scopes=("user",),
                minutes=(2, 2, 3, 14, None, 171),
                latency=(41.0, 88.0),
                findings=(
                    Finding("claude (user)", True, "Installed in ~/.claude/settings.json."),
                    Finding(
                        "claude (local)",
                        False,
                        "~/old/bin/memdeck-hook cannot be run.",
                        "Run `memdeck install claude --scope local`.",
                        "install claude local",
                    ),
                ),
            ),
            self._agent(
                "codex",
                scopes=("user",),
                is_trusted=False,
                minutes=(None, None, None),
                findings=(
                    Finding(
                        "trust",
                        False,
                        "Codex skips our hooks until you trust them.",
                        "Start `codex` and say yes when it asks.",
                    ),
                ),
            ),
            self._agent("gemini"),
            replace(self._agent("opencode"), is_present=False, program=""),
        )

    def _agent(
        self,
        host: Host,
        *,
        scopes: tuple[Any, ...] = (),
        is_trusted: bool | None = None,
        minutes: Sequence[int | None] = (),
        latency: tuple[float | None, float | None] = (None, None),
        findings: tuple[Finding, ...] = (),
    ) -> AgentState:
        now_ms = int(RECORDED_AT.timestamp() * 1000)
        return AgentState(
            host=host,
            is_present=True,
            program=f"/usr/local/bin/{host}",
            scopes=scopes,
            is_trusted=is_trusted,
            events=tuple(
                EventMark(name, None if ago is None else now_ms - ago * 60_000)
                for name, ago in zip(EVENTS, minutes, strict=False)
            ),
            latency_p50_ms=latency[0],
            latency_p95_ms=latency[1],
            last_error="",
            findings=findings,
        )


def picture(svg: str) -> str:
    """The SVG made to stand on its own: fonts of this machine on the exact grid, stable ids.

    Rich asks for a font from the network and relies on `textLength`, which rsvg ignores: with
    DejaVu Sans Mono at 12.2 / 0.60205 pixels, one advance is one cell and borders meet.
    """
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    svg = svg.replace(
        "font-family: Fira Code, monospace", "font-family: 'DejaVu Sans Mono', monospace"
    )
    svg = re.sub(r"font-family: arial;?", "font-family: 'DejaVu Sans', sans-serif;", svg)
    svg = svg.replace("font-size: 20px", "font-size: 20.264px")
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def press(pilot: Pilot[Any], keys: Sequence[str]) -> None:
    """The keys one after the other; after enter the screen may change a good deal."""
    for key in keys:
        await pilot.press(key)
        if key == "enter":
            await settle(pilot)


async def settle(pilot: Pilot[Any]) -> str:
    """The screen once no key is under way and it has stopped changing; no cursor blinks."""
    app, end = pilot.app, time.monotonic() + PATIENCE_SECONDS
    assert isinstance(app, MemoryApp)
    last, looks = "", 0
    while looks < QUIET_LOOKS and time.monotonic() < end:
        for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
            field.cursor_blink = False
        await pilot.pause(0.05)
        now = app.export_screenshot(title="memdeck", simplify=True)
        is_ready = app.counts.memories is not None and not app.typed.is_busy
        last, looks = now, looks + 1 if is_ready and now == last else 0
    return last


async def take(store: DemoStore, shot: Shot, theme: str, size: tuple[int, int]) -> Path:
    """Drive the app to the state and write its SVG."""
    app = MemoryApp(
        store.home,
        store.project_root,
        view=shot.view,
        clock=lambda: store.now,
        agents=InventedDesk(),
    )
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await settle(pilot)
        await press(pilot, shot.keys)
        svg = await settle(pilot)
    path = HERE / f"{shot.name}-{size[0]}x{size[1]}-{theme}.svg"
    path.write_text(picture(svg), encoding="utf-8")
    return path


async def record(store: DemoStore) -> Path:
    """Play the tour and write its frames as one SVG that shows them in turn, by CSS alone."""
    frames = []
    app = MemoryApp(
        store.home,
        store.project_root,
        clock=lambda: store.now,
        agents=InventedDesk(),
    )
    async with app.run_test(size=TOUR_SIZE) as pilot:
        app.theme = THEMES[0]
        await settle(pilot)
        for caption, keys in TOUR:
            await press(pilot, keys)
            await settle(pilot)
            frames.append(picture(app.export_screenshot(title=caption or "memdeck", simplify=True)))
    shapes = []
    for number, frame in enumerate(frames):
        own = frame.replace("terminal-", f"t{number}-")
        body = re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", own, flags=re.DOTALL)
        shapes.append(
            f'<g class="frame" style="animation-delay:{number * FRAME_SECONDS}s">{body}</g>'
        )
    share = 100 / len(frames)
    style = (
        ".frame { visibility: hidden; animation: show"
        f" {len(frames) * FRAME_SECONDS}s step-end infinite; }}"
        f" @keyframes show {{ 0% {{ visibility: visible }} {share:.3f}% {{ visibility: hidden }} }}"
    )
    [box] = re.findall(r'viewBox="[^"]+"', frames[0])[:1]
    path = PUBLISHED / "tour.svg"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box}><style>{style}</style>'
    path.write_text(f"{head}{''.join(shapes)}</svg>\n", encoding="utf-8")
    return path


def to_png(path: Path) -> Path:
    """The PNG of an SVG, no wider than a page shows it, beside it or among those published."""
    found = re.search(r'viewBox="0 0 ([\d.]+)', path.read_text(encoding="utf-8"))
    width = min(WIDEST, round(float(found[1]))) if found else WIDEST
    png = path.with_suffix(".png")
    subprocess.run(["rsvg-convert", "--width", str(width), path, "--output", png], check=True)
    if png.stem not in {f"{name}-{w}x{h}-{THEMES[0]}" for name, (w, h) in IN_DOCS}:
        return png
    shown = PUBLISHED / png.name.replace(f"-{THEMES[0]}", "")
    PUBLISHED.mkdir(exist_ok=True)
    with Image.open(png) as picture:
        # by what lies furthest apart: the usual way greys the few red and golden signs there are
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2)
        few.save(shown, optimize=True)
    png.unlink()
    return shown


def wanted(arguments: Sequence[str]) -> Iterator[tuple[Shot, str, tuple[int, int]]]:
    """The pictures asked for."""
    parser = argparse.ArgumentParser(description="Takes the pictures of the app.")
    parser.add_argument(
        "names", nargs="*", help=f"of recording, {', '.join(shot.name for shot in SHOTS)}"
    )
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument(
        "--size", choices=[f"{columns}x{rows}" for columns, rows in SIZES], action="append"
    )
    asked = parser.parse_args(arguments)
    for shot in SHOTS:
        for theme in asked.theme or THEMES:
            for columns, rows in SIZES:
                is_size = not asked.size or f"{columns}x{rows}" in asked.size
                is_named = bool(asked.theme or asked.size)
                variants = SIZED if shot.is_sized else {PLAIN}
                is_due = shot.is_varied or is_named or (theme, (columns, rows)) in variants
                if is_size and is_due and (not asked.names or shot.name in asked.names):
                    yield shot, theme, (columns, rows)


def main(arguments: Sequence[str]) -> int:
    """Take what is asked for; 1 when nothing has the names given, or the place is taken."""
    todo = list(wanted(arguments))
    has_png = shutil.which("rsvg-convert") is not None
    os.environ["TZ"] = "UTC"  # the pictures are the same wherever they are taken
    time.tzset()
    os.environ.pop("NO_COLOR", None)
    home = Path(tempfile.gettempdir()) / "memdeck-demo"  # shown in the pictures: always the same
    try:
        home.mkdir(mode=0o700)
    except FileExistsError:
        print(f"{home} is in the way: remove it and try again.", file=sys.stderr)
        return 1
    try:
        store = write_demo_store(str(home), RECORDED_AT)
        if not arguments or "recording" in arguments:
            print(asyncio.run(record(store)).relative_to(HERE.parent))
        for shot, theme, size in todo:
            path = asyncio.run(take(store, shot, theme, size))
            print((to_png(path) if has_png else path).relative_to(HERE.parent))
    finally:
        shutil.rmtree(home, ignore_errors=True)  # the last app may still be closing its store
    if not has_png:
        print(INSTALL, file=sys.stderr)
    return 0 if todo or "recording" in arguments else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
