"""Make captures of sentences: check that one stands alone, and find the names in it.

No word is ever put into a sentence. A sentence that begins by pointing at something gets the one
before it, or the file of the work, in front ("app/feed.py: the issue is …"). Else it is filtered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2s
from typing import Any

from ...db.activity import FIX, WORKFLOW
from ..answers import Capture
from ..ingest.kinds import category_of, memory_type_with_doubt
from ..judgement.salience import signs_of
from ..language.phrases import phrases, says
from ..text.sentences import cut, masked_quotes
from ..text.words import SECTIONS, patterns_in
from ..values import Origin
from .turns import Session, Turn, reference


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of finding captures, and the fields that it gives them."""

    name: str
    category: str  # one of the nine
    type: str | None = None  # memory type, or None if the text decides
    importance: float = 5 / 9  # 0-1
    confidence: float = 0.7  # 0-1
    nature: str = ""  # for the type's own table: semantic.category or episodic.event_type
    tags: tuple[str, ...] = ()


# Importance by the priority of the trigger. The user's rules lie above, 0.55
# to 0.85. A single report lies under the 0.7 that is worth a point: it earns that
# by being found again.
REMEMBER = Rule("remember", "preference", None, 0.85, 0.95, "fact", ("instruction",))
FROM_NOW_ON = Rule("from-now-on", "preference", None, 0.85, 0.9, "principle", ("instruction",))
INTENTION = Rule("intention", "task_progress", "prospective", 0.65, 0.8, "", ("todo",))
OPEN_TODO = Rule("open-todo", "task_progress", "prospective", 0.6, 0.8, "", ("todo",))
ERROR_FIX = Rule("error-fix", "error", "episodic", 0.68, 0.8, "error", (FIX,))
TASKS_DONE = Rule("tasks-done", "pattern", "procedural", 0.6, 0.75, "workflow", (WORKFLOW,))
CAUSE, DECISION = 0.68, 0.65  # of an agent's own sentences


MAX_FILES = 8
MAX_TAGS = 8


PROGRAMS = frozenset(SECTIONS["programs"].split())
_TECHNOLOGIES = frozenset(SECTIONS["technologies"].split())
_SAME = {"postgresql": "postgres", "mariadb": "mysql"}
# Ordinary words, too: a program only in code.
_ONLY_IN_CODE = frozenset(SECTIONS["only in code"].split())
_NO_FILES = frozenset(SECTIONS["no files"].split())

_PATTERNS = dict(patterns_in(os.path.join(os.path.dirname(__file__), "shape.tsv")))
_PATH, _CONCRETE = re.compile(_PATTERNS["path"]), re.compile(_PATTERNS["concrete"])
_CODE = re.compile(r"`([^`\n]+)`")
_TERM = re.compile(r"[A-Za-z][\w+-]*")


def files_in(text: str, root: str | None) -> tuple[str, ...]:
    """Return the files that `text` names, in order, relative to `root` where they lie under it."""
    named = (m[1] or m[2] for m in _PATH.finditer(text))
    return unique(relative(p, root) for p in named if p.lower() not in _NO_FILES)[:MAX_FILES]


def relative(path: str, root: str | None) -> str:
    """`path` seen from `root`; a path outside of it stays as it is."""
    path = os.path.normpath(path)
    if root and os.path.isabs(path):
        base = os.path.normpath(root)
        if path.startswith(base.rstrip("/") + "/"):
            return path[len(base.rstrip("/")) + 1 :]
    return path


def tags_in(text: str) -> tuple[str, ...]:
    """Programs and technologies named in `text`, small, at most `MAX_TAGS`."""
    in_code = {word.lower() for code in _CODE.findall(text) for word in _TERM.findall(code)}
    matches = []
    for word in _TERM.findall(text):
        small = word.lower()
        if small in _TECHNOLOGIES:
            matches.append(_SAME.get(small, small))
        elif small in PROGRAMS and (small in in_code or small not in _ONLY_IN_CODE):
            matches.append(small)
    return unique(matches)[:MAX_TAGS]


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """`items` in order, each once, without empty ones."""
    return tuple(dict.fromkeys(item for item in items if item))


MAX_JOINED = 480  # characters of a sentence with the text put in front

