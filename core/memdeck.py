"""The services over one store, each made when it is first asked for, and told whom it needs.

Only what is used is imported. Services are composed: none inherits from another.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from ..db.connection import mapped_errors
from ..db.home import Home
from .context import Context

if TYPE_CHECKING:
    from .accounts import Accounts
    from .amendments import Amendments
    from .auditing import Audit
    from .browsing import Search
    from .capturing import Captures
    from .conflicting import Conflicts
    from .correcting import Corrections
    from .curating import Curation
    from .finalizing import Milestones
    from .importing import Imports
    from .inbox import Inbox
    from .instructing import InstructionFiles
    from .keeping import Deposits
    from .learning import Recordings
    from .merging import Merges
    from .preferring import Preferences
    from .recalling import Recall
    from .recorded_sentences import RecordedSentences
    from .recounting import ReceiptBook
    from .sessions import Sessions
    from .suggesting import Suggestions
    from .sweeping import Sweep
    from .switching import Switchboard
    from .teaching import Teaching
    from .working import WorkingMemory


class Memdeck:
    """One open store, seen from one project, as its services."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def accounts(self) -> "Accounts":
        from .accounts import Accounts

        return Accounts(self.context)

    @cached_property
    def preferences(self) -> "Preferences":
        from .preferring import Preferences

        return Preferences(self.context)

    @cached_property
    def switchboard(self) -> "Switchboard":
        from .switching import Switchboard

        return Switchboard(self.context, self.preferences)

    @cached_property
    def sessions(self) -> "Sessions":
        from .sessions import Sessions

        return Sessions(self.context, self.switchboard)

    @cached_property
    def milestones(self) -> "Milestones":
        from .finalizing import Milestones

        return Milestones(self.context, self.sessions)

    @cached_property
    def receipt_book(self) -> "ReceiptBook":
        from .recounting import ReceiptBook

        return ReceiptBook(self.context, self.accounts, self.sessions)

    @cached_property
    def teaching(self) -> "Teaching":
        from .teaching import Teaching

        return Teaching(self.context)

    @cached_property
    def amendments(self) -> "Amendments":
        from .amendments import Amendments

        return Amendments(self.context, self.teaching)

    @cached_property
    def curation(self) -> "Curation":
        from .curating import Curation

        return Curation(self.context, self.teaching, self.amendments)

    @cached_property
    def merges(self) -> "Merges":
        from .merging import Merges

        return Merges(self.context, self.teaching, self.amendments)

    @cached_property
    def inbox(self) -> "Inbox":
        from .inbox import Inbox

        return Inbox(self.context, self.teaching, self.amendments)

    @cached_property
    def conflicts(self) -> "Conflicts":
        from .conflicting import Conflicts

        return Conflicts(self.context, self.amendments, self.merges)

    @cached_property
    def deposits(self) -> "Deposits":
        from .keeping import Deposits

        return Deposits(self.context, self.amendments, self.conflicts)

    @cached_property
    def working_memory(self) -> "WorkingMemory":
        from .working import WorkingMemory

        return WorkingMemory(self.context, self.amendments, self.deposits)

    @cached_property
    def imports(self) -> "Imports":
        from .importing import Imports

        return Imports(self.context, self.deposits)

    @cached_property
    def captures(self) -> "Captures":
        from .capturing import Captures

        return Captures(
            self.context,
            self.teaching,
            self.inbox,
            self.conflicts,
            self.deposits,
            self.recorded_sentences,
        )

    @cached_property
    def corrections(self) -> "Corrections":
        from .correcting import Corrections

        return Corrections(self.context, self.amendments, self.inbox, self.conflicts, self.captures)

    @cached_property
    def recorded_sentences(self) -> "RecordedSentences":
        from .recorded_sentences import RecordedSentences

        return RecordedSentences(self.context, self.amendments, self.deposits)

    @cached_property
    def recordings(self) -> "Recordings":
        from .learning import Recordings

        return Recordings(
            self.context,
            self.amendments,
            self.teaching,
            self.inbox,
            self.conflicts,
            self.deposits,
            self.sessions,
            self.captures,
        )

    @cached_property
    def search(self) -> "Search":
        from .browsing import Search

        return Search(self.context)

    @cached_property
    def suggestions(self) -> "Suggestions":
        from .suggesting import Suggestions

        return Suggestions(self.context, self.search)

    @cached_property
    def recall(self) -> "Recall":
        from .recalling import Recall

        return Recall(
            self.context,
            self.accounts,
            self.preferences,
            self.sessions,
            self.receipt_book,
            self.search,
        )

    @cached_property
    def audit(self) -> "Audit":
        from .auditing import Audit

        return Audit(self.context)

    @cached_property
    def sweep(self) -> "Sweep":
        from .sweeping import Sweep

        return Sweep(self.context)

    @cached_property
    def instruction_files(self) -> "InstructionFiles":
        from .instructing import InstructionFiles

        return InstructionFiles(self.context, self.imports)


@contextmanager
def open_services(
    home: str | os.PathLike[str] | Home | None = None,
    project: str | os.PathLike[str] | None = None,
) -> Iterator[Memdeck]:
    """The services over the store of `home`, for whoever uses few: `open_memory` imports them all.

    The database's errors come as ours. Raises StoreUnusable.
    """
    with mapped_errors(), Context.open(home, project) as context:
        yield Memdeck(context)
