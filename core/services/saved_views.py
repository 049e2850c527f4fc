"""Queries with names, by project: filters, order and headings, as the query language says them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import BadInput, NotFound
from ..text.clean import clean

if TYPE_CHECKING:
    from ..context import Context

LONGEST_NAME = 40
LONGEST_QUERY = 2_000
MOST_VIEWS = 100
SETTING = "views"


@dataclass(frozen=True, slots=True)
class SavedViews:
    """The views that a person named in one project; each change is journaled and can be undone."""

    _context: Context

    def views(self) -> dict[str, str]:
        """Each view's query by its name, in the order of the names."""
        kept = self._context.setting(SETTING)
        known = kept if isinstance(kept, dict) else {}
        return {name: str(known[name]) for name in sorted(known, key=str.casefold)}

    def view(self, name: str) -> str:
        """The query of one view, whatever the case of its name. Raises NotFound."""
        known = self.views()
        return known[self._called(name, known)]

    def _called(self, name: str, known: Mapping[str, str]) -> str:
        """The name as it is kept."""
        if name in known:
            return name
        for other in known:
            if other.casefold() == name.casefold():
                return other
        raise NotFound(
            f"No view is called {name[:60]!r} here.", hint="`memdeck view list` shows them."
        )

    def save_view(self, name: str, query: str) -> str:
        """Keep `query` under `name`, in place of what had it; the name as it is kept.

        Secrets are taken out of both. Raises BadInput for a name or a query that is empty or too
        long, and beyond 100 views.
        """
        from ..redaction.redact import redact

        label = " ".join(redact(clean(name[: 4 * LONGEST_NAME])).value.split())
        text = " ".join(redact(clean(query[: 2 * LONGEST_QUERY])).value.split())
        if not label or len(label) > LONGEST_NAME:
            raise BadInput(f"A view's name has 1 to {LONGEST_NAME} characters.")
        if not text or len(text) > LONGEST_QUERY:
            raise BadInput(
                f"A view's query has 1 to {LONGEST_QUERY:,} characters.",
                hint="Such as `is:conflict sort:updated`.",
            )
        known = self.views()
        if label not in known and len(known) >= MOST_VIEWS:
            raise BadInput(f"There are {MOST_VIEWS} views already.", hint="Remove one first.")
        self._put("save view", label, {**known, label: text})
        return label

    def remove_view(self, name: str) -> None:
        """Forget a view. Raises NotFound."""
        known = self.views()
        label = self._called(name, known)
        self._put("remove view", label, {one: known[one] for one in known if one != label})

    def _put(self, action: str, name: str, views: dict[str, str]) -> None:
        self._context.choose(action, name, f"{SETTING}|{self._context.project_id}", views)