_ENDS = (".", "!", "?", "…", '."', ".”", ".)", "”)", "。", "！", "？", "」")
_SHOUTED = re.compile(r"!{2,}$")
_SPOKEN = re.compile(r"[^\W\d_]{2,}|`[^`]+`")
_AFTER_STOP = re.compile(r"(?<=[。！？])[^\S\n]+")
_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LATIN = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_OPENING = re.compile(r"^[\s\"'“”‘’(*_-]+")
_WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"[\W_]+")
_LEAST = 3  # words of the part before it


def without_filler(text: str) -> str:
    """`text` without "OK," "also" and the like in front, in any known language."""
    for _ in range(4):
        for phrase in phrases():
            match = phrase.filler.match(text)
            if match and match.end() < len(text):
                text = text[match.end() :]
                break
        else:
            return text
    return text


def points(text: str) -> bool:
    """Return True if a sentence cannot be understood without the one before it."""
    bare = _OPENING.sub("", masked_quotes(without_filler(text)))
    if any(phrase.points.match(bare) for phrase in phrases()):
        return True
    # unless it names something that can be looked up: code, a path, a number, a proper name
    is_vague = any(phrase.vague.match(bare) for phrase in phrases())
    return is_vague and not (_CONCRETE.search(text) or _PATH.search(text) or tags_in(text))


def standing(text: str, before: str, subject: str = "") -> str:
    """Return `text` so that it stands alone; "" if it cannot, or is a single word.

    `before` is the sentence before it, `subject` the file that the work was on, "" for none.
    """
    if points(text):
        lead = without_filler(before)
        is_complete = len(lead.split()) >= _LEAST or _WIDE.search(lead) is not None
        is_complete = is_complete and not lead.endswith(("?", "？", ":")) and not points(lead)
        if is_complete and len(lead) + len(text) <= MAX_JOINED:
            text = f"{finished(lead)} {capital(text)}"
        elif subject and len(subject) + len(text) <= MAX_JOINED:
            text = f"{subject}: {text}"
        else:
            return ""
    has_words = len(_SPOKEN.findall(text)) >= 2 or len(_WIDE.findall(text)) >= 4
    return text if has_words else ""


def shares_words(text: str, other: str, least: int = 1) -> bool:
    """Return True if the other has most words of the shorter, which has at least `least`."""
    first, two = ({*_WORD.findall(each.lower())} for each in (text, other))
    few = min(len(first), len(two))
    return few >= least and len(first & two) >= 0.6 * few


def letters(text: str) -> str:
    """Return the letters and digits of `text`, small."""
    return _BETWEEN.sub("", text.lower())


def finished(text: str) -> str:
    """`text` with a capital in front and a full stop at its end, as its writing has them."""
    return stopped(capital(text.strip().rstrip(" ,;:—–-")))


def stopped(text: str) -> str:
    """`text` with a full stop at its end, that of its writing."""
    text = _AFTER_STOP.sub("", _SHOUTED.sub("!", text))
    if text.endswith(_ENDS):
        return text
    return f"{text}。" if _outnumber(_IDEOGRAM, text) else f"{text}."


def capital(text: str) -> str:
    """`text` with a capital in front, unless a name begins it that is written small on purpose: a
    file, a function, a program."""
    first = text.split(" ", 1)[0]
    is_file = any(sign in first for sign in "_/.(=") and not first.endswith(".")
    if first in PROGRAMS or first != first.lower() or is_file or not first[:1].isalpha():
        return text
    return text if _outnumber(_WIDE, text) else text[:1].upper() + text[1:]


def _outnumber(signs: re.Pattern[str], text: str) -> bool:
    """Return True if there are more of these signs than Latin words, outside of quotations."""
    message = masked_quotes(text)
    return len(signs.findall(message)) > len(_LATIN.findall(message))


MAX_CONTENT = 500  # characters (requirements, "Limits on content")
MAX_TITLE = 80  # characters

_CLAUSE_END = re.compile(r"(?<=[\w`)\"”])(?:[;:—–]\s|\.\s|,?\s(?:because|since|so that)\s|\s\()")
_ORDER = re.compile(
    r"\b(?:before|after|first|then|whenever|every time|each time|when|prior to)\b", re.IGNORECASE
)
_COMMAND = re.compile(r"`([a-z./][^`\n]*)`")
_NUMBERED = re.compile(r"^\s*(?:step )?\d{1,2}[.):]\s+(\S.*)$", re.MULTILINE | re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|\s)(\d{1,2})[.)]\s+")
_NEEDS = re.compile(r"\b(?:you need|requires?|needs?|make sure)\b[^.;:\n]{3,120}", re.IGNORECASE)
_EVENTS = ("decision", "error")


