"""Commands that find memories: search, list, show and profile."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ...core.query.language import parse, when_of
from ...core.values import Hit, Memory
from ..acts import count_pins
from ..options import COUNT, Door, command
from ..output import (
    Ink,
    clip,
    count,
    emit,
    emit_all,
    encode,
    glyph,
    local,
    memory_count,
    narrate,
    one_line,
    say,
    show_rows,
    width,
    wrap,
)

if TYPE_CHECKING:
    from ...core.services.search import Suggestion


@command(
    "memdeck search why do the queue tests need redis --explain",
    "memdeck search -- redis type:semantic -queue",
)
@click.argument("query", nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    metavar="N",
    default=10,
    help="Maximum number of hits (10).",
)
@click.option(
    "--strategy",
    metavar="NAME",
    help="Order of the hits: plain, time-weighted, reviewed, or an installed strategy.",
)
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
def search(
    door: Door,
    query: tuple[str, ...],
    limit: int,
    strategy: str | None,
    explain: bool,
) -> int:
    """Find memories by words, a question or filters.

    Best first. Filters are those of the query language: type: status: category: scope:
    tag: file: session: agent: is: importance:>=7 created:<7d before: after: sort:
    """
    text = " ".join(query)
    if not text.strip():
        raise click.UsageError("What to search for? `memdeck list` shows everything.")
    with door.services() as services:
        hits = services.search.search(text, limit=limit, strategy=strategy)
        point_out(text)
        if door.as_json:
            for hit in hits:
                account = {"account": services.search.account(parse(text), hit)} if explain else {}
                emit({**encode(hit), **account})
            return 0
        for hit in hits:
            show_hit(hit, services.search.account(parse(text), hit) if explain else None)
        if not hits:
            nothing_found(services.search.suggest(text))
    return 0


def show_hit(hit: Hit, account: Sequence[str] | None = None) -> None:
    """Print a hit: its id, score and title, and the text beyond the title.

    With an `account` also the parts of its score, and the reasons in words.
    """
    memory = hit.memory
    aside = f"{memory.short_id}  {hit.score:.2f}  "
    first, *more = _excerpt(memory, width() - len(aside) - 2)
    say(glyph(memory), " ", Ink(aside, "dim"), Ink(first, "bold"))
    for line in more:
        say("    ", line)
    if account is not None:
        from ...core.recall.ranking import label

        for name, part in sorted(hit.parts.items(), key=lambda item: -abs(item[1])):
            say("      ", Ink(f"{part:+8.3f}  {label(name)}", "dim"))
        for why in account:
            say("      ", Ink(why, "dim"))


def _excerpt(memory: Memory, columns: int) -> list[str]:
    """Return the title in `columns` columns, and up to two lines of text beyond the title."""
    content, title = (" ".join(one_line(text).split()) for text in (memory.content, memory.title))
    begins_so = content.startswith(title.rstrip("…"))
    first = wrap(content, columns)[0] if begins_so else clip(title, columns)
    lines = wrap(content[len(first) :].strip() if begins_so else content, width() - 4)
    last = [clip(f"{lines[1]} …", width() - 4)] if len(lines) > 2 else lines[1:]
    return [first, *filter(None, [lines[0], *last])]


ROWS_AT_ONCE = 1_000  # rows whose columns stand in line


@command(
    "memdeck list is:conflict",
    "memdeck list 'created:<7d' --json",
    "memdeck list at:monday",
    name="list",
)
@click.argument("query", nargs=-1)
@click.option("--limit", type=COUNT, metavar="N", help="Maximum number of memories (all).")
def list_(door: Door, query: tuple[str, ...], limit: int | None) -> None:
    """List the project's memories, newest first.

    Candidates are included. `at:monday` lists them as they were then.
    """
    from ...core.context import each
    from ...core.memdeck import Memdeck
    from ...core.query.language import EVERY_PROJECT, project_asked

    text = " ".join(query)
    with ExitStack() as stack:
        services = stack.enter_context(door.services())
        if (when := parse(text).at) is not None:
            at = when_of(when, services.context.now())
            services = Memdeck(stack.enter_context(services.audit.as_of(at)))
        memories = each(services.context, services.search.nums(text, limit))
        point_out(text)
        if door.as_json:
            emit_all(memories)  # each as soon as it is read
            return
        own, is_agents = services.search.project_name, services.context.viewer is not None
        request = own if is_agents else project_asked(text) or own
        moment, visible = services.context.now(), 0
        is_known = request in (own, EVERY_PROJECT) or any(
            request in (project.id, project.name) for project in services.context.projects()
        )
        if not is_known:  # global memories match in any project
            narrate(Ink(f"There is no project {one_line(request)}.", "warn"))
        several = request == EVERY_PROJECT and len(services.context.projects()) > 1
        while part := list(islice(memories, ROWS_AT_ONCE)):
            visible += show_rows(part, moment, of_several=several)
        then = "" if when is None else f" as of {local(moment)}"
        if visible:
            name = request if is_known and request != EVERY_PROJECT else "all projects"
            total = services.search.count(text) if visible == limit and not is_agents else visible
            of = f"{visible:,} of " if total > visible else ""
            narrate(Ink(f"{of}{memory_count(total)} in {name}{then}", "dim"))
            if when is None and request == own and parse(text).has("is", "pinned"):
                count_pins(services.pin_words())
        elif text.strip() and when is None:
            nothing_found(services.search.suggest(text))
        else:
            narrate(f"{services.search.project_name} has no memories{then or ' yet'}.")
            if not then:
                narrate("  `memdeck remember TEXT` adds one. Connected agents add others:")
                narrate("  `memdeck doctor` says how they are connected.")
                from ...core.documents.agent import likeness

                for item in services.projects.alike():
                    narrate(one_line(f"  This looks like {likeness(item)}"))


def point_out(query: str) -> None:
    """Print the ignored parts of a query, with the nearest valid ones."""
    details = [
        f"{hint.message} Did you mean {hint.nearest}?" if hint.nearest else hint.message
        for hint in parse(query).hints
    ]
    for line in dict.fromkeys(details):  # each once, however many words of a long query it is about
        narrate(Ink(line, "warn"))


def nothing_found(advice: Suggestion) -> None:
    narrate("Nothing found.")
    try_instead(advice)


def try_instead(advice: Suggestion) -> None:
    """Print queries that would have matches."""
    if advice.did_you_mean:
        narrate(f"  Did you mean {advice.did_you_mean}?")
    if advice.retired:
        narrate(
            f"  {count(advice.retired, 'retired memory', 'retired memories')} would match: "
            f"add is:retired."
        )
    if advice.other_projects:
        narrate(
            f"  {memory_count(advice.other_projects)} in other projects would match: use --project."
        )


@command("memdeck show 01k8f2q --why")
@click.argument("identifier", metavar="ID")
@click.option("--why", is_flag=True, help="Also show all numbers.")
@click.option("--history", is_flag=True, help="Also show every change to it.")
def show(door: Door, identifier: str, why: bool, history: bool) -> None:
    """Show one memory: text, origin, links and injections."""
    from ...core.details import details_of
    from ...core.documents.memory import memory_document
    from ..output import print_document

    with door.memory() as core:
        details = details_of(
            core, core.show(identifier), with_numbers=why or door.as_json, history=history
        )
        moment = core.now()
    if not door.as_json:
        print_document(memory_document(details), moment)
        return
    memory = details.memory
    whole: dict[str, Any] = encode(memory)
    whole["links"] = [  # each with its other end
        {
            "source": link.source,
            "target": link.target,
            "other": link.target if link.source == memory.id else link.source,
            **encode(link),
        }
        for link in details.links
    ]
    whole["injections"] = encode(details.injections)
    whole["numbers"] = encode(details.numbers)
    if history:
        whole["history"] = encode(details.history)
    emit(whole)


@command("memdeck profile", "memdeck profile --category style --json")
@click.option("--category", metavar="NAME", help="Only this category or domain.")
def profile(door: Door, category: str | None) -> None:
    """Show your global preferences and patterns by category.

    `memdeck list is:me` lists the same memories. `memdeck remember TEXT --scope global
    --category preference --tag style` adds one.
    """
    from ...core.documents.memory import profile_document
    from ..output import print_document

    with door.services() as services:
        entries = services.search.profile()
        moment = services.context.now()
    if category is not None:
        entries = {
            kind: {name: memories for name, memories in groups.items() if name == category}
            for kind, groups in entries.items()
        }
    if door.prints_json(entries):
        return
    if any(entries.values()):
        print_document(profile_document(entries), moment)
    else:
        narrate(f"Nothing is stored of {category!r}." if category else "No preferences yet.")
        narrate("  memdeck remember TEXT --scope global --category preference --tag NAME")
