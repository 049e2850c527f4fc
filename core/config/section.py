"""What all tables of the settings have in common."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError

from ..extensions import unknown


class Section(BaseModel):
    """A table of the settings file: fixed once read, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def must_be_known(kind: str, ours: Sequence[str], wanted: Sequence[str]) -> Sequence[str]:
    """`wanted`. Raises PydanticCustomError for a name that nobody brings."""
    if why := unknown(kind, ours, wanted):
        raise PydanticCustomError("unknown", "{why}", {"why": why})
    return wanted
