"""The state of the model that reads sessions, without anything that reading one needs."""

from ...db import sessions
from ..config.policy import ExtractorPolicy
from ..context import Context
from ..errors import BadInput
from ..models.calls import ExtractorState, extracted_from, pairs_judged_from
from ..values import DAY_MS
from .preferences import EVERYWHERE, Preferences

OFF = "off"
"""What the store keeps when the user declined, or switched the extractor off."""

SETTING = f"extractor|{EVERYWHERE}"


def day_of(now: int) -> int:
    """When the day of a time began, whose budget its calls are: both in milliseconds since 1970."""
    return now // DAY_MS * DAY_MS


def engine_of(context: Context, preferences: Preferences) -> str:
    """The name of the engine that is asked; "" when the extractor is off."""
    chosen = preferences.everywhere("extractor")
    if chosen is None:
        return context.policy.extractor.engine
    return "" if chosen == OFF else str(chosen)


def idle_state(context: Context, preferences: Preferences) -> ExtractorState | None:
    """The state where no engine is chosen; None where one is, and has to be looked at."""
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
    """Choice, budget and the last call."""
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
