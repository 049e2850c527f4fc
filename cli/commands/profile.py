"""The profile: who you are to agents, derived from your memories; shown, added to, cleared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..acts import became, report
from ..options import Door, agreeable, command, complete_memory, group
from ..output import Ink, acted, age, memory_count, narrate, one_line, say, section, table

if TYPE_CHECKING:
    from datetime import datetime

    from ...core.judgements import Conflict
    from ...core.profiles import Profile, ProfileEntry

TITLES = {"preferences": "Preferences", "patterns": "Patterns", "facts": "Facts and policies"}

MOST_FACTS = 20
"""Facts and policies that are listed unless all are asked for: a large project has hundreds."""


_of_category = click.option(
    "--category",
    metavar="NAME",
    help="Only this category of preferences, or domain of patterns.",
)


@group("memdeck profile", "memdeck profile add 'Answer briefly' --category verbosity")
@_of_category
def profile() -> None:
    """Show and keep who you are to agents.

    Derived from what you laid down and what is established. Without a word, shows it.
    """


@command("memdeck profile show --category style", "memdeck profile show --json", of=profile)
@_of_category
@click.option("--all", "every", is_flag=True, help=f"More facts than {MOST_FACTS}, too.")
def profile_show(door: Door, category: str | None, every: bool) -> None:
    """Show the profile: each entry, who said it, how sure it is and when it was last used.

    What contradicts another entry is a question for `memdeck review`.
    """
    with door.services() as services:
        matches, now = services.profile_book.profile(), services.context.now()
    entries = matches.entries if category is None else matches.of_group(category)
    if door.prints_json(_object(matches, entries)):
        return
    if not entries:
        narrate(f"Nothing is known of {category!r}." if category else _NOTHING)
        return
    say(Ink(one_line(matches.project), "bold"))
    for name, title in TITLES.items():
        inside = [entry for entry in entries if entry.section == name]
        visible = inside if every or name != "facts" else inside[:MOST_FACTS]
        _show_section(title, visible, now)
        if len(visible) < len(inside):
            narrate(Ink(f"  {len(inside) - len(visible)} more; `show --all` lists them.", "dim"))
    if matches.questions:
        section("To decide")
        for question in matches.questions:
            _show_question(question)
        narrate(Ink("  `memdeck review` decides; until then neither of equals is told.", "dim"))
    if matches.is_cut:
        narrate(Ink("  There is more: the weightiest are shown.", "dim"))
    if not matches.is_told:
        narrate("  Agents are not told it: `lifecycle.profile` is off, or has no share.")


_NOTHING = (
    "Nothing is known of you yet. `memdeck profile add TEXT --category NAME` says what you prefer."
)


def _object(matches: Profile, entries: Sequence[ProfileEntry]) -> dict[str, Any]:
    return {
        "project": matches.project,
        **{name: [entry for entry in entries if entry.section == name] for name in TITLES},
        "questions": matches.questions,
        "told": matches.is_told,
        "cut": matches.is_cut,
    }


def _show_section(title: str, entries: Sequence[ProfileEntry], now: datetime) -> None:
    if not entries:
        return
    section(title)
    table(
        [
            [
                Ink("≠", "bad") if entry.asked else Ink(" ", "dim"),
                Ink(entry.memory.short_id, "dim"),
                entry.group,
                entry.whose,
                Ink(f"{age(entry.last_used, now) if entry.last_used else '–':>4}", "dim"),
                entry.memory.title or entry.memory.content,
            ]
            for entry in entries
        ],
        indent="  ",
    )


def _show_question(question: Conflict) -> None:
    say("  ", Ink("≠ ", "bad"), one_line(question.first.title))
    say("    ", one_line(question.second.title), Ink(f"  (conflict {question.id})", "dim"))


@command(
    "memdeck profile add 'Answer in short sentences' --category verbosity",
    "memdeck profile add 'Retry with jitter' --domain errors",
    of=profile,
)
@click.argument("text")
@click.option("--category", metavar="NAME", help="What you prefer, of this category.")
@click.option("--domain", metavar="NAME", help="How things are done, in this domain.")
@agreeable
def profile_add(door: Door, text: str, category: str | None, domain: str | None, yes: bool) -> int:
    """Say what you prefer, or how things are done: agents of every project are told it."""
    if (category is None) == (domain is None):
        raise click.UsageError("Give --category for a preference, or --domain for a pattern.")
    with door.memory(yes=yes) as core:
        add = core.add_preference if category is not None else core.add_pattern
        result = add(text, category or domain or "")
        memory = core.show(result.memory_id) if result.memory_id else None
    door.prints_json(result, memory=memory)
    return became(result, memory, "remembered", quiet=door.as_json)


@command(
    "memdeck profile edit 01k8f2q --content 'Answer in one sentence'",
    "memdeck profile edit 01k8f2q --category style",
    of=profile,
)
@click.argument("identifier", metavar="ID", shell_complete=complete_memory)
@click.option("--content", help="The new text of its memory.")
@click.option("--category", metavar="NAME", help="The category, domain or kind it belongs to.")
@agreeable
def profile_edit(
    door: Door, identifier: str, content: str | None, category: str | None, yes: bool
) -> None:
    """Change an entry: the text of its memory, or the category that it belongs to."""
    if content is None and category is None:
        raise click.UsageError("Say --content or --category; `memdeck edit ID` opens an editor.")
    with door.memory(yes=yes) as core, core.as_one_act():
        memory = core.show(identifier)
        if category is not None:
            memory = core.regroup(memory.id, category)
        if content is not None:
            memory = core.edit(memory.id, content=content)
    report(door, "edited", [memory])


@command("memdeck profile clear --category verbosity", of=profile)
@_of_category
@agreeable
def profile_clear(door: Door, category: str | None, yes: bool) -> int:
    """Forget the preferences and patterns of a category, or all of them; always asked.

    Facts and policies of the project stay. `memdeck undo` brings the memories back.
    """
    with door.memory(yes=yes) as core:
        cleared = core.clear_profile(category)
    if not door.prints_json(*cleared):
        acted("cleared", cleared)
    if not cleared:
        narrate(f"Nothing is known of {category!r}." if category else _NOTHING)
        return 1
    narrate(Ink(f"  {memory_count(len(cleared))}; `memdeck undo` takes it back.", "dim"))
    return 0
