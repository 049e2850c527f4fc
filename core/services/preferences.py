"""What a person switches for one project: aliases, the budget's ceiling, the preset, auto-memory.

These are kept by the store and journaled, so that they can be undone; everything else is set in
the settings files (`core/config/policy.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from ...db import projects
from ...frozen import dataclass
from ..config.limits import RANGES
from ..errors import BadInput, NotFound
from ..retrieval.aliases import everyday
from ..text.clean import clean

if TYPE_CHECKING:
    from ..context import Context

EVERYWHERE = "*"
"""Stands for every project in a setting's key; no project has this id."""

MOST_SYNONYMS = 20
LONGEST_WORD = 60
"""Characters of a word that others stand for."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Choices for one project."""

    _context: Context

    # --- other words for the same thing (002-14)

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """The project's own aliases: word -> words that also count. Defaults are not among them."""
        found = self._context.reader().aliases(self._context.project_id)
        return {word: tuple(others) for word, others in sorted(found.items())}

    def default_aliases(self) -> tuple[tuple[str, ...], ...]:
        """The groups of words that mean the same everywhere."""
        return everyday().groups

    def add_alias(self, word: str, synonyms: Sequence[str]) -> tuple[str, ...]:
        """Let a word also find others; all that it finds now. Raises BadInput."""
        from ..ingest.drafts import texts  # for who adds one

        key, others = _word(word), [_word(one) for one in texts("The synonyms", synonyms)]
        if not others or key in others:
            raise BadInput("An alias needs another word.", hint="memdeck memory alias add db mysql")
        known = self.aliases().get(key, ())
        joined = list(dict.fromkeys([*known, *others]))
        if len(joined) > MOST_SYNONYMS:
            raise BadInput(f"{key} would have {len(joined)} aliases; {MOST_SYNONYMS} is the limit.")
        with self._context.change("alias") as change:
            self._context.ensure_project(change)
            change.put(
                "alias", {"project": self._context.project_id, "word": key, "synonyms": joined}
            )
        return tuple(joined)

    def remove_alias(self, word: str) -> None:
        """Forget the project's own aliases of a word. Raises NotFound."""
        key = f"{self._context.project_id}|{_word(word)}"
        with self._context.change("alias") as change:
            if change.get("alias", key) is None:
                raise NotFound(
                    f"There is no alias for {word[:60]!r} here.",
                    hint="`memdeck memory alias list` shows them.",
                )
            change.drop("alias", key)

    # --- switches

    @property
    def auto_memory(self) -> bool:
        """Whether sessions of this project are taken down: settings and switches agree (002-22)."""
        here, everywhere = self._context.setting("auto_memory"), self.everywhere("auto_memory")
        return self._context.habits.auto_memory and here is not False and everywhere is not False

    def set_auto_memory(self, is_on: bool) -> bool:
        """Switch taking down for this project; what is in force now, settings included."""
        self._set("auto", "auto_memory", is_on)
        return self.auto_memory

    @property
    def ceiling(self) -> int | None:
        """The budget's ceiling in tokens that was chosen here (002-23); None: the settings'."""
        found = self._context.setting("ceiling")
        return found if isinstance(found, int) else None

    def set_ceiling(self, tokens: int | None) -> None:
        """Choose the budget's ceiling, in tokens; None goes back to the settings'.

        Raises BadInput outside 100 to 50,000.
        """
        low, high = RANGES["max_budget_tokens"]
        if tokens is not None and not low <= tokens <= high:
            raise BadInput(f"A budget of {tokens} tokens is not between {low:g} and {high:g}.")
        self._set("budget", "ceiling", tokens)

    def set_preset(self, preset: str | None) -> None:
        """Choose how eagerly findings become memories here (002-05); None: as the settings say."""
        from ..config.policy import Preset

        if preset is not None and preset not in get_args(Preset):
            raise BadInput(
                f"There is no preset {preset!r}.", hint=f"Use: {', '.join(get_args(Preset))}."
            )
        self._set("config", "preset", preset)
        self._context.read_policy_anew()

    def everywhere(self, name: str) -> Any:
        """What a person chose for all projects together; None when nothing was chosen."""
        return projects.setting(self._context.database, f"{name}|{EVERYWHERE}")

    def _set(self, action: str, name: str, value: Any) -> None:
        with self._context.change(action, f"{name.replace('_', ' ')}: {value}") as change:
            self._context.ensure_project(change)
            change.put("setting", {"key": f"{name}|{self._context.project_id}", "value": value})


def _word(text: str) -> str:
    """A word for the search. Raises BadInput for what is none."""
    from ..redaction.redact import redact  # for a word that is given

    word = redact(clean(text[: 2 * LONGEST_WORD])).value.strip().lower()
    if not word or len(word) > LONGEST_WORD or len(word.split()) > 3:
        raise BadInput(f"{text[:60]!r} is no word to search for.")
    return word
