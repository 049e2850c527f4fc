"""Looking things up: search, list, show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import click

from ..core.query.language import parse
from ..core.values import Hit, Memory
from . import fields, stdin
from .options import Door, complete_memory, complete_query, example, shared
from .output import Ink, clip, count, emit, memory_count, narrate, one_line, say, width, wrap
from .rows import glyph, show_rows

if TYPE_CHECKING:
    from ..core.memdeck import Memdeck
    from ..core.services.suggestions import Suggestion

EXCERPT = 2
"""Lines of a hit's text under its title."""

CHUNK = 64
"""Queries of a batch that are answered together."""


@click.command(
    epilog=example(
        "memdeck search why do the queue tests need redis --explain",
        "memdeck search -- redis type:semantic -queue",
    )
)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option(
    "--limit", type=click.IntRange(1, 500), metavar="N", default=10, help="Hits at most (10)."
)
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@click.option(
    "--batch",
    metavar="FILE|-",
    help='Answer a file of {"id", "query"[, "limit"]} lines, one line of hits for each.',
)
@click.option(
    "--filter",
    "wanted",
    metavar="JSON",
    help='Fields that must hold: {"tags": "ci", "importance": {"$gte": 0.7}}.',
)
@shared
def search(
    door: Door,
    query: tuple[str, ...],
    limit: int,
    explain: bool,
    batch: str | None,
    wanted: str | None,
) -> int:
    """Find memories by words, a question or filters.

    Best first. Filters are those of the query language: type: status: category: scope:
    tag: file: session: agent: is: importance:>=7 created:<7d before: after: sort:

    Programs may give them as JSON with --filter: a value, a list of which any counts, or
    operators ($eq $ne $gt $gte $lt $lte $in); importance goes from 0 to 1 there.
    """
    filters = None if wanted is None else _filters(wanted)
    if batch is not None:
        if query or filters is not None:
            raise click.UsageError("--batch brings its own queries; leave QUERY and --filter out.")
        with stdin.opened(batch) as stream, door.services() as services:
            return _search_batch(services, stream, limit)
    text = " ".join(query)
    if not text.strip() and filters is None:
        raise click.UsageError("What to search for? `memdeck list` shows everything.")
    with door.services() as services:
        hits = services.search.search(text, limit=limit, filters=filters)
        if door.as_json:
            for hit in hits:
                account = {"account": services.search.account(parse(text), hit)} if explain else {}
                emit({**fields.of_hit(hit), **account})
            return 0
        _point_out(text)
        for hit in hits:
            show_hit(hit, services.search.account(parse(text), hit) if explain else None)
        if not hits and filters is None:
            nothing_found(services.suggestions.suggest(text))
        elif not hits:
            narrate("Nothing found.")
    return 0


