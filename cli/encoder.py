"""Values of the core as JSON objects. Fields are only ever added, never renamed.

`encode` gives a value its declared fields, in their order and by their names; `FORMS` says where
JSON differs, for each class. Importance and confidence are 0-1, as in the import format;
`importance_10` is the scale that `--importance` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..core.values import VERIFIED, importance_10, source_of
from .output import emit, iso

if TYPE_CHECKING:
    from ..core.answers import Receipt
    from ..core.values import Injection

FORMS: Mapping[str, str] = {
    "Memory": (
        "id key type category scope status title content importance~6 confidence~6 tags files"
        " session=origin.session agent=origin.agent created_at updated_at short_id importance_10"
        " project privacy due expires retired_at retired_as in_conflict tokens accesses last_access"
        " helpful unhelpful revision role=origin.role agent_id=origin.agent_id"
        " transcript=origin.transcript line=origin.line details source verified said_by=evidence?"
        " both_hold provenance? degree? used worth tier stale?"
    ),
    "Hit": "+memory score parts matched",
    "Suggestion": "did_you_mean other_words without_filter=narrowest retired other_projects",
    "Link": "source target other_title kind strength created_at",
    "StoreResult": "stored id=memory_id outcome reason removed consensus_score",
    "Receipt": (
        "id at host session event prompt_fingerprint tokens budget latency_ms items left_out"
        " project prompt source policy profile context_left per_tier limits files role next?"
        " compression_ratio degraded=is_degraded request_tokens text?"
    ),
    "Injection": (
        "text tokens budget per_tier items left_out receipt limits policy profile next?"
        " compression_ratio~4 degraded=is_degraded request_tokens"
    ),
    "Replay": "receipt=then today=now exact=is_exact changes",
    "Proof": "receipt before after exact=is_exact changes",
    "Health": "state p95_ms samples degraded=is_degraded",
    "Vote": "reviewer engine status score is_trivial reason latency_ms cost_usd",
    "Recording": "session at why? source verified said_by=evidence line checked_at",
    "RefusedCapture": "number content reason rule session at category importance",
    "Worth": (
        "worth~6 tier action base~6 factors moved importance~6 time=fading use trial quiet_days"
        " cold_in_days past forecast"
    ),
    "Planned": "duty action count proposals",
    "Held": "place name found",
    "Neighbour": "id title content type category status similarity~6",
    "Conflict": (
        "id kind reason detected_at resolved_at verdict context band wording probability~3 opinion?"
        " opinion_by? opinion_why? a=first b=second"
    ),
    "ProfileEntry": (
        "section group why weight~6 whose provenance degree last_used sessions asked? told=is_told"
        " +memory rests_on"
    ),
    "Session": (
        "id agent started_at ended_at end_reason finalized_at goal summary parent source cwd"
        " incognito=is_incognito learned captures refused messages"
    ),
    "Course": "+session name began_at last_at prompts told used tokens kept waiting open undecided",
    "OpenedSession": (
        "+course asked receipts todos tasks conflicts fork_of=parent forks activity"
        " transcript? line model_calls model_tokens model_cost_usd~6"
    ),
    "Extracted": (
        "session engine status reason tokens cost_usd kept known merged replaced disputed dropped"
    ),
    "Summary": "id level name starts_at ends_at content tokens",
    "PairsJudged": "engine status reason pairs tokens cost_usd answers dropped",
    "ExtractorState": (
        "engine is_on calls_today=calls max_calls_per_day=max_calls tokens_today=tokens"
        " max_tokens_per_day=max_tokens cost_usd_today=cost_usd max_cost_usd_per_day=max_cost_usd"
        " waiting last problem pairs_waiting last_pairs"
    ),
}
"""By class, where JSON is not simply its fields: a word for each field of the object.

`name` is the attribute of that name or an entry of `MADE`; `name=path` another attribute; `~3`
rounds to three digits; `?` makes null of what is empty; `+name` puts that value's fields here.
"""


def _left_out(value: Receipt | Injection) -> list[dict[str, str]]:
    return [{"id": identifier, "why": why} for identifier, why in value.left_out]


def _injected(injection: Injection) -> list[dict[str, Any]]:
    """The items of a text, each with what it cost there and the tier of the budget that holds it.

    That was called `tier` before memories had tiers of their own, which are not named here.
    """
    made = []
    for hit in injection.items:
        whole = encode(hit)
        del whole["tier"]
        cost, tier = injection.costs.get(hit.id), injection.tiers.get(hit.id)
        made.append({**whole, "injected_tokens": cost, "tier": tier})
    return made


MADE: Mapping[str, Callable[[Any], Any]] = {
    "Memory.importance_10": lambda memory: importance_10(memory.importance),
    "Memory.verified": lambda memory: memory.evidence in VERIFIED if memory.evidence else None,
    "Memory.both_hold": lambda memory: [
        {"id": identifier, "context": context} for identifier, _, context in memory.both_hold
    ],
    "ProfileEntry.rests_on": lambda entry: [memory.id for memory in entry.rests_on],
    "Recording.source": lambda recording: source_of(recording.evidence),
    "Recording.verified": lambda recording: recording.evidence in VERIFIED,
    "OpenedSession.asked": lambda opened: [one.prompt for one in opened.receipts if one.prompt],
    "Suggestion.other_words": lambda advice: [
        {"word": word, "memories": number} for word, number in advice.other_words
    ],
    "Worth.past": lambda worth: [round(value, 6) for value in worth.past],
    "Worth.forecast": lambda worth: [round(value, 6) for value in worth.forecast],
    "Planned.proposals": lambda planned: [
        {"id": one.memory, "title": one.title, "why": one.why} for one in planned.proposals
    ],
    "Held.found": lambda held: [
        {"field": field, "kind": kind, "count": number}
        for (field, kind), number in held.counts.items()
    ],
    "Receipt.left_out": _left_out,
    "Injection.left_out": _left_out,
    "Injection.items": _injected,
}
"""Fields that no attribute holds as JSON has them."""


def encode(value: Any) -> Any:
    """The JSON of a value: moments are ISO 8601, sequences lists, dataclasses objects."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Mapping):
        return {name: encode(part) for name, part in value.items()}
    if hasattr(value, "__dataclass_fields__") or type(value).__name__ in FORMS:
        made: dict[str, Any] = {}
        kind: Any = type(value)
        for name, get in _form(kind):
            made |= get(value) if name.startswith("+") else {name: get(value)}
        return made
    if isinstance(value, list | tuple):
        return [encode(part) for part in value]
    return value


@cache
def _form(kind: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """By name in JSON, what makes each field out of a value of this class."""
    if kind.__name__ in FORMS:
        names = FORMS[kind.__name__].split()
    else:
        from dataclasses import fields  # `inspect` comes with it, and most values have a form

        names = [field.name for field in fields(kind)]
    return tuple(_field(kind.__name__, name) for name in names)


def _field(kind: str, word: str) -> tuple[str, Callable[[Any], Any]]:
    told, _, digits = word.partition("~")
    name, _, path = told.removesuffix("?").partition("=")
    get = MADE.get(f"{kind}.{name}") or attrgetter(path or name.lstrip("+"))
    if digits:
        return name, lambda value: round(get(value), int(digits))
    if told.endswith("?"):
        return name, lambda value: encode(get(value) or None)
    return name, lambda value: encode(get(value))


def emit_all(values: Iterable[Any]) -> None:
    """Print each value as one JSON object on one line."""
    for value in values:
        emit(encode(value))
