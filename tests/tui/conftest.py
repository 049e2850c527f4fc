"""The app on a real store, driven by keys; and the guard that no query runs on its loop."""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from textual import events
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.geometry import Region
from textual.notifications import Notification
from textual.pilot import Pilot

from memdeck import Memory, MemoryCoordinator
from memdeck.db.store import Store
from memdeck.tui.app import MemoryApp

from .handlers import find_handlers_once
from .painting import paint_when_looked_at, text_of
from .promises import Promises
from .slowness import slow_down
from .waiting import (
    PATIENCE_S,
    STEP_S,
    all_have_run,
    has_mail,
    heard,
    is_laid_out,
    is_still,
    longer,
)

T = TypeVar("T")

NAMES = {" ": "space", "/": "slash", "?": "question_mark", ":": "colon", "*": "asterisk",
         "[": "left_square_bracket", "]": "right_square_bracket", "-": "minus",
         '"': "quotation_mark", "<": "less_than_sign", ">": "greater_than_sign",
         "=": "equals_sign",
         "'": "apostrophe", "+": "plus", ",": "comma", ".": "full_stop"}  # fmt: skip
CHARACTERS = {name: character for character, name in NAMES.items()}


def _key(key: str) -> events.Key:
    name = NAMES.get(key, key)
    return events.Key(name, CHARACTERS.get(name) or (name if len(name) == 1 else None))


