"""Facts with a place in the code that subagents brought back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2s

from ...answers import Capture
from ...judgement.signs import signs_of
from ...text.sentences import masked_quotes, plain, sentences
from ..roles import role_of
from .conversation import gives_a_role
from .echo import without_echo
from .edits import Edit
from .rules import Rule
from .shape import Session, capture, shortened
from .turns import Call, Turn
from .weights import importance_of
from .wording import finished, points, without_filler

MAX_FINDINGS = 5  # of one report

_RULE = Rule(
    "subagent-finding",
    "discovery",
    "semantic",
    importance_of("subagent-finding"),
    0.7,
    "fact",
    ("finding", "subagent"),
)
_PLACE = re.compile(r"[\w./\\:@-]*\w\.[A-Za-z]\w{0,5}(?::\d+|\s?\(?(?:line|L)s?\s?\d+)")
_VERB = re.compile(r"\b[a-z]{3,}\b")
_ASK_END = re.compile(r"(?<=[.?!])\s|\n")
_LABEL = re.compile(r"[A-Z][\w /]{0,24}: ")  # "Repo: …", "Mode: quick"
_NOTHING = re.compile(  # what is not so explains nothing
    r"\b(?:was|were|is|are|has been|have been) (?:not|never) \w+ed\b"
    r"|\bun(?:changed|touched|related)\b"
    r"|\bno (?:\w+ ){0,2}(?:usages?|references?|callers?|matches|issues?|changes?|hits)\b"
    r"|\bconfirmed\b(?: as described)?\W*$"
    r"|\bnothing\b|\b(?:looks?|is|are|seems?) (?:fine|ok|okay|correct|clean)\b"
    r"|\b(?:does|do|did)(?: not|n't) (?:need|change|touch|use|matter|apply|contain|mention)\b",
    re.IGNORECASE,
)
_NO_FACT = frozenset(("asks", "hedges", "intends", "did", "leads"))
"""Signs of what is no fact about the code."""


def findings(calls: Sequence[Call], edits: Sequence[Edit], session: Session) -> list[Capture]:
    """The placed facts in the reports of the subagents that `calls` started.

    What stands in a file that was changed after the report stands there no longer as it was told.
    """
    found: list[Capture] = []
    for call in calls:
        if call.tool not in ("Agent", "Task") or call.result is None or call.result.is_error:
            continue
        asked = _question(call.argument("prompt")) or _question(call.argument("description"))
        agent = str(call.result.details.get("agent_id") or "subagent")
        kind = call.argument("subagent_type") or str(call.result.details.get("agent_type") or "")
        report = replace(call.result, agent_id=agent)
        changed = [edit.path for edit in edits if edit.position > call.answered]
        facts = _placed_facts(report, asked, role_of(kind), session)
        found += [fact for fact in facts if not _names_one(fact, changed)]
    return found


def _names_one(fact: Capture, paths: Sequence[str]) -> bool:
    return any(path == file or path.endswith(f"/{file}") for file in fact.files for path in paths)


def findings_of(turns: Sequence[Turn], session: Session) -> list[Capture]:
    """The placed facts in a subagent's own transcript: its closing words, its task as question."""
    asked = next((t.text for t in turns if t.is_prompt), "")
    answers = [t for t in turns if t.kind == "assistant"]
    role = session.role or role_of("")
    return _placed_facts(answers[-1], _question(asked), role, session) if answers else []


def _placed_facts(turn: Turn, question: str, role: str, session: Session) -> list[Capture]:
    found = []
    for sentence in sentences(without_echo(turn.text)):
        text = without_filler(sentence.text)
        if sentence.kind in ("cell", "heading"):
            continue  # a table of what stands where, or of a review's remarks; a part's name
        if not _PLACE.search(text) or points(text) or _NOTHING.search(masked_quotes(text)):
            continue
        if _NO_FACT & signs_of(text):
            continue
        if len(_VERB.findall(_PLACE.sub("", text))) < 2:
            continue  # a bare list of places says nothing
        whole = finished(text)
        if question and len(whole) + len(question) < 480:
            whole = f"{whole} (Asked: “{question}”)"
        made = capture(_RULE, whole, turn, sentence.index, session, kind="semantic")
        ref = _reference(turn.agent_id, text, session) or made.origin.ref
        found.append(replace(made, origin=replace(made.origin, role=role, ref=ref)))
        if len(found) == MAX_FINDINGS:
            break
    return found


def _question(asked: str) -> str:
    """What a subagent was asked, in a line, where its task begins with that; else ""."""
    parts = map(str.strip, _ASK_END.split(without_echo(asked)))
    first = next((part for part in parts if _VERB.search(part) and not gives_a_role(part)), "")
    if _LABEL.match(plain(first)) or {"points", "denies"} & signs_of(first):
        return ""  # where it works, and how
    return shortened(plain(first).lstrip("#- "), 160).rstrip(".:")


def _reference(agent_id: str | None, text: str, session: Session) -> str:
    """The name of a fact by who found it, "" when no id tells.

    It stands in two files, the subagent's own and that of who asked; reading both is not
    hearing it twice.
    """
    if not agent_id or agent_id in ("subagent", "sidechain"):
        return ""
    digest = blake2s(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{session.agent}:{agent_id}:{digest}"
