"""What the palette offers: acts, views, memories, settings, what was chosen last.

The order of the groups is always the same; only a group in which something fits better stands
above one in which nothing does. Memory text is shown as it stands and never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.actions import parse

from ..core.errors import ManagerError
from .acts import APP_ACTS, SETUP_ACTS, VIEW_ACTS, acts_by_view
from .matches import INSIDE, Fit, fuzzy
from .remembered import MOST_RECENT
from .stage import SCREENS, VIEWS
from .text import one_line
from .view import Place, about_rows

if TYPE_CHECKING:
    from ..core.answers import Row
    from ..core.compat import MemoryCoordinator
    from ..core.query.language import Query
    from .acts import Act
    from .app import MemoryApp
    from .view import View

MOST_MEMORIES = 20
MOST_TITLES = 1_000
"""Titles of the newest memories that letters are looked for in; words are looked for in all."""
MOST_SETTINGS = 8
LEAST_TOLD = 4  # letters from which on what an act does is looked through
TITLES_AT_ONCE = 250  # rows that one look into the store fetches: others want to paint meanwhile

MEMORY, VIEW, MEMORIES, SETTINGS, ANYWHERE, RECENT = (
    *("This memory", "Views", "Memories", "Settings"),
    *("Anywhere", "Chosen last"),
)
ALONE = frozenset({MEMORIES, SETTINGS})
"""Groups that stand there only when something is typed: they have too many."""

PAST = frozenset({"audit.as_of", "audit.difference"})
"""Acts of Audit that one looks for anywhere: how it was on a day."""

POINTLESS = frozenset({"app.palette", "app.command", "app.quit_now"})
"""Acts that say nothing in the palette, in which one is."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the palette."""

    id: str  # `act:memory.pin`, `view:audit`, `memory:01k8…`, `setting:recall.top_k`
    group: str
    label: str
    run: Callable[[], object]
    note: str = ""  # what it does, in a sentence
    key: str = ""  # what does the same
    also: str = ""  # another name that it is found by
    why_not: str = ""  # why it cannot be done now

    @property
    def names(self) -> tuple[str, ...]:
        """What it is found by besides its label: another name, and the id that settings know."""
        return (self.also, self.id.removeprefix("act:")) if self.also else ()


class Shown(NamedTuple):
    """A line as it fits what was typed."""

    offer: Offer
    fit: Fit | None  # of the label; None where another name of it fits, or nothing was typed


def offers_of(app: MemoryApp) -> list[Offer]:
    """All but memories and settings, in the order of the groups."""
    view, own = app.stage.shown, list[Offer]()
    if view is not None:
        own = [_act(app, act, _group(act, view), view) for act in view.ACTS if _is_here(view, act)]
        own.sort(key=lambda one: one.group != MEMORY)
    views = [
        Offer(
            f"view:{kind.name}", VIEW, kind.label,
            partial(app.call_later, app.action_view, kind.name),
            f"Opens {kind.label}.", kind.key, f"go: {kind.label}",
        )
        for kind in SCREENS
    ]  # fmt: skip
    theme = Offer("act:theme", ANYWHERE, "Theme", app.action_theme,
                  "Colours, shown while you choose.", also="settings: theme")  # fmt: skip
    project = Offer("act:project", ANYWHERE, "Another project", app.action_project,
                    "Looks at another project, or at all projects.",
                    also="project: open another")  # fmt: skip
    there = [
        _act_in(app, "audit", act)
        for act in acts_by_view()["audit"]
        if act.id in PAST and (view is None or act not in view.ACTS)
    ]
    shared = (*VIEW_ACTS, *APP_ACTS, *SETUP_ACTS)
    anywhere = [_act(app, act, ANYWHERE, view) for act in shared if act.id not in POINTLESS]
    return _each_once([*own, *views, theme, project, *there, *anywhere])


def _group(act: Act, view: View) -> str:
    return MEMORY if act.group == "memory" else VIEWS[view.id or "deck"].label


