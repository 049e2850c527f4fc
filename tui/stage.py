"""The stage: header, the views of which one is shown, footer.

A view keeps its state by staying mounted; it is imported and mounted on its first visit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from ..frozen import dataclass
from .acts import VIEW_KEYS
from .footer import Keys
from .glyphs import Glyphs
from .sheets import Sheets
from .text import cut
from .view import View


@dataclass(frozen=True, slots=True)
class ViewKind:
    """A view that exists, by the name of its folder."""

    name: str
    label: str

    @property
    def key(self) -> str:
        """The key that opens it."""
        return VIEW_KEYS[self.name]

    @property
    def goes(self) -> str:
        """What its key does, in a sentence."""
        the = "the " if self.name in ("deck", "inbox", "profile", "settings") else ""
        return f"Goes to {the}{self.label}."


def _made(name: str) -> View:
    """A view, imported on the first visit."""
    match name:
        case "deck":
            from .views.deck.view import Deck

            return Deck(id=name)
        case "inbox":
            from .views.inbox.view import InboxView

            return InboxView(id=name)
        case "conflicts":
            from .views.conflicts.view import ConflictsView

            return ConflictsView(id=name)
        case "recall":
            from .views.recall.view import RecallView

            return RecallView(id=name)
        case "audit":
            from .views.audit.view import AuditView

            return AuditView(id=name)
        case "agents":
            from .views.agents.view import AgentsView

            return AgentsView(id=name)
        case "health":
            from .views.health.view import HealthView

            return HealthView(id=name)
        case "profile":
            from .views.profile.view import ProfileView

            return ProfileView(id=name)
        case "home":
            from .views.home.view import HomeView

            return HomeView(id=name)
        case "sessions":
            from .views.sessions.view import SessionsView

            return SessionsView(id=name)
        case "tidy":
            from .views.tidy.view import TidyView

            return TidyView(id=name)
        case _:
            from .views.settings.view import SettingsView

            return SettingsView(id=name)


VIEWS: Mapping[str, ViewKind] = {
    view.name: view
    for view in (
        ViewKind("deck", "Deck"),
        ViewKind("inbox", "Inbox"),
        ViewKind("conflicts", "Conflicts"),
        ViewKind("recall", "Recall"),
        ViewKind("audit", "Audit"),
        ViewKind("agents", "Agents"),
        ViewKind("health", "Health"),
        ViewKind("profile", "Profile"),
        ViewKind("sessions", "Sessions"),
        ViewKind("home", "Home"),
        ViewKind("tidy", "Tidy"),
        ViewKind("settings", "Settings"),
    )
}
"""The views by name, in the order of their keys."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the header says of the project."""

    project: str = ""
    memories: int | None = None
    conflicts: int = 0
    expiring: int = 0
    inbox: int = 0
    switched: tuple[str, ...] = ()  # what is not as usual: "incognito: project"


NAMED_FROM = 60  # columns from which on the header always names the view one is in
HEADER_FORMS = (
    (True, "long", "all"),
    (True, "short", "all"),
    (False, "short", "all"),
    (False, "short", "close"),
    (False, "short", "keys"),
    (False, "short", "tight"),
    (False, "brief", "tight"),
    (False, "brief", "here"),
)
"""With the app's name or without; what is said of the project; which views stand there: all with
their names, the others by their keys, or only the one that is shown. The first that fits is shown,
and of the keys as many have their names as there is room for.
"""

KEYS_APART = 3 * len(VIEWS) + max(len(view.label) for view in VIEWS.values()) + 1
"""Columns of all keys with a space around each, beside the longest name."""


