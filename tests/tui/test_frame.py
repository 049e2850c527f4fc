"""The frame of the app: five screens, help, undo, notices, and what survives a restart."""

from typing import Any


async def test_the_strip_names_five_screens_that_never_move(
    open_app: Any, harbour: dict[str, Any]
) -> None:
    del harbour
    async with open_app(size=(60, 20)) as person:
        first = person.header
        assert first.split()[:10:2] == ["1", "2", "3", "4", "5"]
        for key in "23451":
            await person.press(key)
            assert person.header == first
