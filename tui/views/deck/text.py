"""What the Deck says in words: orders, and what to do about an empty list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...text import counted, cut
from ...widgets.nothing import NothingLine

if TYPE_CHECKING:
    from ....core.agents import AgentState
    from ....core.query.language import Query
    from ....core.services.suggestions import Suggestion
    from ...glyphs import Glyphs

ORDERS = {
    "created": "newest first",
    "-created": "oldest first",
    "updated": "last changed first",
    "-updated": "longest unchanged first",
    "importance": "most important first",
    "-importance": "least important first",
    "title": "by title",
    "-title": "by title, backwards",
    "relevance": "best match first",
}
"""Every order of the query language, in words."""

ALL_PROJECTS = "all projects"
"""Whose memories they are, when they are everybody's."""

OF_ALL = "project:*"
"""The query that lists them."""


def in_order(sort: str | None, has_words: bool) -> str:
    """The order in words."""
    if sort is None or (sort == "relevance" and not has_words):
        return ORDERS["relevance" if has_words else "created"]
    return ORDERS.get(sort, sort)


def sort_in_force(asked: Query) -> str:
    """By what a query sorts, also where it does not say so."""
    has_words = bool(asked.words or asked.phrases)
    if asked.sort is None or (asked.sort == "relevance" and not has_words):
        return "relevance" if has_words else "created"
    return asked.sort


def whose(asked: Query) -> str:
    """Whose memories a query lists, in words; "" of the project one is in."""
    named = [one.value for one in asked.of("project") if not one.negated]
    return ALL_PROJECTS if named[-1:] == ["*"] else "".join(named[-1:])


def nothing_here(
    project: str, agents: Sequence[AgentState], glyphs: Glyphs, elsewhere: int = 0
) -> tuple[NothingLine, ...]:
    """The first run: what this place is for, and three steps, each with whether it is done.

    `agents` are empty while nothing is known of them. `elsewhere` is how many memories may be of
    this project and stand under its older folder or remote.
    """
    done = {True: glyphs.mark, False: glyphs.open}
    is_connected = any(one.scopes for one in agents)
    is_heard = any(one.last_fired_ms is not None for one in agents)
    says = f"memdeck list   has {counted(elsewhere, 'memory', 'memories')} of an older folder"
    way_back = (NothingLine(says, key="$"),) if elsewhere else ()
    whose = f" for {cut(project, 30)}" if project else ""
    return (
        NothingLine(f"Nothing is remembered{whose} yet.", is_title=True),
        NothingLine(),
        NothingLine("Decisions, corrections and lessons of your agents stand here,"),
        NothingLine("found as you type, and yours to edit, pin and forget."),
        NothingLine(),
        NothingLine(f"{done[is_connected]} connect your agents, so that they write", key="6"),
        NothingLine(f"{done[is_heard]} work with one: its calls are seen coming in", key="6"),
        NothingLine(f"{done[False]} keep the first memory, or write it yourself", key="c"),
        NothingLine(),
        *way_back,
        NothingLine("memdeck demo   look around in an example", key="$"),
    )


def offers(suggestion: Suggestion, asked: Query) -> dict[str, str | int]:
    """What is offered because nothing matched: queries, or how many hits there are elsewhere."""
    queries: dict[str, str | int] = {}
    if suggestion.did_you_mean:
        queries["did_you_mean"] = suggestion.did_you_mean
    if suggestion.other_words:
        words = tuple(word for word, _ in suggestion.other_words)
        queries["other_words"] = str(replace(asked, words=words))
    if suggestion.narrowest:
        key, _, value = suggestion.narrowest.lstrip("-").partition(":")
        queries["narrowest"] = asked.without_filter(key, value.strip('"')).text
    if suggestion.retired:
        queries["retired"] = asked.with_filter("is", "retired").text
    if suggestion.other_projects:
        queries["other_projects"] = suggestion.other_projects
    return queries


def nothing_matches(suggestion: Suggestion) -> tuple[NothingLine, ...]:
    """Zero hits: what else to try; `enter` takes the one that is lit."""
    lines = [NothingLine("Nothing matches.", is_title=True), NothingLine()]
    if suggestion.did_you_mean:
        lines.append(
            NothingLine(f"did you mean  {cut(suggestion.did_you_mean, 50)}", offer="did_you_mean")
        )
    if suggestion.other_words:
        others = "  ".join(f"{word} {number:,}" for word, number in suggestion.other_words)
        lines.append(NothingLine(f"other words  {cut(others, 50)}", offer="other_words"))
    if suggestion.narrowest:
        lines.append(
            NothingLine(f"search without  {cut(suggestion.narrowest, 50)}", offer="narrowest")
        )
    if suggestion.retired:
        retired = counted(suggestion.retired, "retired memory", "retired memories")
        lines.append(NothingLine(f"show {retired}", offer="retired"))
    if suggestion.other_projects:
        others = counted(suggestion.other_projects, "hit")
        lines.append(NothingLine(f"{others} in other projects: choose one", offer="other_projects"))
    lines.append(NothingLine("clear the query", key="esc"))
    return tuple(lines)
