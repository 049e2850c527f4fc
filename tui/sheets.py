"""The style sheets, each read when it is first needed; and the styles that widgets paint with.

A view's is needed when the view is made, a dialog's with the first dialog. To parse them all was
a fifth of what opening the app cost. Nor is it worked out twice what a widget looks like: Textual
asks five times a widget while the app opens, mostly in the same place and state.
"""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass, field

from rich.style import Style
from textual.cache import LRUCache
from textual.css.model import CombinatorType, RuleSet, Selector, SelectorType
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widget import Widget

Kind = tuple[type[DOMNode], str | None, frozenset[str]]

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

_MOST_KEPT = 512  # parsed sheets: ours, and one of each kind of widget
_MOST_LOOKS = 4096  # a few themes of all views and dialogs
_MOST_KINDS = 4096  # of nodes, for the same rules

_BY_ORDER = frozenset(("first-of-type", "last-of-type", "first-child", "last-child", "empty"))

# What Textual's own says (a rule is itself and no other), without a call in Python: rules are
# looked up some hundred thousand times while the app opens.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]


_SIGNS = {SelectorType.TYPE: "", SelectorType.CLASS: ".", SelectorType.ID: "#"}


def sheet(name: str) -> str:
    """Where the sheet of that name lies."""
    return os.path.join(FOLDER, f"{name}.tcss")


@dataclass(slots=True)
class _Look:
    """What the rules make of a node."""

    rules: RulesMap
    worn: RulesMap | None = None  # the same as a node's styles hold it


@dataclass(frozen=True, slots=True)
class _Asked:
    """What selectors ask of a node: by the name that it must have, the states that then count."""

    states: dict[str, set[str]] = field(default_factory=dict)
    kinds: dict[Kind, tuple[frozenset[str], tuple[str, ...]]] = field(default_factory=dict)

    def add(self, selector: Selector) -> None:
        """Ask what this selector asks as well."""
        self.states.setdefault(_name_of(selector), set()).update(selector.pseudo_classes)

    def seen_of(self, node: DOMNode) -> object:
        """What the selectors see of a node: those of its names and states that they ask for."""
        kind = _kind_of(node)
        if (seen := self.kinds.get(kind)) is None:
            if len(self.kinds) >= _MOST_KINDS:
                self.kinds.clear()
            names = frozenset(self.states.keys() & node._selector_names)
            states = set().union(*(self.states[name] for name in names))
            seen = self.kinds[kind] = names, tuple(sorted(states))
        names, asked = seen
        return (names, *map(node.has_pseudo_class, asked)) if asked else names


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    """The rules that may match nodes of certain names, and what they ask."""

    rules: tuple[RuleSet, ...]
    states: frozenset[str]
    own: _Asked = field(default_factory=_Asked)  # of the node itself
    around: _Asked = field(default_factory=_Asked)  # of those that it stands in

    @classmethod
    def of(cls, rules: tuple[RuleSet, ...]) -> _Rules:
        made = cls(rules, frozenset().union(*(rule.pseudo_classes for rule in rules)))
        for rule in rules:
            for chain in rule.selector_set:
                asked = made.own
                for selector in reversed(chain.selectors):  # the last ones are of the node
                    asked.add(selector)
                    if selector.combinator is not CombinatorType.SAME:
                        asked = made.around
        return made

    def place_of(self, node: DOMNode) -> tuple[object, ...]:
        """What tells a node and its place from others, for these rules."""
        own = self.own.seen_of(node)
        if not self.around.states:
            return self, own
        return self, own, *map(self.around.seen_of, node.css_path_nodes[:-1])


def _kind_of(node: DOMNode) -> Kind:
    """What a node's names follow from."""
    return type(node), node._id, frozenset(node._classes)


def _name_of(selector: Selector) -> str:
    """By what a selector knows a node, as nodes have it among their names; "*" by nothing."""
    sign = _SIGNS.get(selector.type)
    return "*" if sign is None else f"{sign}{selector.name}"


_looks: LRUCache[tuple[object, ...], _Look] = LRUCache(_MOST_LOOKS)
_rules_by_themselves: LRUCache[tuple[RuleSet, ...], _Rules] = LRUCache(_MOST_LOOKS)