def capture(
    rule: Rule,
    text: str,
    turn: Turn,
    index: int | str,
    session: Session,
    *,
    details: Mapping[str, Any] | None = None,
    files: Iterable[str] = (),
    title: str = "",
    kind: str | None = None,
    is_person: bool = False,
) -> Capture:
    """Return a capture of `text`, which is from `turn`.

    `index` numbers the captures of a turn, so that the same place always has the same
    `origin.ref`.
    """
    base = os.path.normpath(session.root) if session.root else "/"
    text = text if base == "/" else text.replace(f"{base}/", "")
    content = shortened(finished(text), MAX_CONTENT)
    type_, is_unsure = kind or rule.type or "", False
    if not type_:
        likely, is_tied = memory_type_with_doubt(content, rule.category)
        type_ = "episodic" if likely == "episodic" and not is_tied else "semantic"
        type_ = "procedural" if steps_in(content) else type_
        is_unsure = is_tied or (type_ == "semantic" and likely != type_)
    origin = Origin(
        session=session.session,
        agent=session.agent,
        agent_id=turn.agent_id,
        role=session.role or ("general" if turn.agent_id else None),
        transcript=session.transcript,
        line=turn.line,
        ref=reference(session, turn.uuid, f"{turn.part}-{index}" if turn.part else str(index)),
    )
    made = Capture(
        content=content,
        title=title or title_of(content),
        category="pattern" if type_ == "procedural" and not kind else rule.category,
        type=type_,
        importance=rule.importance,
        confidence=rule.confidence,
        tags=unique([*rule.tags, *tags_in(content)])[:8],
        files=unique([*files, *files_in(content, session.root)])[:8],
        rule=f"{'person' if is_person else 'agent'}.{rule.name}",
        origin=origin,
        said_at=turn.at,
        is_type_unsure=is_unsure,
    )
    # the fields of the type's own table that its words do not give (`ingest.drafts`)
    report: dict[str, Any] = {"intention_type": "todo", "priority": 3, "status": "pending"}
    if type_ == "procedural":
        report = {"procedure_name": made.title}
    elif type_ == "semantic":
        report = {"category": rule.nature or "fact"}
    elif type_ == "episodic":
        happened = [item for item in (rule.nature, rule.category) if item in _EVENTS]
        speaker = "user_query" if is_person else "agent_response"
        report = {"event_type": (*happened, speaker)[0]}
        if made.said_at:
            report["timestamp"] = round(made.said_at.timestamp() * 1000)
    return replace(made, details={**report, **(details or {})})


