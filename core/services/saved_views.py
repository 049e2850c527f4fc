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
        setting = self._context.setting(SETTING)
        existing = setting if isinstance(setting, dict) else {}
        return {name: str(existing[name]) for name in sorted(existing, key=str.casefold)}

    def view(self, name: str) -> str:
        """The query of one view, whatever the case of its name. Raises NotFound."""
        views = self.views()
        return views[self._called(name, views)]

    def _called(self, name: str, existing: Mapping[str, str]) -> str:
        """The name as it is kept."""
        if name in existing:
            return name
        for other in existing:
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
        views = self.views()
        if label not in views and len(views) >= MOST_VIEWS:
            raise BadInput(f"There are {MOST_VIEWS} views already.", hint="Remove one first.")
        self._put("save view", label, {**views, label: text})
        return label

    def remove_view(self, name: str) -> None:
        """Forget a view. Raises NotFound."""
        views = self.views()
        label = self._called(name, views)
        self._put("remove view", label, {item: views[item] for item in views if item != label})

    def _put(self, action: str, name: str, views: dict[str, str]) -> None:
        self._context.choose(action, name, f"{SETTING}|{self._context.project_id}", views)
