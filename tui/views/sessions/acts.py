"""The acts of Sessions that ask something, leave the app for a while, or write."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from textual.worker import Worker

from ....core.services.sessions import SessionOverview
from ...clipboard import copy
from ...dialogs.questions import Choice, Menu
from ...editor import open_at
from ...text import quoted
from ...typeahead import asks, may_ask
from ...view import Place
from .model import GROUPS, Opened
from .text import BY_WORDS

if TYPE_CHECKING:
    from .view import SessionsView


class SessionActs:
    """What a person does with the session under the cursor."""

    def __init__(self, view: SessionsView) -> None:
        self.view, self.app = view, view.app

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `ask('…')` names."""
        return {"links": self.links, "group": self.group, "copy": self.copy}[what]()

    @may_ask
    async def go(self, where: str) -> bool:
        """To its memories, its receipts, its history, or its transcript; whether one came there.

        It is read first, so that a key typed behind a move is about the session moved to.
        """
        shown = await self.view.read_current()
        named = where if where == "open" else f"go('{where}')"
        if shown is None or self._refused(named):
            return False
        if where == "transcript":
            self._open_transcript(shown)
            return True
        places = {
            "open": Place("deck", query=shown.query),
            "receipts": Place("recall", session=shown.id),
            "history": Place("history", query=shown.query),
        }
        await self.app.navigation.open(places[where])
        return True

    def _refused(self, action: str) -> bool:
        """Whether that cannot be done, which is then said."""
        why = self.view.why_not(action)
        self.app.notices.refuse(why)
        return bool(why)

    @may_ask
    async def links(self) -> bool:
        """Go to the session it was forked from, or to one that goes on from it."""
        shown = await self.view.read_current()
        if shown is None or self._refused("ask('links')"):
            return False
        session = shown.session
        before = [(session.parent, "forked from")] if session.parent else []
        known = [*before, *((fork, "goes on in") for fork in session.forks)]
        choices = [Choice(one.id, one.name, f"{what} {one.agent}") for one, what in known]
        chosen = choices[0].value if len(choices) == 1 else None
        if chosen is None:
            chosen = await self.app.ask(Menu("Go to which session?", choices))
        if chosen is not None:
            await self.app.navigation.open(Place("sessions", session=chosen))
        return True

    @asks
    async def group(self) -> None:
        """Choose what the sessions stand under."""
        by = self.view.grouped_by
        choices = [
            Choice(name, BY_WORDS[name], key=name[0], is_current=name == by) for name in GROUPS
        ]
        chosen = await self.app.ask(Menu("Group sessions", choices))
        if chosen is not None:
            self.view.group_by(chosen)

    @asks
    async def copy(self) -> None:
        """Copy one of its forms."""
        if (shown := await self.view.read_current()) is None:
            return
        session = shown.session.overview.session
        forms = {
            "goal": shown.session.overview.name,
            "summary": session.summary,
            "command": f"memdeck sessions show {shlex.quote(session.id)}",
            "id": session.id,
            "transcript": shown.session.transcript,
        }
        choices = [Choice(name, name, key=name[0]) for name, text in forms.items() if text]
        chosen = await self.app.ask(Menu("Copy", choices))
        if chosen is not None:
            self.app.notify(copy(self.view.screen.app, forms[chosen]), markup=False)

    def _open_transcript(self, shown: Opened) -> None:
        """Its transcript in the person's editor; without one, the place is copied."""
        path, line = shown.session.transcript, shown.session.line or 1
        if not open_at(self.view.screen.app, path, line):
            said = copy(self.view.screen.app, f"{path}:{line}")
            self.app.notify(f"No editor could be opened. The place: {said}", markup=False)

    def turn_incognito(self, course: SessionOverview) -> None:
        """Take nothing down from a session any more, or do so again; it can be undone."""
        session, is_on = course.session.id, not course.session.is_incognito

        async def turn() -> None:
            await self.app.write.run(lambda core: core.set_incognito(session, is_on))
            await self.app.news.wrote(())
            word = "Incognito" if is_on else "Taken down again"
            self.app.notices.toast(f"{word}: {quoted(course.name, 22)}.", undo=True)

        self.view.begin(turn, "write", exclusive=False)
