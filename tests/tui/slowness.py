"""A slow machine, made on purpose: answers of the core, messages and layouts come late.

Nothing happens here that a busy machine could not do: each lane still answers in order, and
so does each widget.
"""

import asyncio
import random
import time
from functools import partial
from typing import Any

import pytest
from textual.message_pump import MessagePump
from textual.screen import Screen

from memdeck.tui.app import MemoryApp

ANSWER_S = 0.1  # at most, before and after a job of a lane
MESSAGE_S, MESSAGE_SHARE = 0.02, 0.1  # at most, and how many of the messages
LAYOUT_S = 0.05  # at most


def slow_down(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """From now on everything that may come late does, by chance; one seed, one chance."""
    chance = random.Random(seed)
    take, dispatch, idle = MemoryApp._take_lanes, MessagePump._dispatch_message, Screen._on_idle

    def take_slow_lanes(app: MemoryApp) -> None:
        take(app)
        for lane in (app.search, app.pages, app.write, app.slow):
            lane._call = partial(called_late, lane._call)  # type: ignore[method-assign]

    def called_late(call: Any, *job: Any) -> Any:
        time.sleep(chance.random() * ANSWER_S)
        try:
            return call(*job)
        finally:
            time.sleep(chance.random() * ANSWER_S)

    async def heard_late(pump: MessagePump, message: Any) -> None:
        if chance.random() < MESSAGE_SHARE:
            await asyncio.sleep(chance.random() * MESSAGE_S)
        await dispatch(pump, message)

    async def laid_out_late(screen: Screen[Any], event: Any) -> None:
        await asyncio.sleep(chance.random() * LAYOUT_S)
        await idle(screen, event)

    monkeypatch.setattr(MemoryApp, "_take_lanes", take_slow_lanes)
    monkeypatch.setattr(MessagePump, "_dispatch_message", heard_late)
    monkeypatch.setattr(Screen, "_on_idle", laid_out_late)