class Header(Widget):
    """One line: the project, its counts, and the views."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """A part of the header was clicked; `act` says which."""

        def __init__(self, act: str) -> None:
            super().__init__()
            self.act = act

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.standing = Standing()
        self.current = ""
        self.seen = ""  # on the Deck, whose memories are listed where it is not the project's

    def look_at(self, whose: str) -> None:
        """Say on the Deck whose memories are seen: `all projects`, another's name, or ""."""
        if whose != self.seen:
            self.seen = whose
            self.refresh()

    def say(self, standing: Standing) -> None:
        """Show these numbers."""
        if standing != self.standing:
            self.standing = standing
            self.set_class(bool(standing.switched), "-switched")
            self.refresh()

    def at(self, view: str) -> None:
        """Show which view one is in."""
        self.current = view
        self.refresh()

    def render(self) -> Content:
        """Name, project and counts at the left, views at the right; what does not fit leaves.

        The view one is in keeps its name, from `NAMED_FROM` columns on whatever else there is.
        """
        room = self.size.width
        for brand, form, tabs in HEADER_FORMS:
            left = self._left(brand, form)
            right = self._tabs(tabs, room - left.cell_length - 2)
            gap = room - left.cell_length - right.cell_length
            if tabs == "keys" and room - left.cell_length - 2 < KEYS_APART:
                continue  # not for a short name alone: no tab moves from view to view
            if gap >= 2:
                return left + Content(" " * gap) + right
        if self.screen.size.width < NAMED_FROM:
            return self._left(False, "short").truncate(room, ellipsis=True)
        left = left.truncate(max(room - right.cell_length - 2, 0), ellipsis=True)
        return left + Content("  ") + right

    def _left(self, brand: bool, form: str) -> Content:
        now, is_long = self.standing, form == "long"
        parts = [Content.styled("memdeck", "bold $text-accent")] if brand else []
        seen = self.seen if self.current == "deck" else ""
        style = "bold $text-warning" if seen else "bold $foreground"
        parts.append(_part(cut(seen or now.project, 24 if is_long else 16), style, "project"))
        if seen:  # the counts are those of the project one is in
            parts.append(_part(cut(now.project, 16), "bold $foreground", "project"))
        # before the counts: of what is cut at the right end, this is the last to go
        parts += [_part(words, "bold $text-warning", "view:agents") for words in now.switched]
        if now.memories is not None and form != "brief" and not seen:
            count = f"{now.memories:,}" + (" memories" if is_long else "")
            parts.append(Content.styled(count, "$text-muted"))
        for glyph, number, meaning, act in (
            (self.glyphs.conflict, now.conflicts, "conflict", "view:conflicts"),
            (self.glyphs.expiring, now.expiring, "expiring", "expiring"),
            ("inbox", now.inbox, "candidate", "view:inbox"),
        ):
            if number:
                parts.append(_part(f"{glyph} {number:,}", f"${meaning}", act))
        return Content("   " if form == "long" else "  ").join(parts)

    def _tabs(self, form: str, room: int) -> Content:
        """The views at the right; `room` is how many columns are left for them."""
        named: Collection[str] = ()
        if form in ("all", "close"):
            named = VIEWS
        elif form == "keys":
            named = _named(room)
        parts = []
        was_here = False
        for view in VIEWS.values():
            is_here = view.name == self.current
            if form == "here" and not is_here:
                continue
            is_named = is_here or view.name in named
            label = f" {view.key} {view.label} " if is_named else f" {view.key} "
            if form in ("close", "tight") and not is_here and not was_here:
                label = label[1:]  # what follows the lit one stands as far from it as what precedes
            was_here = is_here
            style = "bold $block-cursor-foreground on $block-cursor-background"
            parts.append(_part(label, style if is_here else "$text-muted", f"view:{view.name}"))
        return Content("").join(parts)

    def on_click(self, event: Any) -> None:
        act = event.style.meta.get("memdeck_act")
        if act:
            event.stop()
            self.post_message(self.Clicked(act))


def _named(room: int) -> set[str]:
    """The first views whose names fit in beside all keys and the longest name of those behind.

    They are the same in whichever view one is, so that no tab moves under the pointer.
    """
    named = set[str]()
    room -= 3 * len(VIEWS)
    views = list(VIEWS.values())
    for number, view in enumerate(views, 1):
        room -= len(view.label) + 1
        if room < max((len(one.label) + 1 for one in views[number:]), default=0):
            break
        named.add(view.name)
    return named


def _part(text: str, style: str, act: str) -> Content:
    """A piece of the header that can be clicked."""
    return Content.styled(text, style).stylize(Style.from_meta({"memdeck_act": act}))


class Stage(Vertical):
    """Header, views, footer."""

    def __init__(self, glyphs: Glyphs, sheets: Sheets, *, id: str) -> None:
        super().__init__(id=id)
        self._sheets, self._glyphs = sheets, glyphs
        self.header = Header(glyphs, id="header")  # there, too, for what comes as the app ends
        self._left: Widget | None = None  # what had the focus when there was room

    def compose(self) -> ComposeResult:
        yield self.header
        yield ContentSwitcher(id="views")
        yield Keys(self._glyphs, id="keys")

    @property
    def keys(self) -> Keys:
        return self.query_one(Keys)

    @property
    def switcher(self) -> ContentSwitcher:
        return self.query_one("#views", ContentSwitcher)

    @property
    def current(self) -> str:
        """The name of the view that is shown; "" before the first."""
        return self.switcher.current or ""

    def view(self, name: str) -> View | None:
        """The view of that name if it has been visited."""
        return next((view for view in self.mounted_views if view.id == name), None)

    @property
    def shown(self) -> View | None:
        """The view that is shown; None before the first."""
        return self.view(self.current)

    @property
    def mounted_views(self) -> list[View]:
        """Every view that has been visited."""
        return [view for view in self.switcher.children if isinstance(view, View)]

    def tour(self) -> None:
        """Begin the tour above the keys, or end the one that one is on."""
        from .tour import Tour  # few take it

        if on_it := self.query(Tour):
            on_it.remove()
        else:
            self.mount(Tour(self), before=self.keys)

    async def go(self, name: str) -> View:
        """Show a view, mounting it on the first visit, and focus it."""
        view = self.view(name)
        if view is None:
            self._sheets.need(name)
            view = _made(name)
            await self.switcher.add_content(view, id=name)
        self.switcher.current = name
        self.header.at(name)
        self.keys.say("")
        view.focus_main()
        return view

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """The pane one was in has no room any more, or no view has: then one comes back to it."""
        if not self.display:
            self._left = event.widget
        self._keep_focus()

    def on_show(self) -> None:
        """It was too small for a while: who typed into a line types on, and presses no keys."""
        left, self._left = self._left, None
        if left is not None and self.shown in left.ancestors_with_self:
            self.screen.set_focus(left)
        self._keep_focus()

    def _keep_focus(self) -> None:
        """Without a focus no key of the view would work: it goes where one begins there.

        Not while there is no room for the view, nor while the terminal itself is out of focus.
        """
        if self.is_attached and self.is_on_screen and self.app.app_focus:
            view = self.shown
            if view is not None and self.screen.focused is None:
                view.focus_main()


class TooSmall(Static):
    """What stands there when the terminal is too small to work in."""

    def __init__(self) -> None:
        super().__init__("memdeck needs 40×10", id="too-small", markup=False)
