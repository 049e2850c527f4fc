"""Going from view to view, and back along the way one came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .stage import VIEWS, Stage
from .view import Place

if TYPE_CHECKING:
    from textual.app import App


@dataclass
class WayBack:
    """Where one came from, newest last."""

    places: list[Place] = field(default_factory=list)

    def leave(self, place: Place) -> None:
        """Note a place before going on; the same place twice counts once."""
        if not self.places or self.places[-1] != place:
            self.places = [*self.places[-31:], place]

    @property
    def views(self) -> list[str]:
        """The views one came through, newest last; several places of one stand for one step."""
        names = [place.view for place in self.places if place.view]
        return [name for name, before in zip(names, [None, *names], strict=False) if name != before]

    def back(self) -> Place | None:
        """The place to go back to, or None at the beginning."""
        return self.places.pop() if self.places else None


class Navigation:
    """Which view is shown, and how one came there."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self.way = WayBack()

    @property
    def stage(self) -> Stage:
        """The stage, also while a dialog is open."""
        return self._app.screen_stack[0].query_one(Stage)

    @property
    def has_stage(self) -> bool:
        """Whether the stage stands: while the app leaves, it goes first."""
        return bool(self._app.screen_stack and self._app.screen_stack[0].query(Stage))

    @property
    def _here(self) -> Place:
        view = self.stage.shown
        return Place("") if view is None else view.place()

    async def show(self, name: str) -> None:
        """Go to a view, noting the way back."""
        if name != self.stage.current:
            self.way.leave(self._here)
        await self.stage.go(name)
        self._show_way()

    async def go_to(self, place: Place) -> None:
        """Open a place: its view, its query, its memory."""
        (await self.stage.go(place.view)).open_place(place)
        self._show_way()

    def _show_way(self) -> None:
        self.stage.keys.come_from([VIEWS[name].label for name in self.way.views])

    async def open(self, place: Place) -> None:
        """Open a place, noting the way back."""
        self.way.leave(self._here)
        await self.go_to(place)

    async def back(self) -> None:
        """One step out along the way one came."""
        place = self.way.back()
        if place is not None:
            await self.go_to(place)
        elif self.stage.current != "deck":
            await self.stage.go("deck")
