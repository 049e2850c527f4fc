"""The line at the top: where one is, and which other views there are."""

import re
from typing import Any

from .views import VIEWS


async def test_as_many_views_have_their_names_as_there_is_room_for_whichever_one_is_in(
    open_app: Any, harbour: Any
):
    counts = []
    async with open_app(size=(200, 24)) as person:
        header = person.app.stage.header
        for width in (60, 80, 100, 120, 140, 200):
            await person.pilot.resize_terminal(width, 24)
            await person.rest()
            lines = {}
            for view in VIEWS:
                header.at(view)
                lines[view] = line = header.render().plain
                assert f"{VIEWS[view].key} {VIEWS[view].label}" in line
                assert len(line) <= width - 2
            apart = {bool(re.search(r"\d \d", line)) for line in lines.values()}
            assert len(apart) == 1, "the keys move from view to view"
            named = {
                view: [one for one in VIEWS if one != view and VIEWS[one].label in line]
                for view, line in lines.items()
            }
            common = sorted(set().union(*named.values()), key=list(VIEWS).index)
            assert common == list(VIEWS)[: len(common)]
            assert all([one for one in common if one != view] == named[view] for view in VIEWS)
            counts.append(len(common))
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert 0 < counts[2] < counts[3] < len(VIEWS) == counts[-1]
