"""What a virtual list tells its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.geometry import Offset
from textual.message import Message

if TYPE_CHECKING:
    from .virtual_list import VirtualList


class ListMessage(Message):
    """Base of the list's messages; `control` lets `@on` select by id."""

    def __init__(self, sender: VirtualList[Any]) -> None:
        super().__init__()
        self.list = sender

    @property
    def control(self) -> VirtualList[Any]:
        return self.list


class PageWanted(ListMessage):
    """A page is about to be seen."""

    def __init__(self, sender: VirtualList[Any], generation: int, page: int) -> None:
        super().__init__(sender)
        self.generation, self.page = generation, page


class Moved(ListMessage):
    """The person put the cursor on another row."""


class Opened(ListMessage):
    """The row under the cursor was asked for: double click."""


class MarksChanged(ListMessage):
    """Rows were marked or unmarked."""


class KeyClicked(ListMessage):
    """A key that an empty list offers was clicked."""

    def __init__(self, sender: VirtualList[Any], key: str) -> None:
        super().__init__(sender)
        self.key = key


class OfferClicked(ListMessage):
    """What an empty list offers was clicked."""

    def __init__(self, sender: VirtualList[Any], offer: str) -> None:
        super().__init__(sender)
        self.offer = offer


class MenuWanted(ListMessage):
    """Right click, at a place on the screen."""

    def __init__(self, sender: VirtualList[Any], place: Offset) -> None:
        super().__init__(sender)
        self.place = place
