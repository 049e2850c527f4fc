"""Notes of a project, and settings by which they are told."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from memdeck import MemoryCoordinator


@pytest.fixture
def keep(core: MemoryCoordinator) -> Callable[..., list[str]]:
    """Put texts into the store, each with the same fields, or with a mapping of its own."""

    def _keep(*notes: str | Mapping[str, Any], **fields: Any) -> list[str]:
        objects = [{"content": note} if isinstance(note, str) else note for note in notes]
        report = core.import_memories({**fields, **one} for one in objects)
        assert not report.refused
        return [str(one) for one in report.ids]

    return _keep


def _toml(value: Any) -> str:
    if not isinstance(value, dict):
        return repr(value)
    return "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in value.items()) + " }"


@pytest.fixture
def settings(core: MemoryCoordinator) -> Callable[..., None]:
    """Set the limits of recall, and no others; the core reads them anew."""

    def _settings(**limits: Any) -> None:
        lines = (f"{name} = {_toml(value)}\n" for name, value in limits.items())
        core.home.prepare()
        with open(core.home.config, "w", encoding="utf-8") as file:
            file.write("[recall]\n" + "".join(lines))
        core.context.reload_policy()

    return _settings
