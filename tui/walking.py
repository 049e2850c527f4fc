"""Going from view to view, and back along the way one came."""

from __future__ import annotations

from textual import on

from .ground import Ground
from .messages import OpenMemory, OpenReceipts
from .stage import Place, Stage, View


class Walking(Ground, inherit_bindings=False):
    """An app with a stage."""

    @property
    def stage(self) -> Stage:
        """The stage, also while a dialog is open."""
        return self.screen_stack[0].query_one(Stage)

    @property
    def has_stage(self) -> bool:
        """Whether the stage stands: while the app leaves, it goes first."""
        return bool(self.screen_stack and self.screen_stack[0].query(Stage))

    @property
    def view(self) -> str:
        """The name of the view that is shown."""
        return self.stage.current

    async def action_view(self, name: str) -> None:
        """Go to a view, noting the way back."""
        if name != self.view:
            self.stage.way.leave(self._here())
        await self.stage.go(name)

    def _here(self) -> Place:
        view = self.stage.view(self.view)
        return view.place() if isinstance(view, View) else Place(self.view)

    async def go_to(self, place: Place) -> None:
        """Open a place: its view, its query, its memory."""
        view = await self.stage.go(place.view)
        if isinstance(view, View):
            view.open_place(place)

    async def open_memory(self, memory: str) -> None:
        """Open the memory with this id on the Deck, noting the way back."""
        self.stage.way.leave(self._here())
        await self.go_to(Place("deck", memory=memory))

    @on(OpenMemory)
    async def _open_asked(self, event: OpenMemory) -> None:
        await self.open_memory(event.memory)

    @on(OpenReceipts)
    async def _receipts_asked(self, event: OpenReceipts) -> None:
        self.stage.way.leave(self._here())
        await self.go_to(Place("recall", memory=event.memory))

    async def action_back(self) -> None:
        """One step out along the way one came; never quits."""
        place = self.stage.way.back()
        if place is not None:
            await self.go_to(place)
        elif self.view != "deck":
            await self.stage.go("deck")
