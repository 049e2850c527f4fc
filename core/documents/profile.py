"""Lays out the user's profile: preferences by category, patterns by domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..values import Memory
from . import document as d

NAMES = {"preference": "Preferences", "pattern": "Patterns"}


def profile_document(profile: Mapping[str, Mapping[str, Sequence[Memory]]]) -> d.Document:
    """Return the preferences and patterns, each category as a section."""
    return d.document("What holds for you in every project", _sections(profile), value=profile)


def _sections(profile: Mapping[str, Mapping[str, Sequence[Memory]]]) -> Iterator[d.Section]:
    for category, groups in profile.items():
        for group, memories in groups.items():
            rows = (
                d.Row(memory.short_id, memory.content, link=f"memory:{memory.id}")
                for memory in memories
            )
            yield d.section(f"{NAMES[category]}: {group}", rows)