class Sheets(Stylesheet):
    """Textual's style sheet, which takes ours one by one."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(_MOST_KEPT)
        self._candidates: dict[Kind, _Rules] = {}
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

        A rule matches by what its selectors see of a node and what it stands in: those of its
        names (kind, id, classes) and states (`:focus`) that the rules in question speak of.
        """
        rules = self._rules_for(node)
        place = rules.place_of(node)
        look = _looks.get(place)
        if look is None:
            super().apply(node, animate=animate)
            if (matched := self._matched.pop(node, None)) is not None:
                _looks[place] = _Look(matched)
            return
        states = rules.states
        node._has_hover_style = "hover" in states
        node._has_focus_within = "focus-within" in states
        node._has_order_style = not _BY_ORDER.isdisjoint(states)
        node._has_odd_or_even = "odd" in states or "even" in states
        self._dress(node, look, animate)
        self._process_component_classes(node)

    def _dress(self, node: DOMNode, look: _Look, animate: bool) -> None:
        """Give the node this look, unless it wears it and nobody touched it since.

        Wherever the focus goes, most of what is asked about looks as before. To a node that wears
        nothing and is not mounted, a look is nothing but its rules.
        """
        base = node.styles.base
        if self._worn.get(node) == (look.rules, base._updates):
            node.notify_style_update()  # what it stands in may look otherwise
            return
        if base._rules or node._is_mounted:
            super().replace_rules(node, look.rules, animate)
        elif look.worn is None:
            super().replace_rules(node, look.rules, animate)
            look.worn = base._rules.copy()
        else:
            base.merge_rules(look.worn)
            node._nodes.updated()
            node.notify_style_update()
        self._worn[node] = look.rules, base._updates

    def replace_rules(  # type: ignore[override]  # it is asked of the sheet, never of its class
        self, node: DOMNode, rules: RulesMap, animate: bool = False
    ) -> None:
        """Give the node these rules, and keep what they were."""
        self._matched[node] = rules
        super().replace_rules(node, rules, animate)

    def _process_component_classes(self, node: DOMNode) -> None:
        """Let the parts of a widget that only have styles look as the rules say.

        Each keeps the node that it was given first; Textual makes all of them anew each time.
        """
        parts = node._component_styles
        names, is_changed = sorted(node._get_component_classes()), False
        for name in parts.keys() - names:
            del parts[name]
        for name in names:
            part = parts[name].node if name in parts else None
            if part is None:
                part = DOMNode(classes=name)
                part._attach(node)
                parts[name] = part.styles
            updates = part.styles.base._updates
            self.apply(part)
            is_changed = is_changed or part.styles.base._updates != updates
        if is_changed:
            node.refresh()

    def _rules_for(self, node: DOMNode) -> _Rules:
        """The rules that may match the node by its names."""
        by_name = self.rules_map
        if self._candidates_of is not by_name:
            self._candidates_of = by_name
            self._candidates.clear()
        kind = _kind_of(node)
        if (known := self._candidates.get(kind)) is None:
            if len(self._candidates) >= _MOST_KINDS:
                self._candidates.clear()
            some = {
                rule for name in by_name.keys() & node._selector_names for rule in by_name[name]
            }
            rules = tuple(filter(some.__contains__, self.rules))
            if (known := _rules_by_themselves.get(rules)) is None:
                known = _rules_by_themselves[rules] = _Rules.of(rules)
            self._candidates[kind] = known
        return known


class Inks:
    """The styles that one widget paints its lines with, by the names they have in the sheets.

    Each is worked out when it is wanted. Textual works out all COMPONENT_CLASSES of a widget
    whenever anything about the widget changes, its focus included. That is a third of a millisecond
    for each, and a list has two dozen of which few are ever in sight: most of what a key cost.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._sheet: object = None  # the rules that these were worked out from
        self._styles: dict[tuple[str, ...], Style] = {}

    def style(self, *names: str) -> Style:
        """The first on its own ground, with the colours and weights of the others over it."""
        return self._kept(names, is_partial=False)

    def partial(self, name: str) -> Style:
        """What the sheets say of this name alone, without the ground of what it stands on."""
        return self._kept(("", name), is_partial=True)

    def _kept(self, names: tuple[str, ...], *, is_partial: bool) -> Style:
        sheet = self._widget.app.stylesheet.rules  # another one for each theme
        if sheet is not self._sheet:
            self._sheet, self._styles = sheet, {}
        style = self._styles.get(names)
        if style is None:
            style = Style() if is_partial else self._node(names[0]).rich_style
            for name in names[1:]:
                style += self._node(name).styles.partial_rich_style
            self._styles[names] = style
        return style

    def _node(self, name: str) -> DOMNode:
        """Something in the widget that has this class and nothing else."""
        node = DOMNode(classes=name)
        node._attach(self._widget)  # as Textual does for a component class
        self._widget.app.stylesheet.apply(node, animate=False)
        return node
