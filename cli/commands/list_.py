"""The project's memories, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

import click

from ..advice import nothing_found, point_out
from ..choices import THEN, Count
from ..encoder import emit_all
from ..options import Door, command, complete_query
from ..output import Ink, local, memory_count, narrate, one_line, say
from ..rows import show_rows

if TYPE_CHECKING:
    from ...core.memdeck import Memdeck

ROWS_AT_ONCE = 1_000
"""Rows whose columns stand in line."""


@command(
    "memdeck list is:conflict",
    "memdeck list 'created:<7d' --json",
    "memdeck list --as-of monday",
    name="list",
)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option("--view", metavar="NAME", help="A saved view, narrowed by QUERY if given.")
@click.option("--limit", type=Count(1), metavar="N", help="Memories at most (all).")
@click.option(
    "--as-of", type=THEN, metavar="WHEN", help="As they were: monday, 2026-03-01, 7d, #42 (entry)."
)
def list_(
    door: Door,
    query: tuple[str, ...],
    view: str | None,
    limit: int | None,
    as_of: datetime | int | None,
) -> None:
    """List the project's memories, newest first.

    Candidates included; all of them unless --limit says otherwise. With --as-of, as they were
    then, and QUERY is asked of that time.
    """
    from ...core.context import each
    from ...core.query.plan import EVERY_PROJECT, project_asked

    text = " ".join(query)
    with door.services() as now, _at(now, as_of) as services:
        if view is not None:
            text = f"{now.saved_views.view(view)} {text}".strip()
        memories = each(services.context, services.search.nums(text, limit))
        point_out(text)
        if door.as_json:
            emit_all(memories)  # each as soon as it is read
            return
        own, is_agents = services.search.project_name, services.context.viewer is not None
        asked = own if is_agents else project_asked(text) or own
        moment, shown = services.context.now(), 0
        is_known = asked in (own, EVERY_PROJECT) or any(
            asked in (one.id, one.name) for one in services.context.projects()
        )
        if not is_known:  # what is told in every project is found nevertheless
            narrate(Ink(f"There is no project {one_line(asked)}.", "warn"))
        several = asked == EVERY_PROJECT and len(services.context.projects()) > 1
        for name, count in services.search.headings(text):
            if part := list(islice(memories, count)):
                say(Ink(f"{one_line(name)}  {count:,}", "bold"))
                shown += show_rows(part, moment, of_several=several)
        while part := list(islice(memories, ROWS_AT_ONCE)):
            shown += show_rows(part, moment, of_several=several)
        then = "" if as_of is None else f" as of {local(moment)}"
        if shown:
            name = asked if is_known and asked != EVERY_PROJECT else "all projects"
            total = services.search.count(text) if shown == limit and not is_agents else shown
            of = f"{shown:,} of " if total > shown else ""
            narrate(Ink(f"{of}{memory_count(total)} in {name}{then}", "dim"))
        elif text.strip():
            nothing_found(services.suggestions.suggest(text))
        else:
            narrate(f"{services.search.project_name} has no memories{then or ' yet'}.")
            if not then:
                narrate("  `memdeck remember TEXT` adds one; connected agents bring others:")
                narrate("  `memdeck doctor` says how they are connected.")
                _tell_what_moved(services)


def _tell_what_moved(services: Memdeck) -> None:
    """Name projects that may be this one, with the way here."""
    from ...core.context import left_behind

    for project, is_gone in left_behind(services.context):
        lay = f"{memory_count(project.memories)} of {project.name} in {project.root}"
        from_where = f", from {project.remote}" if project.remote else ""
        why = (
            ", which is gone: if it is here now," if is_gone else f"{from_where}: if that is this,"
        )
        narrate(one_line(f"  {lay}{why}"))
        narrate(f"  memdeck export --project {project.id} | memdeck import --from jsonl -")


@contextmanager
def _at(services: Memdeck, when: datetime | int | None) -> Iterator[Memdeck]:
    """The services over the store as it was, or as it is where no time is named."""
    if when is None:
        yield services
        return
    from ...core.memdeck import Memdeck

    with services.past.as_of(when) as then:
        yield Memdeck(then)