def _is_here(view: View, act: Act) -> bool:
    return _can(view, act) is not False


def _can(view: View, act: Act) -> bool | None:
    _, name, parameters = parse(act.action)
    return view.check_action(name, parameters)


def _act(app: MemoryApp, act: Act, group: str, view: View | None) -> Offer:
    why_not, about = "", None
    if view is not None and act in view.ACTS:
        about = about_rows(view, act)
        if _can(view, act) is None:
            why_not = view.why_not(act.action) or "Not now."
    return Offer(
        f"act:{act.id}", group, act.label, partial(app.run_act, act, about), act.help,
        act.key_in(app.keymap), f"{act.group}: {act.label}", why_not,
    )  # fmt: skip


def _act_in(app: MemoryApp, view: str, act: Act) -> Offer:
    """An act of another view: one goes there first."""

    async def run() -> None:
        await app.action_view(view)
        app.run_act(act)

    return replace(_act(app, act, VIEW, None), run=partial(app.call_later, run))


def _each_once(offers: Sequence[Offer]) -> list[Offer]:
    """What two keys do, such as leaving, stands there once."""
    known: dict[tuple[str, str], Offer] = {}
    for one in offers:
        known.setdefault((one.group, one.label), one)
    return list(known.values())


def setting_offers(app: MemoryApp) -> list[Offer]:
    """Every setting by its name; reads their manual: not on the event loop."""
    from ..core.config.settings import settings_in
    from ..core.services.settings import key_of

    return [
        Offer(
            f"setting:{key_of(path)}", SETTINGS, key_of(path),
            partial(app.call_later, app.navigation.open, Place("agents", query=key_of(path))),
            one_line(about),
        )
        for path, _, about in settings_in()
    ]  # fmt: skip


def memory_offer(app: MemoryApp, row: Row, query: str | None = None) -> Offer:
    """A memory by its title; choosing it opens it on the Deck, in the query that found it."""
    return Offer(
        f"memory:{row.id}", MEMORIES, one_line(row.title),
        partial(app.call_later, app.navigation.open, Place("deck", query, row.id)),
        f"{row.type} · {row.retired_as or row.status}",
    )  # fmt: skip


def query_offer(app: MemoryApp, typed: str, label: str, note: str) -> Offer:
    """What was typed as a query of the Deck."""
    place = Place("deck", query=typed)
    run = partial(app.call_later, app.navigation.open, place)
    return Offer("search", MEMORIES, label, run, note)


def is_a_query(asked: Query) -> bool:
    """Whether it says more than words, so that no letters of titles are meant."""
    return bool(asked.filters or asked.phrases or asked.excluded)


async def newest_titles(app: MemoryApp) -> list[Offer]:
    """The newest memories, a part at a time, in the `search` lane."""
    nums = (await app.search.run(lambda core: core.find("sort:created"))).nums[:MOST_TITLES]
    found = list[Offer]()
    for start in range(0, len(nums), TITLES_AT_ONCE):
        part = nums[start : start + TITLES_AT_ONCE]
        rows = await app.search.run(partial(_rows, nums=part))
        found += [memory_offer(app, row) for row in rows if not row.is_gone]
    return found


def _rows(core: MemoryCoordinator, nums: Sequence[int]) -> list[Row]:
    return list(core.rows(nums))


def found_by_query(core: MemoryCoordinator, asked: Query) -> list[Row]:
    """The best rows for the query, among all memories; runs in a lane."""
    return list(core.find(asked, phase="ranked").first_page[: MOST_MEMORIES - 1])


async def recent_memories(app: MemoryApp, recent: Sequence[str]) -> list[Offer]:
    """Those memories among what was chosen last that are still there."""

    def read(core: MemoryCoordinator) -> list[Row]:
        nums = list[int]()
        for one in recent:
            kind, _, memory = one.partition(":")
            try:
                if kind == "memory":
                    nums.append(core.resolve(memory).num)
            except ManagerError:
                continue  # it is gone
        return list(core.rows(nums))

    return [memory_offer(app, row) for row in await app.search.run(read)]


