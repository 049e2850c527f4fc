"""The judgement in a model's words: found wherever it stands, and checked.

A model that was asked for one JSON object gives it bare, in a code fence, or amid prose. What is
no judgement at all makes a failed reviewer, never a guess.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..values import TYPES
from .prompts import Role
from .replies import NoReply, objects_in, tidy

MISSING_SCORE = 5.0
"""The score of an answer that names none."""


_MOST_CHARACTERS = 100_000  # of an answer; where a judgement has a few hundred
_FENCED = re.compile(r"^[ \t]*```[\w-]*[ \t]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)


class Judgement(BaseModel):
    """A checked answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    score: float = Field(default=MISSING_SCORE, ge=1, le=10, allow_inf_nan=False, strict=True)
    """1-10; whole or not, but a number: `"8"`, true and null are none."""

    trivial: bool = False
    """Whether the text is not worth keeping at all."""

    reason: Annotated[str, BeforeValidator(lambda given: given if isinstance(given, str) else "")]
    """Why, redacted and on one line; at most 300 characters."""

    type: Annotated[
        str | None, BeforeValidator(lambda given: given if given in TYPES else None)
    ] = None
    """What type the model takes the text for, if it is one of ours."""


def judgement_in(text: str, role: Role) -> Judgement:
    """The judgement in `text`. Raises NoReply, status invalid, when there is none."""
    answer = _answer_in(text[:_MOST_CHARACTERS], role)
    if answer is None:
        raise NoReply("invalid", f"No JSON object in the answer: {text[:400].strip() or '(empty)'}")
    given = {str(name).strip().lower(): value for name, value in answer.items()}
    fields = {
        "trivial": given.get("trivial", False),
        "reason": given.get("reason", ""),
        "type": _word(given.get("type")),
    }
    for key in (role.key, "score"):
        if key in given:
            fields["score"] = given[key]
            break
    try:
        found = Judgement.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = role.key if first["loc"] == ("score",) else ".".join(map(str, first["loc"]))
        shown = repr(first["input"])[:80]
        raise NoReply("invalid", f"`{name}` is {shown}: {first['msg'].lower()}.") from None
    return found.model_copy(update={"reason": tidy(found.reason)})


def _answer_in(text: str, role: Role) -> dict[str, Any] | None:
    """The object that answers: the text itself, a fence's, or the last that looks like one.

    The last, since a model that thinks aloud may repeat the question's form before it answers.
    """
    for part in (text, *reversed(_FENCED.findall(text))):
        if (whole := _parsed(part)) is not None:
            return whole
    known = {role.key, "score", "trivial", "reason"}
    likely = [one for one in objects_in(text) if known & {str(name).lower() for name in one}]
    return likely[-1] if likely else None


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text.strip())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _word(value: Any) -> str | None:
    return value.strip().lower() if isinstance(value, str) else None
