"""Keys for an app that is not ours, in which nothing holds them back until they can be heard."""

import time
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

PATIENCE_S = 60.0  # far above what anything takes on a machine that has much else to do


def has_mail(screen: Screen[Any]) -> bool:
    """Whether a message waits on this screen to be heard."""
    return any(one.message_queue_size for one in (screen, *screen.query("*")))


async def rest(pilot: Pilot[Any]) -> None:
    """Wait until every message was heard: a pause alone ends when the machine gives no time."""
    calm, end = 0, time.monotonic() + PATIENCE_S
    while calm < 2:
        await pilot.pause()
        is_busy = pilot.app.message_queue_size or any(map(has_mail, pilot.app.screen_stack))
        calm = 0 if is_busy else calm + 1
        assert time.monotonic() < end, "never at rest"


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one; each has had its effect before the next, the first one's place too."""
    await rest(pilot)
    for key in keys:
        await pilot.press(key)
        await rest(pilot)
