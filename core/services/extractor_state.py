"""The state of the extractor, without the modules that reading a session needs."""

from ...db import sessions
from ..config.policy import ExtractorPolicy
from ..context import Context
from ..errors import BadInput
from ..models.calls import ExtractorState, extracted_from, pairs_judged_from
from ..values import DAY_MS
from .preferences import EVERYWHERE, Preferences

OFF = "off"
"""Stored value of an extractor that the user declined or switched off."""

SETTING = f"extractor|{EVERYWHERE}"


def day_of(now: int) -> int:
    """Return the beginning of a time's day, in milliseconds since 1970. Budgets are per day."""
    return now // DAY_MS * DAY_MS


def engine_of(context: Context, preferences: Preferences) -> str:
    """Return the name of the engine; "" if the extractor is off."""
    chosen = preferences.everywhere("extractor")
    if chosen is None:
        return context.policy.extractor.engine
    return "" if chosen == OFF else str(chosen)


def idle_state(context: Context, preferences: Preferences) -> ExtractorState | None:
    """Return the state if no engine is chosen; None if one is."""
    try:
        return None if engine_of(context, preferences) else state_of(context, preferences)
    except BadInput:
        return None


def state_of(
    context: Context,
    preferences: Preferences,
    *,
    limits: ExtractorPolicy | None = None,
    engine: str = "",
    problem: str = "",
    pairs_waiting: int = 0,
) -> ExtractorState:
    """Return the choice, the budget and the last call."""
    database, most = context.database, limits or context.policy.extractor
    usd, calls, tokens = sessions.spent(database, day_of(context.now_ms()))
    last = sessions.last_call(database)
    last_pairs = sessions.last_call(database, of_pairs=True)
    return ExtractorState(
        engine=engine,
        is_answered=preferences.everywhere("extractor") is not None or bool(most.engine),
        calls=calls,
        max_calls=most.max_calls_per_day,
        tokens=tokens,
        max_tokens=most.max_tokens_per_day,
        cost_usd=usd,
        max_cost_usd=most.max_cost_usd_per_day,
        waiting=sessions.count_due(database),
        last=extracted_from(last) if last else None,
        problem=problem,
        pairs_waiting=pairs_waiting,
        last_pairs=pairs_judged_from(last_pairs) if last_pairs else None,
    )
