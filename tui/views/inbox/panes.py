"""The Inbox's panes: the candidate, what is near to it, and what speaks for it and against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.content import Content

from ....core.answers import Row
from ....core.judgements import RefusedCapture
from ...text import plain
from ...widgets import candidate_account, candidate_judgement
from ...widgets.account import Account
from ...widgets.candidate_account import Judged
from ...widgets.text_pane import CandidatePane, Write

if TYPE_CHECKING:
    from ...view import Desk

Lines = Callable[[Account], Iterable[Content]]

PANES = (
    ("a", "inbox-list-pane"),
    ("b", "inbox-candidate"),
    ("c", "inbox-near"),
    ("d", "inbox-judgement"),
)
"""The letter of each pane in jump mode, and its id; they never change place."""


class Panes:
    """What stands beside the list, for one row at a time."""

    def __init__(self, app: Desk) -> None:
        self._app = app
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.main = CandidatePane("Candidate", id="inbox-candidate")
        self.near = CandidatePane("Known, most like it", id="inbox-near")
        self.why = CandidatePane("Judgement", id="inbox-judgement")
        self.shown: int | None = None  # the row that they show

    def show(self, num: int, judged: Judged, *, in_one: bool) -> None:
        """A candidate; `in_one`: the pane has all that stands in the other two as well."""

        def candidate(account: Account) -> Iterable[Content]:
            yield from candidate_account.says(account, judged)
            if in_one:
                yield from candidate_judgement.all_in_one(account, judged)
                yield Content("")
            yield from candidate_account.came_from(account, judged)

        from_top = self._turn_to(num)
        self.main.show(self._written(candidate), from_top=from_top)
        near = self._written(lambda account: candidate_judgement.nearest(account, judged))
        self.near.show(near, from_top=from_top)
        why = self._written(lambda account: candidate_judgement.judgement(account, judged))
        self.why.show(why, from_top=from_top)

    def show_row(self, num: int, row: Row | None) -> None:
        """What the list knows already, until the rest has been read."""
        self._turn_to(num)
        if row is not None:
            short = self._written(lambda account: candidate_account.in_short(account, row))
            self.main.show(short, from_top=True)
        self._show_nothing_beside()

    def show_gone(self, why: str) -> None:
        """Nothing any more, and why."""
        self.shown = None
        self.main.show(lambda _: plain(why, "$text-muted"), from_top=True)
        self._show_nothing_beside()

    def show_refused(self, capture: RefusedCapture) -> None:
        """A refused capture, and who voted how."""

        def refused(account: Account) -> Iterable[Content]:
            yield from candidate_account.refused(account, capture)
            yield Content("")
            yield from candidate_judgement.votes(account, capture.votes, "")

        self.main.show(self._written(refused), from_top=self._turn_to(capture.number))

    def _turn_to(self, num: int) -> bool:
        """Whether that is another row than before."""
        is_other, self.shown = self.shown != num, num
        return is_other

    def _show_nothing_beside(self) -> None:
        for pane in (self.near, self.why):
            pane.show(lambda _: Content(""), from_top=True)

    def _written(self, lines: Lines) -> Write:
        return lambda width: Content("\n").join(
            lines(Account(width, self._app.glyphs, self._app.clock()))
        )