class Person:
    """Somebody in front of the app: presses keys, looks at the screen, asks the store."""

    def __init__(self, app: MemoryApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Send keys one by one: each has had its effect, or waits for an act, before the next."""
        for key in keys:
            self.app.post_message(_key(key))
            await all_have_run()
            self.app.screen._on_timer_update()  # a row is painted before what is said of it is read
            await heard(self.app)
            await self.until(lambda: not self.app.typed.is_moving)

    async def burst(self, keys: str | Sequence[str]) -> None:
        """Send keys in one go, as a terminal does with what is typed quickly."""
        for key in keys:
            self.app.post_message(_key(key))
        await heard(self.app)

    async def type(self, text: str) -> None:
        """Write `text`, quickly."""
        await self.burst(text)
        await self.until(lambda: not self.app.typed.is_moving)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a state, not for a time."""
        end, step = time.monotonic() + PATIENCE_S, STEP_S
        while not holds():
            assert time.monotonic() < end, f"still not so:\n{self.screen}"
            await asyncio.sleep(step)
            step = longer(step)  # to look at the screen costs more than to wait

    async def rest(self) -> None:
        """Wait until no answer of the core is on its way and every message was heard.

        What was heard last may have set something off, and so may the layout: nothing may be under
        way twice in a row.
        """
        calm, end, step = 0, time.monotonic() + PATIENCE_S, STEP_S
        while calm < 2:
            await all_have_run()
            if self.app._exit:
                return
            is_quiet = not self._is_busy and is_still(self.app)
            if is_quiet and not is_laid_out(self.app):
                calm = 0
                self.app.screen._on_timer_update()  # else up to 16 ms later
            elif is_quiet and self._has_its_row:
                calm += 1
            else:
                calm = 0
                assert time.monotonic() < end, f"never at rest:\n{self.screen}"
                await asyncio.sleep(step)
                step = longer(step)  # a timer of the app may have a tenth of a second to go

    @property
    def _is_busy(self) -> bool:
        """Whether a key or an answer is on its way."""
        waiting = ("dialog", "welcomed")  # these wait for the person
        return self.app.typed.is_busy or not all(
            work.is_finished or work.group in waiting for work in self.app.workers
        )

    @property
    def _has_its_row(self) -> bool:
        """Whether the row under the Deck's cursor is here; who asks has it read, painted or not."""
        is_shown = self.app.stage.current == "deck" and self.deck.memories.keys
        return not is_shown or self.deck.memories.current is not None

    async def store(self, ask: Callable[[MemoryCoordinator], T]) -> T:
        """What the core says, asked in a lane of its own."""
        return await self.app.slow.run(ask)

    @property
    def screen(self) -> str:
        """The screen as text: what is written to the terminal, without its colours.

        "" before a new screen is laid out: it has no ground yet.
        """
        return text_of(self.app)

    @property
    def header(self) -> str:
        """The first line of the screen; "" while a new screen is not laid out or painted yet."""
        painted = self.app.screen._compositor
        if not painted.size:
            return ""
        line = Region(0, 0, painted.size.width, 1)
        strips = list(painted._render_chops(line, (0).__eq__)[0].values())
        return "" if None in strips else "".join(strip.text for strip in strips).rstrip()

    @property
    def deck(self) -> Any:
        return self.app.stage.view("deck")

    @property
    def titles(self) -> list[str]:
        """The titles in the list, from the top, as far as they are here."""
        memories = self.deck.memories
        rows = (memories.row(index) for index in range(len(memories.keys)))
        return [row.title for row in rows if row is not None]

    @property
    def here(self) -> str:
        """The title under the cursor; "" in an empty list."""
        row = self.deck.memories.current
        return row.title if row is not None else ""

    @property
    def notices(self) -> list[str]:
        """What the notices say."""
        return [f"{notice.title} {notice.message}".strip() for notice in self.app._notifications]

    @property
    def help(self) -> Any:
        """What `?` says here; its page is not opened."""
        pages: list[Any] = []
        self.app.push_screen = pages.append  # type: ignore[method-assign]
        self.app.action_help()
        del self.app.push_screen
        return pages[0]._guide

    def dialog(self) -> str:
        """The name of the dialog on top, once it can be used; "Screen" without one.

        It can be used when it heard all that it was told: only then has it the focus.
        """
        screen = self.app.screen
        is_ready = screen.is_mounted and len(screen.children) and not has_mail(screen)
        return type(screen).__name__ if is_ready else ""


OpenApp = Callable[..., AbstractAsyncContextManager[Person]]


@pytest.fixture(autouse=True)
def _slow_app(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--slow-app SEED` everything that may come late does."""
    seed = request.config.getoption("--slow-app")
    if seed is not None:
        slow_down(monkeypatch, f"{seed} {request.node.nodeid}")


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local time is UTC, so that a golden says the same everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves or vanishes by itself; no editor or clipboard of this machine is used."""
    # a notice that stands for seconds has left before a slow machine comes to look at it
    monkeypatch.setattr(Notification, "time_left", 3600.0)
    monkeypatch.setenv("NO_MOTION", "1")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "VISUAL", "EDITOR", "MEMDECK_THEME",
                 "LC_ALL", "LC_CTYPE", "LANG"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)


_MOST_PARSED = 1000  # sheets, about seven themes
_MOST_SETS = 200  # of sheets that an app had at one time


class _Set(NamedTuple):
    """What sheets that count together came to."""

    rules: list[RuleSet]
    by_name: dict[str, list[RuleSet]]
    candidates: dict[Any, Any]


_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}
_SETS: dict[tuple[object, ...], _Set] = {}


@pytest.fixture(autouse=True)
def _sheets_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second app in one process takes the rules of the first: a sixth of what an app costs.

    Textual itself keeps them as long as an app has one theme, so nothing writes into them.
    """
    parse, parse_all = Stylesheet._parse_rules, Stylesheet.parse
    by_name = Stylesheet.rules_map.fget
    assert by_name

    def parse_once(sheet: Stylesheet, css: str, *place: Any, **more: Any) -> list[RuleSet]:
        key = (css, *place, *more.items(), *sheet._variables.items())
        if key not in _PARSED:
            if len(_PARSED) >= _MOST_PARSED:
                _PARSED.clear()
            _PARSED[key] = parse(sheet, css, *place, **more)
        return _PARSED[key]

    def parse_all_once(sheet: Stylesheet) -> None:
        key = (frozenset(sheet._variables.items()), *sheet.source.items())
        if key not in _SETS:
            if len(_SETS) >= _MOST_SETS:
                _SETS.clear()
            parse_all(sheet)
            _SETS[key] = _Set(sheet._rules, by_name(sheet), {})
        rules, names, candidates = _SETS[key]
        sheet._rules, sheet._rules_map, sheet._require_parse = rules, names, False
        if "_candidates" in vars(sheet):  # ours: what may match a widget by its names
            vars(sheet).update(_candidates=candidates, _candidates_of=names)

    def by_name_once(sheet: Stylesheet) -> dict[str, list[RuleSet]]:
        if sheet._rules_map is None:
            sheet.parse()
        return by_name(sheet)

    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)
    monkeypatch.setattr(Stylesheet, "parse", parse_all_once)
    monkeypatch.setattr(Stylesheet, "rules_map", property(by_name_once))


@pytest.fixture(autouse=True)
def _painted_when_looked_at(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No terminal is there to be painted: a third of what an app costs.

    Whoever looks paints the whole screen (`Person.screen`).
    What a list reads because it is painted is tested with `painted`.
    """
    if request.node.get_closest_marker("painted"):
        return
    paint_when_looked_at(monkeypatch)


@pytest.fixture(autouse=True)
def _handlers_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A widget that hears a message again need not be searched for who hears it."""
    find_handlers_once(monkeypatch)


class _Guarded:
    """The store's connection: nobody may take it in a thread with an event loop.

    Only `interrupt` may, which is made for other threads; and a test may use the store that it
    opened itself before the loop began.
    """

    def __get__(self, store: Store, owner: type) -> object:
        is_the_tests_own = store.__dict__["opened_in"] == threading.get_ident()
        caller = sys._getframe(1).f_code.co_name
        assert is_the_tests_own or caller == "interrupt" or not _has_loop(), "a query on the loop"
        return store.__dict__["connection"]

    def __set__(self, store: Store, connection: object) -> None:
        assert not _has_loop(), "a store was opened on the event loop"
        store.__dict__["opened_in"] = threading.get_ident()
        store.__dict__["connection"] = connection


def _has_loop() -> bool:
    """Whether this thread runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture(autouse=True)
def _no_query_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof for every test at once that the app asks the core in its lanes only."""
    monkeypatch.setattr(Store, "connection", _Guarded(), raising=False)


@pytest.fixture
def in_front() -> list[Person]:
    """Who sits before an app that this test opened, the last one at the end."""
    return []


@pytest.fixture
def open_app(home_path: Path, clock: Any, in_front: list[Person]) -> OpenApp:
    """Open the app on this test's store, for the project "harbour"."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Person]:
        project = more.pop("project", "harbour")
        left = home_path / "app.json"
        is_sent = {"view", "query", "select"} & more.keys()
        if home_path.is_dir() and not left.exists() and not is_sent:
            left.write_text('{"view": "deck"}')  # who was here before
        app = MemoryApp(str(home_path), project, clock=clock, **more)
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            person = Person(app, pilot)
            in_front.append(person)
            await person.until(lambda: app.stage.current)
            if app.stage.current == "deck":
                await person.until(lambda: person.deck.finder.found is not None)
            await person.rest()
            yield person
            await person.rest()

    return opened


@pytest.fixture
def promises(request: pytest.FixtureRequest, subtests: Any) -> Promises:
    """For looks at one app that need not open one each."""
    return Promises(request, subtests)


@pytest.fixture
def slow_reads(
    monkeypatch: pytest.MonkeyPatch, in_front: list[Person]
) -> Callable[..., threading.Event]:
    """From when it is called, no read in these lanes is answered until the event is set."""

    def hold(*lanes: str) -> threading.Event:
        goes_on = threading.Event()

        def late(real: Callable[..., Any], *job: Any) -> Any:
            assert goes_on.wait(60)
            return real(*job)

        for name in lanes or ("pages", "slow"):
            lane = getattr(in_front[-1].app, name)
            monkeypatch.setattr(lane, "_call", partial(late, lane._call))
        return goes_on

    return hold


@pytest.fixture
def core(request: pytest.FixtureRequest, open_core: Any) -> Any:
    """The store seen from the project "harbour", after what a fixture laid there (`laid_…`)."""
    for name in request.fixturenames:
        if name.startswith("laid_") and name != "laid_out":
            request.getfixturevalue(name)
    return open_core()


@pytest.fixture
def laid_five(laid_out: Any) -> dict[str, Memory]:
    """The store of `harbour`."""
    return dict(laid_out(five))


@pytest.fixture
def harbour(laid_five: dict[str, Memory]) -> dict[str, Memory]:
    """Five memories of a project, a minute apart, by a short name; the newest is `tide`."""
    return laid_five


def five(core: MemoryCoordinator, clock: Any) -> dict[str, Memory]:
    """The five of `harbour`."""
    texts = {
        "retry": "Retry budget is three attempts, then the job fails for good.",
        "queue": "Queue timeout is 30 seconds, since the provider retries after forty.",
        "staging": "Staging lives on host db-7 and is reached through the jump host.",
        "deploy": "Deploys go out on Mondays before noon, never on a Friday.",
        "tide": "Tide tables are read from the port authority at six in the morning.",
    }
    ids = {}
    for name, text in texts.items():
        clock.forward(minutes=1)
        ids[name] = core.remember(text, tags=["harbour", name]).memory_id or ""
    return {name: core.show(memory) for name, memory in ids.items()}


@pytest.fixture
def pinned_tide(core: MemoryCoordinator, harbour: dict[str, Memory]) -> None:
    """The newest of the five is pinned."""
    core.pin(harbour["tide"].id)


@pytest.fixture
def forgotten_queue(core: MemoryCoordinator, harbour: dict[str, Memory]) -> None:
    """One of the five is forgotten."""
    core.forget(harbour["queue"].id)


@pytest.fixture
def linked(core: MemoryCoordinator, harbour: dict[str, Memory]) -> None:
    """The newest of the five extends the oldest."""
    core.link(harbour["tide"].id, harbour["retry"].id, "extends")
