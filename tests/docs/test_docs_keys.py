"""The app's page names every key of every view, and the query page every key of the language."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path
from string import ascii_lowercase

from textual.binding import Binding
from textual.dom import DOMNode

from memdeck.tests.hints import hints

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
APP = (DOCS / "app.md").read_text(encoding="utf-8")
QUERY = (DOCS / "query.md").read_text(encoding="utf-8")
NAMES = {
    "slash": "/",
    "colon": ":",
    "minus": "-",
    "asterisk": "*",
    "question_mark": "?",
    "apostrophe": "'",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "plus": "+",
    "escape": "esc",
    "pagedown": "page down",
    "pageup": "page up",
    "f1": "F1",
    "f2": "F2",
}
"""Textual's names of keys as the page writes them; the others are written alike."""

SIGNS = {"★", "?", "·", "≠", "⏳", "✓", "●", "○", "◐", "–"}
"""The glyphs of the lists, which have tables too."""

WHERE = {
    "MemoryApp": "Keys that work everywhere",
    "View": "Keys that work everywhere",
    "Deck": "The Deck",
    "VirtualList": "The list",
    "FilterInput": "The filter",
    "QueryInput": "The query box",
    "Facets": "Facets",
    "Detail": "Reading",
    "InboxView": "The Inbox",
    "CandidatePane": "The Inbox",
    "ConflictsView": "Conflicts",
    "SidePane": "Conflicts",
    "RecallView": "Recall",
    "TextPane": "Recall",
    "PromptArea": "Recall",
    "AuditView": "Audit",
    "Timeline": "Audit",
    "BeforeAfter": "Audit",
    "PastScreen": "The Deck as it was",
    "Reading": "The digest",
    "Lines": "The digest",
    "Messages": "Messages",
    "MessagesText": "Messages",
    "AgentsView": "Agents",
    "AgentFindings": "Agents",
    "HomeView": "Home",
    "TidyView": "Tidy",
    "ProposalPane": "Tidy",
    "ProfileView": "Profile",
    "ProfileList": "Profile",
    "HealthView": "Health",
    "SessionsView": "Sessions",
    "SettingsView": "Settings",
    "EditSetting": "Settings",
    "EditMemory": "Writing and editing",
    "ChoiceInput": "Writing and editing",
    "MergeMemories": "Writing and editing",
    "Menu": "Dialogs",
    "Ask": "Dialogs",
    "Preview": "Dialogs",
    "Picker": "Below the prompt",
    "Confirm": "Dialogs",
    "Palette": "The palette",
    "HelpScreen": "Dialogs",
    "ThemePicker": "Dialogs",
    "ThemeList": "Dialogs",
    "PlanDialog": "Dialogs",
    "Welcome": "Dialogs",
    "Boxes": "Dialogs",
    "Working": "Dialogs",
}
"""The heading under which a class's keys are described; what stands below it counts as well."""


def classes() -> dict[str, type[DOMNode]]:
    """The app's own classes by name, wherever they live."""
    found = {}
    for module in pkgutil.walk_packages([str(ROOT / "tui")], "memdeck.tui."):
        for name, value in vars(import_module(module.name)).items():
            is_own = getattr(value, "__module__", "") == module.name
            if is_own and isinstance(value, type) and issubclass(value, DOMNode):
                found[name] = value
    return found


OWN = classes()


def keys_of(name: str) -> set[str]:
    """The keys that a class binds itself, as the page writes them."""
    found: set[str] = set()
    for one in vars(OWN[name]).get("BINDINGS", ()):
        binding = one if isinstance(one, Binding) else Binding(*one)
        if (binding.show or binding.id) and not binding.system:
            found |= {NAMES.get(key, key) for key in binding.key.split(",")}
    return found


def below(heading: str) -> str:
    """The page's text under a heading, subheadings included."""
    start = re.search(rf"^(#+) {re.escape(heading)}$", APP, re.MULTILINE)
    assert start is not None, heading
    rest = APP[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def keys_in(text: str) -> set[str]:
    """The keys named in the first columns of the tables of a text."""
    cells = re.findall(r"^\| ([^|]*) \|", text, re.MULTILINE)
    return {key for cell in cells for key in re.findall(r"`([^`]+)`", cell)}


def test_every_class_with_keys_has_its_place_on_the_page():
    assert {name for name in OWN if keys_of(name)} - set(WHERE) == set()


def test_every_key_stands_in_the_table_of_its_place(subtests):
    for owner in WHERE:
        with subtests.test(owner=owner):
            assert keys_of(owner) - keys_in(below(WHERE[owner])) == set()


def test_no_table_names_a_key_that_is_bound_to_nothing(subtests):
    rows = [
        "Keys that work everywhere",
        "The Deck",
        "The Inbox",
        "Conflicts",
        "Recall",
        "Audit",
        "Agents",
        "Health",
        "Writing and editing",
    ]
    for heading in rows:
        with subtests.test(heading=heading):
            text = f"# {heading}\n{below(heading)}"
            bound = {"tab", "shift+tab"}  # Textual's own, for going from pane to pane
            bound |= keys_of("View")  # what every view does in its own way
            for owner, place in WHERE.items():
                if f"# {place}\n" in text:
                    bound |= keys_of(owner)
            assert keys_in(text) - bound - SIGNS == set()


def test_every_query_key_stands_in_the_table_of_filters_with_its_choices(core, subtests):
    """As completion offers them: `is:` and `sort:` have tables of their own."""
    keys = {text[:-1] for letter in ascii_lowercase for text, _ in core.complete(letter)}
    assert len(keys) > 15
    for key in keys:
        with subtests.test(key=key):
            row = re.search(rf"^\| `{key}:` \|(.*)$", QUERY, re.MULTILINE)
            assert row is not None
            for choice in (text.partition(":")[2] for text, _ in core.complete(f"{key}:")):
                if key in ("is", "sort"):
                    assert re.search(rf"^\| `{key}:{choice}` \| \S", QUERY, re.MULTILINE)
                else:
                    assert f"`{choice}`" in row[1]


def test_every_query_of_the_page_is_understood(core, home_path):
    shown = re.findall(r"^\| `([^`|]+)` \| ", QUERY, re.MULTILINE)
    examples = [text for text in shown if not text.endswith(":")]
    assert len(examples) > 20
    assert {text: said for text in examples if (said := hints(text, home_path))} == {}