def fitting(offers: Sequence[Offer], typed: str, more: Sequence[Offer] = ()) -> list[Shown]:
    """What fits what was typed, group by group, and in each the best first.

    `more` are memories that fit by their text. Groups keep their order among those in which
    something fits equally well. Nothing typed: everything but the groups that are `ALONE`.
    """
    if not typed.strip():
        return [Shown(one, None) for one in offers if one.group not in ALONE or one.also]
    order = {name: place for place, name in enumerate(_groups(offers))}
    graded = list[tuple[int, int, int, Shown]]()
    for place, one in enumerate(offers):
        fit = fuzzy(typed, one.label)
        others = [fuzzy(typed, name) for name in one.names] if fit is None else []
        best = fit or min((other for other in others if other is not None), default=None)
        best = best or (told(typed, one) if one.also else None)
        if best is not None:
            graded.append((best.grade, best.spread, place, Shown(one, fit)))
    elsewhere = {one.offer.id for *_, one in graded if one.offer.group != RECENT}
    graded = [
        one for one in graded if one[3].offer.group != RECENT or one[3].offer.id not in elsewhere
    ]
    graded.sort(key=lambda one: one[:3])
    by_group: dict[str, list[tuple[int, Shown]]] = {}
    for grade, _, _, shown in graded:
        by_group.setdefault(shown.offer.group, []).append((grade, shown))
    titles = by_group.setdefault(MEMORIES, [])
    known = {shown.offer.id for _, shown in titles}
    titles += [(2, Shown(one, None)) for one in more if one.id not in known]
    most = {MEMORIES: MOST_MEMORIES, SETTINGS: MOST_SETTINGS}
    filled = [(name, lines) for name, lines in by_group.items() if lines]
    filled.sort(key=lambda one: (one[1][0][0], order[one[0]]))
    return [shown for name, lines in filled for _, shown in lines[: most.get(name, len(lines))]]


def told(typed: str, offer: Offer) -> Fit | None:
    """How it fits what an act does: whole words, in their order or another, none left out."""
    words = typed.lower().split()
    does = re.findall(r"\w+", offer.note.lower())
    fits = len("".join(words)) >= LEAST_TOLD and all(word in does for word in words)
    return Fit(INSIDE, 0, ()) if fits else None


def _groups(offers: Sequence[Offer]) -> Iterator[str]:
    """The groups in their order: of settings there are most, and acts stand before them."""
    own = dict.fromkeys(one.group for one in offers if one.group not in _FIXED)
    yield from (MEMORY, *own, *_FIXED)


_FIXED = (VIEW, MEMORIES, ANYWHERE, SETTINGS, RECENT)


def lately(offers: Sequence[Offer], recent: Sequence[str]) -> list[Offer]:
    """What was chosen last and can be chosen again, the newest at the end."""
    known = {one.id: one for one in offers}
    chosen = [known[one] for one in recent if one in known and not known[one].why_not]
    return [replace(one, group=RECENT) for one in chosen]


def with_chosen(recent: Sequence[str], chosen: str) -> tuple[str, ...]:
    """What was chosen last, with this as the newest: each once."""
    return (*(one for one in recent if one != chosen), chosen)[-MOST_RECENT:]


def open_palette(app: MemoryApp) -> None:
    """Show the palette; what is chosen is done, and remembered."""
    from .dialogs.palette import Palette

    def carry(offer: Offer | None) -> None:
        if offer is None:
            return
        app.last_run.keep(recent=with_chosen(app.last_run.now.recent, offer.id))
        if offer.why_not:
            app.notices.refuse(offer.why_not)
        else:
            offer.run()

    app.notices.clear_what_was_read()
    app.push_screen(Palette(app, app.last_run.now.recent), carry)
