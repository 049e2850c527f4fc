"""Shows the settings, and changes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...db.errors import BadInput
from ..acts import report_line
from ..options import Door, command
from ..output import Ink, narrate, one_line, print_document, table

if TYPE_CHECKING:
    from ...core.services.settings import Setting


@command(
    "memdeck config",
    "memdeck config recall.top_k",
    "memdeck config recall.max_pinned 8",
    "memdeck config app.theme default",
    short_help="Show the settings, or change one.",
)
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("--all", "is_all", is_flag=True, help="List all settings, not only the main ones.")
def config(door: Door, key: str | None, value: str | None, is_all: bool) -> None:
    """Show the settings, show one with its manual, or change it.

    A change is written to your config.toml, where comments and layout stay, and `memdeck undo`
    undoes it. The value `default` removes a setting from the file.
    """
    from ...core.documents.agent import setting_document

    if key is not None and is_all:
        raise BadInput("--all lists the settings: leave out the key.")
    with door.services() as services:
        book = services.settings_book
        if key is None:
            _list(door, book.settings(), is_all=is_all)
            return
        if value is None:
            setting = book.setting(key)
            if not door.prints_json(_fields(setting)):
                print_document(setting_document(setting), services.context.now())
            return
        is_changed = book.put(key, value)
        setting = book.setting(key)
    from ...core.services.settings import text_of

    words = f"{setting.key} = {text_of(setting.value) or 'none'}"
    report_line(door, _fields(setting), words if is_changed else f"{words}  unchanged")
    if is_changed and key == "recall.encoder" and setting.value:
        narrate("  Background processing makes the vectors. `memdeck maintain` makes them now.")
    if setting.overridden:
        narrate(f"  {one_line(setting.overridden)}")


def _list(door: Door, settings: list[Setting], *, is_all: bool) -> None:
    from ...core.services.settings import SOURCES, text_of

    visible = [setting for setting in settings if is_all or setting.is_essential]
    if door.prints_json(*map(_fields, visible)):
        return
    table(
        [
            [
                setting.key,
                one_line(text_of(setting.value)) or "none",
                Ink("" if setting.source == "default" else SOURCES[setting.source], "dim"),
            ]
            for setting in visible
        ]
    )
    for setting in settings:
        if setting.problem:
            narrate(Ink(one_line(setting.problem), "bad"))
    if len(visible) < len(settings):
        narrate(f"{len(settings) - len(visible)} more: `memdeck config --all`.")


def _fields(setting: Setting) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": setting.value,
        "default": setting.default,
        "source": setting.source,
        "allowed": setting.rule.allowed,
        "about": setting.about,
        "problem": setting.problem or None,
        "overridden": setting.overridden or None,
    }
