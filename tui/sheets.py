"""The style sheets: each read when it is first needed, and parsed once for a theme.

A view's is needed when the view is made, a dialog's with the first dialog. To parse them all was
a fifth of what opening the app cost.
"""

from __future__ import annotations

import os

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

_MOST_KEPT = 512  # parsed sheets: ours, and one of each kind of widget

# What Textual's own says (a rule is itself and no other), without a call in Python: rules are
# looked up some hundred thousand times while the app opens.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]


def sheet(name: str) -> str:
    """Where the sheet of that name lies."""
    return os.path.join(FOLDER, f"{name}.tcss")


class Sheets(Stylesheet):
    """Textual's style sheet, which takes ours one by one."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(_MOST_KEPT)

    def need(self, *names: str) -> None:
        """Let the sheets of these names count from now on."""
        for name in names:
            if not self.has_source(sheet(name)):
                with open(sheet(name), encoding="utf-8") as file:
                    self.add_source(file.read(), (sheet(name), ""))

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take the values that a theme gives; the same ones again change nothing."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse what was not parsed with these values yet.

        Textual parses everything anew, also where no value changed: each app does so when it
        opens.
        """
        self.parse()