def _filters(text: str) -> dict[str, Any]:
    """The filters of an option. Raises click.UsageError for what is no JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"--filter is no JSON: {error}.") from error
    if not isinstance(found, dict):
        raise click.UsageError('--filter takes an object, such as {"type": "semantic"}.')
    return found


def show_hit(hit: Hit, account: Sequence[str] | None = None) -> None:
    """Print a hit: its id, score and title, and what the title leaves out.

    With an `account` also the parts of its score, and what put it there in words.
    """
    memory = hit.memory
    aside = f"{memory.short_id}  {hit.score:.2f}  "
    first, *more = _excerpt(memory, width() - len(aside) - 2)
    say(glyph(memory), " ", Ink(aside, "dim"), Ink(first, "bold"))
    for line in more:
        say("    ", line)
    if account is not None:
        for name, part in sorted(hit.parts.items(), key=lambda item: -abs(item[1])):
            say("      ", Ink(f"{part:+8.3f}  {name}", "dim"))
        for why in account:
            say("      ", Ink(why, "dim"))


def _excerpt(memory: Memory, columns: int) -> list[str]:
    """The title in `columns` columns, and up to two lines of what the title leaves out."""
    content, title = (" ".join(one_line(text).split()) for text in (memory.content, memory.title))
    begins_so = content.startswith(title.rstrip("…"))
    first = wrap(content, columns)[0] if begins_so else clip(title, columns)
    rest = content[len(first) :].strip() if begins_so else content
    lines = wrap(rest, width() - 4) if rest else []
    if len(lines) > EXCERPT:
        lines = [*lines[: EXCERPT - 1], clip(f"{lines[EXCERPT - 1]} …", width() - 4)]
    return [first, *lines]


def _search_batch(services: Memdeck, stream: IO[bytes], limit: int) -> int:
    """Answer each line over one connection, in order; 1 when a line could not be read."""
    failed = 0
    lines = stdin.objects(stream)
    while chunk := list(islice(lines, CHUNK)):
        questions = [(number, _question(line, limit)) for number, line in chunk]
        asked = [question for _, question in questions if isinstance(question, tuple)]
        largest = max((wanted for _, _, wanted in asked), default=limit)
        answers = iter(services.search.search_many([text for _, text, _ in asked], largest))
        for number, question in questions:
            if isinstance(question, stdin.BadLine):
                failed += 1
                emit({"ok": False, "line": number, "error": str(question)})
                continue
            identifier, text, wanted = question
            hits = next(answers)[:wanted]
            answer = {"id": identifier, "hits": [fields.of_hit(hit) for hit in hits]}
            if not hits and not (advice := services.suggestions.suggest(text)).is_empty:
                answer["suggestion"] = fields.of_suggestion(advice)
            emit(answer, flush=True)
    if failed:
        narrate(f"{count(failed, 'line')} could not be read; the output says which.")
    return 1 if failed else 0


def _question(
    line: dict[str, Any] | stdin.BadLine, limit: int
) -> tuple[Any, str, int] | stdin.BadLine:
    if isinstance(line, stdin.BadLine):
        return line
    query, wanted = line.get("query"), line.get("limit", limit)
    if not isinstance(query, str):
        return stdin.BadLine("`query` is missing or not a text")
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not 1 <= wanted <= 500:
        return stdin.BadLine("`limit` is not a whole number from 1 to 500")
    return line.get("id"), query, wanted


@click.command(
    "list", epilog=example("memdeck list is:conflict", "memdeck list 'created:<7d' --json")
)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Memories at most (all).")
@shared
def list_(door: Door, query: tuple[str, ...], limit: int | None) -> int:
    """List the project's memories, newest first.

    Candidates included; all of them unless --limit says otherwise.
    """
    text = " ".join(query)
    with door.services() as services:
        memories = services.search.list(text, limit=limit)
        if door.as_json:
            for memory in memories:
                emit(fields.of_memory(memory))
            return 0
        _point_out(text)
        show_rows(memories, services.context.now())
        if memories:
            narrate(Ink(f"{memory_count(len(memories))} in {services.search.project_name}", "dim"))
        elif text.strip():
            nothing_found(services.suggestions.suggest(text))
        else:
            narrate(f"{services.search.project_name} has no memories yet.")
            narrate("  `memdeck remember TEXT` adds one; `memdeck install claude` collects them.")
    return 0


def _point_out(query: str) -> None:
    """What the query language did not understand, and the nearest thing that it would."""
    for hint in parse(query).hints:
        nearest = f" Did you mean {hint.nearest}?" if hint.nearest else ""
        narrate(Ink(f"{hint.message}{nearest}", "warn"))


def nothing_found(advice: Suggestion) -> None:
    """Say what would find something."""
    narrate("Nothing found.")
    try_instead(advice)


def try_instead(advice: Suggestion) -> None:
    """Say what would find something."""
    if advice.did_you_mean:
        narrate(f"  Did you mean {advice.did_you_mean}?")
    if advice.other_words:
        others = ", ".join(f"{word} ({number})" for word, number in advice.other_words)
        narrate(f"  Other words that are there: {others}.")
    if advice.narrowest:
        narrate(f"  Without {advice.narrowest} there would be more.")
    if advice.retired:
        narrate(
            f"  {count(advice.retired, 'retired memory', 'retired memories')} would match: "
            f"add is:retired."
        )
    if advice.other_projects:
        narrate(
            f"  {memory_count(advice.other_projects)} in other projects would match: use --project."
        )


@click.command(epilog=example("memdeck show 01k8f2q --history"))
@click.argument("identifier", metavar="ID", shell_complete=complete_memory)
@click.option("--history", is_flag=True, help="Also every change it went through.")
@click.option("--why", is_flag=True, help="Only what speaks for it: score, points, reviews.")
@shared
def show(door: Door, identifier: str, history: bool, why: bool) -> int:
    """Show one memory whole.

    Its text, origin, reviews, points, links and uses, the prompts it was given with, and its
    history.
    """
    from .card import show_card
    from .grounds import grounds_of, show_grounds

    with door.memory() as core:
        memory = core.show(identifier)
        links = core.links(memory.id)
        changes = core.history(memory.id) if history else []
        injected = core.injections(memory.id)
        grounds = grounds_of(core, memory.id)
        if door.as_json:
            whole = fields.of_memory(memory)
            whole["links"] = [fields.of_link(link, memory.id) for link in links]
            whole["injections"] = [fields.of_receipt(receipt) for receipt in injected]
            whole |= fields.of_grounds(grounds)
            if history:
                whole["history"] = [fields.of_entry(entry) for entry in changes]
            emit(whole)
        elif why:
            show_grounds(grounds, core.clock())
        else:
            show_card(memory, links, changes, injected, grounds, core)
    return 0
