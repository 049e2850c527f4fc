"""Waiting for an app that has come to rest, and keys for an app that is not ours.

Textual's own pause sends a message through every widget, and then waits for 20 ms in which the
process did next to nothing: two thirds of what a test of the app cost. Whether a widget has
anything left to do can be seen.
"""

import asyncio
import time
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

PATIENCE_S = 60.0  # far above what anything takes on a machine that has much else to do
STEP_S = 0.002
SOON_S = 0.02  # a timer that rings once, as soon as this, is as good as a message


def has_mail(screen: Screen[Any]) -> bool:
    """Whether a message waits on this screen to be heard."""
    nodes: list[DOMNode] = [screen]
    for node in nodes:
        nodes.extend(node.children)
    return any(node.message_queue_size for node in nodes)


def has_heard_all(node: MessagePump) -> bool:
    """Whether a widget waits for its next message: nothing to hear, and nothing it is busy with."""
    queue = node._message_queue
    return not queue.values and bool(queue.ready_event._waiters)


def is_still(app: App[Any]) -> bool:
    """Whether app, screens and widgets have all heard what they were told, and no timer rings soon.

    Some of it may be seen busy in one moment and have told another what that one then hears: ask
    when nothing else can run (`all_have_run`). They are asked in no order: to walk from the screen
    to its widgets takes longer than to ask them.
    """
    return has_heard_all(app) and not any(
        node._running and (not has_heard_all(node) or (len(node._timers) and _rings_soon(node)))
        for node in (*app._registry, app)
    )


def is_laid_out(app: App[Any]) -> bool:
    """Whether the screen on top has nothing left to lay out, to paint or to do thereafter."""
    top = app.screen
    waits = top._layout_required or top._scroll_required or top._repaint_required
    return not (waits or top._dirty_widgets or top._callbacks)


def _rings_soon(node: MessagePump) -> bool:
    """Whether a timer of the widget is about to ring for the only time."""
    return any(
        timer._repeat == 0 and timer._interval <= SOON_S and _is_under_way(timer._task)
        for timer in node._timers
    )


def _is_under_way(task: "asyncio.Task[None] | None") -> bool:
    return task is not None and not task.done()


def longer(step: float) -> float:
    """How long to wait (s) until the next look, after so long a wait for the last one."""
    return min(1.5 * step, 20 * STEP_S)


async def all_have_run() -> None:
    """Return when no task can go on by itself: each waits for a message, a thread or a time."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    while ready:
        await asyncio.sleep(0)


async def heard(app: App[Any]) -> None:
    """Return once every message was heard, and what came of it is laid out; or the app leaves."""
    end, step = time.monotonic() + PATIENCE_S, STEP_S
    await all_have_run()
    while not (app._exit or is_still(app)):
        assert time.monotonic() < end, "never at rest"
        await asyncio.sleep(step)
        step = longer(step)
        await all_have_run()
    if not app._exit:
        app.screen._on_timer_update()  # else up to 16 ms later


async def rest(pilot: Pilot[Any]) -> None:
    """Wait until every message was heard, also those that the layout sent."""
    await heard(pilot.app)
    await heard(pilot.app)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one; each has had its effect before the next, the first one's place too."""
    await rest(pilot)
    for key in keys:
        await pilot.press(key)
        await rest(pilot)
