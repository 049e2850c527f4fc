"""Facts with a place in the code that subagents brought back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...answers import Capture
from ...judgement.salience import salience
from ...judgement.weights import DamagedWeights
from ...text.sentences import Sentence
from ..roles import role_of
from .episodes import may_be_kept
from .rules import FINDING
from .runs import Edit
from .shape import capture, digest
from .turns import Call, Session, Turn
from .utterances import told_to
from .wording import points, without_filler

MAX_FINDINGS = 5  # of one report

_PLACE = re.compile(r"[\w./\\:@-]*\w\.[A-Za-z]\w{0,5}(?::\d+|\s?\(?(?:line|L)s?\s?\d+)")


def findings(calls: Sequence[Call], edits: Sequence[Edit], session: Session) -> list[Capture]:
    """The placed facts in the reports of the subagents that `calls` started.

    What stands in a file that was changed after the report stands there no longer as it was told.
    """
    found: list[Capture] = []
    for call in calls:
        if call.tool not in ("Agent", "Task") or call.result is None or call.result.is_error:
            continue
        asked = call.argument("prompt") or call.argument("description")
        agent = str(call.result.details.get("agent_id") or "subagent")
        kind = call.argument("subagent_type") or str(call.result.details.get("agent_type") or "")
        report = replace(call.result, agent_id=agent)
        changed = [f"/{edit.path}" for edit in edits if edit.position > call.answered]
        for fact in _placed_facts(report, asked, role_of(kind), session):
            if not any(path.endswith(f"/{file}") for file in fact.files for path in changed):
                found.append(fact)
    return found


def findings_of(turns: Sequence[Turn], session: Session) -> list[Capture]:
    """The placed facts in a subagent's own transcript: its closing words, its task as question."""
    asked = next((t.text for t in turns if t.is_prompt), "")
    answers = [t for t in turns if t.kind == "assistant"]
    role = session.role or role_of("")
    return _placed_facts(answers[-1], asked, role, session) if answers else []


def _placed_facts(turn: Turn, asked: str, role: str, session: Session) -> list[Capture]:
    """The best of what names a place and is worth keeping, as if the agent itself had said it.

    Rules of their own took what the score would not: of 36 that were read 6 were worth keeping, of
    40 of these 17.
    """
    judged: list[tuple[float, Sentence]] = []
    for one in told_to(turn, asked):
        text = one.sentence.text
        if not (may_be_kept(one) and _PLACE.search(text)) or points(text):
            continue
        try:
            score = salience(one.utterance)
        except DamagedWeights:
            return []
        if score.is_candidate:
            judged.append((score.score, one.sentence))
    best = sorted(judged, key=lambda pair: -pair[0])[:MAX_FINDINGS]
    found = []
    for _, fact in sorted(best, key=lambda pair: pair[1].index):
        text = without_filler(fact.text)
        made = capture(FINDING, text, turn, fact.index, session, kind="semantic")
        ref = made.origin.ref
        if turn.agent_id not in (None, "", "subagent", "sidechain"):
            # It stands in two files, the subagent's own and that of who asked; reading both is not
            # hearing it twice.
            ref = f"{session.agent}:{turn.agent_id}:{digest(text, 8)}"
        found.append(replace(made, origin=replace(made.origin, role=role, ref=ref)))
    return found
