"""What the command palette finds: acts, screens, themes, memories and settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, cast

from textual.actions import parse
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from .text import one_line
from .view import APP_ACTS, SCREENS, SETUP_ACTS, VIEW_ACTS, Act, Place, about_rows

if TYPE_CHECKING:
    from ..core.answers import Row
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp

MIN_LETTERS = 2
"""Letters from which on memories are looked for."""

MAX_MEMORIES = 8
MEMORY_SCORE = 0.4
"""Memories stand below acts whose names match."""

SETTING_SHARE = 0.6
"""Of a match, so that acts stand before settings."""

Command = tuple[str, str, Callable[[], object]]
"""A name, a sentence of help, and what it does."""


class MemdeckCommands(Provider):
    """Commands of the screen that is shown, and of the whole app."""

    @property
    def _app(self) -> MemoryApp:
        return cast("MemoryApp", self.app)

    async def startup(self) -> None:
        """Collect the commands at once: a search that the next key ends would end a wait here."""
        self._commands = [*self._acts(), *self._everywhere()]

    def _acts(self) -> Iterator[Command]:
        if (view := self._app.stage.current_view) is None:
            return
        for act in view.ACTS:
            state = view.check_action(*parse(act.action)[1:])
            if state is False:
                continue
            reason = "" if state else view.why_not(act.action) or "Not now."
            run = partial(self._run, act, about_rows(view, act), reason)
            yield act.label, self._help(act, reason), run

    def _everywhere(self) -> Iterator[Command]:
        app = self._app
        for kind in SCREENS:
            yield (
                kind.label,
                f"{kind.key}  Opens {kind.label}.",
                partial(self._open, Place(kind.name)),
            )
        yield "Theme", "Chooses the colours of the app.", app.search_themes
        yield "Another project", "Looks at another project, or at all projects.", app.action_project
        for act in (*VIEW_ACTS, *APP_ACTS, *SETUP_ACTS):
            if act.id != "app.palette":
                yield act.label, self._help(act), partial(self._run, act, None, "")

    def _help(self, act: Act, reason: str = "") -> str:
        return "  ".join(part for part in (act.key_in(self._app.keymap), reason, act.help) if part)

    def _run(self, act: Act, about: frozenset[int] | None, reason: str) -> None:
        if reason:
            self._app.notices.refuse(reason)
        else:
            self._app.run_act(act, about)

    def _open(self, position: Place) -> None:
        self._app.call_later(self._app.open_place, position)

    async def discover(self) -> Hits:
        for name, text, run in self._commands:
            yield DiscoveryHit(name, run, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, text, run in self._commands:
            score = max(matcher.match(name), 0.5 * matcher.match(text))
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, name, text)
        for name, text in await asyncio.to_thread(_settings):
            if (score := SETTING_SHARE * matcher.match(name)) > 0:
                run = partial(self._open, Place(SCREENS[4].name, query=name))
                yield Hit(score, matcher.highlight(name), run, name, text)
        if len(query.strip()) < MIN_LETTERS:
            return
        for row in await self._app.search.run(partial(_memories, query=query)):
            title = one_line(row.title)
            position = Place(SCREENS[0].name, query, row.id)
            yield Hit(
                MEMORY_SCORE,
                Content(title),
                partial(self._open, position),
                title,
                f"memory  {row.type} · {row.retired_as or row.status}",
            )


def _memories(core: MemoryCoordinator, query: str) -> list[Row]:
    """Return the best memories for a query; runs in a lane."""
    return list(core.find(query, phase="ranked").first_page[:MAX_MEMORIES])


@cache
def _settings() -> list[tuple[str, str]]:
    """Return each setting's name and what it is for."""
    from ..core.config.settings import settings_in
    from ..core.services.settings import key_of

    return [(key_of(path), one_line(about)) for path, _, about in settings_in()]
