"""The style sheets: each read when it is first needed, and parsed once for a theme.

A view's is needed when the view is made, a dialog's with the first dialog. To parse them all was
a fifth of what opening the app cost. Nor is it worked out twice what a widget looks like: Textual
asks five times a widget while the app opens, mostly in the same place and state.
"""

from __future__ import annotations

import os
import weakref
from typing import Any

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

_MOST_KEPT = 512  # parsed sheets: ours, and one of each kind of widget
_MOST_LOOKS = 4096  # a few themes of all views and dialogs

_BY_ORDER = frozenset(("first-of-type", "last-of-type", "first-child", "last-child", "empty"))

_looks: LRUCache[tuple[Any, ...], RulesMap] = LRUCache(_MOST_LOOKS)

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
        self._candidates: dict[frozenset[str], tuple[tuple[RuleSet, ...], tuple[str, ...]]] = {}
        self._candidates_of: object = None  # the rules that these were chosen from
        self._matched: dict[DOMNode, RulesMap] = {}
        self._worn: weakref.WeakKeyDictionary[DOMNode, tuple[RulesMap, int]] = (
            weakref.WeakKeyDictionary()
        )

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

    def apply(self, node: DOMNode, *, animate: bool = False, **_cache: object) -> None:
        """Let the node look as the rules say; Textual's own `cache` holds for one call only.

        A rule matches by what its selectors see of a node and what it stands in: kind, id, classes,
        and those states (`:focus`) that the rules in question name.
        """
        rules, states = self._rules_for(node)
        place = (
            rules,
            *(
                (type(one), one._id, frozenset(one._classes), *map(one.has_pseudo_class, states))
                for one in node.css_path_nodes
            ),
        )
        look = _looks.get(place)
        if look is None:
            super().apply(node, animate=animate)
            if (matched := self._matched.pop(node, None)) is not None:
                _looks[place] = matched
            return
        node._has_hover_style = "hover" in states
        node._has_focus_within = "focus-within" in states
        node._has_order_style = not _BY_ORDER.isdisjoint(states)
        node._has_odd_or_even = "odd" in states or "even" in states
        self._dress(node, look, animate)
        self._process_component_classes(node)

    def _dress(self, node: DOMNode, look: RulesMap, animate: bool) -> None:
        """Give the node this look, unless it wears it and nobody touched it since.

        Wherever the focus goes, most of what is asked about looks as before.
        """
        base = node.styles.base
        if self._worn.get(node) == (look, base._updates):
            node.notify_style_update()  # what it stands in may look otherwise
            return
        super().replace_rules(node, look, animate)
        self._worn[node] = look, base._updates

    def replace_rules(  # type: ignore[override]  # it is asked of the sheet, never of its class
        self, node: DOMNode, rules: RulesMap, animate: bool = False
    ) -> None:
        """Give the node these rules, and keep what they were."""
        self._matched[node] = rules
        super().replace_rules(node, rules, animate)

    def _rules_for(self, node: DOMNode) -> tuple[tuple[RuleSet, ...], tuple[str, ...]]:
        """The rules that may match the node by its names, and the states that they ask for."""
        by_name = self.rules_map
        if self._candidates_of is not by_name:
            self._candidates_of = by_name
            self._candidates.clear()
        names = frozenset(by_name.keys() & node._selector_names)
        if names not in self._candidates:
            some = {rule for name in names for rule in by_name[name]}
            rules = tuple(filter(some.__contains__, self.rules))
            states = sorted(set().union(*(rule.pseudo_classes for rule in rules)))
            self._candidates[names] = rules, tuple(states)
        return self._candidates[names]
