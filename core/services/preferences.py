"""The user's choices in the store: aliases, the maximum budget, the preset, recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...db import audit, sessions
from ...db.connection import mapped_errors
from ...db.errors import BadInput, NotFound
from ..config.limits import RANGES
from ..config.settings import AGENT_ENGINES, PRESETS, EnginePolicy, ExtractorPolicy
from ..context import of_row
from ..text.words import clean
from .extractor_state import Extracted, ExtractorState, day_of

if TYPE_CHECKING:
    from ..context import Context

EDIT = "edit|"  # the start of the key of a settings row that records a change of an agent's file
OFF = "off"  # stored value of an extractor that the user declined or switched off
EVERYWHERE = "*"  # the place of a project's id in a setting's key that holds for every project

MOST_SYNONYMS = 20
LONGEST_WORD = 60  # characters of a word that has aliases

SwitchName = Literal["auto_memory", "incognito"]
Reach = Literal["project", "everywhere"]

Spell = tuple[int, int]  # from when, and until when, in milliseconds


class Switches(NamedTuple):
    """The switches of a project, and of every project."""

    by_settings: bool = True  # `auto_memory` of the settings files: off there means off
    auto_project: bool = True
    auto_everywhere: bool = True
    incognito_project: bool = False
    incognito_everywhere: bool = False
    why_unasked: str = ""  # why agents are not asked to record; "" when they are


class Preferences:
    _context: Context

    # --- other words for the same thing

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Return the project's own aliases: word -> words that also match. Without the defaults."""
        aliases = self._context.reader().aliases(self._context.project_id)
        return {word: tuple(others) for word, others in sorted(aliases.items())}

    def add_alias(self, word: str, synonyms: Sequence[str]) -> tuple[str, ...]:
        """Add aliases of a word; return all that it has now. Raises BadInput."""
        from ..ingest.drafts import texts

        key, others = _word(word), [_word(text) for text in texts("The synonyms", synonyms)]
        if not others or key in others:
            raise BadInput("An alias needs another word.", hint="memdeck memory alias add db mysql")
        existing = self.aliases().get(key, ())
        joined = list(dict.fromkeys([*existing, *others]))
        if len(joined) > MOST_SYNONYMS:
            raise BadInput(f"{key} would have {len(joined)} aliases; {MOST_SYNONYMS} is the limit.")
        with self._context.change("alias") as change:
            self._context.ensure_project(change)
            change.put(
                "alias", {"project": self._context.project_id, "word": key, "synonyms": joined}
            )
        return tuple(joined)

    def remove_alias(self, word: str) -> None:
        """Remove the project's own aliases of a word. Raises NotFound."""
        key = f"{self._context.project_id}|{_word(word)}"
        with self._context.change("alias") as change:
            if change.get("alias", key) is None:
                hint = "`memdeck memory alias list` shows them."
                raise NotFound(f"There is no alias for {word[:60]!r} here.", hint=hint)
            change.drop("alias", key)

    # --- switches

    @property
    def auto_memory(self) -> bool:
        """Return True if settings and switches allow recording sessions of this project."""
        here, everywhere = self._context.setting("auto_memory"), self.everywhere("auto_memory")
        return self._context.policy.auto_memory and here is not False and everywhere is not False

    @property
    def ceiling(self) -> int | None:
        """Return the maximum budget in tokens that was chosen here; None: the settings'."""
        return self._context.reader().projects.ceiling(self._context.project_id)

    def set_ceiling(self, tokens: int | None) -> None:
        """Choose the maximum budget, 100 to 50,000 tokens; None: the settings'. Raises BadInput."""
        low, high = RANGES["max_budget_tokens"]
        if tokens is not None and not low <= tokens <= high:
            raise BadInput(f"A budget of {tokens} tokens is not between {low:g} and {high:g}.")
        self._set("budget", "ceiling", tokens)

    def set_preset(self, preset: str | None) -> None:
        """Choose how eagerly captures become memories here; None: as the settings say."""
        if preset is not None and preset not in PRESETS:
            raise BadInput(f"There is no preset {preset!r}.", hint=f"Use: {', '.join(PRESETS)}.")
        self._set("config", "preset", preset)
        self._context.reload_policy()

    def everywhere(self, name: str) -> Any:
        """Return the choice for every project; None without one."""
        return self._context.reader().projects.setting(f"{name}|{EVERYWHERE}")

    def _set(self, action: str, name: str, value: Any) -> None:
        reason = f"{name.replace('_', ' ')}: {value}"
        self._context.choose(action, reason, f"{name}|{self._context.project_id}", value)

    # --- whether sessions are recorded: one, a project's, everywhere

    @property
    def switches(self) -> Switches:
        """Return the switches of this project, and of every project."""
        return Switches(
            by_settings=self._context.policy.auto_memory,
            auto_project=self._context.setting("auto_memory") is not False,
            auto_everywhere=self.everywhere("auto_memory") is not False,
            incognito_project=self._context.setting("incognito") is True,
            incognito_everywhere=self.everywhere("incognito") is True,
            why_unasked=self.why_unasked,
        )

    @property
    def why_unasked(self) -> str:
        """Return why agents are not asked here to record what they learn; "" if they are."""
        try:
            if not self._context.policy.capture.learn:
                return "capture.learn is off"
        except BadInput:
            return "the settings cannot be read"
        if self.is_incognito:
            return "incognito is on"
        return "" if self.auto_memory else "auto-memory is off"

    def set_switch(self, name: SwitchName, is_on: bool, reach: Reach = "project") -> None:
        """Switch auto-memory or incognito for this project, or for every project."""
        whose = EVERYWHERE if reach == "everywhere" else self._context.project_id
        words = " everywhere" if reach == "everywhere" else ""
        action = "auto" if name == "auto_memory" else "incognito"
        text = f"{name.replace('_', ' ')}{words}: {'on' if is_on else 'off'}"
        self._context.choose(action, text, f"{name}|{whose}", is_on)

    def is_recorded(self, session_id: str, at: int | None = None) -> bool:
        """Return True if a session is recorded now, and was at `at` (milliseconds)."""
        from ..ingest.drafts import name_of

        spells = self.off_spells(session_id) if at is not None else ()
        if any(start <= (at or 0) < end for start, end in spells):
            return False
        projects = self._context.reader().projects
        is_on = projects.is_recorded(self._context.project_id, name_of(session_id))
        return self._context.policy.auto_memory and is_on

    @property
    def is_incognito(self) -> bool:
        """Return True if incognito is on for this project or for every project."""
        return bool(self._context.setting("incognito") or self.everywhere("incognito"))

    def off_spells(self, session_id: str) -> list[Spell]:
        """Return when nothing of a session was recorded, from the journal alone."""
        changed = list(self._switched(session_id))
        is_off: dict[str, bool] = {}
        for key, _, before, _ in changed:
            is_off.setdefault(key, before)
        since = 0 if any(is_off.values()) else None
        spells = list[Spell]()
        for key, at, _, after in changed:
            is_off[key] = after
            if since is None and any(is_off.values()):
                since = at // 1000 * 1000  # some hosts note the second alone
            elif since is not None and not any(is_off.values()):
                spells.append((since, at))
                since = None
        return spells if since is None else [*spells, (since, self._context.now_ms())]

    def _switched(self, session_id: str) -> Iterator[tuple[str, int, bool, bool]]:
        """Yield (key, time, was off, is off) of the switches that count for a session, oldest
        first."""
        from ..ingest.drafts import outside_name

        session = outside_name(session_id) or ""
        whose = (self._context.project_id, EVERYWHERE)
        keys = {f"{name}|{item}" for name in ("auto_memory", "incognito") for item in whose}
        for seq in audit.switches(self._context.database):
            record = self._context.store.record(seq)
            for item in record["changes"]:
                table, key, sides = item["table"], item["key"], (item["before"], item["after"])
                if table == "setting" and key in keys:
                    off = "value", key.startswith("incognito")
                elif table == "session" and key == session:
                    off = "incognito", 1
                else:
                    continue
                before, after = ((side or {}).get(off[0]) == off[1] for side in sides)
                yield f"{table} {key}", record["at"], before, after

    # --- the model that reads sessions

    @property
    @mapped_errors()
    def engine(self) -> str:
        """Return the name of the engine that reads sessions; "" if none does."""
        chosen = self.everywhere("extractor")
        if chosen is None:
            return self._context.policy.extractor.engine
        return "" if chosen == OFF else str(chosen)

    def engines(self) -> tuple[str, ...]:
        """Return the engines of the settings, then the agents."""
        own = self._context.policy.review.engines
        return (*own, *(name for name in AGENT_ENGINES if name not in own))

    def engine_settings(self, name: str) -> EnginePolicy:
        """Return the settings of an engine. Raises BadInput for an unknown one."""
        engines = self._context.policy.review.engines
        if name in engines:
            return engines[name]
        if name in AGENT_ENGINES:
            return EnginePolicy(kind=name)
        names = ", ".join(f"`{engine}`" for engine in self.engines())
        raise BadInput(f"No engine is called {name[:40]!r}.", hint=f"There are {names}.")

    @mapped_errors()
    def choose_engine(self, engine: str | None) -> None:
        """Have sessions read by an engine, or by none. Raises BadInput for an unknown engine."""
        if engine is not None:
            self.engine_settings(engine)
        key, value = f"extractor|{EVERYWHERE}", engine or OFF
        self._context.choose("config", f"extractor: {value}", key, value)

    @mapped_errors()
    def extractor_state(self) -> ExtractorState:
        """Return the chosen engine, its budget of today and its last call."""
        engine, problem, most = "", "", ExtractorPolicy()
        try:
            most, engine = self._context.policy.extractor, self.engine
            if engine:
                self.engine_settings(engine)
        except BadInput as error:
            problem = f"{error} {error.hint}".strip()
        database = self._context.database
        usd, calls, tokens = sessions.spent(database, day_of(self._context.now_ms()))
        last = sessions.last_call(database)
        return ExtractorState(
            engine=engine,
            is_answered=self.everywhere("extractor") is not None or bool(most.engine),
            calls=calls,
            max_calls=most.max_calls_per_day,
            tokens=tokens,
            max_tokens=most.max_tokens_per_day,
            cost_usd=usd,
            max_cost_usd=most.max_cost_usd_per_day,
            waiting=sessions.count_due(database),
            last=of_row(Extracted, last) if last else None,
            problem=problem,
        )


def _word(text: str) -> str:
    """Return a word for the search. Raises BadInput if it is none."""
    from ..redaction.redact import redact  # for a word that is given

    word = redact(clean(text[: 2 * LONGEST_WORD])).value.strip().lower()
    if not word or len(word) > LONGEST_WORD or len(word.split()) > 3:
        raise BadInput(f"{text[:60]!r} is no word to search for.")
    return word