def digest(text: str, size: int) -> str:
    """Return a name for `text`, of `size` bytes in hexadecimal digits."""
    return blake2s(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def prerequisites_in(content: str) -> tuple[str, ...]:
    """Return the prerequisites that `content` names, at most three clauses."""
    return unique(matches[0].strip(" ,;:.") for matches in _NEEDS.finditer(content))[:3]


def steps_in(content: str, *, is_procedure: bool = False) -> tuple[str, ...]:
    """The numbered lines of `content`, or of a procedure the numbered parts of a line; else its
    commands, if it says when to run them."""
    numbered = tuple(line.strip() for line in _NUMBERED.findall(content))
    if len(numbered) > 1:
        return numbered
    parts = _NUMBER.split(content)[1:] if is_procedure else []  # numbers and texts by turns
    if len(parts) > 2 and [*map(int, parts[::2])] == [*range(1, len(parts) // 2 + 1)]:
        return unique(part.strip(" ,;.") for part in parts[1::2])
    if not _ORDER.search(content):
        return ()
    return tuple(c for c in _COMMAND.findall(content) if " " in c or c.startswith("./"))


def title_of(content: str) -> str:
    """Return the first clause of `content`, at most `MAX_TITLE` characters."""
    for end in _CLAUSE_END.finditer(content):
        if 24 <= end.start() <= MAX_TITLE:
            return content[: end.start()].rstrip(" .,;:")
    if len(content) <= MAX_TITLE + 1:
        return content.rstrip(".")
    return shortened(content, MAX_TITLE)


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, cut between words and marked with "…"."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit // 2)
    return (cut[:space] if space > 0 else cut).rstrip(" ,;:.(") + "…"


# --- the kind of a kept sentence

_NOT_AN_AGENTS = ("preference", "task_progress")
_PASSES = frozenset(("asks", "requests"))
_FORBIDS = re.compile(r"\W*do not\b", re.IGNORECASE)
_VOICES = frozenset(("i", "we", "you", "orders"))
LONGEST_VOICELESS = 160
"""Characters of a rule that speaks of nobody. A longer one is a report, mostly a pasted one."""
LONG_REMARK = 130  # the same for a sentence below the established score
_OF_OTHERS = re.compile(r"\b(?:users?|customers?|team)\b", re.IGNORECASE)
"""Third persons, which the sign `we` holds too: a report that names them has no voice."""
_DEMANDS = frozenset(("orders", "wants"))
_BINDS = frozenset(("modal", "contrast"))
_DECIDES = frozenset(("modal", "universal", "contrast", "choice"))
_REPORTS = frozenset(("trouble", "hedges"))


def named(text: str, *, is_person: bool, is_established: bool = True) -> Rule:
    """Return the name, category and nature of a sentence that the score admits.

    The user's is an `instruction` if it sets a limit (never, always, only), an `order` if it asks
    something or for one piece of work, else `said`. Below the established score a sentence that
    weighs something, proposes it or reports trouble needs strong words to set a limit.
    The importance is the least for its kind, 0 where the score alone decides.
    """
    signs = signs_of(text)
    if not is_person:
        if "cause" in signs and "hedges" not in signs:  # a possible cause explains nothing
            return Rule("said", "discovery", "semantic", CAUSE, nature="fact")
        category = category_of(text)
        if category == "decision":
            return Rule("said", category, "semantic", DECISION, nature="principle")
        if category == "error" and "reason" in signs:  # it failed because of that
            return Rule("said", category, None, CAUSE)
        return Rule("said", "discovery" if category in _NOT_AN_AGENTS else category, None, 0.0)
    parts = list(cut(text))
    voices = signs_of(_OF_OTHERS.sub("", text)) & _VOICES
    is_report = not voices and len(text) > (LONGEST_VOICELESS if is_established else LONG_REMARK)
    is_passing = is_report or any(says("passing", part) for part in parts)
    name = "order" if is_passing or _asks(parts[-1]) or is_order(text) else "said"
    if not (is_report or "hedges" in signs) and any(
        (says("governs", part) or (says("limit", part) and not is_order(part)))
        and not (_asks(part) or says("passing", part))
        and (is_established or not _is_fault(part))
        and (is_established or says("governs", part) or not _is_weighed(part))
        for part in parts
    ):
        name = "instruction"
    tags = ("instruction",) if name == "instruction" else ()
    if tags and (signs & _DEMANDS or ("universal" in signs and signs & _BINDS)):
        # a profile has preferences of any importance
        category = "decision" if "choice" in signs else "preference"
        return Rule(name, category, None, 0.0, nature="principle", tags=tags)
    category = category_of(text)
    if category in ("preference", "discovery"):  # they state a decision or a fact
        is_decided = bool(signs & _DECIDES) and not signs & _REPORTS
        category = "decision" if is_decided else "architecture"
    return Rule(name, category, None, 0.0, tags=tags)


_CLAUSES = re.compile(r"[,;:，；：、—–]")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|wenn|falls|si|cuando|quando|als|jeśli|gdy|если|когда)\b"
    r"|如果|当|たら|とき|면 ",
    re.IGNORECASE,
)


def _is_fault(text: str) -> bool:
    """Return True if all that a text says never or always happens is that something breaks.

    A condition is no report: "if it fails, always …".
    """
    clauses = [part for part in _CLAUSES.split(text) if says("governs", part)]
    breaks = bool(clauses) and all(says("breaks", part) for part in clauses)
    return breaks and _CONDITION.search(text) is None


def _is_weighed(text: str) -> bool:
    return "trouble" in signs_of(text) or says("ponders", text)


def is_order(text: str) -> bool:
    """Return True if a text asks something, or begins as an order for one piece of work."""
    bare = without_filler(text)
    return _passes(bare) or any(phrase.order.match(bare) for phrase in phrases())


def _passes(text: str) -> bool:
    """Return True if a sentence asks or requests something; "do not …" does not."""
    is_passing = bool(signs_of(text) & _PASSES) and not _FORBIDS.match(text)
    return is_passing or _asks(text)


def _asks(text: str) -> bool:
    return text.endswith(("?", "？")) or any(each.question.search(text) for each in phrases())
