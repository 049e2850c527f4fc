"""The page behind `?`: the keys that work now, from the bindings in force. Enter presses one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..acts import NO_KEY
from ..text import fit, plain
from .questions import Dialog

GROUP_NAMES = {
    "app": "Everywhere",
    "view": "Screens",
    "list": "List",
    "detail": "Reading",
    "pane": "Moving",
    "memory": "Memory",
    "query": "Query",
    "switch": "Setup",
    "": "More",
}
"""The heading of each namespace of binding ids; others stand for themselves."""

LAST_GROUPS = ("List", "Reading", "Moving", "Screens", "Setup", "Everywhere", "More")
KEY_CELLS, LABEL_CELLS = 14, 18


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the page: an act with all its keys; `press` is the key that does it."""

    group: str
    keys: tuple[str, ...]
    press: str
    label: str
    text: str
    is_enabled: bool


def actions_of(screen: Screen[Any]) -> list[Action]:
    """Return what the keys in force on `screen` do, the focused pane's first."""
    actions: dict[tuple[str, str], Action] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if not binding.description or binding.system:
            continue
        group = _group_of(binding, active.node)
        name = "" if key.startswith(NO_KEY) else screen.app.get_key_display(binding)
        earlier = actions.get((group, binding.action))
        keys = (*(earlier.keys if earlier else ()), *([name] if name else []))
        actions[group, binding.action] = Action(
            group,
            keys,
            earlier.press if earlier else key,
            earlier.label if earlier else binding.description,
            active.tooltip or binding.tooltip,
            active.enabled,
        )
    groups = list(dict.fromkeys(action.group for action in actions.values()))
    groups.sort(key=lambda name: LAST_GROUPS.index(name) if name in LAST_GROUPS else -1)
    return sorted(actions.values(), key=lambda action: groups.index(action.group))


def _group_of(binding: Binding, node: object) -> str:
    namespace = (binding.id or "").partition(".")[0]
    if not binding.id:
        namespace = "" if isinstance(node, Screen | App) else "pane"
    return GROUP_NAMES.get(namespace, namespace.replace("-", " ").capitalize())


class HelpScreen(Dialog[str | None]):
    """Answers the key that is to be pressed, or None."""

    HELP = "`enter` does what the line says. `/` searches. `esc` closes."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Do it", id="help.take", priority=True),
        Binding("slash", "search", "Search", key_display="/", id="help.search"),
        Binding("escape,question_mark", "leave", "Close", id="help.close"),
        Binding("j", "move(1)", "Down", show=False, id="help.down"),
        Binding("k", "move(-1)", "Up", show=False, id="help.up"),
        Binding("g", "end(0)", "Top", show=False, id="help.top"),
        Binding("G", "end(1)", "Bottom", show=False, id="help.bottom"),
    ]

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = actions

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"):
            yield Static("Keys that work here", classes="dialog-title")
            yield Input(placeholder="search keys and acts", id="help-search", compact=True)
            yield OptionList(id="help-list", markup=False)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def on_mount(self) -> None:
        """Begin in the list."""
        self._fill()
        self._list.focus()

    @on(Input.Changed, "#help-search")
    def _fill(self) -> None:
        words = self.query_one("#help-search", Input).value.lower().split()
        self._list.clear_options()
        group = ""
        for row, action in enumerate(self._actions):
            text = f"{action.group} {' '.join(action.keys)} {action.label} {action.text}".lower()
            if not all(word in text for word in words):
                continue
            if action.group != group:
                group = action.group
                self._list.add_option(Option(plain(group, "bold $text-accent"), disabled=True))
            self._list.add_option(Option(_line(action), id=str(row)))
        if not self._list.option_count:
            none = f"No key or act has “{' '.join(words)}” in it."
            self._list.add_option(Option(plain(none, "$text-muted"), disabled=True))
        self._list.action_first()

    def action_search(self) -> None:
        """To the search field."""
        self.query_one("#help-search").focus()

    def action_move(self, step: int) -> None:
        self._list.action_cursor_down() if step > 0 else self._list.action_cursor_up()

    def action_end(self, is_last: int) -> None:
        self._list.action_last() if is_last else self._list.action_first()

    def action_take(self) -> None:
        """Press the key of the lit line; from the search field go to the list first."""
        if self._list.highlighted is None:
            return
        option = self._list.get_option_at_index(self._list.highlighted)
        if option.id is not None:
            self.dismiss(self._actions[int(option.id)].press)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_id is not None:
            self.dismiss(self._actions[int(event.option_id)].press)

    def action_leave(self) -> None:
        """Empty the search first, then close."""
        search = self.query_one("#help-search", Input)
        if search.value:
            search.value = ""
            self._list.focus()
        else:
            self.dismiss(None)


def _line(action: Action) -> Content:
    style = "" if action.is_enabled else "$text-muted"
    text = action.text if action.is_enabled else f"not now  {action.text}"
    return Content.assemble(
        plain(
            f"  {fit(' '.join(action.keys), KEY_CELLS)} ", "bold" if action.is_enabled else style
        ),
        plain(f"{fit(action.label, LABEL_CELLS)} ", style),
        plain(text, "$text-muted"),
    )
